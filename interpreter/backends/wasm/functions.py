"""Calls: a function is written into its caller or called; both leave the result in locals."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.backends.wasm.code import Code, Frame, World, written
from interpreter.backends.wasm.forms import everything
from interpreter.backends.wasm.lists import copied
from interpreter.backends.wasm.memory import words
from interpreter.core import nodes as n


def kinds(given: n.Type | None) -> list[str]:
    """The wasm types that hold a value of a type of the core."""
    if given is None:
        return []
    return {"int": ["i32"], "set": ["i64"] * words(given.size), "list": ["i32", "i32"]}[given.form]


def call(code: Code, number: int, args: Sequence[n.Expr]) -> list[str]:
    """Writes a call; the locals that hold the result."""
    function = code.world.program.functions[number]
    if number in code.world.inlined:
        return _written_here(code, function, args)
    if number not in code.world.wanted:
        code.world.wanted.append(number)
    code.put("local.get $b")
    _arguments(code, function, args)
    code.put(f"call $f{number}")
    results = [code.local(kind, "result") for kind in kinds(function.result)]
    code.put(*(f"local.set {name}" for name in reversed(results)))
    return results


def _arguments(code: Code, function: n.Function, args: Sequence[n.Expr]) -> None:
    """Writes the arguments of a call."""
    for param, arg in zip(function.params, args, strict=True):
        if param.type.form == "int":
            code.integer(arg)
        elif param.type.form == "set":
            code.put(*code.members(arg))
        else:
            row = code.row(arg)
            code.put(f"local.get {row.address} local.get {row.length}")


def _written_here(code: Code, function: n.Function, args: Sequence[n.Expr]) -> list[str]:
    _arguments(code, function, args)
    # All arguments are computed before the first parameter is set: they may contain calls of the same function.
    for param in reversed(function.params):
        code.put(*(f"local.set {name}" for name in reversed(code.bind(param))))
    _mark_steady(code, function)
    results = [code.local(kind, "result") for kind in kinds(function.result)]
    if len(function.body) == 1 and isinstance(function.body[0], n.Return):
        give(code, function.result, function.body[0].value)
        code.put(*(f"local.set {name}" for name in reversed(results)))
        return results
    outer, outer_breaks = code.frame, code.breaks
    label = code.label("return")
    code.frame, code.breaks = Frame(label, function.result, tuple(results), ""), []
    code.note(f"{function.name}, written here")
    code.put(f"block {label}")
    code.statements(function.body)
    code.put("end")
    code.frame, code.breaks = outer, outer_breaks
    return results


def give(code: Code, kind: n.Type | None, value: n.Expr | None) -> None:
    """Pushes the value that a function returns. A list written into the caller must lie in a buffer that stays."""
    if kind is None:
        return
    if value is None:
        code.put(*(f"{found}.const 0" for found in kinds(kind)))
    elif kind.form == "int":
        code.integer(value)
    elif kind.form == "set":
        code.put(*code.members(value))
    else:
        row = copied(code, code.row(value))
        code.put(f"local.get {row.address} local.get {row.length}")


def _mark_steady(code: Code, function: n.Function) -> None:
    lists = [param for param in function.params if param.type.form == "list"]
    if lists:
        changed = {node.var for node in everything(function.body) if isinstance(node, n.Let)}
        code.steady.update(param for param in lists if param not in changed)


def whole(world: World, number: int) -> str:
    """The text of a function of its own."""
    function = world.program.functions[number]
    results = kinds(function.result)
    early = " ".join(f"{kind}.const 0" for kind in results)
    code = Code(world, Frame(None, function.result, (), early))
    params: list[str] = []
    for param in function.params:
        names = [f"$p{len(params) + i}" for i in range(len(kinds(param.type)))]
        code.places[param] = tuple(names)
        params += [f"(param {name} {kind})" for name, kind in zip(names, kinds(param.type), strict=True)]
    _mark_steady(code, function)
    code.note(function.name)
    code.statements(function.body)
    header = " ".join(["(param $b i32)", *params, *(f"(result {kind})" for kind in results)])
    return written(f"f{number}", header, code, [early])
