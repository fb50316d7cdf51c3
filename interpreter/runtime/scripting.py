"""Scripted chance: which faces and pieces the words of a script are, found by trying.

A machine takes numbers, and only the rules tell of which die or kind. So each word is tried in turn: what the words
before it lead to shows what is asked for next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter.backends.machine import Fault, Machine
from interpreter.core import header
from interpreter.core.compiled import Compiled
from interpreter.core.nodes import Die
from interpreter.diagnostics import UsageError, did_you_mean
from interpreter.lang.types import KindT
from interpreter.lang.world import Kind
from interpreter.runtime.faults import explained

Word = tuple[str, str]  # `dice` and a face, or `draws` and the id of a piece
Act = Callable[[bytearray], None]  # what chance is scripted for: an answer, or the run to the first question

MISMATCH = "script-mismatch"  # code of the fault of a piece that is not there to be drawn


class ScriptError(UsageError):
    """A script that is not what the rules ask for; `entry` is the number of its first wrong word."""

    def __init__(self, message: str, help: str, entry: int) -> None:
        super().__init__(message, help)
        self.entry = entry


def resolved(words: Sequence[Word], act: Act, block: bytearray, compiled: Compiled, machine: Machine) -> list[int]:
    """A script as a machine takes it. Raises ScriptError if it does not fit what the rules ask of chance in `act`, and
    RuleFault if they fault before."""
    numbers: list[int] = []
    for entry, word in enumerate(words):
        asked = _asked(numbers, act, bytearray(block), compiled, machine)
        if len(asked) <= entry:
            left = len(words) - entry
            what = "a word" if left == 1 else f"{left} words"
            raise ScriptError(f"the script has {what} left, and the rules ask nothing more of chance here", "", entry)
        numbers.append(_number(word, asked[entry], entry))
    if numbers:
        after = bytearray(block)
        _asked(numbers, act, after, compiled, machine)
        if _generator(after) != _generator(block):
            help_ = "script all that chance brings here, or nothing"
            raise ScriptError("the rules ask more of chance here than the script brings", help_, len(words) - 1)
    return numbers


def _generator(block: bytearray) -> bytes:
    return bytes(block[4 * header.RANDOM : 4 * header.RANDOM + 16])


def _asked(numbers: list[int], act: Act, block: bytearray, compiled: Compiled, machine: Machine) -> list[Die | Kind]:
    """What the rules ask of chance, in order, if the first of it comes as the numbers say."""
    failed: Fault | None = None
    try:
        _run(numbers, act, block, machine)
    except Fault as fault:
        failed = fault
    asked: list[Die | Kind] = []
    for event in machine.events:
        if -len(compiled.program.dice) <= event.event < 0:
            asked += [compiled.program.dice[-1 - event.event]] * len(event.args)
        elif event.event >= 0 and compiled.events[event.event].what == "draw":
            (of,) = compiled.events[event.event].types
            assert isinstance(of, KindT)
            asked.append(of.kind)
    if failed is not None:
        if compiled.program.sites[failed.site].code == MISMATCH:
            raise ScriptError(explained(compiled, failed).diagnostic.message, "", len(numbers) - 1)
        if len(asked) <= len(numbers):
            raise explained(compiled, failed)
    return asked


def _run(numbers: list[int], act: Act, block: bytearray, machine: Machine) -> None:
    machine.script = list(numbers)
    machine.listening = True
    machine.events = []
    try:
        act(block)
    finally:
        machine.script = []


def _number(word: Word, asked: Die | Kind, entry: int) -> int:
    what, text = word
    if isinstance(asked, Die):
        if what != "dice":
            raise ScriptError(f"`{asked.name}` is rolled here, and the script draws `{text}`", "", entry)
        if text not in asked.values:
            help_ = did_you_mean(text, asked.values) or f"its faces are {', '.join(f'`{v}`' for v in asked.values)}"
            raise ScriptError(f"`{asked.name}` has no face `{text}`", help_, entry)
        return asked.values.index(text)
    if what != "draws":
        raise ScriptError(f"a {asked.name} is drawn here, and the script rolls `{text}`", "", entry)
    ids = [e.id for e in asked.entities]
    if text not in ids:
        raise ScriptError(f"there is no {asked.name} `{text}`", did_you_mean(text, ids), entry)
    return ids.index(text)
