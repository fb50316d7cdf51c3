"""What of a rulebook a game has: statuses, citations, JSON, and that Grid Sparta lacks nothing."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from interpreter import load
from interpreter.diagnostics import Bag
from interpreter.lang.citations import Cited, citations, finder, sections
from interpreter.play.cli import main
from interpreter.play.coverage import coverage
from interpreter.reading.model import Citation
from interpreter.source import Source, Text

FILES = {
    "game.yaml": """\
game: small
players: [white, black]
globals: {n: int}
options: {fast: {default: true}}
phases:
  play: {rule: "1, 2", do: step(mover), each: player}
functions:
  bonus: {rule: 8, takes: {p: player}, gives: int, sum: [{part: 1, rule: 8.1}]}
whenever:
  - {name: never, rule: 9, when: n > 99, do: n = 0}
""",
    "rules/10.effects": """\
# rule: 3
# source: reconstructed
# What a player does.
effect step(p: player):
    n += bonus(p)

# rule: 4 note 1, 77

# This block is not directly above.
fun lonely() -> int = 1
# rule: 5
open fun cited() -> int = 1
""",
    "rulebook.yaml": """\
title: Small rules
sections:
  - {id: 1, title: One}
  - {id: 2, title: Two}
  - {id: 3, title: Three}
  - {id: 4, title: Four}
  - {id: 5, title: Five}
  - {id: 6, title: Six, option: fast}
  - {id: 7, title: Seven, not_modelled: a story}
  - {id: 8, title: Eight}
  - {id: 8.1, title: Eight and one}
  - {id: 9, title: Nine}
  - {id: 10, title: Ten, example: true}
  - {id: 11, title: Eleven, example: true}
  - {id: "Sums, parts and wholes", title: Of sums, example: true}
""",
    "tests.yaml": """\
- {test: a, rule: 1, then: [n == 0]}
- {test: b, rule: "3, 6", then: [n == 0]}
- {test: c, rule: [10, "Sums, parts and wholes"], then: [n == 0]}
""",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "small" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "small"


def test_statuses(folder: Path) -> None:
    found = coverage(load(folder, tests=True))
    assert {one.section.id: one.status for one in found.sections} == {
        "1": "tested",
        "2": "implemented",
        "3": "reconstructed",
        "4": "missing",
        "5": "implemented",
        "6": "tested",
        "7": "not modelled",
        "8": "implemented",
        "8.1": "implemented",
        "9": "implemented",
        "10": "tested",
        "11": "missing",
        "Sums, parts and wholes": "tested",
    }
    by = {one.section.id: [(i.what, i.name) for i in one.items] for one in found.sections}
    assert by["2"] == [("phase", "play")]
    assert by["3"] == [("effect", "step")]
    assert by["6"] == [("option", "fast")]
    assert by["8.1"] == [("part of", "bonus")]
    assert by["9"] == [("whenever", "never")]
    assert not found.complete


def test_json_and_strict(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", str(folder), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["rulebook"] == "Small rules"
    assert told["counts"] == {
        "tested": 4,
        "reconstructed": 1,
        "implemented": 5,
        "missing": 2,
        "not modelled": 1,
    }
    three = next(s for s in told["sections"] if s["id"] == "3")
    assert three["implemented_by"] == [
        {"what": "effect", "name": "step", "source": "reconstructed", "at": "small/rules/10.effects:4:8"}
    ]
    assert [t["name"] for t in three["tests"]] == ["b"]
    assert main(["coverage", str(folder), "--strict"]) == 1
    text = capsys.readouterr().out
    assert "missing        Four" in text and "why: a story" in text


def test_grid_sparta_lacks_nothing() -> None:
    found = coverage(load("grid_sparta", tests=True))
    assert len(found.sections) > 30
    assert [one.section.id for one in found.sections if one.status in ("missing", "implemented")] == []
    assert found.complete


def test_citations_of_definitions() -> None:
    value = FILES["rules/10.effects"]
    found = citations(Text(value, Source("x", value), (0,)), Bag())
    assert {name: (c.rule, c.sources) for name, c in found.items()} == {
        "step": ("3", (("", "reconstructed"),)),
        "cited": ("5", ()),
    }


def test_what_a_citation_means() -> None:
    known = ["12.3", "12.3b", "Leaders", "Leaders, Hoplites and Triremes", "1", "Siege", "Leaders, Siege"]

    def cited(*texts: str, listed: bool = False) -> Cited:
        return sections(Citation(texts, listed=listed), finder(known))

    assert cited("12.3b note 1, 12.3") == (["12.3b", "12.3"], [], [])
    assert cited("Leaders, Hoplites and Triremes") == (["Leaders, Hoplites and Triremes"], [], [])
    assert cited("1, Leaders, Hoplites and Triremes, 12.3") == (["1", "Leaders, Hoplites and Triremes", "12.3"], [], [])
    assert cited("Leaders: who commands") == (["Leaders"], [], [])
    assert cited("12.31, 13") == ([], ["12.31", "13"], [])
    assert cited("") == ([], [], [])
    assert cited("1, Leaders, Siege") == (["1", "Leaders, Siege"], [], ["Leaders, Siege"])
    assert cited("1", "Leaders, Siege", listed=True) == (["1", "Leaders, Siege"], [], [])
    assert cited("1, Siege", listed=True) == (["1"], [], []), "what follows in a list is a remark"


def test_without_a_rulebook(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text("game: bare\nplayers: [white]\n", encoding="utf-8")
    out = io.StringIO()
    from interpreter.play.coverage import _tell

    game = load(tmp_path, tests=True)
    from rich.console import Console

    _tell(game, coverage(game), Console(file=out))
    assert "no `rulebook.yaml`" in out.getvalue()
