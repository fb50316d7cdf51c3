"""Texts for people: plain text with holes, `{f.on}`, `{n|die|dice}`, `{ via |way(f, s)}`, and `{{` for a brace."""

from __future__ import annotations

import re
from collections.abc import Callable

from interpreter.diagnostics import Bag
from interpreter.lang.nodes import Expr, Hole, Template
from interpreter.source import Text

_PIECE = re.compile(r"\{\{|\}\}|\{(?P<hole>[^{}]*)\}|(?P<plain>[^{}]+)|(?P<brace>[{}])")


def read_template(
    text: Text, start: int, end: int, bag: Bag, parse_value: Callable[[int, int], Expr | None]
) -> Template | None:
    """Reads the template between two offsets (without quotes); `parse_value` parses what stands in a hole."""
    parts: list[str | Hole] = []
    plain = ""
    good = True
    for found in _PIECE.finditer(text.value, start, end):
        if found["hole"] is not None:
            if plain:
                parts.append(plain)
                plain = ""
            hole = _hole(text, found.start() + 1, found.end() - 1, bag, parse_value)
            good = good and hole is not None
            if hole is not None:
                parts.append(hole)
        elif found["brace"] is not None:
            _report_brace(text, found.start(), bag)
            return None  # what follows cannot be told apart from the inside of a hole
        else:
            plain += found["plain"] if found["plain"] is not None else found.group()[0]
    if plain:
        parts.append(plain)
    if not good:
        return None
    return Template(text.value[start:end], tuple(parts), text.span(start, end))


def _hole(text: Text, start: int, end: int, bag: Bag, parse_value: Callable[[int, int], Expr | None]) -> Hole | None:
    """No bar: a value; one: a prefix and a value; more: a value and its forms by number."""
    key = text.value[start:end]
    bars = key.count("|")
    low, high = start, end
    prefix = ""
    forms: tuple[str, ...] = ()
    if bars == 1:
        prefix = key[: key.index("|")]
        low = start + len(prefix) + 1
    elif bars:
        value, *rest = key.split("|")
        high = start + len(value)
        forms = tuple(rest)
    span = text.span(start - 1, end + 1)
    if not text.value[low:high].strip():
        help_ = "write `{{` and `}}` for braces in the text" if not key else ""
        bag.error("empty-hole", "this hole holds no value", span, label="empty", help=help_)
        return None
    parsed = parse_value(low, high)
    return None if parsed is None else Hole(parsed, prefix, forms, key, span)


def _report_brace(text: Text, at: int, bag: Bag) -> None:
    brace = text.value[at]
    message = "this hole is not closed" if brace == "{" else "`}` closes no hole"
    label = "has no `}`" if brace == "{" else "no hole is open here"
    bag.error("brace", message, text.span(at, at + 1), label=label, help=f"write `{brace * 2}` for a brace in the text")
