"""Displays: panels as lines of text, what is printed when, and that nobody is shown what he can't see."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.text import Text

from interpreter.game import Game, Position, load
from interpreter.play import pages, panels
from interpreter.play.columns import numbered
from interpreter.play.display import Display, display, in_full
from interpreter.runtime.texts import PLAIN

GAME = """
game: sample
players: [{id: white, title: White}, {id: black, title: Black}]
enums: {arm: [foot, horse]}
kinds:
  player: {gold: int}
  town: {worth: int, lord: maybe player, title: town}
  man:
    title: man
    piece: [town, hand]
    owner: player
    arm: arm
    seen_by: {others: self.owner == viewer, owner: all, as: a man}
zones: {hand: {of: man, per: player, seen_by: owner}}
map:
  spaces: [{town: argos, title: Argos, worth: 2, lord: white}, {town: delos, title: Delos, worth: 1}]
  edges: [[argos, delos]]
scenes: {battle: {with: {place: town}}}
phases: {play: {repeat: true, do: 'play()'}}
"""
PIECES = """
- {man: ann, title: Ann, owner: white, arm: horse}
- {man: bob, title: Bob, owner: white}
- {man: cid, title: Cid, owner: black, arm: horse}
- {man: dan, title: Dan, owner: black}
"""
RULES = """
effect play():
    choose by white as act "What":
        option rest as "Rest":
            white.gold += 0
        option earn as "Earn":
            white.gold += 1
        option fight as "Fight":
            scene battle(place = argos):
                may by white as hit "Hit":
                    white.gold += 2
"""
SCENARIO = "scenario: standard\nplace: {ann: argos, cid: argos, hand: {white: bob, black: dan}}\n"


def game(folder: Path, panels: str) -> Game:
    (folder / "rules").mkdir(parents=True)
    for name, text in (("game", GAME), ("pieces", PIECES), ("scenarios", SCENARIO), ("display", "panels:\n" + panels)):
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    (folder / "rules" / "1.effects").write_text(RULES, encoding="utf-8")
    return load(folder)


def seen(position: Position, seat: int = 0) -> Display:
    d = display(position.as_seen_by(seat), PLAIN, seat)
    assert d is not None
    return d


def told(d: Display, width: int = 60) -> list[str]:
    return [line.plain for line in panels.page(d, [*d.info.panels], width, {})]


def test_cells_stand_in_columns_and_what_is_empty_is_left_out(tmp_path: Path) -> None:
    made = game(
        tmp_path,
        """
  towns:
    title: Towns
    lines:
      - cells: ["{t}", {text: "x", when: t.worth > 9}, "{t.worth}", {text: "of {t.lord}", when: t.lord != none}]
        each: t in towns
      - {each: t in towns, order: t.worth, text: "{t}: {t.worth|point|points}"}
""",
    )
    assert told(seen(made.start()), 20) == [
        "Towns ━━━━━━━━━━━━━━",
        "Argos 2 of White",
        "Delos 1",
        "Delos: 1 point",
        "Argos: 2 points",
    ]


def test_brief_members_are_told_on_one_line_unless_all_is_wanted(tmp_path: Path) -> None:
    made = game(
        tmp_path,
        """
  towns:
    lines:
      - {each: t in towns, brief: t.lord == none, short: "({t})", text: "{t} of {t.lord}"}
""",
    )
    d = seen(made.start())
    assert told(d) == ["Argos of White", "(Delos)"]
    assert told(in_full(d)) == ["Argos of White", "Delos of nothing"]


def test_a_prefix_stands_only_before_something(tmp_path: Path) -> None:
    made = game(tmp_path, '  towns:\n    lines:\n      - {each: t in towns, text: "{t}{ of |t.lord}"}\n')
    assert told(seen(made.start())) == ["Argos of White", "Delos"]


def test_columns_and_boxes(tmp_path: Path) -> None:
    made = game(
        tmp_path,
        """
  track:
    lines:
      - {each: n in 1..4, across: ["{n}", {text: "now", when: n == 2}]}
  boxes:
    lines:
      - {each: t in towns, title: "{t}", width: 12, boxes: ["{t.worth}", "second"]}
""",
    )
    d = seen(made.start())
    assert told(d, 26) == [
        "1  2  3 4",
        "  now",
        "Argos ──────  Delos ──────",
        "2             1",
        "second        second",
    ]
    assert told(d, 13)[2:] == ["Argos ───────", "2", "second", "Delos ───────", "1", "second"]


def test_nobody_is_shown_what_he_can_not_see(tmp_path: Path) -> None:
    made = game(
        tmp_path,
        """
  men:
    lines:
      - {each: t in towns, cells: ["{t}:", {each: m in mans where m.at == t, text: "{m} {m.arm}", closed: "{{?}}"}]}
      - [{each: "m in hand[white]", text: "{m}"}, " | ", {each: "m in hand[black]", text: "{m}"}]
      - [{each: m in mans where m.arm == horse, text: "{m} rides"}]
""",
    )
    position = made.start()
    white, black = told(seen(position)), told(seen(position, 1))
    assert white[:3] == ["Argos: Ann horse, {{?}}", "Delos:", "Bob | a man"]
    assert black[:3] == ["Argos: Cid horse, {{?}}", "Delos:", "a man | Dan"]
    assert not any(name in line for line in white for name in ("Cid", "Dan"))
    for seed in range(4):
        assert told(seen(position.redealt(0, seed))) == white


def test_a_panel_of_a_scene_is_there_while_it_is_open(tmp_path: Path) -> None:
    made = game(tmp_path, '  fight:\n    during: battle\n    lines: ["At {battle.place}"]\n')
    position = made.start()
    assert told(seen(position)) == []
    position.apply("fight")
    assert told(seen(position)) == ["At Argos"]


def test_what_has_changed_is_printed(tmp_path: Path) -> None:
    made = game(
        tmp_path,
        """
  gold: {lines: ["{white.gold}"]}
  towns: {lines: ["{argos.worth}"]}
  turn: {show: always, lines: ["turn"]}
  desk: {show: asked, lines: ["desk"]}
""",
    )
    position, before = made.start(), dict[str, str]()
    assert pages.changed(seen(position), before, 60) == ["gold", "towns", "turn"]
    assert pages.changed(seen(position), before, 60) == ["turn"]
    position.apply("earn")
    assert pages.changed(seen(position), before, 60) == ["gold", "turn"]
    assert pages.asked_for(position, "desk full") == (["desk"], True)
    assert pages.asked_for(position, "") == (["gold", "towns", "turn"], False)
    assert pages.asked_for(position, "argos") is None


def test_what_can_not_be_computed_is_said_in_its_place(tmp_path: Path) -> None:
    made = game(tmp_path, '  odd: {lines: ["{floor(1 / white.gold)}"]}\n  fine: {lines: ["fine"]}\n')
    lines = told(seen(made.start()), 200)
    assert lines[1].startswith(panels.FAULT) and "by zero" in lines[1] and lines[-1] == "fine"


@pytest.mark.parametrize("width", [12, 20, 33])
def test_long_lines_are_broken(width: int) -> None:
    text = Text("  Argos and Delos and Sparta and Corinth and Megara")
    lines = panels.wrapped(text, width)
    assert all(cell_len(line.plain) <= width for line in lines)
    assert " ".join(line.plain.strip() for line in lines) == text.plain.strip()
    rows = panels.table([[Text("Argos"), text], [Text("Delos"), Text("x")]], width + 12)
    assert all(cell_len(line.plain) <= width + 12 for line in rows)
    assert rows[-1].plain == "Delos x"


def test_a_long_entry_of_a_list_goes_on_below_its_beginning() -> None:
    lines = [line.plain for line in numbered(["Deploy the army to Athens via Mantinea, Corinth and Megara"] * 7, 40)]
    assert len(lines) == 7
    assert lines[0] == "  1  Deploy the army to Athens via\n     Mantinea, Corinth and Megara"
