"""Lookup tables and generated pairs: an index computed from keys, into a table of constants."""

from __future__ import annotations

from interpreter.core import nodes as c
from interpreter.core.lower.context import Context, Env
from interpreter.core.lower.numbers import must_lie
from interpreter.lang import nodes as n
from interpreter.lang.scope import PairMaker
from interpreter.lang.types import RangeT, SetT, Ty, bounds, universe
from interpreter.lang.world import Key, Table
from interpreter.source import Span

WIDEST = 4096  # numbers for which a key has an entry each; wider ones are searched by comparing


def lower_table(node: n.Index, table: Table, env: Env, ctx: Context) -> c.Expr:
    """`table[key]` or `table[key, key]`; a fault outside of all entries."""
    index: c.Expr | None = None
    for key, given in zip(table.keys, node.keys, strict=True):
        entry = _entry(key, ctx.expr(given, env, key.type), table, given.span, ctx)
        if index is None:
            index = entry
        else:
            index = ctx.arith("+", ctx.arith("*", index, c.Const(key.size), node.span), entry, node.span)
    assert index is not None
    return _cell(table.gives, table.cells, index, ctx)


def _cell(gives: Ty, cells: tuple[int, ...], index: c.Expr, ctx: Context) -> c.Expr:
    if isinstance(index, c.Const) and not isinstance(gives, SetT):
        return c.Const(cells[index.value])
    if isinstance(gives, SetT):
        return c.SetTable(ctx.set_table(cells, universe(gives.of)), index, None)
    return ctx.ranged(c.Table(ctx.table(cells), index, None), min(cells), max(cells))


def _entry(key: Key, value: c.Expr, table: Table, span: Span, ctx: Context) -> c.Expr:
    """The number of the entry that a value falls into."""
    if key.values:
        return _named(key, value, table, span, ctx)
    ends = [end for low, high in key.spans for end in (low, high) if end is not None]
    low, high = min(ends, default=0), max(ends, default=0)
    message = f"`{table.name}` has no entry for {{0}} under `{key.name}`"
    if any(first is None for first, _ in key.spans):
        value = ctx.arith("max", value, c.Const(low), span)
    if any(last is None for _, last in key.spans):
        value = ctx.arith("min", value, c.Const(high), span)
    value = must_lie(value, low, high, message, span, ctx)
    if high - low < WIDEST:
        rows = tuple(_row(key, number) for number in range(low, high + 1))
        if isinstance(value, c.Const):
            return c.Const(rows[value.value - low])
        index = ctx.arith("-", value, c.Const(low), span)
        if rows == tuple(range(len(rows))):
            return index
        return ctx.ranged(c.Table(ctx.table(rows), index, None), 0, key.size - 1)
    return ctx.ranged(c.Call(_search(key, ctx), (value,)), 0, key.size - 1)


def _row(key: Key, number: int) -> int:
    for i, (low, high) in enumerate(key.spans):
        if (low is None or low <= number) and (high is None or number <= high):
            return i
    raise AssertionError("tables have no gaps")


def _search(key: Key, ctx: Context) -> int:
    """A function that finds the entry of a number by comparing with the upper ends."""
    given = c.Var("number", c.INT)
    order = sorted(range(key.size), key=lambda i: c.MAX_INT if key.spans[i][1] is None else (key.spans[i][1] or 0))
    body: list[c.Stmt] = []
    for i in order[:-1]:
        test = c.Compare("<=", c.Get(given), c.Const(key.spans[i][1] or 0))
        body.append(c.If(test, (c.Return(c.Const(i)),)))
    body.append(c.Return(c.Const(order[-1])))
    return ctx.add_function(c.Function(f"entry of {key.name}", (given,), c.INT, tuple(body), True))


def _named(key: Key, value: c.Expr, table: Table, span: Span, ctx: Context) -> c.Expr:
    """The entry for a value of an enum, or for an entity; not every entity must have one."""
    low, high = bounds(key.type)
    rows = tuple(key.values.index(v) if v in key.values else -1 for v in range(low, high + 1))
    if isinstance(value, c.Const) and 0 <= value.value < len(rows) and rows[value.value] >= 0:
        return c.Const(rows[value.value])
    if rows == tuple(range(key.size)):
        return value
    found = ctx.ranged(c.Table(ctx.table(rows), value, None), min(rows), key.size - 1)
    if -1 not in rows:
        return found
    return must_lie(found, 0, key.size - 1, f"`{table.name}` has no entry for this {key.type}", span, ctx)


def lower_pair(node: n.Apply, maker: PairMaker, env: Env, ctx: Context) -> c.Expr:
    """`kind_at(part, part)`: the number of a generated pair; a fault for a number outside of its range."""
    kind = maker.kind
    given: dict[str, n.Expr] = {}
    for i, argument in enumerate(node.args):
        assert isinstance(argument, n.Argument)
        given[argument.name.text if argument.name else kind.parts[i][0]] = argument.value
    index: c.Expr = c.Const(0)
    for name, ty, size in kind.parts:
        part = key_number(ctx.expr(given[name], env, ty), ty, f"`{kind.name}`", given[name].span, ctx)
        index = ctx.arith("+", ctx.arith("*", index, c.Const(size), node.span), part, node.span)
    return ctx.ranged(index, 0, kind.size - 1) if not isinstance(index, c.Const) else index


def key_number(value: c.Expr, ty: Ty, what: str, span: Span, ctx: Context) -> c.Expr:
    """The number, from 0, of a key: of a value, of an entity, or of a number of a range (a fault outside of it)."""
    if not isinstance(ty, RangeT):
        return value
    message = f"{what} is for numbers from {ty.low} to {ty.high}, not for {{0}}"
    return ctx.arith("-", must_lie(value, ty.low, ty.high, message, span, ctx), c.Const(ty.low), span)
