"""Sets, as integers of as many bits as needed, and lists, as tuples."""

from __future__ import annotations

from functools import partial

from interpreter.backends.python.expressions import LIST
from interpreter.backends.python.writer import Rule, Value, Writer
from interpreter.core.nodes import (
    Expr,
    Face,
    First,
    Has,
    Item,
    ListOf,
    ListOfSet,
    RangeSet,
    SetConst,
    SetOf,
    SetOfList,
    SetOp,
    Shift,
    Size,
    Type,
)

SMALL = 32  # sets of up to this many bits are turned into tuples through a cache: see `support.Members`


def _set_const(w: Writer, e: SetConst) -> Value:
    return Value(hexadecimal(e.bits), Type("set", e.size), simple=True)


def _set_of(w: Writer, e: SetOf) -> Value:
    kind = Type("set", e.size)
    bits = w.sequence([partial(_bit, w, item, kind, e.site) for item in e.items])
    known = sum({int(bit.text, 0) for bit in bits if _constant(bit)})  # distinct powers of 2
    parts = [bit for bit in bits if not _constant(bit)]
    if known or not parts:
        parts.append(Value(hexadecimal(known), kind, simple=True))
    return parts[0] if len(parts) == 1 else w.build(f"({' | '.join(map(str, parts))})", parts, kind)


def _bit(w: Writer, item: Expr, kind: Type, site: int | None) -> Value:
    """The set of one integer."""
    value = w.value(item)
    if value.simple and value.low == value.high and value.within(0, kind.size - 1):
        return Value(hexadecimal(1 << value.low), kind, simple=True)
    return bit(w, value, kind, site)


def _constant(value: Value) -> bool:
    return value.text[0].isdigit() and value.simple


def bit(w: Writer, value: Value, kind: Type, site: int | None, table: str = "") -> Value:
    """The set of one integer, checked if `site`; or what a table of sets has for it."""
    table = table or f"BIT{kind.size}"  # the last entry, for -1, is 0
    if site is None or value.within(-1, kind.size - 1):
        return w.build(f"{table}[{value}]", [value], kind)
    first, name = w.once(value)
    check = f"{first} < {kind.size}" if value.low >= -1 else f"-1 <= {first} < {kind.size}"
    return w.build(f"({table}[{name}] if {check} else fault({site}, {name}))", [value], kind, risky=True)


def hexadecimal(bits: int) -> str:
    """A constant set."""
    return f"{bits:#x}" if bits > 9 else str(bits)


def _set_of_list(w: Writer, e: SetOfList) -> Value:
    items = w.value(e.items)
    return w.build(f"set_of(BIT{e.size}, {items})", [items], Type("set", e.size))


def _range_set(w: Writer, e: RangeSet) -> Value:
    low, high = w.values(e.low, e.high)
    (one, a), (two, b) = w.once(low), w.once(high)
    made = f"(2 << {b}) - (1 << {a})"
    if e.site is None or (low.low >= 0 and high.high < e.size):
        return w.build(f"({made} if {one} <= {two} else 0)", [low, high], Type("set", e.size))
    checked = f"{made} if {a} >= 0 and {b} < {e.size} else fault({e.site}, {a}, {b})"
    return w.build(f"(({checked}) if {one} <= {two} else 0)", [low, high], Type("set", e.size), risky=True)


def _set_op(w: Writer, e: SetOp) -> Value:
    left, right = w.values(e.left, e.right)
    if e.op == "-":
        if isinstance(e.right, SetConst):
            return w.build(f"({left} & {((1 << e.right.size) - 1) & ~e.right.bits:#x})", [left], left.type)
        return w.build(f"({left} & ~{right})", [left, right], left.type)
    return w.build(f"({left} {e.op} {right})", [left, right], left.type)


def _shift(w: Writer, e: Shift) -> Value:
    value = w.value(e.value)
    text = f"({value} << {e.by})" if e.by > 0 else f"({value} >> {-e.by})" if e.by else value.text
    if value.type.size + e.by > e.size:
        text = f"({text} & {(1 << e.size) - 1:#x})"
    return w.build(text, [value], Type("set", e.size))


def _size(w: Writer, e: Size) -> Value:
    value = w.value(e.value)
    return length(w, value)


def length(w: Writer, value: Value) -> Value:
    """The number of a set's members or a list's items."""
    if value.type.form == "list":
        return w.build(f"len({value})", [value], low=0)
    return w.build(f"{bracketed(value)}.bit_count()", [value], low=0, high=value.type.size)


def bracketed(value: Value) -> str:
    """Text that a method can be called on: a number needs brackets."""
    return f"({value})" if value.text[0].isdigit() else value.text


def _has(w: Writer, e: Has) -> Value:
    collection, item = w.values(e.collection, e.item)
    listed = collection.type.form == "list"
    if collection.risky and (item.risky if listed else item.low < 0):
        # The text below would evaluate the item first, or the item alone.
        collection = w.spill(collection)
    if listed:
        return w.build(f"({item} in {collection})", [item, collection], low=0, high=1)
    if item.low >= 0:
        return w.build(f"({collection} >> {item} & 1)", [collection, item], low=0, high=1)
    first, name = w.once(item)
    return w.build(f"({first} >= 0 and {collection} >> {name} & 1)", [item, collection], low=0, high=1)


def _first(w: Writer, e: First) -> Value:
    return first_of(w, w.value(e.value))


def first_of(w: Writer, value: Value) -> Value:
    """The lowest member of a set or the first item of a list, -1 for none."""
    first, name = w.once(value)
    if value.type.form == "list":
        return w.build(f"({name}[0] if {first} else -1)", [value], low=min(-1, value.low), high=max(-1, value.high))
    return w.build(f"(({first} & -{name}).bit_length() - 1)", [value], low=-1, high=value.type.size - 1)


def _face(w: Writer, e: Face) -> Value:
    counts, face = w.values(e.counts, e.face)
    shift = str(16 * int(face.text)) if face.text.isdecimal() else f"({face} << 4)"
    return w.build(f"({counts} >> {shift} & 0xffff)", [counts, face], low=0, high=0xFFFF)


def _list_of(w: Writer, e: ListOf) -> Value:
    items = w.values(*e.items)
    low = min((item.low for item in items), default=0)
    high = max((item.high for item in items), default=0)
    return w.build(f"({''.join(f'{item}, ' for item in items)})", items, LIST, low=low, high=high)


def _list_of_set(w: Writer, e: ListOfSet) -> Value:
    value = w.value(e.value)
    return members(w, value)


def members(w: Writer, value: Value) -> Value:
    """A set as a tuple of its members."""
    text = f"MEMBERS[{value}]" if value.type.size <= SMALL else f"listed({value})"
    return w.build(text, [value], LIST, low=0, high=value.type.size - 1)


def _item(w: Writer, e: Item) -> Value:
    items, index = w.values(e.value, e.index)
    if e.site is None:
        return w.build(f"{items}[{index}]", [items, index], low=items.low, high=items.high)
    (one, name), (two, place), count = w.once(items), w.once(index), w.fresh()
    check = f"-({count} := len({one})) <= {two} < {count}"
    text = f"({name}[{place}] if {check} else fault({e.site}, {place}, {count}))"
    return w.build(text, [items, index], risky=True, low=items.low, high=items.high)


RULES: dict[type, Rule] = {
    SetConst: _set_const,
    SetOf: _set_of,
    SetOfList: _set_of_list,
    RangeSet: _range_set,
    SetOp: _set_op,
    Shift: _shift,
    Size: _size,
    Has: _has,
    First: _first,
    Face: _face,
    ListOf: _list_of,
    ListOfSet: _list_of_set,
    Item: _item,
}
