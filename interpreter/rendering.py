"""How a diagnostic looks: as a block for people, one line for lists, JSON for programs, an annotation for GitHub.

Everything shown comes from files that nobody vouches for, so control characters never reach the terminal as they are.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Any

from interpreter.diagnostics import ERROR, INFO, WARNING, Diagnostic
from interpreter.source import Span

TAB = "    "
WIDEST = 120  # longer source lines are cut around the place that matters
BEFORE = 60  # how much of a long line stays in front of that place

_STYLE = {ERROR: "1;31", WARNING: "1;33", INFO: "1;36", "frame": "1;34", "message": "1", "note": "1;32"}


def render(diagnostic: Diagnostic, color: bool = False) -> str:
    """The whole finding, several lines, without a line end at the last; `color` adds terminal colours."""
    d = diagnostic
    head = _paint(f"{d.severity}[{d.code}]", d.severity, color) + _paint(f": {clean(d.message)}", "message", color)
    lines = [head]
    width = 2
    if d.span is not None:
        last = d.span.source.place(max(d.span.start, d.span.end - 1))[0]
        width = max(width, len(str(last)))
        rule = f"  (rule {clean(d.rule)})" if d.rule else ""
        lines.append(f"{_arrow(width, color)} {place(d.span)}{rule}")
        if d.span.source.text:
            lines.extend(_excerpt(d.span, d.label, d.severity, width, color))
    elif d.rule:
        lines.append(f"{_arrow(width, color)} (rule {clean(d.rule)})")
    for note in d.notes:
        lines.append(_paint("note", "note", color) + f": {clean(note.text)}")
        if note.span is not None:
            lines.append(f"{_arrow(width, color)} {place(note.span)}")
    if d.help:
        lines.append(_paint("help", "note", color) + f": {clean(d.help)}")
    return "\n".join(lines)


def concise(diagnostic: Diagnostic) -> str:
    """One line: `path:line:column: severity[code]: message (help)`."""
    d = diagnostic
    where = f"{place(d.span)}: " if d.span is not None else ""
    hint = f" ({clean(d.help)})" if d.help else ""
    return f"{where}{d.severity}[{d.code}]: {clean(d.message)}{hint}"


def to_json(diagnostic: Diagnostic) -> dict[str, Any]:
    """The finding as plain data; lines and columns count from 1, `end_column` is that behind the last character."""
    d = diagnostic
    return {
        "code": d.code,
        "severity": d.severity,
        "message": d.message,
        "label": d.label,
        "help": d.help,
        "rule": d.rule,
        "span": _span_json(d.span),
        "notes": [{"text": n.text, "span": _span_json(n.span)} for n in d.notes],
    }


def github(diagnostic: Diagnostic) -> str:
    """A workflow command that puts the finding beside the line in a pull request."""
    d = diagnostic
    kind = {ERROR: "error", WARNING: "warning"}.get(d.severity, "notice")
    fields: list[tuple[str, str]] = []
    if d.span is not None:
        line, column = d.span.source.place(d.span.start)
        end_line, end_column = d.span.source.place(max(d.span.start, d.span.end - 1))
        fields += [("file", d.span.source.path), ("line", str(line)), ("col", str(column))]
        fields += [("endLine", str(end_line)), ("endColumn", str(end_column))]
    fields.append(("title", d.code))
    message = d.message + (f"\nhelp: {d.help}" if d.help else "")
    return f"::{kind} " + ",".join(f"{k}={_escape_property(v)}" for k, v in fields) + f"::{_escape_data(message)}"


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """`3 errors, 1 warning`; `no errors` if there is nothing to say."""
    found = [d.severity for d in diagnostics]
    words = ((ERROR, "error"), (WARNING, "warning"), (INFO, "remark"))
    parts = [f"{n} {word}{'s' if n > 1 else ''}" for severity, word in words if (n := found.count(severity))]
    return ", ".join(parts) or "no errors"


def place(span: Span) -> str:
    """`path:line:column`, or only the path where the file as a whole is meant."""
    path = clean(span.source.path)
    if not span.source.text:
        return path
    line, column = span.source.place(span.start)
    return f"{path}:{line}:{column}"


def clean(text: str) -> str:
    """The text on one line, with everything made visible that could command a terminal or reorder what is read."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_visible(c) for c in text)


def width_of(text: str) -> int:
    """Columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(_width(c) for c in text)


def _visible(c: str) -> str:
    if c == "\n":
        return "\\n"
    if c == "\t":
        return TAB
    if unicodedata.category(c) in ("Cc", "Cs") or c in "\u2028\u2029" or unicodedata.bidirectional(c) in _REORDERING:
        return "\N{REPLACEMENT CHARACTER}"
    return c


_REORDERING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def _width(c: str) -> int:
    if unicodedata.category(c) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1


def _excerpt(span: Span, label: str, severity: str, width: int, color: bool) -> list[str]:
    """The first line of the span and, if it goes on, the last one, underlined."""
    source = span.source
    line, column = source.place(span.start)
    end_line, end_column = source.place(max(span.start, span.end - 1))
    end_column += 1 if span.end > span.start else 0
    rows = [_gutter("", width, color)]
    if end_line == line:
        rows += _underlined(source.line(line), line, column, end_column, label, severity, width, color)
        return rows
    first = source.line(line)
    rows += _underlined(first, line, column, len(first) + 1, "", severity, width, color)
    if end_line > line + 1:
        rows.append(_paint("...", "frame", color))
    last = source.line(end_line)
    begin = len(last) - len(last.lstrip()) + 1
    rows += _underlined(last, end_line, min(begin, end_column), end_column, label, severity, width, color)
    return rows


def _underlined(
    text: str, number: int, start: int, end: int, label: str, severity: str, width: int, color: bool
) -> list[str]:
    """A source line and carets below columns `start` to `end` (excluded)."""
    start, end = min(start, len(text) + 1), min(end, len(text) + 1)
    before, marked, after = text[: start - 1], text[start - 1 : end - 1], text[end - 1 :]
    if len(text) > WIDEST:
        before = "…" + before[-BEFORE:] if len(before) > BEFORE else before
        marked = marked[:BEFORE] + "…" if len(marked) > BEFORE else marked
        room = max(0, WIDEST - len(before) - len(marked))
        after = after[:room] + "…" if len(after) > room else after
    before, marked, after = clean(before), clean(marked), clean(after)
    carets = "^" * max(1, width_of(marked))
    tail = f"{carets} {clean(label)}" if label else carets
    return [
        f"{_gutter(str(number), width, color)} {before}{marked}{after}".rstrip(),
        f"{_gutter('', width, color)} {' ' * width_of(before)}{_paint(tail, severity, color)}",
    ]


def _gutter(number: str, width: int, color: bool) -> str:
    return _paint(f"{number:>{width}} |", "frame", color)


def _arrow(width: int, color: bool) -> str:
    return _paint(f"{' ' * width}-->", "frame", color)


def _paint(text: str, style: str, color: bool) -> str:
    return f"\x1b[{_STYLE[style]}m{text}\x1b[0m" if color else text


def _span_json(span: Span | None) -> dict[str, Any] | None:
    if span is None:
        return None
    line, column = span.source.place(span.start)
    end_line, end_column = span.source.place(max(span.start, span.end - 1))
    return {
        "path": span.source.path,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column + (1 if span.end > span.start else 0),
    }


def _escape_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape_data(text).replace(":", "%3A").replace(",", "%2C")
