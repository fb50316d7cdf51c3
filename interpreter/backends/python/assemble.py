"""From text to a machine: the names that generated code sees, and the functions taken out of it."""

from __future__ import annotations

import marshal
import re
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from interpreter.backends.machine import Event
from interpreter.backends.python import support, ways
from interpreter.backends.python.generate import generate
from interpreter.backends.python.machine import Code, PythonMachine
from interpreter.backends.python.writer import function_name
from interpreter.core.cells import listed
from interpreter.core.nodes import Decision, Program

_HELPERS = (
    support.fault,
    support.floor_div,
    support.ceil_div,
    listed,
    support.set_of,
    support.take,
    support.zeros,
    support.roll_die,
    support.roll_dice,
    support.pick_one,
    support.scripted,
    ways.reach_around,
    ways.reach_along,
    ways.way,
    ways.edges_of,
)
_BITS = re.compile(r"\bBIT(\d+)\b")


@dataclass(frozen=True)
class Translation:
    """A program as code of Python; the sizes of the tables of bits that it uses."""

    code: bytes
    bits: tuple[int, ...]

    @property
    def brief(self) -> Translation:
        """What is kept of it: all."""
        return self


def translate(program: Program) -> Translation:
    """What `machine` begins with; it may be kept for another time, for the same version of Python."""
    text = generate(program)
    bits = tuple(sorted({int(size) for size in _BITS.findall(text)}))
    return Translation(marshal.dumps(compile(text, "<core>", "exec")), bits)


def machine(program: Program, translation: Translation | None = None) -> PythonMachine:
    """Compiles a program."""
    given = translation or translate(program)
    names = _constants(program, given.bits)
    exec(marshal.loads(given.code), names)  # of our own making: authors' names stand in it only after prefixes
    code = Code(
        functions=[names[function_name(program, number)] for number in range(len(program.functions))],
        blocks=[names[f"b{number}"] for number in range(len(program.blocks))],
        finders=[names[f"d{number}"] for number in range(len(program.decisions))],
        players=[names[f"p{number}"] for number in range(len(program.decisions))],
        takings=[_taking(decision, names) for decision in program.decisions],
    )
    made = PythonMachine(program, code)
    names |= {"X": made, "BLOCKS": code.blocks, "TAKINGS": code.takings}
    return made


def _constants(program: Program, bits: tuple[int, ...]) -> dict[str, Any]:
    names: dict[str, Any] = {helper.__name__: helper for helper in _HELPERS}
    names |= {"Event": Event, "MEMBERS": support.Members(), "from_bytes": int.from_bytes}
    names |= {f"T{number}": tuple(table) for number, table in enumerate(program.tables)}
    names |= {f"S{number}": tuple(table) for number, table in enumerate(program.set_tables)}
    names |= {f"L{number}": tuple(table) for number, table in enumerate(program.list_tables)}
    names |= {f"SHARES{number}": tuple(accumulate(die.weights)) for number, die in enumerate(program.dice)}
    for number, graph in enumerate(program.graphs):
        names[f"AROUND{number}"] = graph.around
        closed = tuple(mask | 1 << space for space, mask in enumerate(graph.masks))
        names[f"CLOSED{number}"] = (*closed, 0)  # as in BIT, the last entry is for -1
        names[f"WIDE{number}"] = ways.Wide(closed)
    for size in bits:
        names[f"BIT{size}"] = (*(1 << item for item in range(size)), 0)
    return names


def _taking(decision: Decision, names: dict[str, Any]) -> support.Taking:
    options = []
    for option in decision.options:
        homes = [binder.var.home for binder in option.binders]
        if None in homes:
            raise ValueError(f"a binder of {decision.name} has no home")
        options.append((tuple(home for home in homes if home is not None), names[f"b{option.target}"], option.final))
    return support.Taking(options, names[f"b{decision.otherwise}"])
