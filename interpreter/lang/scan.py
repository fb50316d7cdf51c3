"""The first look at a text: its lines and tokens, and what can be no token of the language.

Lark has a lexer of its own. This one exists because the layout of lines must be known before Lark starts, and because
the habits people bring from other languages (`&&`, curly quotes, `True`) are best recognised here, where each of them
is a token, instead of as a parse that fails somewhere behind them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from interpreter.diagnostics import Bag
from interpreter.lang.words import FOREIGN_VALUES, RESERVED
from interpreter.source import Text


class Tok(NamedTuple):
    """A token: `kind` is word, number, string or op; the offsets are those of the whole text."""

    kind: str
    text: str
    start: int
    end: int


class Line(NamedTuple):
    """A line that holds more than blanks and a comment. `flawed`: it has an error, so nothing else is said about it."""

    indent: int
    tokens: list[Tok]
    flawed: bool


_TOKEN = re.compile(
    r"""
      (?P<blank>   [ ]+ )
    | (?P<comment> \#.* )
    | (?P<string>  "[^"]*" )
    | (?P<word>    [A-Za-z_][A-Za-z0-9_]* )
    | (?P<decimal> [0-9]+\.[0-9]+ )
    | (?P<number>  [0-9]+ )
    | (?P<alien>   ===|!== )
    | (?P<op>      ->|\.\.|==|!=|<=|>=|\+=|-= )
    | (?P<foreign> <>|&&|\|\||\+\+|--(?=[ ]*(?:$|[),\#]))|\*\*|//|\*=|/=|:=|=>|=<|[!&|^~?;%@$\\`{}] )
    | (?P<single>  [-+*/<>=().,:\[\]] )
    | (?P<open_string> "[^"]*$ )
    | (?P<quoted>  '[^']*'? )
    | (?P<curly>   [“”„‟«‘’‚][^"“”‟»’]*["“”‟»’]? )
    | (?P<tab>     \t+ )
    | (?P<bad>     . )
    """,
    re.VERBOSE | re.DOTALL,
)

_WRITE_INSTEAD = {
    "===": "write `==`",
    "!==": "write `!=`",
    "<>": "write `!=`",
    "&&": "write `and`",
    "&": "write `and`",
    "||": "write `or`",
    "|": "write `or`",
    "!": "write `not`",
    "~": "write `not`",
    "++": "write `x += 1`",
    "--": "write `x -= 1`",
    "**": "the language has no powers",
    "//": "write `floor(a / b)`; a remark begins with `#`",
    "%": "the language has no remainder",
    "*=": "write `x = x * …`",
    "/=": "write `!=` to compare, `x = floor(x / …)` to divide",
    ":=": "write `=`",
    "=>": "write `>=` to compare, `->` before the type of a result",
    "=<": "write `<=`",
    ";": "write each statement on a line of its own",
    "{": "write `[a, b]` for a set or a list; holes with braces stand in texts only",
    "}": "write `[a, b]` for a set or a list; holes with braces stand in texts only",
    "\\": "a line goes on by itself behind a comma or an operator and inside brackets",
}

_LOOKALIKES = {
    "\u00a0": "write a plain blank",
    "\u2007": "write a plain blank",
    "\u202f": "write a plain blank",
    "\u200b": "delete it",
    "\ufeff": "delete it",
    "\r": "delete it",
    "\u2010": "write `-`",
    "\u2011": "write `-`",
    "\u2013": "write `-`",
    "\u2014": "write `-`",
    "\u2212": "write `-`",
    "\u00d7": "write `*`",
    "\u00f7": "write `/`",
    "\u2026": "write `..` for a range",
    "\u2264": "write `<=`",
    "\u2265": "write `>=`",
    "\u2260": "write `!=`",
    "\u2227": "write `and`",
    "\u2228": "write `or`",
    "\u00ac": "write `not`",
    "\u2208": "write `in`",
    "\u2192": "write `->`",
}


def scan(text: Text, start: int, end: int, bag: Bag) -> list[Line]:
    """The lines between two offsets of a text; each line reports at most its first error."""
    lines = []
    at = start
    while at < end:
        stop = text.value.find("\n", at, end)
        stop = end if stop < 0 else stop
        line = _scan_line(text, at, stop, bag)
        if line.tokens:
            lines.append(line)
        at = stop + 1
    return lines


def _scan_line(text: Text, start: int, end: int, bag: Bag) -> Line:
    tokens: list[Tok] = []
    flawed = False
    indent: int | None = None
    # The line is cut out, so that `$` in the pattern is its end.
    for found in _TOKEN.finditer(text.value[start:end]):
        kind = str(found.lastgroup)
        if kind in ("blank", "comment"):
            continue
        token = Tok("op" if kind == "single" else kind, found.group(), start + found.start(), start + found.end())
        if kind == "tab":
            if not text.value[token.end : end].strip():
                continue  # tabs at the end of a line harm nobody
        elif indent is None:
            indent = found.start()
        if not flawed and not _fits(token):
            flawed = True
            _report(text, token, tokens, end, bag)
        if kind != "tab":
            tokens.append(token)
    return Line(indent or 0, tokens, flawed)


def _fits(token: Tok) -> bool:
    """Whether it is a token of the language."""
    if token.kind == "word":
        return token.text == token.text.lower()
    return token.kind in ("string", "number", "op")


def _report(text: Text, token: Tok, before: list[Tok], end: int, bag: Bag) -> None:
    """Says what a token is that the language does not have."""
    written = token.text
    whole = text.span(token.start, token.end)
    first = text.span(token.start, token.start + 1)
    if token.kind == "tab":
        place = "between words" if before else "in the indentation"
        bag.error("tab", f"a tab {place}", whole, label="a tab", help="indent and separate with blanks")
    elif token.kind == "word":
        lower = written.lower()
        if lower in RESERVED or lower in FOREIGN_VALUES:
            bag.error(
                "foreign-word",
                f"`{written}` is no word of the language",
                whole,
                label="words have no capitals",
                help=f"write `{FOREIGN_VALUES.get(lower, lower)}`",
            )
        else:
            bag.error("name-case", f"the name `{written}` has capitals", whole, label="a name", help=f"write `{lower}`")
    elif token.kind == "open_string":
        bag.error(
            "unclosed-text",
            "this text is not closed",
            first,
            label="opened here",
            help='close it with `"` on the same line; a text cannot hold a `"`',
        )
    elif token.kind in ("quoted", "curly"):
        name = "single" if token.kind == "quoted" else "curly"
        bag.error("foreign-quote", f"a text in {name} quotes", first, label='not a `"`', help='write `"…"`')
    elif token.kind == "decimal":
        message = f"`{written}` is no whole number"
        bag.error("decimal", message, whole, label="a fraction", help="count in smaller units")
    elif token.kind in ("foreign", "alien"):
        bag.error(
            "foreign-operator",
            f"`{written}` is no operator of the language",
            whole,
            label="not an operator",
            help=_mend_operator(written, text.value[token.end : end]),
        )
    else:
        shown = f"`{written}` (U+{ord(written):04X})" if written.isprintable() else f"U+{ord(written):04X}"
        bag.error(
            "character",
            f"the character {shown} is not part of the language",
            whole,
            label="outside of a text",
            help=_LOOKALIKES.get(written, ""),
        )


def _mend_operator(operator: str, rest: str) -> str:
    if operator == "?":
        if re.match(r"[ ]*($|[),=:#])", rest):
            return "write `maybe T` for a type whose value may be missing"
        return "write `b if a else c`"
    return _WRITE_INSTEAD.get(operator, "")
