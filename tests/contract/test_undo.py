"""Undo, redo and replay at random: never past what somebody learned, nor past the other side but as a take-back.

`pytest tests/contract/test_undo.py --games 500` makes a longer run.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from interpreter import UsageError
from interpreter.game import load
from interpreter.runtime.record import Record
from tests.contract.games import FIXTURES, Case, loaded

CASES = [Case(f, name, ()) for f in sorted(FIXTURES.iterdir()) for name in loaded(f).scenarios or [None]]
LONGEST = 120  # acts in a game

each_case = pytest.mark.parametrize("case", CASES, ids=str)


def new(case: Case, seed: int, path: Path | None = None, bots: dict[str, str] | None = None) -> Record:
    return Record.new(case.game, case.scenario, dict(case.options), seed, path, bots=bots)


@each_case
def test_undo_and_redo(case: Case, request: pytest.FixtureRequest) -> None:
    games = -(-int(request.config.getoption("--games")) // 10)
    undone = refused = 0
    for seed in range(1, games + 1):
        record, pick = new(case, seed), random.Random(f"undo {case} {seed}")
        digests, known = [record.position.digest()], [record.position.known]
        asked: list[int] = []
        for _ in range(LONGEST):
            decision = record.position.decision
            if pick.random() < 0.3:
                seat = pick.choice([None, *range(len(case.game.players))])
                take_back = pick.random() < 0.5
                before = record.position.to_bytes(), record.choices, record.steps
                can = record.can_undo(seat, take_back=take_back)
                try:
                    record.undo(seat, take_back=take_back)
                except UsageError:
                    assert not can
                    assert before == (record.position.to_bytes(), record.choices, record.steps), "refused, and changed"
                    refused += 1
                    continue
                assert can
                left = record.choices
                assert record.position.digest() == digests[left], "back to the very position"
                assert known[left] == known[len(asked)], "past something that somebody learned"
                if seat is not None and left < len(asked):
                    assert asked[left] == seat
                    if not take_back:
                        assert set(asked[left:]) == {seat}, "past the other side's choice"
                undone += left < len(asked)
                del digests[left + 1 :], known[left + 1 :], asked[left:]
                continue
            if decision is None:
                break
            count = record.choices
            index = pick.randrange(decision.count)
            seat_now = decision.seat
            record.apply(index)
            if record.choices > count:
                asked.append(seat_now)
                digests.append(record.position.digest())
                known.append(record.position.known)
    assert undone and refused


@each_case
def test_redo_leads_to_the_same(case: Case) -> None:
    """What was taken back and is chosen again leads where it led."""
    redone = 0
    for seed in range(1, 6):
        record, pick = new(case, seed), random.Random(seed)
        for _ in range(60):
            decision = record.position.decision
            if decision is None:
                break
            record.apply(pick.randrange(decision.count))
            if record.steps or not record.answers or not record.can_undo(record.answers[-1].seat):
                continue
            last, after, lines = record.answers[-1], record.position.to_bytes(), record.history[-1]
            record.undo(last.seat)
            for step in last.choose:
                record.apply(step)
            assert record.position.to_bytes() == after
            assert record.history[-1] == lines
            redone += 1
    assert redone


@each_case
def test_replay_with_undo(case: Case, tmp_path: Path) -> None:
    """A file with choices taken back is replayed to the same position."""
    for seed in range(1, 4):
        path = tmp_path / f"{seed}.jsonl"
        pick = random.Random(seed)
        with new(case, seed, path) as record:
            for _ in range(60):
                decision = record.position.decision
                if decision is None:
                    break
                record.apply(pick.randrange(decision.count))
                if pick.random() < 0.3 and record.can_undo(take_back=True):
                    record.undo(take_back=True)
            digest, history, choices = record.position.digest(), record.history, record.choices
            incomplete = bool(record.steps)
        opened = Record.open(path, lambda name: load(Path(name)), write=False)
        assert opened.choices == choices
        if not incomplete:
            assert opened.position.digest() == digest
            assert opened.history == history


@each_case
def test_bots_are_passed_over(case: Case) -> None:
    """Against bots, undo goes back to the last decision of the person."""
    players = case.game.players
    bots = dict.fromkeys(players[1:], "random")
    for seed in range(1, 6):
        record, pick = new(case, seed, bots=bots), random.Random(seed)
        for _ in range(60):
            decision = record.position.decision
            if decision is None:
                break
            record.apply(pick.randrange(decision.count))
            if not record.steps and record.can_undo():
                record.undo()
                decision = record.position.decision
                assert decision is not None and decision.player == players[0]
                record.apply(pick.randrange(decision.count))
