"""Hellenes: the index has every section of the rulebook, the lost ones (9.3 to 15) too; each is there and tested."""

from __future__ import annotations

from collections import Counter

import pytest

from interpreter import load
from interpreter.game import Game
from interpreter.play.coverage import coverage

# sections of each chapter; what the text lost are numbers found by cross-references, and those that the facts propose
CHAPTERS = {1: 8, 2: 16, 3: 6, 4: 8, 5: 10, 6: 11, 7: 4, 8: 9, 9: 13, 10: 6, 11: 1, 12: 2, 13: 3, 14: 5, 15: 5}
UNNUMBERED = ["Introduction", "Game Year", "Seasons"]
CASES = 60  # worked examples and numeric rules of the facts, T01 to T60


@pytest.fixture(scope="module")
def game() -> Game:
    return load("hellenes", tests=True)


def test_every_section_has_a_row(game: Game) -> None:
    ids = [s.id for s in game.definition.sections]
    assert [i for i in ids if not i[0].isdigit()] == UNNUMBERED
    assert Counter(int(i.split(".")[0]) for i in ids if i[0].isdigit()) == CHAPTERS
    assert len(set(ids)) == sum(CHAPTERS.values()) + len(UNNUMBERED)


def test_every_section_is_there_and_tested(game: Game) -> None:
    assert coverage(game).complete


def test_every_case_has_a_rule_test(game: Game) -> None:
    names = " ".join(t.name for t in game.definition.tests)
    assert [n for n in range(1, CASES + 1) if f"T{n:02}" not in names] == []
