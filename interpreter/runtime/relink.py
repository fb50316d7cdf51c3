"""Putting the kept inverses right after pieces were dealt anew: who stands where, and the order of piles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from interpreter.core.compiled import Compiled
from interpreter.lang.world import Kind
from interpreter.runtime.invariants import pile
from interpreter.runtime.sightings import Group


def deal(
    compiled: Compiled, cells: memoryview, group: Group, pieces: tuple[int, ...], closed: Mapping[Kind, frozenset[int]]
) -> None:
    """Puts pieces on a group's slots, one by one. A slot inside a closed container becomes the place of that container."""
    at = compiled.layout.at[group.kind].base
    for piece, (place, _) in zip(pieces, group.slots, strict=True):
        cells[at + piece] = _outside(compiled, cells, place, closed)


def _outside(compiled: Compiled, cells: memoryview, place: int, closed: Mapping[Kind, frozenset[int]]) -> int:
    for _ in range(8):  # containers hardly nest deeper
        holder = next(
            (k for k in closed if k.place_base >= 0 and k.place_base <= place < k.place_base + k.size), None
        )
        if holder is None or place - holder.place_base not in closed[holder]:
            return place
        place = cells[compiled.layout.at[holder].base + place - holder.place_base]
    return place


def relink(
    compiled: Compiled, cells: memoryview, kind: Kind, source: memoryview, names: Mapping[int, int] | None = None
) -> None:
    """Rebuilds what places know of pieces of a kind. Piles keep the order of `source`, its pieces renamed by `names`; without names
    the pieces of a pile that were dealt anew lie in data order."""
    layout = compiled.layout
    at = layout.at[kind]
    there: dict[int, list[int]] = {}
    for piece in range(kind.size):
        there.setdefault(cells[at.base + piece], []).append(piece)
    for holds, region in layout.holds.items():
        if holds.piece is not kind:
            continue
        taken = []
        for i in range(region.count):
            low, high = (holds.sort.low, holds.sort.high) if holds.sort else (0, kind.size)
            pieces = [p for p in there.get(holds.place.place_base + i, []) if low <= p < high]
            if region.width > 1:
                put_set(cells, region.base + i * region.width, region.width, pieces)
            else:
                cells[region.base + i] = pieces[0] if pieces else -1
            if pieces:
                taken.append(i)
        occupied = layout.occupied[holds]
        put_set(cells, occupied.base, occupied.width, taken)
    if kind in layout.below:
        below = layout.below[kind]
        for cell in range(below.base, below.base + below.count):
            cells[cell] = -1
    for zone in kind.place_zones:
        if not zone.is_pile:
            continue
        for index in range(zone.size):
            here = there.get(zone.place_base + index, [])
            if names is not None:
                here = [names.get(p, p) for p in pile(compiled, source, zone, index)]
            _lay(compiled, cells, kind, layout.top[zone].base + index, layout.bottom[zone].base + index, here)


def _lay(compiled: Compiled, cells: memoryview, kind: Kind, top: int, bottom: int, pieces: list[int]) -> None:
    below = compiled.layout.below[kind].base
    cells[top] = pieces[0] if pieces else -1
    cells[bottom] = pieces[-1] if pieces else -1
    for piece, following in zip(pieces, pieces[1:], strict=False):  # the last has nothing below it
        cells[below + piece] = following


def members(cells: memoryview, base: int, width: int) -> list[int]:
    """The members of a set."""
    bits = sum((cells[base + i] & 0xFFFFFFFF) << (32 * i) for i in range(width))
    return [i for i in range(32 * width) if bits >> i & 1]


def put_set(cells: memoryview, base: int, width: int, found: Iterable[int]) -> None:
    """Writes a set."""
    bits = sum(1 << i for i in found)
    for i in range(width):
        word = bits >> (32 * i) & 0xFFFFFFFF
        cells[base + i] = word - 2**32 if word >= 2**31 else word
