"""Where parsing stopped, and what could have gone on there: the facts from which `syntax_errors` makes its messages."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from interpreter.diagnostics import Note
from interpreter.lang import words
from interpreter.lang.layout_lines import Layout, Logical
from interpreter.lang.scan import Tok
from interpreter.source import Span, Text

if TYPE_CHECKING:
    from lark import UnexpectedInput

_LINE_KINDS = frozenset(("_NL", "_INDENT", "_DEDENT", "$END"))

# After a value, or where one is wanted, these go without saying.
_OF_EXPRESSIONS = (
    words.OPERATOR_WORDS | words.AGGREGATE_WORDS | {"none", "true", "false", "(", "[", ".", "..", "+", "-", "*", "/"}
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a diagnostic says, before it is one."""

    code: str
    message: str
    span: Span
    label: str = ""
    help: str = ""
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """Where parsing stopped: at token `at` of `line`, or at its end; `accepts` are the terminals that could go on."""

    text: Text
    line: Logical
    at: int
    kind: str
    accepts: frozenset[str]
    symbol: str

    @property
    def statements(self) -> bool:
        """Whether the text is made of statements."""
        return self.symbol in ("file", "block")

    @property
    def has_expressions(self) -> bool:
        """Whether the text may hold expressions."""
        return self.symbol not in ("type_text", "signature")

    @property
    def token(self) -> Tok | None:
        """The token that does not fit; None for the end of the line."""
        return self.line.tokens[self.at] if self.at < len(self.line.tokens) else None

    @property
    def written(self) -> str:
        """The text of that token, empty at the end of the line."""
        return self.token.text if self.token else ""

    @property
    def before(self) -> Tok | None:
        """The token before it."""
        return self.line.tokens[self.at - 1] if self.at else None

    @property
    def first(self) -> Tok:
        """The first token of the line."""
        return self.line.tokens[0]

    @property
    def starts_statement(self) -> bool:
        """Whether the token that does not fit is the first of a statement."""
        return self.statements and self.at == 0

    @property
    def wants_value(self) -> bool:
        """Whether an expression could have begun here."""
        return "NUMBER" in self.accepts

    @property
    def after_value(self) -> bool:
        """Whether an expression ends before the token. (What Lark accepts then no longer names all operators.)"""
        if self.before is None:
            return False
        if self.before.kind == "word":
            return self.before.text not in words.RESERVED or self.before.text in ("none", "true", "false")
        return self.before.kind == "number" or self.before.text in (")", "]")

    @property
    def here(self) -> Span:
        """The token that does not fit, or the place behind the line."""
        if self.token:
            return self.text.span(self.token.start, self.token.end)
        end = self.line.tokens[-1].end
        return self.text.span(end, end)

    def span(self, token: Tok) -> Span:
        """Where a token stands."""
        return self.text.span(token.start, token.end)

    def has_bracket(self) -> bool:
        """Whether the token that does not fit is followed by an opening bracket."""
        following = self.line.tokens[self.at + 1 : self.at + 2]
        return bool(following) and following[0].text == "("


def locate(error: UnexpectedInput, text: Text, layout: Layout, symbol: str) -> Failure:
    """What an error of Lark's means for the lines of the text."""
    from lark import UnexpectedToken

    kind = ""
    accepts: set[str] = set()
    offset = error.pos_in_stream or 0
    if isinstance(error, UnexpectedToken):
        kind = error.token.type
        accepts = set(error.accepts or error.expected)
        offset = len(layout.value) if kind == "$END" else offset
    offset += layout.start
    row = max(0, bisect_right([line.tokens[0].start for line in layout.lines], offset) - 1)
    if kind == "_INDENT":  # the indentation is that of the line below
        row, at = min(row + 1, len(layout.lines) - 1), 0
    elif kind in _LINE_KINDS:
        at = len(layout.lines[row].tokens)
    else:
        at = next((i for i, t in enumerate(layout.lines[row].tokens) if t.end > offset), len(layout.lines[row].tokens))
    return Failure(text, layout.lines[row], at, kind, frozenset(accepts), symbol)


def expected(f: Failure) -> str:
    """What could have stood there, in words: a value or name, words of the language, signs."""
    parts = []
    if f.wants_value:
        parts.append("a value")
    elif "NAME" in f.accepts:
        parts.append("a name")
    if "STRING" in f.accepts:
        parts.append("a text")
    spelled = sorted(spelled_terminals()[a] for a in f.accepts if a in spelled_terminals())
    if f.wants_value or f.after_value:
        # Of the words that are then possible, those of expressions say nothing new.
        spelled = [s for s in spelled if s not in _OF_EXPRESSIONS] or spelled * (not parts)
    parts.extend(f"`{s}`" for s in spelled)
    if f.after_value and f.accepts & {"AND", "PLUS"}:
        parts.append("an operator")
    if "_NL" in f.accepts or "$END" in f.accepts:
        parts.append("the end of the line" if f.statements else "the end")
    parts = parts or ["something else"]
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " or " + parts[-1]


@cache
def spelled_terminals() -> dict[str, str]:
    """How each terminal that is a fixed word or sign is written."""
    from lark.lexer import PatternStr

    from interpreter.lang.lark_tables import parser

    return {t.name: t.pattern.value for t in parser().terminals if isinstance(t.pattern, PatternStr)}
