"""Chance as a script says: in positions, in scripts, in saves. Every mismatch is told, the generator is not touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.core import header
from interpreter.diagnostics import GameError, UsageError
from interpreter.game import Game, Position, load
from interpreter.play.script import read_script, run_script
from interpreter.runtime.fresh import first_block
from interpreter.runtime.record import Record
from interpreter.runtime.scripting import ScriptError, Word

FIXTURES = Path(__file__).resolve().parents[1] / "games"
FAIR = 3  # a seed with which nobody meets a storm at once


@pytest.fixture(scope="module")
def divers() -> Game:
    return load(FIXTURES / "push_your_luck")


@pytest.fixture(scope="module")
def tricks() -> Game:
    return load(FIXTURES / "tricks")


def generator(position: Position) -> list[int]:
    return list(position.cells[header.RANDOM : header.RANDOM + 4])


def dice(*faces: str) -> list[Word]:
    return [("dice", face) for face in faces]


def draws(*pieces: str) -> list[Word]:
    return [("draws", piece) for piece in pieces]


@pytest.mark.parametrize("backend", ["python", "wasm"])
def test_a_choice_with_its_chance(divers: Game, backend: str) -> None:
    position = divers.start(seed=FAIR, backend=backend)
    before = generator(position)
    known = position.known
    position.apply("down", dice("shell") + draws("black_2"))
    assert generator(position) == before
    assert position.known == known + 2
    assert [line.text for line in position.lines] == ["sea die: shell"]
    haul = position.to_json()["fields"]["pearl"]["black_2"]  # type: ignore[index]
    assert haul == {"at": "haul"}


def test_dice_in_two_rolls(divers: Game) -> None:
    position = divers.start(seed=FAIR)
    position.apply("down", dice("calm"))
    position.apply("down", dice("calm"))
    position.apply("down", dice("shell", "shell") + draws("seed_1", "round_1"))
    assert position.machine.script == []


WRONG: dict[str, tuple[list[Word], int, str]] = {
    "no face": (dice("seven"), 0, "`sea_die` has no face `seven`"),
    "face of another die": (dice("6"), 0, "`sea_die` has no face `6`"),
    "piece for a die": (draws("seed_1"), 0, "`sea_die` is rolled here, and the script draws `seed_1`"),
    "face for a piece": (dice("shell", "calm"), 1, "a pearl is drawn here, and the script rolls `calm`"),
    "no piece": (dice("shell") + draws("oyster"), 1, "there is no pearl `oyster`"),
    "too many": (dice("calm", "calm"), 1, "the script has a word left, and the rules ask nothing more of chance here"),
    "too few": (dice("shell"), 0, "the rules ask more of chance here than the script brings"),
}


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize("backend", ["python", "wasm"])
def test_what_does_not_fit(divers: Game, case: str, backend: str) -> None:
    words, entry, message = WRONG[case]
    position = divers.start(seed=FAIR, backend=backend)
    before = position.to_bytes()
    with pytest.raises(ScriptError) as caught:
        position.apply("down", words)
    assert (caught.value.message, caught.value.entry) == (message, entry)
    assert position.to_bytes() == before
    assert position.machine.script == []


def test_a_piece_that_is_gone(divers: Game) -> None:
    position = divers.start(seed=FAIR)
    position.apply("down", dice("shell") + draws("black_2"))
    before = position.to_bytes()
    with pytest.raises(ScriptError) as caught:
        position.apply("down", dice("shell") + draws("black_2"))
    assert caught.value.entry == 1 and "is not there to be drawn" in caught.value.message
    assert position.to_bytes() == before


def test_a_wrong_choice_comes_before_its_script(divers: Game) -> None:
    with pytest.raises(UsageError, match="not among the choices"):
        divers.start(seed=FAIR).apply("up", dice("calm"))


def test_a_shuffle_as_it_is_told(tricks: Game) -> None:
    """All of a set-up: the order of the deck from the top down, then the draws off it."""
    cards = [e.id for e in tricks.world.kinds["card"].entities]
    order = cards[::-1]
    deals = order[:21]
    compiled = tricks.compiled()
    position = Position(tricks, compiled, tricks.machine(compiled), first_block(compiled, 1))
    before = generator(position)
    position.advance(draws(*order, *deals))
    assert generator(position) == before
    places = position.to_json()["fields"]["card"]  # type: ignore[index]
    assert [c for c in cards if places[c]["at"] == "hand[west]"] == sorted(order[:7], key=cards.index)
    assert places[order[21]]["at"] == "turned"
    assert position.to_json()["piles"]["deck"] == order[22:]  # type: ignore[index]


def test_scripts_are_saved(divers: Game, tmp_path: Path) -> None:
    """What chance brought is journaled with the choice, and a replay gives the same bytes."""
    script = tmp_path / "script.yaml"
    script.write_text("- ama: down\n- dice: shell\n- draws: [black_1]\n- ama: done\n", encoding="utf-8")
    path = tmp_path / "save.jsonl"
    with Record.new(divers, path=path, seed=FAIR) as record:
        before = generator(record.position)
        run_script(record, read_script(script, divers.players))
        assert generator(record.position) == before
        digest = record.position.digest()
    assert '"script":[2,18]' in path.read_text(encoding="utf-8")
    with Record.open(path, load=lambda _: divers) as again:
        assert again.position.digest() == digest


def test_a_script_that_does_not_fit_is_told_with_its_place(divers: Game, tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text("- ama: down\n- dice: shell\n- draws: [black_9]\n", encoding="utf-8")
    with Record.new(divers, path=tmp_path / "save.jsonl", seed=FAIR) as record:
        with pytest.raises(GameError) as caught:
            run_script(record, read_script(script, divers.players))
        assert record.choices == 0
    (found,) = caught.value.diagnostics
    assert found.code == "script-mismatch"
    assert str(found.span).endswith("script.yaml:3:11")
