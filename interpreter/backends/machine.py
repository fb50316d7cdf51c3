"""What every backend offers: a compiled program that works on blocks of bytes.

Two machines of one program agree byte for byte.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from interpreter.core.nodes import Program


class Fault(Exception):
    """A rule could not be carried out: `site` is the number of its place; a and b are its figures."""

    def __init__(self, site: int, a: int = 0, b: int = 0) -> None:
        super().__init__(site, a, b)
        self.site = site
        self.a = a
        self.b = b


@dataclass(frozen=True, slots=True)
class Segment:
    """Candidates of one option: `outer` are the values of all binders but the last; `last` the bits of the last one's
    members. An option without binders has one segment with `last` None. Segments without candidates are left out.
    """

    option: int
    outer: tuple[int, ...]
    last: int | None


@dataclass(frozen=True, slots=True)
class Pending:
    """A question that waits.

    Candidate k of `count`: walk the segments in order, within one the members in rising order; the stop, if the
    decision has one, comes last.
    """

    decision: int
    player: int
    segments: tuple[Segment, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Event:
    """Something for the log: number of the event's text, arguments (int, or tuple for lists and sets), bit mask of who
    may read it (-1: all). Throws and draws are events too: `event` is -1 - die for a throw (args: the faces in
    order; to: -1), -1 - number of dice for a PickOne (args: the member; to: 0).
    """

    event: int
    args: tuple[int | tuple[int, ...], ...]
    to: int


class Machine(Protocol):
    """A program compiled by a backend.

    Blocks are `bytearray`s of `4 * program.cells` bytes. `advance`, `apply` and `playout` change the block in place; on
    a Fault, and on IndexError for an index that is no candidate (none is when the game has ended), its bytes are as
    they were; `events` then holds what was recorded before the fault, and what was taken from `script` is gone.
    """

    name: str
    program: Program
    listening: bool  # collect events (off in playouts)
    events: list[Event]  # of the last call of advance or apply, in order
    script: list[
        int
    ]  # scripted chance, consumed from the front: faces (by index) for throws, members for picks and draws

    def advance(self, block: bytearray) -> None:
        """Runs from cell PC to the first question that waits, or to the end. Idempotent."""

    def pending(self, block: bytearray) -> Pending | None:
        """The question that waits in an advanced block; None if the game has ended."""

    def apply(self, block: bytearray, index: int) -> None:
        """Takes candidate `index`, then advances."""

    def playout(self, block: bytearray, seed: int, max_plies: int) -> None:
        """Advances, then answers all questions as the random players of `seed` do (`rng.stream`, `rng.choice`), until
        the game ends or PLIES >= max_plies.
        """

    def perft(self, block: bytearray, depth: int) -> int:
        """Number of sequences of `depth` plies from here.

        Silent choices count as plies; a finished game has no sequel (but the choice that finishes it counts; once PLIES
        has risen by `depth` it is one sequence, and final choices of the last ply are counted without carrying them
        out, so their faults are not met); chance comes as the block's generator says. The block is left as it was.
        """

    def evaluate(self, block: bytearray, function: int, args: tuple[int, ...]) -> int | tuple[int, ...]:
        """The value of a pure function of ints: an int; sets and lists as tuples of members.

        For texts, boards and tests.
        """
