"""What a game is started with: a scenario or campaign, a value for each of its options; and who sits where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter.diagnostics import UsageError, did_you_mean
from interpreter.lang.options import lacking, usual
from interpreter.reading.model import GameDef


def settings(game: GameDef, scenario: str | None, options: Mapping[str, bool] | None) -> tuple[str, dict[str, bool]]:
    """A scenario (or campaign) and values for all options: as given, else as the scenario says, else their defaults.

    Raises UsageError for names that do not exist, and for an option without one that it needs.
    """
    known = [s.name.text for s in game.scenarios] + [c.name.text for c in game.campaigns]
    chosen = scenario if scenario is not None else (known[0] if known else "")
    if chosen and chosen not in known:
        raise UsageError(
            f"there is no scenario `{chosen}`", did_you_mean(chosen, known) or f"scenarios: {', '.join(known)}"
        )
    values = usual(game, chosen)
    for name, value in (options or {}).items():
        if name not in values:
            raise UsageError(
                f"there is no option `{name}`",
                did_you_mean(name, values)
                or (f"options: {', '.join(values)}" if values else "this game has no options"),
            )
        values[name] = value
    for option, needed in lacking(game, values):
        raise UsageError(
            f"the option `{option}` needs `{needed}`, which is off",
            f"add `--option {needed}=yes`, or `--option {option}=no`",
        )
    return chosen, values


def seat_of(player: str | int, players: Sequence[str]) -> int:
    """The seat of a player, given by id or seat. Raises UsageError."""
    if isinstance(player, int) and 0 <= player < len(players):
        return player
    if isinstance(player, str) and player in players:
        return players.index(player)
    known = did_you_mean(str(player), players) or f"players: {', '.join(players)}"
    raise UsageError(f"there is no player `{player}`", known)
