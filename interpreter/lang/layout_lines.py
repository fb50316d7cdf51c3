"""Lines: which of them go on, and whether their indentation says something.

A line that ends in a comma, an operator or `=`, or stands inside an open bracket, or is followed by a line that begins
with a word such as `by`, `costs` or `chosen`, is joined to the next. Joining overwrites what lies between the two
with blanks, so every offset stays what it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from interpreter.diagnostics import Bag, Note
from interpreter.lang.scan import Line, Tok, scan
from interpreter.lang.words import CLAUSE_WORDS, DEFINITION_WORDS, OPENING_WORDS, OPERATOR_WORDS, STATEMENT_WORDS
from interpreter.source import Text

_GOING_ON = OPERATOR_WORDS | {",", "=", "+=", "-=", "+", "-", "*", "/", "==", "!=", "<", "<=", ">", ">=", "..", "->"}
_CLOSERS = {"(": ")", "[": "]"}

# Words that stand inside no expression: at the start of a line they prove that an open bracket was forgotten.
# (`if` may begin the second line of an expression in brackets.)
_NOT_IN_BRACKETS = (STATEMENT_WORDS | DEFINITION_WORDS | {"elif", "case", "option"}) - {"if"}


@dataclass(frozen=True, slots=True)
class Logical:
    """A line after joining. `flawed`: an error in it was reported already."""

    indent: int
    tokens: tuple[Tok, ...]
    flawed: bool

    @property
    def opens(self) -> bool:
        """Whether a body must follow."""
        return self.tokens[-1].text == ":"

    @property
    def lacks_colon(self) -> bool:
        """Whether it looks as if its colon were missing; the parser will say so, better than the indentation can."""
        if self.tokens[0].text not in OPENING_WORDS:
            return False
        return self.tokens[0].text not in DEFINITION_WORDS or all(t.text != "=" for t in self.tokens)


@dataclass(frozen=True, slots=True)
class Layout:
    """Logical lines of a stretch of text from `start`; `value` is that stretch with joined lines and no tabs."""

    start: int
    value: str
    lines: tuple[Logical, ...]

    def cut(self, lines: Sequence[Logical]) -> Layout:
        """The layout of some neighbouring lines of this one."""
        first, last = lines[0].tokens[0].start, lines[-1].tokens[-1].end
        return Layout(first, self.value[first - self.start : last - self.start], tuple(lines))


def lay_out(text: Text, start: int, end: int, bag: Bag, *, flat: bool = False) -> Layout:
    """Joins the lines between two offsets; `flat` joins all of them, for texts that are one expression."""
    groups: list[list[Line]] = []
    open_brackets: list[Tok] = []
    for line in scan(text, start, end, bag):
        word = line.tokens[0].text
        if open_brackets and not flat and word in _NOT_IN_BRACKETS:
            groups[-1].append(_report_unclosed(text, open_brackets, bag))
        if groups and (flat or open_brackets or _goes_on(groups[-1], word)):
            groups[-1].append(line)
        else:
            groups.append([line])
        if not _match_brackets(text, line, open_brackets, bag):
            groups[-1].append(_FLAW)
        if open_brackets and not flat and line.tokens[-1].text == ":":
            groups[-1].append(_report_unclosed(text, open_brackets, bag))
    if open_brackets:
        groups[-1].append(_report_unclosed(text, open_brackets, bag))
    lines = tuple(_logical(group) for group in groups)
    return Layout(start, _blank_gaps(text.value[start:end], start, lines), lines)


_FLAW = Line(0, [], True)  # marks the group it is put into


def _logical(group: list[Line]) -> Logical:
    tokens = tuple(token for line in group for token in line.tokens)
    return Logical(group[0].indent, tokens, any(line.flawed for line in group))


def _goes_on(group: list[Line], next_word: str) -> bool:
    end = next(line.tokens[-1] for line in reversed(group) if line.tokens)  # the marks of flaws have none
    last = end.text
    if last in OPERATOR_WORDS and end is group[0].tokens[0]:
        return False  # an `else` whose colon was forgotten
    return last in _GOING_ON or (next_word in CLAUSE_WORDS and last != ":")


def _match_brackets(text: Text, line: Line, open_brackets: list[Tok], bag: Bag) -> bool:
    """Follows the brackets of a line; False at the first that closes nothing, or the wrong thing."""
    for token in line.tokens:
        if token.text in _CLOSERS:
            open_brackets.append(token)
        elif token.text in (")", "]"):
            span = text.span(token.start, token.end)
            if not open_brackets:
                bag.error("stray-bracket", f"`{token.text}` closes nothing", span, label="no bracket is open here")
                return False
            opener = open_brackets.pop()
            if _CLOSERS[opener.text] != token.text:
                open_brackets.clear()
                bag.error(
                    "unclosed-bracket",
                    f"`{opener.text}` is closed by `{token.text}`",
                    text.span(opener.start, opener.end),
                    label="opened here",
                    notes=[Note("closed here", span)],
                )
                return False
    return True


def _report_unclosed(text: Text, open_brackets: list[Tok], bag: Bag) -> Line:
    """Reports the innermost open bracket and forgets them all: one message a mistake."""
    opener = open_brackets[-1]
    open_brackets.clear()
    bag.error(
        "unclosed-bracket",
        f"`{opener.text}` is never closed",
        text.span(opener.start, opener.end),
        label=f"has no `{_CLOSERS[opener.text]}`",
    )
    return _FLAW


def _blank_gaps(value: str, start: int, lines: Sequence[Logical]) -> str:
    """Overwrites line ends and remarks inside of logical lines."""
    pieces = []
    done = 0
    for line in lines:
        for token, following in pairwise(line.tokens):
            low, high = token.end - start, following.start - start
            if "\n" in value[low:high]:
                pieces.append(value[done:low])
                pieces.append(" " * (high - low))
                done = high
    pieces.append(value[done:])
    return "".join(pieces)


def check_indentation(text: Text, lines: Sequence[Logical], bag: Bag) -> bool:
    """Whether every body is indented, and nothing else is; reports each line that is not as it should be."""
    fits = True
    levels = [0]
    above: Logical | None = None
    for line in lines:
        place = text.span(line.tokens[0].start, line.tokens[0].end)
        if line.indent > levels[-1]:
            excused = line.flawed or (above is not None and (above.opens or above.flawed or above.lacks_colon))
            if not excused:
                message = "this line is indented deeper than the line above" if above else "the first line is indented"
                bag.error(
                    "bad-indent",
                    message,
                    place,
                    label=f"{line.indent} blanks before it",
                    help="a body follows a line that ends in `:`" if above else "let it begin at the left margin",
                )
                fits = False
            levels.append(line.indent)
        else:
            if above is not None and above.opens and not above.flawed and not line.flawed:
                _report_bodiless(text, above, bag)
                fits = False
            while line.indent < levels[-1]:
                closed = levels.pop()
                if line.indent > levels[-1]:
                    levels.append(line.indent)
                    if line.flawed:
                        break
                    bag.error(
                        "bad-indent",
                        "this line ends a body, but stands under no line above",
                        place,
                        label=f"{line.indent} blanks before it",
                        help=f"indent it by {levels[-2]} or {closed} blanks",
                    )
                    fits = False
        above = line
    if above is not None and above.opens and not above.flawed:
        _report_bodiless(text, above, bag)
        fits = False
    return fits


def _report_bodiless(text: Text, line: Logical, bag: Bag) -> None:
    colon = line.tokens[-1]
    bag.error(
        "missing-body",
        f"the body of `{line.tokens[0].text}` is missing",
        text.span(colon.start, colon.end),
        label="nothing indented follows",
        help="write the body on the lines below, indented by four more blanks",
    )
