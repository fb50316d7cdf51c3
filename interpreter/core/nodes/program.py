"""What pauses (blocks and decisions), functions, and the whole program."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union

from interpreter.core.nodes.expressions import Expr, Type, Var
from interpreter.core.nodes.statements import Stmts
from interpreter.graph import Graph as Graph


@dataclass(frozen=True, slots=True, eq=False)
class Jump:
    """On to block `target`."""

    target: int


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    cond: Expr
    then: int
    other: int


@dataclass(frozen=True, slots=True, eq=False)
class Leave:
    """Ends a pausing effect: reads the block to go on with from cell `back`, sets the `count` cells from `base` on to 0
    (the frame, `back` among them) and goes there.
    """

    back: int
    base: int
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Ask:
    """Waits for an answer to decision number `decision` (see Decision). The body of such a block is empty."""

    decision: int


@dataclass(frozen=True, slots=True, eq=False)
class Stop:
    """The end of the road: reached only after End (cell STATUS is 1)."""


Exit = Union[Jump, Branch, Leave, Ask, Stop]


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Statements, then where to go.

    Cell PC holds the number of the block that waits in an Ask (it is written only then). `weight` counts steps at
    entry.
    """

    name: str
    body: Stmts
    exit: Exit
    weight: int = 0
    site: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Binder:
    """`var` (with a home) takes each member of `values` (a set) in rising order."""

    var: Var
    values: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    """One alternative: its candidates are all tuples of its binders' members, the first binder outermost, later ones
    depending on earlier ones; none at all unless `guard` holds. `lets` are pure variables for use in guard and
    binders, evaluated before the guard. An option without binders is one candidate. When a candidate is taken, its
    values are written to the homes of the binders' variables and play goes on at block `target`. `final`: taking it
    completes the statement (cell PLIES rises by 1).
    """

    name: str
    lets: Stmts
    guard: Expr | None
    binders: tuple[Binder, ...]
    target: int
    final: bool
    text: int  # number of the text shown for a candidate, -1 if there is none


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """A question.

    Candidates: those of all options in order, then, if `stop` is not None, one more (the word `stop`: "done", "no",
    "pass"), which leads to block `otherwise` and completes the statement.

    With no candidate at all play goes on at `otherwise` at once. With exactly one candidate it is taken at once if
    `silent` (PLIES rises by 1 as for any other if it is `final`; ANSWERS does not). Otherwise the machine waits; taking
    an answer raises ANSWERS by 1. Reaching `otherwise` without candidates raises nothing. `part`: this step goes on
    with the statement asked before. `player` is evaluated when asked: after the candidates, and only if the machine
    waits. In options, variables of `lets` and binders are locals even if they have homes; homes are written when a
    candidate is taken.
    """

    name: str
    player: Expr
    options: tuple[Option, ...]
    stop: str | None
    otherwise: int
    silent: bool
    part: bool
    text: int
    site: int


# ---- the whole ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A plain function or effect: never pauses.

    `result` None: none. `ends`: may end the game. `pure`: has no effects.
    """

    name: str
    params: tuple[Var, ...]
    result: Type | None
    body: Stmts
    pure: bool
    ends: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Die:
    """Faces with weights; `values[i]` is how face i is written in scripts and logs.

    A throw is one bounded draw below the sum of the weights: the face in whose share, in order, it falls.
    """

    name: str
    weights: tuple[int, ...]
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """Where in the rules a fault may happen: `code`, message with {0} and {1}; `place` is "file:line:column"."""

    code: str
    message: str
    place: str


@dataclass(slots=True, eq=False)
class Program:
    """A game compiled for one scenario and one set of options.

    `cells`: size of a position. `budget`: steps for one apply.

    The header cells (STATUS …) are those of `layout`. Numbers in nodes index these tuples.
    """

    cells: int = 0
    budget: int = 1_000_000
    start: int = 0
    tables: list[tuple[int, ...]] = field(default_factory=list)
    set_tables: list[tuple[int, ...]] = field(default_factory=list)  # bits
    set_sizes: list[int] = field(default_factory=list)
    list_tables: list[tuple[tuple[int, ...], ...]] = field(default_factory=list)
    graphs: list[Graph] = field(default_factory=list)
    dice: list[Die] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
