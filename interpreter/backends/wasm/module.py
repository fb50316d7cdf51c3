"""A program as one WebAssembly module, in text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.backends.wasm import decisions, functions, integers, lists, queries, sets, statements
from interpreter.backends.wasm.code import World, Writers
from interpreter.backends.wasm.forms import everything, to_inline
from interpreter.backends.wasm.memory import FAULT, MOST_PAGES, PAGE, Layout, laid_out
from interpreter.backends.wasm.running import exports
from interpreter.backends.wasm.support import helpers
from interpreter.core import nodes as n

_WRITERS = Writers(integers.integer, sets.members, lists.row, statements.statements, queries.query, functions.call)


@dataclass(frozen=True, slots=True)
class Built:
    """The text of a module, and what the host must know of its memory. `figures`: where `evaluate` finds its arguments
    and leaves its result; `pages`: size of a fresh memory."""

    text: str
    layout: Layout
    figures: int
    pages: int


def build(program: n.Program, comments: bool = False) -> Built:
    """Generates the module; with comments, readably: names of the core, and the place in the rules of each check."""
    world = World(program, _WRITERS, comments, _longest(program), inlined=to_inline(program))
    texts = [decisions.candidates(world, i) for i in range(len(program.decisions))]
    texts += [decisions.taking(world, i) for i in range(len(program.decisions))]
    texts += [decisions.block(world, i) for i in range(len(program.blocks))]
    evaluated = [i for i, function in enumerate(program.functions) if evaluable(function)]
    widest = max((max(len(program.functions[i].params), _width(program.functions[i])) for i in evaluated), default=0)
    figures = world.memory.room(8 * widest)
    texts += [_evaluator(program, i, figures) for i in evaluated]
    world.wanted.extend(i for i in evaluated if i not in world.wanted)
    done = 0
    while done < len(world.wanted):  # writing one may call for others
        texts.append(functions.whole(world, world.wanted[done]))
        done += 1
    bulk = world.memory.constant(bytes(_bulk(decision) for decision in program.decisions) or b"\0")
    helping = helpers(world.uses, world.memory)
    layout = laid_out(world.memory.end, program.cells)
    pages = (layout.arena + PAGE - 1) // PAGE + 4
    head = [
        "(module",
        f'(memory (export "memory") {pages} {max(MOST_PAGES, pages)})',
        *(
            f"(global ${name} (mut i32) i32.const 0)"
            for name in ("steps", "count", "decision", "player", "top", "end", "limit")
        ),
        *_data(world.memory.pieces),
    ]
    tail = [
        _switch(
            "dispatch",
            "(param $b i32) (param $pc i32) (result i32)",
            "local.get $pc",
            [f"local.get $b call $block{i}" for i in range(len(program.blocks))],
        ),
        _switch(
            "take",
            "(param $b i32) (param $d i32) (param $k i32) (result i32)",
            "local.get $d",
            [f"local.get $b local.get $k call $take{i}" for i in range(len(program.decisions))],
        ),
        _switch(
            'evaluate (export "evaluate")',
            "(param $b i32) (param $f i32)",
            "local.get $f",
            [
                f"local.get $b call $e{i}" if i in set(evaluated) else "unreachable"
                for i in range(len(program.functions))
            ],
        ),
        exports(layout, program.cells, bulk),
        ")",
    ]
    text = "\n".join([*head, *helping, *texts, *tail])
    return Built(_indented(text) if comments else text, layout, figures, pages)


def evaluable(function: n.Function) -> bool:
    """Whether the host may ask for the value of a function."""
    return function.pure and function.result is not None and all(param.type.form == "int" for param in function.params)


def _width(function: n.Function) -> int:
    return len(functions.kinds(function.result))


def _bulk(decision: n.Decision) -> bool:
    return all(option.final for option in decision.options)


def _longest(program: n.Program) -> int:
    """The most items that any list can have."""
    sizes = [len(row) for table in program.list_tables for row in table]
    sizes += [graph.size for graph in program.graphs]
    for node in everything((tuple(program.functions), tuple(program.blocks), tuple(program.decisions))):
        if isinstance(node, n.ListOf):
            sizes.append(len(node.items))
        elif isinstance(node, n.ListOfSet):
            sizes.append(node.size)
    return max(sizes, default=0)


def _evaluator(program: n.Program, number: int, figures: int) -> str:
    """`$e<n>`: takes the arguments from memory and leaves the result there."""
    function = program.functions[number]
    results = functions.kinds(function.result)
    args = [f"i32.const 0 i32.load offset={figures + 8 * i}" for i in range(len(function.params))]
    names = [f"$r{i}" for i in range(len(results))]
    return "\n".join(
        [
            f"(func $e{number} (param $b i32)",
            *(f"(local {name} {kind})" for name, kind in zip(names, results, strict=True)),
            "i32.const 0 global.set $steps",
            f"local.get $b {' '.join(args)} call $f{number}",
            *(f"local.set {name}" for name in reversed(names)),
            *(
                f"i32.const 0 local.get {name} {kind}.store offset={figures + 8 * i}"
                for i, (name, kind) in enumerate(zip(names, results, strict=True))
            ),
            ")",
        ]
    )


def _switch(name: str, header: str, selector: str, cases: Sequence[str]) -> str:
    """A function that picks one of the cases by number, and traps on any other."""
    result = " return"
    labels = [f"$c{i}" for i in range(len(cases))]
    lines = [f"(func ${name} {header}", "block $none", *(f"block {label}" for label in reversed(labels))]
    lines.append(f"{selector} br_table {' '.join([*labels, '$none'])}")
    for case in cases:
        lines += ["end", case + result]
    return "\n".join([*lines, "end", "unreachable", ")"])


def _data(pieces: Sequence[tuple[int, bytes]]) -> list[str]:
    """Data segments, neighbours joined."""
    runs: list[tuple[int, bytearray]] = [(FAULT, bytearray(4))]
    for address, content in pieces:
        start, run = runs[-1]
        gap = address - start - len(run)
        if gap < 16:
            run += bytes(gap) + content
        else:
            runs.append((address, bytearray(content)))
    return [f'(data (i32.const {start}) "{_escaped(run)}")' for start, run in runs if any(run)]


def _escaped(run: bytearray) -> str:
    return "".join(f"\\{byte:02x}" for byte in run)


def _indented(text: str) -> str:
    """The text with blocks indented, for reading."""
    lines, depth = [], 0
    for line in text.split("\n"):
        bare = line.strip()
        first = bare.partition(" ")[0]
        if first in ("end", "else", ")"):
            depth = max(depth - 1, 0)
        lines.append("  " * depth + bare)
        if (
            first in ("block", "loop", "if", "else")
            or (first == "(func" and not bare.endswith(")"))
            or first == "(module"
        ):
            depth += 1
        elif bare.endswith(")") and first not in (")",) and not bare.startswith("("):
            depth = max(depth - 1, 0)  # the last line of a function of `support`
    return "\n".join(lines)
