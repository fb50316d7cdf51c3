"""Questions: finding the candidates, taking one, and the blocks that ask.

Candidates lie on the stack of segments: a record for each run of members of an option's last binder,

    0 candidates up to here and in this record | 4 option | 8 outer values … | words of the last binder's set

all of one decision alike long. `$top` is where the records of the question under way begin, `$end` where they end.
"""

from __future__ import annotations

from itertools import islice

from interpreter.backends.wasm.code import Code, Frame, World, written
from interpreter.backends.wasm.forms import everything, type_of
from interpreter.backends.wasm.integers import jump_unless, population
from interpreter.backends.wasm.loops import each_member
from interpreter.backends.wasm.memory import words
from interpreter.backends.wasm.statements import clear
from interpreter.core import nodes as n
from interpreter.core.header import PC, PLIES
from interpreter.core.quiet import peeled

_SMALL = 30  # nodes of a block that is written once more where one jumps to it
_MOST_JOINED = 6  # blocks written one after the other …
_MOST_FORKS = 1  # … and how often that may split


def shape(program: n.Program, decision: n.Decision) -> tuple[int, int]:
    """(offset of the words, length) of the records of a decision."""
    outer = max((len(option.binders) - 1 for option in decision.options), default=0)
    start = (8 + 4 * max(outer, 0) + 7) // 8 * 8
    most = max((words(last_size(program, option)) for option in decision.options), default=0)
    return start, start + 8 * most


def last_size(program: n.Program, option: n.Option) -> int:
    """Size of the set of an option's last binder."""
    return type_of(program, option.binders[-1].values).size if option.binders else 0


def candidates(world: World, number: int) -> str:
    """`$ask<n>`: puts the records of all candidates on the stack and their number in `$count`."""
    decision = world.program.decisions[number]
    start, length = shape(world.program, decision)
    code = Code(world, Frame(None, None, (), ""))
    code.note(decision.name)
    code.put("global.get $top local.set $at")

    def record(index: int, outer: list[str], last: list[str], count: str) -> None:
        code.put(f"local.get $at i32.const {length} i32.add global.get $limit i32.gt_u", "if")
        code.put(f"local.get $at i32.const {length} i32.add call $reserve", "end")
        code.put(f"local.get $at local.get $count {count} i32.add local.tee $count i32.store")
        code.put(f"local.get $at i32.const {index} i32.store offset=4")
        for i, name in enumerate(outer):
            code.put(f"local.get $at local.get {name} i32.store offset={8 + 4 * i}")
        for i, name in enumerate(last):
            code.put(f"local.get $at local.get {name} i64.store offset={start + 8 * i}")
        code.put(f"local.get $at i32.const {length} i32.add local.set $at")

    def bind(index: int, binders: tuple[n.Binder, ...], outer: list[str]) -> None:
        if len(binders) == 1:
            last = code.frozen(code.members(binders[0].values))
            if last:
                code.put(population([f"local.get {name}" for name in last]) + " local.tee $new", "if")
                record(index, outer, last, "local.get $new")
                code.put("end")
            return
        item = code.bind(binders[0].var)[0]
        values, tests = peeled(binders[0].values)

        def one(_done: str, again: str) -> None:
            for var, where in tests:
                code.places[var] = (item,)
                jump_unless(code, where, again)
            bind(index, binders[1:], [*outer, item])

        each_member(code, code.members(values), item, one)

    for index, option in enumerate(decision.options):
        out = code.label("option")
        code.note(f"option {option.name}")
        code.put(f"block {out}")
        for node in everything(option.lets):  # these live here only, wherever play goes on
            if isinstance(node, n.Let):
                code.bind(node.var)
        code.statements(option.lets)
        if option.guard is not None:
            jump_unless(code, option.guard, out)
        if option.binders:
            bind(index, option.binders, [])
        else:
            record(index, [], [], "i32.const 1")
        code.put("end")
    if decision.stop is not None:
        code.put("local.get $count i32.const 1 i32.add local.set $count")
    code.put("local.get $at global.set $end local.get $count global.set $count")
    return written(f"ask{number}", "(param $b i32) (local $at i32) (local $count i32) (local $new i32)", code)


def taking(world: World, number: int) -> str:
    """`$take<n>`: carries out candidate `$k` of what `$ask<n>` found; the block to go on with."""
    decision = world.program.decisions[number]
    start, length = shape(world.program, decision)
    code = Code(world, Frame(None, None, (), ""))
    code.note(decision.name)
    if decision.stop is not None:
        code.put("local.get $k i32.const 1 i32.add global.get $count i32.eq", "if")
        _ply(code)
        code.put(f"i32.const {decision.otherwise} return", "end")
    code.put("global.get $top local.set $at", "block $found", "loop $search")
    code.put(
        "local.get $k local.get $at i32.load local.tee $upto i32.lt_u br_if $found local.get $upto local.set $before"
    )
    code.put(f"local.get $at i32.const {length} i32.add local.set $at br $search", "end", "end")
    labels = [f"$option.{i}" for i in range(len(decision.options))]
    code.put(*(f"block {label}" for label in reversed(labels)))
    if len(labels) > 1:
        code.put(f"local.get $at i32.load offset=4 br_table {' '.join(labels)}")
    elif labels:
        code.put(f"br {labels[0]}")
    for option in decision.options:
        code.put("end")
        for i, binder in enumerate(option.binders):
            if binder.var.home is None:
                continue
            code.put("local.get $b")
            if i < len(option.binders) - 1:
                code.put(f"local.get $at i32.load offset={8 + 4 * i}")
            else:
                world.uses.add("pick")
                code.put(f"local.get $at i32.const {start} i32.add local.get $k local.get $before i32.sub call $pick")
            code.put(f"i32.store offset={4 * binder.var.home}")
        if option.final:
            _ply(code)
        code.put(f"i32.const {option.target} return")
    header = "(param $b i32) (param $k i32) (result i32) (local $at i32) (local $upto i32) (local $before i32)"
    return written(f"take{number}", header, code, ["unreachable"])


def _ply(code: Code) -> None:
    code.put(f"local.get $b local.get $b i32.load offset={4 * PLIES} i32.const 1 i32.add i32.store offset={4 * PLIES}")


def block(world: World, number: int) -> str:
    """`$block<n>`: runs a block; the number of the next one, or -1 if play stops: at a question, or because the game
    has ended."""
    code = Code(world, Frame(None, None, (), "i32.const -1"))
    _run(code, number, ())
    return written(f"block{number}", "(param $b i32) (result i32)", code)


def _run(code: Code, number: int, before: tuple[int, ...]) -> None:
    """Writes a block and, as long as they are small, those after it: going by way of `$dispatch` costs some
    nanoseconds."""
    found = code.world.program.blocks[number]
    code.note(found.name)
    code.tick(found.weight, found.site)
    code.statements(found.body)
    way = found.exit
    if isinstance(way, n.Jump):
        _go_on(code, way.target, (*before, number))
    elif isinstance(way, n.Branch):
        if sum(isinstance(code.world.program.blocks[i].exit, n.Branch) for i in (*before, number)) > _MOST_FORKS:
            code.put(f"i32.const {way.then} i32.const {way.other}")
            code.integer(way.cond)
            code.put("select")
        else:
            other = code.label("other")
            code.put(f"block {other}")
            jump_unless(code, way.cond, other)
            _go_on(code, way.then, (*before, number))
            code.put("return", "end")
            _go_on(code, way.other, (*before, number))
    elif isinstance(way, n.Leave):
        code.put(f"local.get $b i32.load offset={4 * way.back}")
        clear(code, way.base, way.count)
    elif isinstance(way, n.Ask):
        _ask(code, number, way.decision)
    else:
        code.put("i32.const -1")


def _go_on(code: Code, target: int, before: tuple[int, ...]) -> None:
    if len(before) < _MOST_JOINED and target not in before and _is_small(code, target):
        _run(code, target, before)
    else:
        code.put(f"i32.const {target}")


def _is_small(code: Code, number: int) -> bool:
    nodes = everything(code.world.program.blocks[number].body)
    return sum(1 for _ in islice(nodes, _SMALL + 1)) <= _SMALL


def _ask(code: Code, number: int, asked: int) -> None:
    decision = code.world.program.decisions[asked]
    code.put(f"local.get $b call $ask{asked}")
    if decision.stop is None:
        code.put("global.get $count i32.eqz", "if", f"i32.const {decision.otherwise} return", "end")
    if decision.silent:
        code.put(
            "global.get $count i32.const 1 i32.eq", "if", f"local.get $b i32.const 0 call $take{asked} return", "end"
        )
    code.put(f"local.get $b i32.const {number} i32.store offset={4 * PC}")
    code.put(f"i32.const {asked} global.set $decision")
    code.integer(decision.player)
    code.put("global.set $player i32.const -1")
