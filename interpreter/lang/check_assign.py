"""Assignments: what may be written where, and what is known of it afterwards."""

from __future__ import annotations

from interpreter.diagnostics import Note, did_you_mean
from interpreter.lang import nodes as n
from interpreter.lang.check_base import a, expect
from interpreter.lang.check_call import called, check_arguments
from interpreter.lang.check_chance import check_roll
from interpreter.lang.check_name import indexed
from interpreter.lang.mending import mend_unknown_name
from interpreter.lang.scope import Callable, Local, Scope, forget_fields, path_of
from interpreter.lang.types import (
    ERROR,
    INT,
    EmptyT,
    ErrorT,
    KindT,
    ListT,
    NoneT,
    SetT,
    Ty,
    ZoneT,
    article,
    element,
    fits,
)
from interpreter.lang.world import Entity, Field
from interpreter.source import Span


def only_effect(span: Span, what: str, s: Scope) -> None:
    """Says so if this stands in a function, which only computes."""
    if not s.owner.is_effect:
        s.bag.error(
            "effect-in-function",
            f"this {what}, and a function only computes",
            span,
            notes=[Note(f"`{s.owner.name}` is a function", s.owner.span)],
            help="make it an effect: write `effect` in place of `fun`",
        )


def right_side(node: n.Expr, s: Scope) -> Ty:
    """The right side of `let`, of an assignment or of `return`: an expression, a roll, what is disclosed, or a single
    call of an effect with a result.
    """
    if isinstance(node, n.Roll):
        only_effect(node.span, "rolls dice", s)
        s.checked.types[node] = check_roll(node, s)
        return s.checked.types[node]
    if isinstance(node, n.Disclose):
        only_effect(node.span, "discloses something", s)
        s.checked.types[node] = s.expr(node.value)
        if node.by is not None:
            expect(node.by, KindT(s.world.players), s, "who discloses it")
        return s.checked.types[node]
    if isinstance(node, n.Apply):
        target = called(node, s)
        if target is not None and target.is_effect:
            only_effect(node.span, "calls an effect", s)
            ty = check_arguments(node, target, s)
            s.checked.types[node] = ty
            if target.result is None:
                s.bag.error(
                    "no-result",
                    f"`{target.name}` gives no result",
                    node.span,
                    notes=[Note("declared here", target.span)],
                    help="call it on a line of its own",
                )
                ty = ERROR
            after_call(target, s)
            return ty
    return s.expr(node)


def after_call(target: Callable, s: Scope) -> None:
    """Forgets what a called effect may have changed."""
    if target.is_effect:
        forget_fields(s.facts)


def check_assign(node: n.Assign, s: Scope) -> None:
    """`target = value`, `+=` and `-=`."""
    target = node.target
    want = target_type(target, s)
    if node.op == "=":
        have = right_side(node.value, s)
        _store(node, target, want, have, s)
        return
    have = s.expr(node.value)
    if isinstance(want, ErrorT) or isinstance(have, ErrorT):
        return
    if fits(want, INT):
        expect(node.value, INT, s, f"what is added by `{node.op}`")
        return
    if isinstance(want, ListT):
        s.bag.error(
            "not-assignable",
            f"`{target.span.text}` is {a(want)}, and lists don't change",
            target.span,
            help="begin with a set, such as `those(x in … )` or `[]`",
        )
        return
    if isinstance(want, SetT | EmptyT):
        inner = element(have)
        if isinstance(have, EmptyT):
            return
        if inner is None:
            s.bag.error(
                "type-mismatch",
                f"`{node.op}` on a set needs a set or list, and this is {a(have)}",
                node.value.span,
                help=f"put brackets around it: `[{node.value.span.text}]`",
            )
            return
        _store(node, target, want, SetT(inner), s)
        return
    message = f"`{node.op}` changes numbers and sets, and this is {a(want)}"
    s.bag.error("type-mismatch", message, target.span, help=f"write `{target.span.text} = …`")


def _store(node: n.Assign, target: n.Expr, want: Ty, have: Ty, s: Scope) -> None:
    local = s.checked.refs.get(target) if isinstance(target, n.NameRef) else None
    if isinstance(local, Local) and isinstance(local.type, EmptyT) and element(have) is not None:
        local.type = SetT(element(have) or ERROR)  # the first use says of what
        s.checked.types[target] = local.type
    elif not fits(have, want):
        ref = s.checked.refs.get(target)
        notes = [Note(f"`{ref.name}` is declared here", ref.span)] if isinstance(ref, Field | Local) else []
        if node.op == "=":
            expect(node.value, want, s, "the new value", notes)
        else:
            message = f"{a(have)} can't be joined with {a(want)}"
            s.bag.error("type-mismatch", message, node.value.span, label=f"this is {a(have)}", notes=notes)
    path = path_of(target, s.checked)
    if path is not None:
        for known in [p for p in s.facts if p[: len(path)] == path]:
            del s.facts[known]
        if (
            node.op == "="
            and fits(have, want)
            and have != want
            and not isinstance(have, NoneT | EmptyT | ErrorT | ZoneT)
        ):
            s.facts[path] = have
    name = _written_name(target, s)
    if name is not None:
        for known in [p for p in s.facts if p != path and name in p[1:]]:  # another way to the same thing, perhaps
            del s.facts[known]


def _written_name(target: n.Expr, s: Scope) -> str | None:
    ref = s.checked.refs.get(target)
    return ref.name if isinstance(ref, Field) else None


def target_type(node: n.Expr, s: Scope) -> Ty:
    """What may be assigned to: a variable of this effect, a global, a field; gives its declared type."""
    if isinstance(node, n.NameRef):
        check = s.names.get(node.name)
        if check is not None:
            s.checked.refs[node] = check
            s.checked.types[node] = check.type
            check.changed = True
            if not check.assignable:
                s.bag.error(
                    "not-assignable",
                    f"`{node.name}` can't be changed here",
                    node.span,
                    notes=[Note("it is declared here", check.span)],
                    help=f"only variables made by `let` change; write `let my_{node.name} = {node.name}` first",
                )
            return check.type
        declared = any(f.name.text == node.name for f in s.checked.game.globals)
        if not (declared or s.checked.symbols.get(node.name) or node.name in ("mover", "viewer")):
            return _new_variable(node, s)
    elif not isinstance(node, n.Field | n.Index):
        mend = "write a variable or a field, such as `a.strength`, on the left"
        s.bag.error("not-assignable", "only variables and fields can be changed", node.span, help=mend)
        return ERROR
    saved, s.facts = s.facts, {}  # what may be written is the declared type, not what a test found
    try:
        if isinstance(node, n.Field):
            s.facts = dict(saved)
        ty = s.expr(node)
        ty = s.checked.raw.pop(node, ty)
        s.checked.types[node] = ty
        if isinstance(node, n.Index) and isinstance(indexed(node, s), Field):
            s.facts = saved
            s.expr(node)
    finally:
        s.facts = saved
    ref = s.checked.refs.get(node)
    if isinstance(ref, Field):
        only_effect(node.span, "changes a field", s)
        if ref.constant:
            what = f"`{ref.name}` is part of what a {ref.owner.name if ref.owner else 'thing'} is"
            s.bag.error("read-only", f"{what} and never changes", node.span, notes=[Note("declared here", ref.span)])
            return ty
        ref.written = True
        s.owner.writes.add(ref.name)
        if ref.set_by and s.owner.name not in ref.set_by and not s.everything:
            names = ", ".join(f"`{x}`" for x in ref.set_by)
            s.bag.error(
                "guarded-field",
                f"`{ref.name}` may be changed only in {names}",
                node.span,
                notes=[Note("declared here", ref.span)],
                help=f"call {names} instead",
            )
        return ty
    if ref == "inverse" and isinstance(node, n.Field):
        _inverse(node, s)
        return ERROR
    if isinstance(ref, str) and ref in ("at", "on", "holds"):
        s.bag.error(
            "read-only", "where a piece is changes only by `move`", node.span, help="write `move piece to place`"
        )
        return ERROR
    if not isinstance(ty, ErrorT):
        what = f"this is {a(ty)}" if not isinstance(ref, Entity) else f"`{ref.id}` is {article(ref.kind.name)}"
        s.bag.error(
            "not-assignable", "this can't be changed", node.span, label=what, help="only variables and fields change"
        )
    return ERROR


def _new_variable(node: n.NameRef, s: Scope) -> Ty:
    """Says that something is set that was not declared; it counts as declared from here on."""
    known = [*(name for name, x in s.names.items() if isinstance(x, Local) and x.assignable), *s.world.globals]
    mend = mend_unknown_name(node.name, s) or did_you_mean(node.name, known)
    s.bag.error(
        "unknown-name",
        f"nothing is called `{node.name}` here",
        node.span,
        label="not a variable or field",
        help=mend or f"a new variable begins with `let`: `let {node.name} = …`",
    )
    s.names[node.name] = Local(node.name, ERROR, node.span, assignable=True)
    return ERROR


def _inverse(node: n.Field, s: Scope) -> None:
    """Says that a set of those who name something changes with their fields only."""
    owner = s.checked.types[node.target]
    assert isinstance(owner, KindT)
    field = owner.kind.inverses[node.name.text].field
    s.bag.error(
        "read-only",
        f"`{node.name.text}` changes only with the fields `{field.name}` that it is the inverse of",
        node.span,
        notes=[Note("declared here", field.span)],
        help=f"write `x.{field.name} = {node.target.span.text}`",
    )
