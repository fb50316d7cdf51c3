"""Inverses that are kept: the pieces on a place, and those whose fields name an entity."""

from __future__ import annotations

from interpreter.core import nodes as c
from interpreter.core.lower.context import Context
from interpreter.core.lower.held import both, convert, within
from interpreter.lang.types import KindT, SetT, article, universe
from interpreter.lang.world import Field, Holds, Inverse, Kind
from interpreter.source import Span


def read_holds(holds: Holds, target: c.Expr, span: Span, ctx: Context) -> c.Expr:
    """What stands on a place: a piece or none, or a set of pieces."""
    region = ctx.out.layout.holds[holds]
    low, high = ctx.range(target)
    site = None if 0 <= low and high < region.count else ctx.site("no-such-thing", "this is none", span)
    if holds.single:
        return ctx.ranged(c.Load(region.base, target, region.count, site), -1, holds.piece.size - 1)
    pieces = c.LoadSet(region.base, target, region.count, holds.piece.size, site)
    return convert(pieces, SetT(KindT(holds.piece)), SetT(KindT(holds.piece, holds.sort)), ctx)


def read_inverse(inverse: Inverse, target: c.Expr, span: Span, ctx: Context) -> c.Expr:
    """The set of those that name an entity: kept in the position if the field is ever written, else a constant."""
    owner = inverse.field.owner
    assert owner is not None
    low, high = ctx.range(target)
    count = inverse.kind.size
    site = None if 0 <= low and high < count else ctx.site("no-such-thing", "this is none", span)
    region = ctx.out.layout.inverses.get(inverse)
    size = max(owner.size, 1)
    if region is not None:
        return c.LoadSet(region.base, target, region.count, size, site)
    return c.SetTable(ctx.set_table(namers(inverse, ctx.constant(inverse.field)), size), target, site)


def namers(inverse: Inverse, values: tuple[int, ...]) -> tuple[int, ...]:
    """For each entity, as bits, the owners whose field has it as value."""
    bits = [0] * inverse.kind.size
    for owner, value in enumerate(values):
        if value >= 0:
            bits[value] |= 1 << owner
    return tuple(bits)


def store_field(f: Field, index: c.Expr, count: int, value: c.Expr, span: Span, ctx: Context) -> list[c.Stmt]:
    """Writes a field, and the inverse of what it names."""
    if f.inverse is None or f.owner is None:
        return [ctx.store(f, index, count, value, span)]
    region = ctx.out.layout.inverses[f.inverse]
    size = f.owner.size
    me, old, new = c.Var("owner", c.INT), c.Var("old", c.INT), c.Var("new", c.INT)
    ctx.var_ranges[me] = ctx.range(index)
    ctx.var_ranges[old] = (f.low, f.high)
    ctx.var_ranges[new] = ctx.range(value)

    def change(which: c.Var, op: str) -> c.Stmt:
        kept = c.LoadSet(region.base, c.Get(which), region.count, size, None)
        changed = c.SetOp(op, kept, c.SetOf((c.Get(me),), size, None))  # type: ignore[arg-type]
        store = c.StoreSet(region.base, c.Get(which), region.count, changed, size, None)
        return c.If(within(c.Get(which), 0, region.count, ctx), (store,))

    return [
        c.Let(me, index),
        c.Let(new, value),
        c.Let(old, ctx.load(f, c.Get(me), count, span)),
        ctx.store(f, c.Get(me), count, c.Get(new), span),
        change(old, "-"),
        change(new, "|"),
    ]


# ---- pieces on places -----------------------------------------------------------------------------------------------


def no_room(kind: Kind, piece: c.Expr, to: c.Expr, span: Span, ctx: Context) -> list[c.Stmt]:
    """Faults for a piece that is put where there is no room for it, or for none of its sort."""
    made: list[c.Stmt] = []
    for h, region in ctx.out.layout.holds.items():
        if h.piece is not kind or h.limit is None:
            continue
        inside = both(_counts(h, piece, ctx), within(to, h.place.place_base, h.place.place_base + region.count, ctx))
        if isinstance(inside, c.Const) and not inside.value:
            continue
        index = ctx.arith("-", to, c.Const(h.place.place_base), span)
        what = h.sort.name if h.sort else kind.name
        if h.single:
            there: c.Expr = c.Load(region.base, index, region.count, None)
            full = both(c.Compare("!=", there, c.Const(-1)), c.Compare("!=", there, piece))
            site = ctx.site("place-taken", f"there is {article(what)} on this {h.place.name} already", span)
        else:
            there = c.LoadSet(region.base, index, region.count, kind.size, None)
            full = both(c.Compare(">=", c.Size(there), c.Const(h.limit)), c.Not(c.Has(there, piece)))
            site = ctx.site(
                "place-full", f"there are {h.limit} of {what} on this {h.place.name}, and no room for more", span
            )
        made.append(c.If(both(inside, full), (c.Fail(site, None),), ()))
    return made


def _counts(h: Holds, piece: c.Expr, ctx: Context) -> c.Expr:
    """Whether a piece is of the sort that a place holds."""
    return c.Const(1) if h.sort is None else within(piece, h.sort.low, h.sort.high, ctx)


def keep_holds(kind: Kind, piece: c.Var, old: c.Var, to: c.Var, span: Span, ctx: Context) -> list[c.Stmt]:
    """Takes a piece from the place where it was, and puts it to the one where it will be."""
    made: list[c.Stmt] = []
    for h in ctx.out.layout.holds:
        if h.piece is kind:
            made += [_take(h, piece, old, span, ctx), _put(h, piece, to, span, ctx)]
    return made


def _inside(h: Holds, piece: c.Var, place: c.Var, body: tuple[c.Stmt, ...], ctx: Context) -> c.Stmt:
    base = h.place.place_base
    there = within(c.Get(place), base, base + ctx.out.layout.holds[h].count, ctx)
    return c.If(both(_counts(h, c.Get(piece), ctx), there), body)


def _occupy(h: Holds, op: str, index: c.Expr, ctx: Context) -> c.Stmt:
    occupied = ctx.out.layout.occupied[h]
    size = ctx.out.layout.holds[h].count
    kept = c.LoadSet(occupied.base, c.Const(0), 1, size, None)
    changed = c.SetOp(op, kept, c.SetOf((index,), size, None))  # type: ignore[arg-type]
    return c.StoreSet(occupied.base, c.Const(0), 1, changed, size, None)


def _take(h: Holds, piece: c.Var, old: c.Var, span: Span, ctx: Context) -> c.Stmt:
    region, size = ctx.out.layout.holds[h], h.piece.size
    index = ctx.arith("-", c.Get(old), c.Const(h.place.place_base), span)
    if h.single:
        empty = c.Store(region.base, index, region.count, c.Const(-1), -1, size - 1, False, None, None)
        return _inside(h, piece, old, (empty, _occupy(h, "-", index, ctx)), ctx)
    there = c.LoadSet(region.base, index, region.count, size, None)
    less = c.SetOp("-", there, c.SetOf((c.Get(piece),), size, None))
    none_left = c.Compare("==", c.Size(there), c.Const(0))
    body = (
        c.StoreSet(region.base, index, region.count, less, size, None),
        c.If(none_left, (_occupy(h, "-", index, ctx),)),
    )
    return _inside(h, piece, old, body, ctx)


def _put(h: Holds, piece: c.Var, to: c.Var, span: Span, ctx: Context) -> c.Stmt:
    region, size = ctx.out.layout.holds[h], h.piece.size
    index = ctx.arith("-", c.Get(to), c.Const(h.place.place_base), span)
    if h.single:
        put: c.Stmt = c.Store(region.base, index, region.count, c.Get(piece), -1, size - 1, False, None, None)
    else:
        there = c.LoadSet(region.base, index, region.count, size, None)
        more = c.SetOp("|", there, c.SetOf((c.Get(piece),), size, None))
        put = c.StoreSet(region.base, index, region.count, more, size, None)
    return _inside(h, piece, to, (put, _occupy(h, "|", index, ctx)), ctx)


def first_inverse(inverse: Inverse, ctx: Context) -> tuple[int, ...]:
    """What an inverse holds before the set-up runs."""
    owner = inverse.field.owner
    assert owner is not None
    return namers(inverse, tuple(ctx.first_value(inverse.field, i, 0) for i in range(owner.size)))


def members(inverse: Inverse) -> int:
    """How many entities can name one."""
    owner = inverse.field.owner
    assert owner is not None
    return universe(KindT(owner))
