"""What a position says of itself in words: choices, lines of the log, the outcome."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """How a game ended. `winner`: id of a player, None for a draw. `text`: why, in words."""

    winner: str | None
    text: str


@dataclass(frozen=True)
class Choice:
    """One candidate.

    `id`: its written form, `go stone_1 b3`; `text`: as a sentence; `values`: numbers of the things it names.
    """

    index: int
    id: str
    text: str
    option: int
    values: tuple[int, ...]


@dataclass(frozen=True)
class Line:
    """A line of the log. `seats`: who may read it (None: all).

    `closed`: what those read to whom it names something closed.
    """

    text: str
    seats: frozenset[int] | None = None
    closed: tuple[tuple[int, str], ...] = ()

    def read_by(self, seat: int) -> str | None:
        """The line as the player in a seat reads it; None if it is not for him."""
        if self.seats is not None and seat not in self.seats:
            return None
        return dict(self.closed).get(seat, self.text)
