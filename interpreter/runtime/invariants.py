"""What holds in every position of every game, whatever its rules do: for rule tests and for play at random."""

from __future__ import annotations

from collections.abc import Iterator

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
            case "holds":
                yield from _inverse(compiled, cells, region)
            case "occupied":
                yield from _occupied(compiled, cells, region)


def _field(compiled: Compiled, cells: memoryview, region: Region) -> Iterator[str]:
    f = region.field
    assert f is not None
    for i in range(region.count):
        owner = "" if f.owner is None else f"{f.owner.entities[i // f.cells_each].id}."
        base = region.base + i * region.width
        if isinstance(f.type, SetT):
            if _bits(cells, base, region.width) >> universe(f.type.of):
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


def _inverse(compiled: Compiled, cells: memoryview, region: Region) -> Iterator[str]:
    held = region.holds
    assert held is not None
    at = compiled.layout.at[held.piece]
    there: dict[int, list[int]] = {}
    for piece in range(at.count):
        there.setdefault(cells[at.base + piece] - held.place.place_base, []).append(piece)
    for i, entity in enumerate(held.place.entities):
        pieces = there.get(i, [])
        ids = ", ".join(f"`{held.piece.entities[p].id}`" for p in pieces)
        if len(pieces) > 1:
            yield f"{ids} are both at `{entity.id}`, which holds one {held.piece.name}"
        elif cells[region.base + i] != (pieces[0] if pieces else -1):
            yield f"`{entity.id}.{held.inverse}` does not name the {held.piece.name} there ({ids or 'none'})"


def _occupied(compiled: Compiled, cells: memoryview, region: Region) -> Iterator[str]:
    assert region.holds is not None
    inverse = compiled.layout.holds[region.holds]
    expected = sum(1 << i for i in range(inverse.count) if cells[inverse.base + i] >= 0)
    if _bits(cells, region.base, region.width) != expected:
        yield f"the set of places with a {region.holds.piece.name} is wrong"


def _bits(cells: memoryview, base: int, width: int) -> int:
    return sum((cells[base + i] & 0xFFFFFFFF) << (32 * i) for i in range(width))
