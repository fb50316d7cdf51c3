"""Checking invariants: conditions that must hold in every position, over all that is there, hidden or not."""

from __future__ import annotations

from interpreter.diagnostics import Bag, did_you_mean
from interpreter.lang.check_text import check_condition
from interpreter.lang.scope import Checked


def check_invariants(checked: Checked, bag: Bag) -> None:
    """Checks all invariants of a game; their trees go to `checked.phases`."""
    scenes = checked.world.scenes
    for one in checked.game.invariants:
        if one.during is not None and one.during.text not in scenes:
            bag.error(
                "unknown-name",
                f"there is no scene `{one.during.text}`",
                one.during.span,
                help=did_you_mean(one.during.text, scenes)
                or (f"scenes: {', '.join(scenes)}" if scenes else "declare it under `scenes:` in game.yaml"),
            )
            continue
        check_condition(one.that, checked, bag, scene=one.during.text if one.during else None)
