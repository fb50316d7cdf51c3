"""Hidden is hidden: for every game in which something is, and for small games that leak on purpose.

`python -m tests.contract.twins --games N` makes a longer run.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.backends import wasm
from interpreter.diagnostics import GameError
from interpreter.game import Position, load
from interpreter.lang.shows import Findings
from interpreter.runtime import stream
from interpreter.runtime.invariants import broken
from tests.contract import games, twins
from tests.contract.games import FIXTURES, Case, walk
from tests.contract.twins import Leak, play, secretive

each_case = pytest.mark.parametrize("case", secretive(), ids=str)

BASE = {
    "game.yaml": """
game: leaky
players: [north, south]
kinds:
  player: {score: {type: int, min: 0}, likes: maybe card, aim: {type: int, min: 0, max: 3, seen_by: owner}}
  card: {title: card, piece: [deck, hand, table], value: int}
zones:
  deck: {of: card, order: pile, seen_by: nobody}
  hand: {of: card, per: player, seen_by: owner}
  table: {of: card}
globals: {told: int, rounds: {type: int, min: 0, max: 9}}
phases:
  turn: {repeat: true, each: player, do: turn(mover)}
""",
    "cards.yaml": "".join(f"- {{card: c{i}, value: {i % 4}}}\n" for i in range(12)),
    "scenarios.yaml": """
- scenario: deal
  place: {deck: cards}
  setup: |
    shuffle(deck)
    for each p in players:
        draw 4 from deck to hand[p]
        p.aim = 1
""",
}

HONEST = """
effect turn(p: player):
    choose c in hand[p] where c.value > 0 by p as lay "Lay {c}":
        move c to table
        log "{p} lays {c}"
    else:
        log "{p} passes" to p
    choose n in 1..2 by p as number "Take {n}":
        p.score += n
    rounds += 1
    if rounds == 8:
        finish as "over"
"""

LEAKS = {
    "the log tells a number computed from hidden cards": (
        "    rounds += 1",
        '    log "{sum(c in hand[p] of c.value)}"\n    rounds += 1',
    ),
    "the log has a line more": (
        "    rounds += 1",
        '    if any(c in hand[p] where c.value == 3):\n        log "{p} smiles"\n    rounds += 1',
    ),
    "the other side is asked about it": (
        "    rounds += 1",
        '    if any(c in hand[p] where c.value == 3):\n        may by rival(p) as doubt "Doubt":\n'
        "            told += 1\n"
        "    rounds += 1",
    ),
    "what the other side may choose depends on it": (
        "    rounds += 1",
        '    choose n in 1..3 where n != count(c in hand[p] where c.value == 3) by rival(p) as guess "Guess {n}":\n'
        "        told += n\n    rounds += 1",
    ),
    "a field that all see holds it": ("    rounds += 1", "    told = sum(c in hand[p] of c.value)\n    rounds += 1"),
    "an open field names a card of the deck": (
        "    rounds += 1",
        "    p.likes = first(c in cards where c.at == hand[rival(p)] and c.value == 3)\n    rounds += 1",
    ),
    "who wins depends on it": (
        '        finish as "over"',
        '        if any(c in hand[p] where c.value == 3):\n            win p as "luck"\n        finish as "over"',
    ),
    "a hidden number decides": ("    rounds += 1", "    told = rival(p).aim\n    rounds += 1"),
    "undo tells": (
        "    rounds += 1",
        '    choose n in 1..2 by p as again "{n}":\n        if any(c in hand[rival(p)] where c.value == 3):\n'
        "            look(table, rival(p))\n    rounds += 1",
    ),
}


def case_of(rules: str, folder: Path) -> Case:
    for name, text in {**BASE, "rules/rules.effects": rules}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Case(folder, "deal", ())


def test_honest(tmp_path: Path) -> None:
    case = case_of(HONEST, tmp_path)
    counts: Counter[str] = Counter()
    for seed in range(1, 11):
        play(case, seed, counts)
    assert counts["different"] > 100 and counts["steps"] > 100


# What is not seen in the text alone: candidates that depend on a secret, and what an undo would tell.
UNSEEN = ("what the other side may choose depends on it", "undo tells")


@pytest.mark.parametrize("what", LEAKS)
def test_leak_is_refused(what: str, tmp_path: Path) -> None:
    """What is seen without being disclosed is an error, where the text tells it."""
    old, new = LEAKS[what]
    case = case_of(HONEST.replace(old, new), tmp_path)
    if what in UNSEEN:
        assert load(case.folder)
        return
    with pytest.raises(GameError) as caught:
        load(case.folder)
    assert {d.code for d in caught.value.diagnostics} == {"undisclosed"}


@pytest.mark.parametrize("what", LEAKS)
def test_leak_is_found(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test is able to fail."""
    old, new = LEAKS[what]
    assert HONEST.count(old) == 1
    monkeypatch.setattr(Findings, "report", lambda self, bag: None)
    with pytest.raises(Leak):
        for seed in range(1, 16):
            play(case_of(HONEST.replace(old, new), tmp_path), seed)


def test_a_question_that_is_not_asked_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were hidden questions treated as open ones, a silence would tell."""
    game = load(case_of(HONEST, tmp_path).folder)
    game.checked.hidden = frozenset()
    monkeypatch.setattr(games, "loaded", lambda folder: game)
    with pytest.raises(Leak):
        for seed in range(1, 16):
            play(Case(tmp_path, "deal", ()), seed)


def test_what_others_are_asked_shows_if_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were others told of each question, the dark ones among them would tell."""
    rules = HONEST.replace(
        "    rounds += 1",
        '    if any(c in hand[p] where c.value == 3):\n        may by p as smile "Smile":\n            p.aim = 2\n'
        "    rounds += 1",
    )
    for seed in range(1, 20):
        play(case_of(rules, tmp_path), seed)
    monkeypatch.setattr(stream, "is_dark", lambda decision: False)
    with pytest.raises(Leak):
        for seed in range(1, 20):
            play(case_of(rules, tmp_path), seed)


def test_secretive_games_are_found() -> None:
    assert {"duel", "tricks"} <= {c.folder.name for c in secretive()}


@each_case
def test_twins(case: Case, request: pytest.FixtureRequest) -> None:
    counts: Counter[str] = Counter()
    for seed in range(1, 1 + max(4, int(request.config.getoption("--games")) // 10)):
        play(case, seed, counts, most=20)
    assert counts["different"] and counts["steps"]


@each_case
def test_views(case: Case) -> None:
    """A view of a view is the view itself; both backends see the same; what is re-dealt is a possible position."""
    for position, index in walk(case, 1):
        if index is None:
            continue
        for seat in range(len(case.game.players)):
            view = position.view(seat)
            other = position.redealt(seat, index)
            assert other.view(seat).block == view.block
            assert not list(broken(other.compiled, other.cells))
            if wasm.available():
                assert position.on("wasm").view(seat).block == view.block
            assert stream.state(other, seat) == stream.state(position, seat)


@each_case
def test_choices_are_seen(case: Case) -> None:
    """Nobody has to choose between pieces that he can't see."""
    for seed in range(1, 6):
        for position, _ in walk(case, seed):
            decision = position.decision
            for choice in decision.choices if decision else []:
                if choice.option < 0:
                    continue  # the word that stops names nothing
                types = position.compiled.decisions[decision.pending.decision].options[choice.option].binders
                for value, ty in zip(choice.values, types, strict=True):
                    closed = stream.closed_to(position.compiled, position.evaluate, decision.seat, value, ty)
                    assert not closed, f"`{choice.id}` names what {decision.player} can't see"


@each_case
def test_imagined(case: Case) -> None:
    """A bot thinks about a position that it can't tell from the true one, the same one each time it is asked."""
    differ = 0
    for position, index in walk(case, 2):
        decision = position.decision
        if decision is None or index is None:
            continue
        one, again = (stream.imagined(position, decision.seat, 7) for _ in range(2))
        assert one.block == again.block
        asked = one.decision
        assert asked is not None and asked.seat == decision.seat
        assert [c.id for c in asked.choices] == [c.id for c in decision.choices]
        assert stream.choice_for(decision, asked.choices[index]) == decision.choices[index]
        differ += one.block != position.block
    assert differ


def test_games_without_secrets_are_not_imagined() -> None:
    position = Case(games.FIXTURES / "muster", "standard", ()).start(1)
    assert stream.imagined(position, 0, 1).block == position.block


def hand_on(position: Position, seed: int) -> Callable[[], None]:
    pick = random.Random(seed)

    def go() -> None:
        decision = position.decision
        if decision is not None:
            position.apply(pick.randrange(decision.count))

    return go


def test_streams_name_no_closed_piece() -> None:
    """Ids of cards in the other hand occur nowhere in what a seat is told."""
    for case in secretive():
        if case.folder.name != "duel":
            continue
        position = case.start(3)
        told = stream.Stream(0)
        go = hand_on(position, 3)
        for _ in range(60):
            new = str(told.after(position))
            for kind, i in twins.hidden(position, 0):
                if hasattr(kind, "entities"):
                    assert kind.entities[i].id not in new
            go()


def test_twins_have_other_strengths() -> None:
    """What is hidden with a piece is another number in a twin, within its bounds and as the invariants allow."""
    position = Case(FIXTURES / "border_war", "standard", ()).start(1, "python")
    kind = position.game.world.kinds["block"]
    steps = kind.fields["steps"]
    region = position.compiled.layout.fields[steps]
    full = position.compiled.constants[kind.fields["full"]]
    closed = position.view(0).seen.closed[kind]
    kept = min(closed)
    found: dict[int, set[int]] = {i: set() for i in closed}
    for seed in range(60):
        twin = position.redealt(0, seed, keep={(kind, kept)})
        assert twin.view(0).block == position.view(0).block
        for i in range(kind.size):
            value = twin.cells[region.base + i]
            if i in closed and i != kept:
                found[i].add(value)
            else:
                assert value == position.cells[region.base + i]
    assert all(values == set(range(1, full[i] + 1)) for i, values in found.items() if i != kept)
