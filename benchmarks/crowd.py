"""A made-up game with many pieces on many spaces, whose rules keep asking who is where."""

from __future__ import annotations

from pathlib import Path

_GAME = """
game: crowd
title: Crowd
players: [{id: one, title: One}, {id: two, title: Two}]
kinds:
  area: {title: area}
  unit: {title: unit, piece: [area, lost], owner: player}
zones:
  lost: {of: unit, title: lost}
map:
  grid: {kind: area, columns: a..j, rows: 1..10, neighbours: 8}
phases:
  play: {repeat: true, each: player, do: turn(mover)}
"""

_RULES = """
fun foes(s: area, p: player) -> int = count(u in units where u.at == s and u.owner != p)

fun friends(s: area, p: player) -> int = count(u in units where u.at == s and u.owner == p)

effect turn(p: player):
    choose s in areas where friends(s, p) > 0,
            goal in those(t in neighbours(s) where foes(t, p) <= friends(s, p) and friends(t, p) < 4)
            by p as march "March from {s} to {goal}":
        for each u in units where u.at == s and u.owner == p:
            move u to goal
        for each u in units where u.at == goal and u.owner != p:
            move u to lost
    else:
        win rival(p)
    if size(lost) > 60:
        finish
"""

PIECES = 80


def write(folder: Path) -> None:
    """The game: 80 pieces on 100 spaces, 40 of each player at either end of the map."""
    units, places = [], []
    for i in range(PIECES):
        first = i < PIECES // 2
        space = i if first else 139 - i
        units.append(f"- {{unit: u_{i}, title: Unit {i}, owner: {'one' if first else 'two'}}}\n")
        places.append(f"  u_{i}: {'abcdefghij'[space % 10]}{1 + space // 10}\n")
    (folder / "rules").mkdir(parents=True, exist_ok=True)
    (folder / "scenarios").mkdir(exist_ok=True)
    (folder / "game.yaml").write_text(_GAME.lstrip(), encoding="utf-8")
    (folder / "pieces.yaml").write_text("".join(units), encoding="utf-8")
    (folder / "rules" / "10_turn.effects").write_text(_RULES.lstrip(), encoding="utf-8")
    scenario = "scenario: standard\ntitle: Standard\nplace:\n" + "".join(places)
    (folder / "scenarios" / "standard.yaml").write_text(scenario, encoding="utf-8")
