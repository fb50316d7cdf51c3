"""Translations: every text of a game can be translated; what translates nothing, or has other holes, is told."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from interpreter import resources
from interpreter.diagnostics import Diagnostic
from interpreter.game import load
from interpreter.lang.translations import untranslated
from interpreter.play.checkup import findings
from interpreter.play.words import HELP, SET_WORDS, all_words

GRID = "grid_sparta"


def with_text(folder: Path, line: str) -> list[Diagnostic]:
    """Findings for the game with one line added to its Korean texts."""
    copy = folder / GRID
    shutil.copytree(resources.games_folder() / GRID, copy)
    shutil.rmtree(copy / "tests")
    path = copy / "texts" / "ko.yaml"
    lines = path.read_text(encoding="utf-8").splitlines()
    key = line.split(": ")[0]
    path.write_text("\n".join([*(x for x in lines if not x.startswith(f"{key}:")), line, ""]), encoding="utf-8")
    return findings(copy)


def test_grid_sparta_is_clean() -> None:
    assert findings(GRID) == []


def test_grid_sparta_is_translated_whole() -> None:
    """All but the words that a player types."""
    missing = set(untranslated(load(GRID).checked, "ko", all_words()))
    assert missing <= set(HELP) | set(SET_WORDS)
    assert "a1" not in missing, "a space without a title needs no translation"


def test_a_translation_of_nothing(tmp_path: Path) -> None:
    (found,) = with_text(tmp_path, "'{f} goes two {goal}': '{f}, {goal}'")
    assert (found.code, found.severity) == ("unused-translation", "warning")
    assert "`{f} goes to {goal}`" in found.help
    assert found.span is not None and found.span.text == "'{f} goes two {goal}'"


@pytest.mark.parametrize(
    ("line", "severity", "message"),
    [
        ("'{f} goes to {goal}': '{f}, {gaol}'", "error", "the translation has the hole `{gaol}`"),
        ("'{f} goes to {goal}': '{f}'", "warning", "the translation leaves out `{goal}`"),
        ("'{player} wins': '{winner}'", "error", "the translation has the hole `{winner}`"),
        ("Sparta: '{p}'", "error", "the translation has the hole `{p}`"),
    ],
)
def test_other_holes(tmp_path: Path, line: str, severity: str, message: str) -> None:
    (found,) = with_text(tmp_path, line)
    assert (found.code, found.severity) == ("translation-holes", severity)
    assert found.message.startswith(message)


def test_untranslated_texts_are_listed_on_demand() -> None:
    missing = untranslated(load(GRID).checked, "fr")
    assert "{f} goes to {goal}" in missing
    assert "Spartan 3" in missing
    assert missing.index("Sparta") < missing.index("{f} goes to {goal}")
