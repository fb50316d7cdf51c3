"""Alternating play: turns go round until every player has passed, one behind the other."""

from __future__ import annotations

from interpreter.core import nodes as c
from interpreter.core.lower.flow import Flow, loop_head
from interpreter.core.lower.scenes import closing
from interpreter.lang import nodes as n


def lower_alternate(node: n.Alternate, flow: Flow) -> None:
    """Counts the passes behind each other; whoever does not pass sets the count to 0."""
    blocks, ctx = flow.blocks, flow.ctx
    count = ctx.checked.world.players.size
    local = ctx.checked.locals[node.var]
    player, passes = ctx.var(local.name, local.type), c.Var("passes", c.INT)
    ctx.var_ranges[passes] = (0, count)
    blocks.add(c.Let(player, ctx.expr(node.start, flow.env)), c.Let(passes, c.Const(0)))
    head = loop_head("alternate", node.span, flow)
    turn, following, passed = flow.block("turn"), flow.block("next turn"), flow.block("pass")
    after = flow.block("after alternate")
    blocks.end(c.Branch(c.Compare("<", c.Get(passes), c.Const(count)), turn, after))
    blocks.enter(turn)
    inner = flow.inner(after)
    inner.env.names[local] = player
    inner.passing = passed
    inner.turn_scenes = len(inner.place.scenes)
    inner.statements(node.body)
    blocks.add(c.Let(passes, c.Const(0)))
    blocks.go(following)
    blocks.enter(passed)
    blocks.add(c.Let(passes, c.Arith("+", c.Get(passes), c.Const(1), None)))
    blocks.go(following)
    blocks.enter(following)
    next_ = c.Arith("+", c.Get(player), c.Const(1), None)
    blocks.add(c.Let(player, c.Cond(c.Compare("<", next_, c.Const(count)), next_, c.Const(0))))
    blocks.go(head)
    blocks.enter(after)


def lower_pass(flow: Flow) -> None:
    """Ends the turn of the player who passes, and the scenes that were opened in it."""
    flow.blocks.add(*closing(flow.place.scenes[flow.turn_scenes :], flow.ctx))
    flow.blocks.go(flow.passing)
