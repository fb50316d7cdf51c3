"""Reading what a module leaves in memory: events and candidates."""

from __future__ import annotations

import struct

from interpreter.backends.machine import Event, Segment
from interpreter.backends.wasm.decisions import last_size, shape
from interpreter.backends.wasm.memory import words
from interpreter.core.nodes import Program


def members(bits: int) -> tuple[int, ...]:
    """The members of a set in rising order."""
    found = []
    while bits:
        low = bits & -bits
        bits ^= low
        found.append(low.bit_length() - 1)
    return tuple(found)


def read_events(memory: memoryview, start: int, end: int) -> list[Event]:
    """The events between two addresses (see `statements`: number, readers, how many arguments, then each)."""
    figures = struct.unpack_from(f"<{(end - start) // 4}i", memory, start)
    found = []
    at = 0
    while at < len(figures):
        event, to, count = figures[at : at + 3]
        at += 3
        args: list[int | tuple[int, ...]] = []
        for _ in range(count):
            length = figures[at]
            at += 1
            args.append(figures[at] if length < 0 else tuple(figures[at : at + length]))
            at += abs(length)
        found.append(Event(event, tuple(args), to))
    return found


def read_segments(program: Program, number: int, memory: memoryview, start: int, end: int) -> tuple[Segment, ...]:
    """The records between two addresses (see `decisions`)."""
    decision = program.decisions[number]
    offset, length = shape(program, decision)
    found = []
    for at in range(start, end, length):
        index = int.from_bytes(memory[at + 4 : at + 8], "little")
        option = decision.options[index]
        outer = struct.unpack_from(f"<{max(len(option.binders) - 1, 0)}i", memory, at + 8)
        size = 8 * words(last_size(program, option))
        last = int.from_bytes(memory[at + offset : at + offset + size], "little") if option.binders else None
        found.append(Segment(index, outer, last))
    return tuple(found)
