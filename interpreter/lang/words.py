"""The words of the effect language, and words of other languages that authors reach for."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Every word of the grammar. None of them can name anything: not a variable, a function, a field, an entity or an id.
RESERVED = _words(
    """
    all alternate and any as bottom break by case chance choose choosing chosen costs count disclose draw each
    effect elif else false finish first for from fun have highest if in is keep leading least let limit list log
    lowest match may maybe most move none not of open option or pass repeat return roll scene secretly set sum the
    those to top true until up when where while win
    """
)

# Words that begin a statement; the second group opens an indented body.
SIMPLE_WORDS = _words("let return move draw log win finish pass break")
COMPOUND_WORDS = _words("if match repeat while for alternate secretly scene choose may keep")
STATEMENT_WORDS = SIMPLE_WORDS | COMPOUND_WORDS

DEFINITION_WORDS = _words("fun effect open")

# All words whose line ends in a colon.
OPENING_WORDS = COMPOUND_WORDS | DEFINITION_WORDS | _words("elif else case option")

# A line that begins with one of these goes on with the line before it: no statement begins like that.
CLAUSE_WORDS = _words("by chosen costs when as where limit")

AGGREGATE_WORDS = _words("count sum most least first the those highest lowest leading all chance")
DECIDING_WORDS = _words("choose may keep alternate secretly")
OPERATOR_WORDS = _words("and or not in is if else")

# Words of other languages, and what to write instead.
FOREIGN_VALUES = {"null": "none", "nil": "none"}
FOREIGN_DEFINITIONS = _words("def define function func fn proc procedure sub method rule")
FOREIGN_STATEMENTS = {
    "foreach": "write `for each x in …:`",
    "elseif": "write `elif`",
    "elsif": "write `elif`",
    "switch": "write `match x:` with `case` lines below",
    "var": "write `let`",
    "const": "write `let`",
    "print": 'write `log "…"`',
    "continue": "there is no jump to the next turn of a loop: put the rest of its body under an `if`",
    "skip": "leave the statement out",
    "loop": "write `repeat n:` or `while …:`",
    "do": "a body follows a colon and needs no word",
    "unless": "write `if not …:`",
    "call": "write the name of the effect and its arguments",
    "ask": "write `choose` or `may`",
    "exit": "write `finish`",
    "shuffle": "write `shuffle(…)`, with the pile in brackets",
}
FOREIGN_FUNCTIONS = {
    "random": "chance comes on a line of its own: `let x = roll d6`, or `draw 1 from …` from a bag or a shuffled pile",
    "len": "write `size(…)`",
    "length": "write `size(…)`",
    "number": "write `size(…)` or `count(x in S where C)`",
    "distance": "the steps of a shortest way are `size(shortest_path([a], b)) - 1`",
    "adjacent": "write `b in neighbours(a)`",
    "opponent": "write `rival(p)`",
    "enemy": "write `rival(p)`",
    "other": "write `rival(p)`",
    "exists": "write `any(x in S where C)`",
    "some": "write `any(x in S where C)`",
    "every": "write `all(x in S have C)`",
    "filter": "write `those(x in S where C)`",
    "total": "write `sum(x in S of E)`",
    "empty": "write `size(…) == 0`",
    "contains": "write `x in S`",
    "round": "write `floor(a / b)` or `ceil(a / b)`",
}
FOREIGN_WORDS = {
    "then": "a colon ends the condition, and the body stands on the lines below",
    "do": "a colon ends the line, and the body stands on the lines below",
    "times": "write `repeat n:`",
    "equals": "write `==`",
    "xor": "write `a != b`",
    "mod": "the language has no remainder",
    "otherwise": "write `else`",
    "end": "a body ends where its indentation ends",
    "into": "write `to`",
    "such": "write `where`",
    "with": "write `where`",
}
