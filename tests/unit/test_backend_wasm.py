"""The WebAssembly backend: what every backend must do, the same as the Python backend in everything, and its own
promises."""

from __future__ import annotations

import hashlib
import os
import random
import struct
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import core_plays
import pytest
from core_build import Compile
from core_games import attempt, game_block, in_lockstep, random_game
from core_programs import Value, outcome, same, value_block, value_program
from core_random import random_cells, random_program
from grid_program import BUDGET, CELLS, grid_program, grid_start
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.backends import python, wasm
from interpreter.backends.machine import Event, Fault
from interpreter.backends.wasm import cache
from interpreter.core import nodes as n
from interpreter.core.header import ANSWERS, HEADER, PLIES, RANDOM, STATUS, WINNER
from interpreter.core.rng import seeded

pytestmark = pytest.mark.skipif(not wasm.available(), reason="wasmtime is not installed")

SITES = [n.Site("test", "{0} {1}", f"rules.effects:{line}:1") for line in range(9)]


def compiled(program: n.Program) -> Any:
    """A machine, not by way of any cache."""
    return wasm.compile_program(program, cache=False)


def empty_block(program: n.Program) -> bytearray:
    return bytearray(4 * program.cells)


def cell(block: bytearray, at: int) -> int:
    return int(struct.unpack_from("<i", block, 4 * at)[0])


# ---- as every backend ------------------------------------------------------------------------------------------------


def test_values() -> None:
    program, values = value_program()
    machine = compiled(program)
    block = value_block(program)
    before = bytes(block)
    wrong: list[tuple[Value, Any]] = []
    for value in values:
        found = outcome(machine, block, value)
        if not same(found, value.want):
            wrong.append((value, found))
        assert bytes(block) == before
    assert len(values) > 100
    assert wrong == []


@pytest.mark.parametrize("play", core_plays.PLAYS, ids=lambda play: play.__name__)
def test_plays(play: Callable[[Compile], None]) -> None:
    play(compiled)


# ---- as the Python backend -------------------------------------------------------------------------------------------


@given(st.integers(0, 2**32))
@settings(max_examples=100, deadline=None)
def test_random_functions(seed: int) -> None:
    r = random.Random(seed)
    program = random_program(r)
    machine, reference = compiled(program), python.compile_program(program)
    for _ in range(4):
        cells = random_cells(r)
        block = bytearray(struct.pack(f"<{len(cells)}i", *cells))
        for number, function in enumerate(program.functions):
            args = tuple(r.choice((-1, 0, 1, 2, 5, 30, n.MAX_INT)) for _ in function.params)
            found = attempt(machine.evaluate, block, number, args)
            assert found == attempt(reference.evaluate, block, number, args)
            assert block == struct.pack(f"<{len(cells)}i", *cells)


@given(st.integers(0, 2**32))
@settings(max_examples=100, deadline=None)
def test_random_games(seed: int) -> None:
    r = random.Random(seed)
    program = random_game(r)
    machine, reference = compiled(program), python.compile_program(program)
    lasting = all(option.final for decision in program.decisions for option in decision.options)
    for number in range(4):
        start = game_block(r, number)
        in_lockstep(machine, reference, bytearray(start), r, 15)
        if not lasting:
            continue
        one, other = bytearray(start), bytearray(start)
        assert attempt(machine.playout, one, seed, 12) == attempt(reference.playout, other, seed, 12)
        assert one == other
        for depth in (0, 1, 2):
            assert attempt(machine.perft, one, depth) == attempt(reference.perft, other, depth)
            assert one == other


def test_random_games_get_somewhere() -> None:
    """Else the comparison would be worth nothing."""
    answers = ended = 0
    for seed in range(60):
        r = random.Random(seed)
        program = random_game(r)
        machine, reference = compiled(program), python.compile_program(program)
        for number in range(4):
            block = game_block(r, number)
            answers += in_lockstep(machine, reference, block, r, 15)
            ended += block[4 * STATUS]
    assert answers > 300
    assert ended > 10


def test_a_game_in_lockstep() -> None:
    program = grid_program()
    machine, reference = compiled(program), python.compile_program(program)
    for seed in range(3):
        answers = in_lockstep(machine, reference, grid_start(seed), random.Random(seed), 150)
        assert answers == 150


def test_perft_of_a_game() -> None:
    machine = compiled(grid_program())
    block = grid_start()
    before = bytes(block)
    assert [machine.perft(block, depth) for depth in range(4)] == [1, 80, 6400, 545120]
    assert block == before


def test_the_budget_is_counted_alike() -> None:
    """At every budget both stop at the same place, or both get through."""
    stopped = 0
    for budget in range(1, 12):
        program = grid_program()
        program.budget = budget
        machine, reference = compiled(program), python.compile_program(program)
        one, other = grid_start(), grid_start()
        found = attempt(machine.playout, one, 5, 300)
        assert found == attempt(reference.playout, other, 5, 300)
        assert one == other
        if found is not None:
            stopped += 1
            assert found[1:3] == (BUDGET, budget)
            assert one == grid_start()
    assert 0 < stopped < 11


# ---- batches ---------------------------------------------------------------------------------------------------------


def test_a_batch_is_single_games() -> None:
    machine = compiled(grid_program())
    reference = python.compile_program(grid_program())
    start = grid_start()
    before = bytes(start)
    results = list(machine.playouts(start, 40, 300, 60, finals=True))  # more than go into one call
    assert start == before
    assert len(results) == 300
    assert results[290:] == list(machine.playouts(start, 40, 10, 60, first=290, finals=True))
    for number in (0, 7, 255, 256, 299):
        block = bytearray(before)
        struct.pack_into("<QQ", block, 4 * RANDOM, *seeded(40 + number))
        reference.playout(block, 40 + number, 60)
        result = results[number]
        assert result.final == block
        assert (result.status, result.winner) == (block[4 * STATUS], cell(block, WINNER))
        assert (result.plies, result.answers) == (cell(block, PLIES), cell(block, ANSWERS))
        assert result.digest == fnv(block)
        assert result.fault is None
    assert len({result.digest for result in results}) > 250


def fnv(block: bytearray) -> int:
    digest = 0xCBF29CE484222325
    for (figure,) in struct.iter_unpack("<I", block):
        digest = (digest ^ figure) * 0x100000001B3 % 2**64
    return digest


def test_a_fault_ends_one_game_of_a_batch() -> None:
    """Each game throws a die; one face is a fault."""
    face = n.Var("face", n.INT)
    bad = n.Compare("==", n.Get(face), n.Const(0))
    body = (n.RollDie(face, 0, 0), n.If(bad, (n.Fail(3, n.Get(face), n.Const(8)),)))
    program = n.Program(
        cells=HEADER,
        dice=[n.Die("die", (1, 1, 1), ("a", "b", "c"))],
        blocks=[n.Block("b", (*body, n.End(n.Const(1), 4, ())), n.Stop())],
        sites=SITES,
    )
    results = list(compiled(program).playouts(empty_block(program), 1, 600, 9))
    failed = [result.fault for result in results if result.fault is not None]
    assert 150 < len(failed) < 250
    assert {(fault.site, fault.a, fault.b) for fault in failed} == {(3, 0, 8)}
    assert {(result.winner, result.ending) for result in results if result.fault is None} == {(1, 5)}


def test_clones_in_threads_agree() -> None:
    machine = compiled(grid_program())
    alone = list(machine.playouts(grid_start(), 1, 64, 300))
    clones = [machine.clone() for _ in range(4)]

    def part(number: int) -> list[Any]:
        return list(clones[number].playouts(grid_start(), 1, 16, 300, first=16 * number))

    with ThreadPoolExecutor(4) as pool:
        assert [result for results in pool.map(part, range(4)) for result in results] == alone


# ---- memory ----------------------------------------------------------------------------------------------------------


def test_lists_do_not_overwrite_each_other() -> None:
    """Buffers are static, so lists that live at the same time must not share one."""
    x, y, z = (n.Var(name, n.Type("list", 8)) for name in "xyz")
    i = n.Var("i", n.INT)
    a, same_list = n.Var("a", n.INT), n.Var("given", n.Type("list", 4))
    pair = n.Function(
        "pair",
        (a,),
        x.type,
        (
            # Too long to be written into its callers.
            *(n.Let(n.Var("waste", n.INT), n.Arith("+", n.Get(a), n.Const(k), None)) for k in range(20)),
            n.Return(n.ListOf((n.Get(a), n.Arith("+", n.Get(a), n.Const(1), None)))),
        ),
        pure=True,
    )
    itself = n.Function("itself", (same_list,), x.type, (n.Return(n.Get(same_list)),), pure=True)

    def at(var: n.Var, index: int) -> n.Expr:
        return n.Item(n.Get(var), n.Const(index), 0)

    def pair_of(number: int) -> n.Expr:
        return n.Call(0, (n.Const(number),))

    body: n.Stmts = (
        n.Let(x, n.ListOf((n.Const(1), n.Const(2)))),
        n.Let(y, n.ListOf(())),
        n.For(
            i,
            n.Span(n.Const(0), n.Const(3)),
            (
                n.Let(y, n.Call(1, (n.Get(x),))),  # the old x …
                n.Let(x, n.ListOf((at(x, 1), n.Arith("+", at(x, 0), n.Const(10), None)))),  # … changed in its buffer
            ),
            0,
            1,
        ),
        n.Let(z, pair_of(100)),
        n.If(
            n.Compare("==", n.Item(pair_of(5), n.Item(pair_of(0), n.Const(1), 0), 0), n.Const(6)),
            (n.Return(n.ListOf((at(x, 0), at(x, 1), at(y, 0), at(y, 1), at(z, 0), at(z, 1)))),),
        ),
        n.Return(n.ListOf(())),
    )
    whole = n.Function("whole", (), z.type, body, pure=True)
    # The frozen list of a loop, while what made it runs again.
    twice = n.Function(
        "twice",
        (),
        n.INT,
        (
            n.Let(a, n.Const(0)),
            n.For(
                i,
                pair_of(1),
                (n.Let(a, n.Arith("+", n.Arith("*", n.Get(a), n.Const(10), 0), n.Get(i), 0)), n.Let(y, pair_of(7))),
                0,
                1,
            ),
            n.Return(n.Get(a)),
        ),
        pure=True,
    )
    program = n.Program(cells=HEADER, functions=[pair, itself, whole, twice], sites=SITES)
    for machine in (python.compile_program(program), compiled(program)):
        assert machine.evaluate(empty_block(program), 2, ()) == (21, 22, 12, 21, 100, 101)
        assert machine.evaluate(empty_block(program), 3, ()) == 12


def test_events_beyond_the_room_there_was() -> None:
    i = n.Var("i", n.INT)
    many = n.For(i, n.Span(n.Const(0), n.Const(4999)), (n.Emit(2, (n.Get(i), n.SetConst(5, 64)), n.Const(-1)),), 0, 0)
    program = n.Program(cells=HEADER, blocks=[n.Block("b", (many, n.End(n.Const(0), 0, ())), n.Stop())], sites=SITES)
    machine = compiled(program)
    machine.listening = True
    for _ in range(2):
        machine.advance(empty_block(program))
        assert machine.events == [Event(2, (k, (0, 2)), -1) for k in range(5000)]


def test_candidates_beyond_the_memory_there_was() -> None:
    """Three binders of a hundred members: ten thousand records."""
    names = [n.Var(name, n.INT, HEADER + i) for i, name in enumerate("abc")]
    everything = n.SetConst(2**100 - 1, 100)
    option = n.Option("o", (), None, tuple(n.Binder(name, everything) for name in names), 1, True, -1)
    program = n.Program(
        cells=HEADER + 4,
        blocks=[n.Block("ask", (), n.Ask(0)), n.Block("end", (n.End(n.Const(0), 0, ()),), n.Stop())],
        decisions=[n.Decision("d", n.Const(0), (option,), None, 1, False, False, -1, 0)],
        sites=SITES,
    )
    machine = compiled(program)
    block = empty_block(program)
    machine.advance(block)
    pending = machine.pending(block)
    assert pending.count == 10**6
    assert len(pending.segments) == 10**4
    assert pending.segments[1234].outer == (12, 34)
    assert machine.perft(block, 1) == 10**6
    machine.apply(block, 123456)
    assert [cell(block, HEADER + i) for i in range(3)] == [12, 34, 56]


def test_endless_candidates_are_an_error_not_a_crash() -> None:
    names = [n.Var(name, n.INT, HEADER + i) for i, name in enumerate("abcd")]
    everything = n.SetConst(2**512 - 1, 512)
    option = n.Option("o", (), None, tuple(n.Binder(name, everything) for name in names), 0, True, -1)
    program = n.Program(
        cells=HEADER + 4,
        blocks=[n.Block("ask", (), n.Ask(0))],
        decisions=[n.Decision("d", n.Const(0), (option,), None, 0, False, False, -1, 0)],
        sites=SITES,
    )
    machine = compiled(program)
    with pytest.raises(MemoryError):
        machine.advance(empty_block(program))
    with pytest.raises(MemoryError):  # and the machine still stands
        machine.advance(empty_block(program))


def test_a_module_that_stops_for_another_reason() -> None:
    """A position that no program made: the block to go on with does not exist."""
    program = grid_program()
    block = grid_start()
    struct.pack_into("<i", block, 4 * 7, 77)
    before = bytes(block)
    machine = compiled(program)
    with pytest.raises(RuntimeError, match="stopped"):
        machine.advance(block)
    assert block == before
    good = grid_start()
    machine.advance(good)
    assert machine.pending(good).count == 80


def test_wrong_sizes_are_refused() -> None:
    machine = compiled(grid_program())
    for size in (4 * CELLS - 4, 4 * CELLS + 4):
        with pytest.raises(ValueError, match="bytes"):
            machine.advance(bytearray(size))


# ---- text ------------------------------------------------------------------------------------------------------------


def test_the_text_is_readable_and_the_same_each_time() -> None:
    text = wasm.wat(grid_program())
    assert text == wasm.wat(grid_program())
    assert ";; index at grid:1:1" in text
    assert ";; capture" in text
    assert "local.set $square_" in text
    import wasmtime

    wasmtime.wat2wasm(text)  # what is shown is what could run


# ---- cache -----------------------------------------------------------------------------------------------------------


def plays(folder: Path) -> int:
    machine = wasm.compile_program(grid_program(), cache=folder)
    return machine.perft(grid_start(), 2)


def entries(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def test_cache_is_used_and_may_be_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "modules"
    assert plays(folder) == 6400
    (entry,) = entries(folder)
    written = entry.read_bytes()

    import wasmtime

    def compile_again(*_args: object) -> None:
        raise AssertionError("compiled although it was in the cache")

    with monkeypatch.context() as patch:
        patch.setattr(wasmtime, "wat2wasm", compile_again)
        assert plays(folder) == 6400
    entry.unlink()
    assert plays(folder) == 6400
    assert len(entry.read_bytes()) == len(written)


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "checksum", "foreign"])
def test_damaged_entries_are_rebuilt(tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "modules"
    plays(folder)
    (entry,) = entries(folder)
    good = entry.read_bytes()
    bad = {
        "cut": good[:-7],
        "flipped": good[:900] + bytes([good[900] ^ 1]) + good[901:],
        "empty": b"",
        "checksum": bytes(32) + good[32:],
        "foreign": hashlib.sha256(b"no module").digest() + b"no module",
    }[damage]
    entry.write_bytes(bad)
    assert plays(folder) == 6400
    assert len(entries(folder)) == 1
    assert entry.read_bytes() != bad
    assert cache.fetch(folder, entry.name) is not None


@pytest.mark.skipif(os.name != "posix", reason="rights are kept otherwise elsewhere")
def test_entries_that_others_can_write_are_not_read(tmp_path: Path) -> None:
    folder = tmp_path / "modules"
    plays(folder)
    (entry,) = entries(folder)
    assert entry.stat().st_mode & 0o077 == 0
    assert folder.stat().st_mode & 0o077 == 0
    assert cache.fetch(folder, entry.name) is not None
    entry.chmod(0o620)
    assert cache.fetch(folder, entry.name) is None
    entry.chmod(0o600)
    folder.chmod(0o770)
    assert cache.fetch(folder, entry.name) is None
    folder.chmod(0o700)
    link = folder / "link"
    link.symlink_to(entry)
    assert cache.fetch(folder, "link") is None


def test_a_folder_that_cannot_be_used_is_no_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder", encoding="utf-8")
    assert plays(blocked) == 6400
    assert blocked.read_text(encoding="utf-8") == "not a folder"


def test_writers_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "modules"
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(lambda _: plays(folder), range(12))) == [6400] * 12
    assert len(entries(folder)) == 1


def test_keys_tell_modules_apart() -> None:
    one, other = grid_program(), grid_program()
    other.budget += 1
    assert cache.key(wasm.build(one).text) == cache.key(wasm.build(grid_program()).text)
    assert cache.key(wasm.build(one).text) != cache.key(wasm.build(other).text)


def test_faults_are_exceptions_with_their_figures() -> None:
    a, b = n.Var("a", n.INT), n.Var("b", n.INT)
    body = (n.Return(n.Arith("*", n.Get(a), n.Get(b), 4)),)
    program = n.Program(cells=HEADER, functions=[n.Function("times", (a, b), n.INT, body, pure=True)], sites=SITES)
    machine = compiled(program)
    assert machine.evaluate(empty_block(program), 0, (-(2**16), 2**15)) == n.MIN_INT
    for _ in range(300):  # and any number of times
        with pytest.raises(Fault) as caught:
            machine.evaluate(empty_block(program), 0, (2**16, 2**15))
        assert (caught.value.site, caught.value.a, caught.value.b) == (4, 2**16, 2**15)


def test_nothing_is_freed_when_the_package_is_gone() -> None:
    """What lives until the program ends does not complain then, even if modules that others still hold end first."""
    script = """
import ctypes, sys
from interpreter import load
position = load("grid_sparta").start(backend="wasm")
assert position.decision is not None
for module in list(sys.modules.values()):
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(module))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr == ""
