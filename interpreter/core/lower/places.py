"""Where pieces are, and which cell of a field or a zone an index means."""

from __future__ import annotations

from interpreter.core import nodes as c
from interpreter.core.lower import stages
from interpreter.core.lower.context import Context, Env
from interpreter.core.lower.held import negate, within
from interpreter.core.lower.tables import key_number
from interpreter.core.lower.there import pieces_on
from interpreter.lang import nodes as n
from interpreter.lang.types import KindT, Ty
from interpreter.lang.world import Field, Kind, Sort, Zone
from interpreter.source import Span


def all_of(kind: Kind, sort: Sort | None, ctx: Context) -> c.Expr:
    """The set of all of a kind or sort; pieces out of play are left out."""
    low, high = (sort.low, sort.high) if sort else (0, kind.size)
    size = max(high - low, 1)
    everything = stages.everything(kind, low, high, ctx)
    if kind not in ctx.may_be_unused:
        return everything
    unused = pieces_on(kind, c.Const(ctx.checked.world.unused), ctx)
    if unused is not None:
        return c.SetOp("-", everything, unused if size == kind.size else c.Shift(unused, -low, size))
    var = c.Var(kind.name, c.INT)
    ctx.var_ranges[var] = (0, high - low - 1)
    index = ctx.arith("+", c.Get(var), c.Const(low), kind.entities[0].span)
    in_play = c.Compare("!=", place_of(kind, index, kind.entities[0].span, ctx), c.Const(ctx.checked.world.unused))
    return c.Query("those", var, everything, in_play, None, size)


def place_of(kind: Kind, index: c.Expr, span: Span, ctx: Context) -> c.Expr:
    """Where a piece is: the number of its place."""
    region = ctx.out.layout.at.get(kind)
    if region is None:  # there are no pieces of this kind, so nobody comes here
        return c.Const(ctx.checked.world.unused)
    low, high = ctx.range(index)
    site = None if 0 <= low and high < region.count else ctx.site("no-such-thing", "this is none", span)
    return ctx.ranged(c.Load(region.base, index, region.count, site), 0, ctx.checked.world.places - 1)


def zone_place(node: n.Expr, env: Env, ctx: Context) -> c.Expr:
    """The number of a zone as a place, `zone` or `zone[key]`."""
    ref = ctx.checked.refs[node]
    assert isinstance(ref, Zone)
    if not isinstance(node, n.Index):
        return c.Const(ref.place_base)
    number = _keys(node, [(KindT(k), k.size) for k in ref.per], env, ctx)
    return ctx.arith("+", number, c.Const(ref.place_base), node.span)


def _keys(node: n.Index, per: list[tuple[Ty, int]], env: Env, ctx: Context) -> c.Expr:
    number: c.Expr = c.Const(0)
    for key, (ty, size) in zip(node.keys, per, strict=True):
        value = key_number(ctx.expr(key, env, ty), ty, "this index", key.span, ctx)
        number = ctx.arith("+", ctx.arith("*", number, c.Const(size), node.span), value, node.span)
    return number


def field_index(node: n.Index, f: Field, env: Env, ctx: Context) -> tuple[c.Expr, int]:
    """Number and count of an indexed field's value."""
    keys = _keys(node, list(f.per), env, ctx)
    if f.owner is None:
        return keys, f.cells_each
    assert isinstance(node.target, n.Field)
    owner = ctx.expr(node.target.target, env)
    if f.cells_each == 1:
        return owner, f.owner.size
    number = ctx.arith("+", ctx.arith("*", owner, c.Const(f.cells_each), node.span), keys, node.span)
    return number, f.owner.size * f.cells_each


def read_space(kind: Kind, piece: c.Expr, span: Span, ctx: Context) -> c.Expr:
    """The space that a piece is on, itself or in a container; a fault if it is not on the map."""
    board = ctx.checked.world.board
    assert board is not None
    size = board.space.size
    site = ctx.site("off-map", f"this {kind.name} is not on the map", span)
    found: c.Expr
    if any(container in ctx.out.layout.at for container in kind.place_kinds):
        found = c.Call(space_function(kind, ctx), (piece,))
    else:
        found = ctx.arith("-", place_of(kind, piece, span, ctx), c.Const(board.space.place_base), span)
    return ctx.ranged(c.Table(ctx.table(tuple(range(size))), found, site), 0, size - 1)


def space_function(kind: Kind, ctx: Context) -> int:
    """The function that follows containers from a piece to its space; -1 if it is not on the map."""
    name = f"on {kind.name}"
    if name in ctx.functions:
        return ctx.functions[name]
    world = ctx.checked.world
    board = world.board
    assert board is not None
    piece = c.Var("piece", c.INT)
    ctx.var_ranges[piece] = (0, kind.size - 1)
    place = c.Var("place", c.INT)
    endless = ctx.site("endless", "this goes on for ever", kind.span)
    here = c.Get(place)
    space = board.space
    inside = within(here, space.place_base, space.place_base + space.size, ctx)
    containers = [
        k for k in world.kinds.values() if k.is_piece and k.place_base >= 0 and k.size and k in ctx.out.layout.at
    ]
    step: tuple[c.Stmt, ...] = (c.Return(c.Const(-1)),)
    for k in containers:
        index = ctx.ranged(c.Arith("-", here, c.Const(k.place_base), None), 0, k.size - 1)
        up = c.Let(place, c.Load(ctx.out.layout.at[k].base, index, k.size, None))
        step = (c.If(within(here, k.place_base, k.place_base + k.size, ctx), (up,), step),)
    body: tuple[c.Stmt, ...] = (
        c.Let(place, place_of(kind, c.Get(piece), kind.entities[0].span, ctx)),
        c.While(negate(inside), step, 1, endless),
        c.Return(c.Arith("-", here, c.Const(space.place_base), None)),
    )
    number = ctx.add_function(c.Function(name, (piece,), c.INT, body, True))
    ctx.functions[name] = number
    return number
