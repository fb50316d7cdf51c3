"""Whole plays on hand-built core programs: what blocks, decisions, chance and events must do in every backend.

Each function in `PLAYS` takes a backend's `compile_program` and asserts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from core_build import (
    SITES,
    Compile,
    add,
    c,
    cell,
    eq,
    filled,
    get,
    listed,
    members,
    put,
    read,
    set_var,
    span,
    var,
)

from interpreter.backends.machine import Event, Fault, Machine, Segment
from interpreter.core import nodes as n
from interpreter.core.header import (
    ANSWERS,
    HEADER,
    KNOWN,
    PC,
    PLIES,
    RANDOM,
    STATUS,
    STEPS,
    WINNER,
)
from interpreter.core.rng import bounded, choice, seeded, stream

X = HEADER  # cells free for use
CELLS = HEADER + 60


def program(
    *blocks: n.Block, decisions: tuple[n.Decision, ...] = (), functions: tuple[n.Function, ...] = (), budget: int = 1000
) -> n.Program:
    return n.Program(
        cells=CELLS,
        budget=budget,
        sites=SITES,
        blocks=list(blocks),
        decisions=list(decisions),
        functions=list(functions),
        dice=[n.Die("plain", (1,) * 6, tuple("123456")), n.Die("loaded", (3, 0, 2), ("a", "b", "c"))],
    )


def over(*body: n.Stmt) -> n.Program:
    """A program that carries statements out and ends."""
    return program(n.Block("body", (*body, n.End(c(-1), 0, ())), n.Stop()))


def effect(
    name: str, *body: n.Stmt, params: tuple[n.Var, ...] = (), result: n.Type | None = None, ends: bool = False
) -> n.Function:
    return n.Function(name, params, result, body, pure=False, ends=ends)


def ran(
    compile_program: Compile, made: n.Program, cells: dict[int, int] | None = None, seed: int = 1
) -> tuple[Machine, bytearray]:
    machine, block = compile_program(made), filled(made, cells, seed)
    machine.listening = True
    machine.advance(block)
    assert read(block, STEPS) == 0
    return machine, block


def faults(call: Callable[[], object], block: bytearray, *figures: int) -> None:
    """The call must fault with these figures and leave the bytes alone."""
    before = bytes(block)
    with pytest.raises(Fault) as caught:
        call()
    site, a, b = (*figures, 0, 0)[:3]
    assert (caught.value.site, caught.value.a, caught.value.b) == (site, a, b)
    assert bytes(block) == before


# ---- statements ------------------------------------------------------------------------------------------------------


def stores(compile_program: Compile) -> None:
    at, value = cell(X + 20), cell(X + 21)

    def made(clamp: bool) -> n.Program:
        return over(put(X, c(1)), n.Store(X + 1, at, 4, value, -3, 9, clamp, 5, 6))

    for index, number in ((0, 9), (3, -3), (2, 0)):
        _, block = ran(compile_program, made(False), {X + 20: index, X + 21: number})
        assert [read(block, X + i) for i in range(6)] == [1] + [number if i == index else 0 for i in range(4)] + [0]
    for number, kept in ((10, 9), (n.MAX_INT, 9), (-4, -3), (n.MIN_INT, -3), (4, 4)):
        _, block = ran(compile_program, made(True), {X + 20: 1, X + 21: number})
        assert read(block, X + 2) == kept
    machine = compile_program(made(False))
    for index, number, figures in ((0, 10, (5, 10)), (0, -4, (5, -4)), (4, 0, (6, 4)), (-1, 77, (6, -1))):
        block = filled(machine.program, {X + 20: index, X + 21: number})
        faults(partial(machine.advance, block), block, *figures)


def store_order(compile_program: Compile) -> None:
    bad = n.Load(X, c(9), 3, 4)
    machine = compile_program(over(n.Store(X, cell(X + 20), 2, bad, 0, 0, False, 5, 6)))
    for index, figures in ((5, (6, 5)), (1, (4, 9))):
        block = filled(machine.program, {X + 20: index})
        faults(partial(machine.advance, block), block, *figures)
    # An index that faults by itself does so before the value, though nothing checks it afterwards.
    index = n.Load(X + 20, cell(X + 24), 2, 8)
    machine = compile_program(over(n.Store(X, index, 2, n.Load(X, cell(X + 25), 3, 4), 0, 0, True, None, None)))
    for at, value, figures in ((2, 3, (8, 2)), (0, 3, (4, 3))):
        block = filled(machine.program, {X + 24: at, X + 25: value})
        faults(partial(machine.advance, block), block, *figures)


def sets_in_cells(compile_program: Compile) -> None:
    for size in (1, 32, 64, 65, 100, 128, 129, 200, 300):
        width, base = 2 * -(-size // 64), HEADER + 2
        made = n.Program(cells=base + 3 * width + 2, sites=SITES)
        source, index, held = set_var("source", size), var("index"), set_var("held", size, base + 2 * width)
        at = cell(HEADER)
        patterns = [0, 1, 1 << size - 1, (1 << size) - 1, sum(1 << i for i in range(0, size, 3))]
        made.set_tables, made.set_sizes = [tuple(patterns)], [size]
        made.blocks = [
            n.Block(
                "write",
                (
                    n.Let(source, n.SetTable(0, at, None)),
                    n.StoreSet(base, cell(HEADER + 1), 2, get(source), size, 7),
                    n.Let(held, n.SetOp("|", n.LoadSet(base, cell(HEADER + 1), 2, size, None), members(0, size=size))),
                    n.End(n.Size(get(held)), 0, ()),
                ),
                n.Stop(),
            ),
        ]
        load = n.LoadSet(base, get(index), 3, size, 8)
        made.functions = [n.Function("read", (index,), n.Type("set", size), (n.Return(load),), pure=True)]
        machine = compile_program(made)
        for number, pattern in enumerate(patterns):
            for place in (0, 1):
                block = filled(made, {HEADER: number, HEADER + 1: place, base + 3 * width: -5})
                machine.advance(block)
                items = tuple(i for i in range(size) if pattern >> i & 1)
                assert machine.evaluate(block, 0, (place,)) == items
                assert machine.evaluate(block, 0, (1 - place,)) == ()
                assert machine.evaluate(block, 0, (2,)) == tuple(sorted({*items, 0}))
                assert read(block, WINNER) == len({*items, 0})
                assert read(block, base + 3 * width) == -5
                start = 4 * (base + place * width)
                assert int.from_bytes(block[start : start + 4 * width], "little") == pattern
        for place in (2, -1):
            block = filled(made, {HEADER + 1: place})
            faults(partial(machine.advance, block), block, 7, place)


def clears(compile_program: Compile) -> None:
    for first in (X, X + 1):
        for count in (0, 1, 2, 3, 4, 5, 8, 9, 20, 33):
            _, block = ran(compile_program, over(n.Clear(first, count)), dict.fromkeys(range(X, CELLS), 7))
            zeros = [at for at in range(X, CELLS) if read(block, at) == 0]
            assert zeros == list(range(first, first + count))


def homes(compile_program: Compile) -> None:
    """Variables with homes live in the position, also those of loops and results."""
    total, item, chosen = var("total", X), var("item", X + 1), set_var("chosen", 70, X + 2)
    result, a = var("result", X + 8), var("a")
    made = over(
        n.Let(total, c(0)),
        n.Let(chosen, members(3, 69, size=70)),
        n.For(item, get(chosen), (n.Let(total, add(get(total), get(item))), n.Let(chosen, members(size=70))), 0, 0),
        n.For(item, span(5, 6), (n.Let(total, add(get(total), cell(X + 1))),), 0, 0),
        n.Do(0, (get(total),), result),
    )
    made.functions = [effect("double", n.Return(add(get(a), get(a))), params=(a,), result=n.INT)]
    _, block = ran(compile_program, made)
    assert [read(block, X + i) for i in (0, 1, 2, 3, 4, 5, 8)] == [83, 6, 0, 0, 0, 0, 166]


def budget(compile_program: Compile) -> None:
    """Blocks, loops and functions share one budget; it is fresh in each call."""
    loop = n.While(n.Compare("<", cell(X), cell(X + 1)), (put(X, add(cell(X), c(1))),), 3, 4)
    blocks = (
        n.Block("start", (n.Do(0, ()),), n.Branch(n.Compare("<", cell(X + 2), cell(X + 3)), 1, 2), 2, 5),
        n.Block("again", (put(X + 2, add(cell(X + 2), c(1))),), n.Jump(0), 1, 6),
        n.Block("end", (n.End(c(0), 0, ()),), n.Stop()),
    )
    made = program(*blocks, functions=(effect("loop", loop),), budget=20)
    ran(compile_program, made, {X + 1: 6})  # 2 + 18
    ran(compile_program, made, {X + 3: 6})  # 2 + 6 * 3
    ran(compile_program, made, {X + 1: 2, X + 3: 4})  # 2 + 6 + 4 * 3
    machine = compile_program(made)
    for cells, site in (({X + 1: 7}, 4), ({X + 3: 7}, 6), ({X + 1: 5, X + 3: 1}, 0)):
        block = filled(made, cells)
        if site:
            faults(partial(machine.advance, block), block, site, 20)
        else:
            machine.advance(block)  # 2 + 15 + 1 + 2
    block = filled(made, {X + 1: 5, X + 3: 2})
    faults(partial(machine.advance, block), block, 6, 20)


# ---- events, endings -------------------------------------------------------------------------------------------------


def emits(compile_program: Compile) -> None:
    bad = n.Load(X, cell(X + 20), 1, 4)
    made = over(
        n.Emit(
            3,
            (c(-7), eq(c(1), c(1)), members(1, 64, size=70), members(0, 4, size=5), listed(5, -1), n.ListOf(())),
            c(2),
        ),
        n.Emit(4, (), cell(X + 1)),
        n.Emit(5, (bad,), c(-1)),
    )
    machine, block = ran(compile_program, made, {X + 1: 5, X: 9})
    assert machine.events == [
        Event(3, (-7, 1, (1, 64), (0, 4), (5, -1), ()), 2),
        Event(4, (), 5),
        Event(5, (9,), -1),
    ]
    assert [type(arg) for arg in machine.events[0].args[:2]] == [int, int]
    machine.advance(block)
    assert machine.events == []
    block = filled(made, {X + 20: 1})
    faults(partial(machine.advance, block), block, 4, 1)
    machine.listening = False
    machine.advance(block)  # nobody listens, so the argument that faults is not looked at
    assert machine.events == [] and read(block, STATUS) == 1


def endings(compile_program: Compile) -> None:
    """End stops everything, through callers and loops."""
    a, got = var("a"), var("got")
    functions = (
        effect(
            "deep",
            n.If(eq(get(a), c(2)), (n.End(get(a), 6, (get(a), c(-9))),)),
            n.Return(get(a)),
            params=(a,),
            result=n.INT,
            ends=True,
        ),
        effect(
            "middle",
            n.For(a, span(0, 5), (n.Do(0, (get(a),), got), put(X, add(cell(X), c(1)))), 0, 0),
            put(X + 1, c(1)),
            ends=True,
        ),
        effect("harmless", n.Return(c(3)), result=n.INT, ends=True),
    )
    made = program(
        n.Block("start", (n.Do(2, (), var("kept", X + 3)), n.Do(1, ()), put(X + 2, c(1))), n.Jump(1)),
        n.Block("never", (put(X + 2, c(2)),), n.Stop()),
        functions=functions,
    )
    machine, block = ran(compile_program, made, {PC: 0})
    assert [read(block, at) for at in range(STATUS, PC)] == [1, 2, 7, 2, -9, 0, 0]
    assert [read(block, X + i) for i in range(4)] == [2, 0, 0, 3]
    assert machine.pending(block) is None
    before = bytes(block)
    machine.advance(block)
    machine.playout(block, 1, 10)
    for index in (0, -1):
        with pytest.raises(IndexError):
            machine.apply(block, index)
    assert bytes(block) == before
    assert (machine.perft(block, 0), machine.perft(block, 1)) == (1, 0)


# ---- chance ----------------------------------------------------------------------------------------------------------


def throws(compile_program: Compile) -> None:
    one, many, pool = var("one", X), set_var("many", 48, X + 2), var("picked", X + 6)
    plain = set_var("plain", 96, X + 8)
    made = over(
        n.RollDie(one, 1, 4),
        n.RollDice(many, 1, cell(X + 20), 5),
        n.RollDice(plain, 0, c(7), 5),
        n.PickOne(pool, members(3, 17, 40, 64, 69, size=70), 6),
    )
    for seed in range(20):
        machine, block = ran(compile_program, made, {X + 20: 9}, seed)
        state, increment = seeded(seed)

        def draw(bound: int) -> int:
            nonlocal state
            state, result = bounded(state, increment, bound)  # noqa: B023
            return result

        faces = [2 if draw(5) >= 3 else 0 for _ in range(10)]
        sixes = [draw(6) for _ in range(7)]
        member = (3, 17, 40, 64, 69)[draw(5)]
        assert read(block, X) == faces[0]
        assert [int.from_bytes(block[4 * (X + 2) + 2 * f : 4 * (X + 2) + 2 * f + 2], "little") for f in range(3)] == [
            faces[1:].count(f) for f in range(3)
        ]
        assert [int.from_bytes(block[4 * (X + 8) + 2 * f : 4 * (X + 8) + 2 * f + 2], "little") for f in range(6)] == [
            sixes.count(f) for f in range(6)
        ]
        assert read(block, X + 6) == member
        assert read(block, KNOWN) == 4
        assert int.from_bytes(block[4 * RANDOM : 4 * RANDOM + 8], "little") == state
        assert machine.events == [
            Event(-2, (faces[0],), -1),
            Event(-2, tuple(faces[1:]), -1),
            Event(-1, tuple(sixes), -1),
            Event(-3, (member,), 0),
        ]


def no_throws(compile_program: Compile) -> None:
    many, picked = set_var("many", 48, X + 2), var("picked", X + 6)
    made = over(n.RollDice(many, 1, cell(X + 20), 5), n.PickOne(picked, n.Shift(members(3, size=70), 0, 3), 6))
    for times in (0, -1, n.MIN_INT):
        machine, block = ran(compile_program, made, {X + 20: times, X + 2: 1, X + 6: 5})
        assert (read(block, X + 2), read(block, X + 6), read(block, KNOWN)) == (0, -1, 0)
        assert block[4 * RANDOM : 4 * RANDOM + 8] == filled(made)[4 * RANDOM : 4 * RANDOM + 8]
        assert machine.events == []
    _, block = ran(compile_program, made, {X + 20: 1000})
    assert sum(int.from_bytes(block[4 * (X + 2) + 2 * f : 4 * (X + 2) + 2 * f + 2], "little") for f in range(3)) == 1000
    machine, block = compile_program(made), filled(made, {X + 20: 1001})
    faults(partial(machine.advance, block), block, 5, 1001)


def scripts(compile_program: Compile) -> None:
    one, many, picked, told = var("one", X), set_var("many", 48, X + 2), var("picked", X + 6), var("told", X + 7)
    pool = members(3, 17, 64, size=70)
    made = over(
        n.Scripted(told, pool, 3),
        n.RollDie(one, 1, 4),
        n.RollDice(many, 1, c(3), 5),
        n.PickOne(picked, pool, 6),
        n.Scripted(var("later", X + 8), pool, 3),
    )
    machine = compile_program(made)
    machine.listening = True
    block = filled(made)
    untouched = block[4 * RANDOM : 4 * RANDOM + 16]
    machine.script = [64, 1, 2, 0, 2, 17, 3, 99]
    machine.advance(block)
    assert [read(block, at) for at in (X, X + 2, X + 3, X + 6, X + 7, X + 8)] == [1, 1, 2, 17, 64, 3]
    assert (machine.script, read(block, KNOWN)) == ([99], 3)
    assert block[4 * RANDOM : 4 * RANDOM + 16] == untouched
    assert machine.events == [Event(-2, (1,), -1), Event(-2, (2, 0, 2), -1), Event(-3, (17,), 0)]
    for script, figures in (
        ([4], (3, 4)),
        ([-1], (3, -1)),
        ([70], (3, 70)),
        ([64, 3], (4, 3)),
        ([64, -1], (4, -1)),
        ([3, 0, 0, 7], (5, 7)),
        ([3, 0, 0, 1, 2, 4], (6, 4)),
        ([3, 0, 0, 1, 2, 17, 5], (3, 5)),
    ):
        machine.script = script
        block = filled(made)
        faults(partial(machine.advance, block), block, *figures)
    # A script that runs out is followed by the generator.
    machine.script = [3, 1, 2]
    block = filled(made)
    machine.advance(block)
    state, increment = seeded(1)
    rest = []
    for bound in (5, 5, 3):
        state, number = bounded(state, increment, bound)
        rest.append(number)
    faces = [2] + [2 if number >= 3 else 0 for number in rest[:2]]
    assert [event.args for event in machine.events] == [(1,), tuple(faces), ((3, 17, 64)[rest[2]],)]
    assert (read(block, X + 8), machine.script) == (-1, [])


# ---- decisions -------------------------------------------------------------------------------------------------------


def option(
    name: str, target: int, *binders: n.Binder, guard: n.Expr | None = None, lets: n.Stmts = (), final: bool = True
) -> n.Option:
    return n.Option(name, lets, guard, binders, target, final, -1)


def decision(
    *options: n.Option, stop: str | None = None, otherwise: int = 2, silent: bool = False, player: n.Expr | None = None
) -> n.Decision:
    return n.Decision("ask", player or c(1), options, stop, otherwise, silent, False, 0, 0)


def question(asked: n.Decision, targets: int = 3) -> n.Program:
    """Block 0 asks; block k from 1 on notes its number in X and ends."""
    ends = [n.Block(f"to {k}", (put(X, c(k)), n.End(c(-1), 0, ())), n.Stop()) for k in range(1, targets + 1)]
    return program(n.Block("ask", (), n.Ask(0)), *ends, decisions=(asked,))


def rich() -> n.Program:
    """Three options with binders that depend on one another, variables, guards, and a stop."""
    p, q, r, double = var("p", X + 1), var("q", X + 2), var("r", X + 3), var("double", X + 4)
    first = option(
        "pairs",
        1,
        n.Binder(p, n.LoadSet(X + 10, c(0), 1, 100, None)),
        n.Binder(q, n.RangeSet(c(0), c(9), 10, None)),
        n.Binder(r, n.SetOp("-", n.SetOf((add(get(p), c(1)), get(q), get(double)), 100, 3), members(5, size=100))),
        lets=(n.Let(double, add(cell(X + 9), cell(X + 9))),),
        guard=n.Compare(">", get(double), c(0)),
    )
    second = option("plain", 2, guard=n.Query("any", q, span(0, 3), eq(get(q), cell(X + 8)), None), final=False)
    third = option("never", 3, n.Binder(q, members(1, 2, size=3)), guard=c(0))
    return question(decision(first, second, third, stop="done", otherwise=3, player=cell(X + 7)))


def candidates(compile_program: Compile) -> None:
    made = rich()
    machine = compile_program(made)
    cells = {X + 9: 20, X + 8: 2, X + 7: 1, X + 10: 1 << 4 | 1 << 30, X + 12: 1 << 3, X + 4: 77}
    block = filled(made, cells)
    machine.advance(block)
    before = bytes(block)
    asked = machine.pending(block)
    assert asked is not None and (asked.decision, asked.player) == (0, 1)
    want = []
    for p in (4, 30, 67):
        for q in range(10):
            last = {p + 1, q, 40} - {5}
            want.append(Segment(0, (p, q), sum(1 << x for x in last)))
    want.append(Segment(1, (), None))
    assert list(asked.segments) == want
    taken = [(0, s.outer, x) for s in want[:-1] for x in range(100) if s.last is not None and s.last >> x & 1]
    assert asked.count == len(taken) + 2
    for index, (_, outer, last) in enumerate(taken):
        block[:] = before
        machine.apply(block, index)
        assert [read(block, X + i) for i in range(5)] == [1, *outer, last, 77]
        assert [read(block, at) for at in (STATUS, PLIES, ANSWERS, STEPS)] == [1, 1, 1, 0]
    for index, target, plies in ((len(taken), 2, 0), (len(taken) + 1, 3, 1)):
        block[:] = before
        machine.apply(block, index)
        assert [read(block, at) for at in (X, X + 1, PLIES, ANSWERS)] == [target, 0, plies, 1]
    block[:] = before
    for index in (-1, asked.count, n.MAX_INT):
        with pytest.raises(IndexError):
            machine.apply(block, index)
        assert bytes(block) == before
    # Guards: only the stop is left, and it waits because the question is not silent.
    block = filled(made, {**cells, X + 9: 0, X + 8: 4})
    machine.advance(block)
    asked = machine.pending(block)
    assert asked is not None and (asked.segments, asked.count) == ((), 1)
    # Something in finding the candidates faults.
    block = filled(made, {**cells, X + 9: 50})
    faults(partial(machine.advance, block), block, 3, 100)


def remembered(compile_program: Compile) -> None:
    """A machine that remembers questions notices that a block was written to, or exchanged for another."""
    made = question(decision(option("go", 1, n.Binder(var("p", X + 1), n.LoadSet(X + 10, c(0), 1, 100, None)))))
    machine = compile_program(made)
    block, other = filled(made, {X + 10: 7}), filled(made, {X + 10: 8 + 16})
    machine.advance(block)
    machine.advance(other)
    for changed, count in ((block, 3), (other, 2)):
        asked = machine.pending(changed)
        assert asked is not None and asked.count == count
    block[4 * (X + 10)] = 0b110001
    asked = machine.pending(block)
    assert asked is not None and asked.segments == (Segment(0, (), 0b110001),)
    machine.apply(other, 1)
    machine.apply(block, 2)
    assert (read(other, X + 1), read(block, X + 1)) == (4, 5)


def few(compile_program: Compile) -> None:
    """None, one and two candidates; silent or not; with a stop or without."""

    def play(pool: int, stop: str | None, silent: bool, final: bool = True) -> list[int] | int:
        """X, the chosen, PLIES, ANSWERS if play has ended, or the number of candidates that wait."""
        go = option("go", 1, n.Binder(var("p", X + 1), n.LoadSet(X + 10, c(0), 1, 100, None)), final=final)
        made = question(decision(go, stop=stop, silent=silent))
        machine, block = ran(compile_program, made, {X + 10: pool, X + 1: 50, PC: 0})
        asked = machine.pending(block)
        if asked is not None:
            assert [read(block, at) for at in (X, X + 1, PLIES, ANSWERS)] == [0, 50, 0, 0]
            return asked.count
        return [read(block, at) for at in (X, X + 1, PLIES, ANSWERS)]

    for silent in (False, True):
        assert play(0, None, silent) == [2, 50, 0, 0]
        assert play(6, None, silent) == 2
        assert play(4, "no", silent) == 2
    assert play(4, None, False) == 1
    assert play(4, None, True) == [1, 2, 1, 0]
    assert play(4, None, True, final=False) == [1, 2, 0, 0]
    assert play(0, "no", False) == 1
    assert play(0, "no", True) == [2, 50, 1, 0]


def who_decides(compile_program: Compile) -> None:
    """The player is found last, and only if the machine waits."""
    pool = n.LoadSet(X + 10, c(0), 1, 100, None)
    go = option("go", 1, n.Binder(var("p", X + 1), n.SetOp("|", pool, n.SetOf((cell(X + 5),), 100, 3))))
    made = question(decision(go, silent=True, player=n.Load(X + 20, cell(X + 6), 2, 8)))
    machine = compile_program(made)
    bad = {X + 6: 2, X + 5: -1}
    for pool_bits in (0, 4):
        machine.advance(filled(made, {**bad, X + 10: pool_bits}))
    block = filled(made, {**bad, X + 10: 6})
    faults(partial(machine.advance, block), block, 8, 2)
    block = filled(made, {**bad, X + 10: 6, X + 5: 100})
    faults(partial(machine.advance, block), block, 3, 100)
    block = filled(made, {X + 6: 1, X + 21: 4, X + 10: 6})
    machine.advance(block)
    asked = machine.pending(block)
    assert asked is not None and asked.player == 4


def steps_of_questions(compile_program: Compile) -> None:
    """Finding candidates takes steps when a question is reached, and none when it is looked at again."""
    item = var("item")
    count = n.Function("slow", (), n.INT, (n.For(item, span(1, 6), (), 10, 4), n.Return(c(1))), pure=True)
    go = option("go", 1, n.Binder(var("p", X + 1), n.RangeSet(n.Call(0, ()), c(3), 10, None)))
    blocks = (
        n.Block("ask", (), n.Ask(0)),
        n.Block(
            "loop", (n.While(n.Compare("<", cell(X), cell(X + 5)), (put(X, add(cell(X), c(1))),), 1, 5),), n.Jump(0)
        ),
        n.Block("stuck", (n.End(c(0), 0, ()),), n.Stop()),
    )
    made = program(*blocks, decisions=(decision(go),), functions=(count,), budget=100)
    machine = compile_program(made)
    for more, site in ((40, 0), (41, 4), (100, 4), (101, 5)):
        block = filled(made, {X + 5: more})
        machine.advance(block)
        for _ in range(3):
            asked = machine.pending(block)
            assert asked is not None and asked.count == 3
        if site:
            faults(partial(machine.apply, block, 0), block, site, 100)
            faults(partial(machine.playout, block, 1, 5), block, site, 100)
        else:
            machine.apply(block, 0)
            machine.playout(block, 1, 5)
            assert [read(block, at) for at in (PLIES, STEPS)] == [5, 0]


def frames(compile_program: Compile) -> None:
    """A pausing effect called from two places: it asks, leaves its result and goes back; its frame is cleared."""
    back, local, result = X + 20, X + 21, 12
    p = var("p", X + 22)
    blocks = (
        n.Block("first call", (put(back, c(1)), put(local, c(7))), n.Jump(4)),
        n.Block("first return", (put(X, cell(result)), put(result, c(0)), put(back, c(2))), n.Jump(4)),
        n.Block("second return", (put(X + 1, cell(result)), put(result, c(0)), n.End(c(0), 0, ())), n.Stop()),
        n.Block("answered", (put(result, add(get(p), cell(local))),), n.Leave(back, back, 3)),
        n.Block("ask", (), n.Ask(0)),
    )
    go = option("go", 3, n.Binder(p, n.RangeSet(cell(local), c(9), 10, None)))
    made = program(*blocks, decisions=(decision(go, otherwise=3),))
    machine, block = ran(compile_program, made)
    assert [read(block, at) for at in (PC, back, local, X + 22)] == [4, 1, 7, 0]
    machine.apply(block, 2)
    assert [read(block, at) for at in (PC, X, back, local, X + 22, result)] == [4, 16, 2, 0, 0, 0]
    asked = machine.pending(block)
    assert asked is not None and asked.count == 10
    machine.apply(block, 5)
    assert [read(block, at) for at in (STATUS, X, X + 1, back, local, X + 22, result, PLIES)] == [
        1,
        16,
        5,
        0,
        0,
        0,
        0,
        2,
    ]


def nim(silent: bool) -> n.Program:
    """Take one to three of X things; who cannot has lost. Before taking, one may say so (a step that is no ply)."""
    k = var("k", X + 1)
    say = option("say", 1, guard=n.Compare(">", cell(X), c(2)), final=False)
    take = option("take", 2, n.Binder(k, n.RangeSet(c(1), n.Arith("min", cell(X), c(3), None), 4, None)))
    blocks = (
        n.Block("turn", (), n.Ask(0), 1, 7),
        n.Block("say", (), n.Ask(1), 1, 7),
        n.Block(
            "take",
            (
                put(X, n.Arith("-", cell(X), get(k), None)),
                put(X + 1, c(0)),
                put(18, n.Arith("-", c(1), cell(18), None)),
                n.Emit(1, (cell(X),), c(-1)),
            ),
            n.Jump(0),
        ),
        n.Block("lost", (n.End(n.Arith("-", c(1), cell(18), None), 0, ()),), n.Stop()),
    )
    decisions = (
        n.Decision("turn", cell(18), (say, take), None, 3, silent, False, 0, 0),
        n.Decision("say", cell(18), (take,), None, 3, silent, True, 0, 0),
    )
    return program(*blocks, decisions=decisions)


def counted(left: int, depth: int) -> int:
    """Sequences of choices in `nim`, by the rules."""
    if depth == 0:
        return 1
    ways = 2 if left > 2 else 1
    return ways * sum(counted(left - k, depth - 1) for k in range(1, min(left, 3) + 1))


def perfts(compile_program: Compile) -> None:
    for silent in (False, True):
        made = nim(silent)
        machine = compile_program(made)
        machine.listening, machine.script = True, [1, 2]
        for left in (0, 1, 2, 5, 8):
            block = filled(made, {X: left})
            machine.advance(block)
            before, events = bytes(block), list(machine.events)
            for depth in range(7):
                # With one thing left a silent choice ends the game at once: it has no sequel.
                want = counted(left, depth) if depth == 0 or not read(block, STATUS) else 0
                assert machine.perft(block, depth) == want, (silent, left, depth)
            assert bytes(block) == before
            assert (machine.events, machine.listening, machine.script) == (events, True, [1, 2])


def perft_and_faults(compile_program: Compile) -> None:
    """Final choices of the last ply are counted, not carried out."""
    k = var("k", X + 1)
    go = option("go", 1, n.Binder(k, members(0, 1, 2, size=3)))
    made = program(
        n.Block("ask", (), n.Ask(0)),
        n.Block("go", (n.If(eq(get(k), c(1)), (n.Fail(5, get(k)),)),), n.Jump(0)),
        n.Block("stuck", (), n.Stop()),
        decisions=(decision(go, stop="no", otherwise=0),),
    )
    machine, block = ran(compile_program, made)
    assert machine.perft(block, 1) == 4
    faults(partial(machine.perft, block, 2), block, 5, 1)
    faults(partial(machine.apply, block, 1), block, 5, 1)
    machine.apply(block, 2)
    assert read(block, X + 1) == 2


def playouts(compile_program: Compile) -> None:
    """A playout gives the answers that `rng.choice` names, one by one."""
    for silent in (False, True):
        made = nim(silent)
        machine = compile_program(made)
        for seed in range(8):
            for most in (0, 1, 3, 100):
                played, stepped = filled(made, {X: 25}), filled(made, {X: 25})
                machine.listening = True
                machine.playout(played, seed, most)
                assert machine.listening
                machine.listening = False
                machine.advance(stepped)
                while read(stepped, STATUS) == 0 and read(stepped, PLIES) < most:
                    asked = machine.pending(stepped)
                    assert asked is not None
                    machine.apply(stepped, choice(stream(seed, asked.player), read(stepped, ANSWERS), asked.count))
                assert played == stepped
                assert most < 100 or read(played, STATUS) == 1


def playout_faults(compile_program: Compile) -> None:
    """A fault deep in a playout takes the whole playout back."""
    made = nim(False)
    made.blocks[3] = n.Block("lost", (n.Fail(9, cell(PLIES)),), n.Stop())
    machine, block = ran(compile_program, made, {X: 1})
    faults(partial(machine.playout, block, 1, 100), block, 9, 1)
    faults(partial(machine.apply, block, 0), block, 9, 1)


def apply_events(compile_program: Compile) -> None:
    made = nim(False)
    machine, block = ran(compile_program, made, {X: 9})
    machine.apply(block, 3)
    assert machine.events == [Event(1, (6,), -1)]
    machine.apply(block, 0)
    assert machine.events == []
    machine.apply(block, 0)
    assert machine.events == [Event(1, (5,), -1)]
    machine.playout(block, 3, 100)
    machine.perft(block, 2)
    assert all(event.event == 1 for event in machine.events)


PLAYS: list[Callable[[Compile], None]] = [
    stores,
    store_order,
    sets_in_cells,
    clears,
    homes,
    budget,
    emits,
    endings,
    throws,
    no_throws,
    scripts,
    candidates,
    remembered,
    few,
    who_decides,
    steps_of_questions,
    frames,
    perfts,
    perft_and_faults,
    playouts,
    playout_faults,
    apply_events,
]
