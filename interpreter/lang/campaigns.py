"""Campaigns: the names they use, their interphase, and what they set."""

from __future__ import annotations

from interpreter.diagnostics import Bag, did_you_mean
from interpreter.lang.check_text import check_block
from interpreter.lang.scope import Checked, SetUp
from interpreter.lang.values import set_values
from interpreter.reading.model import CampaignDef


def check_campaigns(checked: Checked, bag: Bag) -> None:
    """Checks all campaigns, after the set-ups of scenarios are known, which theirs are made of."""
    for campaign in checked.game.campaigns:
        _check(campaign, checked, bag)


def _check(campaign: CampaignDef, checked: Checked, bag: Bag) -> None:
    known = [s.name.text for s in checked.game.scenarios]
    for name in campaign.plays:
        if name.text not in known:
            bag.error(
                "unknown-name",
                f"there is no scenario `{name.text}`",
                name.span,
                help=did_you_mean(name.text, known) or (f"scenarios: {', '.join(known)}" if known else ""),
            )
    if campaign.interphase is not None:
        check_block(campaign.interphase, checked, bag)
    made = SetUp()
    first = checked.set_ups.get(campaign.plays[0].text, SetUp())
    made.values.update(first.values)
    made.places.update(first.places)
    set_values(campaign.set, made.values, checked, bag)
    checked.set_ups[campaign.name.text] = made
    if "set" in campaign.set_up:  # what a later scenario sets is written while the game goes on
        for name in campaign.plays[1:]:
            for field, _, _ in checked.set_ups.get(name.text, SetUp()).values:
                if field.constant:
                    bag.error(
                        "never-written",
                        f"`{field.name}` never changes, and `{name.text}` sets it in the middle of a campaign",
                        name.span,
                        help="make it a field that is no part of what the entity is, or leave `set` out of `set_up`",
                    )
                field.written = True
