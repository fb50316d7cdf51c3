"""The last word on a game: what it shows is kept in four cells of the position, so it can be told at any later time."""

from __future__ import annotations

from interpreter.core import nodes as c
from interpreter.core.lower.context import Context, core_type
from interpreter.lang.types import ENDING_BITS, Ty, ending_cells


def ending_args(values: tuple[c.Expr, ...], types: tuple[Ty, ...], ctx: Context) -> tuple[c.Expr, ...]:
    """The cells of the values: a set as numbers, some of its members in each."""
    args: list[c.Expr] = []
    for value, ty in zip(values, types, strict=True):
        held = core_type(ty)
        if held.form != "set":
            args.append(value)
            continue
        powers = ctx.table(tuple(1 << i % ENDING_BITS for i in range(held.size)))
        for cell in range(ending_cells(ty)):
            var = c.Var("member", c.INT)
            bits = ((1 << ENDING_BITS) - 1) << ENDING_BITS * cell & (1 << held.size) - 1
            part = c.SetOp("&", value, c.SetConst(bits, held.size))
            args.append(c.Query("sum", var, part, None, c.Table(powers, c.Get(var), None)))
    return tuple(args)
