"""What PyYAML refuses, said in words for authors and put at the place that has to be mended.

PyYAML's own sentences speak of tokens and simple keys, and its place is often where the scanner gave up, not where the
slip is. Each case below is a slip that authors make; the last resort is `bad-yaml`.
"""

from __future__ import annotations

import re
from typing import Any

from interpreter.diagnostics import Bag, Note
from interpreter.source import Source, Span

QUOTE = "put the whole value in quotes, or in a `|` block on the lines below"
BLOCK = "put the expression in quotes, or write the map in block style, one key a line"
INDENT = "lines that belong together begin in the same column; what belongs to a key stands two blanks further right"

_GOT = re.compile(r"(?:got|found) '(.*)'\Z")


def report(problem: Any, source: Source, bag: Bag) -> None:
    """Records a `yaml.MarkedYAMLError` as a diagnostic."""
    mark = problem.problem_mark or problem.context_mark
    at = min(mark.index, len(source.text)) if mark else 0
    begin = min(problem.context_mark.index, at) if problem.context_mark else at
    what, context = str(problem.problem or ""), str(problem.context or "")
    for pattern, handle in _CASES:
        if pattern in f"{context}: {what}":
            handle(source, bag, begin, at, what)
            return
    report_at(at, source, bag)


def report_at(at: int, source: Source, bag: Bag) -> None:
    """The last resort: something at this place is no YAML."""
    bag.error(
        "bad-yaml",
        "this cannot be read as YAML",
        _char(source, at),
        help="check the indentation, and that quotes and brackets are closed; quote a text that has special characters",
    )


def _char(source: Source, at: int) -> Span:
    """The character at a place, or nothing at the end of a line or file."""
    at = min(at, len(source.text))
    return Span(source, at, at + 1 if source.text[at : at + 1] not in ("", "\r", "\n") else at)


def _word(source: Source, at: int) -> Span:
    """The rest of the line from a place, without a comment and blanks at the end."""
    end = source.text.find("\n", at)
    rest = source.text[at : end if end >= 0 else len(source.text)]
    return Span(source, at, at + len(rest.split(" #")[0].rstrip()))


def _before(source: Source, at: int) -> str:
    """The line up to a place."""
    return source.text[source.text.rfind("\n", 0, at) + 1 : at]


def _unfinished_above(source: Source, at: int) -> int | None:
    """Where the line above begins, if it stands in the same column as `at` and is no `key: value`."""
    indent = len(_before(source, at))
    above = source.text[: at - indent].rstrip()
    line = _before(source, len(above))
    if len(line) - len(line.lstrip()) != indent or re.search(r":(\s|\Z)|\A\s*[-#]", line):
        return None
    return len(above) - len(line) + indent if line.strip() else None


def _colon(source: Source, bag: Bag, begin: int, at: int, what: str) -> None:
    if re.match(r"\s*(- +)*[^:]+:\s", _before(source, at)):
        bag.error(
            "colon-in-text",
            "a colon and a blank stand inside a value without quotes",
            _char(source, at),
            help=QUOTE + "; named arguments are written with `=`",
        )
        return
    begin_line = at - len(_before(source, at).lstrip())
    if (above := _unfinished_above(source, begin_line)) is not None:
        _no_colon(source, bag, above, at, what)
        return
    span = Span(source, begin_line, at)
    bag.error("bad-indentation", "this key cannot stand here", span, label="unexpected key", help=INDENT)


def _no_colon(source: Source, bag: Bag, begin: int, at: int, what: str) -> None:
    span = _word(source, begin)
    if (key := _block_above(source, begin)) is not None:
        _not_indented(key, span, bag)
        return
    if "\N{FULLWIDTH COLON}" in span.text:
        mend = "the full-width colon does not count in YAML; write `: `"
    elif ":" in span.text:
        mend = "a blank is missing behind the colon"
    else:
        mend = "write `key: value`, or `- value` if this is an entry of a list"
    bag.error("no-colon", "this line is neither `key: value` nor an entry of a list", span, help=mend)


_BLOCK_KEY = re.compile(r"([\w]+): *[|>][-+0-9]* *(#.*)?\Z")


def _block_above(source: Source, at: int) -> str | None:
    """The key of the line above, if a block begins there."""
    above = source.text[: at - len(_before(source, at))].rstrip()
    found = _BLOCK_KEY.search(_before(source, len(above)))
    return found[1] if found else None


def _not_indented(key: str, span: Span, bag: Bag) -> None:
    mend = f"indent every line of the text deeper than `{key}:`"
    bag.error("bad-indentation", "the text of this block is not indented", span, label="first line", help=mend)


def _character(source: Source, bag: Bag, begin: int, at: int, what: str) -> None:
    char = source.text[at : at + 1]
    if char == "\t":
        inside = _before(source, at).strip()
        message = "a tab stands here" if inside else "a tab stands in the indentation"
        bag.error("tab", message, _char(source, at), help="use blanks; most editors can turn tabs into blanks")
        return
    message = f"a value cannot begin with `{char}`"
    bag.error("special-character", message, _char(source, at), help="put the value in quotes")


def _sequence(source: Source, bag: Bag, begin: int, at: int, what: str) -> None:
    if _before(source, at).strip():
        bag.error(
            "list-on-line",
            "a list with `-` begins on the line of its key",
            _char(source, at),
            help="begin the list on the next line, or write `[a, b]`",
        )
        return
    bag.error("bad-indentation", "this entry of a list cannot stand here", _char(source, at), help=INDENT)


def _quote(source: Source, bag: Bag, begin: int, at: int, what: str) -> None:
    bag.error(
        "unclosed-quote",
        "the quote is never closed",
        _char(source, begin),
        label="opened here",
        help="close it; inside single quotes, write `''` for one quote",
    )


def _escape(source: Source, bag: Bag, begin: int, at: int, what: str) -> None:
    slash = max(source.text.rfind("\\", begin, at + 1), 0)
    bag.error(
        "bad-escape",
        f"`{source.text[slash : slash + 2]}` is no escape that can be read",
        Span(source, slash, min(slash + 2, len(source.text))),
        help="use single quotes, in which a backslash is just a backslash",
    )


def _block(source: Source, bag: Bag, begin: int, at: int, what: str) -> None:
    bag.error(
        "bad-block",
        f"text stands behind `{source.text[begin : begin + 1]}`",
        _word(source, at),
        help="begin the text on the next line, two blanks further right than its key",
    )


def _flow(source: Source, bag: Bag, begin: int, at: int, what: str) -> None:
    """A list in `[…]` or a map in `{…}` that goes wrong: never closed, or cut short by a text that wants quotes."""
    got = _GOT.search(what)
    token = got.group(1) if got else ""
    same_line = "\n" not in source.text[begin:at]
    opened = source.text[begin : begin + 1]
    if token in ("<stream end>", "<document start>", "<document end>") or not same_line:
        bag.error(
            "unclosed-bracket",
            f"`{opened}` is never closed",
            _char(source, begin),
            label="opened here",
            help=f"close it with `{'}' if opened == '{' else ']'}`",
        )
        return
    if token in ("]", "}"):
        bag.error(
            "unclosed-bracket",
            f"`{opened}` is closed with `{token}`",
            _char(source, at),
            notes=[Note("opened here", _char(source, begin))],
            help=f"close it with `{'}' if opened == '{' else ']'}`",
        )
        return
    bag.error("half-expression", "the value breaks off here, as it has no quotes", _char(source, at), help=BLOCK)


def empty_key(span: Span, bag: Bag) -> None:
    """Records that a colon has no key before it."""
    bag.error("empty-key", "a key is missing before this `:`", span, help="write the key, or remove the colon")


def _block_end(source: Source, bag: Bag, begin: int, at: int, what: str) -> None:
    if source.text[at : at + 1] == ":":
        empty_key(_char(source, at), bag)
        return
    before = _before(source, at).rstrip()
    if before.endswith(("'", '"')):
        bag.error(
            "half-quoted",
            "text goes on behind a closing quote",
            _word(source, at),
            help="put the whole value in single quotes, or in a `|` block on the lines below",
        )
        return
    if source.text[at : at + 1] in ("]", "}", ","):
        bag.error(
            "stray-bracket",
            f"`{source.text[at]}` cannot stand here",
            _char(source, at),
            help="an opening bracket may be missing; or " + QUOTE,
        )
        return
    if (key := _block_above(source, at)) is not None:
        _not_indented(key, _word(source, at), bag)
        return
    dash = re.match(r"-[^\s-]", source.text[at:])
    mend = "a blank is missing behind the `-`" if dash else INDENT
    bag.error("bad-indentation", "this line is indented like no line above it", _word(source, at), help=mend)


def _content(source: Source, bag: Bag, begin: int, at: int, what: str) -> None:
    char = source.text[at : at + 1]
    if char == ":":
        empty_key(_char(source, at), bag)
        return
    if not source.text[at:].strip():
        last = len(source.text[:at].rstrip()) - 1
        bag.error(
            "unclosed-bracket",
            "the file ends inside brackets",
            _char(source, max(0, last)),
            help="close them with `]` or `}`",
        )
        return
    shown = f", not `{char}`" if char.strip() else ""
    mend = "write it, or put the text in quotes"
    bag.error("missing-value", f"a value is expected here{shown}", _char(source, at), help=mend)


def _star(source: Source, bag: Bag, begin: int, at: int, what: str) -> None:
    char = source.text[begin : begin + 1]
    bag.error("special-character", f"a value cannot begin with `{char}`", _char(source, begin), help="put it in quotes")


def _tag(source: Source, bag: Bag, begin: int, at: int, what: str) -> None:
    bag.error(
        "tag",
        "tags, which begin with `!`, are not allowed",
        _char(source, begin),
        help="put the value in quotes if the `!` belongs to the text",
    )


def _directive(source: Source, bag: Bag, begin: int, at: int, what: str) -> None:
    bag.error("directive", "lines that begin with `%` are not read", _char(source, begin), help="remove the line")


def _rest(source: Source, bag: Bag, begin: int, at: int, what: str) -> None:
    before = _before(source, at).rstrip()
    if before.endswith(("'", '"')):
        _block_end(source, bag, begin, at, what)
        return
    bag.error("stray-text", "this does not belong to what stands above", _word(source, at), help=INDENT)


# In order: the first pattern that occurs in "context: problem" decides.
_CASES = (
    ("mapping values are not allowed", _colon),
    ("could not find expected ':'", _no_colon),
    ("that cannot start any token", _character),
    ("sequence entries are not allowed", _sequence),
    ("quoted scalar: found unexpected", _quote),
    ("quoted scalar: ", _escape),
    ("block scalar: ", _block),
    ("flow sequence: ", _flow),
    ("flow mapping: ", _flow),
    ("expected <block end>", _block_end),
    ("scanning an alias", _star),
    ("scanning an anchor", _star),
    ("tag", _tag),
    ("directive", _directive),
    ("YAML document", _directive),
    ("expected the node content", _content),
    ("expected '<document start>'", _rest),
)
