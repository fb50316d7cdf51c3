"""Everything that a game declares, numbered and typed: the closed world in which its rules are checked.

All of it is known when the game is loaded. `declare` builds it from the files; `check`, `core.layout` and the lowering
read it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter.graph import Graph
from interpreter.lang.types import Ty
from interpreter.reading.model import EntityDef, OptionDef
from interpreter.reading.yamltree import Node
from interpreter.source import Span

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

    `low`, `high`: what may be stored. `default`: value where nothing else is said. `written`: some rule text changes
    it.
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

    @property
    def cells_each(self) -> int:
        """How many values one owner has."""
        count = 1
        for _, size in self.per:
            count *= size
        return count


@dataclass(eq=False)
class Holds:
    """`inverse` on a place of `place` names the piece of kind `piece` there; at most one."""

    place: Kind
    piece: Kind
    inverse: str
    span: Span


@dataclass(eq=False)
class Kind:
    """A kind of entity. `place_kinds`, `place_zones`: where its members can be, if they are pieces."""

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
    place_base: int = -1  # number of the first of these as a place

    @property
    def size(self) -> int:
        """How many entities there are."""
        return len(self.entities)

    def __repr__(self) -> str:
        return f"<kind {self.name}>"


@dataclass(eq=False)
class Zone:
    """A place off the map, one for each combination of `per`; `unused` is the built-in one for pieces not in play."""

    name: str
    of: Kind | None
    per: tuple[Kind, ...]
    span: Span | None
    title: str = ""
    unused: bool = False
    place_base: int = -1

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
    zones: dict[str, Zone] = field(default_factory=dict)
    globals: dict[str, Field] = field(default_factory=dict)
    options: dict[str, OptionDef] = field(default_factory=dict)
    board: Board | None = None
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


def plural(name: str) -> str:
    """The name of the set of all of a kind: stone - stones, body - bodies, day - days, boss - bosses."""
    if name.endswith("y") and len(name) > 1 and name[-2] not in "aeiou":
        return name[:-1] + "ies"
    if name.endswith(("s", "x", "ch", "sh", "z")):
        return name + "es"
    return name + "s"
