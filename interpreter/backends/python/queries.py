"""Queries and loops over members, as Python loops.

In Python 3.11 a loop of its own beats a comprehension with a condition, which is a call; and it can stop early.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from interpreter.backends.python.expressions import LIST, number
from interpreter.backends.python.sets import SMALL, bit, first_of, length, members
from interpreter.backends.python.writer import Rule, Value, Writer
from interpreter.core.nodes import MAX_INT, MIN_INT, Arith, Const, Expr, Query, SetConst, Span, Type


def domain(w: Writer, expr: Expr) -> Value:
    """What a loop runs over, with the bounds of its members: a set, or a list as Python can iterate it."""
    if isinstance(expr, SetConst):
        items = [item for item in range(expr.size) if expr.bits >> item & 1]
        text = f"({''.join(f'{item}, ' for item in items)})"
        return Value(text, LIST, simple=True, low=min(items, default=0), high=max(items, default=0))
    if isinstance(expr, Span):
        last = expr.high
        if isinstance(last, Arith) and last.op == "-" and last.site is None and _is_one(last.right):
            # Python's ranges stop before their end, so `n - 1` is no detour for them.
            low, end = w.values(expr.low, last.left)
            high = replace(end, low=end.low - 1, high=end.high - 1)
        else:
            low, high = w.values(expr.low, last)
            constant = high.simple and high.low == high.high
            end = number(high.high + 1) if constant else replace(high, text=f"{high} + 1")
        return w.build(f"range({low}, {end})", [low, end], LIST, low=low.low, high=high.high)
    value = w.value(expr)
    if value.type.form != "set":
        return value
    listed = members(w, value) if value.type.size <= SMALL else value
    return replace(listed, low=0, high=value.type.size - 1)


def _is_one(expr: Expr) -> bool:
    return isinstance(expr, Const) and expr.value == 1


@contextmanager
def each(w: Writer, over: Value, name: str) -> Iterator[None]:
    """A loop over a domain; what is written meanwhile is its body, where `name` holds the member."""
    if over.type.form == "list":
        with w.block(f"for {name} in {over}:"):
            yield
        return
    left, low = w.fresh(), w.fresh()
    w.line(f"{left} = {over}")
    with w.block(f"while {left}:"):
        w.line(f"{low} = {left} & -{left}")
        w.line(f"{left} ^= {low}")
        w.line(f"{name} = {low}.bit_length() - 1")
        yield


def member(over: Value, name: str) -> Value:
    """The member that a loop is at."""
    return Value(name, simple=True, low=over.low, high=over.high)


@contextmanager
def _members_where(w: Writer, e: Query, over: Value, otherwise: str = "") -> Iterator[Value]:
    """A loop over the members for which `where` holds; for others the line `otherwise` runs, if there is one."""
    name = w.fresh("v", e.var.name or "_")
    value = member(over, name)
    with each(w, over, name), w.bound(e.var, value):
        if e.where is None:
            yield value
            return
        holds = w.value(e.where)
        if otherwise:
            with w.block(f"if not {holds}:"):
                w.line(otherwise)
            yield value
            return
        with w.block(f"if {holds}:"):
            yield value


def _query(w: Writer, e: Query) -> Value:
    if e.where is None and not isinstance(e.domain, Span):
        quick = _without_loop(w, e)
        if quick is not None:
            return quick
    return _LOOPS[e.op](w, e, domain(w, e.domain))


def _without_loop(w: Writer, e: Query) -> Value | None:
    """Queries about all members of a set or list that need no loop."""
    if e.op not in ("any", "count", "first"):
        return None
    value = w.value(e.domain)
    if e.op == "any":
        return w.build(f"({value} != {'()' if value.type.form == 'list' else '0'})", [value], low=0, high=1)
    return length(w, value) if e.op == "count" else first_of(w, value)


def _any(w: Writer, e: Query, over: Value) -> Value:
    found = w.fresh()
    w.line(f"{found} = 0")
    with _members_where(w, e, over):
        w.line(f"{found} = 1")
        w.line("break")
    return Value(found, simple=True, low=0, high=1)


def _all(w: Writer, e: Query, over: Value) -> Value:
    found = w.fresh()
    w.line(f"{found} = 1")
    with _members_where(w, e, over) as item:
        value = w.value(e.value) if e.value is not None else item
        with w.block(f"if not {value}:"):
            w.line(f"{found} = 0")
            w.line("break")
    return Value(found, simple=True, low=0, high=1)


def _count(w: Writer, e: Query, over: Value) -> Value:
    found = w.fresh()
    w.line(f"{found} = 0")
    with _members_where(w, e, over):
        w.line(f"{found} += 1")
    return Value(found, simple=True, low=0)


def _sum(w: Writer, e: Query, over: Value) -> Value:
    found = w.fresh()
    w.line(f"{found} = 0")
    with _members_where(w, e, over) as item:
        value = w.value(e.value) if e.value is not None else item
        if e.site is None:
            w.line(f"{found} += {value}")
        else:
            value = w.spill(value)
            total = w.fresh()
            w.line(f"{total} = {found} + {value}")
            w.line(f"if not {MIN_INT} <= {total} <= {MAX_INT}: fault({e.site}, {found}, {value})")
            w.line(f"{found} = {total}")
    return Value(found, simple=True)


def _first(w: Writer, e: Query, over: Value) -> Value:
    found = w.fresh()
    w.line(f"{found} = -1")
    with _members_where(w, e, over) as item:
        w.line(f"{found} = {item}")
        w.line("break")
    return Value(found, simple=True, low=min(-1, over.low), high=max(-1, over.high))


def _the(w: Writer, e: Query, over: Value) -> Value:
    found, count = w.fresh(), w.fresh()
    w.line(f"{found} = -1")
    w.line(f"{count} = 0")
    with _members_where(w, e, over) as item:
        w.line(f"{count} += 1")
        w.line(f"{found} = {item}")
    if e.site is not None:
        w.line(f"if {count} != 1: fault({e.site}, {count})")
    return Value(found, simple=True, low=min(-1, over.low), high=max(-1, over.high))


def _best(w: Writer, e: Query, over: Value) -> Value:
    found = w.fresh()
    w.line(f"{found} = None")
    with _members_where(w, e, over) as item:
        value = w.spill(w.value(e.value) if e.value is not None else item)
        with w.block(f"if {found} is None or {value} {'>' if e.op == 'most' else '<'} {found}:"):
            w.line(f"{found} = {value}")
    if e.absent is not None:
        w.line(f"if {found} is None: {found} = {e.absent}")
    elif e.site is not None:
        w.line(f"if {found} is None: fault({e.site}, 0)")
    return Value(found, simple=True)


def _those(w: Writer, e: Query, over: Value) -> Value:
    found = w.fresh()
    w.line(f"{found} = 0")
    with _members_where(w, e, over) as item:
        w.line(f"{found} |= {bit(w, item, Type('set', e.size), e.site)}")
    return Value(found, Type("set", e.size), simple=True)


def _extreme(w: Writer, e: Query, over: Value) -> Value:
    found, best = w.fresh(), w.fresh()
    w.line(f"{found} = 0")
    w.line(f"{best} = None")
    with _members_where(w, e, over) as item:
        own, value = w.sequence(
            [
                lambda: w.spill(bit(w, item, Type("set", e.size), e.site)),
                lambda: w.spill(w.value(e.value) if e.value is not None else item),
            ]
        )
        with w.block(f"if {best} is None or {value} {'>' if e.op == 'highest' else '<'} {best}:"):
            w.line(f"{best} = {value}")
            w.line(f"{found} = {own}")
        with w.block(f"elif {value} == {best}:"):
            w.line(f"{found} |= {own}")
    return Value(found, Type("set", e.size), simple=True)


def _leading(w: Writer, e: Query, over: Value) -> Value:
    items, count = w.spill(over), w.fresh()
    w.line(f"{count} = 0")
    with _members_where(w, e, items, otherwise="break"):
        w.line(f"{count} += 1")
    return Value(f"{items}[:{count}]", LIST, low=items.low, high=items.high)


def _map(w: Writer, e: Query, over: Value) -> Value:
    found = w.fresh()
    w.line(f"{found} = 0")
    with _members_where(w, e, over) as item:
        value = w.value(e.value) if e.value is not None else item
        w.line(f"{found} |= {bit(w, value, Type('set', e.size), e.site)}")
    return Value(found, Type("set", e.size), simple=True)


_LOOPS = {
    "any": _any,
    "all": _all,
    "count": _count,
    "sum": _sum,
    "first": _first,
    "the": _the,
    "most": _best,
    "least": _best,
    "those": _those,
    "highest": _extreme,
    "lowest": _extreme,
    "leading": _leading,
    "map": _map,
}

RULES: dict[type, Rule] = {Query: _query}
