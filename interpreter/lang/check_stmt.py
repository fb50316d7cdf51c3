"""Statements: what they may do where they stand, and what is known after them."""

from __future__ import annotations

from interpreter.diagnostics import Note
from interpreter.lang import nodes as n
from interpreter.lang.check_assign import after_call, check_assign, only_effect, right_side
from interpreter.lang.check_base import a, bind, condition, domain_element, expect, then_facts
from interpreter.lang.check_call import called, check_arguments
from interpreter.lang.check_chance import built_in_effect, check_draw, check_end, check_shuffle
from interpreter.lang.check_decide import check_choose, check_for_chosen, check_template
from interpreter.lang.check_look import check_look
from interpreter.lang.check_scene import check_alternate, check_pass, check_scene_stmt
from interpreter.lang.check_secretly import check_secretly
from interpreter.lang.frozen import check_frozen
from interpreter.lang.mending import header
from interpreter.lang.narrow import facts_if
from interpreter.lang.scope import SCORING, EnumValue, Scope, forget
from interpreter.lang.types import (
    ENDING_CELLS,
    ERROR,
    INT,
    EmptyT,
    EnumT,
    ErrorT,
    KindT,
    ListT,
    MaybeT,
    NoneT,
    PlaceT,
    SetT,
    Ty,
    ZoneT,
    article,
    element,
    ending_cells,
    fits,
    join,
)
from interpreter.lang.walk import breaks, forget_written, loop_writes


def check_body(body: n.Body, s: Scope) -> bool:
    """Checks statements in order; True if play goes on after the last one."""
    falls = told = True
    for statement in body:
        if not falls and told:
            told = False
            s.bag.warn(
                "unreachable",
                "this is never reached",
                statement.span,
                help="remove it, or the `return` or `break` before it",
            )
        s.proved.clear()
        falls = check_stmt(statement, s) and falls
    return falls


def check_stmt(node: n.Stmt, s: Scope) -> bool:
    """Checks one statement; True if play goes on after it."""
    match node:
        case n.Let():
            _let(node, s)
        case n.Assign():
            check_assign(node, s)
        case n.CallStmt():
            return _call(node, s)
        case n.Return():
            return _return(node, s)
        case n.Move():
            _move(node, s)
        case n.Draw():
            only_effect(node.span, "draws pieces", s)
            check_draw(node, s)
        case n.Log():
            only_effect(node.span, "writes to the log", s)
            check_template(node.text, s)
            if node.to is not None:
                expect(node.to, KindT(s.world.players), s, "who may read it")
        case n.Win():
            only_effect(node.span, "ends the game", s)
            expect(node.who, KindT(s.world.players), s, "the winner")
            return _ends(node.text, s)
        case n.Finish():
            only_effect(node.span, "ends the game", s)
            if s.checked.game.scoring is not None and s.owner.name != SCORING:
                s.owner.calls.add(SCORING)
                s.owner.call_spans.setdefault(SCORING, node.span)
            return _ends(node.text, s)
        case n.Scene():
            only_effect(node.span, "opens a scene", s)
            return check_scene_stmt(node, s)
        case n.Alternate():
            only_effect(node.span, "lets players alternate", s)
            return check_alternate(node, s)
        case n.Pass():
            return check_pass(node, s)
        case n.Break():
            if not s.loop:
                mend = "`return` ends the effect; to do nothing, leave the line out"
                s.bag.error("break-outside", "`break` stands in no loop", node.span, help=mend)
            return False
        case n.If():
            return _if(node, s)
        case n.Match():
            return _match(node, s)
        case n.Repeat():
            expect(node.times, INT, s, "the number of times")
            _loop(node.body, s)
        case n.While():
            forget_written(node.body, s)
            condition(node.cond, s, "the condition of `while`")
            check_body(node.body, then_facts(node.cond, True, s).inner(loop=True))  # tested anew in each round
            forget_written(node.body, s)
            if not breaks(node.body):
                s.facts.update(facts_if(node.cond, False, s.checked))
        case n.ForEach():
            _for_each(node, s)
        case n.ForChosen():
            only_effect(header(node.span), "asks a player", s)
            return check_for_chosen(node, s)
        case n.Choose():
            only_effect(header(node.span), "asks a player", s)
            return check_choose(node, s)
        case n.Secretly():
            only_effect(header(node.span), "asks players", s)
            return check_secretly(node, s)
    return True


def _ends(text: n.Template | None, s: Scope) -> bool:
    s.owner.ends_game = True
    if text is not None:
        check_template(text, s)
        holes = [p for p in text.parts if isinstance(p, n.Hole)]
        if sum(ending_cells(s.checked.types.get(h.value, ERROR)) for h in holes) > ENDING_CELLS:
            s.bag.error(
                "too-many-holes",
                "the last word on a game can't show so much",
                text.span,
                help="write the rest into the log before; it has four holes, with no room for large sets and lists",
            )
    return False


def _let(node: n.Let, s: Scope) -> None:
    ty = right_side(node.value, s)
    if isinstance(ty, NoneT):
        s.bag.error(
            "no-type", "nothing says what this may hold besides none", node.value.span, help="begin with a value"
        )
        ty = ERROR
    if isinstance(ty, ZoneT):
        zone = node.value.span.text
        mend = f"write `{zone}` where it is needed, or keep its pieces: `those(x in {zone})`"
        s.bag.error("no-type", "a zone can't be kept in a variable", node.value.span, help=mend)
        ty = ERROR
    if isinstance(node.value, n.ListLit) and isinstance(ty, ListT) and isinstance(ty.of, KindT | EnumT):
        ty = SetT(
            ty.of
        )  # a variable may grow, and outlive a question; only a list that is used at once keeps its order
    bind(node.name, ty, s, assignable=True)


def _call(node: n.CallStmt, s: Scope) -> bool:
    call = node.call
    if not isinstance(call, n.Apply):
        s.expr(call)
        s.bag.error(
            "no-effect",
            "this computes something and does nothing with it",
            call.span,
            help="use it in a statement, or remove it",
        )
        return True
    built_in = built_in_effect(call, s)
    if built_in is not None and built_in.name == "look":
        only_effect(node.span, "lets a player look", s)
        check_look(call, s)
        return True
    if built_in is not None:
        only_effect(node.span, "shuffles a pile", s)
        check_shuffle(call, s)
        return True
    target = called(call, s)
    name = target.name if target else call.func.span.text
    if target is None or not target.is_effect:
        ty = s.expr(call)
        if not isinstance(ty, ErrorT):
            s.bag.error(
                "no-effect",
                f"`{name}` only computes, and its result is not used",
                call.span,
                help=f"write `let x = {call.span.text}`",
            )
        return True
    only_effect(node.span, "calls an effect", s)
    s.checked.types[call] = check_arguments(call, target, s)
    after_call(target, s)
    return True


def _return(node: n.Return, s: Scope) -> bool:
    want = s.owner.result
    if node.value is None:
        if want is not None:
            notes = [Note("declared here", s.owner.span)]
            message = f"`{s.owner.name}` must return {a(want)}"
            s.bag.error("missing-value", message, node.span, notes=notes, help="write the value behind `return`")
    elif want is None:
        s.expr(node.value)
        named = s.owner.node is not None
        s.bag.error(
            "no-result",
            f"`{s.owner.name}` gives no result" if named else "this text gives no result",
            node.value.span,
            help=f"declare one: `effect {s.owner.name}(…) -> type:`" if named else "`return` alone ends it",
        )
    else:
        have = right_side(node.value, s)
        if not fits(have, want):
            expect(node.value, want, s, "what is returned")
    return False


def _move(node: n.Move, s: Scope) -> None:
    only_effect(node.span, "moves pieces", s)
    what = s.expr(node.what)
    to = s.expr(node.to)
    check_end(node, to, s)
    if isinstance(what, ZoneT) and what.zone.of:
        piece: Ty = KindT(what.zone.of)
    else:
        piece = element(what) or what
    if isinstance(piece, ErrorT) or isinstance(to, ErrorT) or isinstance(what, EmptyT):
        return
    if not isinstance(piece, KindT) or not piece.kind.is_piece:
        s.bag.error(
            "not-a-piece",
            f"only pieces move, and this is {a(what)}",
            node.what.span,
            label=f"this is {a(what)}",
            help=f"test it first: `{node.what.span.text} != none`" if isinstance(what, MaybeT) else "",
        )
        return
    if not fits(to, PlaceT(piece.kind)) and not piece.kind.misplaced:
        places = [k.name for k in piece.kind.place_kinds] + [z.name for z in piece.kind.place_zones]
        notes = [Note(f"`{piece.kind.name}` is declared here", piece.kind.span)] if piece.kind.span else []
        s.bag.error(
            "wrong-place",
            f"{article(piece.kind.name)} can't be there: this is {a(to)}",
            node.to.span,
            notes=notes,
            help="it can be at: " + ", ".join(f"`{p}`" for p in places),
        )
    s.owner.writes.add("at")
    forget(s.facts, {"at", *(name for k in s.world.kinds.values() for name in k.holds)})


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
    s.facts = {}
    for path, known in first.facts.items():
        ty: Ty | None = known
        for other in others:
            there = other.facts.get(path)
            ty = None if ty is None or there is None else join(ty, there)
        if ty is not None:
            s.facts[path] = ty


def _match(node: n.Match, s: Scope) -> bool:
    subject = s.expr(node.subject)
    seen: set[int] = set()
    falls = wrong = False
    exits: list[Scope] = []
    for case in node.cases:
        for value in case.values:
            if isinstance(subject, EnumT) and isinstance(value, n.NameRef) and value.name in subject.enum.values:
                index = subject.enum.values.index(value.name)
                s.checked.refs[value] = EnumValue(subject.enum, index)
                s.checked.types[value] = subject
                if index in seen:
                    message = f"`{value.name}` has a case already"
                    s.bag.error("duplicate-case", message, value.span, label="never reached")
                seen.add(index)
            else:
                before = len(s.bag.items)
                expect(value, subject, s, "the case")
                wrong = wrong or len(s.bag.items) > before
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
    elif (not isinstance(subject, EnumT | ErrorT) or missing) and not wrong:
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
    forget_written(body, inner)
    check_body(body, inner)
    forget_written(body, s)


def _for_each(node: n.ForEach, s: Scope) -> None:
    b = node.binder
    inner = s.inner(loop=True)
    of = domain_element(b.domain, s)
    if b.quantity != "one":
        s.bag.error("bad-binder", "`for each` takes its things one by one", b.span)
    bind(b.var, of, inner)
    forget_written(node.body, inner)
    if b.where is not None:
        condition(b.where, inner)
        inner.facts.update(facts_if(b.where, True, s.checked))
        for path in [p for p in inner.facts if len(p) > 1]:
            if loop_writes(node.body):
                del inner.facts[path]
    check_body(node.body, inner)
    check_frozen(node, inner)
    forget_written(node.body, s)
