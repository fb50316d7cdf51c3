"""Cards from anywhere: amid random games a card is given to whoever is to play one, and each way of using it is taken.

Positions are built as rule tests build them: what gives a card is the `call` of a rule test, in rule text, and when it
can be given stands in its `then`. The call runs in the midst of a game; then the question that waited is asked again.
Cards that were given least come first.

`python -m tests.contract.cards --games N [SCENARIO …]` plays more games than the tests do.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from textwrap import indent

from interpreter.core import header
from interpreter.core.compiled import Compiled
from interpreter.diagnostics import RuleFault
from interpreter.game import Game, Position, Trial, begin_trial, end_set_up, load
from interpreter.play.holding import breach
from interpreter.resources import games_folder
from interpreter.runtime.invariants import Watch

WAITING = range(header.RANDOM)  # cells of the header that say what waits


@dataclass(frozen=True)
class Use:
    """How cards of a kind are used in a game."""

    game: str
    kind: str
    asked: str  # id of the question at which they are played
    give: str  # rule text that gives {card} to {player}
    when: str  # condition for giving it
    named: bool = True  # whether choices name the card; else nothing else is in hand, and all of them use it
    circumstance: tuple[str, str] | None = None  # field of a scene whose values are told apart


ACTION_CARDS = Use(
    game="sparta",
    kind="action_card",
    asked="card",
    give="move {card} to hand[{player}]\ngain_favour({player}, 2)",
    when="not {card}.in_force and any(t in 1..6 where enters[t] != none and enters[t] in {card}.eras)",
)
BATTLE_CARDS = Use(
    game="sparta",
    kind="battle_card",
    asked="ploy",
    give="move those(c in battle_hand[{player}]) to battle_discards\nmove {card} to battle_hand[{player}]",
    when="{card}.at != battle_table",
    named=False,
    circumstance=("battle", "kind"),
)
USES = (ACTION_CARDS, BATTLE_CARDS)


@dataclass(frozen=True, eq=False)
class Giving:
    """A rule test that gives a card: its number, the card, the player who gets it."""

    number: int
    card: str
    player: str


@cache
def prepared(name: str) -> tuple[Game, dict[Use, tuple[Giving, ...]]]:
    """A copy of a game whose rule tests give each card to each player; the first begins the game itself."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / name
        shutil.copytree(games_folder() / name, folder, ignore=shutil.ignore_patterns("tests"))
        plain = load(folder)
        tests = ["- test: the game\n  then: ['true']\n"]
        found: dict[Use, list[Giving]] = {use: [] for use in USES if use.game == name}
        for use, givings in found.items():
            for card in (e.id for e in plain.world.kinds[use.kind].entities):
                for player in plain.players:
                    givings.append(Giving(len(tests), card, player))
                    call = indent(use.give.format(card=card, player=player), "    ")
                    when = use.when.format(card=card, player=player)
                    tests.append(f"- test: {card} for {player}\n  call: |\n{call}\n  then: ['{when}']\n")
        (folder / "tests.yaml").write_text("".join(tests), encoding="utf-8")
        return load(folder, tests=True), {use: tuple(givings) for use, givings in found.items()}


@cache
def compiled(name: str, scenario: str) -> Compiled:
    """A scenario compiled with what gives cards."""
    game, _ = prepared(name)
    return game.trials(scenario, {}, [Trial(t.given, t.call, t.then) for t in game.definition.tests])


def started(use: Use, scenario: str, seed: int, backend: str) -> Position:
    """A game at its first question."""
    game, _ = prepared(use.game)
    program = compiled(use.game, scenario)
    position = begin_trial(game, program, game.machine(program, backend), 0, seed)
    position.advance()
    if end_set_up(position, 0):
        position.advance()
    return position


def can(giving: Giving, position: Position) -> bool:
    """Whether a card can be given here."""
    return all(position.evaluate(check.function) for check in position.compiled.trials[giving.number].checks)


def given(giving: Giving, position: Position) -> Position:
    """The position with a card in hand: the rule text has run, and the question that waited is asked again."""
    made, waits = position.copy(), position.cells.tolist()
    made.cells[header.PC] = made.compiled.program.start
    made.cells[header.RESULT] = 2 * giving.number + 1
    made.advance()
    assert made.decision is None, f"giving {giving.card} asks a question"
    frames = [r for r in made.compiled.layout.regions if r.what == "frame"]
    where = [WAITING, *(range(r.base, r.base + r.count * r.width) for r in frames)]
    for cell in (cell for cells in where for cell in cells):
        made.cells[cell] = waits[cell]
    return made


@cache
def watch(program: Compiled) -> Watch:
    """Who looks at all positions of a program, one after the other."""
    return Watch(program)


def sound(position: Position, story: list[str]) -> None:
    """Fails if a position breaks what always holds."""
    found = breach(position, watch=watch(position.compiled))
    assert found is None, f"after {' / '.join(story)}: {found.message} {[n.text for n in found.notes]}"


def follow(position: Position, story: list[str], pick: random.Random, answers: int) -> None:
    """Plays on at random, and looks at every position."""
    for _ in range(answers):
        decision = position.decision
        if decision is None:
            return
        index = pick.randrange(decision.count)
        story.append(f"{decision.player}: {decision.choices[index].id}")
        position.apply(index)
        sound(position, story)


def ways(use: Use, giving: Giving, position: Position) -> list[str]:
    """The choices that use the card which was just given."""
    decision = position.decision
    assert decision is not None and decision.id == use.asked and decision.player == giving.player
    own = [c for c in decision.choices if c.option >= 0]
    return [c.id for c in own if not use.named or giving.card in c.id.split()]


def circumstance(use: Use, position: Position) -> str:
    """What tells uses of the same card apart besides the choice."""
    if use.circumstance is None:
        return ""
    scene, name = use.circumstance
    fields = position.to_json()["fields"]
    assert isinstance(fields, dict)
    return str(fields[scene][name])


@dataclass(eq=False)
class Tally:
    """How often each card was given, by player and circumstance, and each way of using one was taken."""

    given: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    taken: Counter[tuple[str, str, str]] = field(default_factory=Counter)


@dataclass(frozen=True)
class Effort:
    """How much is tried: cards given at a question and in a game, answers after the use of one."""

    each: int = 3
    game: int = 1_000_000
    answers: int = 40


def play(use: Use, scenario: str, seed: int, tally: Tally, effort: Effort, backend: str = "python") -> None:
    """A random game: at random wherever cards are played, others are given and used in every way."""
    position = started(use, scenario, seed, backend)
    pick = random.Random(f"{use.kind} {scenario} {seed}")
    before = tally.given.total()
    while (decision := position.decision) is not None and tally.given.total() - before < effort.game:
        if decision.id == use.asked and pick.random() < 0.5:
            give_some(use, position, tally, effort, pick, f"{scenario}, seed {seed}")
        position.apply(pick.randrange(decision.count))


def give_some(use: Use, position: Position, tally: Tally, effort: Effort, pick: random.Random, game: str) -> None:
    """Gives cards where one is asked for, those that were given least, and takes each way of using them."""
    decision = position.decision
    assert decision is not None
    here = circumstance(use, position)
    fitting = [g for g in prepared(use.game)[1][use] if g.player == decision.player and can(g, position)]
    pick.shuffle(fitting)
    fitting.sort(key=lambda g: tally.given[g.card, g.player, here])
    for giving in fitting[: effort.each]:
        tally.given[giving.card, giving.player, here] += 1
        whole = given(giving, position)
        for way in ways(use, giving, whole):
            tally.taken[way, giving.player, here] += 1
            story = [f"{game}, answer {position.cells[header.ANSWERS]}, {giving.player}: {way}"]
            after = whole.copy()
            try:
                after.apply(way)
                sound(after, story)
                follow(after, story, pick, effort.answers)
            except RuleFault as fault:
                raise AssertionError(f"after {' / '.join(story)}: {fault}") from None


def main(words: list[str]) -> int:
    """Plays many games; the exit code."""
    parser = argparse.ArgumentParser()
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=3, help="cards that are given at each question")
    parser.add_argument("--backend", choices=("python", "wasm"), default="python")
    found = parser.parse_args(words)
    failed = 0
    for use in USES:
        tally = Tally()
        game, _ = prepared(use.game)
        for scenario in found.scenarios or [*game.scenarios, *game.campaigns]:
            for seed in range(found.seed, found.seed + found.games):
                try:
                    play(use, scenario, seed, tally, Effort(each=found.each), found.backend)
                except AssertionError as error:
                    failed += 1
                    print(f"FAILED {error}", flush=True)
            print(f"{scenario}: {tally.given.total()} times a {use.kind} was given", flush=True)
        print(f"{use.kind}: {told(use, tally)}", flush=True)
    return 1 if failed else 0


def told(use: Use, tally: Tally) -> str:
    """How much was used, and what never was."""
    never = [
        f"{g.card} by {g.player}"
        for g in prepared(use.game)[1][use]
        if not any(k[:2] == (g.card, g.player) for k in tally.given)
    ]
    least = min(tally.taken.values(), default=0)
    uses = f"{tally.taken.total()} uses in {len(tally.taken)} ways, each at least {least} times"
    return f"{uses}; never: {', '.join(never) or 'none'}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
