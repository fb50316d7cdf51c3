"""The course of a game: set-up, phases, end; in a campaign an interphase, the next set-up, and the phases again.

The phases are the same blocks for all scenarios of a campaign; what belongs to one of them looks at the cell that says
which is on.
"""

from __future__ import annotations

from interpreter.core import nodes as c
from interpreter.core.drafts import Blocks
from interpreter.core.lower import moves, phases, stages
from interpreter.core.lower.context import Context
from interpreter.core.lower.flow import Flow
from interpreter.core.lower.relations import store_field
from interpreter.lang.scope import SetUp
from interpreter.lang.types import SetT, universe
from interpreter.lang.world import Field, Kind
from interpreter.reading.model import CampaignDef
from interpreter.source import Span, Text


def lower_game(setup: Text | None, blocks: Blocks, ctx: Context) -> None:
    """The whole of a game: blocks from the set-up to the end."""
    flow = phases.root(blocks, ctx, ctx.checked.game.span)
    if setup is not None:
        phases.run_text(setup, flow)
    lower_play(flow)


def lower_play(flow: Flow) -> None:
    """All that follows the first set-up: the phases, in a campaign once for each scenario, and the end."""
    ctx, blocks = flow.ctx, flow.blocks
    campaign = stages.campaign_of(ctx.checked, ctx.out.scenario)
    play = flow.block("phases")
    blocks.go(play)
    blocks.enter(play)
    for phase in ctx.checked.game.phases:
        phases.lower_phase(phase, flow)
    if campaign is not None:
        _next(campaign, play, flow)
    phases.draw(flow)


def _next(campaign: CampaignDef, play: int, flow: Flow) -> None:
    """Leads from the end of the phases to the next scenario; falls through after the last one."""
    ctx, blocks = flow.ctx, flow.blocks
    field = ctx.checked.world.stage
    assert field is not None
    follows, over = flow.block("interphase"), flow.block("end of the campaign")
    last = len(ctx.plays) - 1
    blocks.end(c.Branch(c.Compare("<", stages.stage(ctx), c.Const(last)), follows, over))
    blocks.enter(follows)
    if campaign.interphase is not None:
        phases.run_text(campaign.interphase, flow)
    following = ctx.arith("+", stages.stage(ctx), c.Const(1), field.span)
    blocks.add(ctx.store(field, c.Const(0), 1, ctx.ranged(following, 1, last), field.span))
    for number in range(1, len(ctx.plays)):
        begin, other = flow.block(f"set-up of scenario {number + 1}"), flow.block("another scenario")
        blocks.end(c.Branch(c.Compare("==", stages.stage(ctx), c.Const(number)), begin, other))
        blocks.enter(begin)
        _set_up(campaign, number, flow)
        blocks.go(play)
        blocks.enter(other)
    blocks.go(over)
    blocks.enter(over)


def _set_up(campaign: CampaignDef, number: int, flow: Flow) -> None:
    """What is carried out of a later scenario's set-up: its pieces are taken from where they are, then placed."""
    ctx, blocks = flow.ctx, flow.blocks
    name = campaign.plays[number]
    made = ctx.checked.set_ups.get(name.text, SetUp())
    unused = c.Const(ctx.checked.world.unused)
    for kind, bits in ctx.left_out[number].items():
        for piece in range(kind.size if kind.is_piece else 0):
            if bits >> piece & 1:
                blocks.add(*moves.move_one(kind, c.Const(piece), unused, False, name.span, ctx))
    if "place" in campaign.set_up:
        for kind, piece in made.places:
            blocks.add(*moves.move_one(kind, c.Const(piece), unused, False, name.span, ctx))
        for (kind, piece), place in made.places.items():
            blocks.add(*moves.move_one(kind, c.Const(piece), c.Const(place), True, name.span, ctx))
    if "set" in campaign.set_up:
        for (field, owner, index), value in made.values.items():
            blocks.add(*_store(field, owner, index, value, name.span, ctx))
    definition = next(s for s in ctx.checked.game.scenarios if s.name.text == name.text)
    if "setup" in campaign.set_up and definition.setup is not None:
        phases.run_text(definition.setup, flow)


def _store(field: Field, owner: int, index: int, value: int, span: Span, ctx: Context) -> list[c.Stmt]:
    owners = field.owner.size if isinstance(field.owner, Kind) else 1
    held: c.Expr = c.Const(value)
    if isinstance(field.type, SetT):
        held = c.SetConst(value, universe(field.type.of))
    number = c.Const(owner * field.cells_each + index)
    return store_field(field, number, owners * field.cells_each, held, span, ctx)
