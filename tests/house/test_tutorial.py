"""The tutorial is what it says: its folder is built step by step, and what it shows is what comes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter import load
from tests.house.pages import ROOT, Reader, play_at_random, steps

PAGE = ROOT / "docs" / "authoring.md"
GAME = "amber"
STEPS = list(steps(PAGE.read_text(encoding="utf-8"))) if PAGE.exists() else []


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Reader:
    return Reader(GAME, tmp_path, monkeypatch, capsys)


def test_every_step(reader: Reader, golden: Callable[[Path, str], None]) -> None:
    """The page with what is really seen is the page; wherever it says that all is well, the game starts and plays."""
    page = PAGE.read_text(encoding="utf-8")
    made, last, plays = "", 0, 0
    for step in STEPS:
        seen = reader.do(step)
        if step.what == "console":
            made += page[last : step.at] + seen
            last = step.at + len(step.text)
            if "no errors" in seen:
                assert not load(reader.home / GAME, tests=True).warnings
                play_at_random(reader.home / GAME)
                plays += 1
    golden(PAGE, made + page[last:])
    assert plays >= 7


def test_what_it_has() -> None:
    """A map, cards, dice, a hidden hand, a mistake, rule tests, each of the commands."""
    text = "".join(s.text for s in STEPS)
    for word in ("spaces:", "dice:", "roll ", "seen_by: owner", "- card:", "error[", "- test:"):
        assert word in text, word
    assert {
        w for s in STEPS if s.what == "console" for w in re.findall(r"^\$ petteia (\w+)", s.text, re.MULTILINE)
    } >= {
        "validate",
        "play",
        "test",
        "show",
        "simulate",
    }
