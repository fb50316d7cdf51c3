"""Many games: the same results however they are played, and figures that are right."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from interpreter.backends.python.machine import PythonMachine
from interpreter.core import header
from interpreter.core.listing import listing
from interpreter.diagnostics import UsageError
from interpreter.game import Game, load
from interpreter.play import bots
from interpreter.play.bots import BOTS, RANDOM, Bot, answer_at_random, bot_choice
from interpreter.play.simulate import GameFault, simulate, wilson

GAMES = Path(__file__).resolve().parents[1] / "games"
FIXED = (
    "game",
    "scenario",
    "options",
    "seed",
    "bots",
    "max_plies",
    "games",
    "decisions",
    "results",
    "lengths",
    "win_rates",
)


def fixed(found: dict[str, Any]) -> dict[str, Any]:
    """All but what depends on the machine."""
    return {key: found[key] for key in FIXED}


@pytest.fixture
def muster() -> Game:
    return load(GAMES / "muster")


def test_keys(muster: Game) -> None:
    found = simulate(muster, games=20)
    assert set(found) == {*FIXED, "backend", "tested", "seconds", "decisions_per_second"}
    assert found["games"] == 20
    assert sum(found["results"]["wins"].values()) + found["results"]["draws"] + found["results"]["unfinished"] == 20
    lengths = found["lengths"]
    assert lengths["min"] <= lengths["median"] <= lengths["max"]
    assert lengths["min"] <= lengths["mean"] <= lengths["max"]
    for player, rate in found["win_rates"].items():
        assert rate["rate"] == found["results"]["wins"][player] / 20
        assert rate["low"] < rate["rate"] < rate["high"]


def test_backend_and_jobs_do_not_matter(muster: Game) -> None:
    want = fixed(simulate(muster, games=70, seed=9))
    for backend, jobs in (("wasm", 1), ("wasm", 3), ("python", 2)):
        assert fixed(simulate(muster, games=70, seed=9, backend=backend, jobs=jobs)) == want, (backend, jobs)
    assert fixed(simulate(muster, games=1200, jobs=1, backend="wasm")) == fixed(
        simulate(muster, games=1200, jobs=2, backend="wasm")
    )


def test_game_i_is_the_game_of_seed_n_plus_i(muster: Game) -> None:
    """Games one by one, asked question by question, come to the same."""
    plies = []
    for seed in range(30, 40):
        position = muster.start(seed=seed)
        while position.decision is not None:
            position.apply(bot_choice("random", position, seed))
        plies.append(position.plies)
    found = simulate(muster, games=10, seed=30)
    assert found["lengths"]["min"] == min(plies)
    assert found["lengths"]["mean"] == sum(plies) / 10
    assert fixed(simulate(muster, games=1, seed=33))["lengths"]["max"] == plies[3]


def test_other_bots(muster: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that is not the random one is asked; the answers of a second random one are the same as a playout's."""
    same = Bot("same", "", answer_at_random)
    first = Bot("first", "", lambda decision, seed: 0)
    monkeypatch.setattr(bots, "BOTS", (*BOTS, same, first))
    want = simulate(muster, games=12)
    found = simulate(muster, games=12, bots={"north": "same"})
    assert found["bots"] == {"north": "same", "south": "random"}
    assert found["results"] == want["results"]
    assert found["lengths"] == want["lengths"]
    alone = simulate(muster, games=3, bots={"north": "first", "south": "first"})
    assert alone["lengths"]["min"] == alone["lengths"]["max"]
    assert alone["results"] != want["results"]


def test_cap(muster: Game) -> None:
    for backend in ("python", "wasm"):
        found = simulate(muster, games=5, max_plies=4, backend=backend)
        assert found["results"]["unfinished"] == 5
        assert found["lengths"]["max"] == 4
        assert found["win_rates"]["north"]["rate"] == 0


def test_progress(muster: Game) -> None:
    steps: list[int] = []
    simulate(muster, games=50, progress=steps.append)
    assert sum(steps) == 50
    assert len(steps) > 1


FAULTY = """
effect turn(p: player):
    choose c in cells by p as go "Go to {c}":
        heat += 1
"""


def faulty(folder: Path) -> Game:
    """A game whose rules go wrong at the fifth choice, wherever it leads."""
    (folder / "rules").mkdir(parents=True)
    (folder / "game.yaml").write_text(
        "game: faulty\nplayers:\n  - {id: red}\n  - {id: blue}\nkinds:\n  cell: {title: cell}\n"
        "globals:\n  heat: {type: int, min: 0, max: 4}\n"
        "map:\n  grid: {kind: cell, columns: a..c, rows: 1..1, neighbours: 4}\n"
        "phases:\n  play: {repeat: true, each: player, do: turn(mover)}\n"
    )
    (folder / "rules" / "10.effects").write_text(FAULTY.lstrip())
    return load(folder)


@pytest.mark.parametrize(("backend", "jobs"), [("python", 1), ("wasm", 1), ("wasm", 2)])
def test_faults_are_told_with_their_seed(backend: str, jobs: int, tmp_path: Path) -> None:
    game = faulty(tmp_path / "faulty")
    with pytest.raises(GameFault) as caught:
        simulate(game, games=600, seed=41, backend=backend, jobs=jobs)
    assert caught.value.trouble.seed == 41
    assert "10.effects:3" in caught.value.trouble.place
    assert simulate(game, games=3, max_plies=4, backend=backend)["results"]["unfinished"] == 3


@pytest.mark.parametrize(("backend", "jobs"), [("python", 1), ("wasm", 2), ("both", 1)])
def test_invariants_are_tested_after_every_choice(backend: str, jobs: int, tmp_path: Path) -> None:
    game = faulty(tmp_path / "faulty")
    (tmp_path / "faulty" / "invariants.yaml").write_text("- {that: heat < 3, text: it is not hot}\n")
    with pytest.raises(GameFault) as caught:
        simulate(load(tmp_path / "faulty"), games=9, seed=41, backend=backend, jobs=jobs, check=True)
    trouble = caught.value.trouble
    assert (trouble.seed, trouble.ply, trouble.diagnostic.code) == (41, 3, "broken-invariant")
    assert caught.value.replay("here") == (
        "petteia play here --seed 41 --bot red=random --bot blue=random --max-plies 3"
    )
    found = simulate(game, games=9, seed=41, backend=backend, max_plies=4, check=True)
    assert found["tested"] == 9 * 5
    assert fixed(found) == fixed(simulate(game, games=9, seed=41, max_plies=4))


def test_invariants_change_nothing_in_the_game(tmp_path: Path) -> None:
    """Neither bytes nor programs, whatever invariants read."""
    plain = faulty(tmp_path / "faulty")
    (tmp_path / "faulty" / "invariants.yaml").write_text(
        "- {that: all(c in cells have heat <= 4)}\n- {that: not any(c in cells where not in_play(c))}\n"
    )
    game = load(tmp_path / "faulty")
    assert game.start().to_bytes() == plain.start().to_bytes()
    assert listing(game.compiled().program) == listing(plain.compiled().program)
    assert game.asides(game.compiled()).program.cells == plain.compiled().program.cells
    assert len(game.asides(game.compiled()).invariants) == 2


def test_backends_that_disagree_are_told(muster: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of one backend, if there were one, is seen at the choice after which it shows."""
    plain = PythonMachine.apply

    def wrong(machine: PythonMachine, block: bytearray, index: int) -> None:
        plain(machine, block, index)
        if block[4 * header.ANSWERS] == 5:
            block[4 * header.KNOWN] ^= 1

    monkeypatch.setattr(PythonMachine, "apply", wrong)
    with pytest.raises(GameFault) as caught:
        simulate(muster, games=2, backend="both")
    assert caught.value.trouble.diagnostic.code == "unequal-backends"
    assert caught.value.trouble.ply == 5


def test_names_are_checked(muster: Game) -> None:
    with pytest.raises(UsageError, match="no bot `randm`"):
        simulate(muster, games=1, bots={"north": "randm"})
    with pytest.raises(UsageError, match="no scenario"):
        simulate(muster, "nowhere", games=1)
    with pytest.raises(UsageError, match="no backend"):
        simulate(muster, games=1, backend="fortran")


def test_random_bot_repeats_itself(muster: Game) -> None:
    """Its answer follows from seed, seat and number of answers, not from who asked before or from the generator."""
    position = muster.start(seed=8)
    answers = []
    for _ in range(5):
        decision = position.decision
        assert decision is not None
        answers.append(RANDOM.answer(decision, 8))
        assert RANDOM.answer(decision, 8) == answers[-1]
        position.cells[header.RANDOM] ^= 5
        assert RANDOM.answer(decision, 8) == answers[-1]
        position.apply(answers[-1])
    assert len(set(answers)) > 1


def test_wilson() -> None:
    """Figures of Wilson's interval as tables give them; it covers what it should."""
    low, high = wilson(50, 100)
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)
    low, high = wilson(0, 10)
    assert (low, round(high, 4)) == (0.0, 0.2775)
    low, high = wilson(10, 10)
    assert (round(low, 4), round(high, 9)) == (0.7225, 1.0)
    covered = 0.0
    for wins in range(201):
        low, high = wilson(wins, 200)
        if low <= 0.3 <= high:
            covered += math.comb(200, wins) * 0.3**wins * 0.7 ** (200 - wins)
    assert 0.94 < covered < 0.96
