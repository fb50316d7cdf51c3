"""The page on cards, leaders and scenarios is what it says: it is followed step by step, and what it lists is there."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter import load
from tests.house.pages import ROOT, Reader, play_at_random, steps

PAGE = ROOT / "docs" / "cards.md"
GAME = "mine"
STEPS = list(steps(PAGE.read_text(encoding="utf-8")))
CALL = re.compile(r"`(?:let \w+ = )?([a-z_]+)\(([^`]*)\)`")


def test_every_step(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    golden: Callable[[Path, str], None],
) -> None:
    """The page with what is really seen is the page; at its end the new war is played."""
    reader = Reader(GAME, tmp_path, monkeypatch, capsys)
    page, made, last = PAGE.read_text(encoding="utf-8"), "", 0
    for step in STEPS:
        seen = reader.do(step)
        if step.what == "console":
            made += page[last : step.at] + seen
            last = step.at + len(step.text)
    golden(PAGE, made + page[last:])
    play_at_random(tmp_path / GAME, "year_of_pylos", tests=False)


def test_what_it_has() -> None:
    """A card, a battle card, a leader and a scenario in full, with tests that pass and messages of mistakes."""
    text = "".join(s.text for s in STEPS)
    for word in ("- action_card:", "- battle_card:", "- ploy:", "- leader:", "scenario:", "- test:"):
        assert word in text, word
    told = "".join(s.text for s in STEPS if s.what == "console")
    assert told.count("error[") == 3 and "did you mean" in told and "8 passed, 0 failed" in told


def test_what_it_lists_is_there() -> None:
    """Helpers and rules that can be bent exist with as many parameters, and no open rule is missing."""
    page = PAGE.read_text(encoding="utf-8")
    callables = load("sparta").checked.callables
    found = {}
    for part in ("helpers", "open"):
        text = page.split(f"<!-- {part} -->")[1].split("<!-- end -->")[0]
        found[part] = {m[1]: [a for a in m[2].split(", ") if a] for m in CALL.finditer(text)}
        for name, args in found[part].items():
            assert name in callables, name
            assert len(args) == len(callables[name].params), name
    rules = {n for n, c in callables.items() if c.open and "/rules/" in str(c.span) and "solo" not in str(c.span)}
    assert set(found["open"]) == rules
