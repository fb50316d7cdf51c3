"""Answers given in secret that wait to take effect, given anew at random: nobody else knows them."""

from __future__ import annotations

from contextlib import suppress

from interpreter.backends.machine import Fault, Machine
from interpreter.core import header
from interpreter.core.compiled import Compiled
from interpreter.core.nodes import Ask
from interpreter.runtime.redeal import chance

KEPT = (header.PC, header.PLIES, header.ANSWERS, header.KNOWN)
UNASKED = -1  # of an answer's variable, see `core.lower.secretly`


def answer_again(compiled: Compiled, block: bytearray, machine: Machine, seat: int, seed: int) -> None:
    """In a position that waits for an answer in secret, gives those of the other players before it at random."""
    cells = memoryview(block).cast("i")
    if cells[header.STATUS] or not compiled.secrecy.rounds:
        return
    here = compiled.program.blocks[cells[header.PC]].exit
    for asked in compiled.secrecy.rounds:
        numbers = [decision for decision, _ in asked]
        if not isinstance(here, Ask) or here.decision not in numbers:
            continue
        asks = {b.exit.decision: i for i, b in enumerate(compiled.program.blocks) if isinstance(b.exit, Ask)}
        kept = {cell: cells[cell] for cell in KEPT}
        dice = chance(seed + 2)
        machine.script = []
        for decision, took in asked[: numbers.index(here.decision)]:
            if took.home is None or cells[took.home] == UNASKED:
                continue
            cells[header.PC] = asks[decision]
            pending = machine.pending(block)
            if pending is None or pending.player == seat:
                continue
            with suppress(Fault):  # then the answer stays as it was
                machine.apply(block, dice.below(pending.count))
        for cell, value in kept.items():
            cells[cell] = value
