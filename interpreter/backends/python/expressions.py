"""Core expressions as Python expressions: constants, reads and arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.backends.python.writer import Rule, Value, Writer
from interpreter.core.nodes import (
    INT,
    MAX_INT,
    MIN_INT,
    Arith,
    Compare,
    Const,
    Get,
    ListTable,
    Load,
    LoadSet,
    Not,
    SetTable,
    Table,
    Type,
)

LIST = Type("list")


def _const(w: Writer, e: Const) -> Value:
    return number(e.value)


def number(value: int) -> Value:
    """A constant integer."""
    return Value(str(value) if value >= 0 else f"({value})", simple=True, low=value, high=value)


def _get(w: Writer, e: Get) -> Value:
    return w.read(e.var)


def _within(w: Writer, index: Value, count: int, site: int | None) -> tuple[str, str]:
    """(condition that the index lies in 0 … count-1, name of the index); no condition if there is nothing to check."""
    if site is None or index.within(0, count - 1):
        return "", index.text
    first, name = w.once(index)
    return f"{first} < {count}" if index.low >= 0 else f"0 <= {first} < {count}", name


def _entry(w: Writer, table: str, index: Value, entries: Sequence[Any], kind: Type, site: int | None) -> Value:
    """Entry of a constant table, checked if `site`."""
    numbers: list[int] = []
    for entry in entries if kind.form != "set" else ():
        numbers += entry if isinstance(entry, tuple) else [entry]
    low, high = min(numbers, default=0), max(numbers, default=0)
    check, name = _within(w, index, len(entries), site)
    if not check:
        return w.build(f"{table}[{name}]", [index], kind, low=low, high=high)
    text = f"({table}[{name}] if {check} else fault({site}, {name}))"
    return w.build(text, [index], kind, risky=True, low=low, high=high)


def _load(w: Writer, e: Load) -> Value:
    index = w.value(e.index)
    check, name = _within(w, index, e.count, e.site)
    at = str(e.base + int(name)) if name.isdecimal() else f"{e.base} + {name}" if e.base else name
    if not check:
        return w.build(f"M[{at}]", [index])
    return w.build(f"(M[{at}] if {check} else fault({e.site}, {name}))", [index], risky=True)


def set_cell(w: Writer, base: int, index: Value, size: int) -> str:
    """The 64-bit cell where a set in an array begins: a number or a name (for which a line may be added)."""
    words = (size + 63) // 64
    if index.text.isdecimal():
        return str(base // 2 + int(index.text) * words)
    text = index.text if words == 1 else f"{index} * {words}"
    if base:
        text = f"{base // 2} + {text}"
    return text if words <= 1 else w.spill(Value(text)).text


def checked_index(w: Writer, index: Value, count: int, site: int | None) -> Value:
    """The index as a name or constant, after a line that checks it if need be."""
    check, name = _within(w, index, count, site)
    if not check:
        return index
    w.line(f"if not {check}: fault({site}, {name})")
    return Value(name, simple=True, low=0, high=count - 1)


def _load_set(w: Writer, e: LoadSet) -> Value:
    kind = Type("set", e.size)
    index = w.value(e.index)
    if e.size > 64 or e.site is None:
        at = set_cell(w, e.base, checked_index(w, index, e.count, e.site), e.size)
        return w.build(w.load_set(at, kind).text, [index] if e.size <= 64 else [], kind)
    check, name = _within(w, index, e.count, e.site)
    loaded = w.load_set(set_cell(w, e.base, Value(name), e.size), kind)
    if not check:
        return w.build(loaded.text, [index], kind)
    return w.build(f"({loaded} if {check} else fault({e.site}, {name}))", [index], kind, risky=True)


def _table(w: Writer, e: Table) -> Value:
    return _entry(w, f"T{e.table}", w.value(e.index), w.program.tables[e.table], INT, e.site)


def _set_table(w: Writer, e: SetTable) -> Value:
    kind = Type("set", w.program.set_sizes[e.table])
    return _entry(w, f"S{e.table}", w.value(e.index), w.program.set_tables[e.table], kind, e.site)


def _list_table(w: Writer, e: ListTable) -> Value:
    return _entry(w, f"L{e.table}", w.value(e.index), w.program.list_tables[e.table], LIST, e.site)


def _arith(w: Writer, e: Arith) -> Value:
    left, right = w.values(e.left, e.right)
    low, high = _bounds(e.op, left, right)
    if e.op in ("min", "max"):
        (one, a), (two, b) = w.once(left), w.once(right)
        order = "<=" if e.op == "min" else ">="
        # Comparing by hand beats a call of min(). The comparison evaluates both, in order.
        return w.build(f"({a} if {one} {order} {two} else {b})", [left, right], low=low, high=high)
    if e.op in ("floor", "ceil"):
        if e.site is not None and right.low <= 0:
            return w.build(f"{e.op}_div({e.site}, {left}, {right})", [left, right], risky=True)
        text = f"({left} // {right})" if e.op == "floor" else f"(-(-{left} // {right}))"
        return w.build(text, [left, right], low=low, high=high)
    if e.site is None or (low >= MIN_INT and high <= MAX_INT):
        return w.build(f"({left} {e.op} {right})", [left, right], low=max(low, MIN_INT), high=min(high, MAX_INT))
    (one, a), (two, b) = w.once(left), w.once(right)
    result = w.fresh()
    check = f"{MIN_INT} <= ({result} := {one} {e.op} {two}) <= {MAX_INT}"
    text = f"({result} if {check} else fault({e.site}, {a}, {b}))"
    return w.build(text, [left, right], risky=True, low=max(low, MIN_INT), high=min(high, MAX_INT))


def _bounds(op: str, left: Value, right: Value) -> tuple[int, int]:
    """What the result lies between, before any check of overflow."""
    if op == "+":
        return left.low + right.low, left.high + right.high
    if op == "-":
        return left.low - right.high, left.high - right.low
    if op == "*":
        corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
        return min(corners), max(corners)
    if op == "min":
        return min(left.low, right.low), min(left.high, right.high)
    if op == "max":
        return max(left.low, right.low), max(left.high, right.high)
    return (0, left.high) if left.low >= 0 and right.low > 0 else (MIN_INT, MAX_INT)


def _compare(w: Writer, e: Compare) -> Value:
    left, right = w.values(e.left, e.right)
    return w.build(f"({left} {e.op} {right})", [left, right], low=0, high=1)


def _not(w: Writer, e: Not) -> Value:
    value = w.value(e.value)
    return w.build(f"(not {value})", [value], low=0, high=1)


RULES: dict[type, Rule] = {
    Const: _const,
    Get: _get,
    Load: _load,
    LoadSet: _load_set,
    Table: _table,
    SetTable: _set_table,
    ListTable: _list_table,
    Arith: _arith,
    Compare: _compare,
    Not: _not,
}
