"""What holds in every position of every game, whatever its rules do: for rule tests and for play at random."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.core.cells import get_set
from interpreter.core.compiled import Compiled
from interpreter.core.layout import Region, universe
from interpreter.lang.types import SetT
from interpreter.lang.world import Kind, Zone
from interpreter.runtime import texts


def broken(compiled: Compiled, cells: memoryview) -> Iterator[str]:
    """Each thing that is wrong in a position, in words; nothing if all is well."""
    for region in compiled.layout.regions:
        match region.what:
            case "field":
                yield from _field(compiled, cells, region)
            case "at":
                yield from _places(compiled, cells, region)
            case "there":
                yield from _there(compiled, cells, region)
            case "holds":
                yield from _inverse(compiled, cells, region)
            case "occupied":
                yield from _occupied(compiled, cells, region)
            case "inverse":
                yield from _references(compiled, cells, region)
            case "top":
                yield from _piles(compiled, cells, region)
    yield from _limits(compiled, cells)


def _field(compiled: Compiled, cells: memoryview, region: Region) -> Iterator[str]:
    f = region.field
    assert f is not None
    for i in range(region.count):
        owner = "" if f.owner is None else f"{f.owner.entities[i // f.cells_each].id}."
        base = region.base + i * region.width
        if isinstance(f.type, SetT):
            if get_set(cells, base, region.width) >> universe(f.type.of):
                yield f"`{owner}{f.name}` holds a member that does not exist"
        elif not f.low <= cells[base] <= f.high:
            yield f"`{owner}{f.name}` is {cells[base]}, which does not lie between {f.low} and {f.high}"


def _places(compiled: Compiled, cells: memoryview, region: Region) -> Iterator[str]:
    kind = region.kind
    assert kind is not None
    allowed = {compiled.world.unused}
    places: list[Kind | Zone] = [*kind.place_kinds, *kind.place_zones]
    for place in places:
        allowed |= set(range(place.place_base, place.place_base + place.size))
    for i, entity in enumerate(kind.entities):
        if cells[region.base + i] not in allowed:
            at = texts.place_id(cells[region.base + i], compiled.world)
            yield f"`{entity.id}` is at `{at}`, where no {kind.name} can be"


def _there(compiled: Compiled, cells: memoryview, region: Region) -> Iterator[str]:
    assert region.kind is not None
    at = compiled.layout.at[region.kind]
    for place in range(region.count):
        expected = sum(1 << piece for piece in range(at.count) if cells[at.base + piece] == place)
        if get_set(cells, region.base + place * region.width, region.width) != expected:
            name = texts.place_id(place, compiled.world)
            yield f"the set of each {region.kind.name} at `{name}` is wrong"


def _inverse(compiled: Compiled, cells: memoryview, region: Region) -> Iterator[str]:
    held = region.holds
    assert held is not None
    at = compiled.layout.at[held.piece]
    there: dict[int, list[int]] = {}
    for piece in range(at.count):
        if held.sort is None or held.sort.low <= piece < held.sort.high:
            there.setdefault(cells[at.base + piece] - held.place.place_base, []).append(piece)
    for i, entity in enumerate(held.place.entities):
        pieces = there.get(i, [])
        ids = ", ".join(f"`{held.piece.entities[p].id}`" for p in pieces)
        if held.limit is not None and len(pieces) > held.limit:
            both = "both" if len(pieces) == 2 else "all"
            most = "one" if held.limit == 1 else f"at most {held.limit}"
            yield f"{ids} are {both} at `{entity.id}`, which holds {most} {held.piece.name}"
        elif pieces != list(_named(cells, region, i)):
            yield f"`{entity.id}.{held.inverse}` does not name the {held.piece.name} there ({ids or 'none'})"


def _named(cells: memoryview, region: Region, i: int) -> Iterator[int]:
    """The pieces that a place names."""
    base = region.base + i * region.width
    if region.width > 1:
        bits = get_set(cells, base, region.width)
        yield from (piece for piece in range(bits.bit_length()) if bits >> piece & 1)
    elif cells[base] >= 0:
        yield cells[base]


def _references(compiled: Compiled, cells: memoryview, region: Region) -> Iterator[str]:
    inverse = region.inverse
    assert inverse is not None and inverse.field.owner is not None
    values = compiled.layout.fields[inverse.field]
    for i, entity in enumerate(inverse.kind.entities):
        expected = sum(1 << owner for owner in range(values.count) if cells[values.base + owner] == i)
        if get_set(cells, region.base + i * region.width, region.width) != expected:
            yield f"`{entity.id}.{inverse.name}` does not name those whose `{inverse.field.name}` it is"


def _occupied(compiled: Compiled, cells: memoryview, region: Region) -> Iterator[str]:
    assert region.holds is not None
    inverse = compiled.layout.holds[region.holds]
    expected = sum(1 << i for i in range(inverse.count) if any(True for _ in _named(cells, inverse, i)))
    if get_set(cells, region.base, region.width) != expected:
        yield f"the set of places with a {region.holds.piece.name} is wrong"


def _piles(compiled: Compiled, cells: memoryview, region: Region) -> Iterator[str]:
    zone, kind = region.zone, region.kind
    assert zone is not None and kind is not None
    at, bottom = compiled.layout.at[kind], compiled.layout.bottom[zone]
    for i in range(region.count):
        place = zone.place_base + i
        lying = list(pile(compiled, cells, zone, i))
        there = {piece for piece in range(at.count) if cells[at.base + piece] == place}
        name = texts.place_id(place, compiled.world)
        if len(lying) != len(set(lying)) or set(lying) != there:
            yield f"the order of `{name}` is not that of the pieces in it"
        elif cells[bottom.base + i] != (lying[-1] if lying else -1):
            yield f"the bottom of `{name}` is wrong"


def pile(compiled: Compiled, cells: memoryview, zone: Zone, index: int) -> Iterator[int]:
    """The pieces of a pile from the top down; no more than there are, should they lie in a circle."""
    assert zone.of is not None
    below = compiled.layout.below[zone.of]
    piece = cells[compiled.layout.top[zone].base + index]
    for _ in range(below.count + 1):
        if not 0 <= piece < below.count:
            return
        yield piece
        piece = cells[below.base + piece]


def _limits(compiled: Compiled, cells: memoryview) -> Iterator[str]:
    for zone in compiled.world.zones.values():
        if zone.limit is None or zone.of is None or zone.of not in compiled.layout.at:
            continue
        at = compiled.layout.at[zone.of]
        for place in range(zone.place_base, zone.place_base + zone.size):
            count = sum(1 for piece in range(at.count) if cells[at.base + piece] == place)
            if count > zone.limit:
                yield f"`{texts.place_id(place, compiled.world)}` holds {count} pieces, more than {zone.limit}"
