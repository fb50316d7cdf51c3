"""Each card, from somewhere in a random game, by each player in each way. `cards` says how, and has a longer run."""

from __future__ import annotations

import pytest

from tests.contract.cards import (
    ACTION_CARDS,
    BATTLE_CARDS,
    USES,
    Effort,
    Tally,
    Use,
    given,
    play,
    prepared,
    started,
    ways,
)

EFFORT = Effort(each=2, game=10, answers=12)


@pytest.mark.parametrize("scenario", ["first_peloponnesian", "second_peloponnesian", "theban_spartan", "cleomenean"])
@pytest.mark.parametrize("use", USES, ids=lambda use: use.kind)
def test_cards_from_anywhere(use: Use, scenario: str) -> None:
    tally = Tally()
    for seed in range(1, 20):
        play(use, scenario, seed, tally, EFFORT)
        if tally.given.total() >= EFFORT.game:
            break
    assert len(tally.given) >= EFFORT.game // 2, "cards were given"
    assert tally.taken, "and used"


def test_every_card_is_meant() -> None:
    _, givings = prepared("sparta")
    assert len(givings[ACTION_CARDS]) == 2 * 79 and len(givings[BATTLE_CARDS]) == 2 * 24


def test_what_is_given_is_in_hand() -> None:
    """The question that waited is asked again, with the card among the choices, to play and to discard it."""
    position = started(ACTION_CARDS, "first_peloponnesian", 1, "python")
    while (decision := position.decision) is not None and decision.id != ACTION_CARDS.asked:
        position.apply(0)
    assert decision is not None
    _, givings = prepared("sparta")
    giving = next(g for g in givings[ACTION_CARDS] if g.card == "perdiccas" and g.player == decision.player)
    before = position.to_bytes()
    made = given(giving, position)
    assert position.to_bytes() == before
    assert ways(ACTION_CARDS, giving, made) == ["play perdiccas", "discard perdiccas"]
    made.apply("discard perdiccas")
    assert made.to_json()["fields"] != position.to_json()["fields"]
