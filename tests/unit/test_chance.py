"""Chance is fair over seeds: first throws, draws and shuffles of seeds 1, 2, 3 … are spread as they should be.

The seeds are fixed, so each of these figures is always the same; the bounds are those that a fair generator exceeds
once in a thousand times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise, permutations

import pytest

import interpreter
from interpreter.core import header
from interpreter.game import Game, Position
from interpreter.runtime.invariants import pile

SEEDS = range(1, 6001)
BOUNDS = {1: 10.83, 2: 13.82, 5: 20.52, 119: 173.6}  # of chi-square, by degrees of freedom

GAME = """\
game: fair
players: [white, black]
dice:
  coin: [heads, tails]
  battle_die: {failure: 1, blank: 2, success: 3}
  d6: 1..6
kinds:
  card:
    piece: [deck, cup, spare, hand]
zones:
  deck: {of: card, order: pile}
  cup: {of: card, order: bag}
  spare: {of: card}
  hand: {of: card}
globals:
  coin_: coin
  face: battle_die
  first_: int
  second_: int
  sum_: int
phases:
  begin:
    do: |
      coin_ = roll coin
      face = roll battle_die
      first_ = roll d6
      second_ = roll d6
      let r = roll 2 of d6
      sum_ = sum(d in r of d)
      shuffle(deck)
      draw 1 from cup to hand
      choose p in players by white as over "Win":
          win p
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("fair")
    (folder / "game.yaml").write_text(GAME, encoding="utf-8")
    cards = "\n".join(f"- {{card: c{i}}}" for i in range(8))
    (folder / "pieces.yaml").write_text(cards, encoding="utf-8")
    place = "{deck: [c0, c1, c2, c3, c4], cup: [c5, c6, c7]}"
    (folder / "scenarios.yaml").write_text(f"- scenario: standard\n  place: {place}\n", encoding="utf-8")
    return interpreter.load(folder)


@pytest.fixture(scope="module")
def started(game: Game) -> list[Position]:
    return [game.start(seed=seed) for seed in SEEDS]


def chi_square(found: Iterable[object], expected: dict[object, float]) -> float:
    """How far counts lie from what is expected; the weights need not sum up to 1."""
    counts = Counter(found)
    assert set(counts) <= set(expected)
    total, weight = sum(counts.values()), sum(expected.values())
    shares = {key: total * w / weight for key, w in expected.items()}
    return sum((counts[key] - share) ** 2 / share for key, share in shares.items())


def field(name: str) -> Callable[[Position], int]:
    def read(position: Position) -> int:
        region = next(r for f, r in position.compiled.layout.fields.items() if f.name == name)
        return position.cells[region.base]

    return read


def deck(position: Position) -> tuple[int, ...]:
    zone = position.compiled.world.zones["deck"]
    return tuple(pile(position.compiled, position.cells, zone, 0))


def drawn(position: Position) -> int:
    world = position.compiled.world
    at = position.compiled.layout.at[world.kinds["card"]]
    hand = world.zones["hand"].place_base
    return next(i for i in range(at.count) if position.cells[at.base + i] == hand)


ALIKE: dict[str, tuple[Callable[[Position], object], dict[object, float]]] = {
    "coin": (field("coin_"), {0: 1, 1: 1}),
    "weights": (field("face"), {0: 1, 1: 2, 2: 3}),
    "first throw": (field("first_"), dict.fromkeys(range(1, 7), 1)),
    "second throw": (field("second_"), dict.fromkeys(range(1, 7), 1)),
    "bag": (drawn, {5: 1, 6: 1, 7: 1}),
    "shuffle": (deck, dict.fromkeys(permutations(range(5)), 1)),
}


@pytest.mark.parametrize("name", ALIKE)
def test_spread(name: str, started: list[Position]) -> None:
    read, expected = ALIKE[name]
    bound = BOUNDS[len(expected) - 1]
    assert chi_square(map(read, started), expected) < bound


def test_two_dice(started: list[Position]) -> None:
    """Sums of two dice, from 2 to 12 as 1 : 2 : … : 6 : … : 1."""
    expected: dict[object, float] = {n: 6 - abs(n - 7) for n in range(2, 13)}
    assert chi_square(map(field("sum_"), started), expected) < 29.59  # ten degrees of freedom


def test_throws_do_not_follow_from_each_other(started: list[Position]) -> None:
    pairs = [(field("first_")(p), field("second_")(p)) for p in started]
    expected: dict[object, float] = {(a, b): 1 for a in range(1, 7) for b in range(1, 7)}
    assert chi_square(pairs, expected) < 66.62  # 35 degrees of freedom


def test_neighbouring_seeds_are_unrelated(started: list[Position]) -> None:
    throws: Sequence[int] = [field("first_")(p) for p in started]
    expected: dict[object, float] = {(a, b): 1 for a in range(1, 7) for b in range(1, 7)}
    assert chi_square(pairwise(throws), expected) < 66.62


def test_a_bad_die_would_be_found() -> None:
    """The measure sees a die on which one face comes up a fifth more often than it should."""
    throws = [1] * 1200 + [n for n in range(2, 7) for _ in range(960)]
    assert chi_square(throws, dict.fromkeys(range(1, 7), 1)) > BOUNDS[5]


def test_backends_agree(game: Game) -> None:
    for seed in range(1, 50):
        assert game.start(seed=seed).to_bytes() == game.start(seed=seed, backend="wasm").to_bytes()


def test_what_is_known_rises_with_each_event(game: Game) -> None:
    """Five rolls, five picks of the shuffle, one draw."""
    assert game.start(seed=1).cells[header.KNOWN] == 11
