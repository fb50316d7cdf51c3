"""Authors' mistakes in reading, each with its whole message.

The first line of a case says where the file stands in a game's folder and which codes it must give; the text beside it
is the whole rendering (new ones are accepted with `--accept`).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.diagnostics import Bag
from interpreter.reading.load import load_folder
from interpreter.rendering import render, summary

CASES = sorted((Path(__file__).parents[1] / "diagnostics" / "reading").glob("*.yaml"))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_mistake(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Callable[[Path, str], None]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = case.read_text(encoding="utf-8")
    place, codes = text.split("\n")[0].removeprefix("# ").split(": ")
    game = tmp_path / "sample"
    (game / place).parent.mkdir(parents=True)
    (game / "game.yaml").write_text("game: sample\nplayers: [white, black]\n", encoding="utf-8")
    (game / place).write_text(text, encoding="utf-8")

    bag = Bag()
    made = load_folder(Path("sample"), bag)

    found = list(bag)
    assert [d.code for d in found] == codes.split()
    assert (made is None) == bag.has_errors
    assert all(d.span is not None and (d.help or d.label) for d in found), "each has a place and a hint"
    for d in found:
        assert d.message[0].islower() or d.message[0] == "`", "messages begin in lower case"
        assert not d.message.endswith(".")
        assert not d.help.endswith(".")
    golden(case.with_suffix(".txt"), "\n\n".join(render(d) for d in found) + f"\n\n{summary(found)}\n")


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 25
