"""`petteia show`: every topic of every kind of game, and what is said about topics that do not exist."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from shutil import copytree
from xml.etree import ElementTree

import pytest

from interpreter.diagnostics import UsageError
from interpreter.game import Game, load
from interpreter.play.show import TOPICS, show

GAMES = Path(__file__).parents[1] / "games"


@pytest.fixture(scope="module")
def sparta() -> Game:
    return load("grid_sparta")


@pytest.fixture(scope="module")
def muster() -> Game:
    return load(GAMES / "muster")


def shown(game: Game, what: str | None, **more: object) -> str:
    out = StringIO()
    assert show(game, what, out=out, **more) == 0  # type: ignore[arg-type]
    return out.getvalue()


def test_the_overview_counts_what_is_in_the_game(muster: Game) -> None:
    text = shown(muster, None)
    assert text.splitlines()[0] == "Muster  muster"
    assert "players    North (north), South (south)" in text
    assert "scenarios  standard, surprise" in text
    assert "campaigns  two_wars" in text
    assert "options    bloodless" in text
    assert "6 towns, 6 armies, 7 roads" in text
    assert "2 functions, 3 effects" in text


def test_the_overview_counts_rule_tests_though_they_were_not_loaded(sparta: Game) -> None:
    assert not sparta.definition.tests
    count = len(load("grid_sparta", tests=True).definition.tests)
    assert count > 10
    assert f"tests      {count}" in shown(sparta, None).splitlines()


def test_rule_tests_that_cannot_be_read_are_not_counted(tmp_path: Path) -> None:
    folder = tmp_path / "hex_five"
    copytree(GAMES / "hex_five", folder)
    game = load(folder)
    (folder / "tests.yaml").write_text("- test: [\n", encoding="utf-8")
    assert "tests      not readable, as `petteia test hex_five` tells" in shown(game, None).splitlines()


@pytest.mark.parametrize("topic", list(TOPICS))
@pytest.mark.parametrize("name", ["hex_five", "hare_and_hounds"])
def test_every_topic_says_something(name: str, topic: str) -> None:
    assert len(shown(load(GAMES / name), topic)) > 20


def test_the_map_is_that_of_the_scenario(muster: Game) -> None:
    standard, surprise = shown(muster, "map"), shown(muster, "map", scenario="surprise")
    gate = [next(line for line in text.splitlines() if line.startswith("Gate")) for text in (standard, surprise)]
    assert "Southern army 1" not in gate[0]
    assert "Southern army 1" in gate[1]


def test_pieces_tell_where_they_are_and_what_they_hold(sparta: Game) -> None:
    lines = shown(sparta, "pieces").splitlines()
    assert "Spartan 3   spartan_3   d1      Sparta" in [line.rstrip() for line in lines]


def test_rules_come_with_signatures_lines_and_comments(sparta: Game) -> None:
    text = shown(sparta, "rules")
    assert "  fun pace(f: fighter) -> int  line " in text
    assert "  effect capture(goal: square, p: player)  line " in text
    assert text.index("10_turn.effects") < text.index("20_capture.effects") < text.index("30_end.effects")
    comment = next(c for c in text.splitlines() if "An own city makes a hero" in c)
    assert comment.startswith("      ")


def test_phases_and_options_cite_their_rules(muster: Game) -> None:
    assert shown(muster, "phases").splitlines() == [
        "Game (while round < 6)",
        "  Marches (each player)  rule 2",
        "    march(mover)",
        "  Counting  rule 4",
        "    end_round()",
    ]
    assert shown(muster, "options").splitlines() == ["bloodless = no  rule 3", "  No army is ever driven off"]


def test_kinds_tell_their_fields(muster: Game) -> None:
    lines = shown(muster, "kinds").splitlines()
    assert "  owner: maybe player" in lines
    assert "  worth: int  never changes" in lines
    assert "  can be at: town, lost" in lines


def test_the_core_in_all_readable_forms(muster: Game) -> None:
    assert "effect march" in shown(muster, "core") or "march" in shown(muster, "core")
    compile(shown(muster, "core", emit="python"), "<emitted>", "exec")
    assert shown(muster, "core", emit="wat").startswith("(module")
    with pytest.raises(UsageError) as caught:
        shown(muster, "core", emit="pyton")
    assert caught.value.help == "did you mean `python`?"
    with pytest.raises(UsageError, match="only the core"):
        shown(muster, "map", emit="python")


def test_the_binary_form_is_not_written_where_text_goes(muster: Game) -> None:
    pytest.importorskip("wasmtime")
    with pytest.raises(UsageError, match="binary form"):
        shown(muster, "core", emit="wasm")


def test_an_unknown_topic_has_a_hint(muster: Game) -> None:
    with pytest.raises(UsageError) as caught:
        shown(muster, "peices")
    assert caught.value.message == "there is no topic `peices`"
    assert caught.value.help == "did you mean `pieces`?"


def test_the_map_as_a_picture(muster: Game, tmp_path: Path) -> None:
    path = tmp_path / "muster.svg"
    assert str(path) in shown(muster, None, svg=path).replace("\n", "")
    ElementTree.parse(path)
    with pytest.raises(UsageError, match="only the map"):
        shown(muster, "pieces", svg=path)


def test_titles_in_another_language(sparta: Game) -> None:
    assert "스파르타" in shown(sparta, "overview", language=sparta.language("ko"))
