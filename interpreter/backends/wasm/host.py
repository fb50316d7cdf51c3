"""The WebAssembly machine: the host's side of a compiled module.

The host copies a block into the module's memory, calls, and copies it back; after a fault it does not copy it back, so
the old bytes stay. As long as a block still has the bytes that the last call left, its candidates still lie in memory
and need not be found again.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from interpreter.backends.machine import Event, Fault, Pending
from interpreter.backends.wasm import memory as m
from interpreter.backends.wasm.calls import Instance, Stopped, instantiate
from interpreter.backends.wasm.decode import Records, read_events, read_segments, records
from interpreter.backends.wasm.memory import words
from interpreter.backends.wasm.module import Built, evaluable
from interpreter.core.cells import listed
from interpreter.core.header import PC, STATUS
from interpreter.core.nodes import Ask, Program

if TYPE_CHECKING:
    import wasmtime

_EVENT_BYTES = 16 * 1024  # room for events at first; doubled as often as it takes
_STACK_BYTES = 16 * 1024  # room for candidates at first; the module lets its memory grow by itself
_BATCH = 256  # games in one call: between calls the host may be interrupted

_CONTROL = struct.Struct("<iiiiii")  # LISTENING … ARENA
_FAULT = struct.Struct("<iii")
_ASKED = struct.Struct("<iiii")
_RESULT = struct.Struct("<iiiiiiQ")


@dataclass(frozen=True, slots=True)
class Playout:
    """One random game of a batch. `digest`: 64 bits of its last position (FNV-1a over cells); `final`: that position's
    bytes, if they were asked for. After a fault only `fault` is meant."""

    status: int = 0
    winner: int = -1
    ending: int = 0
    plies: int = 0
    answers: int = 0
    digest: int = 0
    final: bytes | None = None
    fault: Fault | None = None


@dataclass(slots=True)
class WasmMachine:
    """See `Machine`. For one thread at a time; `clone` gives another one of the same compiled module."""

    program: Program
    built: Built = field(repr=False)
    module: wasmtime.Module = field(repr=False)
    name: str = "wasm"
    listening: bool = False
    events: list[Event] = field(default_factory=list)
    script: list[int] = field(default_factory=list)
    instance: Instance = field(init=False, repr=False)
    event_bytes: int = field(default=_EVENT_BYTES, repr=False)
    quiet: bool = field(default=False, repr=False)  # the control words say: no script, no events
    count: int = field(
        default=-1, repr=False
    )  # candidates of the position in memory, whose records lie there; -1: none do

    records: tuple[Records, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.records = records(self.program)
        self.instance = instantiate(self.module)

    def clone(self) -> WasmMachine:
        """Another machine of the same program, for another thread."""
        return WasmMachine(self.program, self.built, self.module)

    # ---- as in Machine

    def advance(self, block: bytearray) -> None:
        """Runs to the first question that waits, or to the end."""
        self.events = []
        if not block[4 * STATUS]:
            self._run(block, "advance", ())

    def pending(self, block: bytearray) -> Pending | None:
        """The question that waits, or None at the end."""
        if block[4 * STATUS]:
            return None
        if not self._at_hand(block):
            self._check_waits(block)
            copy = bytearray(block)
            self._enter(copy)
            self._quieten()
            self._finish(copy, self._call("advance", self.built.layout.work))
        count = self.count
        decision, player, top, end = _ASKED.unpack_from(self.instance.memory, m.ASKED)
        return Pending(decision, player, read_segments(self.records[decision], self._memory(end), top, end), count)

    def apply(self, block: bytearray, index: int) -> None:
        """Takes a candidate, then advances."""
        self.events = []
        if block[4 * STATUS]:
            raise IndexError("the game has ended")
        if not 0 <= index < 2**31:
            raise IndexError(f"no candidate {index}")
        if self.quiet and not self.listening and not self.script and self._at_hand(block):
            if index >= self.count:
                raise IndexError(f"candidate {index} of {self.count}")
            self.count = -1
            self._finish(block, self._call("answer", self.built.layout.work, index))
        else:
            self._check_waits(block)
            self._run(block, "apply", (index,))

    def playout(self, block: bytearray, seed: int, max_plies: int) -> None:
        """Plays on at random."""
        if not block[4 * STATUS]:
            listening, events, self.listening = self.listening, self.events, False
            try:
                self._run(block, "playout", (_signed(seed, 64), min(max_plies, 2**31 - 1)))
            finally:
                self.listening, self.events = listening, events

    def perft(self, block: bytearray, depth: int) -> int:
        """Counts sequences of choices."""
        if depth <= 0 or block[4 * STATUS]:
            return 1 if depth <= 0 else 0
        self._enter(block)
        self._quieten()
        return self._call("perft", self.built.layout.work, depth)

    def evaluate(self, block: bytearray, function: int, args: tuple[int, ...]) -> int | tuple[int, ...]:
        """The value of a pure function."""
        found = self.program.functions[function]
        if not evaluable(found) or len(args) != len(found.params) or found.result is None:
            raise ValueError(f"{found.name} is no pure function of {len(args)} integers")
        self._enter(block)
        self._quieten()
        figures = self.built.figures
        for i, arg in enumerate(args):
            struct.pack_into("<i", self.instance.memory, figures + 8 * i, arg)
        self._call("evaluate", self.built.layout.work, function)
        memory = self.instance.memory
        if found.result.form == "set":
            return listed(int.from_bytes(memory[figures : figures + 8 * words(found.result.size)], "little"))
        first, length = struct.unpack_from("<i4xi", memory, figures) if found.result.form == "list" else (figures, 1)
        items = struct.unpack_from(f"<{length}i", memory, first)
        return tuple(items) if found.result.form == "list" else int(items[0])

    # ---- beyond Machine

    def playouts(
        self, block: bytearray, seed: int, games: int, max_plies: int, *, first: int = 0, finals: bool = False
    ) -> Iterator[Playout]:
        """Random games number `first` … first+games-1 from one position, each as if its generator had been seeded
        (`rng.seeded`) with seed + number and `playout` been called with that seed. Nothing is left in `block`."""
        position = self.built.layout.position
        for start in range(first, first + games, _BATCH):
            size = min(_BATCH, first + games - start)
            self._enter(block, self.built.layout.start)
            out = self.built.layout.arena
            kept = out + 32 * size
            self._control(0, 0, 0, 0, 0, kept + (position * size if finals else 0))
            faults: dict[int, Fault] = {}
            done = 0
            while done < size:  # a fault ends the call, and the next begins with the game after it
                try:
                    seeded = _signed(seed + start, 64)
                    self._call("playouts", done, size, seeded, min(max_plies, 2**31 - 1), out, kept if finals else 0)
                    done = size
                except Fault as fault:
                    done = struct.unpack_from("<i", self.instance.memory, m.GAME)[0]
                    faults[done] = fault
                    done += 1
            memory = self._memory(kept + position * size)
            results = []
            for i in range(size):
                status, winner, ending, plies, answers, _, digest = _RESULT.unpack_from(memory, out + 32 * i)
                at = kept + position * i
                final = bytes(memory[at : at + len(block)]) if finals else None
                results.append(Playout(status, winner, ending, plies, answers, digest, final))
            yield from (Playout(fault=faults[i]) if i in faults else result for i, result in enumerate(results))

    # ---- calls

    def _run(self, block: bytearray, name: str, args: tuple[int, ...]) -> None:
        """Enters the block, calls with script and events as they are asked for, and brings back the result."""
        layout = self.built.layout
        while True:
            self._enter(block)
            if not self.listening and not self.script:
                self._quieten()
                self._finish(block, self._call(name, layout.work, *args))
                return
            script = layout.arena
            events = script + 4 * len(self.script)
            end = (events + (self.event_bytes if self.listening else 0) + 7) // 8 * 8
            self._control(int(self.listening), script, events, events, end, end)
            struct.pack_into(f"<{len(self.script)}i", self.instance.memory, script, *self.script)
            try:
                result = self._call(name, layout.work, *args)
            except _NoRoom:
                self.event_bytes *= 2
                continue
            except BaseException:
                self._gather(script, events)
                raise
            self._gather(script, events)
            self._finish(block, result)
            return

    def _gather(self, script: int, events: int) -> None:
        """Takes from memory what the call recorded, and from the script what it used."""
        memory = self.instance.memory
        _, used, _, end, _, _ = _CONTROL.unpack_from(memory, m.LISTENING)
        del self.script[: (used - script) // 4]
        self.events = read_events(memory, events, end)

    def _call(self, name: str, *args: int) -> int:
        """Calls; what the module stopped for is raised as an exception."""
        self.count = -1
        try:
            return self.instance.call(name, *args)
        except Stopped as stopped:
            kind, a, b = _FAULT.unpack_from(self.instance.memory, m.FAULT)
            _FAULT.pack_into(self.instance.memory, m.FAULT, 0, 0, 0)
            if kind > 0:
                raise Fault(kind - 1, a, b) from None
            if kind == m.EVENTS_FULL:
                raise _NoRoom from None
            if kind == m.MEMORY_FULL:
                raise MemoryError("the candidates of one question do not fit into memory") from None
            raise RuntimeError(f"the compiled rules stopped: {stopped}") from None

    def _enter(self, block: bytearray, address: int | None = None) -> None:
        if len(block) != 4 * self.program.cells:
            raise ValueError(f"a position has {4 * self.program.cells} bytes, not {len(block)}")
        self.count = -1
        start = self.built.layout.work if address is None else address
        self.instance.memory[start : start + len(block)] = block

    def _finish(self, block: bytearray, result: int) -> None:
        """Brings the position back. The low half of the result says how many candidates there are, -1 at the end of the
        game."""
        count = _signed(result, 32)
        if count == -2:
            raise IndexError("there is no such candidate")
        work = self.built.layout.work
        block[:] = self.instance.memory[work : work + len(block)]
        self.count = count

    def _at_hand(self, block: bytearray) -> bool:
        """Whether the records of the block's candidates lie in memory."""
        work = self.built.layout.work
        return self.count >= 0 and bytes(self.instance.memory[work : work + len(block)]) == block

    def _check_waits(self, block: bytearray) -> None:
        number = int.from_bytes(block[4 * PC : 4 * PC + 4], "little")
        if number >= len(self.program.blocks) or not isinstance(self.program.blocks[number].exit, Ask):
            raise ValueError("no question waits: the block has to be advanced first")

    def _quieten(self) -> None:
        if not self.quiet:
            self._control(0, 0, 0, 0, 0, self.built.layout.arena)
            self.quiet = True

    def _control(self, listening: int, script: int, script_end: int, events: int, events_end: int, stack: int) -> None:
        """Sets the control words, and sees to it that memory reaches far enough."""
        self.quiet = False
        self.count = -1
        stack = (stack + 7) // 8 * 8
        if stack + _STACK_BYTES > len(self.instance.memory):
            self._call("reserve", stack + _STACK_BYTES)
        memory = self._memory(stack + _STACK_BYTES)
        _CONTROL.pack_into(memory, m.LISTENING, listening, script, script_end, events, events_end, stack)

    def _memory(self, upto: int) -> memoryview:
        """The memory; its view is made anew if it does not reach far enough."""
        if upto > len(self.instance.memory):
            self.instance.memory = self.instance.whole()
        return self.instance.memory


class _NoRoom(Exception):
    """The events of a call need more room than there was."""


def _signed(value: int, bits: int) -> int:
    """The low bits of an integer, read as a signed number."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> bits - 1 else value
