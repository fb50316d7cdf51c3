"""Which pieces are on a place, where the position keeps it: see `layout.Layout.there`."""

from __future__ import annotations

from interpreter.core import nodes as c
from interpreter.core.lower.context import Context
from interpreter.lang.world import Kind


def pieces_on(kind: Kind, place: c.Expr, ctx: Context) -> c.Expr | None:
    """The set of a kind's pieces on a place (none has no pieces); None if it is not kept, or the place is not known to
    be one.
    """
    region = ctx.out.layout.there.get(kind)
    if region is None:
        return None
    low, high = ctx.range(place)
    if low < -1 or high >= region.count:
        return None
    kept = c.LoadSet(region.base, place, region.count, kind.size, None)
    return kept if low >= 0 else c.Cond(c.Compare("<", place, c.Const(0)), c.SetConst(0, kind.size), kept)


def keep_there(kind: Kind, piece: c.Var, old: c.Var, to: c.Var, ctx: Context) -> list[c.Stmt]:
    """Takes a piece from the set of the place where it was, and puts it to that of the place where it will be."""
    region = ctx.out.layout.there.get(kind)
    if region is None:
        return []
    made: list[c.Stmt] = []
    for place, op in ((old, "-"), (to, "|")):
        kept = c.LoadSet(region.base, c.Get(place), region.count, kind.size, None)
        changed = c.SetOp(op, kept, c.SetOf((c.Get(piece),), kind.size, None))  # type: ignore[arg-type]
        made.append(c.StoreSet(region.base, c.Get(place), region.count, changed, kind.size, None))
    return made
