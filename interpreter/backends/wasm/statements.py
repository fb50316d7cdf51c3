"""Statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.backends.wasm.chance import pick_one, roll_dice, roll_die, scripted
from interpreter.backends.wasm.code import Code
from interpreter.backends.wasm.forms import everything, type_of
from interpreter.backends.wasm.functions import give
from interpreter.backends.wasm.integers import jump_unless
from interpreter.backends.wasm.lists import copied
from interpreter.backends.wasm.loops import each
from interpreter.backends.wasm.memory import EVENTS, EVENTS_END, LISTENING, words
from interpreter.core import nodes as n
from interpreter.core.header import ENDING, ENDING_ARGS, STATUS, WINNER

_MOST_ENDING_ARGS = 4


def statements(code: Code, body: n.Stmts) -> None:
    """Writes statements one after the other."""
    for statement in body:
        _WRITERS[type(statement)](code, statement)


def _let(code: Code, stmt: n.Let) -> None:
    assign(code, stmt.var, stmt.value)


def assign(code: Code, var: n.Var, value: n.Expr) -> None:
    """Gives a variable a value of its type."""
    if var.type.form == "int":
        code.integer(value)
        code.store_integer(var)
    elif var.type.form == "set":
        code.store_members(var, code.members(value))
    else:
        row = copied(code, code.row(value))
        address, length = code.place(var)
        code.put(f"local.get {row.address} local.set {address} local.get {row.length} local.set {length}")


def _store(code: Code, stmt: n.Store) -> None:
    index = code.known_within(stmt.index, stmt.count)
    if index is not None:
        address, offset = "local.get $b", 4 * (stmt.base + index)
    else:
        code.within(stmt.index, stmt.count, stmt.index_site)
        code.put("i32.const 2 i32.shl local.get $b i32.add")
        address, offset = f"local.get {code.keep(name='a')}", 4 * stmt.base
    value = f"local.get {code.kept(stmt.value)}"
    if stmt.clamp:
        low, high = f"i32.const {stmt.low}", f"i32.const {stmt.high}"
        if stmt.low > n.MIN_INT:
            value = f"local.get {_kept(code, f'{value} {low} {value} {low} i32.gt_s select')}"
        if stmt.high < n.MAX_INT:
            value = f"local.get {_kept(code, f'{value} {high} {value} {high} i32.lt_s select')}"
    elif stmt.site is not None and (stmt.low > n.MIN_INT or stmt.high < n.MAX_INT):
        # One comparison does for both ends: below `low` the difference wraps to something huge.
        code.put(f"{value} i32.const {stmt.low} i32.sub i32.const {stmt.high - stmt.low} i32.gt_u")
        code.fault_if(stmt.site, value)
    code.put(f"{address} {value} i32.store offset={offset}")


def _kept(code: Code, text: str) -> str:
    code.put(text)
    return code.keep()


def _store_set(code: Code, stmt: n.StoreSet) -> None:
    count = words(stmt.size)
    index = code.known_within(stmt.index, stmt.count)
    if index is not None:
        address, offset = "local.get $b", 4 * stmt.base + 8 * count * index
    else:
        code.within(stmt.index, stmt.count, stmt.site)
        code.put(f"i32.const {8 * count} i32.mul local.get $b i32.add")
        address, offset = f"local.get {code.keep(name='a')}", 4 * stmt.base
    code.write_words(address, offset, code.members(stmt.value))


def _clear(code: Code, stmt: n.Clear) -> None:
    clear(code, stmt.base, stmt.count)


def clear(code: Code, base: int, count: int) -> None:
    """Sets cells to 0, two at a time where they are aligned."""
    at, end = base, base + count
    if count > 64:
        code.put(f"local.get $b i32.const {4 * base} i32.add i32.const 0 i32.const {4 * count} memory.fill")
        return
    while at < end:
        wide = at % 2 == 0 and at + 1 < end
        code.put(
            f"local.get $b i64.const 0 i64.store offset={4 * at}"
            if wide
            else f"local.get $b i32.const 0 i32.store offset={4 * at}"
        )
        at += 2 if wide else 1


def _if(code: Code, stmt: n.If) -> None:
    if stmt.other:
        other, end = code.label("else"), code.label("if")
        code.put(f"block {end}", f"block {other}")
        jump_unless(code, stmt.cond, other)
        code.statements(stmt.then)
        code.put(f"br {end}", "end")
        code.statements(stmt.other)
        code.put("end")
    else:
        end = code.label("if")
        code.put(f"block {end}")
        jump_unless(code, stmt.cond, end)
        code.statements(stmt.then)
        code.put("end")


def _while(code: Code, stmt: n.While) -> None:
    done, again = code.label("done"), code.label("while")
    code.put(f"block {done}", f"loop {again}")
    jump_unless(code, stmt.cond, done)
    code.tick(stmt.weight, stmt.site)
    code.breaks.append(done)
    code.statements(stmt.body)
    code.breaks.pop()
    code.put(f"br {again}", "end", "end")


def _for(code: Code, stmt: n.For) -> None:
    item = code.local("i32", "each")

    def body(done: str, _again: str) -> None:
        code.tick(stmt.weight, stmt.site)
        code.put(f"local.get {item}")
        code.store_integer(stmt.var)
        code.breaks.append(done)
        code.statements(stmt.body)
        code.breaks.pop()

    domain = stmt.domain
    listed = not isinstance(domain, n.Span) and type_of(code.world.program, domain).form == "list"
    if listed and not (isinstance(domain, n.Get) and not _assigned(stmt.body, domain.var)):
        frozen = n.Var("frozen", n.Type("list", code.world.longest))
        assign(code, frozen, domain)
        domain = n.Get(frozen)
    each(code, domain, item, body)


def _assigned(body: n.Stmts, var: n.Var) -> bool:
    return any(
        isinstance(node, (n.Let, n.Do)) and var in (getattr(node, "var", None), getattr(node, "into", None))
        for node in everything(body)
    )


def _break(code: Code, _stmt: n.Break) -> None:
    code.put(f"br {code.breaks[-1]}")


def _return(code: Code, stmt: n.Return) -> None:
    give(code, code.frame.result, stmt.value)
    code.put(*(f"local.set {name}" for name in reversed(code.frame.into)))
    code.put("return" if code.frame.label is None else f"br {code.frame.label}")


def _do(code: Code, stmt: n.Do) -> None:
    function = code.world.program.functions[stmt.function]
    results = code.world.writers.call(code, stmt.function, stmt.args)
    if function.ends:
        code.put(f"local.get $b i32.load offset={4 * STATUS}", "if")
        code.quit()
        code.put("end")
    if stmt.into is None:
        return
    found = [f"local.get {name}" for name in results]
    if stmt.into.type.form == "int":
        code.put(found[0])
        code.store_integer(stmt.into)
    elif stmt.into.type.form == "set":
        code.store_members(stmt.into, found)
    else:
        row = n.Var("result", n.Type("list", code.world.longest))
        code.places[row] = (results[0], results[1])
        assign(code, stmt.into, n.Get(row))


def _emit(code: Code, stmt: n.Emit) -> None:
    """An event in memory: number, readers, how many arguments, then each: -1 and an integer, or a length and that many
    items."""
    code.put(f"i32.const 0 i32.load offset={LISTENING}", "if")
    kinds = [type_of(code.world.program, arg) for arg in stmt.args]
    room = 12 + sum(8 + 4 * {"int": 0, "set": kind.size, "list": code.world.longest}[kind.form] for kind in kinds)
    start, at = code.local("i32", "event"), code.local("i32", "at")
    code.put(f"i32.const 0 i32.load offset={EVENTS} local.tee {start} i32.const {room} i32.add")
    code.put(f"i32.const 0 i32.load offset={EVENTS_END} i32.gt_u", "if", "call $events_full unreachable", "end")
    code.put(f"local.get {start} i32.const {stmt.event} i32.store")
    code.put(f"local.get {start} i32.const {len(stmt.args)} i32.store offset=8")
    code.put(f"local.get {start} i32.const 12 i32.add local.set {at}")
    for arg, kind in zip(stmt.args, kinds, strict=True):
        if kind.form == "int":
            value = code.kept(arg)
            code.put(f"local.get {at} i32.const -1 i32.store local.get {at} local.get {value} i32.store offset=4")
            code.put(f"local.get {at} i32.const 8 i32.add local.set {at}")
            continue
        count, item = code.local("i32", "count"), code.local("i32", "i")
        code.put(f"i32.const 0 local.set {count}")

        def body(_done: str, _again: str, at: str = at, count: str = count, item: str = item) -> None:
            code.put(
                f"local.get {count} i32.const 1 i32.add local.tee {count} i32.const 2 i32.shl local.get {at} i32.add"
            )
            code.put(f"local.get {item} i32.store")

        each(code, arg, item, body)
        code.put(f"local.get {at} local.get {count} i32.store")
        code.put(f"local.get {count} i32.const 1 i32.add i32.const 2 i32.shl local.get {at} i32.add local.set {at}")
    to = code.kept(stmt.to)
    code.put(f"local.get {start} local.get {to} i32.store offset=4")
    code.put(f"i32.const 0 local.get {at} i32.store offset={EVENTS}", "end")


def _end(code: Code, stmt: n.End) -> None:
    winner = code.kept(stmt.winner)
    args = [code.kept(arg) for arg in stmt.args]
    code.put(f"local.get $b i32.const 1 i32.store offset={4 * STATUS}")
    code.put(f"local.get $b local.get {winner} i32.store offset={4 * WINNER}")
    code.put(f"local.get $b i32.const {stmt.event + 1} i32.store offset={4 * ENDING}")
    for i in range(_MOST_ENDING_ARGS):
        value = f"local.get {args[i]}" if i < len(args) else "i32.const 0"
        code.put(f"local.get $b {value} i32.store offset={4 * (ENDING_ARGS + i)}")
    code.quit()


def _fail(code: Code, stmt: n.Fail) -> None:
    kept = [None if figure is None else code.kept(figure) for figure in (stmt.a, stmt.b)]
    figures = ["i32.const 0" if name is None else f"local.get {name}" for name in kept]
    code.fault(stmt.site, *figures)


_WRITERS: dict[type, Callable[[Code, Any], None]] = {
    n.Let: _let,
    n.Store: _store,
    n.StoreSet: _store_set,
    n.Clear: _clear,
    n.If: _if,
    n.While: _while,
    n.For: _for,
    n.Break: _break,
    n.Return: _return,
    n.Do: _do,
    n.RollDie: roll_die,
    n.RollDice: roll_dice,
    n.PickOne: pick_one,
    n.Scripted: scripted,
    n.Emit: _emit,
    n.End: _end,
    n.Fail: _fail,
}
