"""Labelled sums: their parts as they are told in a position, in both backends, with what exceptions add."""

from __future__ import annotations

import pytest

from interpreter.backends import wasm
from interpreter.diagnostics import UsageError
from interpreter.game import Game, Position, load

FILES = {
    "game.yaml": """game: sums
players: [white, black]
kinds:
  town: {worth: int}
  unit: {sorts: [man, horse], piece: [town]}
  leader: {piece: [town], side: player}
precedence: [rules, options, scenario, leader]
map: {edges: [[argos, delos]]}
options:
  snow: {default: false, title: Snow, exceptions: [{to: "pace(column, goal)", when: goal == delos, add: -1}]}
phases: {play: {each: player, repeat: true, do: go(mover)}}
""",
    "pieces.yaml": """- {town: argos, worth: 1}
- {town: delos, worth: 4}
- {man: m, copies: 2}
- {horse: h, copies: 2}
- leader: alkis
  title: Alkis
  side: white
  exceptions: [{to: "pace(column, goal)", when: self.at == goal, add: 5}]
""",
    "scenarios.yaml": "- {scenario: one, place: {m_1: argos, m_2: argos, h_1: argos, h_2: argos, alkis: delos}}\n",
    "rules/pace.yaml": """functions:
  pace:
    takes: {column: set of unit, goal: town}
    gives: int
    sum:
      - {part: 2, text: To begin with, rule: "4.1"}
      - {part: 0 - size(column), when: size(column) > 1, text: A long column, rule: "4.2"}
      - {part: goal.worth, when: goal.worth > 2}
      - {part: 1, when: all(u in column have u is horse), text: Riders}
""",
    "rules/use.effects": 'effect go(p: player):\n    choose n in 1..2 by p as go "Go {n}":\n        log "{n}"\n',
}
M1, M2, H1, H2 = range(4)
ARGOS, DELOS = range(2)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("sums")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return load(folder)


@pytest.fixture(params=["python", "wasm"])
def position(request: pytest.FixtureRequest, game: Game) -> Position:
    if request.param == "wasm" and not wasm.available():
        pytest.skip("wasmtime is not installed")
    return game.start(options={"snow": True}, backend=request.param)


def test_parts_that_count(position: Position) -> None:
    assert position.parts("pace", [[M1, H1], ARGOS]) == [("To begin with", "4.1", 2), ("A long column", "4.2", -2)]
    assert position.parts("pace", [[H2], ARGOS]) == [("To begin with", "4.1", 2), ("Riders", "", 1)]
    assert position.parts("pace", [[], ARGOS]) == [("To begin with", "4.1", 2), ("Riders", "", 1)]


def test_what_exceptions_add_is_told_too(position: Position) -> None:
    assert position.parts("pace", [[M1], DELOS]) == [
        ("To begin with", "4.1", 2),
        ("goal.worth", "", 4),
        ("Snow", "", -1),
        ("Alkis", "", 5),
    ]


def test_without_the_option_nothing_of_it_is_told(game: Game) -> None:
    told = [text for text, _, _ in game.start().parts("pace", [[M1], DELOS])]
    assert told == ["To begin with", "goal.worth", "Alkis"]


def test_mistakes_of_use(position: Position) -> None:
    with pytest.raises(UsageError, match="there is no sum `pase`") as found:
        position.parts("pase")
    assert found.value.help == "did you mean `pace`?"
    with pytest.raises(UsageError, match="takes 2 arguments, not 1"):
        position.parts("pace", [[M1]])
    with pytest.raises(UsageError, match="takes a town here"):
        position.parts("pace", [[M1], [ARGOS]])
    with pytest.raises(UsageError, match="at most 4 members"):
        position.parts("pace", [[M1, M2, H1, H2, M1], ARGOS])
