"""A game compiled for one scenario and one set of options: the program, and what people are shown of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from interpreter.core.layout import Layout
from interpreter.core.nodes import Program
from interpreter.lang.nodes import Template
from interpreter.lang.types import Ty
from interpreter.lang.world import Kind, World
from interpreter.source import Span


@dataclass(frozen=True, eq=False)
class TextInfo:
    """A text whose holes are computed on demand: `functions[i]` takes the chosen values of the option's binders and gives hole i,
    of type `types[i]`. A decision's own text takes no values."""

    template: Template
    functions: tuple[int, ...]
    types: tuple[Ty, ...]


@dataclass(frozen=True, eq=False)
class EventInfo:
    """A line of the log, or the last word on a game; its holes come with the event, of these types."""

    template: Template | None
    types: tuple[Ty, ...]
    what: Literal["log", "win", "finish"]


@dataclass(frozen=True, eq=False)
class OptionInfo:
    """`name`: the word that a written choice begins with; `binders`: types of what follows it."""

    name: str
    binders: tuple[Ty, ...]


@dataclass(frozen=True, eq=False)
class DecisionInfo:
    """`id`: the decision's stable name; `element`: the step chooses one more member of a set (then `done` stops)."""

    id: str
    options: tuple[OptionInfo, ...]
    span: Span
    element: bool = False


@dataclass(frozen=True, eq=False)
class LookInfo:
    """How a thing is drawn if `function` (None: always) holds for it."""

    function: int | None
    text: str
    style: str


@dataclass(eq=False)
class Compiled:
    """Everything that running and showing a game needs. `tests`: functions and blocks added for rule tests, by name."""

    world: World
    layout: Layout
    program: Program
    scenario: str
    options: dict[str, bool]
    texts: list[TextInfo] = field(default_factory=list)
    events: list[EventInfo] = field(default_factory=list)
    decisions: list[DecisionInfo] = field(default_factory=list)
    looks: dict[Kind, list[LookInfo]] = field(default_factory=dict)
    checks: list[tuple[int, Span]] = field(default_factory=list)  # of a rule test: condition function and its place
    first: list[int] = field(default_factory=list)  # cells of a position before the set-up has run, generator unseeded
    constants: dict[str, int] = field(default_factory=dict)  # name of a constant field -> table, for showing
