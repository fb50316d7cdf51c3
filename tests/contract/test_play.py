"""What holds for every game, whatever its rules: questions, answers, copies, replay, pieces."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter import UsageError
from interpreter.core import header
from interpreter.game import Position
from interpreter.play.holding import breach
from interpreter.rendering import render
from interpreter.runtime.invariants import Watch, broken
from tests.contract.games import FIXTURES, Case, cases, shipped, walk

ROOT = Path(__file__).resolve().parents[2]
SEEDS = range(1, 4)

each_case = pytest.mark.parametrize("case", cases(), ids=str)


def test_games_are_found() -> None:
    names = {case.folder.name for case in cases()}
    assert "grid_sparta" in names
    assert {p.parent.name for p in FIXTURES.glob("*/game.yaml")} <= names


@each_case
def test_questions(case: Case) -> None:
    """A question has choices, each with an id of its own that finds it; the end has an outcome and no question."""
    for seed in SEEDS[: 1 if case.large else 3]:
        for position, index in walk(case, seed):
            decision = position.decision
            if decision is None:
                assert index is None
                assert position.outcome is not None
                with pytest.raises(UsageError):
                    position.apply(0)
                continue
            assert position.outcome is None
            assert decision.count == len(decision.choices) > 0
            assert decision.player in case.game.players
            assert [c.index for c in decision.choices] == list(range(decision.count))
            ids = [c.id for c in decision.choices]
            assert len(set(ids)) == len(ids)
            assert decision.ids == ids
            assert index is not None and decision.find(ids[index]) == decision.choices[index] == decision.choice(index)
            assert decision.choice(decision.count - 1) == decision.choices[-1]


@each_case
def test_only_listed_choices(case: Case) -> None:
    """What is not among the choices is refused, and nothing changes."""
    for position, index in walk(case, 1):
        decision = position.decision
        if decision is None or index is None:
            continue
        before = position.to_bytes()
        real = decision.ids[index]
        for wrong in ("", "no such choice", f"{real} {real}", -1, decision.count, decision.count + 1000):
            with pytest.raises(UsageError):
                position.apply(wrong)
            assert position.to_bytes() == before


@each_case
def test_replay(case: Case) -> None:
    """The same seed and the same choices by name give the same bytes and the same log."""
    for seed in SEEDS[: 1 if case.large else 3]:
        names: list[str] = []
        digests: list[str] = []
        logs: list[object] = []
        for position, index in walk(case, seed):
            digests.append(position.digest())
            logs.append(position.lines)
            if position.decision is not None and index is not None:
                names.append(position.decision.ids[index])
        again = case.start(seed)
        for i, name in enumerate(names):
            assert again.digest() == digests[i]
            assert again.lines == logs[i]
            again.apply(name)
        assert len(digests) == len(names) or again.digest() == digests[-1]


@each_case
def test_copies(case: Case) -> None:
    """Copying, and going through bytes, changes nothing; a copy is independent; going back restores the bytes."""
    for position, index in walk(case, 2):
        before = position.to_bytes()
        copy, other = position.copy(), position.with_bytes(before)
        assert copy.to_bytes() == other.to_bytes() == before
        assert copy.digest() == position.digest()
        assert other.to_json() == position.to_json()
        json.dumps(position.to_json())
        decision = position.decision
        if decision is None or index is None:
            continue
        other.advance()
        assert other.to_bytes() == before, "a question that waits goes on waiting"
        copy.apply(index)
        other.apply(decision.choices[index])
        assert copy.to_bytes() == other.to_bytes() != before
        assert copy.lines == other.lines
        assert position.to_bytes() == before
        back = copy.with_bytes(before).decision
        assert back is not None and back.pending == decision.pending


@each_case
def test_counters(case: Case) -> None:
    """Answers and plies only rise, no steps are left over, what is known never falls."""
    answers = plies = known = -1
    for position, _ in walk(case, 3):
        cells = position.cells
        assert cells[header.ANSWERS] > answers
        assert cells[header.PLIES] >= plies and position.known >= known
        assert cells[header.STEPS] == 0
        answers, plies, known = cells[header.ANSWERS], cells[header.PLIES], position.known


@pytest.mark.parametrize("case", [c for c in cases() if c not in shipped()], ids=str)
def test_pieces(case: Case) -> None:
    """Every piece is in one place that its kind allows, inverses tell the same; what the game says must hold does.
    test_random_games.py looks at the scenarios of the shipped games.
    """
    game = case.game
    for seed in SEEDS[: 1 if case.large else 3]:
        watch: Watch | None = None
        for position, _ in walk(case, seed):
            asides = game.asides(position.compiled)
            watch = watch or Watch(asides)
            found = breach(Position(game, asides, game.machine(asides, "python"), position.block), watch=watch)
            assert found is None, render(found)


def test_broken_positions_are_seen() -> None:
    """The check above notices a piece, an inverse and a field that are wrong, also after one that was sound."""
    position = next(iter(walk(cases()[0], 1)))[0]
    compiled = position.compiled
    watch = Watch(compiled)
    regions = [r for r in compiled.layout.regions if r.what in ("at", "holds", "occupied")]
    assert {r.what for r in regions} == {"at", "holds", "occupied"}
    for region in regions:
        other = position.copy()
        other.cells[region.base] = 1 if other.cells[region.base] != 1 else 2
        wrong = list(broken(compiled, other.cells))
        assert wrong, f"a wrong `{region.what}` is not noticed"
        assert not list(watch.broken(position.cells))
        assert list(watch.broken(other.cells)) == list(watch.broken(other.cells)) == wrong


def ends() -> Iterator[str]:
    """Of the first case of each game: where a walk leads, and what the rules are."""
    for case in {case.folder: case for case in reversed(cases())}.values():
        *_, (position, _) = walk(case, 7)
        yield f"{case} {position.digest()} {position.game.rules_hash(position.compiled)}"


def test_hash_seeds(tmp_path: Path) -> None:
    """The same bytes whatever the hash seed of Python: here, and in a process with another that has nothing kept."""
    program = "from tests.contract.test_play import ends\nprint(*ends(), sep='\\n')\n"
    other = "4711" if os.environ.get("PYTHONHASHSEED") != "4711" else "0"
    env = {**os.environ, "PYTHONHASHSEED": other, "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=env, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode().splitlines() == [*ends()]
