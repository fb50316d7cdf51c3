"""What the table tells: headings of lists, answers that make no sense alone, lines alike, what is told again."""

from __future__ import annotations

import io
import os

import pytest

from interpreter.game import Decision, Game, load
from interpreter.play import answers, index, tabletop
from interpreter.play.bots import Bot
from interpreter.play.table import play
from interpreter.resources import games_folder
from interpreter.runtime.record import Record
from interpreter.runtime.texts import PLAIN

FILES = {
    "game.yaml": """\
game: camp
title: Camp
players: [{id: white, title: White}, {id: black, title: Black}]
kinds:
  site: {title: site}
  unit: {piece: [site], owner: player, steps: int}
globals: {gone: int}
dice: {d6: 1..6}
phases:
  play: {repeat: true, do: turn()}
""",
    "map.yaml": "edges: [[ayr, dale]]\nspaces: [{site: ayr, title: Ayr}, {site: dale, title: Old Dale}]\n",
    "pieces.yaml": """\
- {unit: guard, title: Guard, copies: 2, owner: white, steps: 3}
- {unit: rider, title: Rider, owner: white, steps: 1}
- {unit: scout, title: Scout, owner: black, steps: 1}
- {unit: spy, title: Spy, owner: black, steps: 1}
""",
    "scenarios.yaml": "scenario: standard\nplace: {guard_1: ayr, guard_2: dale, rider: ayr, scout: dale, spy: dale}\n",
    "display.yaml": """\
panels:
  map: {title: Map, lines: [{each: s in sites, text: "{s}: {those(u in units where u.at == s)}"}]}
  fort: {title: Fort, when: gone > 9, show: asked, lines: [{text: "{gone}"}]}
""",
    "rules/10.effects": """\
effect turn():
    choose by white as orders "Orders":
        option march for u in units where u.owner == white, goal in neighbours(u.on) as "March with {u} to {goal}":
            move u to goal
        option drill for n in 1..3 as "Drill {n} times":
            gone += 0
        option rest as "Rest":
            gone = roll d6
            for each i in 1..4:
                log "it rains"
    choose u in those(x in units where x.owner == white) by white as tire "Tired: {u} ({u.steps|step|steps} left)":
        gone += 0
    choose n in 1..2 by white as watch "Watch {n} of 2":
        gone += 0
    choose any out of u in units where u.owner == black by black as leave "Who leaves":
        gone = size(out)
    may by black as cheer "Cheer for {gone|man|men}":
        log "hurrah"
""",
}


@pytest.fixture(scope="module")
def camp(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("games") / "camp"
    (folder / "rules").mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return load(folder)


def sit(game: Game, typed: str, monkeypatch: pytest.MonkeyPatch, record: Record | None = None, **bots: str) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    out = io.StringIO()
    play(record or Record.new(game, bots=bots), bots=bots, language=PLAIN, out=out, interactive=False)
    return out.getvalue()


def test_a_list_says_what_its_lines_have_in_common(camp: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    text = sit(camp, "march\nguard_1\nrest\ndrill\n", monkeypatch)
    assert "Orders  (7 choices)\n" in text
    assert "March with … to …  (3 choices)\n" in text  # not only "Orders"


def test_numbers_stand_under_what_they_are_numbers_of(camp: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Drill … times  (3 choices)\n  1, 2, 3\n" in sit(camp, "drill\n", monkeypatch)


def test_what_is_told_beside_the_thing_chosen_stands_in_the_list(camp: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    text = sit(camp, "rest\nrider\n", monkeypatch)
    assert "Tired: … (… left)  (3 choices)\n  1  Tired: Guard 1 (3 steps left)\n" in text
    assert "Watch … of 2  (2 choices)\n  1, 2\n" in text


def test_one_choice_is_one(camp: Game) -> None:
    record = Record.new(camp)
    decision = record.position.decision
    assert decision is not None
    out = io.StringIO()
    table = tabletop.Table(record, {}, PLAIN, tabletop.make_console(out, False), lambda prompt, complete: "")
    table.focus = decision.choices[:1]
    tabletop.list_choices(table, decision)
    assert "(1 choice)" in out.getvalue()


def test_answers_without_a_text_of_their_own_are_told_with_the_question(
    camp: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = sit(camp, "rest\nrider\n1\nscout, spy\nno\nmarch rider dale\nrider\n2\nnone\nlog\n", monkeypatch)
    assert "\n  Who leaves: Scout, Spy\n" in text
    assert "\n  Cheer for 2 men: no\n" in text
    assert "\n  Who leaves: done\n" in text
    log = text[text.rindex("Your choice> log") :]
    assert "   4  Who leaves: Scout, Spy\n   5  Cheer for 2 men: no\n   6  March with Rider to Old Dale\n" in log


def test_a_bot_is_named_once_and_its_sets_are_told_whole(camp: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(1, 9):
        record = Record.new(camp, seed=seed)
        text = sit(camp, "rest\nrider\n1\n", monkeypatch, record, black="random")
        assert text.count("Black (random)") == 1
        bots = text[text.index("Black (random)") : text.index("Orders", text.index("Black (random)"))].splitlines()
        assert len([line for line in bots if line.startswith("  ") and ":" in line and "Old" not in line]) <= 2
        assert any(line.startswith("  Who leaves: ") for line in bots)


def test_many_lines_alike_are_told_as_one(camp: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    text = sit(camp, "rest\nlog\n", monkeypatch)
    assert text.count("it rains  × 4") == 2
    assert text.count("it rains") == 2


def test_who_goes_on_is_told_the_last_of_what_has_happened(camp: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    record = Record.new(camp)
    for choice in ("rest", "tire rider", "watch 1", "done", "yes", "march guard_1 dale", "tire rider"):
        record.apply(choice)
    text = sit(camp, "", monkeypatch, record)
    assert "going on after 7 choices\n  d6: 5\n  it rains  × 4\n  hurrah\n" in text


def test_what_can_be_shown_is_listed_and_a_panel_that_is_not_there_says_so(
    camp: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = sit(camp, "show nothing at all\nshow ?\nshow fort\nshow map\n", monkeypatch)
    assert text.count("what there is:") == 2 and "called `?`" not in text
    assert "what there is: map, fort, board, pieces, rules, players, options; or the name of anything" in " ".join(
        text.split()
    )
    assert "there is nothing in `fort` at present" in text
    assert text.count("Old Dale: ") == 2


def test_help_can_be_asked_for_by_a_question_mark(camp: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "take back the last choice" in sit(camp, "?\n", monkeypatch)


def test_why_takes_what_a_player_types(camp: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    text = sit(camp, "why march with rider to old dale\nwhy March Guard 1 Ayr\nwhy guard 1 ayr\n", monkeypatch)
    assert "`march rider dale` can be chosen" in text
    assert text.count("`march guard_1 ayr` cannot be chosen") == 2


def test_a_line_is_said_to_be_taken_back_by_undo_only_if_it_can_be(camp: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    text = sit(camp, "march rider dale; xyz\n", monkeypatch)
    assert "answers of that line that stand: 1; `undo` takes them back\n" in text
    assert "answers of that line that stand: 1\n" in sit(camp, "rest; xyz\n", monkeypatch)  # a die was thrown


def test_a_terminal_that_is_made_narrower_is_narrower(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("COLUMNS", raising=False)
    console = tabletop.make_console(Terminal(), True)
    widths = []
    for columns in (200, 72, 10):
        found = os.terminal_size((columns, 30))
        monkeypatch.setattr("os.get_terminal_size", lambda *_, found=found: found)
        widths.append(console.width)
    assert widths == [tabletop.WIDEST, 72, tabletop.NARROWEST]


def test_a_game_that_has_bots_lists_them() -> None:
    entry = index.describe(games_folder() / "grid_sparta")
    assert entry["bots"] == [{"id": "greedy", "title": "Greedy", "plays": [], "levels": ["plain", "careful"]}]


def test_where_one_can_only_stop_the_heading_says_what(camp: Game) -> None:
    record = Record.new(camp)
    for choice in ("march rider dale", "tire rider", "watch 1", "leave scout", "done"):
        record.apply(choice)
    decision = record.position.decision
    assert decision is not None
    assert decision.ids == ["yes", "no"]
    assert answers.question(decision, decision.choices) == "Cheer for 1 man"
    assert answers.question(decision, decision.choices[1:]) == "Cheer for …"


def test_a_bot_is_named_before_it_thinks(camp: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    named: list[bool] = []

    def think(decision: Decision, seed: int) -> int:
        named.append(out.getvalue().rstrip().endswith("White (random)"))
        raise EOFError

    monkeypatch.setattr("interpreter.play.bots.bot", lambda name, game: Bot(name, "", think))
    play(Record.new(camp), bots={"white": "random"}, language=PLAIN, out=out, interactive=False)
    assert named == [True]
