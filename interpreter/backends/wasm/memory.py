"""The linear memory of a module: control words, constants, scratch, two positions, and the arena.

    0        control words, by which host and module talk (addresses below)
    STATIC   constant tables and scratch (buffers of lists, spilled sets), as they are asked for
    then     two positions: the host's (`work`) and the one batches start from (`start`)
    arena    given out by the host for each call: script, events or results first; then, from ARENA on, the stack of
             segments, which also holds the copies of positions that `perft` makes, and grows with the memory

Addresses are bytes. Everything is 8-byte aligned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

PAGE = 65536
MOST_PAGES = 16384  # one GiB, then MemoryError

# Control words. 0 … 15 stay unused: a zero address is nobody's.
FAULT = 16  # site + 1 of the fault that stopped the module; 0: none
FAULT_A = 20
FAULT_B = 24
LISTENING = 28  # 1: record events
SCRIPT = 32  # next word of the script …
SCRIPT_END = 36  # … and its end
EVENTS = 40  # where the next event goes …
EVENTS_END = 44  # … and the end of the room
ARENA = 48  # where the stack of segments begins (LISTENING … ARENA are written by the host as one)
GAME = 52  # number of the game that a batch is at
ASKED = 56  # the question that waits: decision, player, begin and end of its records
STATIC = 72

EVENTS_FULL = -1  # in FAULT: no room for an event; the host makes room and calls again
MEMORY_FULL = -2  # in FAULT: MOST_PAGES do not suffice


def words(size: int) -> int:
    """64-bit words of a set."""
    return (size + 63) // 64


def split(bits: int, size: int) -> list[int]:
    """The words of a constant set, lowest first."""
    return [bits >> 64 * i & 2**64 - 1 for i in range(words(size))]


@dataclass(slots=True)
class Memory:
    """Hands out addresses while code is generated."""

    end: int = STATIC
    pieces: list[tuple[int, bytes]] = field(default_factory=list)  # (address, content) of the constants, rising
    known: dict[bytes, int] = field(default_factory=dict)

    def room(self, size: int) -> int:
        """The address of that many bytes of scratch."""
        address = self.end
        self.end += (size + 7) // 8 * 8
        return address

    def constant(self, content: bytes) -> int:
        """The address of these bytes; equal ones are kept once."""
        if content not in self.known:
            self.known[content] = self.room(len(content))
            self.pieces.append((self.known[content], content))
        return self.known[content]

    def integers(self, values: Sequence[int]) -> int:
        """The address of a row of 32-bit integers."""
        return self.constant(b"".join((value & 0xFFFFFFFF).to_bytes(4, "little") for value in values))

    def longs(self, values: Sequence[int]) -> int:
        """The address of a row of 64-bit words."""
        return self.constant(b"".join(value.to_bytes(8, "little") for value in values))


@dataclass(frozen=True, slots=True)
class Layout:
    """Where things came to lie. `position` is the bytes from one position to the next."""

    position: int
    work: int  # the host's position
    start: int  # the position from which a batch starts
    arena: int


def laid_out(end: int, cells: int) -> Layout:
    """What follows constants and scratch, which end at `end`."""
    position = (4 * cells + 7) // 8 * 8
    return Layout(position, end, end + position, end + 2 * position)
