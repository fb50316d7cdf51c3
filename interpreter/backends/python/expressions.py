"""Core expressions as Python expressions: all but queries and graphs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from interpreter.backends.python.writer import Line, Rule, Value, Writer, function_name
from interpreter.core.nodes import (
    INT,
    MAX_INT,
    MIN_INT,
    Arith,
    Both,
    Call,
    Compare,
    Cond,
    Const,
    Either,
    Expr,
    Face,
    First,
    Function,
    Get,
    Has,
    Item,
    Let,
    ListOf,
    ListOfSet,
    ListTable,
    Load,
    LoadSet,
    Not,
    RangeSet,
    Return,
    SetConst,
    SetOf,
    SetOfList,
    SetOp,
    SetTable,
    Shift,
    Size,
    Table,
    Type,
)

LIST = Type("list")
SMALL = 32  # sets of up to this many bits are turned into tuples through a cache: see `support.Members`
MOST_INLINED = 4  # functions put in place within one another
LONGEST_CHAIN = 20  # conditions within one conditional expression
MOST_LETS = 3  # names that a function to be put in place may give


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


def _short(w: Writer, e: Both | Either, word: str) -> Value:
    """`left and right` or `left or right`; a chain of them is written out flat, however long it is."""
    chain: list[Expr] = [e.left, e.right]
    while isinstance(chain[-1], type(e)):
        inner = chain.pop()
        assert isinstance(inner, (Both, Either))
        chain += [inner.left, inner.right]
    while isinstance(chain[0], type(e)):
        inner = chain.pop(0)
        assert isinstance(inner, (Both, Either))
        chain[:0] = [inner.left, inner.right]
    name = ""
    so_far: list[Value] = []
    for expr in chain:
        with w.aside() as lines:
            value = w.value(expr)
        if lines and so_far:
            name = _so_far(w, so_far, word, name)
            with w.block(f"if {name}:" if word == "and" else f"if not {name}:"):
                w.put(lines)
                w.line(f"{name} = {value}")
            so_far = [Value(name, simple=True)]
        else:
            w.put(lines)
            so_far.append(value)
    return w.build(f"({f' {word} '.join(map(str, so_far))})", so_far, low=0, high=1)


def _so_far(w: Writer, values: list[Value], word: str, name: str) -> str:
    """A variable that holds the first part of a chain."""
    if len(values) == 1 and values[0].text == name:
        return name
    name = name or w.fresh()
    w.line(f"{name} = {f' {word} '.join(map(str, values))}")
    return name


def _both(w: Writer, e: Both) -> Value:
    return _short(w, e, "and")


def _either(w: Writer, e: Either) -> Value:
    return _short(w, e, "or")


def _cond(w: Writer, e: Cond) -> Value:
    chain = [e]
    while isinstance(chain[-1].other, Cond) and len(chain) < LONGEST_CHAIN:
        chain.append(chain[-1].other)
    parts: list[tuple[list[Line], Value]] = []  # condition, value, condition, value … value
    for expr in [expr for link in chain for expr in (link.cond, link.then)] + [chain[-1].other]:
        with w.aside() as lines:
            value = w.value(expr)
        parts.append((lines, value))
    results = [value for _, value in parts[1::2]] + [parts[-1][1]]
    low, high = min(value.low for value in results), max(value.high for value in results)
    kind = results[0].type
    if not any(lines for lines, _ in parts[1:]):
        w.put(parts[0][0])
        texts = [f"{parts[i + 1][1]} if {parts[i][1]} else " for i in range(0, len(parts) - 1, 2)]
        values = [value for _, value in parts]
        return w.build(f"({''.join(texts)}{parts[-1][1]})", values, kind, low=low, high=high)
    name = w.fresh()
    # A loop that is left at once, rather than each `else` within the one before.
    with w.block("while True:"):
        for i in range(0, len(parts) - 1, 2):
            w.put(parts[i][0])
            with w.block(f"if {parts[i][1]}:"):
                w.put(parts[i + 1][0])
                w.line(f"{name} = {parts[i + 1][1]}")
                w.line("break")
        w.put(parts[-1][0])
        w.line(f"{name} = {parts[-1][1]}")
        w.line("break")
    return Value(name, kind, simple=True, low=low, high=high)


def _call(w: Writer, e: Call) -> Value:
    function = w.program.functions[e.function]
    args = w.values(*e.args)
    if e.function not in w.inlined and len(w.inlined) < MOST_INLINED and _is_short(function):
        return _in_place(w, e.function, args)
    name = function_name(w.program, e.function)
    text = f"{name}({', '.join(['M', 'Q', *map(str, args)])})"
    return w.build(text, args, function.result or INT, risky=True)


def _is_short(function: Function) -> bool:
    """Whether a function only gives names to a few values and returns an expression."""
    *lets, last = function.body or (None,)
    returns = isinstance(last, Return) and last.value is not None
    return function.pure and returns and len(lets) <= MOST_LETS and all(isinstance(stmt, Let) for stmt in lets)


def _in_place(w: Writer, number: int, args: list[Value]) -> Value:
    """The value of a short function without a call; its parameters stand for the arguments."""
    function, outer = w.program.functions[number], (w.scope, w.constant, w.all_local, w.inlined)
    w.scope = {param: w.spill(arg) for param, arg in zip(function.params, args, strict=True)}
    w.constant, w.all_local, w.inlined = frozenset(), True, (*w.inlined, number)
    result: Value | None = None
    for stmt in function.body:
        if isinstance(stmt, Let):
            # A variable is only another name for its value: it keeps it until the next Let.
            w.scope[stmt.var] = w.spill(w.value(stmt.value))
        elif isinstance(stmt, Return) and stmt.value is not None:
            result = w.value(stmt.value)
    w.scope, w.constant, w.all_local, w.inlined = outer
    assert result is not None
    return result


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
    Both: _both,
    Either: _either,
    Cond: _cond,
    Call: _call,
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
