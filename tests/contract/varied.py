"""Hidden numbers of closed pieces given other values, where the game's invariants allow it: for twins.

A re-dealt piece keeps the numbers that it had, so that re-dealing alone never gives a side other strengths, and may put
a piece where its number can't be.
"""

from __future__ import annotations

import random
from collections.abc import Container

from interpreter.game import Position
from interpreter.lang.types import IntT
from interpreter.lang.world import Field
from interpreter.runtime.redeal import Known
from interpreter.runtime.sightings import sightings

MOST = 3  # numbers that are changed at will in a position
WIDEST = 20  # numbers with more values than these are counters rather than strengths

Spot = tuple[Field, int]  # a hidden number, and the cell where it lies


def vary(position: Position, seat: int, pick: random.Random, keep: Container[Known]) -> int:
    """Gives numbers that a seat can't see other values; how many were changed.

    First what can't be where it was dealt begins anew, then a few get any value with which the game's invariants hold
    as well as before. `keep`: pieces that stay as they are. The position must be at a question.
    """
    spots = _spots(position, seat, keep)
    game, cells = position.game, position.cells
    asides = game.asides(position.compiled)
    testing = Position(game, asides, game.machine(asides, "python"), bytearray(position.block))
    wrong = _wrong(testing)
    changed = 0
    for f, cell in spots if wrong else []:
        found = _wrong(testing, cell, f.default) if cells[cell] != f.default else wrong
        if found < wrong:
            cells[cell], wrong, changed = f.default, found, changed + 1
        testing.cells[cell] = cells[cell]
    for f, cell in pick.sample(spots, min(MOST, len(spots))):
        value = pick.choice([v for v in range(f.low, f.high + 1) if v != cells[cell]])
        if _wrong(testing, cell, value) <= wrong:
            cells[cell], changed = value, changed + 1
        testing.cells[cell] = cells[cell]
    return changed


def _spots(position: Position, seat: int, keep: Container[Known]) -> list[Spot]:
    seen = sightings(position.compiled, position.cells, seat, position.evaluate)
    found = []
    for f, region in position.compiled.layout.fields.items():
        if f.owner not in seen.closed or not isinstance(f.type, IntT) or not 0 < f.high - f.low < WIDEST:
            continue
        for number in range(region.count):
            if seen.hides(f, number) and (f.owner, number // f.cells_each) not in keep:
                found.append((f, region.base + number * region.width))
    return found


def _wrong(testing: Position, cell: int | None = None, value: int = 0) -> frozenset[tuple[int, int]]:
    """What breaks the game's invariants in a position, with another value in a cell: (invariant, who)."""
    if cell is not None:
        testing.cells[cell] = value
    found: set[tuple[int, int]] = set()
    for number, one in enumerate(testing.compiled.invariants):
        if testing.evaluate(one.check.function):
            continue
        who = testing.evaluate(one.culprits.function) if one.culprits is not None else -1
        found |= {(number, w) for w in (who if isinstance(who, tuple) else (who,))}
    return frozenset(found)
