"""Numbers that another field of the same thing bounds (`max: full`), in positions that did not come about by rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.diagnostics import RuleFault
from interpreter.game import Position, load
from interpreter.lang.world import Field
from interpreter.runtime.invariants import Watch, broken

GAME = """\
game: walls
players: [red, blue]
kinds:
  block:
    piece: [camp]
    full: {type: int, min: 1, max: 4}
    steps: {type: int, min: 1, max: full, default: 1}
  town:
    height: {type: int, default: 2}
    guard: {type: int, min: 0, max: height}
zones:
  camp: {of: block, per: player, seen_by: owner}
globals:
  rounds: {type: int, default: 3}
  round: {type: int, max: rounds}
"""


@pytest.fixture
def position(tmp_path: Path) -> Position:
    files = {
        "game.yaml": GAME,
        "map.yaml": "spaces: [{town: ayr}, {town: mill}]\nedges: [{between: [ayr, mill]}]\n",
        "pieces.yaml": "[{block: big, full: 4}, {block: small, full: 2}]\n",
        "scenarios.yaml": "scenario: one\nplace: {camp: {red: [big], blue: [small]}}\n",
        "phases.yaml": "game: {repeat: true, phases: {turn: {each: player, do: play(mover)}}}\n",
        "rules/1.effects": (
            'effect play(p: player):\n    choose n in 1..9 by p as raise "{n}":\n'
            "        round = n\n        ayr.height = n\n        ayr.guard = n\n"
            "        for each b in camp[p]:\n            b.steps = n\n"
        ),
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return load(tmp_path).start()


def cell(position: Position, name: str, number: int = 0) -> tuple[Field, int]:
    """A field, and the cell of one of its values."""
    f, region = next((f, r) for f, r in position.compiled.layout.fields.items() if f.name == name)
    return f, region.base + number


def test_a_fault_tells_both_numbers(position: Position) -> None:
    with pytest.raises(RuleFault) as caught:
        position.apply("raise 4")
    assert caught.value.diagnostic.message == "`round` is at most its `rounds`, 3, and this would make it 4"
    position.apply("raise 3")
    with pytest.raises(RuleFault) as caught:
        position.apply("raise 3")
    assert caught.value.diagnostic.message == "`steps` is at most its `full`, 2, and this would make it 3"


def test_a_position_with_more_is_broken(position: Position) -> None:
    watch = Watch(position.compiled)
    assert not list(watch.broken(position.cells))
    position.cells[cell(position, "steps", 1)[1]] = 3
    position.cells[cell(position, "height")[1]] = 1  # a bound that rules change
    position.cells[cell(position, "guard")[1]] = 2
    told = [
        "`small.steps` is 3, which is more than its `full`, 2",
        "`ayr.guard` is 2, which is more than its `height`, 1",
    ]
    assert list(watch.broken(position.cells)) == list(broken(position.compiled, position.cells)) == told


def test_a_bound_that_falls_is_noticed(position: Position) -> None:
    position.apply("raise 2")
    watch = Watch(position.compiled)
    assert not list(watch.broken(position.cells))
    position.cells[cell(position, "height")[1]] = 1
    assert list(watch.broken(position.cells)) == ["`ayr.guard` is 2, which is more than its `height`, 1"]
