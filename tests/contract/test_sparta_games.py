"""Twenty random games of each war and campaign of SPARTA!, to the end; its invariants are looked at after every choice.

`petteia simulate sparta --scenario all --games 1000 --check --backend both` makes a longer run, in both backends.
"""

from __future__ import annotations

import pytest

from interpreter.play.cli import main

GAMES = 20
WARS = 6  # four scenarios and two campaigns


def test_random_games(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["simulate", "sparta", "--scenario", "all", "--games", str(GAMES), "--check"])
    out, err = capsys.readouterr()
    assert code == 0, err
    assert out.count(f": {GAMES} games") == out.count("invariants hold") == WARS
    assert out.count("unfinished         0") == WARS
