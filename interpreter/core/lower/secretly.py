"""`secretly for each p in players`: all are asked in seat order against the same position, then the bodies run in that
order.

Answers lie in the frame until all have been given. Even a single candidate, or none, is asked for, so that nobody
learns from a silence.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.core import nodes as c
from interpreter.core.compiled import PRESS_ON, DecisionInfo, OptionInfo
from interpreter.core.lower import decide
from interpreter.core.lower import stmt as st
from interpreter.core.lower.flow import Flow, note_asked
from interpreter.lang import nodes as n

UNASKED, NOTHING = -1, -2


@dataclass(frozen=True, eq=False)
class _Asked:
    """What one player was asked; `took`: the number of the option that he took, NOTHING or UNASKED."""

    seat: int
    decision: int
    took: c.Var
    made: list[decide.Made]


def lower_secretly(node: n.Secretly, flow: Flow) -> None:
    """Asks every player, then carries out all answers."""
    choice = node.body[0]
    assert isinstance(choice, n.Choose)
    flow.settle()
    seats = range(flow.ctx.checked.world.players.size)
    took = [c.Var(f"took{seat}", c.INT) for seat in seats]
    flow.blocks.add(*(c.Let(var, c.Const(UNASKED)) for var in took))
    asked = [_ask(node, choice, seat, took[seat], flow) for seat in seats]
    flow.ctx.out.secrecy.rounds.append(tuple((one.decision, one.took) for one in asked))
    for one in asked:
        _carry_out(node, choice, one, flow)


def _for_seat(node: n.Secretly, seat: int, flow: Flow) -> Flow:
    inner = flow.inner()
    inner.env.names[flow.ctx.checked.locals[node.binder.var]] = c.Const(seat)
    return inner


def _ask(node: n.Secretly, choice: n.Choose, seat: int, took: c.Var, flow: Flow) -> _Asked:
    blocks, ctx = flow.blocks, flow.ctx
    inner = _for_seat(node, seat, flow)
    after, none = flow.block("next player"), flow.block("no choice")
    if node.binder.where is not None:
        asks = flow.block("ask player")
        blocks.end(c.Branch(ctx.expr(node.binder.where, inner.env), asks, after))
        blocks.enter(asks)
    name = decide.decision_id(choice, flow)
    made = [
        decide.alternative(o, choice, name, None, after, none, inner, (took, k)) for k, o in enumerate(choice.options)
    ]
    options, infos = tuple(m.option for m in made), tuple(m.info for m in made)
    if choice.menu and choice.clauses.when is not None:
        guard = ctx.expr(choice.clauses.when, inner.env)
        options = tuple(decide.guarded(o, guard) for o in options)
    stop = "no" if choice.mood == "may" else None
    if stop is None:
        options, infos = (*options, decide.press_on(options, none, ctx)), (*infos, OptionInfo(PRESS_ON, ()))
    player = decide.asked_player(choice.clauses.by, inner)
    site = st.loop_site(node.span, ctx)
    text = decide.text_of(choice.clauses.say, [], inner) if choice.menu else -1
    decision = c.Decision(name, player, options, stop, none, False, False, text, site)
    decide.ask_now(decision, DecisionInfo(name, infos, choice.span, dark=node in ctx.checked.dark), inner)
    number = len(ctx.program.decisions) - 1
    note_asked(choice, [(m.info.name, m.inner.env) for m in made], inner)
    blocks.enter(none)
    blocks.add(c.Let(took, c.Const(NOTHING)))
    blocks.go(after)
    blocks.enter(after)
    return _Asked(seat, number, took, made)


def _carry_out(node: n.Secretly, choice: n.Choose, asked: _Asked, flow: Flow) -> None:
    blocks = flow.blocks
    done = flow.block("answer carried out")
    for k, (option, made) in enumerate(zip(choice.options, asked.made, strict=True)):
        then, other = flow.block("answer"), flow.block("other answer")
        blocks.end(c.Branch(c.Compare("==", c.Get(asked.took), c.Const(k)), then, other))
        blocks.enter(then)
        decide.carry_out(option, made.inner)
        blocks.go(done)
        blocks.enter(other)
    if choice.other is not None:
        _for_seat(node, asked.seat, flow).statements(choice.other)
    blocks.go(done)
    blocks.enter(done)
