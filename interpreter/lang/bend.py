"""Exceptions and hooks: what entries, options and scenarios bend, checked against what may be bent.

Only functions and effects marked `open` can be amended. An exception's text sees the parameters under the names that it
repeats, and, in an entry, the entity as `self`. It takes part in the search for circles of calls as a part of its
target.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.diagnostics import Bag, Note, did_you_mean
from interpreter.lang import hooks
from interpreter.lang import nodes as n
from interpreter.lang.check_base import a, expect
from interpreter.lang.check_text import RULES, snippet
from interpreter.lang.parse import parse_expression, parse_signature
from interpreter.lang.scope import Bend, Callable, Checked, Face, Local, Scope
from interpreter.lang.types import BOOL, ERROR, INT, BoolT, IntT, KindT
from interpreter.lang.world import Entity
from interpreter.reading import bend as reading
from interpreter.reading.model import ExceptionDef
from interpreter.reading.yamltree import Map, Node
from interpreter.source import Name, Text

EFFECT_VERBS = ("instead", "before", "after")
FACE_KEYS = ("text", "title", "rule", "source", "exceptions")


def check_bends(checked: Checked, bag: Bag) -> None:
    """All exceptions and fillings of hooks, after all functions and effects are declared."""
    ranks = _ranks(checked, bag)
    for option in checked.game.options:
        for d in option.exceptions:
            _bend(d, ranks["options"], None, None, option.name.text, None, checked, bag)
    for scenario in checked.game.scenarios:
        for d in scenario.exceptions:
            _bend(d, ranks["scenario"], None, None, None, scenario.name.text, checked, bag)
    for kind in checked.world.kinds.values():
        for entity in kind.entities:
            _entry(entity, ranks[kind.name], checked, bag)
        for hook in kind.hooks:
            hooks.default(kind, hook, checked, bag)
    checked.bends.sort(key=lambda b: b.rank)
    _clashes(checked, bag)
    for target in checked.hooks.values():  # what a face says goes before what the entry says, the default comes last
        fillings = target.fillings or ()
        target.fillings = tuple(sorted(fillings, key=lambda f: (f.entity < 0, f.face is None)))


def _ranks(checked: Checked, bag: Bag) -> dict[str, int]:
    """Rank of each class: as `precedence` says, then kinds in the order in which they are declared."""
    kinds = checked.world.kinds
    by_plural = {k.plural: k.name for k in kinds.values()}
    order = [by_plural.get(p.text, p.text) for p in checked.game.precedence]
    for p, name in zip(checked.game.precedence, order, strict=True):
        if name not in ("rules", "options", "scenario", *kinds):
            known = ["rules", "options", "scenario", *by_plural]
            bag.error(
                "unknown-name", f"there is no class of exceptions `{p.text}`", p.span, help=did_you_mean(p.text, known)
            )
    order += [x for x in ("options", "scenario", *kinds) if x not in order]
    return {name: i for i, name in enumerate(order)}


def _clashes(checked: Checked, bag: Bag) -> None:
    """Warns of two results of one class for one function that hold always, or under the same words."""
    seen: dict[tuple[object, ...], Bend] = {}
    for bend in checked.bends:
        if bend.verb != "result" or bend.value is None:
            continue
        words = tuple(" ".join(c.span.text.split()) for c in bend.conditions)
        earlier = seen.setdefault((bend.target, bend.rank, bend.option, bend.scenario, bend.face, words), bend)
        same = earlier.value is None or earlier.value.span.text == bend.value.span.text
        personal = bend.me is not None and bend.me != earlier.me and "self" in " ".join(words)
        if earlier is not bend and not same and not personal:
            bag.warn(
                "results-differ",
                f"this result for `{bend.target.name}` always stands in place of another of its class",
                bend.value.span,
                notes=[Note("the other is here", earlier.value.span if earlier.value else earlier.span)],
                help="say with `when` which of the two holds, or remove one",
            )


def _entry(entity: Entity, rank: int, checked: Checked, bag: Bag) -> None:
    if entity.definition is not None:
        for d in entity.definition.exceptions:
            _bend(d, rank, entity, None, None, None, checked, bag)
    for key, (span, node) in entity.fields.items():
        face = entity.kind.faces.get(key)
        if face is not None and not (key in entity.kind.fields and not isinstance(node, Map)):
            _face(entity, face, Name(key, span), node, rank, checked, bag)
        elif (entity.kind, key) in checked.hooks:
            hooks.fill(entity, None, Name(key, span), node, checked, bag)


def _face(entity: Entity, face: Face, key: Name, node: Node, rank: int, checked: Checked, bag: Bag) -> None:
    """What an entry says of one of its faces: text, exceptions and hooks."""
    if not isinstance(node, Map):
        bag.error(
            "wrong-type",
            f"`{key.text}` says what holds on that face",
            key.span,
            help="write a map with `text:`, `exceptions:` or hooks",
        )
        return
    for inner, value in node.entries:
        if (entity.kind, inner.raw) in checked.hooks:
            hooks.fill(entity, face, inner.name, value, checked, bag)
        elif inner.raw not in FACE_KEYS:
            known = [*FACE_KEYS, *(h.name.text for h in entity.kind.hooks)]
            bag.error(
                "unknown-key", f"a face has no key `{inner.raw}`", inner.span, help=did_you_mean(inner.raw, known)
            )
        elif inner.raw == "exceptions":
            for d in reading.exceptions(value, bag):
                _bend(d, rank, entity, face, None, None, checked, bag)


# ---- exceptions -----------------------------------------------------------------------------------------------------


def _bend(
    d: ExceptionDef,
    rank: int,
    entity: Entity | None,
    face: Face | None,
    option: str | None,
    scenario: str | None,
    checked: Checked,
    bag: Bag,
) -> None:
    target = _target(d, checked, bag)
    if target is None:
        return
    signature = parse_signature(d.to, bag)
    assert signature is not None
    params = tuple(Local(name.text, p.type, name.span) for name, p in zip(signature[1], target.params, strict=True))
    names = {p.name: p for p in params}
    me: tuple[Local, int] | None = None
    if entity is not None:
        myself = Local("self", KindT(entity.kind), d.span)
        names["self"] = myself
        me = (myself, entity.index)
    part = snippet(d.value.whole, is_effect=False)
    part.me = me
    conditions = [x for x in (_active(entity, me, names, part, checked, bag), _when(d, names, part, checked, bag)) if x]
    value, effect = _does(d, target, params, names, me, part, checked, bag)
    part.name = f"exception{hooks.of(me)} at {d.span}"
    checked.callables[part.name] = part
    target.calls.add(part.name)
    target.call_spans.setdefault(part.name, d.span)
    if value is None and effect is None and d.verb.text not in ("allow", "forbid"):
        return
    checked.bends.append(
        Bend(target, d.verb.text, rank, params, me, face, tuple(conditions), value, effect, option, scenario, d.span)
    )


def _target(d: ExceptionDef, checked: Checked, bag: Bag) -> Callable | None:
    signature = parse_signature(d.to, bag)
    if signature is None:
        return None
    name, params = signature
    target = checked.callables.get(name.text)
    if target is None or target.node is None:
        known = [c.name for c in checked.callables.values() if c.open]
        bag.error(
            "unknown-name",
            f"there is no function or effect `{name.text}`",
            name.span,
            help=did_you_mean(name.text, known),
        )
        return None
    if not target.open:
        bag.error(
            "not-open",
            f"`{name.text}` can't be bent",
            name.span,
            notes=[Note("it is declared here, without `open`", target.span)],
            help=f"write `open {'effect' if target.is_effect else 'fun'} {name.text}` there",
        )
        return None
    if len(params) != len(target.params):
        names = ", ".join(p.name for p in target.params)
        bag.error(
            "wrong-parameters",
            f"`{name.text}` has {len(target.params)} parameters, not {len(params)}",
            name.span,
            notes=[Note("declared here", target.span)],
            help=f"write `{name.text}({names})`",
        )
        return None
    verb, what = d.verb.text, target.result
    wrong = ""
    if verb in EFFECT_VERBS and not target.is_effect:
        wrong = f"`{verb}` is for effects, and `{name.text}` is a function"
    elif verb not in EFFECT_VERBS and target.is_effect:
        wrong = f"`{verb}` is for functions, and `{name.text}` is an effect"
    elif verb == "add" and not isinstance(what, IntT):
        wrong = f"`add` is for numbers, and `{name.text}` gives {a(what or ERROR)}"
    elif verb in ("allow", "forbid") and not isinstance(what, BoolT):
        wrong = f"`{verb}` is for conditions, and `{name.text}` gives {a(what or ERROR)}"
    if wrong:
        words = (
            "`instead`, `before` or `after`"
            if target.is_effect
            else "`result`" + (" or `add`" if isinstance(what, IntT) else "")
        )
        bag.error(
            "exception-verb", wrong, d.verb.span, notes=[Note("declared here", target.span)], help=f"write {words}"
        )
        return None
    return target


def _active(
    entity: Entity | None,
    me: tuple[Local, int] | None,
    names: dict[str, Local],
    part: Callable,
    checked: Checked,
    bag: Bag,
) -> n.Expr | None:
    """The condition of the entity's kind under which its exceptions hold at all."""
    definition = entity.kind.definition if entity else None
    if definition is None or definition.active is None or me is None:
        return None
    return _condition(definition.active, {"self": me[0]}, part, checked, bag)


def _when(d: ExceptionDef, names: dict[str, Local], part: Callable, checked: Checked, bag: Bag) -> n.Expr | None:
    return None if d.when is None else _condition(d.when, names, part, checked, bag)


def _condition(text: Text, names: dict[str, Local], part: Callable, checked: Checked, bag: Bag) -> n.Expr | None:
    node = parse_expression(text, bag)
    if node is not None:
        expect(node, BOOL, Scope(RULES, checked, bag, dict(names), {}, part), "a condition")
    return node


def _does(
    d: ExceptionDef,
    target: Callable,
    params: tuple[Local, ...],
    names: dict[str, Local],
    me: tuple[Local, int] | None,
    part: Callable,
    checked: Checked,
    bag: Bag,
) -> tuple[n.Expr | None, Callable | None]:
    """The value of an exception, or its statements as an effect of their own."""
    verb = d.verb.text
    if verb in ("allow", "forbid"):
        return None, None
    if verb in EFFECT_VERBS:
        result = target.result if verb == "instead" else None
        owner = Callable(
            f"{verb} {target.name}{hooks.of(me)} at {d.value.whole}", params, result, True, False, d.span, None, me=me
        )
        owner.asked_as = target.name
        node = hooks.text_node(d.value, owner, names, result, "", checked, bag)
        if node is None:
            return None, None
        owner.node = node
        checked.callables[owner.name] = owner
        target.calls.add(owner.name)
        target.call_spans.setdefault(owner.name, d.span)
        return None, owner
    value = parse_expression(d.value, bag)
    if value is not None:
        want = INT if verb == "add" else target.result or ERROR
        expect(value, want, Scope(RULES, checked, bag, dict(names), {}, part), f"`{verb}`")
    return value, None


def options_rules(checked: Checked) -> Iterable[Text]:
    """Functions and effects that options bring with them."""
    return (o.rules for o in checked.game.options if o.rules is not None)
