"""Displays of all games along random play: they can be computed, fit the screen, and tell nobody what he can't see."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from rich.cells import cell_len

from interpreter.game import Position, load
from interpreter.play import panels
from interpreter.play.display import display, in_full
from interpreter.resources import games_folder
from interpreter.runtime.texts import PLAIN

GAMES = sorted(path.parent.name for path in games_folder().glob("*/display.yaml"))
PLIES, STEP = 280, 40


def positions(name: str) -> Iterator[Position]:
    """Every so many plies of a game at random."""
    position, chance = load(name).start(seed=11), Random(11)
    for ply in range(PLIES):
        if position.decision is None:
            return
        if ply % STEP == 0:
            yield position
        position.apply(chance.randrange(position.decision.count))


def told(position: Position, seat: int, width: int, full: bool) -> list[str]:
    d = display(position.as_seen_by(seat), PLAIN, seat)
    assert d is not None
    lines = panels.page(in_full(d) if full else d, [*d.info.panels], width, {})
    return [line.plain for line in lines]


@pytest.mark.parametrize("name", GAMES)
def test_displays_can_be_computed_fit_and_keep_secrets(name: str) -> None:
    seen = 0
    for number, position in enumerate(positions(name)):
        for seat in range(len(position.game.players)):
            lines = told(position, seat, 100 if number % 2 else 80, full=number % 4 > 1)
            assert lines
            assert max(map(cell_len, lines)) <= (100 if number % 2 else 80)
            assert not any(panels.FAULT in line for line in lines)
            assert told(position.redealt(seat, number), seat, 100 if number % 2 else 80, full=number % 4 > 1) == lines
            seen += 1
    assert seen >= 6
