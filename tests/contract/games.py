"""Every game there is, shipped or for tests, with its scenarios and options: what the contract is checked on."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import interpreter
from interpreter.game import Game, Position
from interpreter.resources import games_folder

FIXTURES = Path(__file__).resolve().parents[1] / "games"
LONGEST = 400  # answers after which a random game is left


@dataclass(frozen=True)
class Case:
    """A game as it is started: folder, scenario and options that differ from their defaults."""

    folder: Path
    scenario: str | None
    options: tuple[tuple[str, bool], ...]

    def __str__(self) -> str:
        changed = [f"{name}={'yes' if value else 'no'}" for name, value in self.options]
        return "-".join([self.folder.name, *([self.scenario] if self.scenario else []), *changed])

    @property
    def game(self) -> Game:
        return loaded(self.folder)

    def start(self, seed: int, backend: str = "python") -> Position:
        """A fresh game."""
        return self.game.start(self.scenario, dict(self.options), seed, backend)


@cache
def loaded(folder: Path) -> Game:
    """A game, read once."""
    return interpreter.load(folder)


def folders() -> list[Path]:
    """The folders of all games."""
    return sorted(p.parent for root in (games_folder(), FIXTURES) for p in root.glob("*/game.yaml"))


@cache
def cases() -> tuple[Case, ...]:
    """Every scenario of every game with the default options, and with each option changed."""
    found = []
    for folder in folders():
        game = loaded(folder)
        for scenario in game.scenarios or [None]:
            found.append(Case(folder, scenario, ()))
            found += [Case(folder, scenario, ((n, not o.default),)) for n, o in game.world.options.items()]
    return tuple(found)


def walk(case: Case, seed: int, backend: str = "python") -> Iterator[tuple[Position, int | None]]:
    """A random game: each position with the number of the choice that is taken there (None at the end)."""
    position = case.start(seed, backend)
    pick = random.Random(f"{case} {seed}")
    for _ in range(LONGEST):
        decision = position.decision
        if decision is None:
            yield position, None
            return
        index = pick.randrange(decision.count)
        yield position, index
        position.apply(index)
