"""The order of piles: a `next` cell for each piece, a top and a bottom for each pile.

Only the function that moves a kind's pieces (see `moves`) and the one that shuffles write them.
"""

from __future__ import annotations

from interpreter.core import nodes as c
from interpreter.core.compiled import EventInfo
from interpreter.core.layout import Region
from interpreter.core.lower.context import Context, loop_site
from interpreter.core.lower.held import both, within
from interpreter.core.lower.places import place_of, zone_place
from interpreter.core.lower.there import pieces_on
from interpreter.lang import nodes as n
from interpreter.lang.types import KindT, ZoneT
from interpreter.lang.world import Kind, Zone
from interpreter.source import Span


def piles_of(kind: Kind) -> list[Zone]:
    """The piles in which pieces of a kind can be."""
    return [z for z in kind.place_zones if z.is_pile and kind.size]


def top_of(zone: Zone, place: c.Expr, ctx: Context) -> c.Expr:
    """The piece on top of a pile; -1 if it is empty."""
    return _get(ctx.out.layout.top[zone], _index(zone, place, ctx), zone, ctx)


def bottom_of(zone: Zone, place: c.Expr, ctx: Context) -> c.Expr:
    """The lowest piece of a pile; -1 if it is empty."""
    return _get(ctx.out.layout.bottom[zone], _index(zone, place, ctx), zone, ctx)


def lower_top(node: n.Expr, env: object, ctx: Context) -> c.Expr:
    """`top(zone)`"""
    ty = ctx.checked.types[node]
    assert isinstance(ty, ZoneT)
    if not ty.zone.of.size:  # type: ignore[union-attr]  # there are no such pieces
        return c.Const(-1)
    return top_of(ty.zone, zone_place(node, env, ctx), ctx)  # type: ignore[arg-type]


def _index(zone: Zone, place: c.Expr, ctx: Context) -> c.Expr:
    """Which of a zone's piles a place is."""
    if isinstance(place, c.Const):
        return c.Const(place.value - zone.place_base)
    if zone.size == 1:
        return c.Const(0)
    return ctx.ranged(c.Arith("-", place, c.Const(zone.place_base), None), 0, zone.size - 1)


def _get(region: Region, index: c.Expr, zone: Zone, ctx: Context) -> c.Expr:
    assert zone.of is not None
    return ctx.ranged(c.Load(region.base, index, region.count, None), -1, zone.of.size - 1)


def _set(region: Region, index: c.Expr, value: c.Expr, zone: Zone) -> c.Stmt:
    assert zone.of is not None
    return c.Store(region.base, index, region.count, value, -1, zone.of.size - 1, False, None, None)


def take_out(zone: Zone, piece: c.Var, place: c.Var, ctx: Context) -> c.Stmt:
    """If a piece is in one of a zone's piles (`place` is where it is), closes the gap that it leaves."""
    assert zone.of is not None
    layout = ctx.out.layout
    index = _index(zone, c.Get(place), ctx)
    below = layout.below[zone.of]
    before = c.Var("before", c.INT)
    ctx.var_ranges[before] = (-1, zone.of.size - 1)
    following = _get(below, c.Get(piece), zone, ctx)
    site = loop_site(zone.span or zone.of.entities[0].span, ctx)
    further = c.Compare("!=", _get(below, c.Get(before), zone, ctx), c.Get(piece))
    inside: c.Stmts = (
        c.Let(before, c.Const(-1)),
        c.If(
            c.Compare("==", top_of(zone, c.Get(place), ctx), c.Get(piece)),
            (_set(layout.top[zone], index, following, zone),),
            (
                c.Let(before, top_of(zone, c.Get(place), ctx)),
                c.While(further, (c.Let(before, _get(below, c.Get(before), zone, ctx)),), 1, site),
                _set(below, c.Get(before), following, zone),
            ),
        ),
        c.If(
            c.Compare("==", bottom_of(zone, c.Get(place), ctx), c.Get(piece)),
            (_set(layout.bottom[zone], index, c.Get(before), zone),),
        ),
        _set(below, c.Get(piece), c.Const(-1), zone),
    )
    return c.If(within(c.Get(place), zone.place_base, zone.place_base + zone.size, ctx), inside)


def put_in(zone: Zone, piece: c.Var, place: c.Var, below: c.Var, ctx: Context) -> c.Stmt:
    """If a place is one of a zone's piles, lays a piece on its top, or (if `below` is 1) under its bottom."""
    assert zone.of is not None
    layout = ctx.out.layout
    index = _index(zone, c.Get(place), ctx)
    top, bottom, following = layout.top[zone], layout.bottom[zone], layout.below[zone.of]
    last = c.Var("last", c.INT)
    ctx.var_ranges[last] = (-1, zone.of.size - 1)
    here = c.Get(piece)
    under: c.Stmts = (
        c.Let(last, bottom_of(zone, c.Get(place), ctx)),
        c.If(
            c.Compare("<", c.Get(last), c.Const(0)),
            (_set(top, index, here, zone),),
            (_set(following, c.Get(last), here, zone),),
        ),
        _set(bottom, index, here, zone),
    )
    over: c.Stmts = (
        _set(following, here, top_of(zone, c.Get(place), ctx), zone),
        c.If(
            c.Compare("<", top_of(zone, c.Get(place), ctx), c.Const(0)),
            (_set(bottom, index, here, zone),),
        ),
        _set(top, index, here, zone),
    )
    inside = within(c.Get(place), zone.place_base, zone.place_base + zone.size, ctx)
    return c.If(inside, (c.If(c.Get(below), under, over),))


def in_zone(zone: Zone, place: c.Expr, ctx: Context) -> c.Expr:
    """The set of the pieces in a zone."""
    kind = zone.of
    assert kind is not None
    kept = pieces_on(kind, place, ctx)
    if kept is not None:
        return kept
    var = c.Var(kind.name, c.INT)
    ctx.var_ranges[var] = (0, kind.size - 1)
    here = c.Compare("==", place_of(kind, c.Get(var), kind.entities[0].span, ctx), place)
    return c.Query("those", var, c.SetConst((1 << kind.size) - 1, kind.size), here, None, kind.size)


def marker(kind: Kind, ctx: Context) -> c.Stmt:
    """Records, for whoever scripts chance, that a piece of a kind is drawn next; nobody reads it."""
    if kind not in ctx.draw_events:
        ctx.draw_events[kind] = ctx.add_event(EventInfo(None, (KindT(kind),), "draw"))
    return c.Emit(ctx.draw_events[kind], (), c.Const(0))


def mismatch(kind: Kind, span: Span | None, ctx: Context) -> int:
    """The fault of a script that draws what is not there."""
    return ctx.site("script-mismatch", f"this {kind.title or kind.name} is not there to be drawn", span)


def shuffler(zone: Zone, ctx: Context) -> int:
    """The function that shuffles a pile of a zone: from the top down each piece is picked at random out of those that
    are left.
    """
    name = f"shuffle {zone.name}"
    if name in ctx.functions:
        return ctx.functions[name]
    kind = zone.of
    assert kind is not None
    layout = ctx.out.layout
    place, piece, before = c.Var("place", c.INT), c.Var("piece", c.INT), c.Var("before", c.INT)
    left = c.Var("left", c.Type("set", kind.size))
    ctx.var_ranges[place] = (zone.place_base, zone.place_base + zone.size - 1)
    ctx.var_ranges[piece] = ctx.var_ranges[before] = (-1, kind.size - 1)
    index = _index(zone, c.Get(place), ctx)
    first = c.Compare("<", c.Get(before), c.Const(0))
    link = c.If(
        first,
        (_set(layout.top[zone], index, c.Get(piece), zone),),
        (_set(layout.below[kind], c.Get(before), c.Get(piece), zone),),
    )
    round_: c.Stmts = (
        marker(kind, ctx),
        c.PickOne(piece, c.Get(left), mismatch(kind, zone.span, ctx)),
        c.Let(left, c.SetOp("-", c.Get(left), c.SetOf((c.Get(piece),), kind.size, None))),
        link,
        c.Let(before, c.Get(piece)),
    )
    last: c.Stmts = (
        _set(layout.below[kind], c.Get(before), c.Const(-1), zone),
        _set(layout.bottom[zone], index, c.Get(before), zone),
    )
    body: c.Stmts = (
        c.Let(left, in_zone(zone, c.Get(place), ctx)),
        c.Let(before, c.Const(-1)),
        c.While(
            c.Compare("!=", c.Size(c.Get(left)), c.Const(0)),
            round_,
            1,
            loop_site(zone.span or kind.entities[0].span, ctx),
        ),
        c.If(c.Compare(">=", c.Get(before), c.Const(0)), last),
    )
    number = ctx.add_function(c.Function(name, (place,), None, body, False))
    ctx.functions[name] = number
    return number


def full(zone: Zone, piece: c.Expr, to: c.Expr, span: Span, ctx: Context) -> c.Stmt | None:
    """The fault of a piece that comes into a zone which holds as many as it may; None where that cannot happen."""
    kind = zone.of
    if zone.limit is None or kind is None:
        return None
    inside = within(to, zone.place_base, zone.place_base + zone.size, ctx)
    if isinstance(inside, c.Const) and not inside.value:
        return None
    comes = c.Compare("!=", place_of(kind, piece, span, ctx), to)
    reached = c.Compare(">=", c.Size(in_zone(zone, to, ctx)), c.Const(zone.limit))
    message = f"`{zone.name}` holds at most {zone.limit} and is full"
    site = ctx.site("zone-full", message, span)
    return c.If(both(inside, both(comes, reached)), (c.Fail(site, None),))
