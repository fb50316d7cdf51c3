"""Checking rule tests: their texts, and the names of scenarios, options and players in them."""

from __future__ import annotations

from interpreter.diagnostics import Bag, did_you_mean
from interpreter.lang.check_text import check_block, check_condition
from interpreter.lang.scope import Checked
from interpreter.lang.world import World
from interpreter.reading.model import StepDef, TestDef

NO_WINNER = ("draw", "running")  # what `outcome` may say besides a player


def check_tests(checked: Checked, bag: Bag) -> None:
    """Checks all rule tests of a game; their trees go to `checked.phases`."""
    for test in checked.game.tests:
        _check_test(test, checked, bag)


def _check_test(test: TestDef, checked: Checked, bag: Bag) -> None:
    game, world = checked.game, checked.world
    scenarios = [*(s.name.text for s in game.scenarios), *(c.name.text for c in game.campaigns)]
    if test.scenario is not None and test.scenario.text not in scenarios:
        bag.error(
            "unknown-name",
            f"there is no scenario `{test.scenario.text}`",
            test.scenario.span,
            help=did_you_mean(test.scenario.text, scenarios),
        )
    for name, _ in test.options:
        if name.text not in world.options:
            hint = did_you_mean(name.text, world.options)
            bag.error("unknown-name", f"there is no option `{name.text}`", name.span, help=hint)
    if test.given is not None:
        check_block(test.given, checked, bag, everything=True)
    if test.call is not None:
        check_block(test.call, checked, bag)
    for condition in test.then:
        check_condition(condition, checked, bag)
    players = [e.id for e in world.players.entities]
    for i, step in enumerate(test.when):
        for condition in step.holds:
            check_condition(condition, checked, bag)
        if step.key.text in ("dice", "draws") and i and test.when[i - 1].key.text == "then":
            hint = "write what must hold behind it"
            bag.error("bad-step", "chance comes with the choice before it", step.key.span, help=hint)
        _check_step(step, players, world, bag)
    for step in test.illegal:
        if step.key.text in ("dice", "draws", "then"):
            bag.error("bad-step", "only a choice can be illegal", step.key.span, help="write `player: choice`")
        else:
            _check_step(step, players, world, bag)
    if test.outcome is not None and test.outcome.text not in (*players, *NO_WINNER):
        known = [*players, *NO_WINNER]
        bag.error(
            "unknown-name",
            f"no game ends as `{test.outcome.text}`",
            test.outcome.span,
            help=did_you_mean(test.outcome.text, known) or f"write one of {', '.join(f'`{k}`' for k in known)}",
        )
    if not (test.then or test.illegal or test.outcome or test.when):
        bag.error("empty-test", "this test asks for nothing", test.span, help="add `then:`, `outcome:` or `illegal:`")


def _check_step(step: StepDef, players: list[str], world: World, bag: Bag) -> None:
    if step.key.text in ("dice", "draws"):
        _check_chance(step, world, bag)
    elif step.key.text not in (*players, "then"):
        bag.error(
            "unknown-name",
            f"there is no player `{step.key.text}`",
            step.key.span,
            help=did_you_mean(step.key.text, players) or f"players: {', '.join(players)}",
        )


def _check_chance(step: StepDef, world: World, bag: Bag) -> None:
    """Scripted chance names faces of dice, or pieces."""
    what = "face" if step.key.text == "dice" else "piece"
    if what == "face":
        known = [face for die in world.dice.values() for face in die.faces]
    else:
        known = [e.id for kind in world.kinds.values() if kind.is_piece for e in kind.entities]
    for word in step.values:
        if word.text not in known:
            few = f"such as {', '.join(f'`{k}`' for k in known[:6])}"
            none = f"this game has no {'dice' if what == 'face' else 'pieces'}"
            hint = did_you_mean(word.text, known) or (few if known else none)
            bag.error("unknown-name", f"there is no {what} `{word.text}`", word.span, help=hint)
