"""The Python backend against hand-built programs, a direct model of the core, and its own promises."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import core_plays
import networkx
import pytest
from core_build import Compile, board, filled, roads
from core_model import Model
from core_programs import Value, outcome, same, value_block, value_program
from core_random import graph_of, random_cells, random_program
from grid_program import grid_program, grid_start
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.backends.machine import Fault
from interpreter.backends.python import compile_program, source
from interpreter.core import nodes as n
from interpreter.core.graphs import dilate, shift_plan
from interpreter.core.header import PLIES

PROGRAM, VALUES = value_program()
MACHINE = compile_program(PROGRAM)


def by_name() -> list[Any]:
    names: dict[str, list[Value]] = {}
    for value in VALUES:
        names.setdefault(value.name, []).append(value)
    return [pytest.param(values, id=name) for name, values in names.items()]


@pytest.mark.parametrize("values", by_name())
def test_values(values: list[Value]) -> None:
    block = value_block(PROGRAM)
    before = bytes(block)
    for value in values:
        found = outcome(MACHINE, block, value)
        assert same(found, value.want), (value, found)
        assert bytes(block) == before


@pytest.mark.parametrize("play", core_plays.PLAYS, ids=lambda play: play.__name__)
def test_plays(play: Callable[[Compile], None]) -> None:
    play(compile_program)


@given(st.integers(0, 2**32))
@settings(max_examples=300, deadline=None)
def test_random_functions(seed: int) -> None:
    r = random.Random(seed)
    program, cells = random_program(r), random_cells(r)
    machine = compile_program(program)
    packed = struct.pack(f"<{len(cells)}i", *cells)
    for number, function in enumerate(program.functions):
        for _ in range(3):
            args = tuple(r.choice((-1, 0, 1, 2, 5, 30, n.MAX_INT)) for _ in function.params)
            block = bytearray(packed)
            found = _result(lambda: machine.evaluate(block, number, args))  # noqa: B023
            assert found == _result(lambda: Model(program, list(cells)).value(number, args))  # noqa: B023
            assert block == packed


def _result(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except Fault as fault:
        return "fault", fault.site, fault.a, fault.b


@given(st.integers(1, 12), st.data())
@settings(max_examples=200, deadline=None)
def test_shift_plans(size: int, data: st.DataObject) -> None:
    spaces = st.integers(0, size - 1)
    pairs = data.draw(st.sets(st.tuples(spaces, spaces).filter(lambda pair: pair[0] < pair[1]), max_size=30))
    graph = graph_of(size, sorted(pairs))
    plan = shift_plan(graph)
    differences = {b - a for a, b in pairs}
    assert (plan is not None) or len(differences) > 6
    if plan is not None:
        some = data.draw(st.integers(0, 2**size - 1))
        joined = networkx.Graph(list(pairs))
        joined.add_nodes_from(range(size))
        want = {x for x in range(size) if some >> x & 1 or any(some >> y & 1 for y in joined[x])}
        assert dilate(plan, some) == sum(1 << x for x in want)


def test_shift_plans_of_boards() -> None:
    king = shift_plan(board(10))
    assert king is not None and [[shift for shift, _ in stage] for stage in king] == [[-1, 1], [-10, 10]]
    assert shift_plan(roads()) is None
    cross = graph_of(12, [(i, i + 1) for i in range(11) if i % 4 < 3] + [(i, i + 4) for i in range(8)])
    plan = shift_plan(cross)
    assert plan is not None and [[shift for shift, _ in stage] for stage in plan] == [[-1, 1, -4, 4]]


@pytest.mark.parametrize("goal", [9, 44, 90, 99])
def test_paths_on_a_board_are_shortest(goal: int) -> None:
    graph = board(10)
    pairs = [(s, o, e) for s in range(100) for o, e in graph.around[s]]
    dear = {e for _, _, e in pairs if e % 3}
    joined = networkx.Graph()
    joined.add_weighted_edges_from((s, o, 1001 if e in dear else 1) for s, o, e in pairs)
    at = n.Var("goal", n.INT)
    path = n.Path(0, n.SetConst(1, 100), n.Get(at), None, None, n.SetConst(sum(1 << e for e in dear), graph.edges))
    function = n.Function("path", (at,), n.Type("list", 100), (n.Return(path),), pure=True)
    program = n.Program(cells=20, graphs=[graph], functions=[function])
    found = compile_program(program).evaluate(filled(program), 0, (goal,))
    assert isinstance(found, tuple) and (found[0], found[-1]) == (0, goal)
    cost = sum(joined[a][b]["weight"] for a, b in pairwise(found))
    assert cost == networkx.dijkstra_path_length(joined, 0, goal)


def test_a_game() -> None:
    program = grid_program()
    machine = compile_program(program)
    block = grid_start()
    machine.advance(block)
    assert [machine.perft(block, depth) for depth in range(4)] == [1, 80, 6400, 545120]
    plies = 0
    for seed in range(20):
        block = grid_start()
        machine.playout(block, seed, 200)
        plies += memoryview(block).cast("i")[PLIES]
    assert plies > 2000


def test_source_is_stable_and_tells_places() -> None:
    text = source(PROGRAM)
    assert text == source(value_program()[0])
    assert "def f0_" in text and "# rules.effects:7:1" in text


def test_authors_names_stay_names() -> None:
    """Whatever names and places say, they are neither code nor clash with ours."""
    nasty = ["M", "t1", "class", "x y", "ä", "#", "a\nimport os", "\u2028", "", "fault", "v1_M"]
    params = tuple(n.Var(name, n.INT) for name in nasty)
    total: n.Expr = n.Const(0)
    for param in params:
        total = n.Arith("+", total, n.Get(param), 0)
    functions = [n.Function(name, params, n.INT, (n.Return(total),), pure=True) for name in nasty]
    again = n.Var("M", n.INT)
    functions.append(
        n.Function(
            "f0_M",
            (again,),
            n.INT,
            (n.Let(again, n.Call(0, (n.Get(again),) * len(nasty))), n.Return(n.Get(again))),
            True,
        )
    )
    place = n.Site("code", "message", "a\nb:1:1\r\u2029raise")
    program = n.Program(cells=20, functions=functions, sites=[place])
    program.blocks = [n.Block("a\nb", (n.End(n.Const(0), 0, ()),), n.Stop())]
    machine = compile_program(program)
    for number in range(len(nasty)):
        assert machine.evaluate(filled(program), number, tuple(range(len(nasty)))) == 55
    assert machine.evaluate(filled(program), len(nasty), (3,)) == 33


def test_long_chains_compile() -> None:
    """Python's parser has limits for brackets and indentation; generated text must not run into them."""
    a = n.Var("a", n.INT)
    total: n.Expr = n.Get(a)
    pick: n.Expr = n.Const(-1)
    both: n.Expr = n.Const(1)
    chain: n.Stmts = (n.Return(n.Const(-1)),)
    for k in range(150):
        total = n.Arith("+", n.Const(1), total, 0) if k % 2 else n.Arith("+", total, n.Const(1), 0)
        pick = n.Cond(n.Compare("==", n.Get(a), n.Const(k)), n.Const(k * k), pick)
        both = n.Both(n.Compare("!=", n.Get(a), n.Const(k)), both)
        chain = (n.If(n.Compare("==", n.Get(a), n.Const(k)), (n.Return(n.Const(k + 1)),), chain),)
    bodies: list[n.Stmts] = [(n.Return(total),), (n.Return(pick),), (n.Return(both),), chain]
    functions = [n.Function(f"long {i}", (a,), n.INT, body, pure=True) for i, body in enumerate(bodies)]
    program = n.Program(cells=20, functions=functions, sites=[n.Site("code", "", "a:1:1")])
    machine = compile_program(program)
    block = filled(program)
    for value in (0, 77, 149, 150):
        found = [machine.evaluate(block, i, (value,)) for i in range(4)]
        known = value < 150
        assert found == [value + 150, value * value if known else -1, int(not known), value + 1 if known else -1]


def test_wrong_blocks_are_refused() -> None:
    with pytest.raises(ValueError, match="bytes"):
        MACHINE.evaluate(bytearray(4), 0, (1, 2))
