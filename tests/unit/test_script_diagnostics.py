"""Mistakes in the scripts of `play --script`, each with its whole message. The game is `tests/games/muster`.

The first line of a case names the code that it must give.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter import GameError, load
from interpreter.play.script import read_script, run_script
from interpreter.rendering import render
from interpreter.runtime.record import Record

TESTS = Path(__file__).parents[1]
CASES = sorted((TESTS / "diagnostics" / "scripts").glob("*.script"))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_mistake(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Callable[[Path, str], None]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = case.read_text(encoding="utf-8")
    Path("steps.yaml").write_text(text, encoding="utf-8")
    game = load(TESTS / "games" / "muster")
    record = Record.new(game, None, None, 1, None)
    with pytest.raises(GameError) as caught:
        run_script(record, read_script(Path("steps.yaml"), game.players))
    found = caught.value.diagnostics
    assert [d.code for d in found] == [text.split("\n")[0].removeprefix("# ")]
    golden(case.with_suffix(".txt"), "\n\n".join(render(d) for d in found) + "\n")


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 7
