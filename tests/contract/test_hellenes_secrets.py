"""Hellenes keeps its secrets, and what would tell one is found: by the checker, or by twins.

`python -m tests.contract.twins hellenes --games N` makes a longer run.
"""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from interpreter.diagnostics import GameError
from interpreter.game import load
from interpreter.play import bots
from interpreter.resources import games_folder
from tests.contract import twins
from tests.contract.games import Case
from tests.contract.twins import Leak

HELLENES = games_folder() / "hellenes"
STEPS = 30  # answers of a game in which a leak is sought; it shows in the first turns

# By what it tells: a file of rules, a part of it, and what stands in its place.
REFUSED = {
    "how strong a block is": ("04_actions", 'log "{u.owner} builds in {u.on}"', 'log "{u.on} has {u.cv}"'),
    "whether the next step is the last": ("02_blocks", "let gone = disclose u.cv == 1", "let gone = u.cv == 1"),
    "how far a block can go": (
        "05_movement",
        "let forced = disclose steps > u.pace and now != winter by u.owner\n    if forced:\n        let last",
        "let forced = steps > u.pace and now != winter\n    if forced:\n        let last",
    ),
    "which way it would go": ("05_movement", "let path = disclose way(u, goal) by u.owner", "let path = way(u, goal)"),
    "what a hand is worth": ("031_events", "gain(p, 2)", "gain(p, count(c in hand[rival(p)] where c.value == 3))"),
    "what is left in a pool": (
        "04_actions",
        "draw 3 from pool[p] to drawn[p]",
        "draw count(u in pool[p] where u.arm == fleet) from pool[p] to drawn[p]",
    ),
    "who stays in the city": ("08_sieges", "let others = disclose band(u) by p", "let others = band(u)"),
    "the other side is asked about a hand": (
        "03_cards",
        "    let early = first_player\n",
        "    let early = first_player\n    for each q in players:\n"
        "        if any(c in hand[q] where c.value == 3 and c.colour == red):\n"
        '            may by rival(q) as doubt "Doubt":\n                first_player = q\n',
    ),
}
FOUND = {
    "a prompt names enemies": (
        "04_actions",
        'as act "Actions ({p.actions} left)"',
        'as act "Actions ({p.actions} left, {sum(u in athens_city.here + thebes.here of u.pace)})"',
    ),
    "what is offered depends on enemies": (
        "04_actions",
        "option rest as",
        "option rest for n in 1..9 where n > sum(u in athens_city.here + thebes.here of u.pace) - 12 as",
    ),
}


def changed(folder: Path, name: str, old: str, new: str) -> Path:
    """A copy of the game in which a part of its rules is another."""
    shutil.copytree(HELLENES, folder, ignore=shutil.ignore_patterns("tests"))
    path = folder / "rules" / f"{name}.effects"
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"`{old}` stands {text.count(old)} times in {name}"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return folder


@pytest.mark.parametrize("what", REFUSED)
def test_leak_is_refused(what: str, tmp_path: Path) -> None:
    with pytest.raises(GameError) as caught:
        load(changed(tmp_path / "hellenes", *REFUSED[what]))
    assert {d.code for d in caught.value.diagnostics if d.severity == "error"} == {"undisclosed"}


@pytest.mark.parametrize("what", FOUND)
def test_leak_is_found(what: str, tmp_path: Path) -> None:
    case = Case(changed(tmp_path / "hellenes", *FOUND[what]), "archidamian_war", ())
    with pytest.raises(Leak):
        for seed in range(1, 6):
            twins.play(case, seed, most=20, longest=STEPS)


@pytest.mark.parametrize("scenario", ["archidamian_war", "the_last_years"])
def test_twins(scenario: str) -> None:
    counts: Counter[str] = Counter()
    twins.play(Case(HELLENES, scenario, ()), 2, counts, most=12, longest=120)
    assert counts["different"] and counts["steps"]


@pytest.mark.parametrize("side", ["sparta", "athens"])
def test_bots_see_their_own_side_only(side: str) -> None:
    """In a position that its side can't tell from the live one a bot chooses the same, by the same seed."""
    case = Case(HELLENES, "archidamian_war", ())
    answer = bots.bot("strategos", case.game).answer
    steps = [s.before for s in twins.record(case, 3, "python", 120)]
    asked = [p for p in steps if p.decision is not None and p.decision.player == side]
    differ = 0
    for seed, position in enumerate(asked[:: max(1, len(asked) // 12)]):
        decision = position.decision
        assert decision is not None
        other = position.redealt(side, seed, answers=False)
        differ += other.block != position.block
        twin = other.decision
        assert twin is not None
        assert decision.choices[answer(decision, seed)].id == twin.choices[answer(twin, seed)].id
    assert differ > 5
