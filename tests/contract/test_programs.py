"""Small programs of the language, made by hypothesis, mean the same in both backends: bytes, choices, log, faults."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interpreter.diagnostics import RuleFault
from interpreter.game import Position, load
from tests.contract.programs import write_game

ANSWERS = 60


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(st.randoms(use_true_random=False), st.integers(1, 10**6))
def test_programs_mean_the_same(rng: Random, seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_game(Path(folder), rng)
        game = load(Path(folder))
        one, other = game.start(seed=seed), game.start(seed=seed, backend="wasm")
        choices = Random(seed)
        for _ in range(ANSWERS):
            assert one.block == other.block
            first, second = one.decision, other.decision
            assert (first is None) == (second is None)
            if first is None or second is None:
                return
            assert [c.id for c in first.choices] == [c.id for c in second.choices]
            assert first.player == second.player
            number = choices.randrange(first.count)
            fault = answer(one, number)
            assert fault == answer(other, number)
            assert one.lines == other.lines
            if fault is not None:
                assert one.block == other.block
                return


def answer(position: Position, number: int) -> tuple[str, str, str] | None:
    """Takes a choice; what went wrong, with its place, if something did."""
    before = bytes(position.block)
    try:
        position.apply(number)
    except RuleFault as fault:
        assert position.block == before, "a fault changes nothing"
        return fault.diagnostic.code, fault.diagnostic.message, str(fault.diagnostic.span)
    return None
