"""Random games as core programs, and playing them on two machines at once: bytes, questions, events and faults must be
equal."""

from __future__ import annotations

import random
import struct
from typing import Any

from core_random import CELLS, INT_COUNT, INTS, PLACES, SIZES, Maker, random_cells, random_program, set_base

from interpreter.backends.machine import Fault
from interpreter.core import nodes as n
from interpreter.core.header import PC, RANDOM, WINNER
from interpreter.core.rng import seeded

HOMES = CELLS + CELLS % 2  # homes of six integers and two sets of each of two sizes
HOME_SETS = HOMES + 6
BACK = HOME_SETS + 8  # a frame: where to go on, two locals
GAME_CELLS = BACK + 4
BLOCKS = 9
DICE = [n.Die("coin", (1, 1), ("heads", "tails")), n.Die("odd", (1, 3, 2), ("a", "b", "c"))]


def random_game(r: random.Random) -> n.Program:
    """A program with blocks and decisions around the functions of `random_program`."""
    program = random_program(r)
    program.cells, program.budget, program.dice = GAME_CELLS, 60, DICE
    maker = Maker(r, program, sites=len(program.sites), callable=_callable(program))
    final = r.random() < 0.5  # all options are: then play gets on, and the game can be left to random players
    ends = n.Function("ends", (n.Var("a", n.INT),), None, (n.If(maker.bool(1), (_end(maker),)),), False, ends=True)
    program.functions.append(ends)
    program.decisions = [_decision(maker, number, final) for number in range(3)]
    program.blocks = [_block(maker, number) for number in range(BLOCKS)]
    program.sites = [n.Site("test", "{0} {1}", f"rules:{i}:1") for i in range(maker.sites)]
    return program


def game_block(r: random.Random, seed: int) -> bytearray:
    """A start for a random game."""
    cells = random_cells(r) + [0] * (GAME_CELLS - CELLS)
    cells[WINNER], cells[PC] = -1, 0
    block = bytearray(struct.pack(f"<{GAME_CELLS}i", *cells))
    struct.pack_into("<QQ", block, 4 * RANDOM, *seeded(seed))
    return block


def _callable(program: n.Program) -> int:
    """Functions before the first whose result is no integer."""
    count = 0
    while count < len(program.functions) and program.functions[count].result == n.INT:
        count += 1
    return count


def _home(index: int) -> n.Var:
    return n.Var(f"home_{index}", n.INT, HOMES + index)


def _home_set(size: int, index: int) -> n.Var:
    base = HOME_SETS if size == 40 else HOME_SETS + 4
    return n.Var(f"set_{size}_{index}", n.Type("set", size), base + 2 * index)


def _end(maker: Maker) -> n.Stmt:
    return n.End(maker.int(0), 3, tuple(maker.int(0) for _ in range(maker.r.randrange(3))))


def _store(maker: Maker) -> n.Stmt:
    index = maker.index(0, INT_COUNT)
    return n.Store(INTS, index, INT_COUNT, maker.int(1), -40, 90, maker.r.random() < 0.7, maker.site(), maker.site())


def _chance(maker: Maker) -> n.Stmt:
    r = maker.r
    die = r.randrange(len(DICE))
    counts = n.Var("counts", n.Type("set", 16 * len(DICE[die].weights)))
    size = r.choice((PLACES, 70))
    return r.choice(
        (
            n.RollDie(_home(r.randrange(4)), die, maker.site()),
            n.RollDice(counts, die, r.choice((n.Const(r.randrange(-1, 5)), maker.int(0))), maker.site()),
            n.PickOne(_home(r.randrange(4)), maker.set(1, size), maker.site()),
            n.Scripted(_home(r.randrange(4)), maker.set(1, size), maker.site()),
        )
    )


def _statement(maker: Maker) -> n.Stmt:
    r = maker.r
    kind = r.randrange(8)
    if kind < 2:
        return _store(maker)
    if kind == 2:
        size = r.choice(SIZES)
        return n.StoreSet(set_base(size), maker.index(0, 3), 3, maker.set(1, size), size, maker.site())
    if kind < 5:
        return _chance(maker)
    if kind == 5:
        args = tuple(r.choice((maker.int, maker.some_set, maker.list))(1) for _ in range(r.randrange(4)))
        return n.Emit(r.randrange(9), args, n.Const(r.choice((-1, 1, 2))))
    if kind == 6:
        size = r.choice((40, 64))
        return n.Let(_home_set(size, r.randrange(2)), maker.set(1, size))
    return n.Do(len(maker.program.functions) - 1, (maker.int(0),))


def _block(maker: Maker, number: int) -> n.Block:
    r = maker.r
    site = maker.site()
    if number in (1, 3, 5):
        return n.Block(f"ask_{number}", (), n.Ask(number // 2), r.randrange(2), site)
    maker.env = [_home(index) for index in range(4)] + [_home_set(size, i) for size in (40, 64) for i in range(2)]
    body: n.Stmts = tuple(_statement(maker) for _ in range(r.randrange(3)))
    if r.random() < 0.3:
        body += maker.block(1)
    way: n.Exit
    if number == 7:  # an effect that returns to where it was called from
        way = n.Leave(BACK, BACK, 3)
    elif number == 8:
        body, way = (*body, _end(maker)), n.Stop()
    elif r.random() < 0.3:
        back = n.Store(BACK, n.Const(0), 1, n.Const(r.choice((1, 3, 5))), 0, BLOCKS, False, None, None)
        body, way = (*body, back), n.Jump(7)
    elif r.random() < 0.5:
        way = n.Branch(maker.bool(1), r.choice((1, 3, 5, 8)), r.choice((1, 3, 5)))
    else:
        way = n.Jump(r.choice((1, 3, 5, 5, 3, 0)) if number else 1)
    maker.env = []
    return n.Block(f"block_{number}", body, way, 1 + r.randrange(2), site)


def _option(maker: Maker, index: int, final: bool) -> n.Option:
    r = maker.r
    maker.env = [_home(i) for i in range(2)]
    lets: list[n.Stmt] = []
    if r.random() < 0.5:
        var = n.Var("let", n.Type("set", 40))
        lets.append(n.Let(var, maker.set(1, 40)))
        maker.env.append(var)
    guard = maker.bool(1) if r.random() < 0.4 else None
    binders = []
    for i in range(r.choice((0, 1, 1, 2, 3))):
        var = _home(i + 1)
        size = r.choice((PLACES, 10, 70)) if i < 2 else 10
        binders.append(n.Binder(var, maker.set(1, size)))
        maker.env.append(var)
    maker.env = []
    return n.Option(
        f"option_{index}", tuple(lets), guard, tuple(binders), r.choice((0, 2, 4, 6)), final or r.random() < 0.7, -1
    )


def _decision(maker: Maker, number: int, final: bool) -> n.Decision:
    r = maker.r
    options = tuple(_option(maker, index, final) for index in range(r.randrange(1, 4)))
    player = n.Cond(maker.bool(0), n.Const(0), n.Const(1))
    stop = r.choice((None, "pass"))
    return n.Decision(
        f"decision_{number}", player, options, stop, r.choice((0, 2, 4, 6)), r.random() < 0.5, False, -1, maker.site()
    )


def attempt(call: Any, *args: Any) -> Any:
    """What a call gives, or how it fails."""
    try:
        return call(*args)
    except Fault as fault:
        return ("fault", fault.site, fault.a, fault.b)
    except IndexError:
        return "index"


def in_lockstep(left: Any, right: Any, block: bytearray, r: random.Random, most: int) -> int:
    """Plays one position on both machines; the number of answers given. Asserts that they agree on everything."""
    other = bytearray(block)
    left.listening = right.listening = r.random() < 0.7
    answers = 0

    def both(name: str, *args: Any) -> Any:
        before = bytes(block)
        script = [r.randrange(8) for _ in range(r.randrange(5))] if r.random() < 0.3 else []
        left.script, right.script = list(script), list(script)
        result = attempt(getattr(left, name), block, *args)
        mirrored = attempt(getattr(right, name), other, *args)
        assert mirrored == result, (name, args, script, result, mirrored)
        assert block == other
        assert left.script == right.script
        assert left.events == right.events
        left.script, right.script = [], []
        if result is not None:
            assert block == before
        return result

    if both("advance") is not None:
        return 0
    while answers < most:
        pending = attempt(left.pending, block)
        assert attempt(right.pending, other) == pending
        if not hasattr(pending, "count"):
            return answers  # the game has ended, or (after a script that was spent elsewhere) the question faults
        assert both("apply", pending.count) == "index"
        for _ in range(4):
            if both("apply", r.randrange(pending.count)) is None:
                break
        else:
            return answers
        answers += 1
        if r.random() < 0.2:
            assert both("advance") is None
    return answers
