"""Authors' mistakes in declarations and rules, each with its whole message.

A case is a file `*.case`. Its first line lists the codes that it must give; `# with NAME` behind it takes the files of
`NAME.base` too. Then come the files of the game, each behind a line `--- file`; a game needs no `game.yaml` of its own.
The text beside a case is the whole rendering (new ones are accepted with `--accept`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.diagnostics import Bag
from interpreter.lang.check import check
from interpreter.lang.translations import check_translations
from interpreter.reading.load import load_folder
from interpreter.rendering import render, summary

FOLDER = Path(__file__).parents[1] / "diagnostics" / "lang"
CASES = sorted(FOLDER.glob("*.case"))
PLAIN = {"game.yaml": "game: sample\nplayers: [white, black]\n"}


def files(text: str) -> dict[str, str]:
    """The files in a text, by their names."""
    found = re.split(r"^--- (\S+)\n", text, flags=re.MULTILINE)
    return dict(zip(found[1::2], found[2::2], strict=True))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_mistake(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Callable[[Path, str], None]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = case.read_text(encoding="utf-8")
    codes = text.split("\n")[0].removeprefix("# ").split()
    base = re.search(r"^# with (\w+)$", text, re.MULTILINE)
    game = PLAIN | (files((FOLDER / f"{base[1]}.base").read_text(encoding="utf-8")) if base else {}) | files(text)
    for name, content in game.items():
        path = tmp_path / "sample" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")

    bag = Bag()
    made = load_folder(Path("sample"), bag)
    if made is not None:
        check_translations(check(made, bag), (), bag)

    found = list(bag)
    assert [d.code for d in found] == codes
    assert all(d.span is not None and (d.help or d.label or d.notes) for d in found), "each has a place and a hint"
    for d in found:
        assert d.message[0].islower() or d.message[0] == "`", "messages begin in lower case"
        assert not d.message.endswith(".")
        assert not d.help.endswith(".")
    golden(case.with_suffix(".txt"), "\n\n".join(render(d) for d in found) + f"\n\n{summary(found)}\n")


@pytest.mark.parametrize("base", sorted(FOLDER.glob("*.base")), ids=lambda path: path.stem)
def test_bases_are_right(base: Path, tmp_path: Path) -> None:
    """What cases build on has no mistakes of its own."""
    for name, content in (PLAIN | files(base.read_text(encoding="utf-8"))).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    bag = Bag()
    made = load_folder(tmp_path, bag)
    assert made is not None
    check(made, bag)
    assert not list(bag)


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 30
