"""Hard passages of four games, each completed to a game of its own: checked, tested by rule tests, and played at random
by both backends in step.

A folder holds a passage. Each has a rule test, or several, of the point that it makes.
"""

from __future__ import annotations

import io
import random
from functools import cache
from pathlib import Path

import pytest

from interpreter.diagnostics import GameError
from interpreter.game import Game, load
from interpreter.play import ruletests
from interpreter.play.bots import bot_choice
from interpreter.rendering import render

HERE = Path(__file__).parent
PASSAGES = sorted(p.parent for p in HERE.glob("*/game.yaml"))
BACKENDS = ("python", "wasm")
ANSWERS = 150  # after which a random game is left


@cache
def game_of(folder: Path) -> Game:
    try:
        return load(folder, tests=True)
    except GameError as error:
        pytest.fail("\n".join(render(d) for d in error.diagnostics))


def test_all_are_there() -> None:
    wanted = {f"s{i}" for i in range(1, 11)} | {f"c{i}" for i in range(1, 11)} | {f"h{i}" for i in range(1, 9)} | {"g1"}
    assert {p.name for p in PASSAGES} == wanted


@pytest.mark.parametrize("folder", PASSAGES, ids=lambda p: p.name)
def test_rules(folder: Path) -> None:
    """No warning; its rule tests pass in both backends."""
    game = game_of(folder)
    assert not game.warnings, "\n".join(render(d) for d in game.warnings)
    assert game.definition.tests
    for backend in BACKENDS:
        out = io.StringIO()
        assert ruletests.run([str(folder)], backend, out) == 0, out.getvalue()


@pytest.mark.parametrize("folder", PASSAGES, ids=lambda p: p.name)
def test_random_play(folder: Path) -> None:
    """Random games from every set-up are the same, byte for byte, in both backends; somebody is asked in them."""
    game = game_of(folder)
    asked = 0
    for set_up in [*game.scenarios, *game.campaigns]:
        for seed in range(1, 7):
            one, other = (game.start(set_up, seed=seed, backend=b) for b in BACKENDS)
            pick = random.Random(seed)
            for _ in range(ANSWERS):
                assert one.to_bytes() == other.to_bytes()
                assert [line.text for line in one.lines] == [line.text for line in other.lines]
                decision = one.decision
                if decision is None:
                    break
                asked += 1
                index = pick.randrange(decision.count)
                assert other.decision is not None and other.decision.choices[index].id == decision.choices[index].id
                one.apply(index)
                other.apply(index)
    assert asked >= 20


def test_a_bot_as_data() -> None:
    """The bot of S10 follows its rules in order, at each of its levels, to the end of the game."""
    for level, last in (("easy", "besiege spartan"), ("medium", "besiege spartan"), ("hard", "home")):
        position = game_of(HERE / "s10").start()
        taken = []
        while position.decision is not None:
            choice = bot_choice(f"solo:{level}", position, 1)
            taken.append(choice.id)
            position.apply(choice)
        assert taken[:3] == ["march corinth", last, "march argos"], level
        assert position.outcome is not None
