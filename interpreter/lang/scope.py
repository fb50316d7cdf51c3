"""Names in rule text: what they can mean, where they hold, and what is known of a value at a place (narrowing)."""

from __future__ import annotations

from collections.abc import Callable as Checker
from dataclasses import dataclass, field
from typing import Union

from interpreter.diagnostics import Bag
from interpreter.lang import nodes as n
from interpreter.lang.types import Ty
from interpreter.lang.world import (
    Die,
    Entity,
    Enum,
    Field,
    Kind,
    Scene,
    Sort,
    Table,
    World,
    Zone,
)
from interpreter.reading.model import (
    BotDef,
    BotRule,
    Citation,
    GameDef,
    SumDef,
    SumPart,
)
from interpreter.source import Span


@dataclass(eq=False)
class Local:
    """A parameter, a `let`, or a binder. The type of `let x = []` is found at its first use, so it may change."""

    name: str
    type: Ty
    span: Span
    assignable: bool = False
    changed: bool = False  # some assignment changes it


@dataclass(eq=False)
class Callable:
    """A function or effect of the game, and what calling it may do."""

    name: str
    params: tuple[Local, ...]
    result: Ty | None
    is_effect: bool
    open: bool
    span: Span
    node: n.Fun | n.Effect | None
    calls: set[str] = field(default_factory=set)
    call_spans: dict[str, Span] = field(default_factory=dict)
    asks: Span | None = None  # where it asks somebody itself
    ends_game: bool = False
    writes: set[str] = field(default_factory=set)  # names of fields, "at" for moves
    pauses: bool = False  # asks, or calls what asks
    me: tuple[Local, int] | None = None  # `self` in an entry's text, and the entity that it is
    fillings: tuple[Filling, ...] | None = None  # of a hook: who fills it
    needs: dict[str, Span] = field(default_factory=dict)  # scenes that must be open around it for what it reads itself
    opens: dict[str, Span] = field(default_factory=dict)  # scenes that it opens itself
    asked_as: str = ""  # the id of its questions that have none of their own, if it is not its name
    citation: Citation = field(default_factory=Citation)  # what the comment above it says of where it comes from
    covered: dict[str, frozenset[str]] = field(default_factory=dict)  # scenes open around all its calls of a callable
    inside: dict[tuple[str, str], Span] = field(default_factory=dict)  # a call (scene open around it, called)
    scenes: frozenset[str] = frozenset()  # all scenes that must be open around it
    panel: bool = False  # an expression of a display


Face = tuple[Field, int]  # a field, and the value with which it shows this face


@dataclass(frozen=True, eq=False)
class Filling:
    """What one entity puts into a hook, perhaps only while it shows a face."""

    entity: int
    face: Face | None
    body: Callable


@dataclass(frozen=True, eq=False)
class Bend:
    """A checked exception.

    All of `conditions` must hold (and `face` be shown); `params` are the target's under its own names.

    `rank`: of its class in the game's precedence. It is woven in only where `option` is on and `scenario` is played, if
    it has one.
    """

    target: Callable
    verb: str
    rank: int
    params: tuple[Local, ...]
    me: tuple[Local, int] | None
    face: Face | None
    conditions: tuple[n.Expr, ...]
    value: n.Expr | None
    effect: Callable | None
    option: str | None
    scenario: str | None
    span: Span


@dataclass(frozen=True, eq=False)
class Settling:
    """A checked settling rule: for the first thing of `each` (or when `when` holds), outside of a scene, `do` is
    carried out.

    `option`, `scenario`: the layer that brings it, None for the game itself.
    """

    name: str
    span: Span
    each: n.Binder | None
    when: n.Expr | None
    outside: Scene | None
    do: Callable
    option: str | None
    scenario: str | None


@dataclass(frozen=True, eq=False)
class BotTake:
    """A bot's rule for alternative `number` (-1: the way to stop) of the step at `at`; `names`: what a choice gives."""

    at: Span
    number: int
    names: tuple[Local, ...]
    when: n.Expr | None
    ranks: tuple[n.Expr, ...]


@dataclass(eq=False)
class BotCheck:
    """A checked bot: by question, its rules in order, each with the places where it makes sense. `player`: who is
    asked; `levels`: the numbers that its levels give.
    """

    definition: BotDef
    player: Local
    levels: dict[str, Local]
    rules: dict[str, list[tuple[BotRule, tuple[BotTake, ...]]]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class SumTerm:
    """A part of a labelled sum: `value` if `when` holds."""

    definition: SumPart
    value: n.Expr
    when: n.Expr | None


@dataclass(frozen=True, eq=False)
class Sum:
    """A labelled sum with its parts."""

    definition: SumDef
    terms: tuple[SumTerm, ...]


@dataclass(frozen=True, eq=False)
class Seen:
    """A checked `seen_by`: a word, or a condition about `me` and `viewer`."""

    word: str
    condition: n.Expr | None
    me: Local | None
    viewer: Local | None
    span: Span


@dataclass(eq=False)
class Sight:
    """All secrets of a game.

    `open`: fields that are seen of closed pieces too; `closed`: how these read; `secretive`: kinds with secrets.
    """

    zones: dict[Zone, Seen] = field(default_factory=dict)
    kinds: dict[Kind, Seen] = field(default_factory=dict)
    fields: dict[Field, Seen] = field(default_factory=dict)
    open: dict[Kind, frozenset[str]] = field(default_factory=dict)
    closed: dict[Kind, str] = field(default_factory=dict)
    secretive: set[Kind] = field(default_factory=set)
    opened: tuple[n.Name, ...] = ()  # names of open fields as they are written


@dataclass(frozen=True, eq=False)
class EntitySet:
    """All entities of a kind or sort."""

    kind: Kind
    sort: Sort | None


@dataclass(frozen=True, eq=False)
class EnumValue:
    enum: Enum
    index: int


@dataclass(frozen=True, eq=False)
class OptionRef:
    name: str


@dataclass(frozen=True, eq=False)
class PairMaker:
    """`kind_at(…)`: names a generated pair by its parts."""

    name: str
    kind: Kind
    span: Span | None


@dataclass(frozen=True, eq=False)
class Mover:
    """The player whose turn it is in a phase."""


Symbol = Union[
    Local,
    Callable,
    Entity,
    EntitySet,
    EnumValue,
    Enum,
    Field,
    Zone,
    OptionRef,
    Mover,
    Kind,
    Sort,
    Die,
    Scene,
    Table,
    PairMaker,
]


def declared_at(symbol: Symbol) -> Span | None:
    """Where a symbol was declared."""
    owner = getattr(symbol, "enum", None) or getattr(symbol, "kind", None)
    span = getattr(symbol, "span", None) or getattr(owner, "span", None)
    return span if isinstance(span, Span) else None


SCORING = "the scoring"  # the callable that every `finish` runs, if the game has one; no rule text can write this

Path = tuple[object, ...]
Facts = dict[Path, Ty]


Values = dict[
    tuple[Field, int, int], int
]  # field, owner (0 for globals), index under `per` (0 if there is none) -> value


@dataclass(eq=False)
class SetUp:
    """What a scenario says of the first position: values of fields, and the place of each piece by (kind, index)."""

    values: Values = field(default_factory=dict)
    places: dict[tuple[Kind, int], int] = field(default_factory=dict)
    without: dict[Kind, int] = field(default_factory=dict)  # for each kind the set of those that are not in play


@dataclass(eq=False)
class Checked:
    """A checked game: trees, and what each of their names and expressions means.

    `types`: the type of an expression where it stands; `raw`: the type of what is stored there, if a test before it
    narrowed that; `proved`: that test stands in the same statement, so that the compiled code need not look again.
    `refs`: what a name, a field or a call refers to. `locals`: the variable that a name declares.
    """

    game: GameDef
    world: World
    symbols: dict[str, list[Symbol]] = field(default_factory=dict)
    callables: dict[str, Callable] = field(default_factory=dict)
    types: dict[n.Expr, Ty] = field(default_factory=dict)
    raw: dict[n.Expr, Ty] = field(default_factory=dict)
    proved: set[n.Expr] = field(default_factory=set)
    refs: dict[n.Expr, Symbol | str] = field(default_factory=dict)
    locals: dict[n.Name, Local] = field(default_factory=dict)
    phases: dict[object, n.Body | n.Expr] = field(default_factory=dict)  # Text of a phase, set-up or look -> its tree
    uses_unused: bool = False
    values: Values = field(default_factory=dict)  # first values of fields, where an entry gives one
    set_ups: dict[str, SetUp] = field(default_factory=dict)  # by scenario
    switched: dict[str, tuple[dict[Kind, int], dict[Kind, int]]] = field(default_factory=dict)  # by option: goes, comes
    bends: list[Bend] = field(default_factory=list)  # by rank, then in order of the files
    hooks: dict[tuple[Kind, str], Callable] = field(default_factory=dict)
    sums: dict[str, Sum] = field(default_factory=dict)  # functions that add up labelled parts
    settling: list[Settling] = field(default_factory=list)
    bots: dict[str, BotCheck] = field(default_factory=dict)
    viewer: Local | None = None  # whoever looks, in a display
    around: dict[n.Choose | n.ForChosen, dict[str, Local]] = field(default_factory=dict)  # names in force at a question
    scoring: Callable | None = None  # what runs when the game is over and nobody has won yet
    sight: Sight = field(default_factory=Sight)
    hidden: frozenset[object] = frozenset()  # questions that could tell a secret by what there is to choose from
    dark: frozenset[object] = frozenset()  # questions whose being asked could tell one


@dataclass(frozen=True)
class Rules:
    """The checkers of expressions and bodies, which need each other: `check` ties them together."""

    expr: Checker[[n.Expr, Scope], Ty]
    body: Checker[[n.Body, Scope], bool]


@dataclass(eq=False)
class Scope:
    """Where a statement stands: names in force, facts, and what is allowed there."""

    rules: Rules
    checked: Checked
    bag: Bag
    names: dict[str, Local]
    facts: Facts
    owner: Callable
    loop: bool = False
    mover: bool = False
    everything: bool = False  # a set-up or test: guarded fields may be written
    proved: set[Path] = field(default_factory=set)  # facts tested in the statement that is being checked
    scenes: frozenset[str] = frozenset()  # those that are open here
    passes: bool = False  # inside `alternate`

    def inner(self, *, loop: bool | None = None) -> Scope:
        """A block inside this one: its names end with it."""
        return Scope(
            self.rules,
            self.checked,
            self.bag,
            dict(self.names),
            dict(self.facts),
            self.owner,
            self.loop if loop is None else loop,
            self.mover,
            self.everything,
            set(self.proved),
            self.scenes,
            self.passes,
        )

    def learn(self, facts: Facts) -> None:
        """Takes in what a condition in the same statement has just told: nothing can have changed since."""
        self.facts.update(facts)
        self.proved.update(facts)

    @property
    def world(self) -> World:
        return self.checked.world

    def expr(self, node: n.Expr) -> Ty:
        """Checks an expression here; its type."""
        return self.rules.expr(node, self)

    def body(self, body: n.Body) -> bool:
        """Checks statements here; whether play goes on after the last one."""
        return self.rules.body(body, self)


def path_of(node: n.Expr, checked: Checked) -> Path | None:
    """The key under which facts about an expression are kept: a variable, or fields behind one."""
    if isinstance(node, n.NameRef):
        ref = checked.refs.get(node)
        return (ref,) if isinstance(ref, Local | Entity | Field) else None
    if isinstance(node, n.Field):
        ref = checked.refs.get(node)
        if isinstance(ref, Entity) or (isinstance(ref, Field) and ref.scene is not None):
            return (ref,)
        inner = path_of(node.target, checked)
        return (*inner, node.name.text) if inner else None
    return None


def forget(facts: Facts, written: set[str]) -> None:
    """Drops what is known about stored fields that have just been written, or may have been."""
    moved = "at" in written
    for path in list(facts):
        fields = [p for p in path if isinstance(p, str)] + [p.name for p in path if isinstance(p, Field)]
        if any(f in written for f in fields) or (moved and len(path) > 1 and not _plain(path)):
            del facts[path]


def _plain(path: Path) -> bool:
    """Whether no part of a path depends on where pieces are."""
    return all(not isinstance(p, str) or p not in ("at", "on") for p in path[1:])


def forget_fields(facts: Facts) -> None:
    """Drops all that is known about stored fields, as after a pause."""
    for path in list(facts):
        if len(path) > 1 or isinstance(path[0], Field):
            del facts[path]
