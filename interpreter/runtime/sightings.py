"""What a player may see: which pieces and fields are closed to him, and what can be told of those all the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from interpreter.core.cells import get_set
from interpreter.core.compiled import Compiled
from interpreter.lang.types import KindT, ListT, SetT, Ty, strip
from interpreter.lang.world import Field, Kind
from interpreter.runtime.invariants import pile

Evaluate = Callable[[int, tuple[int, ...]], int | tuple[int, ...]]
Closed = Mapping[Kind, frozenset[int]]


@dataclass(frozen=True)
class Group:
    """Closed pieces of a kind that look alike.

    `pieces`: in data order; `order`: the same ones by where they are, then by how deep in a pile, by their open fields
    and by what names them. Those that agree in all this can't be told apart by anything that the player sees.
    """

    kind: Kind
    pieces: tuple[int, ...]
    order: tuple[int, ...]


@dataclass(frozen=True)
class Sightings:
    """All that is closed to a player: pieces by kind, their groups, and fields of the game and of players by owner.

    `open`: fields that are seen of closed pieces too.
    """

    closed: Closed
    groups: tuple[Group, ...]
    fields: frozenset[tuple[Field, int]]
    open: frozenset[Field]

    def may_hide(self, f: Field) -> bool:
        """Whether any value of a field may be hidden."""
        owned = f.owner is not None and f not in self.open and bool(self.closed.get(f.owner))
        keyed = any(isinstance(ty, KindT) and self.closed.get(ty.kind) for ty, _ in f.per)
        return owned or keyed or any(hidden is f for hidden, _ in self.fields)

    def hides(self, f: Field, number: int) -> bool:
        """Whether value `number` of a field (owners and keys counted together) is hidden."""
        owner, key = divmod(number, f.cells_each)
        if (f, owner) in self.fields or any(k in self.closed.get(kind, ()) for kind, k in keys(f, key)):
            return True
        return f.owner is not None and owner in self.closed.get(f.owner, ()) and f not in self.open


def sightings(compiled: Compiled, cells: memoryview, seat: int, evaluate: Evaluate) -> Sightings:
    """What is closed to the player in a seat."""
    closed: dict[Kind, frozenset[int]] = {}
    for kind, function in compiled.secrecy.seen.items():
        if kind in compiled.layout.at:
            shown = evaluate(function, (seat,))
            assert isinstance(shown, tuple)
            base, known = compiled.layout.at[kind].base, compiled.world.unused if compiled.secrecy.unused_known else -1
            hidden = set(range(kind.size)).difference(shown)
            closed[kind] = frozenset(i for i in hidden if cells[base + i] != known)
    fields: set[tuple[Field, int]] = set()
    for f, function in compiled.secrecy.fields.items():
        owners = f.owner.size if f.owner else 1
        fields |= {(f, owner) for owner in range(owners) if not evaluate(function, (owner, seat))}
    opened = frozenset(kind.fields[name] for kind, names in compiled.secrecy.open.items() for name in names)
    found = Sightings(closed, (), frozenset(fields), opened)
    mentions = _mentions(compiled, cells, found)
    groups = [g for kind in closed for g in _groups(compiled, cells, kind, found, mentions.get(kind, {}))]
    return Sightings(closed, tuple(groups), found.fields, opened)


def _groups(
    compiled: Compiled, cells: memoryview, kind: Kind, seen: Sightings, mentions: Mapping[int, list[tuple[int, int]]]
) -> Iterator[Group]:
    depth = _depths(compiled, cells, kind)
    groups: dict[tuple[int, ...], list[int]] = {}
    looks = _looks(compiled, kind)
    for i in sorted(seen.closed[kind]):
        groups.setdefault(looks[i], []).append(i)
    at = compiled.layout.at[kind].base
    regions = _open_regions(compiled, kind)

    def by_sight(piece: int) -> object:
        place = outside(compiled, cells, cells[at + piece], seen.closed)
        return place, depth.get(piece, 0), _open_part(cells, regions, piece), mentions.get(piece, [])

    for pieces in groups.values():
        yield Group(kind, tuple(pieces), tuple(sorted(pieces, key=by_sight)))  # type: ignore[arg-type]


def outside(compiled: Compiled, cells: memoryview, place: int, closed: Closed) -> int:
    """Where something is for those who do not see into closed containers: in these it is where they are."""
    if not any(kind.place_base >= 0 for kind in closed):
        return place  # no container is closed
    for _ in range(compiled.world.places):  # no container holds itself
        holder = holder_of(place, closed)
        if holder is None or place - holder.place_base not in closed[holder]:
            return place
        place = cells[compiled.layout.at[holder].base + place - holder.place_base]
    return place


def holder_of(place: int, kinds: Mapping[Kind, object]) -> Kind | None:
    """The kind among `kinds` of which a place is a member, if it is a container."""
    return next((k for k in kinds if k.place_base >= 0 and k.place_base <= place < k.place_base + k.size), None)


def _depths(compiled: Compiled, cells: memoryview, kind: Kind) -> dict[int, int]:
    """How deep each piece lies in its pile."""
    found: dict[int, int] = {}
    for zone in kind.place_zones:
        if zone.is_pile:
            for index in range(zone.size):
                found.update({piece: depth for depth, piece in enumerate(pile(compiled, cells, zone, index))})
    return found


@lru_cache
def _looks(compiled: Compiled, kind: Kind) -> tuple[tuple[int, ...], ...]:
    """What is open of each piece for ever, see `_look`."""
    return tuple(_look(compiled, kind, piece) for piece in range(kind.size))


def _look(compiled: Compiled, kind: Kind, piece: int) -> tuple[int, ...]:
    """What is open of a closed piece for ever: its sort, and those open fields that never change."""
    values = [next((n for n, s in enumerate(kind.sorts.values()) if s.low <= piece < s.high), -1)]
    for name in sorted(compiled.secrecy.open[kind]):
        f = kind.fields[name]
        if f in compiled.constants:
            values += compiled.constants[f][piece * f.cells_each : (piece + 1) * f.cells_each]
    return tuple(values)


def _open_regions(compiled: Compiled, kind: Kind) -> list[tuple[int, int]]:
    """Where the fields of a kind that everybody sees and that can change are kept: first cell, and cells a piece."""
    found: list[tuple[int, int]] = []
    for name in sorted(compiled.secrecy.open[kind]):
        region = compiled.layout.fields.get(kind.fields[name])
        if region is not None:
            found.append((region.base, kind.fields[name].cells_each * region.width))
    return found


def _open_part(cells: memoryview, regions: list[tuple[int, int]], piece: int) -> list[int]:
    """The present values of those fields of a closed piece that everybody sees."""
    found: list[int] = []
    for base, size in regions:
        if size == 1:
            found.append(cells[base + piece])
        else:
            found += cells[base + piece * size : base + (piece + 1) * size].tolist()
    return found


def closed_to(compiled: Compiled, evaluate: Evaluate, seat: int, value: int | tuple[int, ...], ty: Ty) -> bool:
    """Whether a value that is shown names a piece that is closed to the player in a seat."""
    inner = strip(ty.of) if isinstance(ty, SetT | ListT) else strip(ty)
    function = compiled.secrecy.sees.get(inner.kind) if isinstance(inner, KindT) else None
    if function is None or not isinstance(inner, KindT):
        return False
    low = low_of_set(inner) if isinstance(ty, SetT) else 0
    named = [v + low for v in value] if isinstance(value, tuple) else [value] if value >= 0 else []
    return any(not evaluate(function, (piece, seat)) for piece in named)


# ---- references -----------------------------------------------------------------------------------------------------


def named_kind(ty: Ty | None, kinds: Mapping[Kind, object]) -> KindT | None:
    """The type of the things that a value names, if they are of one of the kinds."""
    if ty is None:
        return None
    inner = strip(ty.of) if isinstance(ty, SetT) else strip(ty)
    return inner if isinstance(inner, KindT) and inner.kind in kinds else None


def low_of_set(inner: KindT) -> int:
    """The number of the thing that bit 0 of a set stands for."""
    return inner.sort.low if inner.sort is not None else 0


def members(cells: memoryview, base: int, width: int) -> list[int]:
    """The members of a set."""
    bits = get_set(cells, base, width)
    return [i for i in range(32 * width) if bits >> i & 1]


def keys(f: Field, key: int) -> list[tuple[Kind, int]]:
    """The entities under which a value of an indexed field is kept."""
    found: list[tuple[Kind, int]] = []
    for ty, size in reversed(f.per):
        key, k = divmod(key, size)
        if isinstance(ty, KindT):
            found.append((ty.kind, k + low_of_set(ty)))
    return found


def _mentions(compiled: Compiled, cells: memoryview, seen: Sightings) -> dict[Kind, dict[int, list[tuple[int, int]]]]:
    """For each closed piece what names it and is seen: values, by first cell of the field and number."""
    found: dict[Kind, dict[int, list[tuple[int, int]]]] = {}
    for f, region in compiled.layout.fields.items():
        inner = named_kind(f.type, seen.closed)
        if inner is None:
            continue
        closed = seen.closed[inner.kind]
        for number in range(region.count):
            base = region.base + number * region.width
            named = [cells[base]]
            if isinstance(f.type, SetT):
                named = [m + low_of_set(inner) for m in members(cells, base, region.width)]
            here = [piece for piece in named if piece in closed]
            for piece in here if here and not seen.hides(f, number) else ():
                found.setdefault(inner.kind, {}).setdefault(piece, []).append((region.base, number))
    return found
