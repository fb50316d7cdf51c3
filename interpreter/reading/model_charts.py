"""What files say of charts: tables, sums of labelled parts, and where all such things come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from interpreter.reading.yamltree import Node, Scalar
from interpreter.source import Name, Span, Text

Provenance = Literal["rulebook", "public", "deduced", "reconstructed"]


@dataclass(frozen=True, eq=False)
class Citation:
    """Where a thing comes from: sections of the rulebook, and how sure it is (field name or "" -> provenance).

    `texts`: as they are written, `listed` if each names one section (else it may be several, with commas between).
    """

    texts: tuple[str, ...] = ()
    sources: tuple[tuple[str, str], ...] = ()
    listed: bool = False
    span: Span | None = None  # where the sections are written

    @property
    def rule(self) -> str:
        """The sections as people read them."""
        return ", ".join(self.texts)


@dataclass(frozen=True, eq=False)
class TableDef:
    """A table with a cell for each entry of one or two keys; `cells` are its rows, from top to bottom.

    `doubtful`: cells that were not printed, by their keys as written, and how sure they are.
    """

    name: Name
    span: Span
    by: tuple[tuple[Name, tuple[Scalar, ...]], ...]
    gives: Text
    cells: tuple[tuple[Node, ...], ...]
    title: str = ""
    citation: Citation = Citation()
    doubtful: tuple[tuple[Scalar, ...], ...] = ()
    doubt: str = ""


@dataclass(frozen=True, eq=False)
class RowsDef:
    """A table with columns: its rows are entities of a kind of their own, and its name is the set of them."""

    name: Name
    kind: Name


@dataclass(frozen=True, eq=False)
class SumPart:
    """A labelled part of a sum: `value` if `when` holds."""

    value: Text
    span: Span
    when: Text | None = None
    text: str = ""
    citation: Citation = Citation()


@dataclass(frozen=True, eq=False)
class SumDef:
    """A function that adds up labelled parts."""

    name: Name
    span: Span
    takes: tuple[tuple[Name, Text], ...]
    parts: tuple[SumPart, ...]
    citation: Citation = Citation()
