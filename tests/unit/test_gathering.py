"""Whole sets and several answers in one line, as they are typed at the table."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from interpreter.diagnostics import UsageError
from interpreter.game import Decision, Game, load
from interpreter.play.gathering import whole_set
from interpreter.play.table import play
from interpreter.runtime.record import Record
from interpreter.runtime.texts import PLAIN, Language

FIXTURES = Path(__file__).parents[1] / "games"

FILES = {
    "game.yaml": """\
game: levy
title: Levy
players: [{id: white, title: White}, {id: black, title: Black}]
dice: {d6: 1..6}
enums: {arm: {of: {foot: Foot, horse: Horse}}}
kinds:
  site: {title: site}
  unit:
    piece: [site, away]
    owner: player
    arm: arm
    steps: int
    alike: true
zones: {away: {of: unit}}
globals: {left_behind: set of unit, fallen: int, rounds: int}
phases:
  march: {title: March, do: take_turns()}
""",
    "map.yaml": "edges: [[ayr, dale]]\nspaces: [{site: ayr, title: Ayr}, {site: dale, title: Dale}]\n",
    "pieces.yaml": """\
- {unit: militia, title: Militia, copies: 5, owner: white, arm: foot, steps: 2}
- {unit: guard, title: Guard, copies: 2, owner: white, arm: foot, steps: 3}
- {unit: rider, title: Rider, owner: white, arm: horse, steps: 1}
- {unit: scout, title: Scout, owner: black, arm: horse, steps: 1}
""",
    "scenarios/standard.yaml": """\
scenario: standard
place: {militia_1: ayr, militia_2: ayr, militia_3: dale, militia_4: ayr, militia_5: ayr, guard_1: ayr, guard_2: ayr,
        rider: ayr, scout: dale}
""",
    "rules/10.effects": """\
effect take_turns():
    leave(white, ayr)
    rounds += 1
    choose up to 2 called of u in units where u.owner == white and u.at == dale by white as call "Who goes on":
        for each u in called:
            move u to away
    choose any gone of i in 1..7 by white as fall "Who falls":
        fallen = size(gone)
    choose t in those(x in sites) by black as look_at "Look at {t}":
        rounds += 1
    leave(white, dale)
    let d = roll d6
    for each i in 1..2:
        choose t in those(x in sites) by white as camp "Camp at {t}":
            rounds += d
    win white as "White has marched"

effect leave(p: player, a: site):
    choose any column of u in units where u.owner == p and u.at == a
            limit sum(u in column of u.steps) <= 12 by p as leave "Who leaves {a}":
        left_behind = those(u in units where u.at == a) - column
        for each u in column:
            move u to dale
        log "{column} leave {a}"
""",
}


@pytest.fixture(scope="module")
def levy(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("games") / "levy"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return load(folder)


def asked(game: Game) -> Decision:
    decision = game.start().decision
    assert decision is not None
    return decision


def members(found: list[str] | None) -> list[str]:
    assert found is not None
    return [step.removeprefix("leave ") for step in found]


@pytest.mark.parametrize(
    ("typed", "steps"),
    [
        ("all but guards, 1 militia", ["militia_1", "militia_2", "militia_4", "rider"]),
        ("2 guards", ["guard_1", "guard_2", "done"]),
        ("none", ["done"]),
        ("NONE", ["done"]),
        ("militia_1, guard 1", ["militia_1", "guard_1", "done"]),
        ("Rider, Guard 1", ["guard_1", "rider"]),
        ("1 3", ["militia_1", "rider"]),
        ("1-2", ["militia_1", "guard_1", "done"]),
        ("1-2, rider", ["militia_1", "guard_1", "rider"]),
        ("3 militia", ["militia_1", "militia_2", "militia_4", "done"]),
        ("3 militia, rider", ["militia_1", "militia_2", "militia_4", "rider"]),
        ("militia", ["militia_1", "militia_2", "militia_4", "militia_5", "done"]),
        ("2 mil, gu", ["militia_1", "militia_2", "guard_1", "guard_2", "done"]),
        ("1 horse", ["rider"]),
        ("all but 3 militia", ["militia_1", "guard_1", "guard_2", "rider"]),
        ("all but militia_1, guard", ["militia_1", "militia_2", "militia_4", "rider"]),
        ("all  but foot", ["rider"]),
        ("rider", None),
        ("2", None),
        ("g", None),
        ("leave rider", None),
    ],
)
def test_what_is_typed_for_a_set(levy: Game, typed: str, steps: list[str] | None) -> None:
    found = whole_set(asked(levy), typed, PLAIN)
    assert (found if found is None else members(found)) == steps


@pytest.mark.parametrize(
    ("typed", "message", "help"),
    [
        ("all", "`leave guard_2` cannot be taken together with the others", "open then are: leave rider, done"),
        ("rider, horde", "nothing here is called `horde`", "did you mean"),
        ("rider, 9", "there is no number 9: the list ends at 4", ""),
        ("3-2", "there is no number 2", ""),
        ("5 militia", "only 4 are called `militia`", "`militia_1`, `militia_2`"),
        ("3 foot", "`foot` can mean 6 choices", "`militia_1`"),
    ],
)
def test_sets_that_cannot_be_meant(levy: Game, typed: str, message: str, help: str) -> None:
    with pytest.raises(UsageError) as found:
        whole_set(asked(levy), typed, PLAIN)
    assert message in found.value.message
    assert help in found.value.help


def sit(game: Game, typed: str, bots: dict[str, str] | None = None, record: Record | None = None) -> tuple[str, Record]:
    """A sitting with these lines: what was printed, and the record that is left."""
    lines = iter(typed.splitlines())
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.StringIO("".join(line + "\n" for line in lines)))
        record = record or Record.new(game, seed=3, bots=bots)
        assert play(record, bots=bots or {}, language=PLAIN, out=out, interactive=False) == 0
    return out.getvalue(), record


def chosen(record: Record) -> list[tuple[str, ...]]:
    return [answer.choose for answer in record.answers]


def test_a_set_at_the_table_is_one_answer(levy: Game) -> None:
    text, record = sit(levy, "2 militia, rider\nundo\nmilitia_1\nguard\nundo\nundo\n")
    assert "Militia 1, Militia 2, Rider leave Ayr" in text
    assert text.count("One by one, or several at once") == 1
    assert "taken back; 0 choices stand" in text
    assert chosen(record) == []
    assert "there is nothing to undo" in text
    _, record = sit(levy, "militia_1\nguard\n")
    assert chosen(record) == [("leave militia_1", "leave guard_1", "leave guard_2", "done")]


def test_numbers_that_are_chosen_themselves(levy: Game) -> None:
    _, record = sit(levy, "none\nmilitia\n2-4, 7\n")
    assert chosen(record)[-1] == ("fall 2", "fall 3", "fall 4", "fall 7")


def test_a_line_goes_on_until_another_player_is_asked(levy: Game) -> None:
    text, record = sit(levy, "guard_1; done; none; 1-2; militia; all\n")
    assert chosen(record) == [("leave guard_1", "done"), ("done",), ("fall 1", "fall 2", "done")]
    assert "not answered: `militia; all`; Black is to choose" in text
    assert text.count("to choose") == 3, "the questions between are not put"


def test_one_undo_takes_a_line_back(levy: Game) -> None:
    text, record = sit(levy, "rider; none; 1-2\nundo\n")
    assert chosen(record) == []
    assert "taken back; 0 choices stand" in text
    _, record = sit(levy, "none\nnone; 1-2\nundo\n")
    assert chosen(record) == [("done",)]
    _, record = sit(levy, "none; none; 1\nundo\n2; done\nundo\n")
    assert chosen(record) == []


def test_a_line_is_taken_back_as_far_as_nobody_has_learned_anything(levy: Game) -> None:
    text, record = sit(levy, "none; none; none\nayr\nmilitia_3; ayr\nundo\nundo\n")
    assert chosen(record)[-1] == ("leave militia_3",)
    assert text.count("somebody has learned something since") == 2, "at the first undo, and at the second"
    assert text.count("taken back; 5 choices stand") == 1


def test_a_part_that_does_not_fit_ends_the_line(levy: Game) -> None:
    text, record = sit(levy, "none; 9 mules; 1-2\n")
    assert chosen(record) == [("done",)]
    assert "only 1 are called" not in text
    assert "nothing here is called `mules`" in text
    assert "not answered: `9 mules; 1-2`\nanswers of that line that stand: 1; `undo` takes them back\n" in text
    assert "  1  Militia 3\n  2  done\n" in text.split("`undo` takes them back")[1], "the question is put anew"
    text, _ = sit(levy, "none; help; none\n")
    assert "`help` is a command: type it on a line of its own\nnot answered: `help; none`" in text


def test_a_narrowed_part_goes_on_in_the_same_line_or_is_asked() -> None:
    muster = load(FIXTURES / "muster")
    _, record = sit(muster, "northern_1; ford\n")
    assert chosen(record) == [("go northern_1 ford",)]
    text, record = sit(muster, "northern_1; northern_2 ford\n")
    assert chosen(record) == []
    assert "nothing here is called `northern_2 ford`" in text
    text, record = sit(muster, "; northern_1;;\nford ; \n")
    assert chosen(record) == [("go northern_1 ford",)]


def test_a_bot_that_moves_between_ends_the_line() -> None:
    muster = load(FIXTURES / "muster")
    text, record = sit(muster, "northern_1 ford; northern_1 gate\nundo\n", {"south": "random"})
    assert "not answered: `northern_1 gate`; South is to choose" in text
    assert chosen(record) == []


def test_marches_of_a_turn_in_one_line() -> None:
    border = load(FIXTURES / "border_war")
    record = Record.new(border, seed=1)
    while record.position.decision is not None and record.position.decision.id != "march":
        record.apply(0)
    decision = record.position.decision
    assert decision is not None
    first = decision.choices[0].id
    before = record.choices
    _, record = sit(border, f"\n\n{first}; no; no\n", record=record)
    assert [one[-1] for one in chosen(record)[before:]][:2] == [first, "no"]


def test_the_end_of_the_game_ends_the_line(levy: Game) -> None:
    text, _ = sit(levy, "militia\nnone\nnone\nayr\nnone; 1; 2; 1; 2\n")
    assert "not answered: `1; 2`; the game is over" in text
    assert "White wins" in text


def test_words_of_sets_in_the_language_of_the_table(levy: Game) -> None:
    language = Language({"all but": "모두 빼고", "none": "없음", "Rider": "기병"})
    decision = asked(levy)
    decision.position.language = language
    found = whole_set(decision, "모두 빼고 militia, 기병", language)
    assert members(found) == ["guard_1", "guard_2", "done"]
    assert members(whole_set(decision, "없음", language)) == ["done"]


def test_a_question_that_comes_again_names_no_set_of_before(tmp_path: Path) -> None:
    files = FILES | {
        "rules/10.effects": """\
effect take_turns():
    keep choosing by white as march "March":
        option go for s in sites, any column of u in units where u.at == ayr and u.owner == white
                as "Go to {s}{ with |column}":
            for each u in column:
                move u to s
    win white as "White has marched"
"""
    }
    for name, text in files.items():
        (tmp_path / "levy" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "levy" / name).write_text(text, encoding="utf-8")
    record = Record.new(load(tmp_path / "levy"))
    for step in ("go dale", "march rider"):
        record.apply(step)
    assert record.position.decision is not None
    assert [c.text for c in record.position.decision.choices] == ["Go to Ayr", "Go to Dale", "done"]


@pytest.fixture(scope="module")
def muster(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """A question that comes again until it is stopped."""
    files = FILES | {
        "rules/10.effects": """\
effect take_turns():
    keep choosing by white as muster "Muster":
        option come for u in units where u.owner == white and u.at == ayr as "{u} comes":
            move u to dale
        option send for u in units where u.owner == white and u.at == ayr, s in sites where s != u.at as "{u} to {s}":
            move u to s
        option rest as "Rest":
            rounds += 1
    win white as "White has marched"
"""
    }
    folder = tmp_path_factory.mktemp("again") / "levy"
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return load(folder)


def test_a_question_that_comes_again_takes_lists(muster: Game) -> None:
    text, record = sit(muster, "rest, 1, come rider; come guard_1\nundo\n1-2\n")
    assert chosen(record) == [("come militia_1",), ("come guard_1",)]
    assert "taken back; 0 choices stand" in text
    text, record = sit(muster, "come guard_1, come guard_2\n")
    assert chosen(record) == [], "the second is not offered yet"
    assert "nothing here is called `come guard_2`" in text
    text, record = sit(muster, "rest, to dale\n")
    assert "`to dale` can mean 3 choices\n`militia_1 dale`, `guard_1 dale`, `rider dale`" in text
    assert chosen(record) == [], "nothing of a list that is not clear"
    text, record = sit(muster, "rest, come rider, send rider dale; rest\n")
    assert chosen(record) == [("rest",), ("come rider",)]
    assert "not answered: `send rider dale; rest`\nanswers of that line that stand: 2" in text


def test_sets_and_lines_in_a_shipped_game() -> None:
    spartacus = load("spartacus")
    text, record = sit(spartacus, "all but cohorts; done\nundo\n2-3\n")
    assert chosen(record) == [("leave varinius", "leave mummius")]
    assert "taken back; 0 choices stand" in text


def test_units_gather_in_one_line_in_a_shipped_game() -> None:
    record = Record.new(load("hellenes"), seed=3)
    while (decision := record.position.decision) is not None and decision.id != "muster_units":
        record.apply(next((i for i, name in enumerate(decision.ids) if name.startswith("muster")), 0))
    assert decision is not None
    before = record.choices
    units = [name.split()[1] for name in decision.ids if name.startswith("come ")][:2]
    sit(record.game, f"\n\n{', '.join(units)}; done\n", record=record)
    assert [one[-1] for one in chosen(record)[before:]] == [f"come {units[0]}", f"come {units[1]}", "done"]
