"""YAML as a tree of nodes with places (see `read`). Strict: what the author typed is what the game gets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from interpreter.source import Name, Span, Text


@dataclass(frozen=True, eq=False)
class Scalar:
    """A single value: a string, an int, a bool (`true`, `false`) or None (`null`, `~`, empty).

    `raw` is the text as typed; `text` gives it back as effect text with exact places (None for folded scalars, which have none).
    """

    value: str | int | bool | None
    raw: str
    text: Text | None
    span: Span

    @property
    def name(self) -> Name:
        """The value as a name with its place."""
        return Name(self.raw, self.span)


@dataclass(frozen=True, eq=False)
class Seq:
    items: tuple[Node, ...]
    span: Span


@dataclass(frozen=True, eq=False)
class Map:
    entries: tuple[tuple[Scalar, Node], ...]
    span: Span


Node = Union[Scalar, Seq, Map]
