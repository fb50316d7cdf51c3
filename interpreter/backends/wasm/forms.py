"""The type of an expression of the core, and what an expression costs to copy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any

from interpreter.core import nodes as n

_SETS = (n.LoadSet, n.SetConst, n.SetOf, n.SetOfList, n.RangeSet, n.Shift)
_HOLDERS = ("Expr", "Stmts", "Exit", "Binder", "Option")  # what types of fields with nodes are called
_LISTS = (n.ListTable, n.ListOf, n.ListOfSet, n.Path)

_SMALL = 24  # nodes of a function that is not worth a call
_MOST_NODES = 400  # of any function written into its callers
_MOST_GROWTH = 300  # nodes by which the copies of one function may make the program grow
_LEAST_GROWTH = 3000  # nodes by which any program may grow


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


def everything(node: Any) -> Iterator[Any]:
    """A node of the core, or a tuple of them, and all nodes below. Functions, tables and the like are only numbers
    there."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        if found.__class__ is tuple:
            waiting.extend(found)
        elif found is not None:
            yield found
            for name in _parts(found.__class__):
                waiting.append(getattr(found, name))


@cache
def _parts(kind: Any) -> tuple[str, ...]:
    """The fields of a kind of node that hold nodes."""
    return tuple(item.name for item in fields(kind) if any(word in str(item.type) for word in _HOLDERS))


def to_inline(program: n.Program) -> frozenset[int]:
    """Functions worth writing into their callers: the small ones, those with a single call, and, as long as the program
    does not grow by more than half, those whose copies come to little."""
    calls = [0] * len(program.functions)
    inside: list[list[int]] = [[] for _ in program.functions]
    own = [0] * len(program.functions)
    for number, function in enumerate(program.functions):
        for node in everything(function.body):
            own[number] += 1
            if isinstance(node, (n.Call, n.Do)):
                inside[number].append(node.function)
                calls[node.function] += 1
    for node in everything((tuple(program.blocks), tuple(program.decisions))):
        if isinstance(node, (n.Call, n.Do)):
            calls[node.function] += 1
    room = max(_LEAST_GROWTH, sum(own) // 2)
    total: dict[int, int] = {}  # nodes of a function with what is written into it
    chosen: dict[int, bool] = {}

    def weigh(number: int) -> bool:
        """Whether a function is to be written into its callers; those that it calls are weighed before."""
        nonlocal room
        if number not in chosen:
            total[number] = own[number] + sum(total[callee] for callee in inside[number] if weigh(callee))
            growth = (calls[number] - 1) * total[number]
            few = total[number] <= _MOST_NODES and growth <= min(_MOST_GROWTH, room)
            chosen[number] = total[number] <= _SMALL or few
            if chosen[number]:
                room -= max(growth, 0)
        return chosen[number]

    return frozenset(number for number in range(len(program.functions)) if weigh(number))
