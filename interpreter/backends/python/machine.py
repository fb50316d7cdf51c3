"""The Python machine: what generated code runs in, and the loop that plays with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from interpreter.backends.machine import Event, Pending, Segment
from interpreter.backends.python.support import Cells, Found, Segments, Step, Taking, take, views
from interpreter.core.cells import listed
from interpreter.core.header import ANSWERS, PC, PLIES, STATUS, STEPS
from interpreter.core.nodes import Ask, Program
from interpreter.core.rng import GOLDEN, MASK64, choice, stream

NOTHING: Cells = memoryview(b"")


@dataclass(frozen=True, slots=True)
class Code:
    """Generated functions, by the numbers of the core."""

    functions: list[Callable[..., Any]]
    blocks: list[Step]
    finders: list[Callable[[Cells, Cells], tuple[int, Segments]]]  # candidates of each decision
    players: list[Callable[[Cells, Cells], int]]
    takings: list[Taking]


@dataclass(slots=True)
class PythonMachine:
    """See `Machine`. One call at a time.

    The views of the block last used are kept, so its size is fixed while it is in use here. Its question is kept
    too, with the bytes it belongs to, so that nobody who writes to a block or goes back to older bytes is misled.
    """

    program: Program
    code: Code = field(repr=False)
    name: str = "python"
    listening: bool = False
    events: list[Event] = field(default_factory=list)
    script: list[int] = field(default_factory=list)
    found: Found | None = field(default=None, repr=False)  # where generated code leaves a question
    found_in: bytes = field(default=b"", repr=False)
    block: bytearray = field(default_factory=bytearray, repr=False)
    views: tuple[Cells, Cells] = field(default=(NOTHING, NOTHING), repr=False)

    def advance(self, block: bytearray) -> None:
        """Runs to the first question that waits, or to the end."""
        m, q = self._open(block)
        self.events = []
        if m[STATUS] == 0:
            before = bytes(block)
            try:
                self._run(m, q, self.code.blocks[m[PC]])
            except BaseException:
                block[:] = before
                raise
            self.found_in = bytes(block)

    def pending(self, block: bytearray) -> Pending | None:
        """The question that waits, or None at the end."""
        m, q = self._open(block)
        if m[STATUS]:
            return None
        number, player, count, segments = self._question(block, m, q)
        shown = tuple(Segment(option, outer, last) for _, option, outer, last in segments)
        return Pending(number, int(player), shown, count)

    def apply(self, block: bytearray, index: int) -> None:
        """Takes a candidate, then advances."""
        m, q = self._open(block)
        self.events = []
        if m[STATUS]:
            raise IndexError("the game has ended")
        number, _, count, segments = self._question(block, m, q)
        if not 0 <= index < count:
            raise IndexError(f"candidate {index} of {count}")
        before = self.found_in
        try:
            step = take(m, self.code.takings[number], segments, index)
            m[ANSWERS] += 1
            self._run(m, q, step)
        except BaseException:
            block[:] = before
            raise
        self.found_in = bytes(block)

    def playout(self, block: bytearray, seed: int, max_plies: int) -> None:
        """Plays on at random. This is the loop that has to be fast: `rng.choice` is written out in it."""
        m, q = self._open(block)
        if m[STATUS]:
            return
        before = bytes(block)
        listening, self.listening = self.listening, False
        takings, keys = self.code.takings, dict[int, int]()
        try:
            self._run(m, q, self.code.blocks[m[PC]])
            while not m[STATUS] and m[PLIES] < max_plies:
                assert self.found is not None
                number, player, count, segments = self.found
                key = keys.get(player)
                if key is None:
                    key = keys[player] = stream(seed, player)
                answers = m[ANSWERS]
                x = (key + (answers + 1) * GOLDEN) & MASK64
                x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
                x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK64
                product = ((x ^ (x >> 31)) >> 32) * count
                if product & 0xFFFFFFFF < count:  # only then can it be one of those that are thrown away
                    product = choice(key, answers, count) << 32
                step = take(m, takings[number], segments, product >> 32)
                m[ANSWERS] = answers + 1
                while step is not None:
                    step = step(m, q)
                m[STEPS] = 0
        except BaseException:
            block[:] = before
            raise
        finally:
            self.listening = listening
        self.found_in = bytes(block)

    def perft(self, block: bytearray, depth: int) -> int:
        """Counts sequences of choices."""
        listening, script = self.listening, self.script
        self.listening, self.script = False, []
        try:
            return self._perft(bytearray(block), depth)
        finally:
            self.listening, self.script, self.found_in = listening, script, b""

    def evaluate(self, block: bytearray, function: int, args: tuple[int, ...]) -> int | tuple[int, ...]:
        """The value of a pure function."""
        m, q = self._open(block)
        try:
            value = self.code.functions[function](m, q, *args)
        finally:
            m[STEPS] = 0
        kind = self.program.functions[function].result
        if kind is None or kind.form == "int":
            return int(value)
        return listed(value) if kind.form == "set" else tuple(map(int, value))

    def _open(self, block: bytearray) -> tuple[Cells, Cells]:
        """The block as cells of 32 and of 64 bits."""
        if block is not self.block:
            self.views = views(block, self.program.cells)
            self.block = block
        return self.views

    def _run(self, m: Cells, q: Cells, step: Step | None) -> None:
        """Plays on until a question waits (then it is in `found`) or the game has ended."""
        self.found_in = b""
        while step is not None:
            step = step(m, q)
        m[STEPS] = 0

    def _question(self, block: bytearray, m: Cells, q: Cells) -> Found:
        """The question that waits in a block."""
        if self.found is None or self.found_in != block:
            waiting = self.program.blocks[m[PC]].exit
            if not isinstance(waiting, Ask):
                raise ValueError("no question waits: the block has to be advanced first")
            try:
                count, segments = self.code.finders[waiting.decision](m, q)
                player = self.code.players[waiting.decision](m, q)
            finally:
                m[STEPS] = 0
            self.found = (waiting.decision, player, count, segments)
            self.found_in = bytes(block)
        return self.found

    def _perft(self, block: bytearray, depth: int) -> int:
        levels = [views(block, self.program.cells)]  # a scratch position for each choice on the way
        m, _ = levels[0]
        if depth <= 0 or m[STATUS]:
            return 1 if depth <= 0 else 0
        goal = m[PLIES] + depth
        final = [[option.final for option in decision.options] for decision in self.program.decisions]

        def play_on(level: int, step: Step | None) -> int:
            m, q = levels[level]
            self._run(m, q, step)
            if m[PLIES] >= goal:
                return 1
            return 0 if m[STATUS] else count(level)

        def child(level: int, number: int, segments: Segments, index: int) -> int:
            if len(levels) == level + 1:
                levels.append(views(bytearray(len(block)), self.program.cells))
            m, _ = levels[level + 1]
            m[:] = levels[level][0]
            step = take(m, self.code.takings[number], segments, index)
            m[ANSWERS] += 1
            return play_on(level + 1, step)

        def count(level: int) -> int:
            assert self.found is not None
            number, _, candidates, segments = self.found
            last_ply = levels[level][0][PLIES] == goal - 1
            total = index = 0
            for size, option, _, _ in segments:
                if last_ply and final[number][option]:
                    total += size
                else:
                    total += sum(child(level, number, segments, index + k) for k in range(size))
                index += size
            if index < candidates:  # the stop
                total += 1 if last_ply else child(level, number, segments, index)
            return total

        return play_on(0, self.code.blocks[m[PC]])
