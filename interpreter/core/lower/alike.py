"""Alike pieces: of candidates that agree in place, contents and every field, only the first in data order is
offered.
"""

from __future__ import annotations

from interpreter.core import nodes as c
from interpreter.core.lower import queries as q
from interpreter.core.lower.context import Context
from interpreter.core.lower.held import both
from interpreter.core.lower.places import place_of
from interpreter.lang.types import KindT, SetT, Ty, universe
from interpreter.lang.world import Field, Kind


def representatives(values: c.Expr, of: Ty, ctx: Context) -> c.Expr:
    """A set of candidates without those that another one, before them in data order, stands for."""
    if not isinstance(of, KindT) or not of.kind.alike:
        return values
    before = _same_from_the_start(of.kind, ctx)
    if not any(before[of.sort.low : of.sort.high] if of.sort else before):
        return values
    if of.kind not in ctx.firsts:
        ctx.firsts[of.kind] = _firsts(of.kind, before, ctx)
    return c.Call(ctx.firsts[of.kind], (values,))


def _firsts(kind: Kind, before: tuple[int, ...], ctx: Context) -> int:
    """The number of the function that does so: candidates are found once, and looked at several times."""
    size = universe(KindT(kind))
    given = c.Var("candidates", c.Type("set", size))
    one, other = q.fresh(kind.name, KindT(kind), ctx), q.fresh(kind.name, KindT(kind), ctx)
    ctx.var_ranges[one] = ctx.var_ranges[other] = (0, kind.size - 1)
    earlier = c.SetOp("&", c.SetTable(ctx.set_table(before, kind.size), c.Get(one), None), c.Get(given))
    alone = c.Not(c.Query("any", other, earlier, _agree(kind, c.Get(one), c.Get(other), ctx), None))
    found = c.Query("those", one, c.Get(given), alone, None, size)
    body = (c.Return(found),)
    return ctx.add_function(c.Function(f"first of alike {kind.plural}", (given,), c.Type("set", size), body, True))


def _same_from_the_start(kind: Kind, ctx: Context) -> tuple[int, ...]:
    """For each piece the set of those before it that agree with it in all that never changes."""
    constant = [ctx.constant(f) for f in kind.fields.values() if ctx.region(f) is None]
    each = [f.cells_each for f in kind.fields.values() if ctx.region(f) is None]
    looks = []
    for i in range(kind.size):
        sort = next((s.name for s in kind.sorts.values() if s.low <= i < s.high), "")
        fields = tuple(row[i * k : (i + 1) * k] for row, k in zip(constant, each, strict=True))
        looks.append((sort, fields))
    return tuple(sum(1 << k for k in range(i) if looks[k] == looks[i]) for i in range(kind.size))


def _agree(kind: Kind, one: c.Expr, other: c.Expr, ctx: Context) -> c.Expr:
    """Whether two pieces agree in place and in all fields that change, and neither holds anything."""
    span = kind.span or kind.entities[0].span
    test: c.Expr = c.Const(1)
    if kind.is_piece:
        test = c.Compare("==", place_of(kind, one, span, ctx), place_of(kind, other, span, ctx))
    for f in kind.fields.values():
        if ctx.region(f) is not None:
            for k in range(f.cells_each):
                test = both(test, c.Compare("==", _value(f, one, k, ctx), _value(f, other, k, ctx)))
    for holds, region in ctx.out.layout.holds.items():
        if holds.place is not kind:
            continue
        for piece in (one, other):
            if region.width == 1:
                inside = c.Load(region.base, piece, region.count, None)
                test = both(test, c.Compare("==", inside, c.Const(-1)))
            else:
                held = c.LoadSet(region.base, piece, region.count, holds.piece.size, None)
                test = both(test, c.Compare("==", c.Size(held), c.Const(0)))
    return test


def _value(f: Field, piece: c.Expr, number: int, ctx: Context) -> c.Expr:
    assert f.owner is not None
    index = piece
    if f.cells_each > 1:
        index = ctx.arith("+", ctx.arith("*", piece, c.Const(f.cells_each), f.span), c.Const(number), f.span)
    if isinstance(f.type, SetT):
        region = ctx.region(f)
        assert region is not None
        return c.LoadSet(region.base, index, region.count, universe(f.type.of), None)
    return ctx.load(f, index, f.owner.size * f.cells_each, f.span)
