"""The backends mean the same: the same bytes, questions, choices and logs after every answer.

`pytest tests/contract/test_backends.py --games 5000` makes a longer run.
"""

from __future__ import annotations

import random

import pytest

from interpreter import RuleFault
from interpreter.backends import wasm
from interpreter.game import Position
from tests.contract.games import Case, cases

pytestmark = pytest.mark.skipif(not wasm.available(), reason="wasmtime is not installed")

each_case = pytest.mark.parametrize("case", cases(), ids=str)

TEXTS = 12  # choices of a question that are read
PERFT = {"grid_sparta-standard": (80, 6_400, 545_120)}


def asked(position: Position) -> object:
    """The question that waits, as far as anybody can see."""
    decision = position.decision
    if decision is None:
        return position.outcome
    return decision.id, decision.seat, decision.stop, decision.prompt, decision.ids


def answer(position: Position, index: int) -> object:
    """Gives an answer; the lines of the log, or the fault."""
    try:
        position.apply(index)
    except RuleFault as fault:
        return fault.diagnostic, fault.place
    return position.lines


@each_case
def test_lockstep(case: Case, request: pytest.FixtureRequest) -> None:
    games = case.share(int(request.config.getoption("--games")))
    for seed in range(1, games + 1):
        one, other = case.start(seed, "python"), case.start(seed, "wasm")
        pick = random.Random(f"{case} {seed}")
        assert one.lines == other.lines
        for _ in range(case.longest):
            assert one.to_bytes() == other.to_bytes()
            if seed % 10 == 1:
                assert asked(one) == asked(other)
            decision, twin = one.decision, other.decision
            assert (decision is None) == (twin is None)
            if decision is None or twin is None:
                break
            assert decision.pending == twin.pending
            if seed % 10 == 1:
                some = {pick.randrange(decision.count) for _ in range(TEXTS)}
                assert [decision.choice(i) for i in some] == [twin.choice(i) for i in some]
            index = pick.randrange(decision.count)
            assert answer(one, index) == answer(other, index)


@each_case
def test_hand_over(case: Case) -> None:
    """A game may change its backend at any question."""
    for seed in range(1, 4):
        alone = changing = case.start(seed)
        changing = changing.copy()
        pick = random.Random(seed)
        for _ in range(case.longest):
            decision = alone.decision
            if decision is None:
                break
            index = pick.randrange(decision.count)
            changing = changing.on(pick.choice(("python", "wasm")))
            alone.apply(index)
            changing.apply(index)
            assert alone.to_bytes() == changing.to_bytes()


@each_case
def test_playouts(case: Case) -> None:
    """Games played at random inside the backends end in the same bytes."""
    ends = set()
    for seed in range(1, 11):
        one, other = case.start(seed, "python"), case.start(seed, "wasm")
        one.machine.playout(one.block, seed, case.longest)
        other.machine.playout(other.block, seed, case.longest)
        assert one.to_bytes() == other.to_bytes()
        ends.add(one.to_bytes())
    assert len(ends) > 1, "random games differ"


@each_case
def test_perft(case: Case) -> None:
    """Both backends count as many sequences as there are by walking them one by one."""
    one, other = case.start(1, "python"), case.start(1, "wasm")
    for depth in (1,) if case.large else (1, 2):
        assert one.machine.perft(one.block, depth) == other.machine.perft(other.block, depth) == sequences(one, depth)


def sequences(position: Position, depth: int) -> int:
    """The number of sequences of `depth` plies, by applying every choice to a copy."""
    end = position.plies + depth

    def count(here: Position) -> int:
        if here.plies >= end:
            return 1
        decision = here.decision
        if decision is None:
            return 0
        total = 0
        for index in range(decision.count):
            after = here.copy()
            after.apply(index)
            total += count(after)
        return total

    return count(position)


@pytest.mark.parametrize("case", [c for c in cases() if str(c) in PERFT], ids=str)
@pytest.mark.parametrize("backend", ["python", "wasm"])
def test_known_counts(case: Case, backend: str) -> None:
    position = case.start(1, backend)
    for depth, known in enumerate(PERFT[str(case)], 1):
        assert position.machine.perft(position.block, depth) == known


def test_known_counts_are_checked() -> None:
    assert set(PERFT) <= {str(c) for c in cases()}
