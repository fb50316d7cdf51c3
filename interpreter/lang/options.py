"""Options: their usual values in a scenario or campaign, those that need others, and checks of both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from interpreter.diagnostics import Bag, Note, did_you_mean
from interpreter.reading.model import CampaignDef, GameDef, ScenarioDef
from interpreter.reading.yamltree import Scalar
from interpreter.source import Span


def usual(game: GameDef, scenario: str) -> dict[str, bool]:
    """The values of all options where nobody says otherwise: those of the scenario, else their defaults.

    Of a campaign the scenarios speak in order, then the campaign itself.
    """
    values = {o.name.text: o.default for o in game.options}
    layers: list[ScenarioDef | CampaignDef] = []
    for campaign in game.campaigns:
        if campaign.name.text == scenario:
            played = [p.text for p in campaign.plays]
            layers = [*(s for p in played for s in game.scenarios if s.name.text == p), campaign]
    layers = layers or [s for s in game.scenarios if s.name.text == scenario]
    for layer in layers:
        for name, node in layer.options:
            if name.text in values and isinstance(node, Scalar) and isinstance(node.value, bool):
                values[name.text] = node.value
    return values


def lacking(game: GameDef, values: Mapping[str, bool]) -> Iterator[tuple[str, str]]:
    """(option, what it needs) for each option that is on while what it needs is off."""
    for option in game.options:
        if values.get(option.name.text):
            for needed in option.needs:
                if not values.get(needed.text, True):
                    yield option.name.text, needed.text


def _listed(known: Mapping[str, object]) -> str:
    return f"options: {', '.join(known)}" if known else "this game has no options"


def check_options(game: GameDef, bag: Bag) -> None:
    """Names of options in `needs` and in scenarios, and whether a game can be started as it stands."""
    known = {o.name.text: o for o in game.options}
    for option in game.options:
        for name in option.needs:
            if name.text not in known:
                hint = did_you_mean(name.text, known) or _listed(known)
                bag.error("unknown-name", f"there is no option `{name.text}`", name.span, help=hint)
    named: list[ScenarioDef | CampaignDef] = [*game.scenarios, *game.campaigns]
    for layer in named:
        for name, _ in layer.options:
            if name.text not in known:
                hint = did_you_mean(name.text, known) or _listed(known)
                bag.error("unknown-name", f"there is no option `{name.text}`", name.span, help=hint)
    layers: list[tuple[str, Span]] = [(x.name.text, x.name.span) for x in named]
    told: set[tuple[str, str]] = set()
    for scenario, span in [("", game.span), *layers]:
        for option_name, needed in lacking(game, usual(game, scenario)):
            if (option_name, needed) in told:
                continue
            told.add((option_name, needed))
            where = f"in `{scenario}` " if scenario else ""
            bag.error(
                "needs-option",
                f"{where}`{option_name}` is on by default and needs `{needed}`, which is off",
                span if scenario else known[option_name].name.span,
                notes=[Note("the need is declared here", known[option_name].name.span)] if scenario else [],
                help=f"switch `{needed}` on by default, or `{option_name}` off",
            )
