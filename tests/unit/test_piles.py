"""Piles against lists: random moves on both backends, and the same on plain lists, the top first."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import interpreter
from interpreter.game import Game, Position
from interpreter.runtime.invariants import broken, pile

GAME = """\
game: stacks
players: [white]
kinds:
  card: {piece: [deck, row, loose]}
  lane: {}
zones:
  deck: {of: card, order: pile, when_empty: loose}
  row: {of: card, per: lane, order: pile}
  loose: {of: card}
phases:
  play:
    repeat: true
    do: |
      choose by white:
          option over for x in cards as "over":
              move x to top of deck
          option under for x in cards as "under":
              move x to bottom of deck
          option aside for x in cards, r in lanes as "aside":
              move x to row[r]
          option below for x in cards, r in lanes as "below":
              move x to bottom of row[r]
          option out for x in cards as "out":
              move x to loose
          option pick for k in 0..3, r in lanes as "pick":
              draw k from deck to row[r]
          option lay for r in lanes as "lay":
              move row[r] to deck
          option slide for r in lanes as "slide":
              move row[r] to bottom of deck
          option swap for a_ in lanes, b_ in lanes as "swap":
              move row[a_] to row[b_]
          option spill as "spill":
              move deck to loose
"""
CARDS = [f"c{i}" for i in range(9)]
LANES = ["l0", "l1"]


class Lists:
    """The same piles as lists."""

    def __init__(self) -> None:
        self.piles: dict[str, list[str]] = {"deck": list(CARDS), "row[l0]": [], "row[l1]": []}

    def take(self, card: str) -> None:
        for one in self.piles.values():
            if card in one:
                one.remove(card)

    def put(self, cards: list[str], where: str, *, below: bool = False) -> None:
        cards = list(cards)  # it may be one of the piles
        for card in cards:
            self.take(card)
        old = self.piles[where]
        self.piles[where] = [*old, *cards] if below else [*cards, *old]

    def act(self, words: list[str]) -> bool:
        """Does what a choice says; False if chance has a part in it."""
        match words:
            case ["over", card]:
                self.put([card], "deck")
            case ["under", card]:
                self.put([card], "deck", below=True)
            case ["aside", card, lane]:
                self.put([card], f"row[{lane}]")
            case ["below", card, lane]:
                self.put([card], f"row[{lane}]", below=True)
            case ["out", card]:
                self.take(card)
            case ["pick", count, lane]:
                if int(count) > len(self.piles["deck"]):
                    return False
                for card in self.piles["deck"][: int(count)]:
                    self.put([card], f"row[{lane}]")
            case ["lay", lane]:
                self.put(self.piles[f"row[{lane}]"], "deck")
            case ["slide", lane]:
                self.put(self.piles[f"row[{lane}]"], "deck", below=True)
            case ["swap", one, other] if one != other:
                self.put(self.piles[f"row[{one}]"], f"row[{other}]")
            case ["spill"]:
                self.piles["deck"] = []
        return True


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder: Path = tmp_path_factory.mktemp("stacks")
    (folder / "game.yaml").write_text(GAME, encoding="utf-8")
    pieces = "".join(f"- {{card: {c}}}\n" for c in CARDS) + "".join(f"- {{lane: {x}}}\n" for x in LANES)
    (folder / "pieces.yaml").write_text(pieces, encoding="utf-8")
    (folder / "scenarios.yaml").write_text("- scenario: standard\n  place: {deck: cards}\n", encoding="utf-8")
    return interpreter.load(folder)


def order(position: Position) -> dict[str, list[str]]:
    world, compiled = position.compiled.world, position.compiled
    found = {}
    for name, zone, index in (("deck", "deck", 0), ("row[l0]", "row", 0), ("row[l1]", "row", 1)):
        found[name] = [CARDS[c] for c in pile(compiled, position.cells, world.zones[zone], index)]
    return found


@pytest.mark.parametrize("backend", ["python", "wasm"])
def test_moves(game: Game, backend: str) -> None:
    refills = 0
    for seed in range(30):
        position = game.start(seed=seed, backend=backend)
        lists = Lists()
        pick = random.Random(seed)
        for _ in range(80):
            decision = position.decision
            assert decision is not None
            option = pick.choice(sorted({c.option for c in decision.choices}))
            choice = pick.choice([c for c in decision.choices if c.option == option])
            known = position.known
            position.apply(choice)
            if not lists.act(choice.id.split()):
                refills += 1
                lists.piles = order(position)
            assert order(position) == lists.piles, choice.id
            assert not list(broken(position.compiled, position.cells))
            assert position.known == known or choice.id.startswith("pick")
    assert refills > 10


def test_a_broken_pile_is_found(game: Game) -> None:
    position = game.start(seed=1)
    top = position.compiled.layout.top[position.compiled.world.zones["deck"]].base
    below = position.compiled.layout.below[position.compiled.world.kinds["card"]].base
    for cell, value in ((top, 3), (below + 4, 4), (below + 8, 0), (top, -1)):
        wrong = position.copy()
        wrong.cells[cell] = value
        assert list(broken(wrong.compiled, wrong.cells)), cell
