"""Words for what Lark could not parse.

Lark says at which token it stopped and which kinds of token could have stood there. Each function below knows one kind
of mistake by these two facts and the tokens around; the first that recognises its own speaks, and there is always the
last, which lists what was expected.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from interpreter.diagnostics import Bag, Note, did_you_mean, nearest
from interpreter.lang import words
from interpreter.lang.failure import Failure, Finding, expected, locate, spelled_terminals
from interpreter.lang.layout_lines import Layout
from interpreter.lang.syntax_forms import FORMS, form
from interpreter.source import Text

if TYPE_CHECKING:
    from lark import UnexpectedInput

_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))

# A comparison cannot reach back beyond these: `a == b and c == d` is no chain.
_COMPARISON_ENDS = frozenset(
    ("and", "or", "not", "if", "else", "where", "of", "have", "=", "+=", "-=", ",", "by", "costs", "from", "when", "in")
)


def explain(error: UnexpectedInput, text: Text, layout: Layout, bag: Bag, symbol: str) -> None:
    """Reports an error that Lark met in a text of that start symbol."""
    failure = locate(error, text, layout, symbol)
    found = next(finding for finding in (known(failure) for known in _KNOWN) if finding is not None)
    bag.error(found.code, found.message, found.span, label=found.label, help=found.help, notes=found.notes)


# ---- lines and bodies -----------------------------------------------------------------------------------------------


def _too_deep_a_line(f: Failure) -> Finding | None:
    if f.kind != "_INDENT":
        return None
    return Finding(
        "bad-indent",
        "this line is indented deeper than the line above",
        f.here,
        f"{f.line.indent} blanks before it",
        "a body follows a line that ends in `:`",
    )


def _body_on_the_line(f: Failure) -> Finding | None:
    if f.accepts != {"_NL"} or f.before is None or f.before.text != ":" or f.token is None:
        return None
    return Finding(
        "inline-body",
        f"the body of `{f.first.text}` begins on the same line",
        f.here,
        "behind the colon",
        "write it on the line below, indented by four more blanks",
    )


def _no_option(f: Failure) -> Finding | None:
    if f.starts_statement and f.accepts and f.accepts <= {"OPTION", "_DEDENT"}:
        return Finding(
            "syntax",
            "a decision without a variable is a menu, and this is no `option` of it",
            f.here,
            "expected `option`",
            "write `option NAME …:` lines, or say what is chosen: `choose x in S …:`",
        )
    if f.starts_statement and f.accepts and f.accepts <= {"CASE", "ELSE", "_DEDENT"}:
        return Finding("syntax", "the body of `match` holds only `case` and `else`", f.here, "expected `case`")
    return None


def _end_of_line(f: Failure) -> Finding | None:
    if f.token is not None:
        return None
    if "COLON" in f.accepts and f.statements and f.first.text in words.OPENING_WORDS:
        return Finding("missing-colon", "the colon at the end of this line is missing", f.here, "expected `:`")
    what = "text" if not f.statements else "line"
    if f.wants_value and f.before is not None:
        return Finding("syntax", f"nothing follows `{f.before.text}`", f.span(f.before), "a value is missing")
    return Finding("syntax", f"the {what} ends too early", f.here, f"expected {expected(f)}", form(f))


def _line_went_on(f: Failure) -> Finding | None:
    """An operator at the end of a line joined it to the next, which is a statement of its own."""
    if f.token is None or f.before is None or not f.wants_value or f.written not in words.STATEMENT_WORDS:
        return None
    if "\n" not in f.text.value[f.before.end : f.token.start]:
        return None
    return Finding("syntax", f"nothing follows `{f.before.text}`", f.span(f.before), "a value is missing")


# ---- words out of place ---------------------------------------------------------------------------------------------

_STRAY = {
    "else": "`else:` stands under its `if`, `match`, `choose` or `may`, directly behind its body",
    "elif": "`elif` stands under its `if`, directly behind its body",
    "case": "`case` stands in the body of `match`",
    "option": "`option` stands in the body of a `choose` or `keep choosing` that names no variable",
    "by": "`by` goes on with a decision, before its colon",
    "costs": "`costs` goes on with a decision, before its colon",
    "when": "`when` goes on with a decision, before its colon; to test, write `if`",
    "as": "`as` goes on with the line before, before its colon",
    "fun": "a definition begins at the left margin of a file of rules",
    "effect": "a definition begins at the left margin of a file of rules",
    "open": "a definition begins at the left margin of a file of rules",
    "each": "write `for each x in S:`",
    "chosen": "write `for each x in S chosen by p:`",
    "choosing": "write `keep choosing x in S …:`",
    "set": "write `x = …`",
    "until": "write `while not …:`",
    "where": "`where` goes on with `x in S`, before the colon",
}


def _roll(f: Failure) -> Finding | None:
    if f.written not in ("roll", "disclose"):
        return None
    what = "roll" if f.written == "roll" else "disclosure"
    unnamed = f.starts_statement
    message = f"the result of this {what} gets no name" if unnamed else f"a {what} stands inside an expression"
    return Finding(
        f"{f.written}-place",
        message,
        f.here,
        "not alone behind `let x =`",
        f"a {what} stands alone behind `let x =`: write `let r = {f.written} …` on a line of its own before, "
        "and use `r` here",
    )


def _stray_word(f: Failure) -> Finding | None:
    if not f.starts_statement or f.written not in words.RESERVED:
        return None
    mend = _STRAY.get(f.written, "")
    return Finding("stray-word", f"`{f.written}` begins no statement", f.here, "not here", mend)


def _decision(f: Failure) -> Finding | None:
    if f.written not in words.DECIDING_WORDS or not f.wants_value:
        return None
    return Finding(
        "decision-place",
        f"`{f.written}` asks a player, and an expression cannot wait",
        f.here,
        "inside an expression",
        "put the decision on a line of its own before",
    )


def _else_if(f: Failure) -> Finding | None:
    if f.written != "if" or f.before is None or f.before.text != "else" or f.at != 1:
        return None
    span = f.span(f.before).to(f.here)
    return Finding("foreign-word", "`else if` is no form of the language", span, "two words", "write `elif`")


def _for_each(f: Failure) -> Finding | None:
    if f.before is None or f.before.text != "for" or "EACH" not in f.accepts:
        return None
    mend = did_you_mean(f.written, ["each"]) if f.token else ""
    return Finding(
        "syntax", "`for` without `each`", f.span(f.before), "expected `for each`", mend or "write `for each x in S:`"
    )


def _statement_word(f: Failure) -> Finding | None:
    """The first word of the line is no name of an effect, but a keyword misspelt or of another language."""
    first = f.first
    if not f.statements or f.token is None or f.at == 0 or first.kind != "word" or first.text in words.RESERVED:
        return None
    if any(t.text in ("=", "+=", "-=") for t in f.line.tokens[: f.at]):
        return None
    mend = words.FOREIGN_STATEMENTS.get(first.text, "")
    plainly = f.at == 1 and f.token.kind != "op"
    if not mend and (plainly or f.token.kind == "word" or f.written == ":") and "NAME" not in f.accepts:
        mend = _near_statement(f)
    if not mend and not plainly:
        return None
    if not mend and f.token.text in words.OPERATOR_WORDS:
        return None
    return Finding("unknown-statement", f"`{first.text}` begins no statement", f.span(first), "unknown word", mend)


def _near_statement(f: Failure) -> str:
    """The word that was meant: one that opens a body only where a colon ends the line, one of about the same length."""
    word, opens = f.first.text, f.line.opens
    if len(word) < 3:  # variables are as short, and near to `if`
        return ""
    known = words.COMPOUND_WORDS | {"else", "elif", "case", "option"} if opens else words.STATEMENT_WORDS
    near = nearest(word, [k for k in known if abs(len(k) - len(word)) < 3])
    meant = [k for k in near if opens or k in words.SIMPLE_WORDS or not _could_be_call(f)]
    if meant:
        return did_you_mean(word, meant)
    return f"an effect is called with brackets: `{word}({_arguments(f)})`" if _could_be_call(f) else ""


def _could_be_call(f: Failure) -> bool:
    """Whether the line is nothing but a name with names and numbers behind it."""
    rest = f.line.tokens[1:]
    return all(t.kind == "number" or (t.kind == "word" and t.text not in words.RESERVED) for t in rest)


def _arguments(f: Failure) -> str:
    return ", ".join(t.text for t in f.line.tokens[1:])


def _reserved(f: Failure) -> Finding | None:
    """A word of the language where a name or value is wanted."""
    if f.token is None or f.written not in words.RESERVED or "NAME" not in f.accepts:
        return None
    word = f.written
    if not f.wants_value:
        return Finding(
            "reserved-word", f"`{word}` is a word of the language", f.here, "cannot be a name", "choose another name"
        )
    if word in words.OPERATOR_WORDS:
        return Finding("syntax", f"`{word}` stands where a value is expected", f.here, "expected a value")
    if word in words.AGGREGATE_WORDS and not f.has_bracket():
        mend = f"as an aggregate it takes brackets, `{word}(x in S …)`; a name must be another word"
        return Finding("reserved-word", f"`{word}` is a word of the language", f.here, "not a value", mend)
    is_statement = word in words.STATEMENT_WORDS
    mend = "an expression holds no statements" if is_statement else "if it is meant as a name, choose another one"
    return Finding("reserved-word", f"`{word}` is a word of the language", f.here, "not a value", mend)


def _foreign_word(f: Failure) -> Finding | None:
    for token in (f.token, f.before):
        if token is not None and token.text in words.FOREIGN_WORDS and (token is f.token or f.at > 1):
            mend = words.FOREIGN_WORDS[token.text]
            message = f"`{token.text}` is no word of the language"
            return Finding("foreign-word", message, f.span(token), "not known here", mend)
    return None


# ---- operators ------------------------------------------------------------------------------------------------------


def _equals(f: Failure) -> Finding | None:
    if f.written != "=" or "COMPARE" not in f.accepts:
        return None
    message = "`=` sets a value and does not compare"
    return Finding("foreign-operator", message, f.here, "not a comparison", "write `==`")


def _chain(f: Failure) -> Finding | None:
    if f.written not in _COMPARISONS or "COMPARE" in f.accepts or not f.after_value:
        return None
    depth = 0
    for token in reversed(f.line.tokens[: f.at]):
        if token.text in (")", "]"):
            depth += 1
        elif token.text in ("(", "["):
            depth -= 1
        if depth < 0 or (depth == 0 and token.text in _COMPARISON_ENDS):
            return None
        if depth == 0 and token.text in _COMPARISONS:
            return Finding(
                "comparison-chain",
                "comparisons do not chain",
                f.here,
                "the second comparison",
                f"write `a {token.text} b and b {f.written} c`",
                (Note("the first comparison", f.span(token)),),
            )
    return None


def _value_statement(f: Failure) -> Finding | None:
    if not f.statements or "SET" not in f.accepts or not f.after_value or f.token is None:
        return None
    if f.written in _COMPARISONS:
        mend = "write `=` to set a value" if f.written == "==" else ""
        return Finding("syntax", "a comparison is no statement", f.here, "compares", mend)
    if f.token.kind == "op" or f.written in words.OPERATOR_WORDS:
        mend = "write `let x = …` to give it a name"
        if f.written in ("+", "-"):
            mend += f", `{f.written}=` to change what stands before it"
        return Finding("syntax", "a value is no statement", f.here, "computes", mend)
    return None


def _missing(f: Failure) -> Finding | None:
    """One thing only could have stood here, or two values stand side by side."""
    if f.token is None:
        return None
    keywords = [spelled_terminals()[a] for a in f.accepts if spelled_terminals().get(a, "").isalpha()]
    near = nearest(f.written, keywords) if f.token.kind == "word" and f.written not in words.RESERVED else []
    if len(f.accepts) == 1 and f.accepts <= set(spelled_terminals()):
        only = spelled_terminals()[next(iter(f.accepts))]
        mend = did_you_mean(f.written, near) or form(f)
        return Finding("syntax", f"`{only}` is missing before `{f.written}`", f.here, f"expected `{only}`", mend)
    if near:
        label = f"expected {expected(f)}"
        return Finding("syntax", f"`{f.written}` cannot stand here", f.here, label, did_you_mean(f.written, near))
    begins_value = f.token.kind in ("word", "number") and f.written not in words.RESERVED
    if f.after_value and begins_value and f.before is not None and f.has_expressions:
        message = f"an operator is missing between `{f.before.text}` and `{f.written}`"
        return Finding("syntax", message, f.here, "expected an operator")
    return None


def _anything_else(f: Failure) -> Finding:
    mend = form(f) if f.after_value or not f.wants_value else ""
    return Finding("syntax", f"`{f.written}` cannot stand here", f.here, f"expected {expected(f)}", mend)


_KNOWN: tuple[Callable[[Failure], Finding | None], ...] = (
    _too_deep_a_line,
    _body_on_the_line,
    _no_option,
    *FORMS,
    _roll,
    _stray_word,
    _end_of_line,
    _line_went_on,
    _decision,
    _else_if,
    _for_each,
    _statement_word,
    _reserved,
    _foreign_word,
    _equals,
    _chain,
    _value_statement,
    _missing,
    _anything_else,
)
