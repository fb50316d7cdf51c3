"""Folding: what is known before play is computed before play.

Runs once over the lowered program. Conditions that ranges decide are dropped, in the arms of an `if` also those that
its test decides; arithmetic with nothing to do goes away; a constant table that is read unless its index is none
becomes one with an entry for none, so that reading it takes no branch; ways along always the same edges go over a map
that has no others.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any, TypeVar, cast

from interpreter.core import nodes as c
from interpreter.core.drafts import Blocks, ClearFrame, DraftStmt, ReturnTo
from interpreter.core.lower.context import Context
from interpreter.core.lower.held import both, either, negate
from interpreter.core.quiet import is_expr, parts, quiet
from interpreter.graph import without

N = TypeVar("N")


def fold(blocks: Blocks, ctx: Context) -> None:
    """Folds all functions, blocks and questions."""
    folder = Folder(ctx)
    program = ctx.program
    for i, f in enumerate(program.functions):
        program.functions[i] = replace(f, body=folder.body(f.body))
    for draft in blocks.drafts:
        draft.body = [x for s in draft.body for x in folder.draft(s)]
        if isinstance(draft.exit, c.Branch):
            draft.exit = replace(draft.exit, cond=folder.expr(draft.exit.cond))
    for i, d in enumerate(program.decisions):
        program.decisions[i] = replace(d, player=folder.expr(d.player), options=tuple(map(folder.option, d.options)))


class Folder:
    """The state of one folding: what is known where it works at present."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.known: dict[c.Expr, c.Expr] = {}  # expressions folded already, as long as the facts stay the same
        self.graphs: dict[tuple[int, int], int] = {}  # graphs with some edges of others

    def option(self, option: c.Option) -> c.Option:
        guard = None if option.guard is None else self.expr(option.guard)
        binders = tuple(c.Binder(b.var, self.expr(b.values)) for b in option.binders)
        return replace(option, lets=self.body(option.lets), guard=guard, binders=binders)

    def draft(self, node: DraftStmt) -> list[DraftStmt]:
        return [node] if isinstance(node, ClearFrame | ReturnTo) else list(self.statement(node))

    def body(self, body: c.Stmts) -> c.Stmts:
        """Statements folded; behind an `if` that leaves, its test is known to have failed."""
        made: list[c.Stmt] = []
        with ExitStack() as learnt:
            for i, s in enumerate(body):
                made += self.statement(s)
                last = made[-1] if made else None
                if isinstance(last, c.If) and not last.other and last.then and isinstance(last.then[-1], _LEAVING):
                    found = _somethings(negate(last.cond))
                    if found:
                        learnt.enter_context(self.facts(found, body[i + 1 :]))
        return tuple(made)

    def statement(self, node: c.Stmt) -> c.Stmts:
        """A statement folded: none, one, or those of the only arm that can be reached."""
        match node:
            case c.If(cond, then, other):
                test = self.expr(cond)
                if isinstance(test, c.Const):
                    return self.body(then if test.value else other)
                with self.facts(_somethings(test), then):
                    then = self.body(then)
                with self.facts(_somethings(negate(test)), other):
                    other = self.body(other)
                return (c.If(test, then, other),)
            case c.While(cond, body, weight, site):
                return (c.While(self.expr(cond), self.body(body), weight, site),)
            case c.For(var, domain, body, weight, site):
                return (c.For(var, self.expr(domain), self.body(body), weight, site),)
        return (self.inside(node),)

    @contextmanager
    def facts(self, found: list[c.Var], scope: c.Stmts = ()) -> Iterator[None]:
        """Meanwhile these variables, unless they change in the scope, are not none."""
        ranges = self.ctx.var_ranges
        kept = {v: ranges[v] for v in found if v in ranges and ranges[v][0] == -1 and not _assigned(v, scope)}
        if not kept:
            yield
            return
        outer, self.known = self.known, {}
        ranges.update((v, (0, high)) for v, (_, high) in kept.items())
        yield
        ranges.update(kept)
        self.known = outer

    def expr(self, e: c.Expr) -> c.Expr:
        """An expression folded."""
        if e not in self.known:
            self.known[e] = self.made(e)
        return self.known[e]

    def made(self, e: c.Expr) -> c.Expr:
        match e:
            case c.Const() | c.Get() | c.SetConst():
                return e
            case c.Both(left, right):
                left = self.expr(left)
                with self.facts(_somethings(left)):
                    right = self.expr(right)
                if isinstance(right, c.Const) and not right.value and quiet(left):
                    return right
                return self.entry(both(left, right), e)
            case c.Either(left, right):
                left = self.expr(left)
                with self.facts(_somethings(negate(left))):
                    right = self.expr(right)
                if isinstance(right, c.Const) and right.value and quiet(left):
                    return right
                return either(left, right)
            case c.Cond(cond, then, other):
                return self.cond(self.expr(cond), then, other, e)
        new = self.inside(e)
        match new:
            case c.Not(value):
                return negate(value)
            case c.First(c.ListTable(table, index, None)):
                firsts = tuple(row[0] if row else -1 for row in self.ctx.program.list_tables[table])
                return self.ranged_as(e, c.Table(self.ctx.table(firsts), index, None))
            case c.Arith():
                return self.arith(new)
            case c.Compare():
                return self.compare(new)
            case c.Query(where=c.Const(value)) if value:
                return self.ranged_as(e, replace(new, where=None))
            case c.SetOp(op, c.SetConst(a, size), c.SetConst(b)):
                return c.SetConst(a | b if op == "|" else a & b if op == "&" else a & ~b, size)
            case c.Reach(graph, along=c.SetConst(edges)) | c.Path(graph, along=c.SetConst(edges)):
                return self.ranged_as(e, replace(new, graph=self.with_edges(graph, edges), along=None))
        return new

    def with_edges(self, number: int, edges: int) -> int:
        """The number of a graph that has these edges of another only."""
        key = (number, edges)
        if key not in self.graphs:
            graphs = self.ctx.program.graphs
            every = (1 << graphs[number].edges) - 1
            self.graphs[key] = number
            if every & ~edges:
                self.graphs[key] = len(graphs)
                graphs.append(without(graphs[number], 0, every & ~edges))
        return self.graphs[key]

    def inside(self, node: N) -> N:
        """A node with all expressions in it folded."""
        changes: dict[str, Any] = {}
        for name in parts(node):
            value = getattr(node, name)
            if isinstance(value, tuple):
                made = tuple(self.expr(x) if is_expr(x) else x for x in value)
                if any(a is not b for a, b in zip(made, value, strict=True)):
                    changes[name] = made
            elif is_expr(value):
                new = self.expr(value)
                if new is not value:
                    changes[name] = new
        return self.ranged_as(node, replace(cast(Any, node), **changes)) if changes else node

    def ranged_as(self, old: Any, new: N) -> N:
        if old in self.ctx.ranges:
            self.ctx.ranges[cast(Any, new)] = self.ctx.ranges[old]
        return new

    # ---- single forms

    def arith(self, e: c.Arith) -> c.Expr:
        match e:
            case c.Arith("+" | "-", left, c.Const(0)) | c.Arith("*", left, c.Const(1)):
                return left
            case c.Arith("+", c.Const(0), right) | c.Arith("*", c.Const(1), right):
                return right
        return e

    def compare(self, e: c.Compare) -> c.Expr:
        """A comparison, decided if the ranges of its sides decide it."""
        (a, b), (x, y) = self.ctx.range(e.left), self.ctx.range(e.right)
        if not quiet(e.left) or not quiet(e.right):
            return e
        always = {"<": b < x, "<=": b <= x, ">": a > y, ">=": a >= y, "==": a == b == x == y, "!=": b < x or a > y}
        never = {"<": a >= y, "<=": a > y, ">": b <= x, ">=": b < x, "==": b < x or a > y, "!=": a == b == x == y}
        if always[e.op] or never[e.op]:
            return c.Const(int(always[e.op]))
        if e.op in ("==", "!="):
            return self.unless(e.left, e.op, e.right) or self.unless(e.right, e.op, e.left) or e
        return e

    def unless(self, value: c.Expr, op: str, other: c.Expr) -> c.Expr | None:
        """`(k if A else x) == y` where y is never k: `not A and x == y`."""
        if not isinstance(value, c.Cond):
            return None
        low, high = self.ctx.range(other)
        for test, constant, rest in (
            (value.cond, value.then, value.other),
            (negate(value.cond), value.other, value.then),
        ):
            if isinstance(constant, c.Const) and not low <= constant.value <= high:
                tested = self.compare(c.Compare(op, rest, other))  # type: ignore[arg-type]
                return both(negate(test), tested) if op == "==" else either(test, tested)
        return None

    def cond(self, cond: c.Expr, then: c.Expr, other: c.Expr, old: c.Expr) -> c.Expr:
        if isinstance(cond, c.Const):
            return self.expr(then if cond.value else other)
        with self.facts(_somethings(cond)):
            then = self.expr(then)
        with self.facts(_somethings(negate(cond))):
            other = self.expr(other)
        if isinstance(cond, c.Either) and isinstance(then, c.Const):  # one test each
            inner = self.tabled(cond.right, then, other, old)
            if inner is not None:
                return self.ranged_as(old, c.Cond(cond.left, then, inner))
        found = self.tabled(cond, then, other, old) or self.tabled(negate(cond), other, then, old)
        return found or self.ranged_as(old, c.Cond(cond, then, other))

    def tabled(self, cond: c.Expr, then: c.Expr, other: c.Expr, old: c.Expr) -> c.Expr | None:
        """`k if x == none else table[x]` as a table with an entry for none."""
        match cond, then, other:
            case c.Compare("==", index, c.Const(-1)), c.Const(value), c.Table(table, again, None):
                return self.shifted(table, index, again, value, old)
        return None

    def entry(self, e: c.Expr, old: c.Expr) -> c.Expr:
        """`x != none and table[x] == y` as one comparison, `x != none and table[x]` as one entry."""
        match e:
            case c.Both(c.Compare("!=", index, c.Const(-1)), c.Table(table, again, None)):
                return self.shifted(table, index, again, 0, old) or e
            case c.Both(c.Compare("!=", index, c.Const(-1)), c.Compare("==", c.Table(table, again, None) as one, y)):
                low, _ = self.ctx.range(y)
                low = min(low, *self.ctx.program.tables[table])
                if low > c.MIN_INT and quiet(y):
                    found = self.shifted(table, index, again, low - 1, one)
                    return e if found is None else c.Compare("==", found, y)
        return e

    def shifted(self, table: int, index: c.Expr, again: c.Expr, value: int, old: c.Expr) -> c.Expr | None:
        values = self.ctx.program.tables[table]
        low, high = self.ctx.range(index)
        if low != -1 or high >= len(values) or not quiet(index) or not same(index, again):
            return None
        after = self.ctx.ranged(c.Arith("+", index, c.Const(1), None), 0, high + 1)
        made = c.Table(self.ctx.table((value, *values)), after, None)
        return self.ctx.ranged(made, min(value, *values), max(value, *values))


# ---- what can be said of expressions --------------------------------------------------------------------------------


def _somethings(e: c.Expr) -> list[c.Var]:
    """Variables that are not none if a condition holds."""
    match e:
        case c.Compare("!=", c.Get(var), c.Const(-1)) | c.Compare(">=", c.Get(var), c.Const(0)):
            return [var]
        case c.Both(left, right):
            return [*_somethings(left), *_somethings(right)]
    return []


_LEAVING = (c.Return, c.Break, c.Fail, c.End)


def _assigned(var: c.Var, node: object) -> bool:
    """Whether something in a piece of core gives a variable a value."""
    if isinstance(node, tuple):
        return any(_assigned(var, x) for x in node)
    if getattr(node, "var", None) is var or getattr(node, "into", None) is var:
        return not isinstance(node, c.Get)
    if isinstance(node, c.If | c.While | c.For):
        return any(
            _assigned(var, x)
            for x in (getattr(node, "then", ()), getattr(node, "other", ()), getattr(node, "body", ()))
        )
    return False


def same(a: object, b: object) -> bool:
    """Whether two pieces of core say the same."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple):
        assert isinstance(b, tuple)
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if is_expr(a) and not isinstance(a, c.Query):
        return all(same(getattr(a, name), getattr(b, name)) for name in parts(a))
    return not isinstance(a, c.Var | c.Query) and a == b
