"""The tree of phases and the end of the calendar, as one pausing effect that calls all others."""

from __future__ import annotations

from dataclasses import replace

from interpreter.core import header
from interpreter.core import nodes as c
from interpreter.core.compiled import EventInfo
from interpreter.core.drafts import Blocks, Frame
from interpreter.core.lower import expr as ex
from interpreter.core.lower import pausing as pa
from interpreter.core.lower import stages
from interpreter.core.lower import stmt as st
from interpreter.core.lower.context import Context, Env, header_store
from interpreter.core.lower.flow import Flow, loop_head
from interpreter.core.lower.scenes import resets
from interpreter.core.lower.settle import Settler
from interpreter.lang.scope import Callable
from interpreter.reading.model import AddDef, PhaseDef
from interpreter.source import Span, Text


def root(blocks: Blocks, ctx: Context, span: Span) -> Flow:
    """The effect that everything is called from; it never comes back."""
    frame = Frame("game")
    blocks.frames.append(frame)
    owner = Callable("game", (), None, True, False, span, None)
    flow = Flow(st.Place(owner, Env(), ctx), frame, blocks, pa.lower_statements, settler=Settler())
    frame.entry = flow.block("start")
    blocks.enter(frame.entry)
    ctx.program.start = frame.entry
    return flow


def draw(flow: Flow) -> None:
    """The end of all phases: nobody has won, unless the scoring finds a winner."""
    scoring = flow.ctx.checked.scoring
    if scoring is not None:
        flow.blocks.add(c.Do(flow.ctx.function_number(scoring), ()))
    number = flow.ctx.add_event(EventInfo(None, (), "finish"))
    flow.blocks.add(c.End(c.Const(-1), number, ()))
    flow.blocks.end(c.Stop())


def run_text(text: Text, flow: Flow, name: str = "game") -> None:
    """Adds effect text that stands in YAML, as an effect of its own: its variables are gone when it ends, so that equal
    positions have equal bytes.
    """
    body = flow.ctx.checked.phases[text]
    assert isinstance(body, tuple)
    blocks, after = flow.blocks, flow.block("after text")
    frame = Frame(name, callers=[flow.frame])
    blocks.frames.append(frame)
    blocks.call(frame, after)
    inner = replace(flow.inner(), frame=frame)
    frame.entry, inner.end = inner.block("start"), inner.block("end")
    blocks.enter(frame.entry)
    pa.lower_statements(body, inner)
    blocks.go(inner.end)
    blocks.enter(inner.end)
    blocks.leave()
    blocks.enter(after)


def _condition(text: Text, flow: Flow) -> c.Expr:
    node = flow.ctx.checked.phases[text]
    assert not isinstance(node, tuple)
    return ex.lower(node, flow.env, flow.ctx)


def lower_phase(phase: PhaseDef, flow: Flow) -> None:
    """A phase as often as it says."""
    _added(phase, True, flow)
    _repeated(phase, flow)
    _added(phase, False, flow)


def _added(phase: PhaseDef, before: bool, flow: Flow) -> None:
    """What options and scenarios put before or after a phase."""
    game, ctx = flow.ctx.checked.game, flow.ctx
    layers: list[tuple[str | None, tuple[AddDef, ...]]] = []
    layers += [(None, o.adds) for o in game.options if ctx.out.options.get(o.name.text)]
    layers += [(s.name.text, s.adds) for s in game.scenarios if s.name.text in ctx.plays]
    for scenario, adds in layers:
        for add in adds:
            if add.before == before and add.phase.text == phase.name.text:
                inside, after = flow.block(f"added to {phase.name.text}"), flow.block("after what is added")
                flow.blocks.end(c.Branch(stages.is_on(scenario, ctx), inside, after))
                flow.blocks.enter(inside)
                run_text(add.do, flow)
                flow.settle()
                flow.blocks.go(after)
                flow.blocks.enter(after)


def _repeated(phase: PhaseDef, flow: Flow) -> None:
    blocks = flow.blocks
    if not (phase.repeat or phase.while_ is not None):
        _rounds(phase, flow)
        return
    head = loop_head(f"phase {phase.name.text}", phase.span, flow)
    after = flow.block(f"after phase {phase.name.text}")
    if phase.while_ is not None:
        inside = flow.block(f"in phase {phase.name.text}")
        blocks.end(c.Branch(_condition(phase.while_, flow), inside, after))
        blocks.enter(inside)
    _rounds(phase, flow)
    blocks.go(head)
    blocks.enter(after)


def _rounds(phase: PhaseDef, flow: Flow) -> None:
    """A phase once: for each player in turn, or for nobody in particular."""
    blocks, ctx = flow.blocks, flow.ctx
    if phase.each is None:
        _once(phase, flow)
        return
    count = ctx.checked.world.players.size
    first: c.Expr = c.Const(0)
    if phase.each_from is not None:
        node = ctx.checked.phases[phase.each_from]
        assert not isinstance(node, tuple)
        first = ex.lower(node, flow.env, ctx)
    mover, turn = c.Var("mover", c.INT), c.Var("turn", c.INT)
    blocks.add(c.Let(mover, first), c.Let(turn, c.Const(0)))
    head = loop_head(f"each in {phase.name.text}", phase.span, flow)
    inside, after = flow.block(f"turn in {phase.name.text}"), flow.block(f"after each in {phase.name.text}")
    blocks.end(c.Branch(c.Compare("<", c.Get(turn), c.Const(count)), inside, after))
    blocks.enter(inside)
    following = c.Arith("+", c.Get(mover), c.Const(1), None)
    wrapped = c.Cond(c.Compare("<", following, c.Const(count)), following, c.Const(0))
    blocks.add(header_store(header.MOVER, c.Get(mover)), c.Let(turn, c.Arith("+", c.Get(turn), c.Const(1), None)))
    blocks.add(c.Let(mover, wrapped))
    _once(phase, flow)
    blocks.go(head)
    blocks.enter(after)


def _once(phase: PhaseDef, flow: Flow) -> None:
    blocks = flow.blocks
    after = -1
    if phase.skip_if is not None:
        inside, after = flow.block(f"do {phase.name.text}"), flow.block(f"skipped {phase.name.text}")
        blocks.end(c.Branch(_condition(phase.skip_if, flow), after, inside))
        blocks.enter(inside)
    if phase.do is not None:
        run_text(phase.do, flow, phase.name.text)
        flow.settle()
    for inner in phase.phases:
        lower_phase(inner, flow)
    blocks.add(*resets(phase.name.text, flow.ctx))
    if after >= 0:
        blocks.go(after)
        blocks.enter(after)
