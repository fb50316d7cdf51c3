"""A game compiled for one scenario and one set of options: the program, and what people are shown of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from interpreter.core.layout import Frames, Layout
from interpreter.core.nodes import Program, Var
from interpreter.lang.nodes import Template
from interpreter.lang.types import Ty
from interpreter.lang.world import Field, Kind, World
from interpreter.reading.model import BotDef, BotRule
from interpreter.source import Span

PRESS_ON = "press_on"  # the only answer to a question that must be asked although there is nothing to choose


@dataclass(frozen=True, eq=False)
class TextInfo:
    """A text whose holes are computed on demand: `functions[i]` takes the chosen values of the option's binders and
    gives hole i, of type `types[i]`. A decision's own text takes no values.
    """

    template: Template
    functions: tuple[int, ...]
    types: tuple[Ty, ...]


@dataclass(frozen=True, eq=False)
class EventInfo:
    """A line of the log, or the last word on a game; its holes come with the event, of these types.

    A "draw" is no line: it says that a piece of the kind in `types` is drawn next; a "disclose" neither: everybody
    learns the first thing that it holds, from the player who is the second, if there is one. For each hole in
    `secret`, behind all holes, comes the bit mask of the players who may know what stands in it.
    """

    template: Template | None
    types: tuple[Ty, ...]
    what: Literal["log", "win", "finish", "draw", "disclose"]
    secret: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class OptionInfo:
    """`name`: the word that a written choice begins with; `binders`: types of what follows it."""

    name: str
    binders: tuple[Ty, ...]


@dataclass(frozen=True, eq=False)
class DecisionInfo:
    """`id`: the decision's stable name; `element`: the step chooses one more member of a set (then `done` stops).

    `dark`: that it is asked could tell others a secret.
    """

    id: str
    options: tuple[OptionInfo, ...]
    span: Span
    element: bool = False
    dark: bool = False


@dataclass(frozen=True, eq=False)
class LookInfo:
    """How a thing is drawn if `function` (None: always) holds for it."""

    function: int | None
    text: str
    style: str


@dataclass(frozen=True, eq=False)
class SharesInfo:
    """Who makes up a sum or count: `members` gives those of type `of` that count, `each` (with one more argument) how
    much one of them counts; without it each is one.
    """

    of: Ty
    members: int
    each: int | None


@dataclass(frozen=True, eq=False)
class PartInfo:
    """A value in a condition, written at `span`, of type `type`; `function` computes it. `shares`: if it is a sum."""

    span: Span
    function: int
    type: Ty
    shares: SharesInfo | None = None


@dataclass(frozen=True, eq=False)
class ThenInfo:
    """A condition of a rule test, and the values in it that tell why it does not hold."""

    function: int
    span: Span
    parts: tuple[PartInfo, ...]


@dataclass(frozen=True, eq=False)
class InvariantInfo:
    """A condition that must hold in every position, and what is told if it does not.

    `culprits`: if it is about each member of something, the members for which it fails. `reads`: the fields of numbers
    and single things that it looks at.
    """

    check: ThenInfo
    text: str
    rule: str
    culprits: PartInfo | None
    reads: frozenset[Field]


@dataclass(frozen=True, eq=False)
class TrialInfo:
    """A rule test: the event that marks the end of its set-up, the one that marks its end if it calls an effect, and
    its conditions.
    """

    ready: int
    over: int
    checks: tuple[ThenInfo, ...]


@dataclass(frozen=True, eq=False)
class SumPartInfo:
    """A part of a labelled sum: `value` is the function that computes it, `when` the one that says whether it counts
    (None: always).
    """

    text: str
    rule: str
    when: int | None
    value: int
    span: Span


@dataclass(eq=False)
class Secrecy:
    """By which functions views are made.

    `sees`: (piece, player) -> whether it is open to him; `seen`: player -> the set of all that are; `fields`: (owner,
    player) -> whether one is open to him; `open`: fields of closed pieces that are seen all the same; `closed`: how a
    closed piece reads. `rounds`: the questions of each `secretly`, in seat order, each with the variable that tells
    whether it was answered. `unused_known`: everybody knows which pieces are out of play, as it is the set-up alone
    that says so.
    """

    sees: dict[Kind, int] = field(default_factory=dict)
    seen: dict[Kind, int] = field(default_factory=dict)
    fields: dict[Field, int] = field(default_factory=dict)
    open: dict[Kind, frozenset[str]] = field(default_factory=dict)
    closed: dict[Kind, str] = field(default_factory=dict)
    rounds: list[tuple[tuple[int, Var], ...]] = field(default_factory=list)
    unused_known: bool = False

    @property
    def any(self) -> bool:
        """Whether anything is ever hidden from somebody."""
        return bool(self.sees or self.fields or self.rounds)


@dataclass(frozen=True, eq=False)
class BinderReason:
    """What a thing must be: a member of `domain` (a function of the things before it; None: not known; `parts`: values
    in it) of which all of `conditions` hold (functions of the things up to it).
    """

    name: str
    type: Ty
    domain: int | None
    span: Span
    parts: tuple[PartInfo, ...]
    conditions: tuple[ThenInfo, ...]


@dataclass(frozen=True, eq=False)
class PriceReason:
    """What an alternative costs, and what there is to pay it from."""

    price: int
    price_span: Span
    purse: int
    purse_span: Span


@dataclass(frozen=True, eq=False)
class LimitReason:
    """Which members can be added to a set: those behind the `last` one, that keep the limit."""

    last: int
    limit: tuple[ThenInfo, ...]


@dataclass(frozen=True, eq=False)
class OptionReason:
    """Why a choice is offered or not.

    `guards`: conditions of the alternative as a whole; `seen`: what was chosen before
    in the same statement.
    """

    word: str
    guards: tuple[ThenInfo, ...]
    binders: tuple[BinderReason, ...]
    price: PriceReason | None
    seen: int | None
    limit: LimitReason | None


@dataclass(frozen=True, eq=False)
class BotTakeInfo:
    """A bot's rule for alternative `number` (-1: the way to stop) of a step.

    `when`, `ranks`: functions of who is asked, the values of a choice and the numbers of a level.
    """

    number: int
    when: int | None
    ranks: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class BotRuleInfo:
    """A rule of a bot, with the places where it makes sense."""

    definition: BotRule
    takes: tuple[BotTakeInfo, ...]


@dataclass(eq=False)
class BotInfo:
    """A bot: its rules in order by number of the step; `numbers`: the names of what its levels give."""

    definition: BotDef
    numbers: tuple[str, ...]
    rules: dict[int, list[BotRuleInfo]] = field(default_factory=dict)


@dataclass(eq=False)
class Compiled:
    """Everything that running and showing a game needs."""

    world: World
    layout: Layout
    program: Program
    scenario: str
    options: dict[str, bool]
    texts: list[TextInfo] = field(default_factory=list)
    events: list[EventInfo] = field(default_factory=list)
    decisions: list[DecisionInfo] = field(default_factory=list)
    looks: dict[Kind, list[LookInfo]] = field(default_factory=dict)
    secrecy: Secrecy = field(default_factory=Secrecy)
    frames: Frames = field(default_factory=Frames)
    trials: list[TrialInfo] = field(default_factory=list)
    site_spans: list[Span | None] = field(default_factory=list)  # of the program's sites
    first: list[int] = field(default_factory=list)  # cells of a position before the set-up has run, generator unseeded
    sums: dict[str, tuple[SumPartInfo, ...]] = field(default_factory=dict)  # by function
    sum_params: dict[str, tuple[Ty, ...]] = field(default_factory=dict)
    constants: dict[Field, tuple[int, ...]] = field(default_factory=dict)  # values of fields outside of positions
    left_out: tuple[dict[Kind, int], ...] = ()  # for each scenario that is played, the sets of what is not in play
    graph_of: tuple[int, ...] = (0,)  # the map's graph in each
    invariants: list[InvariantInfo] = field(default_factory=list)  # only in programs with asides or trials
    sound: int | None = None  # the function that says whether all invariants hold, if there are any
    bots: dict[str, BotInfo] = field(default_factory=dict)  # only in programs with asides, as are `reasons`
    reasons: dict[int, tuple[OptionReason, ...]] = field(default_factory=dict)  # by decision
