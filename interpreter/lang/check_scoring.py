"""Scoring: what runs once `finish` has ended a game or all phases are over; it may say who has won, and asks nobody."""

from __future__ import annotations

from interpreter.diagnostics import Bag
from interpreter.lang import nodes as n
from interpreter.lang.check_stmt import check_body
from interpreter.lang.check_text import RULES
from interpreter.lang.parse import parse_block
from interpreter.lang.scope import SCORING, Callable, Checked, Scope
from interpreter.source import Text


def check_scoring(text: Text, checked: Checked, bag: Bag) -> None:
    """Checks the scoring of a game; the tree goes to `checked.scoring`, which every `finish` calls."""
    owner = Callable(SCORING, (), None, True, False, text.whole, None)
    checked.scoring = owner
    checked.callables[SCORING] = owner
    body = parse_block(text, bag)
    if body is None:
        return
    check_body(body, Scope(RULES, checked, bag, {}, {}, owner))
    owner.node = n.Effect(n.Name(owner.name, text.whole), (), None, body, False, text.whole)


def check_scoring_asks(checked: Checked, bag: Bag) -> None:
    """Nobody can be asked when the game is over. (What pauses must be known.)"""
    owner = checked.scoring
    if owner is None or not owner.pauses:
        return
    span = owner.asks
    for name in owner.calls:
        if span is None and checked.callables[name].pauses:
            span = owner.call_spans[name]
    bag.error(
        "scoring-asks",
        "scoring asks nobody: the game is over by then",
        span,
        help="ask before `finish`, or in a phase of its own",
    )
