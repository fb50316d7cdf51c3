"""What a scenario leaves out is not drawn, and no way is shown to lead there."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from interpreter import load
from interpreter.game import Position
from interpreter.play.board import board
from interpreter.play.looking import look
from interpreter.runtime.texts import PLAIN

GAMES = Path(__file__).parents[1] / "games"


def drawn(position: Position) -> str:
    console = Console(width=100, no_color=True, record=True, file=None)
    with console.capture() as captured:
        console.print(board(position))
    return captured.get()


def looked(position: Position, what: str) -> str:
    console = Console(width=100, no_color=True)
    with console.capture() as captured:
        look(position, what, PLAIN, console)
    return captured.get()


def test_a_town_that_is_left_out() -> None:
    game = load(GAMES / "muster")
    whole, small = game.start("standard"), game.start("surprise")
    assert "Old Mill" in drawn(whole) and "Old Mill" not in drawn(small)
    assert "Old Mill" in looked(whole, "hill") and "Old Mill" not in looked(small, "hill")
    assert "여울" in looked(small, "hill")


def test_a_campaign_shows_the_scenario_that_is_on() -> None:
    position = load(GAMES / "muster").start("two_wars")
    assert "Old Mill" in drawn(position)
    while position.decision is not None and position.decision.id != "bring_back":
        position.apply(0)
    assert "Old Mill" in drawn(position)
    while position.decision is not None and position.decision.id == "bring_back":
        position.apply("no")
    assert position.decision is not None and "Old Mill" not in drawn(position)


def test_squares_that_are_left_out(tmp_path: Path) -> None:
    files = {
        "game.yaml": "game: g\nplayers: [a, b]\nkinds: {square: {}}\n"
        "map: {grid: {kind: square, columns: a..c, rows: 1..2, neighbours: 4}}\n"
        "globals: {n: int}\nphases: {play: {repeat: true, each: player, do: turn(mover)}}\n",
        "scenarios.yaml": "- {scenario: whole}\n- {scenario: hole, without: [b1, b2]}\n",
        "rules/1.effects": "effect turn(p: player):\n"
        '    choose s in squares by p as go "{s}":\n'
        "        n = size(ray(a1, east))\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    game = load(tmp_path)
    for scenario, squares, length in (("whole", 6, 2), ("hole", 4, 0)):
        position = game.start(scenario)
        assert position.decision is not None and position.decision.count == squares
        position.apply(0)
        region = position.compiled.layout.fields[game.world.globals["n"]]
        assert position.cells[region.base] == length
    first = [line.split() for line in drawn(game.start("hole")).splitlines()][1]
    assert first.count("·") <= 2 and len(first) < len([x.split() for x in drawn(game.start("whole")).splitlines()][1])
