"""YAML as a tree of nodes with places (see `read`). Strict: what the author typed is what the game gets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Union

import yaml

from interpreter.diagnostics import Bag, Note
from interpreter.reading import yamlerrors
from interpreter.reading.files import odd_characters
from interpreter.reading.files import read_file as read_file
from interpreter.source import Name, Source, Span, Text

DEEPEST = 50  # lists and maps inside each other
MOST_NODES = 100_000  # of one file; keeps the slowest file of the largest size within seconds
LARGEST = 2**31 - 1  # numbers of a game are 32-bit integers

_INT = re.compile(r"-?(0|[1-9][0-9]*)\Z")
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "~": None, "": None}
_LIKE_TRUE = frozenset({"yes", "y", "on"})
_LIKE_FALSE = frozenset({"no", "n", "off"})


@dataclass(frozen=True, eq=False)
class Scalar:
    """A single value: a string, an int, a bool (`true`, `false`) or None (`null`, `~`, empty).

    `raw` is the text as typed, without its quotes; `text` gives it back as effect text with exact places (None where
    there are none: folded scalars, texts with escapes).
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


def get(node: Map, key: str) -> Node | None:
    """The value of a key, None if the map has no such key. The one way in which the loader reads fixed keys."""
    for k, value in node.entries:
        if k.raw == key:
            return value
    return None


def bool_like(word: str) -> bool | None:
    """What an author means who writes `yes` or `Off` for a truth value; None if the word is nothing of the kind."""
    low = word.lower()
    if low in _LIKE_TRUE or low == "true":
        return True
    if low in _LIKE_FALSE or low == "false":
        return False
    return None


def read(source: Source, bag: Bag) -> Node | None:
    """The one document of a YAML file as a tree; None, with errors in `bag`, if there is no tree that can be trusted.

    PyYAML's scanner in Python is used on every machine, because the one in C accepts other texts. Values are those of
    the YAML 1.2 core: `true`, `false`, decimal integers, `null`, `~` and nothing; all else is text.
    """
    if odd_characters(source, bag):
        return None
    loader: Any = yaml.SafeLoader(source.text)
    builder = _Builder(source, bag, loader)
    try:
        return builder.document()
    except _Stopped:
        return None
    except yaml.MarkedYAMLError as problem:
        yamlerrors.report(problem, source, bag)
    except (yaml.YAMLError, ValueError, OverflowError):  # such as the escape "\UFFFFFFFF"
        yamlerrors.report_at(int(loader.index), source, bag)
    return None


class _Stopped(Exception):
    """Reading cannot go on; the reason is in the bag."""


class _Builder:
    """Takes events from the loader and builds nodes; the state is the loader's place and what was found broken."""

    def __init__(self, source: Source, bag: Bag, loader: Any) -> None:
        self.source = source
        self.bag = bag
        self.loader = loader
        self.nodes = 0
        self.broken = False  # something was refused without which the tree would mislead

    def span(self, start: int, end: int) -> Span:
        return Span(self.source, min(start, len(self.source.text)), min(end, len(self.source.text)))

    def document(self) -> Node | None:
        root: Node | None = None
        while self.loader.check_event():
            event = self.loader.get_event()
            if isinstance(event, yaml.DocumentStartEvent):
                self.document_start(event, root)
                root = self.node(self.loader.get_event(), 0)
        return None if self.broken else root or Scalar(None, "", None, self.span(0, 0))

    def document_start(self, event: Any, root: Node | None) -> None:
        start = event.start_mark.index
        if root is not None:
            self.bag.error(
                "many-documents",
                "a second document begins here",
                self.span(start, start + 3),
                notes=[Note("the first document begins here", root.span)],
                help="keep one document in a file: remove the line `---`, or move what follows to a file of its own",
            )
            raise _Stopped
        if event.version or event.tags:
            self.bag.error(
                "directive",
                "lines that begin with `%` are not read",
                self.span(start, start + 1),
                help="remove the line",
            )

    def node(self, event: Any, depth: int) -> Node:
        self.nodes += 1
        start = event.start_mark.index
        if self.nodes > MOST_NODES:
            self.bag.error(
                "too-large",
                f"the file has more than {MOST_NODES:,} values",
                self.span(start, start + 1),
                help="split it into several files in a folder",
            )
            raise _Stopped
        if isinstance(event, yaml.AliasEvent):
            return self.alias(event)
        marked = self.marks(event)
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event, marked)
        if depth >= DEEPEST:
            self.bag.error(
                "too-deep",
                f"lists and maps stand more than {DEEPEST} deep in each other here",
                self.span(start, start + 1),
                help="look for brackets that are never closed",
            )
            raise _Stopped
        if isinstance(event, yaml.SequenceStartEvent):
            return self.seq(event, depth)
        return self.map(event, depth)

    def alias(self, event: Any) -> Node:
        span = self.span(event.start_mark.index, event.end_mark.index)
        self.bag.error(
            "alias",
            f"`*{event.anchor}` would copy another part of the file, which is not allowed",
            span,
            help="write the value out, or put it in quotes if the `*` belongs to the text",
        )
        self.broken = True
        return Scalar(None, "", None, span)

    def marks(self, event: Any) -> bool:
        """Refuses anchors and tags; whether there was one."""
        start = event.start_mark.index
        if event.anchor is not None:
            at = self.source.text.find("&" + event.anchor, start)
            self.bag.error(
                "anchor",
                f"`&{event.anchor}` gives a part of the file a name, which is not allowed",
                self.span(at, at + 1 + len(event.anchor)),
                help="remove it, or put the value in quotes if the `&` belongs to the text",
            )
        tag = getattr(event, "tag", None)
        if tag is not None:
            at = self.source.text.find("!", start)
            end = re.compile(r"[^\s,\[\]{}]*").match(self.source.text, at)
            written = self.source.text[at : end.end()] if end else "!"
            self.bag.error(
                "tag",
                f"the tag `{written}` is not allowed",
                self.span(at, at + len(written)),
                help="remove it, or put the value in quotes if the `!` belongs to the text",
            )
        return event.anchor is not None or tag is not None

    def scalar(self, event: Any, marked: bool) -> Scalar:
        start, end = event.start_mark.index, event.end_mark.index
        raw: str = event.value
        if event.style in ("|", ">"):
            end = start + len(self.source.text[start:end].rstrip())
        span = self.span(start, end)
        text = None if marked else _effect_text(self.source, event, raw)
        if event.style or marked:
            return Scalar(raw, raw, text, span)
        if raw in _WORDS:
            return Scalar(_WORDS[raw], raw, text, span)
        if _INT.match(raw):
            return Scalar(self.number(raw, span), raw, text, span)
        return Scalar(raw, raw, text, span)

    def number(self, raw: str, span: Span) -> int:
        if len(raw) > 11 or abs(int(raw)) > LARGEST:
            self.bag.error(
                "big-number",
                "the number is too large",
                span,
                label=f"at most {LARGEST}",
                help="put it in quotes if it is meant as text",
            )
            self.broken = True
            return 0
        return int(raw)

    def seq(self, event: Any, depth: int) -> Seq:
        items: list[Node] = []
        while not isinstance(after := self.loader.get_event(), yaml.SequenceEndEvent):
            items.append(self.node(after, depth + 1))
        return Seq(tuple(items), self.extent(event, after, items[-1].span.end if items else None))

    def map(self, event: Any, depth: int) -> Map:
        entries: list[tuple[Scalar, Node]] = []
        first: dict[str, Scalar] = {}
        last: int | None = None
        again = False  # whether the keys of another entry follow, whose `-` is missing
        while not isinstance(after := self.loader.get_event(), yaml.MappingEndEvent):
            key = self.node(after, depth + 1)
            plain = isinstance(after, yaml.ScalarEvent) and not after.style
            value = self.node(self.loader.get_event(), depth + 1)
            last = max(key.span.end, value.span.end)
            if not isinstance(key, Scalar):
                self.complex_key(key)
            elif plain and key.raw == "<<":
                self.bag.error(
                    "merge-key",
                    "`<<` would copy another part of the file, which is not allowed",
                    key.span,
                    help="write the keys out",
                )
                self.broken = True
            elif plain and key.raw == "":
                yamlerrors.empty_key(self.span(key.span.start, key.span.start + 1), self.bag)
                self.broken = True
            elif key.raw in first:
                if not again:
                    again = key.raw == next(iter(first)) and self.is_item(event)
                    self.duplicate(key, first[key.raw], again)
            else:
                first[key.raw] = key
                entries.append((key, value))
        return Map(tuple(entries), self.extent(event, after, last))

    def complex_key(self, key: Node) -> None:
        what = "list" if isinstance(key, Seq) else "map"
        self.bag.error(
            "complex-key",
            f"a {what} stands here as a key",
            key.span,
            help="keys are names; put the key in quotes if it is meant as text",
        )
        self.broken = True

    def is_item(self, event: Any) -> bool:
        """Whether a map begins behind a `-`."""
        start = event.start_mark.index
        return self.source.text[:start].rstrip(" ").endswith("-")

    def duplicate(self, key: Scalar, first: Scalar, again: bool) -> None:
        self.bag.error(
            "duplicate-key",
            f"`{key.raw}` is written twice, in line {first.span.line} and line {key.span.line}",
            key.span,
            label="again here",
            notes=[Note(f"`{key.raw}` is written first here", first.span)],
            help="a new entry of the list begins with `- `"
            if again
            else "remove one of the two, or give it another name",
        )

    def extent(self, first: Any, after: Any, last: int | None) -> Span:
        """From the first character to the closing bracket, or to the end of the last value where there is none."""
        start = first.start_mark.index
        end = after.end_mark.index
        return self.span(start, end if first.flow_style or last is None else last)


def _effect_text(source: Source, event: Any, value: str) -> Text | None:
    """The value with the place of each of its lines; None where characters of value and file do not run in step."""
    start, end = event.start_mark.index, event.end_mark.index
    if event.style == "|":
        return Text(value, source, _block_starts(source.text, start, value))
    if event.style == ">":
        return None
    quote = 1 if event.style else 0
    if source.text[start + quote : end - quote] != value or "\n" in value:
        return None
    return Text(value, source, (start + quote,))


def _block_starts(text: str, start: int, value: str) -> tuple[int, ...]:
    """Where each line of a `|` block begins in the file.

    Lines of the block and of its value correspond one to one, and each line of the value is the end of its line in the
    file; so the indentation, given or found, needs no second reckoning.
    """
    lines = value.split("\n")
    if len(lines) > 1 and not lines[-1]:
        lines.pop()  # what stands behind the last line end is no line of its own
    starts: list[int] = []
    at = _next_line(text, start)
    for line in lines:
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        stop = end - 1 if end > at and text[end - 1] == "\r" else end
        starts.append(stop - len(line))
        at = min(end + 1, len(text))
    return tuple(starts)


def _next_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1
