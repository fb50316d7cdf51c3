"""Forms of the language that are half right: a clause in the wrong place, a parameter without a type, a call without
brackets. Each function knows one of them; what it does not know is left to `syntax_errors`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile

from interpreter.diagnostics import Note
from interpreter.lang import words
from interpreter.lang.failure import Failure, Finding
from interpreter.lang.scan import Tok

_CHOOSING = frozenset(("choose", "may", "keep"))

# How statements are written, for those whose words stand in a fixed order.
_FORMS = {
    "let": "let x = …",
    "move": "move X to PLACE",
    "draw": "draw N from ZONE to PLACE",
    "log": 'log "…"',
    "win": 'win P as "…"',
    "finish": 'finish as "…"',
    "repeat": "repeat N:",
    "match": "match X:",
    "for": "for each x in S where C:",
    "alternate": "alternate p from x until all pass:",
    "secretly": "secretly for each p in players:",
    "choose": 'choose x in S where C by P as id "…":',
    "may": 'may choose x in S where C by P as id "…":` or `may by P as id "…":',
    "keep": 'keep choosing x in S where C by P as id "…":',
    "option": 'option NAME for x in S as "…":',
    "fun": "fun f(a: T, b: T) -> T = …",
    "effect": "effect f(a: T, b: T):",
}

_AGGREGATES = {
    "count": "count(x in S where C)",
    "sum": "sum(x in S where C of E)",
    "any": "any(x in S where C)",
    "all": "all(x in S where C have E)",
    "those": "those(x in S where C)",
    "first": "first(x in S where C)",
    "the": "the(x in S where C)",
    "most": "most(x in S where C of E)",
    "least": "least(x in S where C of E)",
    "highest": "highest(x in S where C of E)",
    "lowest": "lowest(x in S where C of E)",
    "leading": "leading(x in L where C)",
    "chance": "chance(d in DIE where C)",
}


def form(f: Failure) -> str:
    """How what could not be read is written, as a sentence for `help`; empty if it has no fixed form."""
    opener = _bracket(f)
    if opener is not None:
        written = _AGGREGATES.get(f.line.tokens[opener - 1].text if opener else "")
        return f"write `{written}`" if written else ""
    written = _FORMS.get(f.first.text) if f.statements else None
    return f"write `{written}`" if written else ""


def _bracket(f: Failure) -> int | None:
    """Which token is the innermost bracket that is open before the one that does not fit."""
    opened = []
    for i, token in enumerate(f.line.tokens[: f.at]):
        if token.text in ("(", "["):
            opened.append(i)
        elif token.text in (")", "]") and opened:
            opened.pop()
    return opened[-1] if opened else None


def _back(f: Failure, steps: int) -> str:
    """The text of the token so many steps before the one that does not fit."""
    return f.line.tokens[f.at - steps].text if 0 < steps <= f.at else ""


def _following(f: Failure) -> Tok | None:
    return f.line.tokens[f.at + 1] if f.at + 1 < len(f.line.tokens) else None


def _is_name(token: Tok) -> bool:
    return token.kind == "word" and token.text not in words.RESERVED


def _words_before(f: Failure) -> list[str]:
    return [t.text for t in f.line.tokens[: f.at]]


# ---- definitions ----------------------------------------------------------------------------------------------------


def _parameter(f: Failure) -> Finding | None:
    """`effect f(p):` and `effect f(player p):`."""
    if f.first.text not in words.DEFINITION_WORDS or f.accepts != {"COLON"} or _bracket(f) is None or f.before is None:
        return None
    name = f.before.text
    if f.written in (")", ","):
        mend = f"write `{name}: T`, where T is a kind, an enum, `int` or `bool`: `p: player`"
        return Finding("syntax", f"the parameter `{name}` has no type", f.span(f.before), "a name alone", mend)
    if f.token is not None and _is_name(f.token) and _is_name(f.before):
        span = f.span(f.before).to(f.here)
        mend = f"write `{f.written}: {name}`"
        return Finding("syntax", "the name of a parameter stands before its type", span, "expected `name: type`", mend)
    return None


def _result(f: Failure) -> Finding | None:
    """`fun f(p: player) = …`."""
    if "fun" not in (f.first.text, _back(f, f.at - 1)) or f.written not in ("=", ":") or _back(f, 1) != ")":
        return None
    mend = f"write the type of its result before the `{f.written}`: `-> int`, `-> bool`, `-> set of …`"
    return Finding("syntax", "this function does not say what it gives", f.here, "expected `->`", mend)


# ---- what players are asked -----------------------------------------------------------------------------------------


def _saying(f: Failure) -> Finding | None:
    """`as id "…"` with a part missing, or the wrong way round."""
    token, following = f.token, _following(f)
    if token is None or not f.statements or f.first.text in ("log", "let"):
        return None
    if f.accepts == {"STRING"} and _back(f, 2) == "as":
        message = "the text is missing that the player reads"
        return Finding("syntax", message, f.here, "expected a text", f'write `as {_back(f, 1)} "…"`')
    if f.before is not None and f.before.kind == "string" and token.kind == "word" and _back(f, 2) == "as":
        if token.text in words.RESERVED:
            return None
        message = "the short name of a choice stands before its text"
        return Finding(
            "syntax", message, f.here, "expected before the text", f"write `as {token.text} {f.before.text}`"
        )
    if not f.after_value:
        return None
    named = _is_name(token) and following is not None and following.kind == "string"
    if named or (token.kind == "string" and "AS" in f.accepts):
        ends_game = f.first.text in ("win", "finish")
        mend = 'write `as "…"`' if ends_game else f'write `as {token.text if named else "id"} "…"`'
        return Finding("syntax", f"`as` is missing before `{token.text}`", f.here, "expected `as`", mend)
    return None


_ORDER = ("in", "where", "limit", "by", "costs", "when", "as")


def _clause_too_late(f: Failure) -> Finding | None:
    """A clause of a decision behind one that it stands before: `as go "Go" by p`."""
    if f.written not in _ORDER[1:-1] or f.first.text not in _CHOOSING | {"for", "option"} or _bracket(f) is not None:
        return None
    if "NAME" in f.accepts:  # the word stands where a name is wanted
        return None
    later = _ORDER[_ORDER.index(f.written) + 1 :]
    found = next((t for t in f.line.tokens[: f.at] if t.text in later), None)
    if found is None:
        return None
    message = f"`{f.written}` stands before `{found.text}`"
    mend = "write `x in S where C`, then `by P`, `costs N from F`, `when C` and `as`, as far as they are needed"
    notes = (Note(f"`{found.text}` is here", f.span(found)),)
    return Finding("syntax", message, f.here, "too late", mend, notes)


def _nothing_chosen(f: Failure) -> Finding | None:
    """`may choose by p:` and `choose by p x in S:`."""
    if f.first.text not in _CHOOSING or f.token is None:
        return None
    if f.written in ("by", "costs", "when", "as") and _back(f, 1) in ("choose", "choosing", "each"):
        whole = f.span(f.first).to(f.here)
        mend = 'write `may by P as id "…":` for yes or no, or say what can be chosen: `may choose x in S by P …:`'
        return Finding("syntax", f"nothing is named before `{f.written}` that can be chosen", whole, "of what?", mend)
    following = _following(f)
    if not f.after_value or following is None or following.text != "in" or _bracket(f) is not None:
        return None
    if f.accepts == {"OF"}:
        return None
    before = _words_before(f)
    if "by" in before:
        message = "what is chosen stands before `by`"
        begin = " ".join(before[: before.index("by")])
        return Finding("syntax", message, f.here, "too late", f"write `{begin} {f.written} in … by …:`")
    message = f"a comma is missing before `{f.written}`"
    return Finding("syntax", message, f.here, "expected `,`", "commas stand between the things that are chosen")


def _who_decides(f: Failure) -> Finding | None:
    """`p may choose …` and `may p choose …`."""
    tokens = [t.text for t in f.line.tokens[:3]]
    asks = _CHOOSING | {"chooses", "must"}
    if not f.statements or f.at != 1 or f.token is None or f.token.kind != "word":
        return None
    if tokens[0] == "may" and tokens[-1] in asks:
        who = tokens[1]
    elif tokens[1] in asks and tokens[0] not in words.RESERVED:
        who = tokens[0]
    else:
        return None
    mend = f'write `choose x in S by {who} as id "…":`; `may choose` if it is left to him'
    return Finding(
        "syntax", "who decides stands behind `by`", f.span(f.line.tokens[tokens.index(who)]), "not here", mend
    )


# ---- sets and prices ------------------------------------------------------------------------------------------------


def _element(f: Failure) -> Finding | None:
    """`x from S` and `for each kind x`, where `x in S` is wanted."""
    if f.accepts != {"IN"} or f.before is None or f.token is None:
        return None
    if f.written in ("from", "of", "on", "at") and _is_name(f.before):
        mend = f"write `in` in place of `{f.written}`"
        return Finding("syntax", f"`in` is missing before `{f.written}`", f.here, "expected `in`", mend)
    if _is_name(f.token) and _is_name(f.before) and _bracket(f) is None:
        mend = f"write `{f.written} in S`, where S is a set: that of all of a kind is its plural, as in `x in players`"
        return Finding("syntax", f"`in` is missing before `{f.written}`", f.here, "expected `in`", mend)
    opener = _bracket(f)
    if f.written == ")" and opener is not None and opener == f.at - 2:
        what, things = _back(f, 3), f.before.text
        size = f", or `size({things})`" if what == "count" else ""
        message = f"`{what}` does not say what its things are called"
        return Finding(
            "syntax", message, f.span(f.before), "expected `x in …`", f"write `{what}(x in {things} …)`{size}"
        )
    return None


def _condition(f: Failure) -> Finding | None:
    """`count(x in S, C)`."""
    opener = _bracket(f)
    if f.written != "," or "WHERE" not in f.accepts or opener is None or _back(f, f.at - opener + 1) not in _AGGREGATES:
        return None
    return Finding(
        "syntax", "a condition stands behind `where`", f.here, "expected `where`", "write `where` for the comma"
    )


def _several(f: Failure) -> Finding | None:
    """`hand of p`, where it is `hand[p]`."""
    following = _following(f)
    if f.written != "of" or f.before is None or not _is_name(f.before) or following is None or not _is_name(following):
        return None
    mend = (
        f"that of somebody is written `{f.before.text}[{following.text}]`, a field `{following.text}.{f.before.text}`"
    )
    return Finding("syntax", "`of` cannot stand here", f.here, "not here", mend)


def _price(f: Failure) -> Finding | None:
    if f.accepts != {"FROM"} and not ("FROM" in f.accepts and f.after_value):
        return None
    if "costs" not in _words_before(f) or _bracket(f) is not None:
        return None
    purse = "".join(t.text for t in takewhile(lambda t: t.text == "." or _is_name(t), f.line.tokens[f.at :]))
    mend = f"write `costs {_back(f, 1)} from {purse or '…'}`, with the field that pays"
    return Finding("syntax", "this does not say from what the price is paid", f.here, "expected `from`", mend)


def _dice(f: Failure) -> Finding | None:
    """`let r = roll 2 d6`, and `let r roll d6`."""
    if f.written == "roll" and f.first.text == "let" and f.at == 2:
        return Finding(
            "syntax", "`=` is missing before `roll`", f.here, "expected `=`", f"write `let {_back(f, 1)} = …`"
        )
    if _back(f, 2) != "roll" or f.before is None or f.before.kind != "number" or f.token is None:
        return None
    if f.token.kind != "word":
        return None
    return Finding(
        "syntax",
        f"`of` is missing before `{f.written}`",
        f.here,
        "expected `of`",
        f"write `roll {f.before.text} of {f.written}`",
    )


def _origin(f: Failure) -> Finding | None:
    if f.first.text != "move" or f.written != "from":
        return None
    mend = "a piece is moved from wherever it is: write `move X to PLACE`"
    return Finding("syntax", "`move` does not say from where", f.here, "not here", mend)


# ---- texts ----------------------------------------------------------------------------------------------------------


def _text_as_value(f: Failure) -> Finding | None:
    if f.token is None or f.token.kind != "string" or not f.wants_value:
        return None
    inside = f.written.strip('"')
    mend = (
        f"a thing is named without quotes: `{inside}`" if inside.isidentifier() else "texts stand behind `log` and `as`"
    )
    return Finding("syntax", "a text is no value", f.here, "expected a value", mend)


def _no_quotes(f: Failure) -> Finding | None:
    if f.first.text != "log" or f.at != 1 or f.token is None or f.token.kind != "word":
        return None
    end = f.line.tokens[-1].end
    whole = f.text.span(f.token.start, end)
    shown = whole.text if len(whole.text) <= 40 and "\n" not in whole.text else "…"
    return Finding("syntax", "this text has no quotes", whole, "expected a text", f'write `log "{shown}"`')


FORMS: tuple[Callable[[Failure], Finding | None], ...] = (
    _parameter,
    _result,
    _saying,
    _clause_too_late,
    _nothing_chosen,
    _who_decides,
    _element,
    _condition,
    _several,
    _price,
    _dice,
    _origin,
    _text_as_value,
    _no_quotes,
)
