"""From effect text to syntax trees. What cannot be parsed goes to the bag, with the place where it went wrong.

The steps: `scan` looks at the tokens of each line, `layout_lines` joins lines and checks indentation, Lark parses by
the grammar in `grammar/effects.lark`, `build` makes our nodes of its tree, and `syntax_errors` finds words for errors.
A text that is wrong gives None; a file gives those of its definitions that are right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from interpreter.diagnostics import Bag, did_you_mean
from interpreter.lang.layout_lines import Layout, Logical, check_indentation, lay_out
from interpreter.lang.nodes import Binder, Body, Effect, Expr, Fun, Name, Template, TypeRef
from interpreter.lang.words import DEFINITION_WORDS, FOREIGN_DEFINITIONS
from interpreter.lang.words import RESERVED as RESERVED
from interpreter.source import Text

_DEFINITION = re.compile(r"^(fun|effect|open)\b", re.MULTILINE)


def parse_file(text: Text, bag: Bag) -> tuple[list[Fun], list[Effect]]:
    """The definitions of a file of rules. Each is parsed by itself, so a mistake in one does not hide the others."""
    funs: list[Fun] = []
    effects: list[Effect] = []
    for layout in _definitions(text, bag):
        fits = check_indentation(text, layout.lines, bag)
        if not fits or any(line.flawed for line in layout.lines):
            continue
        for made in _parse("file", text, layout, bag) or ():
            if isinstance(made, Fun):
                funs.append(made)
            else:
                effects.append(made)
    return funs, effects


def parse_block(text: Text, bag: Bag) -> Body | None:
    """Statements, as in `do:` and `event:`."""
    layout = lay_out(text, 0, len(text.value), bag)
    if not layout.lines:
        _report_empty(text, bag)
        return None
    fits = check_indentation(text, layout.lines, bag)
    if not fits or any(line.flawed for line in layout.lines):
        return None
    body: Body | None = _parse("block", text, layout.cut(layout.lines), bag)
    return body


def parse_expression(text: Text, bag: Bag) -> Expr | None:
    """A value or condition, as in `when:` and `rank:`; it may go over several lines as it likes."""
    value: Expr | None = _parse_flat("expression", text, 0, len(text.value), bag)
    return value


def parse_type(text: Text, bag: Bag) -> TypeRef | None:
    """The type of a field or parameter: `int`, `maybe player`, `set of unit`."""
    value: TypeRef | None = _parse_flat("type_text", text, 0, len(text.value), bag)
    return value


def parse_signature(text: Text, bag: Bag) -> tuple[Name, tuple[Name, ...]] | None:
    """What an exception bends: the name of an open function or effect with the names of its parameters, `cost(f)`."""
    value: tuple[Name, tuple[Name, ...]] | None = _parse_flat("signature", text, 0, len(text.value), bag)
    return value


def parse_binder(text: Text, bag: Bag) -> Binder | None:
    """A variable and what it goes through, `x in S where C`, as in `each:`."""
    value: Binder | None = _parse_flat("binder_text", text, 0, len(text.value), bag)
    return value


def parse_template(text: Text, bag: Bag) -> Template | None:
    """A text with holes, written without quotes: a title, a log line, a text of a card."""
    return _template(text, 0, len(text.value), bag)


def _template(text: Text, start: int, end: int, bag: Bag) -> Template | None:
    from interpreter.lang.templates import read_template

    return read_template(text, start, end, bag, lambda low, high: _parse_flat("expression", text, low, high, bag))


def _definitions(text: Text, bag: Bag) -> Iterator[Layout]:
    """Cuts a file into its definitions; whatever else stands at the left margin is reported."""
    bounds = sorted({0, len(text.value), *(found.start() for found in _DEFINITION.finditer(text.value))})
    for start, end in pairwise(bounds):
        layout = lay_out(text, start, end, bag)
        group: list[Logical] = []
        for line in layout.lines:
            if line.indent == 0 and group:
                yield from _definition(text, layout.cut(group), bag)
                group = []
            group.append(line)
        if group:
            yield from _definition(text, layout.cut(group), bag)


def _definition(text: Text, layout: Layout, bag: Bag) -> Iterator[Layout]:
    head = layout.lines[0]
    word = head.tokens[0]
    if word.text in DEFINITION_WORDS:
        yield layout
    elif not head.flawed:
        if word.text in FOREIGN_DEFINITIONS:
            mend = "write `fun` for what computes a value, `effect` for what changes the position"
        else:
            mend = did_you_mean(word.text, DEFINITION_WORDS) if word.kind == "word" else ""
        bag.error(
            "not-a-definition",
            f"`{word.text}` begins no definition",
            text.span(word.start, word.end),
            label="expected `fun` or `effect`",
            help=mend or "a line that belongs to the definition above is indented",
        )


def _parse_flat(symbol: str, text: Text, start: int, end: int, bag: Bag) -> Any:
    layout = lay_out(text, start, end, bag, flat=True)
    if not layout.lines:
        _report_empty(text, bag)
        return None
    if layout.lines[0].flawed:
        return None
    return _parse(symbol, text, layout.cut(layout.lines), bag)


def _report_empty(text: Text, bag: Bag) -> None:
    bag.error("empty-text", "nothing is written here", text.whole, label="empty")


def _parse(symbol: str, text: Text, layout: Layout, bag: Bag) -> Any:
    """Parses lines that are laid out well; None if anything was wrong."""
    from lark import UnexpectedInput

    from interpreter.lang.build import Place, TooDeepError, build
    from interpreter.lang.lark_tables import parser
    from interpreter.lang.syntax_errors import explain

    known = len(bag.items)
    by_lines = symbol in ("file", "block")
    try:
        tree = parser().parse(layout.value + "\n" if by_lines else layout.value, start=symbol)
    except UnexpectedInput as error:
        explain(error, text, layout, bag, symbol)
        return None
    tokens = tuple(token for line in layout.lines for token in line.tokens)
    starts = tuple(token.start for token in tokens)
    place = Place(text, layout.start, tokens, starts, bag, lambda low, high: _template(text, low, high, bag))
    try:
        value = build(tree, place)
    except TooDeepError as error:
        bag.error(
            "too-deep",
            "this is nested too deep",
            error.span,
            label="here it is too much",
            help="give a part of it a name with `let`, or write a `fun` or an `effect` for it",
        )
        return None
    return value if len(bag.items) == known else None
