"""The Python backend, the reference: core programs as Python functions over a position's cells."""

from __future__ import annotations

from interpreter.backends.machine import Machine
from interpreter.backends.python.assemble import Translation as Translation
from interpreter.backends.python.assemble import machine
from interpreter.backends.python.assemble import translate as translate
from interpreter.backends.python.generate import generate
from interpreter.core.nodes import Program


def compile_program(program: Program, translation: Translation | None = None) -> Machine:
    """A machine for a program. The program must not change any more."""
    return machine(program, translation)


def source(program: Program) -> str:
    """The Python text that runs, for people to read."""
    return generate(program)
