"""How compile time grows with a game: generated games of more and more functions, effects and choices."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

from benchmarks import clock
from interpreter.backends import python, wasm
from interpreter.backends.wasm.forms import everything
from interpreter.core.nodes import Program
from interpreter.game import load

PARTS = (10, 50, 100, 185)  # effects in each game

_GAME = """
game: generated
title: Generated
players: [{id: one, title: One}, {id: two, title: Two}]
kinds:
  space:
    title: space
    worth: {type: int, track: 0..9}
    holds: {unit: any, inverse: units_here}
  unit:
    title: unit
    piece: [space, lost]
    owner: player
    steps: {type: int, min: 0, max: 4, default: 2}
zones:
  lost: {of: unit, title: lost}
globals:
  score: {type: int, track: 0..999, per: player}
map:
  grid: {kind: space, columns: a..j, rows: 1..10, neighbours: 8}
phases:
  play:
    repeat: true
    each: player
    do: |
      turn(mover)
"""

_PART = """
fun strength_{n}(s: space, p: player) -> int = sum(u in units where u.at == s and u.owner == p of u.steps + {n})

fun near_{n}(s: space, p: player) -> int:
    let best = most(t in neighbours(s) where strength_{n}(t, p) > {n} of t.worth)
    return 0 if best == none else best

effect strike_{n}(s: space, p: player):
    for each u in units where u.at == s and u.owner != p:
        if u.steps > 1:
            u.steps -= 1
        else:
            move u to lost
    s.worth = clamp(s.worth + near_{n}(s, p) - {n}, 0, 9)
    score[p] = clamp(score[p] + count(t in spaces where t.worth > 3), 0, 999)

effect act_{n}(p: player):
    choose s in spaces where near_{n}(s, p) >= 0 and strength_{n}(s, p) > 0 by p as act_{n} "Strike {{s}}":
        strike_{n}(s, p)
    else:
        score[p] = clamp(score[p] - 1, 0, 999)
"""


def write(folder: Path, parts: int) -> None:
    """A game of so many parts; it is only compiled, never played."""
    (folder / "rules").mkdir(parents=True, exist_ok=True)
    (folder / "game.yaml").write_text(_GAME.lstrip(), encoding="utf-8")
    numbers = range(40)
    entries = [f"- {{unit: u_{i}, title: U{i}, owner: {'one' if i < 20 else 'two'}}}\n" for i in numbers]
    (folder / "pieces.yaml").write_text("".join(entries), encoding="utf-8")
    (folder / "scenarios").mkdir(exist_ok=True)
    places = "".join(f"  u_{i}: {'abcdefghij'[i % 10]}{1 + i // 10}\n" for i in numbers)
    scenario = f"scenario: standard\ntitle: Standard\nplace:\n{places}"
    (folder / "scenarios" / "standard.yaml").write_text(scenario, encoding="utf-8")
    turn = "effect turn(p: player):\n" + "".join(f"    act_{n}(p)\n" for n in range(parts))
    text = "".join(_PART.format(n=n) for n in range(parts)) + "\n" + turn
    (folder / "rules" / "10_parts.effects").write_text(text, encoding="utf-8")


def nodes(program: Program) -> int:
    """Nodes of the core."""
    return sum(1 for _ in everything((tuple(program.functions), tuple(program.blocks), tuple(program.decisions))))


def growth(parts: tuple[int, ...] = PARTS) -> list[dict[str, float]]:
    """For each game: nodes of the core, and processor seconds to read and check, to lower, and for each backend."""
    rows: list[dict[str, float]] = []
    for number in parts:
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder), number)
            game = load(Path(folder))
            reading = clock.took(lambda: load(Path(folder))).seconds
        lowering = clock.took(game.compiled).seconds
        program = game.compiled().program
        rows.append(
            {
                "nodes": nodes(program),
                "read and check": clock.rounded(reading),
                "lower": clock.rounded(lowering),
                "python backend": clock.rounded(clock.took(partial(python.compile_program, program)).seconds),
                "wasm backend": clock.rounded(clock.took(partial(wasm.compile_program, program, False)).seconds),
            }
        )
    return rows
