"""Folding: each form with the meaning it must keep; what may fault or is not known stays."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from interpreter.core import nodes as c
from interpreter.core.listing import listing
from interpreter.core.lower.context import Context
from interpreter.core.lower.fold import Folder, same
from interpreter.core.lower.held import negate
from interpreter.core.quiet import peeled, quiet
from interpreter.graph import Graph

SITE = 0


@pytest.fixture
def folder() -> Folder:
    out = SimpleNamespace(program=c.Program())
    return Folder(Context(cast(Any, None), cast(Any, None), cast(Any, out), {}, {}))


def var(folder: Folder, low: int, high: int) -> c.Var:
    made = c.Var("v", c.INT)
    folder.ctx.var_ranges[made] = (low, high)
    return made


def shown(*body: c.Stmt) -> str:
    return listing(c.Program(functions=[c.Function("f", (), None, body, False)]))


def test_comparisons_that_ranges_decide(folder: Folder) -> None:
    x = c.Get(var(folder, 0, 9))
    for op, bound, holds in (("<", 10, 1), (">=", 0, 1), ("==", 10, 0), ("!=", -1, 1), (">", 9, 0), ("<=", -1, 0)):
        found = folder.expr(c.Compare(cast(Any, op), x, c.Const(bound)))
        assert isinstance(found, c.Const) and found.value == holds
    assert isinstance(folder.expr(c.Compare("<", x, c.Const(9))), c.Compare)


def test_what_may_fault_stays(folder: Folder) -> None:
    risky = folder.ctx.ranged(c.Load(20, c.Get(var(folder, -1, 9)), 5, SITE), 0, 1)
    assert isinstance(folder.expr(c.Compare("<", risky, c.Const(2))), c.Compare)
    assert isinstance(folder.expr(c.Both(c.Compare("==", risky, c.Const(1)), c.Const(0))), c.Both)


def test_arithmetic_with_nothing_to_do(folder: Folder) -> None:
    x = c.Get(var(folder, 0, 9))
    assert folder.expr(c.Arith("-", x, c.Const(0), None)) is x
    assert folder.expr(c.Arith("*", x, c.Const(1), None)) is x
    assert isinstance(folder.expr(c.Arith("-", c.Const(0), x, None)), c.Arith)


def test_a_table_read_unless_its_index_is_none(folder: Folder) -> None:
    table = folder.ctx.table((5, 6, 7))
    x = var(folder, -1, 2)
    read = folder.ctx.ranged(c.Table(table, c.Get(x), None), 5, 7)
    for e in (
        c.Cond(c.Compare("==", c.Get(x), c.Const(-1)), c.Const(-1), read),
        c.Cond(c.Compare("!=", c.Get(x), c.Const(-1)), read, c.Const(-1)),
    ):
        found = folder.expr(e)
        assert isinstance(found, c.Table) and folder.ctx.program.tables[found.table] == (-1, 5, 6, 7)
        assert isinstance(found.index, c.Arith) and folder.ctx.range(found) == (-1, 7)
    asked = folder.expr(c.Both(c.Compare("!=", c.Get(x), c.Const(-1)), c.Compare("==", read, c.Const(6))))
    assert isinstance(asked, c.Compare) and isinstance(asked.left, c.Table)
    assert folder.ctx.program.tables[asked.left.table][0] not in (5, 6, 7)  # none is never equal


def test_a_table_read_at_another_index_stays(folder: Folder) -> None:
    table = folder.ctx.table((5, 6, 7))
    x, y = var(folder, -1, 2), var(folder, 0, 2)
    e = c.Cond(c.Compare("==", c.Get(x), c.Const(-1)), c.Const(-1), c.Table(table, c.Get(y), None))
    assert isinstance(folder.expr(e), c.Cond)


def test_a_constant_that_the_other_side_never_is(folder: Folder) -> None:
    a, x, y = (c.Get(var(folder, 0, 1)), c.Get(var(folder, 0, 5)), c.Get(var(folder, 0, 5)))
    either_way = c.Cond(a, c.Const(-1), x)
    assert isinstance(folder.expr(c.Compare("==", either_way, y)), c.Both)
    assert isinstance(folder.expr(c.Compare("!=", either_way, y)), c.Either)
    assert isinstance(folder.expr(c.Compare("==", either_way, c.Get(var(folder, -1, 5)))), c.Compare)


def test_a_test_holds_in_its_arm(folder: Folder) -> None:
    x = var(folder, -1, 5)
    fail = c.If(c.Compare("<", c.Get(x), c.Const(0)), (c.Fail(SITE),))
    test = c.Compare("!=", c.Get(x), c.Const(-1))
    assert shown(*folder.body((c.If(test, (fail, c.Break())),))) == shown(c.If(test, (c.Break(),)))
    changed = (c.Let(x, c.Const(-1)), fail)
    assert shown(*folder.body((c.If(test, changed),))) == shown(c.If(test, changed))


def test_a_test_that_leaves_is_known_to_have_failed(folder: Folder) -> None:
    x = var(folder, -1, 5)
    leave = c.If(c.Compare("==", c.Get(x), c.Const(-1)), (c.Return(None),))
    again = c.If(c.Compare("<", c.Get(x), c.Const(0)), (c.Fail(SITE),))
    assert shown(*folder.body((leave, again))) == shown(leave)
    assert shown(*folder.body((again,))) == shown(again)  # nothing of it is remembered outside
    loop = c.While(c.Const(1), (c.Let(x, c.Const(-1)),), 1, SITE)
    assert shown(*folder.body((leave, loop, again))) == shown(leave, loop, again)


def test_arms_never_reached(folder: Folder) -> None:
    body = (c.If(c.Const(0), (c.Break(),), (c.Return(None),)), c.If(c.Const(1), (c.Break(),)))
    assert shown(*folder.body(body)) == shown(c.Return(None), c.Break())


def test_the_first_of_a_constant_list(folder: Folder) -> None:
    folder.ctx.program.list_tables.append(((3, 4), (), (9,)))
    found = folder.expr(c.First(c.ListTable(0, c.Get(var(folder, 0, 2)), None)))
    assert isinstance(found, c.Table) and folder.ctx.program.tables[found.table] == (3, -1, 9)


def test_constant_sets(folder: Folder) -> None:
    for op, bits in (("|", 0b1110), ("&", 0b0100), ("-", 0b1000)):
        found = folder.expr(c.SetOp(cast(Any, op), c.SetConst(0b1100, 4), c.SetConst(0b0110, 4)))
        assert isinstance(found, c.SetConst) and (found.bits, found.size) == (bits, 4)


def test_ways_along_always_the_same_edges(folder: Folder) -> None:
    """A map of its own, once for each set of edges; what is not known stays."""
    around = (((1, 0), (2, 1)), ((0, 0), (2, 2)), ((0, 1), (1, 2)))
    graphs = folder.ctx.program.graphs
    graphs.append(Graph("triangle", 3, 3, around, (0b110, 0b101, 0b011)))
    start, some = c.SetConst(1, 3), c.SetOp("-", c.SetConst(0b111, 3), c.SetConst(0b010, 3))
    reach = folder.expr(c.Reach(0, start, None, None, some))
    assert isinstance(reach, c.Reach) and reach.along is None and reach.graph == 1
    path = folder.expr(c.Path(0, start, c.Const(2), None, c.SetConst(0b101, 3), None))
    assert isinstance(path, c.Path) and path.along is None and path.graph == 1
    whole = folder.expr(c.Reach(0, start, None, None, c.SetConst(0b111, 3)))
    assert isinstance(whole, c.Reach) and whole.along is None and whole.graph == 0
    assert len(graphs) == 2 and graphs[1].masks == (0b010, 0b101, 0b010)
    asked = c.Reach(0, start, None, None, c.LoadSet(20, c.Const(0), 1, 3, None))
    assert folder.expr(asked) is asked


def test_negation() -> None:
    a, b = c.Compare("<", c.Const(1), c.Const(2)), c.Compare("==", c.Const(1), c.Const(2))
    found = negate(c.Both(a, b))
    assert isinstance(found, c.Either) and same(negate(found), c.Both(a, b))
    assert not same(a, b)


def test_sets_are_gone_through_with_their_tests() -> None:
    x = c.Var("x", c.INT)
    everything, where = c.SetConst(15, 4), c.Compare("<", c.Get(x), c.Const(2))
    domain, tests = peeled(c.Query("those", x, everything, where, None, 4))
    assert domain is everything and tests == [(x, where)]
    risky = c.Query("those", x, everything, c.Load(20, c.Get(x), 2, SITE), None, 4)
    assert peeled(risky) == (risky, []) and not quiet(risky)
