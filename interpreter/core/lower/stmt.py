"""Statements that never pause: bodies of functions and plain effects, and the stretches of pausing effects between two
questions.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.core import nodes as c
from interpreter.core.compiled import EventInfo
from interpreter.core.cost import loop_weight
from interpreter.core.lower import (
    calls,
    chance,
    look,
    moves,
    scenes,
    secrecy,
    weave,
)
from interpreter.core.lower import expr as ex
from interpreter.core.lower import queries as q
from interpreter.core.lower.context import Context, Env, core_type
from interpreter.core.lower.context import loop_site as loop_site
from interpreter.core.lower.ending import ending_args
from interpreter.core.lower.held import convert, either
from interpreter.core.lower.places import field_index
from interpreter.core.lower.relations import store_field
from interpreter.lang import nodes as n
from interpreter.lang.scope import Callable, Local
from interpreter.lang.types import EmptyT, IntT, KindT, ListT, PlaceT, SetT, Ty, strip, universe
from interpreter.lang.world import (
    Field,
    Scene,
)


@dataclass(eq=False)
class Place:
    """Where statements stand: in which callable, under which names, and in which scenes that it has opened.

    `outside`: how many of these were open when the innermost loop began, so that `break` leaves them open.
    """

    owner: Callable
    env: Env
    ctx: Context
    scenes: tuple[Scene, ...] = ()
    outside: int = 0

    def inner(self) -> Place:
        return Place(self.owner, self.env.inner(), self.ctx, self.scenes, self.outside)

    def loop(self) -> Place:
        """The body of a loop."""
        return Place(self.owner, self.env.inner(), self.ctx, self.scenes, len(self.scenes))

    def inside(self, scene: Scene) -> Place:
        """The body of a scene."""
        return Place(self.owner, self.env.inner(), self.ctx, (*self.scenes, scene), self.outside)


def function_number(target: Callable, ctx: Context) -> int:
    """The number of a function or plain effect, lowered when first called."""
    if target.name in ctx.functions:
        return ctx.functions[target.name]
    env = Env()
    params = []
    for p in target.params:
        var = ctx.var(p.name, p.type)
        env.names[p] = var
        params.append(var)
    if target.me is not None:
        env.names[target.me[0]] = c.Const(target.me[1])
    inlining, ctx.inlining = ctx.inlining, 0
    number = -1
    if target.node is not None:
        number = _add_function(target, target.name, params, _written(target, target.node, env, ctx), ctx)
    if weave.woven(target, ctx):
        again = [ctx.var(p.name, p.type) for p in target.params]
        body = weave.woven_body(target, again, number, ctx)
        number = _add_function(target, f"{target.name} as bent", again, body, ctx)
    ctx.inlining = inlining
    ctx.functions[target.name] = number
    return number


def _written(target: Callable, node: n.Fun | n.Effect, env: Env, ctx: Context) -> c.Stmts:
    if isinstance(node, n.Fun) and node.value is not None:
        return (c.Return(ex.lower(node.value, env, ctx, target.result)),)
    return lower_body(node.body, Place(target, env, ctx))


def _add_function(target: Callable, name: str, params: list[c.Var], body: c.Stmts, ctx: Context) -> int:
    result = core_type(target.result) if target.result is not None else None
    return ctx.add_function(c.Function(name, tuple(params), result, body, not target.is_effect, target.ends_game))


def lower_body(body: n.Body, place: Place) -> c.Stmts:
    """Statements in order; names that they declare hold to the end of the body."""
    made: list[c.Stmt] = []
    for statement in body:
        made += lower_stmt(statement, place)
    return tuple(made)


def declare(local: Local, place: Place) -> c.Var:
    """A variable for a `let` or a binder."""
    var = place.ctx.var(local.name, local.type)
    if isinstance(local.type, PlaceT):
        place.ctx.var_ranges[var] = (0, place.ctx.checked.world.places - 1)
    if isinstance(local.type, IntT):
        place.ctx.var_ranges[var] = (c.MIN_INT, c.MAX_INT)
    place.env.names[local] = var
    return var


def lower_stmt(node: n.Stmt, place: Place) -> list[c.Stmt]:
    """The core of one statement that does not pause."""
    ctx, env = place.ctx, place.env
    match node:
        case n.Let():
            local = ctx.checked.locals[node.name]
            before, value = right_side(node.value, local.type, place)
            var = declare(local, place)
            if before and not local.changed:
                ctx.var_ranges[var] = ctx.range(c.Const(0) if isinstance(value, c.Do) else value)
            return [*before, *assign_var(var, value)]
        case n.Assign():
            return _assign(node, place)
        case n.CallStmt():
            assert isinstance(node.call, n.Apply)
            if ctx.checked.refs.get(node.call) == "shuffle":
                return moves.lower_shuffle(node.call, env, ctx)
            if ctx.checked.refs.get(node.call) == "look":
                return look.lower_look(node.call, env, ctx)
            return [_do(node.call, None, place)]
        case n.Return():
            if node.value is None:
                return [*scenes.closing(place.scenes, ctx), c.Return(None)]
            assert place.owner.result is not None
            before, value = right_side(node.value, place.owner.result, place)
            if isinstance(value, c.Do) or place.scenes:
                var = ctx.var("result", place.owner.result)
                return [*before, *assign_var(var, value), *scenes.closing(place.scenes, ctx), c.Return(c.Get(var))]
            return [*before, c.Return(value)]
        case n.Move():
            return moves.lower_move(node, env, ctx)
        case n.Draw():
            return moves.lower_draw(node, env, ctx)
        case n.Log():
            return [_log(node, place)]
        case n.Win():
            winner = ex.lower(node.who, env, ctx)
            return [c.End(winner, *event(node.text, "win", place))]
        case n.Finish():
            return _finish(node, place)
        case n.Break():
            return [*scenes.closing(place.scenes[place.outside :], ctx), c.Break()]
        case n.Scene():
            scene = scenes.scene_of(node, ctx)
            body = lower_body(node.body, place.inside(scene))
            return [*scenes.opening(node, env, ctx), *body, *scenes.closing([scene], ctx)]
        case n.If():
            return _if(node, place)
        case n.Match():
            return _match(node, place)
        case n.Repeat():
            times = ex.lower(node.times, env, ctx)
            var = c.Var("round", c.INT)
            rounds = c.Span(c.Const(1), times)
            body = lower_body(node.body, place.loop())
            return [c.For(var, rounds, body, _weight(body, rounds, ctx), loop_site(node.span, ctx))]
        case n.While():
            cond = ex.lower(node.cond, env, ctx)
            body = lower_body(node.body, place.loop())
            weight = max(_weight(body, c.Span(c.Const(0), c.Const(0)), ctx), 1)
            return [c.While(cond, body, weight, loop_site(node.span, ctx))]
        case n.ForEach():
            inner = place.loop()
            domain, var = loop_domain(node.binder, inner)
            body = lower_body(node.body, inner)
            return [c.For(var, domain, body, _weight(body, domain, ctx), loop_site(node.span, ctx))]
    raise AssertionError(f"{type(node).__name__} is not plain")


def _finish(node: n.Finish, place: Place) -> list[c.Stmt]:
    """The end of a game that nobody has won yet: its last word goes to the log, then the scoring may find a winner."""
    number, args = event(node.text, "finish", place)
    scoring = place.ctx.checked.scoring
    if scoring is None or place.owner is scoring:
        return [c.End(c.Const(-1), number, args)]
    held = [c.Var("word", c.INT) for _ in args]
    said = [] if node.text is None else [c.Emit(*event(node.text, "log", place), c.Const(-1))]
    return [
        *(c.Let(var, value) for var, value in zip(held, args, strict=True)),
        *said,
        c.Do(function_number(scoring, place.ctx), ()),
        c.End(c.Const(-1), number, tuple(c.Get(var) for var in held)),
    ]


def loop_domain(binder: n.Binder, place: Place) -> tuple[c.Expr, c.Var]:
    """What a `for each` runs over, filtered, and its variable."""
    ctx = place.ctx
    domain, of = q.members(binder.domain, place.env, ctx)
    local = ctx.checked.locals[binder.var]
    if binder.where is None:
        var = q.fresh(local.name, of, ctx)
        place.env.names[local] = var
        return domain, var
    tested = q.fresh(local.name, of, ctx)
    place.env.names[local] = tested
    where = ex.lower(binder.where, place.env, ctx)
    if q.is_list(domain, ctx):
        domain = q.as_set(domain, of, ctx) if not isinstance(ctx.checked.types[binder.domain], ListT) else domain
    domain, rest = q.narrowed(domain, tested, where, ctx)
    if rest is not None:
        domain = _filtered(domain, tested, rest, of, ctx)
    var = q.fresh(local.name, of, ctx)
    place.env.names[local] = var
    return domain, var


def _filtered(domain: c.Expr, var: c.Var, where: c.Expr, of: Ty, ctx: Context) -> c.Expr:
    if q.is_list(
        domain, ctx
    ):  # a filtered list keeps its order through the frozen loop: test inside would not be frozen
        return c.ListOfSet(q.those(domain, var, where, of, ctx), universe(q.whole(of)))
    return q.those(domain, var, where, of, ctx)


def _weight(body: c.Stmts, domain: c.Expr, ctx: Context) -> int:
    return loop_weight(body, domain, ctx.program, ctx.costs)


def right_side(node: n.Expr, want: Ty, place: Place) -> tuple[list[c.Stmt], c.Expr | c.Do]:
    """A right side: an expression or the call of a plain effect (a Do without `into`); before it, the throw of a
    roll, or what is told.
    """
    if isinstance(node, n.Roll):
        before, value = chance.lower_roll(node, place.env, place.ctx)
        return before, convert(value, place.ctx.checked.types[node], want, place.ctx)
    if isinstance(node, n.Disclose):
        before, value = secrecy.disclosed(node, place.env, place.ctx)
        return before, convert(value, place.ctx.checked.types[node], want, place.ctx)
    if isinstance(node, n.Apply):
        target = place.ctx.checked.refs.get(node)
        if isinstance(target, Callable) and target.is_effect:
            return [], _do(node, None, place)
    return [], ex.lower(node, place.env, place.ctx, want)


def assign_var(var: c.Var, value: c.Expr | c.Do) -> list[c.Stmt]:
    """Gives a variable the value of an expression or of a called effect."""
    if isinstance(value, c.Do):
        return [c.Do(value.function, value.args, var)]
    return [c.Let(var, value)]


def _do(node: n.Apply, into: c.Var | None, place: Place) -> c.Do:
    target = place.ctx.checked.refs[node]
    assert isinstance(target, Callable)
    args = calls.arguments(node, target, place.env, place.ctx)
    return c.Do(function_number(target, place.ctx), tuple(args), into)


def _assign(node: n.Assign, place: Place) -> list[c.Stmt]:
    ctx, env = place.ctx, place.env
    target = node.target
    ref = ctx.checked.refs.get(target)
    if isinstance(ref, Local):
        var = env.names[ref]
        assert isinstance(var, c.Var)
        if node.op == "=":
            before, value = right_side(node.value, ref.type, place)
            return [*before, *assign_var(var, value)]
        return [c.Let(var, _changed(node, c.Get(var), ref.type, place))]
    assert isinstance(ref, Field)
    index, count = field_place(target, ref, place)
    if node.op == "=":
        before, value = right_side(node.value, ref.type, place)
        if isinstance(value, c.Do):
            made = ctx.var("result", ref.type)
            return [*assign_var(made, value), *store_field(ref, index, count, c.Get(made), node.span, ctx)]
        return [*before, *store_field(ref, index, count, value, node.span, ctx)]
    before = []
    if not isinstance(index, c.Get | c.Const):
        held = c.Var("index", c.INT)
        ctx.var_ranges[held] = ctx.range(index)
        before.append(c.Let(held, index))
        index = c.Get(held)
    now = ctx.load(ref, index, count, node.span)
    return [*before, ctx.store(ref, index, count, _changed(node, now, ref.type, place), node.span)]


def field_place(target: n.Expr, f: Field, place: Place) -> tuple[c.Expr, int]:
    """Number and count of the field that is written."""
    if isinstance(target, n.Index):
        return field_index(target, f, place.env, place.ctx)
    if isinstance(target, n.Field) and f.owner is not None:
        return ex.lower(target.target, place.env, place.ctx), f.owner.size
    return c.Const(0), 1


def _changed(node: n.Assign, now: c.Expr, ty: Ty, place: Place) -> c.Expr:
    ctx, env = place.ctx, place.env
    if isinstance(ty, SetT | EmptyT):
        op = "|" if node.op == "+=" else "-"
        return c.SetOp(op, now, ex.lower(node.value, env, ctx, ty))  # type: ignore[arg-type]
    return ctx.arith(node.op[0], now, ex.lower(node.value, env, ctx), node.span)


def event(text: n.Template | None, what: str, place: Place) -> tuple[int, tuple[c.Expr, ...]]:
    """The number of a line for the log and its arguments."""
    ctx = place.ctx
    holes = [p for p in text.parts if isinstance(p, n.Hole)] if text else []
    types = tuple(ctx.checked.types[h.value] for h in holes)
    values = tuple(ex.lower(h.value, place.env, ctx) for h in holes)
    if what != "log":
        number = ctx.add_event(EventInfo(text, types, what))  # type: ignore[arg-type]
        return number, ending_args(values, types, ctx)
    secret, masks = [], []
    for i, (ty, value) in enumerate(zip(types, values, strict=True)):
        inner = strip(ty.of) if isinstance(ty, SetT | ListT) else strip(ty)
        if isinstance(inner, KindT) and inner.kind in ctx.checked.sight.secretive:
            secret.append(i)
            masks.append(secrecy.watchers(inner.kind, value, isinstance(ty, SetT | ListT), ctx))
    number = ctx.add_event(EventInfo(text, types, what, tuple(secret)))  # type: ignore[arg-type]
    return number, (*values, *masks)


def _log(node: n.Log, place: Place) -> c.Stmt:
    ctx = place.ctx
    to: c.Expr = c.Const(-1)
    if node.to is not None:
        bits = ctx.table(tuple(1 << p for p in range(ctx.checked.world.players.size)))
        to = c.Table(bits, ex.lower(node.to, place.env, ctx), None)
    return c.Emit(*event(node.text, "log", place), to)


def _if(node: n.If, place: Place) -> list[c.Stmt]:
    other = lower_body(node.other, place.inner()) if node.other else ()
    for cond, body in reversed(node.branches):
        test = ex.lower(cond, place.env, place.ctx)
        if isinstance(test, c.Const):
            other = lower_body(body, place.inner()) if test.value else other
        else:
            other = (c.If(test, lower_body(body, place.inner()), other),)
    return list(other)


def _match(node: n.Match, place: Place) -> list[c.Stmt]:
    subject = place.ctx.checked.types[node.subject]
    value = ex.lower(node.subject, place.env, place.ctx)
    var = place.ctx.var("subject", subject)
    return [c.Let(var, value), *match_tree(node, var, subject, place)]


def match_tree(node: n.Match, var: c.Var, subject: Ty, place: Place) -> c.Stmts:
    """The cases of a `match` as a chain of tests."""
    other = lower_body(node.other, place.inner()) if node.other else ()
    for case in reversed(node.cases):
        other = (c.If(case_test(case, var, subject, place), lower_body(case.body, place.inner()), other),)
    return other


def case_test(case: n.Case, var: c.Var, subject: Ty, place: Place) -> c.Expr:
    """Whether one of a case's values is the subject."""
    test: c.Expr = c.Const(0)
    for value in case.values:
        test = either(test, c.Compare("==", c.Get(var), ex.lower(value, place.env, place.ctx, subject)))
    return test
