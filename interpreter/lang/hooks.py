"""Hooks: what kinds declare and single entries fill in, with statements or values of their own."""

from __future__ import annotations

from interpreter.diagnostics import Bag, Note
from interpreter.lang import nodes as n
from interpreter.lang.check_base import expect
from interpreter.lang.check_stmt import check_body
from interpreter.lang.check_text import RULES
from interpreter.lang.declare_names import resolve_type
from interpreter.lang.parse import parse_block, parse_expression, parse_type
from interpreter.lang.scope import Callable, Checked, Face, Filling, Local, Scope
from interpreter.lang.types import ERROR, KindT, Ty
from interpreter.lang.world import Entity, Kind
from interpreter.reading import parts
from interpreter.reading.model import HookDef
from interpreter.reading.yamltree import Map, Node
from interpreter.source import Name, Span, Text


def declare_hooks(checked: Checked, bag: Bag) -> None:
    """A callable for each hook, before any text is checked that may call it."""
    for kind in checked.world.kinds.values():
        for hook in kind.hooks:
            if hook.name.text in kind.fields or hook.name.text in kind.holds:
                bag.error(
                    "duplicate-name",
                    f"`{kind.name}` has a field `{hook.name.text}` already",
                    hook.name.span,
                    help="choose another name for the hook",
                )
                continue
            me = Local(kind.name, KindT(kind), hook.name.span)
            params = [me, *_hook_params(hook, checked, bag)]
            result = _hook_type(hook.gives, checked, bag)
            name = f"{kind.name}.{hook.name.text}"
            made = Callable(name, tuple(params), result, hook.gives is None, False, hook.name.span, None, fillings=())
            checked.callables[name] = made
            checked.hooks[kind, hook.name.text] = made


def _hook_params(hook: HookDef, checked: Checked, bag: Bag) -> list[Local]:
    found = []
    for name, text in hook.params:
        ref = parse_type(text, bag)
        found.append(Local(name.text, resolve_type(ref, checked.world, bag) if ref else ERROR, name.span))
    return found


def _hook_type(text: Text | None, checked: Checked, bag: Bag) -> Ty | None:
    if text is None:
        return None
    ref = parse_type(text, bag)
    return resolve_type(ref, checked.world, bag) if ref else ERROR


def fill(entity: Entity, face: Face | None, key: Name, node: Node, checked: Checked, bag: Bag) -> None:
    """An entry's text for a hook, perhaps only while it shows a face."""
    text = parts.effect(node, bag)
    if text is None:
        if isinstance(node, Map):
            what = "statements" if checked.hooks[entity.kind, key.text].is_effect else "an expression"
            bag.error("wrong-type", f"`{key.text}` is a hook and takes text", key.span, help=f"write {what} behind it")
        return
    hook = checked.hooks[entity.kind, key.text]
    body = filling(hook, text, (entity.kind, entity.index), key.span, checked, bag)
    if body is not None:
        assert hook.fillings is not None
        hook.fillings = (*hook.fillings, Filling(entity.index, face, body))


def default(kind: Kind, hook: HookDef, checked: Checked, bag: Bag) -> None:
    """The value of a hook for entities that do not fill it; without one every entity must."""
    target = checked.hooks.get((kind, hook.name.text))
    if target is None or target.fillings is None or hook.gives is None:
        return
    if hook.default is None:
        filled = {f.entity for f in target.fillings}
        missing = [e for e in kind.entities if e.index not in filled]
        if missing:
            bag.error(
                "missing-hook",
                f"`{missing[0].id}` does not say its `{hook.name.text}`",
                missing[0].span,
                notes=[Note("the hook is declared here", hook.name.span)],
                help="add it, or give the hook a `default:`",
            )
        return
    body = filling(target, hook.default, None, hook.name.span, checked, bag)
    if body is not None:
        target.fillings = (*target.fillings, Filling(-1, None, body))


def filling(
    hook: Callable, text: Text, me: tuple[Kind, int] | None, span: Span, checked: Checked, bag: Bag
) -> Callable | None:
    """A hook's text for one entity (None: for those that have none) as a function or effect of its own."""
    params = tuple(Local(p.name, p.type, p.span) for p in hook.params)
    names = {p.name: p for p in params[1:]}
    owner = Callable(f"{hook.name}{of(me)} at {text.whole}", params, hook.result, hook.is_effect, False, span, None)
    owner.asked_as = hook.name.rpartition(".")[2]
    if me is not None:
        myself = Local("self", KindT(me[0]), span)
        names["self"] = myself
        owner.me = (myself, me[1])
    node = text_node(text, owner, names, hook.result, f"`{hook.name}`", checked, bag)
    if node is None:
        return None
    owner.node = node
    checked.callables[owner.name] = owner
    hook.calls.add(owner.name)
    hook.call_spans.setdefault(owner.name, span)
    return owner


def of(me: tuple[Kind | Local, int] | None) -> str:
    """Whose text it is, as a part of a name: copies of an entity share the place of theirs."""
    if me is None:
        return ""
    kind = me[0].type.kind if isinstance(me[0], Local) and isinstance(me[0].type, KindT) else me[0]
    assert isinstance(kind, Kind)
    return f" of {kind.entities[me[1]].id}"


def text_node(
    text: Text, owner: Callable, names: dict[str, Local], want: Ty | None, what: str, checked: Checked, bag: Bag
) -> n.Fun | n.Effect | None:
    """Checks a text as the body of a callable, and makes the tree that a written one would have."""
    scope = Scope(RULES, checked, bag, dict(names), {}, owner)
    span = text.whole
    name = n.Name(owner.name, span)
    if not owner.is_effect:
        value = parse_expression(text, bag)
        if value is None:
            return None
        expect(value, want or ERROR, scope, what)
        result = n.TypeRef("plain", name, span)
        return n.Fun(name, (), result, value, (), False, span)
    body = parse_block(text, bag)
    if body is None:
        return None
    falls = check_body(body, scope)
    if falls and want is not None:
        bag.error(
            "missing-return", "this can end without a result", span, help="end every way through it with `return`"
        )
    return n.Effect(name, (), None, body, False, span)
