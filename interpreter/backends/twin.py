"""Two machines as one: whatever is asked of it is asked of both backends, on bytes of their own, and must come out
equal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from interpreter.backends.machine import Event, Fault, Machine, Pending
from interpreter.core.nodes import Program

Result = TypeVar("Result")


class Unequal(Exception):
    """The backends do not agree: what in, in words."""


@dataclass
class Twin:
    """A machine whose every answer is that of `one` and of `other`. Raises Unequal."""

    one: Machine
    other: Machine
    name: str = "both"
    listening: bool = True
    events: list[Event] = field(default_factory=list)
    script: list[int] = field(default_factory=list)

    program: Program = field(init=False)

    def __post_init__(self) -> None:
        self.program = self.one.program

    def _both(self, block: bytearray, act: Callable[[Machine, bytearray], Result]) -> Result:
        before = bytes(block)
        copy = bytearray(block)
        results: list[Result | Fault] = []
        for machine, cells in ((self.one, block), (self.other, copy)):
            machine.listening, machine.script, machine.events = self.listening, list(self.script), []
            try:
                results.append(act(machine, cells))
            except Fault as fault:
                _demand(bytes(cells) == before, f"{machine.name} changed the bytes in spite of a fault")
                results.append(fault)
        first, second = results
        _demand(bytes(block) == bytes(copy), "the backends come to different bytes")
        _demand(self.one.events == self.other.events, "the backends tell different events")
        if isinstance(first, Fault) and isinstance(second, Fault):
            _demand(first.args == second.args, f"the backends fault differently: {first!r}, {second!r}")
            raise first
        if isinstance(first, Fault) or isinstance(second, Fault):
            raise Unequal(f"one backend faults: {first!r}, {second!r}")
        _demand(first == second, f"the backends give {first!r} and {second!r}")
        self.events = self.one.events
        self.script = self.one.script
        return first

    def advance(self, block: bytearray) -> None:
        self._both(block, lambda m, b: m.advance(b))
        done = bytes(block)
        events = self.events
        self._both(block, lambda m, b: m.advance(b))
        _demand(bytes(block) == done, "advancing twice changes something")
        self.events = events

    def pending(self, block: bytearray) -> Pending | None:
        return self._both(block, lambda m, b: m.pending(b))

    def apply(self, block: bytearray, index: int) -> None:
        self._both(block, lambda m, b: m.apply(b, index))

    def playout(self, block: bytearray, seed: int, max_plies: int) -> None:
        self._both(block, lambda m, b: m.playout(b, seed, max_plies))

    def perft(self, block: bytearray, depth: int) -> int:
        return self._both(block, lambda m, b: m.perft(b, depth))

    def evaluate(self, block: bytearray, function: int, args: tuple[int, ...]) -> int | tuple[int, ...]:
        return self._both(block, lambda m, b: m.evaluate(b, function, args))


def _demand(equal: bool, message: str) -> None:
    if not equal:
        raise Unequal(message)
