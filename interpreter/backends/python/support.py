"""What generated code calls: faults, division, members of sets, taking candidates, chance.

`m` and `q` are a position as cells of 32 and 64 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NoReturn, Protocol

from interpreter.backends.machine import Event, Fault
from interpreter.core.cells import listed
from interpreter.core.header import KNOWN, PLIES, RANDOM
from interpreter.core.nodes import MAX_INT
from interpreter.core.rng import bounded

Cells = memoryview
Step = Callable[[Cells, Cells], Any]  # a block: it returns the next Step, or None
Segments = list[tuple[int, int, tuple[int, ...], int | None]]  # how many, option, outer values, last set
Found = tuple[int, int, int, Segments]  # decision, player, number of candidates, segments

MOST_THROWS = 1000
MOST_CACHED = 1 << 16


@dataclass(frozen=True, slots=True)
class Taking:
    """What taking a candidate needs: of each option the homes of its binders, where to go on, whether it is final."""

    options: list[tuple[tuple[int, ...], Step, bool]]
    otherwise: Step


class Chance(Protocol):
    """The parts of a machine that chance needs."""

    listening: bool
    events: list[Event]
    script: list[int]


def fault(site: int, a: int = 0, b: int = 0) -> NoReturn:
    """Stops the call under way."""
    raise Fault(site, int(a), int(b))


def floor_div(site: int, left: int, right: int) -> int:
    """`left / right`, rounded down."""
    result = left // right if right else MAX_INT + 1
    return result if result <= MAX_INT else fault(site, left, right)


def ceil_div(site: int, left: int, right: int) -> int:
    """`left / right`, rounded up."""
    result = -(-left // right) if right else MAX_INT + 1
    return result if result <= MAX_INT else fault(site, left, right)


# ---- sets -----------------------------------------------------------------------------------------------------------


class Members(dict[int, tuple[int, ...]]):
    """`listed`, remembered: few small sets come up again and again, and a look-up is five times as fast as the loop."""

    def __missing__(self, members: int) -> tuple[int, ...]:
        if len(self) >= MOST_CACHED:
            self.clear()
        found = self[members] = listed(members)
        return found


def set_of(bits: Sequence[int], items: Iterable[int]) -> int:
    """The set of a list's items; -1 is skipped, as the last entry of the table `bits` is 0."""
    members = 0
    for item in items:
        members |= bits[item]
    return members


def pick(members: int, k: int) -> int:
    """Member number k of a set, from 0, in rising order; there must be as many."""
    base = 0
    while members > 0xFFFF:
        low = members & 0xFFFF
        count = low.bit_count()
        if k < count:
            members = low
            break
        k -= count
        members >>= 16
        base += 16
    return base + _short(members)[k]


_short = cache(listed)  # of sets of up to 16 bits: no more than 65536 entries


# ---- positions and candidates ---------------------------------------------------------------------------------------


def views(block: bytearray, cells: int) -> tuple[Cells, Cells]:
    """A block as cells of 32 bits and, for sets and the generator, of 64."""
    if len(block) != 4 * cells:
        raise ValueError(f"a position has {4 * cells} bytes, not {len(block)}")
    whole = memoryview(block)
    return whole.cast("i"), whole[: cells // 2 * 8].cast("Q")


@cache
def zeros(cells: int) -> Cells:
    """So many cells of 0."""
    return memoryview(bytes(4 * cells)).cast("i")


def take(m: Cells, taking: Taking, segments: Segments, index: int) -> Step:
    """Writes down what candidate `index` chooses; returns the block to go on with."""
    for size, option, outer, last in segments:
        if index < size:
            homes, step, final = taking.options[option]
            for home, value in zip(homes, outer, strict=False):
                m[home] = value
            if last is not None:
                m[homes[-1]] = pick(last, index)
            if final:
                m[PLIES] += 1
            return step
        index -= size
    m[PLIES] += 1
    return taking.otherwise


# ---- chance ---------------------------------------------------------------------------------------------------------


def draw(q: Cells, bound: int) -> int:
    """A number from 0 … bound-1 out of the position's generator."""
    q[RANDOM // 2], result = bounded(q[RANDOM // 2], q[RANDOM // 2 + 1], bound)
    return result


def throw(machine: Chance, q: Cells, shares: Sequence[int], site: int) -> int:
    """A face of a die, out of the script or the generator; `shares` are the weights summed up to each face."""
    if machine.script:
        face = machine.script.pop(0)
        return face if 0 <= face < len(shares) else fault(site, face)
    number = draw(q, shares[-1])
    for face, share in enumerate(shares):
        if number < share:
            return face
    raise AssertionError("a draw is less than its bound")


def roll_die(machine: Chance, m: Cells, q: Cells, die: int, shares: Sequence[int], site: int) -> int:
    """`RollDie`."""
    face = throw(machine, q, shares, site)
    m[KNOWN] += 1
    if machine.listening:
        machine.events.append(Event(-1 - die, (face,), -1))
    return face


def roll_dice(machine: Chance, m: Cells, q: Cells, die: int, shares: Sequence[int], times: int, site: int) -> int:
    """`RollDice`: 16 bits a face."""
    if times > MOST_THROWS:
        fault(site, times)
    if times <= 0:
        return 0
    faces = tuple(throw(machine, q, shares, site) for _ in range(times))
    m[KNOWN] += 1
    if machine.listening:
        machine.events.append(Event(-1 - die, faces, -1))
    return sum(1 << 16 * face for face in faces)


def pick_one(machine: Chance, m: Cells, q: Cells, dice: int, pool: int, site: int) -> int:
    """`PickOne`; `dice` is the number of dice, from which the number of the event follows."""
    if not pool:
        return -1
    if machine.script:
        member = machine.script.pop(0)
        if member < 0 or not pool >> member & 1:
            fault(site, member)
    else:
        member = pick(pool, draw(q, pool.bit_count()))
    m[KNOWN] += 1
    if machine.listening:
        machine.events.append(Event(-1 - dice, (member,), 0))
    return member


def scripted(machine: Chance, pool: int, site: int) -> int:
    """`Scripted`."""
    if not machine.script:
        return -1
    member = machine.script.pop(0)
    if member < 0 or not pool >> member & 1:
        fault(site, member)
    return member
