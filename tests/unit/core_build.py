"""Words for building core programs by hand, graphs to build them on, and searches to check what comes out."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from heapq import heappop, heappush

from core_model import bits
from core_random import graph_of

from interpreter.backends.machine import Machine
from interpreter.core import nodes as n
from interpreter.core.header import PC, RANDOM
from interpreter.core.rng import seeded

Compile = Callable[[n.Program], Machine]
SITES = [n.Site("test", "{0} {1}", f"rules.effects:{line}:1") for line in range(40)]

# ---- small words for building ----------------------------------------------------------------------------------------


def c(value: int) -> n.Const:
    return n.Const(value)


def var(name: str, home: int | None = None) -> n.Var:
    return n.Var(name, n.INT, home)


def set_var(name: str, size: int, home: int | None = None) -> n.Var:
    return n.Var(name, n.Type("set", size), home)


def list_var(name: str) -> n.Var:
    return n.Var(name, n.Type("list", 100))


def get(variable: n.Var) -> n.Get:
    return n.Get(variable)


def cell(at: int) -> n.Load:
    return n.Load(at, c(0), 1, None)


def put(at: int, value: n.Expr, low: int = n.MIN_INT, high: int = n.MAX_INT, site: int | None = None) -> n.Store:
    return n.Store(at, c(0), 1, value, low, high, False, site, None)


def add(left: n.Expr, right: n.Expr, site: int | None = 1) -> n.Arith:
    return n.Arith("+", left, right, site)


def eq(left: n.Expr, right: n.Expr) -> n.Compare:
    return n.Compare("==", left, right)


def members(*items: int, size: int) -> n.SetConst:
    return n.SetConst(bits(items), size)


def listed(*items: int) -> n.ListOf:
    return n.ListOf(tuple(c(item) for item in items))


def span(low: int, high: int) -> n.Span:
    return n.Span(c(low), c(high))


def filled(program: n.Program, values: dict[int, int] | None = None, seed: int = 1) -> bytearray:
    """A position at the program's start, with some cells set."""
    cells = [0] * program.cells
    cells[PC] = program.start
    for at, value in (values or {}).items():
        cells[at] = value
    block = bytearray(struct.pack(f"<{program.cells}i", *cells))
    struct.pack_into("<QQ", block, 4 * RANDOM, *seeded(seed))
    return block


def read(block: bytearray, at: int) -> int:
    """A cell."""
    return int(struct.unpack_from("<i", block, 4 * at)[0])


def board(side: int) -> n.Graph:
    """The squares of a board, each joined to the eight around it."""
    pairs = [
        (row * side + column, (row + up) * side + column + right)
        for row in range(side)
        for column in range(side)
        for up, right in ((0, 1), (1, -1), (1, 0), (1, 1))
        if row + up < side and 0 <= column + right < side
    ]
    return graph_of(side * side, pairs, "board")


def roads() -> n.Graph:
    """A map without any order: chords of a ring of 40, so that steps are no shifts; space 40 is alone."""
    pairs = {tuple(sorted((i, (i * i * 3 + 7 * i + 1) % 40))) for i in range(40)}
    pairs |= {tuple(sorted((i, (i * 11 + 5) % 40))) for i in range(40)}
    return graph_of(41, sorted((a, b) for a, b in pairs if a != b), "roads")


# ---- what must come out, by other means ------------------------------------------------------------------------------


def spread(graph: n.Graph, start: Iterable[int], within: int, through: set[int], along: set[int]) -> set[int]:
    """Breadth-first search, ring by ring."""
    seen = set(start)
    ring = set(start)
    for _ in range(within):
        ring = {other for space in ring for other, edge in graph.around[space] if edge in along} - seen
        seen |= ring
        ring &= through
    return seen


def best_way(
    graph: n.Graph, start: Iterable[int], goal: int, through: set[int], along: set[int], costly: set[int]
) -> tuple[int, ...]:
    """Dijkstra's search from the start, carrying whole ways: the first that comes to the goal is the least of all."""
    heap = [(0, 0, (space,)) for space in start]
    heap.sort()
    done = set()
    while heap:
        cost, length, way = heappop(heap)
        here = way[-1]
        if here in done:
            continue
        done.add(here)
        if here == goal:
            return way
        if length and here not in through:
            done.discard(here)
            continue
        for other, edge in graph.around[here]:
            if edge in along and other not in way:
                heappush(heap, (cost + (edge in costly), length + 1, (*way, other)))
    return ()
