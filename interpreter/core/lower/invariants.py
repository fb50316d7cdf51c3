"""Invariants: what a game says must hold in every position, as functions behind all others of a program."""

from __future__ import annotations

from dataclasses import is_dataclass

from interpreter.core import nodes as c
from interpreter.core.compiled import InvariantInfo, PartInfo, ThenInfo
from interpreter.core.lower import queries as q
from interpreter.core.lower.context import Context, Env, core_type
from interpreter.core.lower.held import both, negate
from interpreter.core.lower.trials import told_values
from interpreter.core.quiet import parts
from interpreter.lang import nodes as n
from interpreter.lang.types import SetT
from interpreter.lang.world import Field
from interpreter.reading.model import InvariantDef
from interpreter.source import Span


def lower_invariants(ctx: Context) -> None:
    """Fills `invariants`, and `sound` with a function that says whether all of them hold."""
    every: c.Expr = c.Const(1)
    for one in ctx.checked.game.invariants:
        node = ctx.checked.phases[one.that]
        assert not isinstance(node, tuple)
        holds = ctx.expr(node, Env())
        if one.during is not None:
            holds = c.Either(negate(_open(one, ctx)), holds)
        number = _function(node.span, c.INT, holds, ctx)
        check = ThenInfo(number, one.that.whole, told_values(node, ctx))
        reads = _read(number, ctx)
        ctx.out.invariants.append(InvariantInfo(check, one.text, one.citation.rule, _culprits(node, ctx), reads))
        every = both(every, c.Call(number, ()))
    if ctx.out.invariants:
        every_one = c.Function("invariants", (), c.INT, (c.Return(every),), True)
        ctx.out.sound = ctx.add_function(every_one)


def _read(number: int, ctx: Context) -> frozenset[Field]:
    """The fields of numbers and single things that a function looks at, by way of others too."""
    fields = {region.base: f for f, region in ctx.out.layout.fields.items()}
    found: set[Field] = set()
    called = {number}
    waiting: list[object] = [ctx.program.functions[number].body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting += node
            continue
        if isinstance(node, c.Load) and node.base in fields:
            found.add(fields[node.base])
        if isinstance(node, c.Call) and node.function not in called:
            called.add(node.function)
            waiting.append(ctx.program.functions[node.function].body)
        if is_dataclass(node):
            waiting += [getattr(node, name) for name in parts(node)]
    return frozenset(found)


def _open(one: InvariantDef, ctx: Context) -> c.Expr:
    assert one.during is not None
    scene = ctx.checked.world.scenes[one.during.text]
    return c.Compare("!=", ctx.load(scene.is_open, c.Const(0), 1, one.span), c.Const(0))


def _culprits(node: n.Expr, ctx: Context) -> PartInfo | None:
    """For `all(x in S where C have E)` and `not any(x in S where C)` the set of those x for which it fails."""
    search = node.value if isinstance(node, n.Not) else node
    if not isinstance(search, n.Aggregate) or search.op != ("all" if search is node else "any"):
        return None
    domain, of = q.members(search.domain, Env(), ctx)
    var = q.fresh(search.var.text, of, ctx)
    inner = Env({ctx.checked.locals[search.var]: var})
    where: c.Expr = c.Const(1) if search.where is None else ctx.expr(search.where, inner)
    if search is node and search.of is not None:
        where = both(where, negate(ctx.expr(search.of, inner)))
    whole = SetT(q.whole(of))
    found = q.those(domain, var, where, of, ctx)
    return PartInfo(search.var.span, _function(search.span, core_type(whole), found, ctx), whole)


def _function(span: Span, result: c.Type, value: c.Expr, ctx: Context) -> int:
    return ctx.add_function(c.Function(f"invariant at {span}", (), result, (c.Return(value),), True))
