"""Text with places: every name, number and rule in a game knows where it was written.

A `Source` is one file as it was read. A `Span` is a stretch of it, in offsets of characters. A `Text` is a piece of the
effect language embedded in a file (a whole `.effects` file, or a YAML scalar), with the way back from its own offsets
to those of the file, so that an error inside an indented block of YAML points at the character that the author typed.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True, eq=False)
class Source:
    """One file: its path as shown to people, and its decoded text (line ends as they were)."""

    path: str
    text: str = field(repr=False)

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """Offset of the first character of each line; `\\r\\n` and `\\n` both end a line."""
        starts = [0]
        starts.extend(i + 1 for i, c in enumerate(self.text) if c == "\n")
        return tuple(starts)

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1, in characters."""
        row = bisect_right(self.line_starts, offset) - 1
        return row + 1, offset - self.line_starts[row] + 1

    def line(self, number: int) -> str:
        """The text of a line (counted from 1), without its line end."""
        start = self.line_starts[number - 1]
        end = self.line_starts[number] if number < len(self.line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` (included) to `end` (excluded) of a source."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        """What is written there."""
        return self.source.text[self.start : self.end]

    @property
    def line(self) -> int:
        """Line of the first character, from 1."""
        return self.source.place(self.start)[0]

    @property
    def column(self) -> int:
        """Column of the first character, from 1."""
        return self.source.place(self.start)[1]

    def __str__(self) -> str:
        line, column = self.source.place(self.start)
        return f"{self.source.path}:{line}:{column}"

    def to(self, other: Span) -> Span:
        """From the start of this one to the end of the other."""
        return Span(self.source, self.start, other.end)


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """A written name and where it stands."""

    text: str
    span: Span

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, eq=False)
class Text:
    """Effect text: `value` has plain `\\n` line ends and no indentation of the host file.

    `starts[i]` is the offset in `source` of the first character of line i of `value`. A text that comes from a YAML
    block scalar has one entry a line; a plain or quoted scalar has one.
    """

    value: str
    source: Source = field(repr=False)
    starts: tuple[int, ...] = field(repr=False)

    @cached_property
    def _own_starts(self) -> tuple[int, ...]:
        starts = [0]
        starts.extend(i + 1 for i, c in enumerate(self.value) if c == "\n")
        return tuple(starts)

    def offset(self, at: int) -> int:
        """Offset in the source of an offset in `value`."""
        row = bisect_right(self._own_starts, at) - 1
        row = min(row, len(self.starts) - 1)
        return self.starts[row] + at - self._own_starts[row]

    def span(self, start: int, end: int) -> Span:
        """Span in the source of a stretch of `value`."""
        first = self.offset(start)
        last = self.offset(max(start, end - 1)) + (1 if end > start else 0)
        return Span(self.source, first, max(first, last))

    @property
    def whole(self) -> Span:
        """All of it."""
        return self.span(0, len(self.value.rstrip()))
