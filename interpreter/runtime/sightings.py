"""What a player may see: which pieces are closed to him, and what can be told of those all the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpreter.core.compiled import Compiled
from interpreter.core.layout import Region
from interpreter.lang.world import Field, Kind
from interpreter.runtime.invariants import pile

Evaluate = Callable[[int, tuple[int, ...]], int | tuple[int, ...]]
Slot = tuple[int, int]  # a place, and how deep in its pile (0 elsewhere)


@dataclass(frozen=True)
class Group:
    """Closed pieces of a kind that look alike: in data order, and the slots on which one of them is, in order of the places."""

    kind: Kind
    pieces: tuple[int, ...]
    slots: tuple[Slot, ...]


def closed_groups(compiled: Compiled, cells: memoryview, seat: int, evaluate: Evaluate) -> list[Group]:
    """All pieces that are closed to a player, grouped by all that he sees of them but their places."""
    found: list[Group] = []
    for kind, function in compiled.secrecy.sees.items():
        if kind not in compiled.layout.at:
            continue
        closed = [i for i in range(kind.size) if not evaluate(function, (i, seat))]
        depth = _depths(compiled, cells, kind)
        groups: dict[tuple[int, ...], list[int]] = {}
        for i in closed:
            groups.setdefault(_open_part(compiled, cells, kind, i), []).append(i)
        for pieces in groups.values():
            at = compiled.layout.at[kind].base
            slots = sorted((cells[at + i], depth.get(i, 0)) for i in pieces)
            found.append(Group(kind, tuple(pieces), tuple(slots)))
    return found


def _depths(compiled: Compiled, cells: memoryview, kind: Kind) -> dict[int, int]:
    """How deep each piece lies in its pile."""
    found: dict[int, int] = {}
    for zone in kind.place_zones:
        if zone.is_pile:
            for index in range(zone.size):
                found.update({piece: depth for depth, piece in enumerate(pile(compiled, cells, zone, index))})
    return found


def _open_part(compiled: Compiled, cells: memoryview, kind: Kind, piece: int) -> tuple[int, ...]:
    """The values of those fields of a closed piece that everybody sees, and its sort."""
    values = [next((n for n, s in enumerate(kind.sorts.values()) if s.low <= piece < s.high), -1)]
    for name in sorted(compiled.secrecy.open[kind]):
        f = kind.fields[name]
        region = compiled.layout.fields.get(f)
        for k in range(f.cells_each):
            number = piece * f.cells_each + k
            values.append(compiled.constants[f][number] if region is None else _value(cells, region, number))
    return tuple(values)


def _value(cells: memoryview, region: Region, number: int) -> int:
    base = region.base + number * region.width
    return sum((cells[base + i] & 0xFFFFFFFF) << (32 * i) for i in range(region.width))


def private_fields(compiled: Compiled, kind: Kind) -> list[Field]:
    """Fields of a kind's closed pieces that are hidden and that the position holds."""
    return [f for f in kind.fields.values() if f in compiled.layout.fields and f.name not in compiled.secrecy.open[kind]]
