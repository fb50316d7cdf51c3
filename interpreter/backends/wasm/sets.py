"""Sets: each generator gives the words of its value (see `code`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.backends.wasm.bits import add_single, common, constant, moved, single, united, without
from interpreter.backends.wasm.code import Code, Words
from interpreter.backends.wasm.forms import type_of
from interpreter.backends.wasm.maps import edges_of, reach
from interpreter.backends.wasm.memory import split, words
from interpreter.core import nodes as n


def members(code: Code, expr: n.Expr) -> Words:
    """The words of a set expression."""
    return _WRITERS[type(expr)](code, expr)


def _get(code: Code, expr: n.Get) -> Words:
    home = code.home(expr.var)
    if home is None:
        return [f"local.get {name}" for name in code.place(expr.var)]
    return [f"local.get $b i64.load offset={home + 8 * i}" for i in range(words(expr.var.type.size))]


def _load_set(code: Code, expr: n.LoadSet) -> Words:
    count = words(expr.size)
    index = code.known_within(expr.index, expr.count)
    if index is not None:
        address, offset = "$b", 4 * expr.base + 8 * count * index
    else:
        code.within(expr.index, expr.count, expr.site)
        code.put(f"i32.const {8 * count} i32.mul local.get $b i32.add")
        address, offset = code.keep(name="a"), 4 * expr.base
    return [f"local.get {address} i64.load offset={offset + 8 * i}" for i in range(count)]


def _set_table(code: Code, expr: n.SetTable) -> Words:
    entries = code.world.program.set_tables[expr.table]
    size = code.world.program.set_sizes[expr.table]
    index = code.known_within(expr.index, len(entries))
    if index is not None:
        return constant(entries[index], size)
    key = ("sets", expr.table)
    if key not in code.world.tables:
        content = [word for bits in entries for word in split(bits, size)]
        code.world.tables[key] = (code.world.memory.longs(content), len(entries))
    address, count = code.world.tables[key]
    code.within(expr.index, count, expr.site)
    code.put(f"i32.const {8 * words(size)} i32.mul")
    entry = code.keep(name="a")
    return [f"local.get {entry} i64.load offset={address + 8 * i}" for i in range(words(size))]


def _cond(code: Code, expr: n.Cond) -> Words:
    kept = [code.local("i64", "w") for _ in range(words(type_of(code.world.program, expr).size))]
    code.integer(expr.cond)
    code.put("if")
    for branch, after in ((expr.then, "else"), (expr.other, "end")):
        code.put(*code.members(branch))
        code.put(*(f"local.set {name}" for name in reversed(kept)))
        code.put(after)
    return [f"local.get {name}" for name in kept]


def _call(code: Code, expr: n.Call) -> Words:
    return [f"local.get {name}" for name in code.world.writers.call(code, expr.function, expr.args)]


def _set_const(code: Code, expr: n.SetConst) -> Words:
    return constant(expr.bits, expr.size)


def _set_of(code: Code, expr: n.SetOf) -> Words:
    found = constant(0, expr.size)
    bits = 0
    for item in expr.items:
        figure = code.known(item)
        if figure is not None and -1 <= figure < expr.size:
            bits |= 1 << figure if figure >= 0 else 0
            continue
        code.integer(item)
        index = code.keep(name="i")
        if expr.site is not None:
            code.put(f"local.get {index} i32.const 1 i32.add i32.const {expr.size} i32.gt_u")
            code.fault_if(expr.site, f"local.get {index}")
        found = united(found, single(f"local.get {index}", expr.size))
    return united(found, constant(bits, expr.size)) if bits else found


def _set_of_list(code: Code, expr: n.SetOfList) -> Words:
    row = code.row(expr.items)
    kept = _empty(code, expr.size)
    here, end, item = code.local("i32", "at"), code.local("i32", "end"), code.local("i32", "i")
    done, again = code.label("done"), code.label("next")
    code.put(
        f"local.get {row.address} local.tee {here} local.get {row.length} i32.const 2 i32.shl i32.add local.set {end}"
    )
    code.put(f"block {done}", f"loop {again}", f"local.get {here} local.get {end} i32.eq br_if {done}")
    code.put(f"local.get {here} i32.load local.set {item} local.get {here} i32.const 4 i32.add local.set {here}")
    add_single(code, f"local.get {item}", kept, expr.size)
    code.put(f"br {again}", "end", "end")
    return [f"local.get {name}" for name in kept]


def _empty(code: Code, size: int) -> list[str]:
    """New locals with an empty set (set anew each time: this may stand in a loop)."""
    return code.frozen(constant(0, size))


def _range_set(code: Code, expr: n.RangeSet) -> Words:
    low, high = code.kept(expr.low), code.kept(expr.high)
    a, b = f"local.get {low}", f"local.get {high}"
    if expr.site is not None:
        code.put(f"{a} {b} i32.le_s {a} i32.const 0 i32.lt_s {b} i32.const {expr.size} i32.ge_s i32.or i32.and")
        code.fault_if(expr.site, a, b)
    # Both ends are brought near the universe first, so that taking 64 i from them cannot overflow.
    start, stop = code.local("i32", "low"), code.local("i32", "high")
    code.put(f"i32.const 0 {a} {a} i32.const 0 i32.lt_s select local.set {start}")
    code.put(f"{b} i32.const {expr.size - 1} {b} i32.const {expr.size} i32.lt_s select local.tee {stop}")
    code.put(f"i32.const -1 local.get {stop} i32.const 0 i32.ge_s select local.set {stop}")
    if expr.size:
        code.world.uses.add("range")
    return [
        f"local.get {start} i32.const {64 * i} i32.sub local.get {stop} i32.const {64 * i} i32.sub call $range"
        for i in range(words(expr.size))
    ]


def _set_op(code: Code, expr: n.SetOp) -> Words:
    left = code.members(expr.left)
    right = code.members(expr.right)
    return {"|": united, "&": common, "-": without}[expr.op](left, right)


def _shift(code: Code, expr: n.Shift) -> Words:
    size = type_of(code.world.program, expr.value).size
    found = moved(code.cheap(code.members(expr.value)), expr.by, words(expr.size))
    if size + expr.by > expr.size and expr.size % 64:
        found[-1] = common(found[-1:], [f"i64.const {(1 << expr.size % 64) - 1}"])[0]
    return found


def _reach(code: Code, expr: n.Reach) -> Words:
    return reach(code, expr)


def _edges_of(code: Code, expr: n.EdgesOf) -> Words:
    return edges_of(code, expr)


def _query(code: Code, expr: n.Query) -> Words:
    return code.world.writers.query(code, expr)


_WRITERS: dict[type, Callable[[Code, Any], Words]] = {
    n.Get: _get,
    n.LoadSet: _load_set,
    n.SetTable: _set_table,
    n.Cond: _cond,
    n.Call: _call,
    n.SetConst: _set_const,
    n.SetOf: _set_of,
    n.SetOfList: _set_of_list,
    n.RangeSet: _range_set,
    n.SetOp: _set_op,
    n.Shift: _shift,
    n.Reach: _reach,
    n.EdgesOf: _edges_of,
    n.Query: _query,
}
