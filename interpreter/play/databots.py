"""Bots as data: the first rule that fits a choice is followed, the choice of the highest rank is taken.

Rules are tried on what the bot's seat can see: where anything is hidden, on a position dealt anew at random that it
can't tell from the real one. Ties, and questions without a fitting rule, are left to the stream of the random bot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from interpreter.backends.machine import Fault, Machine, Pending
from interpreter.core import header, rng
from interpreter.core.cells import listed
from interpreter.core.compiled import BotInfo, BotRuleInfo, BotTakeInfo, Compiled
from interpreter.game import Decision, explained

STOP = -1  # the alternative that is none


@dataclass(frozen=True)
class _Seat:
    """What a bot needs to try its rules: a program with them, what it sees, who it is and how good."""

    compiled: Compiled
    machine: Machine
    deal: Callable[[], bytearray]
    seat: int
    numbers: tuple[int, ...]

    @cached_property
    def block(self) -> bytearray:
        """The position that it thinks about: dealt only if a rule looks at it."""
        return self.deal()

    def value(self, function: int, values: tuple[int, ...]) -> int:
        """What a condition or rank comes to for a choice. Raises RuleFault."""
        try:
            found = self.machine.evaluate(self.block, function, (self.seat, *values, *self.numbers))
        except Fault as fault:
            raise explained(self.compiled, fault) from None
        assert isinstance(found, int)
        return found


def player(name: str, level: str) -> Callable[[Decision, int], int]:
    """How a bot of a game answers on a level."""

    def answer(decision: Decision, seed: int) -> int:
        """The index of the choice that it takes."""
        position = decision.position
        compiled = position.game.asides(position.compiled)
        info = compiled.bots[name]
        answers = position.cells[header.ANSWERS]
        stream = rng.stream(seed, decision.seat)

        def deal() -> bytearray:
            if not compiled.secrecy.any:
                return position.block
            return position.redealt(decision.seat, rng.splitmix64(stream ^ answers)).block

        machine = position.game.machine(compiled, position.machine.name)
        me = _Seat(compiled, machine, deal, decision.seat, _numbers(info, level))
        for rule in info.rules.get(decision.pending.decision, ()):
            best = _best(rule, decision.pending, me)
            if best:
                return best[rng.choice(stream, answers, len(best))]
        return rng.choice(stream, answers, decision.count)

    return answer


def _numbers(info: BotInfo, level: str) -> tuple[int, ...]:
    given = {n.text: v for name, numbers in info.definition.levels if name.text == level for n, v in numbers}
    return tuple(given.get(name, 0) for name in info.numbers)


def _best(rule: BotRuleInfo, pending: Pending, me: _Seat) -> list[int]:
    """The choices of the highest rank to which a rule applies."""
    takes: dict[int, BotTakeInfo] = {}
    for take in rule.takes:
        takes.setdefault(take.number, take)
    best: list[int] = []
    highest: tuple[int, ...] = ()
    for index, (number, values) in enumerate(_candidates(pending)):
        found = takes.get(number)
        if found is None or (found.when is not None and not me.value(found.when, values)):
            continue
        rank = tuple(me.value(f, values) for f in found.ranks)
        if not best or rank > highest:
            best, highest = [], rank
        if rank == highest:
            best.append(index)
    return best


def _candidates(pending: Pending) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Alternative and values of each candidate in canonical order, then the way to stop, if there is one."""
    count = 0
    for segment in pending.segments:
        lasts: list[tuple[int, ...]] = [()] if segment.last is None else [(i,) for i in listed(segment.last)]
        for last in lasts:
            count += 1
            yield segment.option, segment.outer + last
    for _ in range(pending.count - count):
        yield STOP, ()
