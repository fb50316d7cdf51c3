"""Bots by name: who answers where no person does.

A bot never draws from the position's generator. The random bot's answers follow from (seed, seat, answers given so
far) alone, as those of `Machine.playout` do, so that playouts, simulation and play agree and an undo does not change
what it will do. Bots of a game's own follow its data (see `databots`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from interpreter.core import header, rng
from interpreter.diagnostics import UsageError, did_you_mean
from interpreter.game import Choice, Decision, Game, Position
from interpreter.play import databots


@dataclass(frozen=True)
class Bot:
    """`answer(decision, seed)` gives the index of a choice; `text` says how it plays."""

    name: str
    text: str
    answer: Callable[[Decision, int], int]


def answer_at_random(decision: Decision, seed: int) -> int:
    """One of the choices of this step, all alike."""
    answers = decision.position.cells[header.ANSWERS]
    return rng.choice(rng.stream(seed, decision.seat), answers, decision.count)


RANDOM = Bot("random", "takes any choice, all alike", answer_at_random)
BOTS: tuple[Bot, ...] = (RANDOM,)


def bot(name: str, game: Game | None = None) -> Bot:
    """The bot of that name, `random` or one of the game's own, `solo` or `solo:hard`. Raises UsageError."""
    for one in BOTS:
        if one.name == name:
            return one
    wanted, colon, level = name.partition(":")
    own = {b.name.text: b for b in game.definition.bots} if game is not None else {}
    if wanted not in own:
        known = [*(one.name for one in BOTS), *own]
        raise UsageError(f"there is no bot `{name}`", did_you_mean(wanted, known) or f"bots: {', '.join(known)}")
    definition = own[wanted]
    levels = [n.text for n, _ in definition.levels]
    if colon and level not in levels:
        hint = f"levels: {', '.join(levels)}" if levels else f"write `{wanted}`"
        raise UsageError(f"the bot `{wanted}` has no level `{level}`", did_you_mean(level, levels) or hint)
    chosen = level or (levels[0] if levels else "")
    return Bot(name, definition.text or definition.title, databots.player(wanted, chosen))


def bot_choice(name: str, position: Position, seed: int) -> Choice:
    """What the bot of that name chooses where a question waits. Raises UsageError."""
    decision = position.decision
    if decision is None:
        raise UsageError("the game is over")
    return decision.choice(bot(name, position.game).answer(decision, seed))


def parse_bots(given: Iterable[str], game: Game) -> dict[str, str]:
    """`SIDE=NAME` or `SIDE=NAME:LEVEL` as typed, checked: side -> name. Raises UsageError."""
    known = game.players
    found: dict[str, str] = {}
    for one in given:
        side, equals, name = one.partition("=")
        if not equals:
            raise UsageError(f"`{one}` does not say which side the bot plays", f"write it as `--bot {known[0]}=random`")
        if side not in known:
            raise UsageError(f"there is no side `{side}`", did_you_mean(side, known) or f"sides: {', '.join(known)}")
        if side in found:
            raise UsageError(f"`{side}` is given to two bots", "keep one of them")
        found[side] = bot(name, game).name
        _may_play(side, name, game)
    return found


def _may_play(side: str, name: str, game: Game) -> None:
    wanted = name.partition(":")[0]
    for definition in game.definition.bots:
        sides = [n.text for n in definition.for_]
        if definition.name.text == wanted and sides and side not in sides:
            raise UsageError(f"the bot `{wanted}` does not play `{side}`", f"it plays: {', '.join(sides)}")


def with_options(bots: Mapping[str, str], options: Mapping[str, bool] | None, game: Game) -> dict[str, bool]:
    """Options as set, and those by which these bots (side -> name) play. Raises UsageError where one is set off."""
    found = dict(options or {})
    own = {b.name.text: b for b in game.definition.bots}
    for side, name in bots.items():
        wanted, _, level = name.partition(":")
        definition = own.get(wanted)
        if definition is None:
            continue
        chosen = level or (definition.levels[0][0].text if definition.levels else "")
        for option in definition.options:
            if option.players and side not in [n.text for n in option.players]:
                continue
            if option.levels and chosen not in [n.text for n in option.levels]:
                continue
            if not found.setdefault(option.name.text, True):
                raise UsageError(
                    f"the bot `{name}` plays `{side}` by the option `{option.name.text}`, which is off",
                    f"leave the option as it is with this bot, or take another one; bots: {', '.join(own)}",
                )
    return found


def all_random(bots: Mapping[str, str], players: Iterable[str]) -> bool:
    """Whether every side is played at random, so that a machine can play whole games by itself."""
    return all(bots.get(player, RANDOM.name) == RANDOM.name for player in players)
