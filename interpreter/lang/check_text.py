"""Checking rule text that stands in YAML: blocks of statements and conditions, each a little world of its own."""

from __future__ import annotations

from interpreter.diagnostics import Bag
from interpreter.lang.check_base import condition, expect
from interpreter.lang.check_expr import check_expr
from interpreter.lang.check_stmt import check_body
from interpreter.lang.parse import parse_block, parse_expression
from interpreter.lang.scope import Callable, Checked, Local, Rules, Scope
from interpreter.lang.types import Ty
from interpreter.source import Span, Text

RULES = Rules(check_expr, check_body)


def snippet(span: Span, *, is_effect: bool) -> Callable:
    """The nameless function or effect that a text in YAML is."""
    return Callable(f"text at {span}", (), None, is_effect, False, span, None)


def check_block(
    text: Text, checked: Checked, bag: Bag, *, mover: bool = False, everything: bool = False
) -> Callable | None:
    """Parses and checks effect text; the tree goes to `checked.phases`. None if it does not parse."""
    body = parse_block(text, bag)
    if body is None:
        return None
    owner = snippet(text.whole, is_effect=True)
    check_body(body, Scope(RULES, checked, bag, {}, {}, owner, mover=mover, everything=everything))
    checked.phases[text] = body
    checked.callables.setdefault(owner.name, owner)
    return owner


def check_condition(
    text: Text,
    checked: Checked,
    bag: Bag,
    *,
    mover: bool = False,
    names: dict[str, Local] | None = None,
    scene: str | None = None,
) -> bool:
    """Parses and checks a condition, if `scene` is named in that scene; the tree goes to `checked.phases`. Whether it
    is right.
    """
    return _check_value(text, None, checked, bag, mover, names, scene)


def check_value(text: Text, want: Ty, what: str, checked: Checked, bag: Bag, *, mover: bool = False) -> bool:
    """Parses and checks an expression of a type; `what` says whose. Whether it is right."""
    return _check_value(text, (want, what), checked, bag, mover, None)


def _check_value(
    text: Text,
    want: tuple[Ty, str] | None,
    checked: Checked,
    bag: Bag,
    mover: bool,
    names: dict[str, Local] | None,
    scene: str | None = None,
) -> bool:
    node = parse_expression(text, bag)
    if node is None:
        return False
    before = len(bag.items)
    owner = snippet(text.whole, is_effect=False)
    scope = Scope(RULES, checked, bag, dict(names or {}), {}, owner, mover=mover)
    if scene is not None:
        scope.scenes = frozenset({scene})
    if want is None:
        condition(node, scope)
    else:
        expect(node, want[0], scope, want[1])
    checked.phases[text] = node
    checked.callables.setdefault(owner.name, owner)
    return len(bag.items) == before
