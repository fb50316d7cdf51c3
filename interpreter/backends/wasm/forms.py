"""The type of an expression of the core, and what an expression costs to copy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from interpreter.core import nodes as n

_SETS = (n.LoadSet, n.SetConst, n.SetOf, n.SetOfList, n.RangeSet, n.Shift)
_LEAVES = (int, str, type(None), n.Var, n.Type)
_LISTS = (n.ListTable, n.ListOf, n.ListOfSet, n.Path)


def type_of(program: n.Program, expr: n.Expr) -> n.Type:
    """The type of an expression; sets with their size, lists with the most items they can have."""
    if isinstance(expr, n.Get):
        return expr.var.type
    if isinstance(expr, _SETS):
        return n.Type("set", expr.size)
    if isinstance(expr, n.SetTable):
        return n.Type("set", program.set_sizes[expr.table])
    if isinstance(expr, n.SetOp):
        return type_of(program, expr.left)
    if isinstance(expr, n.Cond):
        return type_of(program, expr.then)
    if isinstance(expr, n.Call):
        return program.functions[expr.function].result or n.INT
    if isinstance(expr, n.Reach):
        return n.Type("set", program.graphs[expr.graph].size)
    if isinstance(expr, n.EdgesOf):
        return n.Type("set", program.graphs[expr.graph].edges)
    if isinstance(expr, n.Query):
        if expr.op in ("those", "highest", "lowest", "map"):
            return n.Type("set", expr.size)
        return type_of(program, expr.domain) if expr.op == "leading" else n.INT
    if isinstance(expr, _LISTS):
        return n.Type("list")
    return n.INT


def children(node: Any) -> Iterator[object]:
    """The nodes right below a node of the core (functions, tables and the like are only numbers in it)."""
    if isinstance(node, tuple):
        yield from node
    elif not isinstance(node, _LEAVES):
        for name in _names(node.__class__):
            value = getattr(node, name)
            if not isinstance(value, _LEAVES):
                yield value


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(item.name for item in fields(kind)) if is_dataclass(kind) else ()


def everything(node: object) -> Iterator[object]:
    """A node and all below it."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        if not isinstance(found, tuple):
            yield found
        waiting.extend(children(found))


def to_inline(program: n.Program, small: int = 24, once: int = 400) -> frozenset[int]:
    """Functions worth writing into their callers: the small ones, and those with a single call unless they are huge."""
    calls = [0] * len(program.functions)
    inside: list[list[int]] = [[] for _ in program.functions]
    own = [0] * len(program.functions)
    for number, function in enumerate(program.functions):
        for node in everything(function.body):
            own[number] += 1
            if isinstance(node, (n.Call, n.Do)):
                inside[number].append(node.function)
                calls[node.function] += 1
    for whole in (tuple(program.blocks), tuple(program.decisions)):
        for node in everything(whole):
            if isinstance(node, (n.Call, n.Do)):
                calls[node.function] += 1
    total: dict[int, int] = {}
    chosen: set[int] = set()

    def cost(number: int) -> int:
        if number not in total:
            total[number] = own[number] + sum(cost(callee) for callee in inside[number] if weigh(callee))
        return total[number]

    def weigh(number: int) -> bool:
        size = cost(number)
        if size <= small or (calls[number] == 1 and size <= once):
            chosen.add(number)
        return number in chosen

    for number in range(len(program.functions)):
        weigh(number)
    return frozenset(chosen)
