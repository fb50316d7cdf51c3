"""Hidden numbers dealt anew: any value within their bounds, as far as the game's invariants allow."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterator, Sequence
from dataclasses import dataclass

from interpreter.core.compiled import Compiled, InvariantInfo
from interpreter.core.layout import Region
from interpreter.lang.types import IntT, KindT, SetT
from interpreter.lang.world import Field, Kind
from interpreter.runtime.invariants import ceilings
from interpreter.runtime.sightings import Sightings
from interpreter.runtime.view import reset

Known = tuple[Kind | Field, int]  # a piece, or a field of the player in a seat (of the game: 0)
Below = Callable[[int], int]  # a number from 0 to one less than that, at random
MOST_VALUES = 1000  # a hidden number with more possible values is not guessed, but set to where it begins
MOST_ROUNDS = 12


@dataclass(frozen=True)
class Tests:
    """Invariants, and what evaluates a function in a position."""

    invariants: Sequence[InvariantInfo]
    evaluate: Callable[[bytearray, int], int | tuple[int, ...]]

    def culprits(self, block: bytearray, fields: Collection[Field]) -> set[Known] | None:
        """What breaks the invariants that look at any of these fields; None if one of them does not tell."""
        found: set[Known] = set()
        for one in self.invariants:
            if one.reads.isdisjoint(fields) or self.evaluate(block, one.check.function):
                continue
            ty = one.culprits.type.of if one.culprits is not None and isinstance(one.culprits.type, SetT) else None
            if one.culprits is None or not isinstance(ty, KindT):
                return None
            members = self.evaluate(block, one.culprits.function)
            assert isinstance(members, tuple)
            found |= {(ty.kind, member) for member in members}
        return found


@dataclass(frozen=True)
class _Spot:
    """A hidden number: value `number` of a field of a closed piece."""

    region: Region
    field: Field
    number: int
    piece: Known


def guess_numbers(
    compiled: Compiled,
    block: bytearray,
    seen: Sightings,
    below: Below,
    keep: Container[Known],
    tests: Callable[[], Tests],
) -> None:
    """Gives the hidden numbers of closed pieces any value that they may have. Nothing depends on what they were.

    Where an invariant fails that looks at such numbers, those of the pieces that break it begin anew; if it fails all
    the same, they are guessed again, a few times. What lasts for a while only (`until`) stays as it is.
    """
    spots = list(_spots(compiled, seen, keep))
    if not spots:
        return
    cells, tested, fields = memoryview(block).cast("i"), tests(), {spot.field for spot in spots}
    for spot in spots:
        guess(compiled, cells, spot.region, spot.number, below)
    for left in reversed(range(MOST_ROUNDS)):
        culprits = tested.culprits(block, fields)
        wrong = [spot for spot in spots if culprits is None or spot.piece in culprits]
        if culprits and not wrong:
            wrong = spots  # it is about other things, such as the places where they are
        for spot in wrong:
            if left in (0, MOST_ROUNDS - 1):
                reset(compiled, cells, spot.region, spot.number)
            else:
                guess(compiled, cells, spot.region, spot.number, below)
        if not wrong:
            return


def _spots(compiled: Compiled, seen: Sightings, keep: Container[Known]) -> Iterator[_Spot]:
    """The hidden numbers of closed pieces; those that are the greatest values of others come first."""
    for bounded in (False, True):
        for f, region in compiled.layout.fields.items():
            kind = f.owner
            if kind is None or f in seen.open or not isinstance(f.type, IntT) or f.until is not None:
                continue
            if (f.ceiling is not None) != bounded:
                continue
            for piece in sorted(seen.closed.get(kind, ())):
                for key in range(f.cells_each if (kind, piece) not in keep else 0):
                    yield _Spot(region, f, piece * f.cells_each + key, (kind, piece))


def guess(compiled: Compiled, cells: memoryview, region: Region, number: int, below: Below) -> None:
    """Gives a value of a field that holds one of a range any value of it."""
    f = region.field
    assert f is not None
    high = f.high if f.ceiling is None else min(f.high, ceilings(compiled, cells, f.ceiling)[number // f.cells_each])
    if high - f.low < MOST_VALUES:
        cells[region.base + number * region.width] = f.low + below(high - f.low + 1)
    else:
        reset(compiled, cells, region, number)
