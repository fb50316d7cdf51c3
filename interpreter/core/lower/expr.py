"""Expressions. Each is lowered to a value of its checked type; `convert` changes how a value is held where types meet."""

from __future__ import annotations

from interpreter.core import header
from interpreter.core import nodes as c
from interpreter.core.layout import universe
from interpreter.core.lower.calls import lower_apply
from interpreter.core.lower.context import Context, Env, header_load
from interpreter.core.lower.queries import lower_aggregate
from interpreter.lang import nodes as n
from interpreter.lang.scope import EntitySet, EnumValue, Local, Mover, OptionRef
from interpreter.lang.types import (
    EmptyT,
    IntT,
    KindT,
    ListT,
    MaybeT,
    NoneT,
    PlaceT,
    SetT,
    Ty,
    ZoneT,
    bounds,
    element,
    join,
    low_of,
    strip,
)
from interpreter.lang.world import Entity, Enum, Field, Kind, Sort, Zone
from interpreter.source import Span


def lower(node: n.Expr, env: Env, ctx: Context, want: Ty | None = None) -> c.Expr:
    """The core expression for a checked one, held as `want` demands (its own type if None)."""
    have = ctx.checked.types[node]
    value = _lower(node, env, ctx)
    raw = ctx.checked.raw.get(node)
    if raw is not None:
        value = convert(value, raw, have, ctx)
    return value if want is None else convert(value, have, want, ctx)


def convert(value: c.Expr, have: Ty, want: Ty, ctx: Context) -> c.Expr:
    """A value of type `have`, held as one of type `want`."""
    if isinstance(have, NoneT):
        return c.Const(c.MIN_INT) if isinstance(strip(want), IntT) else value  # -1 is a number like others
    if have == want:
        return value
    optional = isinstance(have, MaybeT)
    have, want = strip(have), strip(want)
    match have, want:
        case KindT(), PlaceT():
            return _shifted(value, have.kind.place_base, optional, ctx)
        case PlaceT(), KindT():
            return _shifted(value, -want.kind.place_base, optional, ctx)
        case EmptyT(), SetT():
            return c.SetConst(0, universe(want.of))
        case EmptyT(), ListT():
            return c.ListOf(())
        case (ListT(), SetT()) if isinstance(value, c.ListOf):
            size = universe(want.of)
            items = tuple(_dense(convert(i, have.of, want.of, ctx), want.of, ctx) for i in value.items)
            return c.SetOf(items, size, _set_site(items, size, ctx))
        case ListT(), SetT():
            if low_of(want.of) or have.of != want.of:
                whole = SetT(KindT(want.of.kind)) if isinstance(want.of, KindT) else want
                return convert(c.SetOfList(value, universe(whole.of)), whole, want, ctx)
            return c.SetOfList(value, universe(want.of))
        case SetT(), SetT():
            by = low_of(have.of) - low_of(want.of)
            size = universe(want.of)
            if isinstance(value, c.SetConst):
                bits = value.bits << by if by >= 0 else value.bits >> -by
                return c.SetConst(bits & ((1 << size) - 1), size)
            if by == 0 and size == universe(have.of):
                return value
            return c.Shift(value, by, size)
        case KindT(), KindT():
            return value
    return value


def _shifted(value: c.Expr, by: int, optional: bool, ctx: Context) -> c.Expr:
    if by == 0:
        return value
    if isinstance(value, c.Const):
        return c.Const(value.value + by) if value.value >= 0 else value
    low, high = ctx.range(value)
    moved = ctx.ranged(c.Arith("+", value, c.Const(by), None), low + by, high + by)
    if optional or low < 0:
        return c.Cond(c.Compare("<", value, c.Const(0)), c.Const(-1), moved)
    return moved


def _dense(value: c.Expr, of: Ty, ctx: Context) -> c.Expr:
    """A member's bit in a set over a sort."""
    return _shifted(value, -low_of(of), False, ctx)


def _set_site(items: tuple[c.Expr, ...], size: int, ctx: Context) -> int | None:
    if all(-1 <= ctx.range(i)[0] and ctx.range(i)[1] < size for i in items):
        return None
    return ctx.site("set-range", f"sets of numbers hold 0 to {size - 1}, not {{0}}", None)


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


# ---- conditions, folded where they are constant ---------------------------------------------------------------------


def negate(e: c.Expr) -> c.Expr:
    """`not e`"""
    match e:
        case c.Const(value):
            return c.Const(int(not value))
        case c.Not(value):
            return value
        case c.Compare(op, left, right):
            opposite = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
            return c.Compare(opposite[op], left, right)  # type: ignore[arg-type]
    return c.Not(e)


def both(left: c.Expr, right: c.Expr) -> c.Expr:
    """`left and right`"""
    if isinstance(left, c.Const):
        return right if left.value else c.Const(0)
    if isinstance(right, c.Const) and right.value:
        return left
    return c.Both(left, right)


def either(left: c.Expr, right: c.Expr) -> c.Expr:
    """`left or right`"""
    if isinstance(left, c.Const):
        return c.Const(1) if left.value else right
    if isinstance(right, c.Const) and not right.value:
        return left
    return c.Either(left, right)


def within(value: c.Expr, low: int, high: int, ctx: Context) -> c.Expr:
    """Whether low <= value < high, testing only what is not known."""
    a, b = ctx.range(value)
    above: c.Expr = c.Const(1) if a >= low else c.Compare(">=", value, c.Const(low))
    below: c.Expr = c.Const(1) if b < high else c.Compare("<", value, c.Const(high))
    return both(above, below)


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
        return c.Compare("==", place_of(collection.zone.of, index, node.item.span, ctx), zone_place(node.collection, env, ctx))
    of = element(collection)
    if of is None or isinstance(collection, EmptyT):
        return c.Const(0)
    item = lower(node.item, env, ctx, MaybeT(strip(of)) if isinstance(item_type, MaybeT) else of)
    value = lower(node.collection, env, ctx)
    if isinstance(collection, SetT):
        item = _dense(item, of, ctx)
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


def all_of(kind: Kind, sort: Sort | None, ctx: Context) -> c.Expr:
    """The set of all of a kind or sort; pieces out of play are left out."""
    low, high = (sort.low, sort.high) if sort else (0, kind.size)
    size = max(high - low, 1)
    everything = c.SetConst((1 << (high - low)) - 1, size)
    if kind not in ctx.may_be_unused:
        return everything
    var = c.Var(kind.name, c.INT)
    ctx.var_ranges[var] = (0, high - low - 1)
    index = ctx.arith("+", c.Get(var), c.Const(low), kind.entities[0].span)
    in_play = c.Compare("!=", place_of(kind, index, kind.entities[0].span, ctx), c.Const(ctx.checked.world.unused))
    return c.Query("those", var, everything, in_play, None, size)


def place_of(kind: Kind, index: c.Expr, span: Span, ctx: Context) -> c.Expr:
    """Where a piece is: the number of its place."""
    region = ctx.out.layout.at[kind]
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
        value = lower(key, env, ctx, ty)
        number = ctx.arith("+", ctx.arith("*", number, c.Const(size), node.span), value, node.span)
    return number


def _field(node: n.Field, env: Env, ctx: Context) -> c.Expr:
    ref = ctx.checked.refs[node]
    if not isinstance(ref, Field | str):
        return _symbol(node, env, ctx)
    target = lower(node.target, env, ctx)
    ty = strip(ctx.checked.types[node.target])
    assert isinstance(ty, KindT)
    if ref == "at":
        return place_of(ty.kind, target, node.span, ctx)
    if ref == "on":
        return c.Call(space_function(ty.kind, ctx), (target,))
    if ref == "holds":
        holds = ty.kind.holds[node.name.text]
        region = ctx.out.layout.holds[holds]
        low, high = ctx.range(target)
        site = None if 0 <= low and high < region.count else ctx.site("no-such-thing", "this is none", node.span)
        return ctx.ranged(c.Load(region.base, target, region.count, site), -1, holds.piece.size - 1)
    assert isinstance(ref, Field)
    return ctx.load(ref, target, ty.kind.size, node.span)


def field_index(node: n.Index, f: Field, env: Env, ctx: Context) -> tuple[c.Expr, int]:
    """Number and count of an indexed field's value."""
    keys = _keys(node, list(f.per), env, ctx)
    if f.owner is None:
        return keys, f.cells_each
    assert isinstance(node.target, n.Field)
    owner = lower(node.target.target, env, ctx)
    if f.cells_each == 1:
        return owner, f.owner.size
    number = ctx.arith("+", ctx.arith("*", owner, c.Const(f.cells_each), node.span), keys, node.span)
    return number, f.owner.size * f.cells_each


def _index(node: n.Index, env: Env, ctx: Context) -> c.Expr:
    ref = ctx.checked.refs.get(node)
    if isinstance(ref, Field):
        index, count = field_index(node, ref, env, ctx)
        return ctx.load(ref, index, count, node.span)
    if isinstance(ref, Zone):
        return zone_place(node, env, ctx)
    site = ctx.site("no-such-item", "there is no item {0} in a list of {1}", node.span)
    item = c.Item(lower(node.target, env, ctx), lower(node.keys[0], env, ctx), site)
    return ctx.ranged(item, *bounds(ctx.checked.types[node]))


def space_function(kind: Kind, ctx: Context) -> int:
    """The function that follows containers from a piece to its space; a fault if it is not on the map."""
    name = f"on {kind.name}"
    if name in ctx.functions:
        return ctx.functions[name]
    world = ctx.checked.world
    board = world.board
    assert board is not None
    piece = c.Var("piece", c.INT)
    ctx.var_ranges[piece] = (0, kind.size - 1)
    place = c.Var("place", c.INT)
    span = kind.span
    off = ctx.site("off-map", f"this {kind.name} is not on the map", span)
    here = c.Get(place)
    space = board.space
    inside = within(here, space.place_base, space.place_base + space.size, ctx)
    containers = [k for k in world.kinds.values() if k.is_piece and k.place_base >= 0 and k.size and k in ctx.out.layout.at]
    step: tuple[c.Stmt, ...] = (c.Fail(off, None),)
    for k in containers:
        index = ctx.ranged(c.Arith("-", here, c.Const(k.place_base), None), 0, k.size - 1)
        up = c.Let(place, c.Load(ctx.out.layout.at[k].base, index, k.size, None))
        step = (c.If(within(here, k.place_base, k.place_base + k.size, ctx), (up,), step),)
    body: tuple[c.Stmt, ...] = (
        c.Let(place, place_of(kind, c.Get(piece), kind.entities[0].span, ctx)),
        c.While(negate(inside), step, 1, off),
        c.Return(c.Arith("-", here, c.Const(space.place_base), None)),
    )
    number = ctx.add_function(c.Function(name, (piece,), c.INT, body, True))
    ctx.functions[name] = number
    return number


