"""Settling rules: what `whenever` says must be put right before anybody is asked."""

from __future__ import annotations

import dataclasses
from typing import cast

from interpreter.diagnostics import Bag, did_you_mean
from interpreter.lang import nodes as n
from interpreter.lang.check_base import condition
from interpreter.lang.check_decide import check_binder
from interpreter.lang.check_stmt import check_body
from interpreter.lang.check_text import RULES, snippet
from interpreter.lang.parse import parse_binder, parse_block, parse_expression
from interpreter.lang.scope import Callable, Checked, Local, Scope, Settling
from interpreter.lang.world import Field, Scene, Zone
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


def also_changed_by(rule: Settling, rules: list[Settling], checked: Checked) -> list[Settling]:
    """The other rules that change something of what a rule tests."""
    read: set[str] = set()
    _read(rule.each if rule.each is not None else rule.when, read, set(), checked)
    return [other for other in rules if other is not rule and _written(other.do, set(), checked) & read]


def _read(node: object, read: set[str], seen: set[Callable], checked: Checked) -> None:
    """Collects the names of fields that an expression reads, also in the functions that it calls; `at` of places."""
    if isinstance(node, tuple):
        for one in node:
            _read(one, read, seen, checked)
    elif dataclasses.is_dataclass(node) and type(node).__module__.startswith("interpreter.lang.nodes"):
        match checked.refs.get(cast("n.Expr", node)):
            case Field() as field:
                read.add(field.name)
            case Zone() | "at" | "on" | "holds":
                read.add("at")
            case "inverse" if isinstance(node, n.Field):
                read |= {f.name for k in checked.world.kinds.values() for f in k.fields.values() if f.inverse}
            case Callable() as called if called not in seen:
                seen.add(called)
                _read(called.node, read, seen, checked)
            case _:
                pass
        for part in dataclasses.fields(node):
            _read(getattr(node, part.name), read, seen, checked)


def _written(target: Callable, seen: set[Callable], checked: Checked) -> set[str]:
    """The names of fields that an effect writes, also in what it calls; `at` if it moves something."""
    seen.add(target)
    written = set(target.writes)
    called = [checked.callables[name] for name in target.calls if name in checked.callables]
    for one in (*called, *(filling.body for filling in target.fillings or ())):
        if one not in seen:
            written |= _written(one, seen, checked)
    return written
