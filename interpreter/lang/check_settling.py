"""Settling rules: what `whenever` says must be put right before anybody is asked."""

from __future__ import annotations

from interpreter.diagnostics import Bag, did_you_mean
from interpreter.lang import nodes as n
from interpreter.lang.check_base import condition
from interpreter.lang.check_decide import check_binder
from interpreter.lang.check_stmt import check_body
from interpreter.lang.check_text import RULES, snippet
from interpreter.lang.parse import parse_binder, parse_block, parse_expression
from interpreter.lang.scope import Checked, Local, Scope, Settling
from interpreter.lang.world import Scene
from interpreter.reading.model import WheneverDef


def check_settling(checked: Checked, bag: Bag) -> None:
    """Fills `checked.settling`, rules of the game first, then of options and scenarios."""
    game = checked.game
    for d in game.whenever:
        _rule(d, None, None, checked, bag)
    for option in game.options:
        for d in option.whenever:
            _rule(d, option.name.text, None, checked, bag)
    for scenario in game.scenarios:
        for d in scenario.whenever:
            _rule(d, None, scenario.name.text, checked, bag)


def _rule(d: WheneverDef, option: str | None, scenario: str | None, checked: Checked, bag: Bag) -> None:
    if (d.each is None) == (d.when is None):
        has = "neither `each` nor `when`" if d.each is None else "both `each` and `when`"
        bag.error(
            "whenever-test",
            f"the rule `{d.name.text}` has {has}",
            d.name.span,
            help="write `each: x in … where …`, or `when: condition`",
        )
        return
    outside: Scene | None = None
    if d.outside is not None:
        outside = checked.world.scenes.get(d.outside.text)
        if outside is None:
            known = checked.world.scenes
            bag.error(
                "unknown-name",
                f"there is no scene `{d.outside.text}`",
                d.outside.span,
                help=did_you_mean(d.outside.text, known) or (f"scenes: {', '.join(known)}" if known else "declare it"),
            )
    owner = snippet(d.span, is_effect=True)
    part = option or scenario  # parts of the game may have rules of one name
    owner.name = f"whenever {d.name.text}" + (f" of {part}" if part else "")
    owner.asked_as = d.name.text
    test = snippet(d.span, is_effect=False)
    scope = Scope(RULES, checked, bag, {}, {}, test)
    each: n.Binder | None = None
    when: n.Expr | None = None
    if d.each is not None:
        each = parse_binder(d.each, bag)
        if each is None:
            return
        if each.quantity != "one":
            mend = "write `x in … where …`"
            bag.error("bad-binder", "a settling rule takes its things one by one", each.span, help=mend)
        check_binder(each, scope)
        var = checked.locals[each.var]
        owner.params = (Local(var.name, scope.facts.get((var,), var.type), var.span),)
    if d.when is not None:
        when = parse_expression(d.when, bag)
        if when is None:
            return
        condition(when, scope)
    body = parse_block(d.do, bag)
    if body is None:
        return
    names = {p.name: p for p in owner.params}
    check_body(body, Scope(RULES, checked, bag, names, {}, owner))
    owner.node = n.Effect(n.Name(owner.name, d.span), (), None, body, False, d.span)
    checked.callables[owner.name] = owner
    checked.callables[test.name] = test
    checked.settling.append(Settling(d.name.text, d.span, each, when, outside, owner, option, scenario))
