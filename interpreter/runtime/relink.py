"""Putting kept inverses right after pieces were dealt anew: who stands where, the order of piles, who names whom."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from itertools import pairwise

from interpreter.core.cells import put_set
from interpreter.core.compiled import Compiled
from interpreter.core.layout import Region
from interpreter.lang.types import SetT
from interpreter.lang.world import Field, Kind
from interpreter.runtime.invariants import pile
from interpreter.runtime.sightings import low_of_set, members, named_kind

Names = Mapping[Kind, Mapping[int, int]]  # for pieces of a kind those that stand for them now


def relink(compiled: Compiled, cells: memoryview, kind: Kind, source: memoryview, names: Mapping[int, int]) -> None:
    """Rebuilds what places know of pieces of a kind. Piles keep the order of `source`, their pieces renamed."""
    layout = compiled.layout
    at = layout.at[kind]
    there: dict[int, list[int]] = {}
    for piece in range(kind.size):
        there.setdefault(cells[at.base + piece], []).append(piece)
    if kind in layout.there:
        kept = layout.there[kind]
        _blank(cells, kept)
        for place, pieces in there.items():
            put_members(cells, kept.base + place * kept.width, kept.width, pieces)
    for holds, region in layout.holds.items():
        if holds.piece is not kind:
            continue
        taken = []
        low, high = (holds.sort.low, holds.sort.high) if holds.sort else (0, kind.size)
        _blank(cells, region, -1 if holds.single else 0)
        for place, standing in there.items():
            i = place - holds.place.place_base
            pieces = [p for p in standing if low <= p < high] if 0 <= i < region.count else []
            if pieces and holds.single:
                cells[region.base + i] = pieces[0]
            elif pieces:
                put_members(cells, region.base + i * region.width, region.width, pieces)
            if pieces:
                taken.append(i)
        occupied = layout.occupied[holds]
        put_members(cells, occupied.base, occupied.width, taken)
    if kind in layout.below:
        below = layout.below[kind]
        for cell in range(below.base, below.base + below.count):
            cells[cell] = -1
    for zone in kind.place_zones:
        if zone.is_pile:
            for index in range(zone.size):
                lying = [names.get(p, p) for p in pile(compiled, source, zone, index)]
                _lay(compiled, cells, kind, layout.top[zone].base + index, layout.bottom[zone].base + index, lying)


def _blank(cells: memoryview, region: Region, value: int = 0) -> None:
    """Gives all cells of a region one value."""
    count = region.count * region.width
    cells[region.base : region.base + count] = array("i", [value]) * count


def _lay(compiled: Compiled, cells: memoryview, kind: Kind, top: int, bottom: int, pieces: list[int]) -> None:
    below = compiled.layout.below[kind].base
    cells[top] = pieces[0] if pieces else -1
    cells[bottom] = pieces[-1] if pieces else -1
    for piece, following in pairwise(pieces):  # the last has nothing below it
        cells[below + piece] = following


def same(cells: memoryview, source: memoryview, region: Region) -> bool:
    """Whether a region holds what it held."""
    end = region.base + region.count * region.width
    return cells[region.base : end] == source[region.base : end]


def relink_fields(compiled: Compiled, cells: memoryview, source: memoryview) -> None:
    """Rebuilds for each entity the set of those whose fields name it, where these are not as in `source`."""
    for inverse, region in compiled.layout.inverses.items():
        values = compiled.layout.fields[inverse.field]
        if same(cells, source, values):
            continue
        namers: dict[int, list[int]] = {}
        for owner in range(values.count):
            namers.setdefault(cells[values.base + owner], []).append(owner)
        for i in range(region.count):
            put_members(cells, region.base + i * region.width, region.width, namers.get(i, []))


def rename(cells: memoryview, base: int, width: int, ty: object, names: Names) -> None:
    """Puts those that now stand for them in place of the pieces that a value names."""
    inner = named_kind(ty, names)  # type: ignore[arg-type]
    if inner is None:
        return
    now = names[inner.kind]
    if isinstance(ty, SetT):
        low = low_of_set(inner)
        put_members(cells, base, width, [now.get(m + low, m + low) - low for m in members(cells, base, width)])
    else:
        cells[base] = now.get(cells[base], cells[base])


def carry(compiled: Compiled, cells: memoryview, source: memoryview, opened: Iterable[Field], names: Names) -> None:
    """Hands the values of the open fields of closed pieces to those that stand for them now."""
    for f in opened:
        region = compiled.layout.fields.get(f)
        if region is None or f.owner is None:
            continue
        size = f.cells_each * region.width
        values = source[region.base : region.base + region.count * region.width].tolist()
        if size == 1 and min(values) == max(values):
            continue  # as it is with most of them: all have the same
        for old, new in names.get(f.owner, {}).items():
            first = region.base + old * size
            cells[region.base + new * size : region.base + (new + 1) * size] = source[first : first + size]


def put_members(cells: memoryview, base: int, width: int, found: Iterable[int]) -> None:
    """Writes a set by its members."""
    put_set(cells, base, width, sum(1 << i for i in found))
