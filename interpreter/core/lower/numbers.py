"""Numbers that must lie within bounds: keys of tables and of indexed fields, parts of pairs."""

from __future__ import annotations

from interpreter.core import nodes as c
from interpreter.core.lower.context import Context
from interpreter.core.lower.held import both, within
from interpreter.source import Span


def fault(value: c.Expr, site: int) -> c.Expr:
    """An expression that is a fault with this value, whatever it is: nothing can be divided by zero."""
    return c.Arith("floor", value, c.Const(0), site)


def must_lie(value: c.Expr, low: int, high: int, message: str, span: Span, ctx: Context) -> c.Expr:
    """A number, or a fault unless it lies between low and high; {0} in the message is the number."""
    first, last = ctx.range(value)
    if low <= first and last <= high:
        return value
    site = ctx.site("no-such-entry", message, span)
    return checked(value, within(value, low, high + 1, ctx), site, low, high, ctx)


def checked(value: c.Expr, good: c.Expr, site: int, low: int, high: int, ctx: Context) -> c.Expr:
    """A value if `good` holds of it, else a fault. What is computed goes to a function, so that it is computed once."""
    if isinstance(value, c.Get | c.Const):
        return ctx.ranged(c.Cond(good, value, fault(value, site)), low, high)
    given = c.Var("number", c.INT)
    ctx.var_ranges[given] = ctx.range(value)
    here = c.Get(given)
    test = both(c.Compare(">=", here, c.Const(low)), c.Compare("<=", here, c.Const(high)))
    body = (c.If(test, (c.Return(here),)), c.Return(fault(here, site)))
    number = ctx.add_function(c.Function(f"number from {low} to {high}", (given,), c.INT, body, True))
    return ctx.ranged(c.Call(number, (value,)), low, high)
