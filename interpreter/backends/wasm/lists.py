"""Lists: each generator gives a `Row` (see `code`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.backends.wasm.code import Code, Row
from interpreter.backends.wasm.integers import jump_unless
from interpreter.backends.wasm.loops import each_member
from interpreter.backends.wasm.maps import path
from interpreter.core import nodes as n


def row(code: Code, expr: n.Expr) -> Row:
    """The row of a list expression."""
    return _WRITERS[type(expr)](code, expr)


def copied(code: Code, found: Row) -> Row:
    """The same list in a buffer of its own, unless its own is steady."""
    if found.steady:
        return found
    buffer = code.world.memory.room(4 * found.most)
    address, length = code.local("i32", "row"), code.local("i32", "length")
    code.put(f"local.get {found.length} local.set {length}")
    code.put(f"i32.const {buffer} local.get {found.address} local.get {length} i32.const 2 i32.shl memory.copy")
    code.put(f"i32.const {buffer} local.set {address}")
    return Row(address, length, found.most, True)


def _get(code: Code, expr: n.Get) -> Row:
    address, length = code.place(expr.var)
    return Row(address, length, code.world.longest, expr.var in code.steady)


def _list_table(code: Code, expr: n.ListTable) -> Row:
    rows = code.world.program.list_tables[expr.table]
    key = ("lists", expr.table)
    if key not in code.world.tables:
        content = [figure for items in rows for figure in (code.world.memory.integers(items), len(items))]
        code.world.tables[key] = (code.world.memory.integers(content), len(rows))
    address, count = code.world.tables[key]
    code.within(expr.index, count, expr.site)
    at, length = code.local("i32", "row"), code.local("i32", "length")
    code.put(f"i32.const 3 i32.shl local.tee {at} i32.load offset={address + 4} local.set {length}")
    code.put(f"local.get {at} i32.load offset={address} local.set {at}")
    return Row(at, length, max(map(len, rows), default=0), True)


def _new(code: Code, most: int, length: str) -> tuple[int, Row]:
    """A buffer for a list whose length is in a local; its items may be written once all that the list is made of has
    been read."""
    buffer = code.world.memory.room(4 * most)
    address = code.local("i32", "row")
    code.put(f"i32.const {buffer} local.set {address}")
    return buffer, Row(address, length, most, True)


def _list_of(code: Code, expr: n.ListOf) -> Row:
    kept = [code.kept(item) for item in expr.items]
    length = code.local("i32", "length")
    code.put(f"i32.const {len(kept)} local.set {length}")
    buffer, found = _new(code, len(kept), length)
    for i, item in enumerate(kept):
        code.put(f"i32.const 0 local.get {item} i32.store offset={buffer + 4 * i}")
    return found


def _list_of_set(code: Code, expr: n.ListOfSet) -> Row:
    found = code.frozen(code.members(expr.value))
    length = code.local("i32", "length")
    code.put(f"i32.const 0 local.set {length}")
    buffer, result = _new(code, expr.size, length)
    item = code.local("i32", "i")

    def body(_done: str, _again: str) -> None:
        code.put(f"local.get {length} i32.const 2 i32.shl local.get {item} i32.store offset={buffer}")
        code.put(f"local.get {length} i32.const 1 i32.add local.set {length}")

    each_member(code, [f"local.get {name}" for name in found], item, body)
    return result


def _cond(code: Code, expr: n.Cond) -> Row:
    address, length = code.local("i32", "row"), code.local("i32", "length")
    found = []
    code.integer(expr.cond)
    code.put("if")
    for branch, after in ((expr.then, "else"), (expr.other, "end")):
        part = code.row(branch)
        code.put(f"local.get {part.address} local.set {address} local.get {part.length} local.set {length}", after)
        found.append(part)
    return Row(address, length, max(part.most for part in found), all(part.steady for part in found))


def _call(code: Code, expr: n.Call) -> Row:
    """The buffer of a function that is really called is written again by its next call, so the list is copied at once;
    so is one that may be a list of the caller's."""
    address, length = code.world.writers.call(code, expr.function, expr.args)
    given = any(param.type.form == "list" for param in code.world.program.functions[expr.function].params)
    return copied(code, Row(address, length, code.world.longest, expr.function in code.world.inlined and not given))


def _leading(code: Code, expr: n.Query) -> Row:
    """The same list, cut short."""
    whole = code.row(expr.domain)
    length, item = code.local("i32", "length"), code.bind(expr.var)[0]
    done, again = code.label("done"), code.label("next")
    code.put(f"i32.const 0 local.set {length}", f"block {done}", f"loop {again}")
    code.put(f"local.get {length} local.get {whole.length} i32.ge_s br_if {done}")
    code.put(f"local.get {length} i32.const 2 i32.shl local.get {whole.address} i32.add i32.load local.set {item}")
    if expr.where is not None:
        jump_unless(code, expr.where, done)
    code.put(f"local.get {length} i32.const 1 i32.add local.set {length}", f"br {again}", "end", "end")
    return Row(whole.address, length, whole.most, whole.steady)


def _path(code: Code, expr: n.Path) -> Row:
    return path(code, expr)


_WRITERS: dict[type, Callable[[Code, Any], Row]] = {
    n.Get: _get,
    n.ListTable: _list_table,
    n.ListOf: _list_of,
    n.ListOfSet: _list_of_set,
    n.Cond: _cond,
    n.Call: _call,
    n.Query: _leading,
    n.Path: _path,
}
