"""What holds in every position of every game, whatever its rules do: for rule tests and for play at random.

A region is first compared as a whole with what it should be; only where it is wrong it is looked at piece by piece.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from interpreter.core.cells import get_set
from interpreter.core.compiled import Compiled
from interpreter.core.layout import Region
from interpreter.lang.types import SetT, universe
from interpreter.lang.world import Field, Kind, Zone
from interpreter.runtime import texts

Cells = list[int] | memoryview


def broken(compiled: Compiled, block: memoryview) -> Iterator[str]:
    """Each thing that is wrong in a position, in words; nothing if all is well."""
    return Watch(compiled).broken(block)


class Watch:
    """Looks at position after position of one game. What was sound in one is looked at again in the next only if a cell
    has changed that was compared to know it.
    """

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self._before = b""
        limited = [zone for zone in compiled.world.zones.values() if zone.limit is not None]
        looked_at = [region for region in compiled.layout.regions if region.what in _LOOKS]
        parts: list[Region | Zone] = [*looked_at, *limited]
        self._parts = [(part, [_bytes(region) for region in _compared(compiled, part)]) for part in parts]

    def broken(self, block: memoryview) -> Iterator[str]:
        """Each thing that is wrong in a position, in words; nothing if all is well."""
        now, before, cells = block.tobytes(), self._before, block.tolist()
        sound = True
        for part, compared in self._parts:
            if before and all(now[each] == before[each] for each in compared):
                continue
            for problem in _wrong_in(self._compiled, cells, part):
                sound = False
                yield problem
        self._before = now if sound else b""


def _bytes(region: Region) -> slice:
    return slice(4 * region.base, 4 * (region.base + region.count * region.width))


def _compared(compiled: Compiled, part: Region | Zone) -> list[Region]:
    """The regions that are compared with one another to know whether a part of the position is sound."""
    layout = compiled.layout
    if isinstance(part, Zone):
        return [layout.at[part.of]] if part.of in layout.at else []
    match part.what:
        case "there" if part.kind is not None:
            return [part, layout.at[part.kind]]
        case "holds" if part.holds is not None:
            return [part, layout.at[part.holds.piece]]
        case "occupied" if part.holds is not None:
            return [part, layout.holds[part.holds]]
        case "inverse" if part.inverse is not None:
            return [part, layout.fields[part.inverse.field]]
        case "field" if part.field is not None and part.field.ceiling in layout.fields:
            return [part, layout.fields[part.field.ceiling]]
        case "top" if part.kind is not None and part.zone is not None:
            return [part, layout.bottom[part.zone], layout.below[part.kind], layout.at[part.kind]]
    return [part]


def _wrong_in(compiled: Compiled, cells: Cells, part: Region | Zone) -> Iterator[str]:
    if isinstance(part, Zone):
        return _limit(compiled, cells, part)
    return _LOOKS[part.what](compiled, cells, part)


def _field(compiled: Compiled, cells: Cells, region: Region) -> Iterator[str]:
    f = region.field
    assert f is not None
    values = cells[region.base : region.base + region.count * region.width]
    members = universe(f.type.of) if isinstance(f.type, SetT) else 0
    yield from _above(compiled, cells, region)
    if members == 32 * region.width or (
        not members and f.low <= min(values, default=f.low) and max(values, default=f.high) <= f.high
    ):
        return
    for i in range(region.count):
        owner = "" if f.owner is None else f"{f.owner.entities[i // f.cells_each].id}."
        base = region.base + i * region.width
        if members:
            if get_set(cells, base, region.width) >> members:
                yield f"`{owner}{f.name}` holds a member that does not exist"
        elif not f.low <= cells[base] <= f.high:
            yield f"`{owner}{f.name}` is {cells[base]}, which does not lie between {f.low} and {f.high}"


def _above(compiled: Compiled, cells: Cells, region: Region) -> Iterator[str]:
    """Values that are more than what their ceiling holds."""
    f = region.field
    if f is None or f.ceiling is None:
        return
    most = ceilings(compiled, cells, f.ceiling)
    for i in range(region.count):
        if cells[region.base + i] > most[i // f.cells_each]:
            owner = "" if f.owner is None else f"{f.owner.entities[i // f.cells_each].id}."
            above = f"which is more than its `{f.ceiling.name}`, {most[i // f.cells_each]}"
            yield f"`{owner}{f.name}` is {cells[region.base + i]}, {above}"


def ceilings(compiled: Compiled, cells: Cells, f: Field) -> Sequence[int]:
    """The values of a field that is the greatest value of another, by owner."""
    region = compiled.layout.fields.get(f)
    return compiled.constants[f] if region is None else cells[region.base : region.base + region.count]


def _places(compiled: Compiled, cells: Cells, region: Region) -> Iterator[str]:
    kind = region.kind
    assert kind is not None
    allowed = {compiled.world.unused}
    places: list[Kind | Zone] = [*kind.place_kinds, *kind.place_zones]
    for place in places:
        allowed.update(range(place.place_base, place.place_base + place.size))
    for piece, at in enumerate(cells[region.base : region.base + region.count]):
        if at not in allowed:
            where = texts.place_id(at, compiled.world)
            yield f"`{kind.entities[piece].id}` is at `{where}`, where no {kind.name} can be"


def _there(compiled: Compiled, cells: Cells, region: Region) -> Iterator[str]:
    assert region.kind is not None
    for place in _wrong(cells, region, _standing(compiled, cells, region.kind)):
        name = texts.place_id(place, compiled.world)
        yield f"the set of each {region.kind.name} at `{name}` is wrong"


def _standing(compiled: Compiled, cells: Cells, kind: Kind) -> dict[int, list[int]]:
    """The pieces of a kind by the places where they are."""
    at = compiled.layout.at[kind]
    found: dict[int, list[int]] = {}
    for piece, place in enumerate(cells[at.base : at.base + at.count]):
        found.setdefault(place, []).append(piece)
    return found


def _wrong(cells: Cells, region: Region, members: dict[int, list[int]]) -> Iterable[int]:
    """The rows of a region of sets that are not the sets of these members."""
    width = region.width
    wanted = [0] * (region.count * width)
    for row, found in members.items():
        for member in found if 0 <= row < region.count else ():
            wanted[row * width + (member >> 5)] |= 1 << (member & 31)
    have = [cell & 0xFFFFFFFF for cell in cells[region.base : region.base + len(wanted)]]
    if have == wanted:
        return ()
    rows = range(region.count)
    return [row for row in rows if have[row * width : (row + 1) * width] != wanted[row * width : (row + 1) * width]]


def _inverse(compiled: Compiled, cells: Cells, region: Region) -> Iterator[str]:
    held = region.holds
    assert held is not None
    there: dict[int, list[int]] = {}
    for place, pieces in _standing(compiled, cells, held.piece).items():
        counted = [p for p in pieces if held.sort is None or held.sort.low <= p < held.sort.high]
        if counted:
            there[place - held.place.place_base] = counted
    if region.width > 1:
        wrong = set(_wrong(cells, region, there))
    else:
        wrong = {i for i in range(region.count) if cells[region.base + i] != there.get(i, [-1])[0]}
    for i, entity in enumerate(held.place.entities):
        pieces = there.get(i, [])
        ids = ", ".join(f"`{held.piece.entities[p].id}`" for p in pieces) if pieces else ""
        if held.limit is not None and len(pieces) > held.limit:
            both = "both" if len(pieces) == 2 else "all"
            most = "one" if held.limit == 1 else f"at most {held.limit}"
            yield f"{ids} are {both} at `{entity.id}`, which holds {most} {held.piece.name}"
        elif i in wrong:
            yield f"`{entity.id}.{held.inverse}` does not name the {held.piece.name} there ({ids or 'none'})"


def _references(compiled: Compiled, cells: Cells, region: Region) -> Iterator[str]:
    inverse = region.inverse
    assert inverse is not None and inverse.field.owner is not None
    values = compiled.layout.fields[inverse.field]
    named: dict[int, list[int]] = {}
    for owner, value in enumerate(cells[values.base : values.base + values.count]):
        named.setdefault(value, []).append(owner)
    for i in _wrong(cells, region, named):
        entity = inverse.kind.entities[i]
        yield f"`{entity.id}.{inverse.name}` does not name those whose `{inverse.field.name}` it is"


def _occupied(compiled: Compiled, cells: Cells, region: Region) -> Iterator[str]:
    assert region.holds is not None
    inverse = compiled.layout.holds[region.holds]
    width, empty = inverse.width, 0 if inverse.width > 1 else -1
    values = cells[inverse.base : inverse.base + inverse.count * width]
    expected = 0
    for i, value in enumerate(values):
        if value != empty:
            expected |= 1 << i // width
    if get_set(cells, region.base, region.width) != expected:
        yield f"the set of places with a {region.holds.piece.name} is wrong"


def _piles(compiled: Compiled, cells: Cells, region: Region) -> Iterator[str]:
    zone, kind = region.zone, region.kind
    assert zone is not None and kind is not None
    bottom = compiled.layout.bottom[zone]
    standing = _standing(compiled, cells, kind)
    for i in range(region.count):
        lying = list(pile(compiled, cells, zone, i))
        if sorted(lying) != standing.get(zone.place_base + i, []):
            wrong = "the order of `{0}` is not that of the pieces in it"
        elif cells[bottom.base + i] != (lying[-1] if lying else -1):
            wrong = "the bottom of `{0}` is wrong"
        else:
            continue
        yield wrong.format(texts.place_id(zone.place_base + i, compiled.world))


def pile(compiled: Compiled, cells: Cells, zone: Zone, index: int) -> Iterator[int]:
    """The pieces of a pile from the top down; no more than there are, should they lie in a circle."""
    assert zone.of is not None
    below = compiled.layout.below[zone.of]
    piece = cells[compiled.layout.top[zone].base + index]
    for _ in range(below.count + 1):
        if not 0 <= piece < below.count:
            return
        yield piece
        piece = cells[below.base + piece]


def _limit(compiled: Compiled, cells: Cells, zone: Zone) -> Iterator[str]:
    if zone.limit is None or zone.of is None or zone.of not in compiled.layout.at:
        return
    standing = _standing(compiled, cells, zone.of)
    for place in range(zone.place_base, zone.place_base + zone.size):
        count = len(standing.get(place, ()))
        if count > zone.limit:
            yield f"`{texts.place_id(place, compiled.world)}` holds {count} pieces, more than {zone.limit}"


_LOOKS: dict[str, Callable[[Compiled, Cells, Region], Iterator[str]]] = {
    "field": _field,
    "at": _places,
    "there": _there,
    "holds": _inverse,
    "occupied": _occupied,
    "inverse": _references,
    "top": _piles,
}
