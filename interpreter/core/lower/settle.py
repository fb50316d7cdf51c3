"""Settling: before each question, asked or silent, and after each phase step, `whenever` rules put right what must not
last.

The first rule in order whose test holds is carried out, for the first thing it holds for; then all are tested again.
While a rule's statements run nothing settles: what they call is lowered a second time for them, without settling.
"""

from __future__ import annotations

from interpreter.core import nodes as c
from interpreter.core.drafts import Frame
from interpreter.core.lower import decide, stages
from interpreter.core.lower import pausing as pa
from interpreter.core.lower import stmt as st
from interpreter.core.lower.context import Context, Env
from interpreter.core.lower.flow import Flow
from interpreter.core.lower.held import both
from interpreter.lang.check_settling import also_changed_by
from interpreter.lang.scope import Callable, Settling
from interpreter.lang.types import bounds

ROUND_WEIGHT = 1000  # steps for each rule carried out: a circle of rules is found after a thousand of them


def in_force(ctx: Context) -> list[Settling]:
    """The rules of the game, of the options that are on and of the scenarios that are played."""
    out = ctx.out
    return [
        s
        for s in ctx.checked.settling
        if (s.option is None or out.options[s.option]) and (s.scenario is None or s.scenario in ctx.plays)
    ]


class Settler:
    """Adds settling to blocks; its own frame is lowered when it is first needed."""

    def __init__(self) -> None:
        self.frame: Frame | None = None
        self.frames: dict[str, Frame] = {}

    def __call__(self, flow: Flow) -> None:
        """Settles at the current point, and goes on in a new block."""
        rules = in_force(flow.ctx)
        if not rules:
            return
        if self.frame is None:
            self.frame = self._lower(rules, flow)
        if flow.frame not in self.frame.callers:
            self.frame.callers.append(flow.frame)
        unsettled: c.Expr = c.Const(0)
        for rule in rules:
            unsettled = c.Either(unsettled, _test(rule, flow)[0])
        settle, after = flow.block("settle"), flow.block("settled")
        flow.blocks.end(c.Branch(unsettled, settle, after))
        flow.blocks.enter(settle)
        flow.blocks.call(self.frame, after)
        flow.blocks.enter(after)

    def _lower(self, rules: list[Settling], flow: Flow) -> Frame:
        frame = Frame("settle")
        flow.blocks.frames.append(frame)
        owner = Callable("settle", (), None, True, False, rules[0].span, None)
        inner = Flow(st.Place(owner, Env(), flow.ctx), frame, flow.blocks, flow.lower, self.frames)
        resume = flow.blocks.here
        frame.entry = inner.block("start")
        flow.blocks.enter(frame.entry)
        head = inner.block("settle again")
        flow.blocks.go(head)
        flow.blocks.enter(head)
        for rule in rules:
            test, values = _test(rule, inner)
            then, other = inner.block(f"whenever {rule.name}"), inner.block("next rule")
            flow.blocks.end(c.Branch(test, then, other))
            draft = flow.blocks.drafts[then]
            draft.weight, draft.site = ROUND_WEIGHT, _circle(rule, rules, flow.ctx)
            flow.blocks.enter(then)
            args: list[c.Expr] = []
            if values is not None:
                first = c.First(values)
                flow.ctx.ranged(first, *bounds(rule.do.params[0].type))
                args.append(first)
            pa.call_with(rule.do, args, inner)
            flow.blocks.go(head)
            flow.blocks.enter(other)
        flow.blocks.leave()
        flow.blocks.enter(resume)
        return frame


def _circle(rule: Settling, rules: list[Settling], ctx: Context) -> int:
    """The fault of a rule that is carried out for the thousandth time, or of one of those that do so in turn."""
    message = f"the settling rule `{rule.name}` is carried out again and again"
    names = [f"`{other.name}`" for other in also_changed_by(rule, rules, ctx.checked)]
    if names:
        message += f"; what it tests is changed by {' and '.join(names)} too"
    return ctx.site("settling-circle", message, rule.span)


def _test(rule: Settling, flow: Flow) -> tuple[c.Expr, c.Expr | None]:
    """Whether a rule has anything to do, and the set of what."""
    ctx = flow.ctx
    values: c.Expr | None = None
    if rule.each is not None:
        values, _ = decide.candidates(rule.each, [], None, None, flow)
        test: c.Expr = c.Compare("!=", c.Size(values), c.Const(0))
    else:
        assert rule.when is not None
        test = ctx.expr(rule.when, Env())
    if rule.outside is not None:
        opened = ctx.load(rule.outside.is_open, c.Const(0), 1, rule.span)
        test = both(c.Compare("==", opened, c.Const(0)), test)
    return both(stages.is_on(rule.scenario, ctx), test), values
