"""Everything that a game declares, numbered and typed: the closed world in which its rules are checked.

All of it is known when the game is loaded. `declare` builds it from the files; `check`, `core.layout` and the lowering
read it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from interpreter.graph import Graph
from interpreter.lang.types import Ty
from interpreter.reading.model import EntityDef, HookDef, KindDef, OptionDef, TableDef
from interpreter.reading.parts import plural as plural
from interpreter.reading.yamltree import Node
from interpreter.source import Name, Span

Value = int  # a stored value: an int, 0 or 1, an index, -1 for none; a set's bits


@dataclass(eq=False)
class Enum:
    """`values[i]` is the name of value i; `titles[i]` how people read it."""

    name: str
    values: tuple[str, ...]
    titles: tuple[str, ...]
    ordered: bool
    span: Span | None

    def __repr__(self) -> str:
        return f"<enum {self.name}>"


@dataclass(eq=False)
class Die:
    """A die: `faces[i]` comes up `weights[i]` times as often as a face of weight 1.

    Faces with names are the values of `enum`; the others are the numbers of `values`, in rising order.
    """

    name: str
    faces: tuple[str, ...]
    weights: tuple[int, ...]
    enum: Enum | None
    values: tuple[int, ...]
    number: int
    span: Span

    @property
    def total(self) -> int:
        """What the weights sum up to."""
        return sum(self.weights)

    def __repr__(self) -> str:
        return f"<die {self.name}>"


@dataclass(eq=False)
class Sort:
    """A sort of a kind: its entities are numbers low … high-1 of the kind."""

    name: str
    kind: Kind
    span: Span
    low: int = 0
    high: int = 0


@dataclass(eq=False)
class Entity:
    """One thing of the game; `index` counts within its kind."""

    id: str
    title: str
    kind: Kind
    index: int
    span: Span
    definition: EntityDef | None
    fields: dict[str, tuple[Span, Node]] = field(default_factory=dict)


@dataclass(eq=False)
class Field:
    """A stored field of a kind (`owner`), or of the game (`owner` None).

    `per`: sizes by which it is indexed, with their types.

    `low`, `high`: what may be stored; never more than `ceiling`, a field of the same thing, holds. `default`: value
    where nothing else is said. `written`: some rule text changes it.
    """

    name: str
    owner: Kind | None
    sort: Sort | None
    type: Ty
    span: Span
    low: int
    high: int
    track: bool = False
    per: tuple[tuple[Ty, int], ...] = ()
    set_by: tuple[str, ...] = ()
    default: Value = 0
    written: bool = False
    scene: Scene | None = None  # the scene in which alone it exists
    until: Name | None = None  # at the end of this scene or phase it goes back to its default
    inverse: Inverse | None = None  # kept on the entities that it names
    constant: bool = False  # part of what an entity is: never written
    ceiling: Field | None = None

    @property
    def cells_each(self) -> int:
        """How many values one owner has."""
        count = 1
        for _, size in self.per:
            count *= size
        return count


@dataclass(eq=False)
class Inverse:
    """`name` on an entity of `kind` is the set of those whose `field` names it."""

    name: str
    kind: Kind
    field: Field
    span: Span


@dataclass(eq=False)
class Holds:
    """`inverse` on a place of `place` names the piece of kind `piece` (of `sort` alone, if there is one) there.

    With a `limit` of 1 it is a single piece or none, with others (None: any number) a set of pieces.
    """

    place: Kind
    piece: Kind
    inverse: str
    span: Span
    limit: int | None = 1
    sort: Sort | None = None

    @property
    def single(self) -> bool:
        """Whether the inverse is one piece, not a set."""
        return self.limit == 1


@dataclass(eq=False)
class Kind:
    """A kind of entity. `place_kinds`, `place_zones`: where its members can be, if they are pieces. `sought`: rules ask
    which of them are on some place.
    """

    name: str
    plural: str
    span: Span | None
    title: str = ""
    sorts: dict[str, Sort] = field(default_factory=dict)
    entities: list[Entity] = field(default_factory=list)
    fields: dict[str, Field] = field(default_factory=dict)
    is_piece: bool = False
    is_space: bool = False
    is_edge: bool = False
    alike: bool = False
    place_kinds: list[Kind] = field(default_factory=list)
    place_zones: list[Zone] = field(default_factory=list)
    holds: dict[str, Holds] = field(default_factory=dict)  # by name of the inverse, on places
    inverses: dict[str, Inverse] = field(default_factory=dict)  # sets of those whose fields name a member
    parts: tuple[tuple[str, Ty, int], ...] = ()  # of generated pairs: names, types and sizes of what they are made of
    place_base: int = -1  # number of the first of these as a place
    sought: bool = False
    definition: KindDef | None = None
    faces: dict[str, tuple[Field, int]] = field(default_factory=dict)  # key of an entry -> field and value that show it

    @property
    def hooks(self) -> tuple[HookDef, ...]:
        """What single entities fill in."""
        return self.definition.hooks if self.definition else ()

    def own_key(self, name: str) -> bool:
        """Whether a key of an entry is a hook or a face, not a field."""
        return name in self.faces or any(h.name.text == name for h in self.hooks)

    def misread(self, name: str) -> bool:
        """Whether a field of that name is declared, but so that nothing could be made of it."""
        declared = self.definition.fields if self.definition else ()
        return name not in self.fields and any(f.name.text == name for f in declared)

    @property
    def misplaced(self) -> bool:
        """Whether some of the places where its members could be are none."""
        declared = (self.definition.piece or ()) if self.definition else ()
        return len(declared) > len(self.place_kinds) + len(self.place_zones)

    @property
    def size(self) -> int:
        """How many entities there are."""
        return len(self.entities)

    def __repr__(self) -> str:
        return f"<kind {self.name}>"


@dataclass(eq=False)
class Zone:
    """A place off the map, one for each combination of `per`; `unused` is the built-in one for pieces not in play.

    `order`: a pile has a top and a bottom, a bag is drawn from at random. `limit`: the greatest number of pieces, if
    there is one. `when_empty`: the zone whose pieces are shuffled in when the last one is drawn.
    """

    name: str
    of: Kind | None
    per: tuple[Kind, ...]
    span: Span | None
    title: str = ""
    unused: bool = False
    place_base: int = -1
    order: Literal["set", "pile", "bag"] = "set"
    limit: int | None = None
    when_empty: Zone | None = None

    @property
    def is_pile(self) -> bool:
        """Whether its pieces lie in an order."""
        return self.order == "pile"

    @property
    def size(self) -> int:
        """How many zones this declares."""
        count = 1
        for kind in self.per:
            count *= kind.size
        return count

    def __repr__(self) -> str:
        return f"<zone {self.name}>"


@dataclass(eq=False)
class Scene:
    """A stretch of play with fields of its own, opened by a statement.

    It never opens inside itself, so each field has one cell.

    `given`: names of the fields that get their values when it opens. `inside`: the scene in which alone it opens.
    `is_open`: the cell that says how many of it are open.
    """

    name: str
    span: Span
    is_open: Field
    given: tuple[str, ...] = ()
    fields: dict[str, Field] = field(default_factory=dict)
    inside: Scene | None = None

    def __repr__(self) -> str:
        return f"<scene {self.name}>"


@dataclass(frozen=True, eq=False)
class Key:
    """What a table is looked up by: numbers (`spans`: what each entry covers, None without end), or values of an enum
    or kind (`values`).
    """

    name: str
    type: Ty
    spans: tuple[tuple[int | None, int | None], ...]
    values: tuple[int, ...]
    titles: tuple[str, ...]  # the entries as they are written

    @property
    def size(self) -> int:
        """How many entries it has."""
        return len(self.titles)


@dataclass(eq=False)
class Table:
    """A lookup table: `cells[i]` (or `cells[i * columns + j]`) is the value for entry i (and j) of its keys."""

    name: str
    span: Span
    keys: tuple[Key, ...]
    gives: Ty
    cells: tuple[Value, ...]
    definition: TableDef

    def __repr__(self) -> str:
        return f"<table {self.name}>"


@dataclass(eq=False)
class Board:
    """The map: `space` is the kind of its spaces, `edge` that of its edges if they are entities.

    `rays[s * directions + d]`: spaces from s in direction d. `opposite[d]`. `columns`, `rows`: shape of a grid, else 0.
    `coordinates[s]`: where pictures draw it, None if the author did not say.
    """

    space: Kind
    edge: Kind | None
    graph: Graph
    direction: Enum | None = None
    rays: tuple[tuple[int, ...], ...] = ()
    opposite: tuple[int, ...] = ()
    columns: int = 0
    rows: int = 0
    coordinates: tuple[tuple[int, int] | None, ...] = ()


@dataclass(eq=False)
class World:
    """All declarations of a game by name."""

    kinds: dict[str, Kind] = field(default_factory=dict)
    enums: dict[str, Enum] = field(default_factory=dict)
    dice: dict[str, Die] = field(default_factory=dict)
    zones: dict[str, Zone] = field(default_factory=dict)
    globals: dict[str, Field] = field(default_factory=dict)
    options: dict[str, OptionDef] = field(default_factory=dict)
    scenes: dict[str, Scene] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    row_sets: dict[str, Kind] = field(default_factory=dict)  # tables with columns, whose rows are entities
    made: dict[tuple[Field, int, int], Value] = field(default_factory=dict)  # fields of generated entities
    board: Board | None = None
    stage: Field | None = None  # which scenario of a campaign is on, if the game has campaigns
    places: int = 0  # number of places of all sorts
    unused: int = 0  # number of the place `unused`

    @property
    def players(self) -> Kind:
        """The kind of the players."""
        return self.kinds["player"]

    def sort(self, name: str) -> Sort | None:
        """The sort of that name."""
        for kind in self.kinds.values():
            if name in kind.sorts:
                return kind.sorts[name]
        return None
