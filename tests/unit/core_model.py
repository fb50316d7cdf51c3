"""The core's expressions and plain statements once more, as directly as can be: sets are frozensets, lists are tuples.

Slow and simple, so that backends can be checked against it. It follows the docstrings of `interpreter.core.nodes` and
shares no code with any backend.
"""

from __future__ import annotations

import itertools
from typing import Any

from interpreter.backends.machine import Fault
from interpreter.core import nodes as n
from interpreter.core.header import STEPS


class _Break(Exception):
    pass


class _Return(Exception):
    pass


def members(bits: int) -> frozenset[int]:
    return frozenset(i for i in range(bits.bit_length()) if bits >> i & 1)


def bits(items: Any) -> int:
    return sum(1 << i for i in set(items))


class Model:
    """Evaluates functions of a program over a list of cells (signed 32-bit integers)."""

    def __init__(self, program: n.Program, cells: list[int]) -> None:
        self.program = program
        self.cells = cells

    def call(self, number: int, args: tuple[Any, ...]) -> Any:
        function = self.program.functions[number]
        env = dict(zip(function.params, args, strict=True))
        try:
            self.run(function.body, env)
        except _Return as done:
            return done.args[0]
        return None

    def value(self, number: int, args: tuple[int, ...]) -> Any:
        """As `Machine.evaluate` gives it."""
        self.cells[STEPS] = 0
        result = self.call(number, args)
        if isinstance(result, frozenset):
            return tuple(sorted(result))
        return tuple(map(int, result)) if isinstance(result, tuple) else int(result)

    # ---- statements

    def run(self, stmts: n.Stmts, env: dict[n.Var, Any]) -> None:
        for stmt in stmts:
            self.step(stmt, env)

    def tick(self, weight: int, site: int) -> None:
        if self.cells[STEPS] + weight > self.program.budget:
            raise Fault(site, self.program.budget)
        self.cells[STEPS] += weight

    def step(self, s: n.Stmt, env: dict[n.Var, Any]) -> None:
        match s:
            case n.Let():
                env[s.var] = self.ev(s.value, env)
            case n.If():
                self.run(s.then if self.ev(s.cond, env) else s.other, env)
            case n.While():
                try:
                    while self.ev(s.cond, env):
                        self.tick(s.weight, s.site)
                        self.run(s.body, env)
                except _Break:
                    pass
            case n.For():
                try:
                    for item in self.domain(s.domain, env):
                        env[s.var] = item
                        self.tick(s.weight, s.site)
                        self.run(s.body, env)
                except _Break:
                    pass
            case n.Break():
                raise _Break
            case n.Return():
                raise _Return(None if s.value is None else self.ev(s.value, env))
            case n.Fail():
                raise Fault(s.site, 0 if s.a is None else self.ev(s.a, env))
            case n.Do():
                result = self.call(s.function, tuple(self.ev(a, env) for a in s.args))
                if s.into is not None:
                    env[s.into] = result
            case _:
                raise NotImplementedError(s)

    # ---- expressions

    def domain(self, e: n.Expr, env: dict[n.Var, Any]) -> list[int]:
        if isinstance(e, n.Span):
            low, high = self.ev(e.low, env), self.ev(e.high, env)
            return list(range(low, high + 1))
        value = self.ev(e, env)
        return sorted(value) if isinstance(value, frozenset) else list(value)

    def index(self, e: Any, count: int, env: dict[n.Var, Any]) -> int:
        index: int = self.ev(e.index, env)
        if e.site is not None and not 0 <= index < count:
            raise Fault(e.site, index)
        return index

    def ev(self, e: n.Expr, env: dict[n.Var, Any]) -> Any:
        match e:
            case n.Const():
                return e.value
            case n.Get():
                return env[e.var]
            case n.Load():
                return self.cells[e.base + self.index(e, e.count, env)]
            case n.LoadSet():
                width = 2 * -(-e.size // 64)
                at = e.base + self.index(e, e.count, env) * width
                return members(sum((self.cells[at + i] & 0xFFFFFFFF) << 32 * i for i in range(width)))
            case n.Table():
                table = self.program.tables[e.table]
                return table[self.index(e, len(table), env)]
            case n.SetTable():
                sets = self.program.set_tables[e.table]
                return members(sets[self.index(e, len(sets), env)])
            case n.ListTable():
                lists = self.program.list_tables[e.table]
                return tuple(lists[self.index(e, len(lists), env)])
            case n.Arith():
                return self.arith(e, self.ev(e.left, env), self.ev(e.right, env))
            case n.Compare():
                a, b = self.ev(e.left, env), self.ev(e.right, env)
                match e.op:
                    case "==":
                        return int(a == b)
                    case "!=":
                        return int(a != b)
                    case "<":
                        return int(a < b)
                    case "<=":
                        return int(a <= b)
                    case ">":
                        return int(a > b)
                    case ">=":
                        return int(a >= b)
            case n.Not():
                return 1 - self.ev(e.value, env)
            case n.Both():
                return self.ev(e.right, env) if self.ev(e.left, env) else 0
            case n.Either():
                return 1 if self.ev(e.left, env) else self.ev(e.right, env)
            case n.Cond():
                return self.ev(e.then, env) if self.ev(e.cond, env) else self.ev(e.other, env)
            case n.Call():
                return self.call(e.function, tuple(self.ev(a, env) for a in e.args))
            case n.SetConst():
                return members(e.bits)
            case n.SetOf():
                return frozenset(x for x in [self.member(self.ev(i, env), e.size, e.site) for i in e.items] if x != -1)
            case n.SetOfList():
                return frozenset(x for x in self.ev(e.items, env) if x != -1)
            case n.RangeSet():
                low, high = self.ev(e.low, env), self.ev(e.high, env)
                if low <= high and e.site is not None and not (low >= 0 and high < e.size):
                    raise Fault(e.site, low, high)
                return frozenset(range(low, high + 1))
            case n.SetOp():
                a, b = self.ev(e.left, env), self.ev(e.right, env)
                return a | b if e.op == "|" else a & b if e.op == "&" else a - b
            case n.Shift():
                return frozenset(x + e.by for x in self.ev(e.value, env) if 0 <= x + e.by < e.size)
            case n.Size():
                return len(self.ev(e.value, env))
            case n.Has():
                collection, item = self.ev(e.collection, env), self.ev(e.item, env)
                return int(item in collection)
            case n.First():
                value = self.ev(e.value, env)
                return next(iter(sorted(value) if isinstance(value, frozenset) else value), -1)
            case n.Face():
                counts, face = self.ev(e.counts, env), self.ev(e.face, env)
                return sum(1 << i for i in range(16) if 16 * face + i in counts)
            case n.ListOf():
                return tuple([self.ev(i, env) for i in e.items])
            case n.ListOfSet():
                return tuple(sorted(self.ev(e.value, env)))
            case n.Item():
                items, index = self.ev(e.value, env), self.ev(e.index, env)
                if not -len(items) <= index < len(items):
                    assert e.site is not None
                    raise Fault(e.site, index, len(items))
                return items[index]
            case n.Query():
                return self.query(e, env)
            case n.Reach():
                return self.reach(e, env)
            case n.Path():
                return self.path(e, env)
            case n.EdgesOf():
                path = self.ev(e.path, env)
                around = self.program.graphs[e.graph].around
                pairs = list(itertools.pairwise(path))
                return frozenset(edge for a, b in pairs if a >= 0 for other, edge in around[a] if other == b)
        raise NotImplementedError(e)

    def member(self, item: int, size: int, site: int | None) -> int:
        if site is not None and not -1 <= item < size:
            raise Fault(site, item)
        return item

    def arith(self, e: n.Arith, a: int, b: int) -> int:
        if e.op == "min":
            return min(a, b)
        if e.op == "max":
            return max(a, b)
        if e.op in ("floor", "ceil"):
            if b == 0:
                assert e.site is not None
                raise Fault(e.site, a, b)
            # By hand, away from Python's own rounding: the sign first, then the size.
            size, rest = divmod(abs(a), abs(b))
            negative = (a < 0) != (b < 0)
            result = -size if negative else size
            if rest and e.op == "floor" and negative:
                result -= 1
            if rest and e.op == "ceil" and not negative:
                result += 1
        else:
            result = a + b if e.op == "+" else a - b if e.op == "-" else a * b
        if not n.MIN_INT <= result <= n.MAX_INT:
            assert e.site is not None
            raise Fault(e.site, a, b)
        return result

    def query(self, e: n.Query, env: dict[n.Var, Any]) -> Any:
        kept: list[int] = []
        values: list[int] = []
        total = 0
        for item in self.domain(e.domain, env):
            inner = {**env, e.var: item}
            holds = e.where is None or self.ev(e.where, inner)
            if not holds:
                if e.op == "leading":
                    break
                continue
            if e.op in ("those", "highest", "lowest"):
                self.member(item, e.size, e.site)
            kept.append(item)
            if e.op in ("any", "first"):
                break
            value = item if e.value is None else self.ev(e.value, inner)
            values.append(value)
            if e.op == "all" and not value:
                return 0
            if e.op == "sum":
                total = self.arith(n.Arith("+", n.Const(0), n.Const(0), e.site), total, value)
            if e.op == "map":
                self.member(value, e.size, e.site)
        match e.op:
            case "any":
                return int(bool(kept))
            case "all":
                return 1
            case "count":
                return len(kept)
            case "sum":
                return total
            case "first":
                return kept[0] if kept else -1
            case "the":
                if len(kept) != 1:
                    assert e.site is not None
                    raise Fault(e.site, len(kept))
                return kept[0]
            case "most" | "least":
                if values:
                    return max(values) if e.op == "most" else min(values)
                if e.absent is None:
                    assert e.site is not None
                    raise Fault(e.site, 0)
                return e.absent
            case "those":
                return frozenset(kept) - {-1}
            case "highest" | "lowest":
                best = (max if e.op == "highest" else min)(values, default=0)
                return frozenset(k for k, v in zip(kept, values, strict=True) if v == best) - {-1}
            case "leading":
                return tuple(kept)
            case "map":
                return frozenset(values) - {-1}
        raise NotImplementedError(e.op)

    # ---- graphs, by trying every way

    def optional(self, e: n.Expr | None, env: dict[n.Var, Any], missing: Any) -> Any:
        return missing if e is None else self.ev(e, env)

    def reach(self, e: n.Reach, env: dict[n.Var, Any]) -> frozenset[int]:
        graph = self.program.graphs[e.graph]
        start = self.ev(e.start, env)
        within = self.optional(e.within, env, graph.size)
        through = self.optional(e.through, env, frozenset(range(graph.size)))
        along = self.optional(e.along, env, frozenset(range(graph.edges)))
        distance = dict.fromkeys(start, 0)
        queue = sorted(start)
        for space in queue:  # grows while it is read
            if distance[space] and space not in through:
                continue
            for other, edge in graph.around[space]:
                if edge in along and other not in distance and distance[space] < within:
                    distance[other] = distance[space] + 1
                    queue.append(other)
        return frozenset(distance)

    def path(self, e: n.Path, env: dict[n.Var, Any]) -> tuple[int, ...]:
        """The best of all ways without a repeated space: only for small graphs."""
        graph = self.program.graphs[e.graph]
        start, goal = self.ev(e.start, env), self.ev(e.goal, env)
        through = self.optional(e.through, env, frozenset(range(graph.size)))
        along = self.optional(e.along, env, frozenset(range(graph.edges)))
        costly = self.optional(e.costly, env, frozenset())
        best: tuple[int, int, tuple[int, ...]] | None = None
        ways = [(0, (space,)) for space in sorted(start)]
        while ways:
            cost, way = ways.pop()
            if way[-1] == goal:
                found = (cost, len(way), way)
                best = found if best is None or found < best else best
                continue
            if len(way) > 1 and way[-1] not in through:
                continue
            ways += [
                (cost + (edge in costly), (*way, other))
                for other, edge in graph.around[way[-1]]
                if edge in along and other not in way
            ]
        return () if best is None or goal < 0 else best[2]
