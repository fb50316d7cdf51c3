"""Reading what a module leaves in memory: events and candidates."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from interpreter.backends.machine import Event, Segment
from interpreter.backends.wasm.decisions import last_size, shape
from interpreter.backends.wasm.memory import words
from interpreter.core.nodes import Program


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


@dataclass(frozen=True, slots=True)
class Records:
    """How the records of a decision are read: their length, where the words begin, and for each option the struct of
    its outer values and the bytes of its last set (None without binders)."""

    length: int
    words: int
    options: tuple[tuple[struct.Struct, int | None], ...]


def records(program: Program) -> tuple[Records, ...]:
    """For each decision."""
    found = []
    for decision in program.decisions:
        start, length = shape(program, decision)
        options = tuple(
            (
                struct.Struct(f"<{max(len(option.binders) - 1, 0)}i"),
                8 * words(last_size(program, option)) if option.binders else None,
            )
            for option in decision.options
        )
        found.append(Records(length, start, options))
    return tuple(found)


def read_segments(how: Records, memory: memoryview, start: int, end: int) -> tuple[Segment, ...]:
    """The records between two addresses (see `decisions`)."""
    found = []
    for at in range(start, end, how.length):
        index = int.from_bytes(memory[at + 4 : at + 8], "little")
        outer, size = how.options[index]
        begin = at + how.words
        last = None if size is None else int.from_bytes(memory[begin : begin + size], "little")
        found.append(Segment(index, outer.unpack_from(memory, at + 8), last))
    return tuple(found)
