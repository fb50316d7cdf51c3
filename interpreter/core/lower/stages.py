"""The scenarios that a program plays, one or those of a campaign woven together, and what is in play in each.

A campaign keeps in a cell which of its scenarios is on. What belongs to one of them holds while it is on; in a program
of a single scenario all of this is constant and leaves no trace.
"""

from __future__ import annotations

from collections.abc import Callable as Maker

from interpreter.core import nodes as c
from interpreter.core.lower.context import Context
from interpreter.graph import Graph, without
from interpreter.lang.scope import Checked, SetUp
from interpreter.lang.world import Kind
from interpreter.reading.model import CampaignDef


def campaign_of(checked: Checked, scenario: str) -> CampaignDef | None:
    """The campaign of that name."""
    return next((x for x in checked.game.campaigns if x.name.text == scenario), None)


def played(checked: Checked, scenario: str) -> tuple[str, ...]:
    """The scenarios that are played, in order."""
    campaign = campaign_of(checked, scenario)
    return (scenario,) if campaign is None else tuple(p.text for p in campaign.plays)


def stage(ctx: Context) -> c.Expr:
    """The number of the scenario that is on."""
    field = ctx.checked.world.stage
    if len(ctx.plays) == 1 or field is None:
        return c.Const(0)
    return ctx.ranged(ctx.load(field, c.Const(0), 1, field.span), 0, len(ctx.plays) - 1)


def is_on(scenario: str | None, ctx: Context) -> c.Expr:
    """Whether a scenario is on; always, for what belongs to none. A scenario may be played several times."""
    stages = [i for i, name in enumerate(ctx.plays) if name == scenario]
    if scenario is None or len(stages) == len(ctx.plays):
        return c.Const(1)
    test: c.Expr = c.Const(0)
    for i in stages:
        one = c.Compare("==", stage(ctx), c.Const(i))
        test = one if isinstance(test, c.Const) else c.Either(test, one)
    return test


def by_stage(count: int, make: Maker[[int], c.Expr], which: tuple[int, ...], ctx: Context) -> c.Expr:
    """An expression that may differ from scenario to scenario: `make(which[i])` in scenario i."""
    if count == 1:
        return make(0)
    e = make(which[-1])
    for i in reversed(range(len(which) - 1)):
        if which[i] != which[-1]:
            e = c.Cond(c.Compare("==", stage(ctx), c.Const(i)), make(which[i]), e)
    return e


def everything(kind: Kind, low: int, high: int, ctx: Context) -> c.Expr:
    """The set of all of a kind, counted from `low`, that are in play by the scenario; pieces may be unused all the
    same.
    """
    size = max(high - low, 1)
    whole = (1 << (high - low)) - 1
    masks = tuple(whole & ~(out.get(kind, 0) >> low) for out in ctx.left_out)
    if len(set(masks)) <= 1:
        return c.SetConst(masks[0] if masks else whole, size)
    return c.SetTable(ctx.set_table(masks, size), stage(ctx), None)


def prepare(scenario: str, ctx: Context) -> None:
    """Notes what is played and what is in play, and makes the graphs."""
    checked = ctx.checked
    ctx.plays = played(checked, scenario)
    ctx.left_out = tuple(_out(checked.set_ups.get(name, SetUp()).without, ctx) for name in ctx.plays)
    ctx.out.left_out = ctx.left_out
    board = checked.world.board
    if board is None:
        return
    made: list[Graph] = []
    known: list[tuple[int, int]] = []
    numbers: list[int] = []
    for out in ctx.left_out:
        gone = (out.get(board.space, 0), out.get(board.edge, 0) if board.edge else 0)
        if gone not in known:
            known.append(gone)
            made.append(board.graph if gone == (0, 0) else without(board.graph, *gone))
        numbers.append(known.index(gone))
    ctx.graph_of = ctx.out.graph_of = tuple(numbers)
    ctx.program.graphs += made


def _out(without: dict[Kind, int], ctx: Context) -> dict[Kind, int]:
    """What a scenario leaves out, what options that are on do, and what only those bring that are off."""
    found = dict(without)
    for option, (gone, brought) in ctx.checked.switched.items():
        for kind, bits in (gone if ctx.options[option] else brought).items():
            found[kind] = found.get(kind, 0) | bits
    return found


def on_graph(make: Maker[[int], c.Expr], ctx: Context) -> c.Expr:
    """An expression about the map as it is in the scenario that is on: `make` takes the number of a graph."""
    return by_stage(len(ctx.program.graphs), make, ctx.graph_of, ctx)
