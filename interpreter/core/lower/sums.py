"""Functions that tell the parts of labelled sums, and what exceptions add to them."""

from __future__ import annotations

from collections.abc import Callable as Maker

from interpreter.core import nodes as c
from interpreter.core.compiled import SumPartInfo
from interpreter.core.lower import weave
from interpreter.core.lower.context import Context, Env, core_type
from interpreter.lang.scope import Bend, Callable, SumTerm
from interpreter.lang.types import KindT

MOST_MEMBERS = 48  # of a set that is handed in from outside, member by member

Test = Maker[[list[c.Var]], c.Expr]


def lower_sums(ctx: Context) -> None:
    """For each labelled sum a function for each part's condition and value."""
    for name, found in ctx.checked.sums.items():
        target = ctx.checked.callables[name]
        ctx.out.sum_params[name] = tuple(p.type for p in target.params)
        ctx.out.sums[name] = (
            *(_term(term, target, ctx) for term in found.terms),
            *(_added(bend, target, ctx) for bend in ctx.bends.get(target, ()) if bend.verb == "add"),
        )


def _term(term: SumTerm, target: Callable, ctx: Context) -> SumPartInfo:
    def env(params: list[c.Var]) -> Env:
        return Env(dict(zip(target.params, params, strict=True)))

    when: int | None = None
    if term.when is not None:
        test = term.when
        when = _function(f"when part of {target.name}", lambda p: ctx.expr(test, env(p)), target, ctx)
    value = _function(f"part of {target.name}", lambda p: ctx.expr(term.value, env(p)), target, ctx)
    d = term.definition
    return SumPartInfo(d.text or d.value.whole.text, d.citation.rule, when, value, d.span)


def _added(bend: Bend, target: Callable, ctx: Context) -> SumPartInfo:
    added = bend.value
    assert added is not None

    def value(params: list[c.Var]) -> c.Expr:
        return ctx.expr(added, weave.names_of(bend, params))

    when = _function(f"when part of {target.name}", lambda p: weave.condition(bend, p, ctx), target, ctx)
    number = _function(f"part of {target.name}", value, target, ctx)
    return SumPartInfo(_source(bend, ctx), "", when, number, bend.span)


def _source(bend: Bend, ctx: Context) -> str:
    """Who bends: the title of an entity, an option or a scenario."""
    if bend.me is not None and isinstance(bend.me[0].type, KindT):
        return bend.me[0].type.kind.entities[bend.me[1]].title
    if bend.option is not None:
        return ctx.checked.world.options[bend.option].title or bend.option
    found = next((s for s in ctx.checked.game.scenarios if s.name.text == bend.scenario), None)
    return (found.title or found.name.text) if found else ""


def _function(name: str, made: Test, target: Callable, ctx: Context) -> int:
    """A function of plain integers: a set comes in as its members, -1 for those that are missing."""
    given: list[c.Var] = []
    params: list[c.Var] = []
    before: list[c.Stmt] = []
    for p in target.params:
        var = ctx.var(p.name, p.type)
        params.append(var)
        if core_type(p.type).form != "set":
            given.append(var)
            continue
        size = var.type.size
        members = [c.Var(f"{p.name} {i}", c.INT) for i in range(min(size, MOST_MEMBERS))]
        given += members
        before.append(c.Let(var, c.SetOf(tuple(c.Get(m) for m in members), size, None)))
    body = (*before, c.Return(made(params)))
    return ctx.add_function(c.Function(name, tuple(given), c.INT, body, True))
