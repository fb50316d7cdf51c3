"""Moving: the one function of each kind of piece that writes where its pieces are, and the statements that call it."""

from __future__ import annotations

from interpreter.core import header
from interpreter.core import nodes as c
from interpreter.core.cost import loop_weight
from interpreter.core.lower import piles, secrecy
from interpreter.core.lower import queries as q
from interpreter.core.lower.context import Context, Env, header_load, header_store, loop_site
from interpreter.core.lower.held import both
from interpreter.core.lower.places import place_of, zone_place
from interpreter.core.lower.relations import keep_holds, no_room
from interpreter.core.lower.there import keep_there
from interpreter.lang import nodes as n
from interpreter.lang.types import EmptyT, KindT, PlaceT, ZoneT, element
from interpreter.lang.world import Kind, Zone
from interpreter.source import Span


def lower_move(node: n.Move, env: Env, ctx: Context) -> list[c.Stmt]:
    """`move piece to place`, or each of a set in data order; a pile laid on or under another keeps its order."""
    what = ctx.checked.types[node.what]
    if isinstance(what, EmptyT):
        return []
    if isinstance(what, ZoneT):
        assert what.zone.of is not None
        kind = what.zone.of
    else:
        piece_type = element(what) or what
        assert isinstance(piece_type, KindT)
        kind = piece_type.kind
    if not kind.size:  # there are no such pieces
        return []
    made: list[c.Stmt] = []
    to = _goal(node.to, kind, made, env, ctx)
    to_type = ctx.checked.types[node.to]
    below = node.end == "bottom"
    if isinstance(what, KindT):
        piece = ctx.expr(node.what, env)
        return [*made, *move_one(kind, piece, to, below, node.span, ctx)]
    if isinstance(what, ZoneT) and what.zone.is_pile:
        from_ = _held("source", zone_place(node.what, env, ctx), made, ctx)
        keeps = isinstance(to_type, ZoneT) and to_type.zone.is_pile
        return [*made, *_move_pile(what.zone, from_, to, below or not keeps, below, node.span, ctx)]
    domain, of = q.members(node.what, env, ctx)
    var = q.fresh("piece", of, ctx)
    body = tuple(move_one(kind, c.Get(var), to, below, node.span, ctx))
    weight = loop_weight(body, domain, ctx.program, ctx.costs)
    return [*made, c.For(var, domain, body, weight, loop_site(node.span, ctx))]


def _goal(node: n.Expr, kind: Kind, made: list[c.Stmt], env: Env, ctx: Context) -> c.Expr:
    """The place that pieces are moved to, evaluated once."""
    is_zone = isinstance(ctx.checked.types[node], ZoneT)
    return _held("goal", zone_place(node, env, ctx) if is_zone else ctx.expr(node, env, PlaceT(kind)), made, ctx)


def _held(name: str, value: c.Expr, made: list[c.Stmt], ctx: Context) -> c.Expr:
    """A value that may be written out several times: what is computed is kept in a variable first."""
    if isinstance(value, c.Get | c.Const):
        return value
    var = c.Var(name, c.INT)
    ctx.var_ranges[var] = ctx.range(value)
    made.append(c.Let(var, value))
    return c.Get(var)


def _move_pile(
    zone: Zone, from_: c.Expr, to: c.Expr, down: bool, below: bool, span: Span, ctx: Context
) -> list[c.Stmt]:
    """Moves all of a pile, from the top `down` or from the bottom up, so that it comes to lie as it lay."""
    assert zone.of is not None
    end = piles.top_of if down else piles.bottom_of
    piece = c.Var("piece", c.INT)
    ctx.var_ranges[piece] = (0, zone.of.size - 1)
    body = (c.Let(piece, end(zone, from_, ctx)), *move_one(zone.of, c.Get(piece), to, below, span, ctx))
    rest = both(c.Compare("!=", from_, to), c.Compare(">=", end(zone, from_, ctx), c.Const(0)))
    return [c.While(rest, body, 1, loop_site(span, ctx))]


def move_one(kind: Kind, piece: c.Expr, to: c.Expr, below: bool, span: Span, ctx: Context) -> list[c.Stmt]:
    """Moves one piece, keeping the inverses; two pieces where one may be is a fault at the statement, and so is one too
    many.
    """
    made: list[c.Stmt] = []
    piece = _held("piece", piece, made, ctx)
    made += no_room(kind, piece, to, span, ctx)
    low, high = ctx.range(piece)
    if low < 0 or high >= kind.size:
        site = ctx.site("no-such-thing", "there is nothing to move", span)
        made.append(c.If(c.Compare("<", piece, c.Const(0)), (c.Fail(site, None),), ()))
    for zone in kind.place_zones:
        check = piles.full(zone, piece, to, span, ctx)
        if check is not None:
            made.append(check)
    end = (c.Const(int(below)),) if piles.piles_of(kind) else ()
    return [*made, c.Do(mover(kind, ctx), (piece, to, *end), None)]


def mover(kind: Kind, ctx: Context) -> int:
    """The function that puts a piece of a kind on a place and keeps all inverses, and the order of piles."""
    if kind in ctx.movers:
        return ctx.movers[kind]
    span = kind.span or kind.entities[0].span
    piece, to, old, below = c.Var("piece", c.INT), c.Var("to", c.INT), c.Var("old", c.INT), c.Var("below", c.INT)
    places = ctx.checked.world.places
    ctx.var_ranges[piece] = (0, kind.size - 1)
    ctx.var_ranges[to] = ctx.var_ranges[old] = (0, places - 1)
    ctx.var_ranges[below] = (0, 1)
    body: list[c.Stmt] = [c.Let(old, place_of(kind, c.Get(piece), span, ctx))]
    body += keep_holds(kind, piece, old, to, span, ctx)
    body += keep_there(kind, piece, old, to, ctx)
    zones = piles.piles_of(kind)
    body += [piles.take_out(zone, piece, old, ctx) for zone in zones]
    at = ctx.out.layout.at[kind]
    body.append(c.Store(at.base, c.Get(piece), kind.size, c.Get(to), 0, places - 1, False, None, None))
    body += [piles.put_in(zone, piece, to, below, ctx) for zone in zones]
    before, behind = secrecy.opens(kind, piece, old, to, ctx)
    body = [*before, *body, *behind]
    params = (piece, to, below) if zones else (piece, to)
    number = ctx.add_function(c.Function(f"move {kind.name}", params, None, tuple(body), False))
    ctx.movers[kind] = number
    return number


# ---- drawing --------------------------------------------------------------------------------------------------------


def lower_shuffle(node: n.Apply, env: Env, ctx: Context) -> list[c.Stmt]:
    """`shuffle(zone)`"""
    given = node.args[0]
    assert isinstance(given, n.Argument)
    ty = ctx.checked.types[given.value]
    assert isinstance(ty, ZoneT)
    if ty.zone.of is None or not ty.zone.of.size:
        return []
    return [c.Do(piles.shuffler(ty.zone, ctx), (zone_place(given.value, env, ctx),), None)]


def lower_draw(node: n.Draw, env: Env, ctx: Context) -> list[c.Stmt]:
    """`draw n from zone to place`: piece by piece the top of a pile or any of a bag, as long as there are some.

    Whoever draws learns something, so the counter of what is known rises with each piece.
    """
    ty = ctx.checked.types[node.source]
    assert isinstance(ty, ZoneT) and ty.zone.of is not None
    zone, kind = ty.zone, ty.zone.of
    if not kind.size:
        return []
    left, piece = c.Var("left", c.INT), c.Var("piece", c.INT)
    ctx.var_ranges[piece] = (-1, kind.size - 1)
    made: list[c.Stmt] = [c.Let(left, ctx.expr(node.count, env))]
    source = _held("source", zone_place(node.source, env, ctx), made, ctx)
    to = _goal(node.to, kind, made, env, ctx)
    body: list[c.Stmt] = [c.Let(left, c.Arith("-", c.Get(left), c.Const(1), None))]
    empty = _empty(zone, source, ctx)
    if zone.when_empty is not None:
        body.append(c.If(empty, tuple(_refill(zone, zone.when_empty, source, node.span, ctx))))
    body += [c.If(empty, (c.Break(),)), piles.marker(kind, ctx)]
    site = piles.mismatch(kind, node.span, ctx)
    if zone.is_pile:
        elsewhere = c.Compare("!=", place_of(kind, c.Get(piece), node.span, ctx), source)
        body += [
            c.Scripted(piece, c.SetConst((1 << kind.size) - 1, kind.size), site),
            c.If(
                c.Compare("<", c.Get(piece), c.Const(0)),
                (c.Let(piece, piles.top_of(zone, source, ctx)),),
                (c.If(elsewhere, (c.Fail(site, None),)),),
            ),
            header_store(header.KNOWN, c.Arith("+", header_load(header.KNOWN), c.Const(1), None)),
        ]
    else:
        body.append(c.PickOne(piece, piles.in_zone(zone, source, ctx), site))
    drawn = c.Var("drawn", c.INT)
    ctx.var_ranges[drawn] = (0, kind.size - 1)
    body += [c.Let(drawn, c.Get(piece)), *move_one(kind, c.Get(drawn), to, False, node.span, ctx)]
    rest = c.Compare(">", c.Get(left), c.Const(0))
    return [*made, c.While(rest, tuple(body), 1, loop_site(node.span, ctx))]


def _empty(zone: Zone, place: c.Expr, ctx: Context) -> c.Expr:
    if zone.is_pile:
        return c.Compare("<", piles.top_of(zone, place, ctx), c.Const(0))
    return c.Compare("==", c.Size(piles.in_zone(zone, place, ctx)), c.Const(0))


def _refill(zone: Zone, other: Zone, place: c.Expr, span: Span, ctx: Context) -> list[c.Stmt]:
    """Moves all of another zone into an empty one, and shuffles it if it is a pile."""
    kind = zone.of
    assert kind is not None
    from_: c.Expr = c.Const(other.place_base)
    if other.per:
        from_ = ctx.arith("+", place, c.Const(other.place_base - zone.place_base), span)
    if other.is_pile:
        made: list[c.Stmt] = []
        from_ = _held("discarded", from_, made, ctx)
        made += _move_pile(other, from_, place, True, False, span, ctx)
    else:
        piece = c.Var("piece", c.INT)
        ctx.var_ranges[piece] = (0, kind.size - 1)
        domain = piles.in_zone(other, from_, ctx)
        body = tuple(move_one(kind, c.Get(piece), place, False, span, ctx))
        made = [c.For(piece, domain, body, loop_weight(body, domain, ctx.program, ctx.costs), loop_site(span, ctx))]
    if zone.is_pile:
        made.append(c.Do(piles.shuffler(zone, ctx), (place,), None))
    return made
