"""Statements: what they may do where they stand, and what is known after them."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.diagnostics import Note
from interpreter.lang import nodes as n
from interpreter.lang.check_call import check_arguments
from interpreter.lang.check_decide import check_choose, check_for_chosen, check_template
from interpreter.lang.check_expr import a, bind, check_expr, condition, domain_element, expect, indexed, then_facts
from interpreter.lang.narrow import facts_if
from interpreter.lang.scope import Callable, EnumValue, Local, Scope, forget, forget_fields, path_of
from interpreter.lang.types import (
    ERROR,
    INT,
    EmptyT,
    EnumT,
    ErrorT,
    KindT,
    ListT,
    NoneT,
    PlaceT,
    SetT,
    Ty,
    ZoneT,
    element,
    fits,
)
from interpreter.lang.world import Field
from interpreter.source import Span

NOT_YET = {n.Draw: "draw", n.Pass: "pass", n.Alternate: "alternate", n.Secretly: "secretly", n.Scene: "scene"}


def check_body(body: n.Body, s: Scope) -> bool:
    """Checks statements in order; True if play goes on after the last one."""
    falls = True
    for statement in body:
        if not falls:
            s.bag.warn("unreachable", "this is never reached", statement.span, help="remove it, or the `return` or `break` before it")
            break
        falls = check_stmt(statement, s)
    return falls


def check_stmt(node: n.Stmt, s: Scope) -> bool:
    """Checks one statement; True if play goes on after it."""
    match node:
        case n.Let():
            _let(node, s)
        case n.Assign():
            _assign(node, s)
        case n.CallStmt():
            return _call(node, s)
        case n.Return():
            return _return(node, s)
        case n.Move():
            _move(node, s)
        case n.Log():
            _only_effect(node.span, "writes to the log", s)
            check_template(node.text, s)
            if node.to is not None:
                s.bag.error("not-yet", "`log … to` is part of the language but is not supported yet", node.to.span)
        case n.Win():
            _only_effect(node.span, "ends the game", s)
            expect(node.who, KindT(s.world.players), s, "the winner")
            return _ends(node.text, s)
        case n.Finish():
            _only_effect(node.span, "ends the game", s)
            return _ends(node.text, s)
        case n.Break():
            if not s.loop:
                s.bag.error("break-outside", "`break` stands in no loop", node.span)
            return False
        case n.If():
            return _if(node, s)
        case n.Match():
            return _match(node, s)
        case n.Repeat():
            expect(node.times, INT, s, "the number of times")
            _loop(node.body, s)
        case n.While():
            _forget_written(node.body, s)
            condition(node.cond, s, "the condition of `while`")
            _loop(node.body, then_facts(node.cond, True, s))
            _forget_written(node.body, s)
            if not _breaks(node.body):
                s.facts.update(facts_if(node.cond, False, s.checked))
        case n.ForEach():
            _for_each(node, s)
        case n.ForChosen():
            _only_effect(node.span, "asks a player", s)
            return check_for_chosen(node, s)
        case n.Choose():
            _only_effect(node.span, "asks a player", s)
            return check_choose(node, s)
        case _:
            word = NOT_YET[type(node)]
            s.bag.error("not-yet", f"`{word}` is part of the language but is not supported yet", node.span)
    return True


def _only_effect(span: Span, what: str, s: Scope) -> None:
    if not s.owner.is_effect:
        s.bag.error(
            "effect-in-function",
            f"this {what}, and a function only computes",
            span,
            notes=[Note(f"`{s.owner.name}` is a function", s.owner.span)],
            help="make it an effect: write `effect` in place of `fun`",
        )


def _ends(text: n.Template | None, s: Scope) -> bool:
    s.owner.ends_game = True
    if text is not None:
        check_template(text, s)
        holes = [p for p in text.parts if isinstance(p, n.Hole)]
        if len(holes) > 4:
            s.bag.error("too-many-holes", "the last word on a game has at most four holes", text.span)
    return False


def _value(node: n.Expr, s: Scope) -> Ty:
    """The right side of `let`, of an assignment or of `return`: an expression, or a single call of an effect with a result."""
    if isinstance(node, n.Apply) and isinstance(node.func, n.NameRef) and node.func.name not in s.names:
        target = s.checked.callables.get(node.func.name)
        if target is not None and target.is_effect:
            _only_effect(node.span, "calls an effect", s)
            ty = check_arguments(node, target, s)
            s.checked.types[node] = ty
            if target.result is None:
                s.bag.error(
                    "no-result", f"`{target.name}` gives no result", node.span, notes=[Note("declared here", target.span)]
                )
                ty = ERROR
            _after_call(target, s)
            return ty
    return check_expr(node, s)


def _after_call(target: Callable, s: Scope) -> None:
    if target.is_effect:
        forget_fields(s.facts)


def _let(node: n.Let, s: Scope) -> None:
    ty = _value(node.value, s)
    if isinstance(ty, NoneT):
        s.bag.error("no-type", "nothing says what this may hold besides none", node.value.span, help="begin with a value")
        ty = ERROR
    if isinstance(ty, ZoneT):
        s.bag.error("no-type", "a zone can't be kept in a variable", node.value.span)
        ty = ERROR
    bind(node.name, ty, s, assignable=True)


def _assign(node: n.Assign, s: Scope) -> None:
    target = node.target
    want = _target(target, s)
    if node.op == "=":
        have = _value(node.value, s)
        _store(node, target, want, have, s)
        return
    have = check_expr(node.value, s)
    if isinstance(want, ErrorT) or isinstance(have, ErrorT):
        return
    if fits(want, INT):
        expect(node.value, INT, s, f"what is added by `{node.op}`")
        return
    if isinstance(want, SetT | ListT | EmptyT):
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
    s.bag.error("type-mismatch", f"`{node.op}` changes numbers and sets, and this is {a(want)}", target.span)


def _store(node: n.Assign, target: n.Expr, want: Ty, have: Ty, s: Scope) -> None:
    local = s.checked.refs.get(target) if isinstance(target, n.NameRef) else None
    if isinstance(local, Local) and isinstance(local.type, EmptyT) and element(have) is not None:
        local.type = SetT(element(have) or ERROR)  # the first use says of what
        s.checked.types[target] = local.type
    elif not fits(have, want):
        expect(node.value, want, s, "the new value") if node.op == "=" else s.bag.error(
            "type-mismatch", f"{a(have)} can't be joined with {a(want)}", node.value.span
        )
    path = path_of(target, s.checked)
    if path is not None:
        for known in [p for p in s.facts if p[: len(path)] == path]:
            del s.facts[known]
        if node.op == "=" and fits(have, want) and have != want and not isinstance(have, NoneT | EmptyT | ErrorT | ZoneT):
            s.facts[path] = have
    name = _written_name(target, s)
    if name is not None:
        for known in [p for p in s.facts if p != path and len(p) > 1 and p[-1] == name]:
            del s.facts[known]


def _written_name(target: n.Expr, s: Scope) -> str | None:
    ref = s.checked.refs.get(target)
    return ref.name if isinstance(ref, Field) else None


def _target(node: n.Expr, s: Scope) -> Ty:
    """What may be assigned to: a variable of this effect, a global, a field; gives its declared type."""
    if isinstance(node, n.NameRef):
        check = s.names.get(node.name)
        if check is not None:
            s.checked.refs[node] = check
            s.checked.types[node] = check.type
            if not check.assignable:
                s.bag.error(
                    "not-assignable",
                    f"`{node.name}` can't be changed here",
                    node.span,
                    notes=[Note("it is declared here", check.span)],
                    help=f"only variables made by `let` change; write `let my_{node.name} = {node.name}` first",
                )
            return check.type
    elif not isinstance(node, n.Field | n.Index):
        s.bag.error("not-assignable", "only variables and fields can be changed", node.span)
        return ERROR
    saved, s.facts = s.facts, {}  # what may be written is the declared type, not what a test found
    try:
        if isinstance(node, n.Field):
            s.facts = {k: v for k, v in saved.items()}
        ty = check_expr(node, s)
        ty = s.checked.raw.pop(node, ty)
        s.checked.types[node] = ty
        if isinstance(node, n.Index) and isinstance(indexed(node, s), Field):
            s.facts = saved
            check_expr(node, s)
    finally:
        s.facts = saved
    ref = s.checked.refs.get(node)
    if isinstance(ref, Field):
        _only_effect(node.span, "changes a field", s)
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
    if isinstance(ref, str) and ref in ("at", "on", "holds"):
        s.bag.error("read-only", "where a piece is changes only by `move`", node.span, help="write `move piece to place`")
        return ERROR
    if not isinstance(ty, ErrorT):
        s.bag.error("not-assignable", "this can't be changed", node.span)
    return ERROR


def _call(node: n.CallStmt, s: Scope) -> bool:
    call = node.call
    if not isinstance(call, n.Apply):
        check_expr(call, s)
        s.bag.error("no-effect", "this computes something and does nothing with it", call.span, help="use it in a statement, or remove it")
        return True
    name = call.func.name if isinstance(call.func, n.NameRef) else ""
    target = s.checked.callables.get(name)
    if target is None or name in s.names or not target.is_effect:
        ty = check_expr(call, s)
        if not isinstance(ty, ErrorT):
            s.bag.error("no-effect", f"`{name}` only computes, and its result is not used", call.span, help=f"write `let x = {call.span.text}`")
        return True
    _only_effect(node.span, "calls an effect", s)
    s.checked.types[call] = check_arguments(call, target, s)
    _after_call(target, s)
    return True


def _return(node: n.Return, s: Scope) -> bool:
    want = s.owner.result
    if node.value is None:
        if want is not None:
            s.bag.error("missing-value", f"`{s.owner.name}` must return {a(want)}", node.span)
    elif want is None:
        check_expr(node.value, s)
        s.bag.error(
            "no-result", f"`{s.owner.name}` gives no result", node.value.span, help="declare one: `effect name(…) -> type:`"
        )
    else:
        have = _value(node.value, s)
        if not fits(have, want):
            expect(node.value, want, s, "what is returned")
    return False


def _move(node: n.Move, s: Scope) -> None:
    _only_effect(node.span, "moves pieces", s)
    what = check_expr(node.what, s)
    to = check_expr(node.to, s)
    if node.end is not None:
        s.bag.error("not-yet", "piles are part of the language but are not supported yet", node.span)
    if isinstance(what, ZoneT) and what.zone.of:
        piece: Ty = KindT(what.zone.of)
    else:
        piece = element(what) or what
    if isinstance(piece, ErrorT) or isinstance(to, ErrorT) or isinstance(what, EmptyT):
        return
    if not isinstance(piece, KindT) or not piece.kind.is_piece:
        s.bag.error("not-a-piece", f"only pieces move, and this is {a(what)}", node.what.span, help="test it first if it may be none" if str(what).startswith("maybe") else "")
        return
    if not fits(to, PlaceT(piece.kind)):
        places = [k.name for k in piece.kind.place_kinds] + [z.name for z in piece.kind.place_zones]
        notes = [Note(f"`{piece.kind.name}` is declared here", piece.kind.span)] if piece.kind.span else []
        s.bag.error(
            "wrong-place",
            f"a {piece.kind.name} can't be there: this is {a(to)}",
            node.to.span,
            notes=notes,
            help="it can be at: " + ", ".join(f"`{p}`" for p in places),
        )
    s.owner.writes.add("at")
    forget(s.facts, {"at"})


def _if(node: n.If, s: Scope) -> bool:
    falls = False
    here = s.inner()
    exits: list[Scope] = []
    for cond, body in node.branches:
        condition(cond, here, "the condition of `if`")
        inside = then_facts(cond, True, here)
        if check_body(body, inside):
            falls = True
            exits.append(inside)
        here = then_facts(cond, False, here)
    if node.other is not None:
        falls_here = check_body(node.other, here)
    else:
        falls_here = True
    if falls_here:
        falls = True
        exits.append(here)
    _merge(exits, s)
    return falls


def _merge(exits: list[Scope], s: Scope) -> None:
    """What is known after branches is what all of those that go on agree about."""
    if not exits:
        return
    first, *others = exits
    s.facts = {p: t for p, t in first.facts.items() if all(o.facts.get(p) == t for o in others)}


def _match(node: n.Match, s: Scope) -> bool:
    subject = check_expr(node.subject, s)
    seen: set[int] = set()
    falls = False
    exits: list[Scope] = []
    for case in node.cases:
        for value in case.values:
            if isinstance(subject, EnumT) and isinstance(value, n.NameRef) and value.name in subject.enum.values:
                index = subject.enum.values.index(value.name)
                s.checked.refs[value] = EnumValue(subject.enum, index)
                s.checked.types[value] = subject
                if index in seen:
                    s.bag.error("duplicate-case", f"`{value.name}` has a case already", value.span)
                seen.add(index)
            else:
                expect(value, subject, s, "the case")
        inner = s.inner()
        if check_body(case.body, inner):
            falls = True
            exits.append(inner)
    missing: list[str] = []
    if isinstance(subject, EnumT):
        missing = [v for i, v in enumerate(subject.enum.values) if i not in seen]
    if node.other is not None:
        inner = s.inner()
        if check_body(node.other, inner):
            falls = True
            exits.append(inner)
    elif not isinstance(subject, EnumT | ErrorT) or missing:
        names = ", ".join(f"`{m}`" for m in missing)
        s.bag.error(
            "missing-case",
            f"no case for {names}" if missing else "not every value has a case",
            node.subject.span,
            help="add the cases, or `else:`",
        )
        falls = True
    _merge(exits, s)
    return falls


def _loop(body: n.Body, s: Scope) -> None:
    inner = s.inner(loop=True)
    _forget_written(body, inner)
    check_body(body, inner)
    _forget_written(body, s)


def _for_each(node: n.ForEach, s: Scope) -> None:
    b = node.binder
    inner = s.inner(loop=True)
    of = domain_element(b.domain, s)
    if b.quantity != "one":
        s.bag.error("bad-binder", "`for each` takes its things one by one", b.span)
    bind(b.var, of, inner)
    _forget_written(node.body, inner)
    if b.where is not None:
        condition(b.where, inner)
        inner.facts.update(facts_if(b.where, True, s.checked))
        for path in [p for p in inner.facts if len(p) > 1]:
            if _loop_writes(node.body):
                del inner.facts[path]
    check_body(node.body, inner)
    _forget_written(node.body, s)


def _loop_writes(body: n.Body) -> bool:
    return any(isinstance(x, n.Assign | n.Move | n.CallStmt | n.Choose | n.ForChosen | n.Let) for x in statements(body))


def _forget_written(body: n.Body, s: Scope) -> None:
    """Drops what a loop's body may change: variables it assigns, and fields if it writes anything."""
    names = {x.target.name for x in statements(body) if isinstance(x, n.Assign) and isinstance(x.target, n.NameRef)}
    for path in list(s.facts):
        if isinstance(path[0], Local) and path[0].name in names:
            del s.facts[path]
    if _loop_writes(body):
        forget_fields(s.facts)


def _breaks(body: n.Body) -> bool:
    return any(isinstance(x, n.Break) for x in statements(body))


def statements(body: n.Body) -> Iterable[n.Stmt]:
    """All statements of a body, those inside others too."""
    for x in body:
        yield x
        match x:
            case n.If():
                for _, inner in x.branches:
                    yield from statements(inner)
                yield from statements(x.other or ())
            case n.Match():
                for case in x.cases:
                    yield from statements(case.body)
                yield from statements(x.other or ())
            case n.Choose():
                for option in x.options:
                    yield from statements(option.body)
                yield from statements(x.other or ())
            case n.Repeat() | n.While() | n.ForEach() | n.ForChosen() | n.Alternate() | n.Secretly() | n.Scene():
                yield from statements(x.body)


