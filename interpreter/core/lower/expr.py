"""Expressions.

Each is lowered to a value of its checked type; `convert` changes how a value is held where types meet.
"""

from __future__ import annotations

from dataclasses import replace

from interpreter.core import header
from interpreter.core import nodes as c
from interpreter.core.lower import chance
from interpreter.core.lower.calls import lower_apply
from interpreter.core.lower.context import Context, Env, header_load
from interpreter.core.lower.held import both, convert, dense, either, negate, within
from interpreter.core.lower.places import all_of, field_index, place_of, read_space, zone_place
from interpreter.core.lower.queries import lower_aggregate
from interpreter.core.lower.relations import read_holds, read_inverse
from interpreter.core.lower.tables import lower_table
from interpreter.lang import nodes as n
from interpreter.lang.scope import EntitySet, EnumValue, Local, Mover, OptionRef
from interpreter.lang.types import (
    EmptyT,
    KindT,
    ListT,
    MaybeT,
    PlaceT,
    SetT,
    Ty,
    ZoneT,
    bounds,
    element,
    join,
    strip,
    universe,
)
from interpreter.lang.world import (
    Entity,
    Enum,
    Field,
    Kind,
    Sort,
    Table,
    Zone,
)


def lower(node: n.Expr, env: Env, ctx: Context, want: Ty | None = None) -> c.Expr:
    """The core expression for a checked one, held as `want` demands (its own type if None)."""
    have = ctx.checked.types[node]
    outer, ctx.here = ctx.here, node.span
    try:
        return _held(node, have, env, ctx, want)
    finally:
        ctx.here = outer


def _held(node: n.Expr, have: Ty, env: Env, ctx: Context, want: Ty | None) -> c.Expr:
    value = _lower(node, env, ctx)
    raw = ctx.checked.raw.get(node)
    if raw is not None:
        value = convert(value, raw, have, ctx)
        if node in ctx.checked.proved and not isinstance(have, SetT | ListT):
            low, high = ctx.range(value)
            first, last = bounds(have)
            # a node of its own: what stands for a parameter is shared with places where nothing is proved
            value = ctx.ranged(replace(value), max(low, first), min(high, last))
    return value if want is None else convert(value, have, want, ctx)


def _lower(node: n.Expr, env: Env, ctx: Context) -> c.Expr:
    types = ctx.checked.types
    match node:
        case n.Number():
            return c.Const(node.value)
        case n.BoolLit():
            return c.Const(int(node.value))
        case n.NoneLit():
            return c.Const(-1)
        case n.NameRef():
            return _symbol(node, env, ctx)
        case n.Field():
            return _field(node, env, ctx)
        case n.Apply():
            return lower_apply(node, env, ctx)
        case n.Index():
            return _index(node, env, ctx)
        case n.ListLit():
            ty = types[node]
            of = element(ty)
            items = tuple(lower(i, env, ctx, of) for i in node.items)
            return c.ListOf(items)
        case n.Aggregate():
            return lower_aggregate(node, env, ctx)
        case n.Compare():
            return _compare(node, env, ctx)
        case n.Member():
            found = _member(node, env, ctx)
            return negate(found) if node.negated else found
        case n.IsKind():
            found = _is_kind(node, env, ctx)
            return negate(found) if node.negated else found
        case n.Range():
            low, high = lower(node.low, env, ctx), lower(node.high, env, ctx)
            size = universe(SetT(types[node.low]).of)
            site = ctx.site("set-range", f"sets of numbers hold 0 to {size - 1}, not {{0}} to {{1}}", node.span)
            return c.RangeSet(low, high, size, site)
        case n.Binary():
            ty = types[node]
            if isinstance(ty, SetT | EmptyT):
                left, right = lower(node.left, env, ctx, ty), lower(node.right, env, ctx, ty)
                return c.SetOp("|" if node.op == "+" else "-", left, right)
            return ctx.arith(node.op, lower(node.left, env, ctx), lower(node.right, env, ctx), node.span)
        case n.Negative():
            return ctx.arith("-", c.Const(0), lower(node.value, env, ctx), node.span)
        case n.Not():
            return negate(lower(node.value, env, ctx))
        case n.Logic():
            left, right = lower(node.left, env, ctx), lower(node.right, env, ctx)
            return both(left, right) if node.op == "and" else either(left, right)
        case n.Conditional():
            return _conditional(node, env, ctx)
    raise AssertionError(f"{type(node).__name__} has no place in an expression")


def _conditional(node: n.Conditional, env: Env, ctx: Context) -> c.Expr:
    ty = ctx.checked.types[node]
    cond = lower(node.cond, env, ctx)
    if isinstance(cond, c.Const):
        chosen = node.then if cond.value else node.other
        return c.Const(0) if chosen is None else lower(chosen, env, ctx, ty)
    then = lower(node.then, env, ctx, ty)
    other: c.Expr = c.Const(0) if node.other is None else lower(node.other, env, ctx, ty)
    return c.Cond(cond, then, other)


def _compare(node: n.Compare, env: Env, ctx: Context) -> c.Expr:
    types = ctx.checked.types
    left, right = types[node.left], types[node.right]
    if isinstance(strip(left), PlaceT) or isinstance(strip(right), PlaceT):
        want: Ty = strip(left) if isinstance(strip(left), PlaceT) else strip(right)
    else:
        want = join(left, right) or left
    if isinstance(want, ListT):
        want = SetT(want.of)
    a, b = lower(node.left, env, ctx, want), lower(node.right, env, ctx, want)
    if isinstance(a, c.Const) and isinstance(b, c.Const):
        return c.Const(int(_holds(node.op, a.value, b.value)))
    return c.Compare(node.op, a, b)


def _holds(op: str, a: int, b: int) -> bool:
    return {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]


def _member(node: n.Member, env: Env, ctx: Context) -> c.Expr:
    types = ctx.checked.types
    item_type, collection = types[node.item], types[node.collection]
    if isinstance(node.collection, n.Range):
        value = lower(node.item, env, ctx)
        low, high = lower(node.collection.low, env, ctx), lower(node.collection.high, env, ctx)
        return both(c.Compare(">=", value, low), c.Compare("<=", value, high))
    if isinstance(collection, ZoneT):
        index = lower(node.item, env, ctx)
        assert collection.zone.of is not None
        return c.Compare(
            "==", place_of(collection.zone.of, index, node.item.span, ctx), zone_place(node.collection, env, ctx)
        )
    die = chance.die_of(node.collection, ctx)
    if die is not None:
        return chance.shows(die, lower(node.collection, env, ctx), lower(node.item, env, ctx), ctx)
    of = element(collection)
    if of is None or isinstance(collection, EmptyT):
        return c.Const(0)
    item = lower(node.item, env, ctx, MaybeT(strip(of)) if isinstance(item_type, MaybeT) else of)
    value = lower(node.collection, env, ctx)
    if isinstance(collection, SetT):
        item = dense(item, of, ctx)
    if isinstance(value, c.ListOf) and len(value.items) <= 4:
        found: c.Expr = c.Const(0)
        for x in value.items:
            found = either(found, c.Compare("==", item, x))
        return found
    return c.Has(value, item)


def _is_kind(node: n.IsKind, env: Env, ctx: Context) -> c.Expr:
    ref = ctx.checked.refs[node]
    have = ctx.checked.types[node.target]
    value = lower(node.target, env, ctx)
    base = 0 if isinstance(strip(have), KindT) else -1
    if isinstance(ref, Sort):
        start = 0 if base == 0 else ref.kind.place_base
        return within(value, start + ref.low, start + ref.high, ctx)
    assert isinstance(ref, Kind | Zone)
    start = 0 if base == 0 else ref.place_base
    return within(value, start, start + ref.size, ctx)


# ---- names and fields -----------------------------------------------------------------------------------------------


def _symbol(node: n.NameRef | n.Field, env: Env, ctx: Context) -> c.Expr:
    ref = ctx.checked.refs[node]
    match ref:
        case Local():
            found = env.names[ref]
            return c.Get(found) if isinstance(found, c.Var) else found
        case Entity():
            return c.Const(ref.index)
        case EnumValue():
            return c.Const(ref.index)
        case EntitySet():
            return all_of(ref.kind, ref.sort, ctx)
        case Enum():
            return c.SetConst((1 << len(ref.values)) - 1, len(ref.values))
        case Field():
            return ctx.load(ref, c.Const(0), 1, node.span)
        case Zone():
            return c.Const(ref.place_base)
        case OptionRef():
            return c.Const(int(ctx.options[ref.name]))
        case Mover():
            return ctx.ranged(header_load(header.MOVER), 0, max(ctx.checked.world.players.size - 1, 0))
    raise AssertionError(ref)


def _field(node: n.Field, env: Env, ctx: Context) -> c.Expr:
    ref = ctx.checked.refs[node]
    if not isinstance(ref, Field | str):
        return _symbol(node, env, ctx)
    if isinstance(ref, Field) and ref.scene is not None:
        return ctx.load(ref, c.Const(0), 1, node.span)
    target = lower(node.target, env, ctx)
    ty = strip(ctx.checked.types[node.target])
    assert isinstance(ty, KindT)
    if ref == "at":
        return place_of(ty.kind, target, node.span, ctx)
    if ref == "on":
        return read_space(ty.kind, target, node.span, ctx)
    if ref == "holds":
        return read_holds(ty.kind.holds[node.name.text], target, node.span, ctx)
    if ref == "inverse":
        return read_inverse(ty.kind.inverses[node.name.text], target, node.span, ctx)
    assert isinstance(ref, Field)
    return ctx.load(ref, target, ty.kind.size, node.span)


def _index(node: n.Index, env: Env, ctx: Context) -> c.Expr:
    ref = ctx.checked.refs.get(node)
    if isinstance(ref, Field):
        index, count = field_index(node, ref, env, ctx)
        return ctx.load(ref, index, count, node.span)
    if isinstance(ref, Zone):
        return zone_place(node, env, ctx)
    if isinstance(ref, Table):
        return lower_table(node, ref, env, ctx)
    site = ctx.site("no-such-item", "there is no item {0} in a list of {1}", node.span)
    item = c.Item(lower(node.target, env, ctx), lower(node.keys[0], env, ctx), site)
    return ctx.ranged(item, *bounds(ctx.checked.types[node]))
