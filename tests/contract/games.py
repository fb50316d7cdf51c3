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
LARGE = 150  # blocks from which on a game is large: it is played less here, and at length by its own long command
MANY = 6  # options of all scenarios from which on they are not tried one by one


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

    @property
    def large(self) -> bool:
        """Whether the game takes long to play."""
        return len(self.game.compiled(self.scenario, dict(self.options)).program.blocks) > LARGE

    @property
    def longest(self) -> int:
        """Answers after which a random game is left."""
        return LONGEST // 5 if self.large else LONGEST

    def share(self, games: int) -> int:
        """How many of so many random games are played: fewer with options changed, since rules differ little then."""
        return max(1, games // ((4 if self.options else 1) * (25 if self.large else 1)))

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
    """Every scenario of every game with the default options, and with each option changed; in a game with many, all
    changed together.
    """
    found = []
    for folder in folders():
        game = loaded(folder)
        scenarios: list[str | None] = [*game.scenarios, *game.campaigns] or [None]
        found += [Case(folder, scenario, ()) for scenario in scenarios]
        options = {n: not o.default for n, o in game.world.options.items()}
        if len(options) * len(scenarios) <= MANY:
            found += [Case(folder, scenario, ((n, v),)) for scenario in scenarios for n, v in options.items()]
        else:
            found.append(Case(folder, scenarios[0], tuple(options.items())))
    return tuple(found)


@cache
def shipped() -> tuple[Case, ...]:
    """Every scenario of the shipped games, with the default options."""
    return tuple(case for case in cases() if case.folder.parent == games_folder() and not case.options)


def walk(case: Case, seed: int, backend: str = "python") -> Iterator[tuple[Position, int | None]]:
    """A random game: each position with the number of the choice that is taken there (None at the end)."""
    position = case.start(seed, backend)
    pick = random.Random(f"{case} {seed}")
    for _ in range(case.longest):
        decision = position.decision
        if decision is None:
            yield position, None
            return
        index = pick.randrange(decision.count)
        yield position, index
        position.apply(index)
