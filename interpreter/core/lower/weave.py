"""Weaving: open functions and effects with the exceptions that hold in a scenario and its options, and hooks with what
fills them.

What is off leaves no trace. For a number the base comes first, then `result`s in order of their classes (the last one
wins), then all `add`s; for a condition `result`, `allow` and `forbid` class by class; for an effect the last class's
`instead` that applies replaces it, with all `before`s and `after`s around. Conditions of exceptions to effects are
tested once, before anything is run.
"""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.core import nodes as c
from interpreter.core.lower import stages
from interpreter.core.lower.context import Context, Env
from interpreter.core.lower.held import both
from interpreter.lang.scope import Bend, Callable, Checked, Face, Filling
from interpreter.source import Span


def bends_in_force(checked: Checked, plays: tuple[str, ...], options: Mapping[str, bool]) -> dict[Callable, list[Bend]]:
    """The exceptions of scenarios that are played and of options, by what they bend, in the order of weaving."""
    found: dict[Callable, list[Bend]] = {}
    for bend in checked.bends:
        if bend.option is not None and not options[bend.option]:
            continue
        if bend.scenario is not None and bend.scenario not in plays:
            continue
        found.setdefault(bend.target, []).append(bend)
    return found


def woven(target: Callable, ctx: Context) -> bool:
    """Whether a call of this runs something else than the text that is written for it."""
    return target.fillings is not None or target in ctx.bends


def condition(bend: Bend, params: list[c.Var], ctx: Context) -> c.Expr:
    """When an exception holds, with the target's parameters in these variables."""
    env = names_of(bend, params)
    test = stages.is_on(bend.scenario, ctx)
    if bend.face is not None and bend.me is not None:
        test = both(test, _shows(bend.face, c.Const(bend.me[1]), bend.span, ctx))
    for node in bend.conditions:
        test = both(test, ctx.expr(node, env))
    return test


def names_of(bend: Bend, params: list[c.Var]) -> Env:
    """The names that an exception's texts know."""
    env = Env(dict(zip(bend.params, params, strict=True)))
    if bend.me is not None:
        env.names[bend.me[0]] = c.Const(bend.me[1])
    return env


def _shows(face: Face, entity: c.Expr, span: Span, ctx: Context) -> c.Expr:
    f, value = face
    assert f.owner is not None
    return c.Compare("==", ctx.load(f, entity, f.owner.size, span), c.Const(value))


def filled(filling: Filling, entity: c.Var, hook: Callable, ctx: Context) -> c.Expr:
    """Whether a filling is the one for the entity that a hook is called on."""
    if filling.entity < 0:
        return c.Const(1)
    test: c.Expr = c.Compare("==", c.Get(entity), c.Const(filling.entity))
    if filling.face is not None:
        test = both(test, _shows(filling.face, c.Get(entity), hook.span, ctx))
    return test


def woven_body(target: Callable, params: list[c.Var], base: int, ctx: Context) -> c.Stmts:
    """The body of a plain function or effect with its exceptions; `base`: the number of what is written for it (-1 for
    hooks).
    """
    args = tuple(c.Get(p) for p in params)
    if target.fillings is not None:
        return _dispatch(target, params, args, ctx)
    if not target.is_effect:
        return _function(target, params, args, base, ctx)
    return _effect(target, params, args, base, ctx)


def _dispatch(target: Callable, params: list[c.Var], args: tuple[c.Expr, ...], ctx: Context) -> c.Stmts:
    other: c.Stmts = ()
    assert target.fillings is not None
    if target.result is not None:
        other = (c.Fail(ctx.site("no-filling", f"this has no `{target.name}` on this face", target.span), None),)
    for filling in reversed(target.fillings):
        number = ctx.function_number(filling.body)
        run: c.Stmts = (c.Do(number, args, None),)
        if target.result is not None:
            run = (c.Return(c.Call(number, args)),)
        test = filled(filling, params[0], target, ctx)
        other = run if isinstance(test, c.Const) else (c.If(test, run, other),)
    return other


def _function(target: Callable, params: list[c.Var], args: tuple[c.Expr, ...], base: int, ctx: Context) -> c.Stmts:
    assert target.result is not None
    result = ctx.var("result", target.result)
    body: list[c.Stmt] = [c.Let(result, c.Call(base, args))]
    bends = ctx.bends[target]
    for rank in sorted({b.rank for b in bends}):
        for verb in ("result", "allow", "forbid"):
            for bend in (b for b in bends if b.rank == rank and b.verb == verb):
                value: c.Expr = c.Const(int(verb == "allow"))
                if bend.value is not None:
                    value = ctx.expr(bend.value, names_of(bend, params), target.result)
                body += _if(condition(bend, params, ctx), (c.Let(result, value),))
    for bend in bends:
        if bend.verb == "add" and bend.value is not None:
            more = ctx.arith("+", c.Get(result), ctx.expr(bend.value, names_of(bend, params)), bend.span)
            body += _if(condition(bend, params, ctx), (c.Let(result, more),))
    return (*body, c.Return(c.Get(result)))


def _if(test: c.Expr, then: c.Stmts) -> c.Stmts:
    if isinstance(test, c.Const):
        return then if test.value else ()
    return (c.If(test, then),)


def _effect(target: Callable, params: list[c.Var], args: tuple[c.Expr, ...], base: int, ctx: Context) -> c.Stmts:
    tests, body = tested(target, params, ctx)
    result = ctx.var("result", target.result) if target.result is not None else None
    made: list[c.Stmt] = list(body)
    for bend, test in tests:
        if bend.verb == "before" and bend.effect is not None:
            made += _if(test, (c.Do(ctx.function_number(bend.effect), args, None),))
    run: c.Stmts = (c.Do(base, args, result),)
    for bend, test in tests:  # the last that applies is tested first
        if bend.verb == "instead" and bend.effect is not None:
            run = choose(test, (c.Do(ctx.function_number(bend.effect), args, result),), run)
    made += run
    for bend, test in tests:
        if bend.verb == "after" and bend.effect is not None:
            made += _if(test, (c.Do(ctx.function_number(bend.effect), args, None),))
    if result is not None:
        made.append(c.Return(c.Get(result)))
    return tuple(made)


def choose(test: c.Expr, then: c.Stmts, other: c.Stmts) -> c.Stmts:
    """`then` if the test holds, else `other`; folded if that is known."""
    if isinstance(test, c.Const):
        return then if test.value else other
    return (c.If(test, then, other),)


def tested(target: Callable, params: list[c.Var], ctx: Context) -> tuple[list[tuple[Bend, c.Expr]], list[c.Stmt]]:
    """The exceptions to an effect with what says whether they hold, and the statements that find out at its start."""
    tests: list[tuple[Bend, c.Expr]] = []
    body: list[c.Stmt] = []
    for bend in ctx.bends[target]:
        test = condition(bend, params, ctx)
        if not isinstance(test, c.Const):
            held = c.Var("holds", c.INT)
            ctx.var_ranges[held] = (0, 1)
            body.append(c.Let(held, test))
            test = c.Get(held)
        tests.append((bend, test))
    return tests, body
