"""How values are held, and conditions folded where they are constant."""

from __future__ import annotations

from interpreter.core import nodes as c
from interpreter.core.lower.context import Context
from interpreter.lang.types import EmptyT, IntT, KindT, ListT, MaybeT, NoneT, PlaceT, SetT, Ty, low_of, strip, universe


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
            items = tuple(dense(convert(i, have.of, want.of, ctx), want.of, ctx) for i in value.items)
            return set_of(items, size, ctx)
        case ListT(), SetT():
            if low_of(want.of) or have.of != want.of:
                whole = SetT(KindT(want.of.kind)) if isinstance(want.of, KindT) else want
                return convert(c.SetOfList(value, universe(whole.of)), whole, want, ctx)
            return set_of_list(value, have.of, universe(want.of), ctx)
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


def dense(value: c.Expr, of: Ty, ctx: Context) -> c.Expr:
    """A member's bit in a set over a sort."""
    return _shifted(value, -low_of(of), False, ctx)


def set_of(items: tuple[c.Expr, ...], size: int, ctx: Context) -> c.Expr:
    """The set of these values; numbers that no set can hold are a fault."""
    if all(-1 <= ctx.range(i)[0] and ctx.range(i)[1] < size for i in items):
        return c.SetOf(items, size, None)
    return c.SetOf(items, size, _set_site(size, ctx))


def set_of_list(items: c.Expr, of: Ty, size: int, ctx: Context) -> c.Expr:
    """The set of what a list holds; numbers that no set can hold are a fault."""
    if not isinstance(of, IntT):
        return c.SetOfList(items, size)
    var = c.Var("number", c.INT)
    return c.Query("map", var, items, None, c.Get(var), size, None, _set_site(size, ctx))


def _set_site(size: int, ctx: Context) -> int:
    return ctx.site("set-range", f"sets of numbers hold 0 to {size - 1}, not {{0}}", None)


# ---- conditions, folded where they are constant ---------------------------------------------------------------------


_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def negate(e: c.Expr) -> c.Expr:
    """`not e`, with the `not` as far inside as it goes."""
    match e:
        case c.Const(value):
            return c.Const(int(not value))
        case c.Not(value):
            return value
        case c.Compare(op, left, right):
            return c.Compare(_OPPOSITE[op], left, right)  # type: ignore[arg-type]
        case c.Both(left, right):
            return c.Either(negate(left), negate(right))
        case c.Either(left, right):
            return c.Both(negate(left), negate(right))
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
