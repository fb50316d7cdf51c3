"""Twenty random games of each scenario and campaign of the shipped games, to the end; the invariants are looked at
after every choice.

`petteia simulate GAME --scenario all --games 1000 --check --backend both` makes a longer run, in both backends.
"""

from __future__ import annotations

import pytest

from interpreter.play.cli import main
from tests.contract.games import Case, shipped

GAMES = 20


@pytest.mark.parametrize("case", shipped(), ids=str)
def test_random_games(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ["--scenario", case.scenario] if case.scenario else []
    code = main(["simulate", case.folder.name, *chosen, "--games", str(GAMES), "--check"])
    out, err = capsys.readouterr()
    assert code == 0, err
    assert f": {GAMES} games" in out and "invariants hold in all of " in out
    assert "unfinished         0" in out
