"""Integers and bools: each generator leaves one i32 on the stack."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.backends.wasm.code import Code, Words
from interpreter.backends.wasm.forms import type_of
from interpreter.core import nodes as n

_COMPARE = {"==": "eq", "!=": "ne", "<": "lt_s", "<=": "le_s", ">": "gt_s", ">=": "ge_s"}
_PAIR = ("left", "right")
_SIMPLE: dict[type, tuple[str, ...]] = {  # with what they are made of
    n.Const: (),
    n.Get: (),
    n.SetConst: (),
    n.Compare: _PAIR,
    n.Both: _PAIR,
    n.Either: _PAIR,
    n.Not: ("value",),
    n.Has: ("collection", "item"),
}


def integer(code: Code, expr: n.Expr) -> None:
    """Pushes the value of an integer expression."""
    _WRITERS[type(expr)](code, expr)


def jump_unless(code: Code, expr: n.Expr, label: str) -> None:
    """Branches if a condition fails."""
    _jump(code, expr, label, False)


def jump_if(code: Code, expr: n.Expr, label: str) -> None:
    """Branches if a condition holds."""
    _jump(code, expr, label, True)


def _jump(code: Code, expr: n.Expr, label: str, when: bool) -> None:
    if isinstance(expr, n.Not):
        _jump(code, expr.value, label, not when)
    elif isinstance(expr, (n.Both, n.Either)) and not _simple(expr, 6):
        if isinstance(expr, n.Either) == when:  # either part alone decides for the jump
            _jump(code, expr.left, label, when)
            _jump(code, expr.right, label, when)
        else:
            past = code.label("past")
            code.put(f"block {past}")
            _jump(code, expr.left, past, not when)
            _jump(code, expr.right, label, when)
            code.put("end")
    else:
        code.integer(expr)
        code.put(f"br_if {label}" if when else f"i32.eqz br_if {label}")


def _simple(expr: n.Expr, most: int) -> bool:
    """Whether computing a bool needlessly is cheaper than a branch, and cannot fault: a few operations on what is at
    hand."""
    waiting = [expr]
    while waiting:
        found = waiting.pop()
        parts = _SIMPLE.get(type(found))
        most -= 1
        if most < 0 or parts is None:
            return False
        waiting += [getattr(found, name) for name in parts]
    return True


def _const(code: Code, expr: n.Const) -> None:
    code.put(f"i32.const {expr.value}")


def _get(code: Code, expr: n.Get) -> None:
    if expr.var in code.figures:
        code.put(f"i32.const {code.figures[expr.var]}")
        return
    home = code.home(expr.var)
    code.put(f"local.get {code.place(expr.var)[0]}" if home is None else f"local.get $b i32.load offset={home}")


def _load(code: Code, expr: n.Load) -> None:
    index = code.known_within(expr.index, expr.count)
    if index is not None:
        code.put(f"local.get $b i32.load offset={4 * (expr.base + index)}")
    else:
        code.within(expr.index, expr.count, expr.site)
        code.put(f"i32.const 2 i32.shl local.get $b i32.add i32.load offset={4 * expr.base}")


def _table(code: Code, expr: n.Table) -> None:
    values = code.world.program.tables[expr.table]
    index = code.known_within(expr.index, len(values))
    if index is not None:
        code.put(f"i32.const {values[index]}")
        return
    key = ("integers", expr.table)
    if key not in code.world.tables:
        code.world.tables[key] = (code.world.memory.integers(values), len(values))
    address, count = code.world.tables[key]
    code.within(expr.index, count, expr.site)
    code.put(f"i32.const 2 i32.shl i32.load offset={address}")


def _arith(code: Code, expr: n.Arith) -> None:
    code.integer(expr.left)
    if expr.site is None and expr.op in ("+", "-", "*"):
        code.integer(expr.right)
        code.put({"+": "i32.add", "-": "i32.sub", "*": "i32.mul"}[expr.op])
        return
    left = code.keep()
    code.integer(expr.right)
    right = code.keep()
    a, b = f"local.get {left}", f"local.get {right}"
    if expr.op in ("min", "max"):
        code.put(f"{a} {b} {a} {b} i32.{'lt_s' if expr.op == 'min' else 'gt_s'} select")
    elif expr.op in ("floor", "ceil"):
        _divide(code, expr, a, b)
    else:
        assert expr.site is not None
        result = code.local("i32")
        if expr.op == "*":
            whole = code.local("i64")
            code.put(f"{a} i64.extend_i32_s {b} i64.extend_i32_s i64.mul local.tee {whole}")
            code.put(f"i32.wrap_i64 local.tee {result} i64.extend_i32_s local.get {whole} i64.ne")
        else:  # the sign is wrong only if both operands (for -: left and the negated right) push it the same way
            code.put(f"{a} {b} i32.{'add' if expr.op == '+' else 'sub'} local.tee {result} {a} i32.xor")
            code.put(f"{f'local.get {result}' if expr.op == '+' else a} {b} i32.xor i32.and i32.const 0 i32.lt_s")
        code.fault_if(expr.site, a, b)
        code.put(f"local.get {result}")


def _divide(code: Code, expr: n.Arith, a: str, b: str) -> None:
    """Division that rounds down or up. The remainder has the sign of the dividend, so it tells which way truncation
    went."""
    divisor = code.known(expr.right)
    if expr.site is not None:
        if divisor is None:
            code.put(f"{b} i32.eqz {a} i32.const {n.MIN_INT} i32.eq {b} i32.const -1 i32.eq i32.and i32.or")
            code.fault_if(expr.site, a, b)
        elif divisor == 0:
            code.fault(expr.site, a, b)
        elif divisor == -1:
            code.put(f"{a} i32.const {n.MIN_INT} i32.eq")
            code.fault_if(expr.site, a, b)
    if expr.op == "floor" and divisor is not None and divisor > 0 and divisor & (divisor - 1) == 0:
        code.put(f"{a} i32.const {divisor.bit_length() - 1} i32.shr_s")
        return
    rest = code.local("i32")
    code.put(f"{a} {b} i32.div_s {a} {b} i32.rem_s local.tee {rest} i32.const 0 i32.ne")
    code.put(f"local.get {rest} {b} i32.xor i32.const 0 {'i32.lt_s' if expr.op == 'floor' else 'i32.ge_s'} i32.and")
    code.put("i32.sub" if expr.op == "floor" else "i32.add")


def _compare(code: Code, expr: n.Compare) -> None:
    if type_of(code.world.program, expr.left).form == "set":
        code.put(differ(code.members(expr.left), code.members(expr.right)))
        if expr.op == "==":
            code.put("i32.eqz")
        return
    code.integer(expr.left)
    code.integer(expr.right)
    code.put(f"i32.{_COMPARE[expr.op]}")


def differ(left: Words, right: Words) -> str:
    """Text that pushes 1 if two sets differ."""
    if not left:
        return "i32.const 0"
    if len(left) == 1:
        return f"{left[0]} {right[0]} i64.ne"
    pairs = [a if b == "i64.const 0" else f"{a} {b} i64.xor" for a, b in zip(left, right, strict=True)]
    return pairs[0] + "".join(f" {pair} i64.or" for pair in pairs[1:]) + " i64.const 0 i64.ne"


def _not(code: Code, expr: n.Not) -> None:
    code.integer(expr.value)
    code.put("i32.eqz")


def _logic(code: Code, expr: n.Both | n.Either) -> None:
    both = isinstance(expr, n.Both)
    code.integer(expr.left)
    if _simple(expr.right, 4):
        code.integer(expr.right)
        code.put("i32.and" if both else "i32.or")
        return
    code.put("if (result i32)")
    if not both:
        code.put("i32.const 1", "else")
    code.integer(expr.right)
    if both:
        code.put("else", "i32.const 0")
    code.put("end")


def _cond(code: Code, expr: n.Cond) -> None:
    if isinstance(expr.then, (n.Const, n.Get)) and isinstance(expr.other, (n.Const, n.Get)):
        for part in (expr.then, expr.other, expr.cond):  # nobody can foresee a branch
            code.integer(part)
        code.put("select")
        return
    code.integer(expr.cond)
    code.put("if (result i32)")
    code.integer(expr.then)
    code.put("else")
    code.integer(expr.other)
    code.put("end")


def _call(code: Code, expr: n.Call) -> None:
    code.put(f"local.get {code.world.writers.call(code, expr.function, expr.args)[0]}")


def _size(code: Code, expr: n.Size) -> None:
    if type_of(code.world.program, expr.value).form == "list":
        code.put(f"local.get {code.row(expr.value).length}")
    else:
        code.put(population(code.members(expr.value)))


def population(found: Words) -> str:
    """Text that pushes the number of members."""
    counts = [f"{word} i64.popcnt" for word in found] or ["i64.const 0"]
    return counts[0] + "".join(f" {count} i64.add" for count in counts[1:]) + " i32.wrap_i64"


def _has(code: Code, expr: n.Has) -> None:
    kind = type_of(code.world.program, expr.collection)
    if kind.form == "list":
        row = code.row(expr.collection)
        code.world.uses.add("listed")
        code.put(f"local.get {row.address} local.get {row.length}")
        code.integer(expr.item)
        code.put("call $listed")
        return
    found = code.members(expr.collection)
    item = code.known(expr.item)
    if item is not None:
        inside = 0 <= item < kind.size
        code.put(
            f"{found[item // 64]} i64.const {item % 64} i64.shr_u i32.wrap_i64 i32.const 1 i32.and"
            if inside
            else "i32.const 0"
        )
        return
    code.integer(expr.item)
    if not found:
        code.put("drop i32.const 0")
        return
    asked = code.keep()
    code.put(f"{chosen_word(found, asked)} local.get {asked} i64.extend_i32_u i64.shr_u i32.wrap_i64")
    code.put(f"local.get {asked} i32.const {kind.size} i32.lt_u i32.and")


def chosen_word(found: Words, item: str) -> str:
    """Text that pushes the word in which a member's bit lies (any word if there is none)."""
    text = found[0]
    for i, word in enumerate(found[1:], 1):
        text = f"{word} {text} local.get {item} i32.const {64 * i} i32.ge_u select"
    return text


def _first(code: Code, expr: n.First) -> None:
    if type_of(code.world.program, expr.value).form == "list":
        row = code.row(expr.value)
        code.put(
            f"local.get {row.length}",
            "if (result i32)",
            f"local.get {row.address} i32.load",
            "else",
            "i32.const -1",
            "end",
        )
    else:
        code.put(lowest(code.cheap(code.members(expr.value))))


def lowest(found: Words) -> str:
    """Text that pushes the lowest member, -1 if there is none; the words must be cheap."""
    text = "i32.const -1"
    for i in reversed(range(len(found))):
        shift = f" i32.const {64 * i} i32.or" if i else ""
        text = f"{text} {found[i]} i64.ctz i32.wrap_i64{shift} {found[i]} i64.eqz select"
    return text


def _face(code: Code, expr: n.Face) -> None:
    found = code.members(expr.counts)
    face = code.known(expr.face)
    if face is not None:
        code.put(f"{found[face // 4]} i64.const {face % 4 * 16} i64.shr_u")
    else:
        code.integer(expr.face)
        code.put("i32.const 4 i32.shl")
        bit = code.keep()
        code.put(f"{chosen_word(found, bit)} local.get {bit} i64.extend_i32_u i64.shr_u")
    code.put("i32.wrap_i64 i32.const 65535 i32.and")


def _item(code: Code, expr: n.Item) -> None:
    row = code.row(expr.value)
    code.integer(expr.index)
    asked = code.keep()
    index = code.local("i32", "i")
    code.put(
        f"local.get {asked} local.get {row.length} i32.const 0 local.get {asked} i32.const 0 i32.lt_s select i32.add"
    )
    code.put(f"local.set {index}")
    if expr.site is not None:
        code.put(f"local.get {index} local.get {row.length} i32.ge_u")
        code.fault_if(expr.site, f"local.get {asked}", f"local.get {row.length}")
    code.put(f"local.get {index} i32.const 2 i32.shl local.get {row.address} i32.add i32.load")


def _query(code: Code, expr: n.Query) -> None:
    code.put(*code.world.writers.query(code, expr))


_WRITERS: dict[type, Callable[[Code, Any], None]] = {
    n.Const: _const,
    n.Get: _get,
    n.Load: _load,
    n.Table: _table,
    n.Arith: _arith,
    n.Compare: _compare,
    n.Not: _not,
    n.Both: _logic,
    n.Either: _logic,
    n.Cond: _cond,
    n.Call: _call,
    n.Size: _size,
    n.Has: _has,
    n.First: _first,
    n.Face: _face,
    n.Item: _item,
    n.Query: _query,
}
