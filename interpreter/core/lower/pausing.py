"""Effects that ask: their statements become blocks that jump to each other."""

from __future__ import annotations

from collections.abc import Callable as Maker
from dataclasses import replace

from interpreter.core import nodes as c
from interpreter.core.drafts import Frame
from interpreter.core.lower import (
    calls,
    decide,
    scenes,
    weave,
)
from interpreter.core.lower import expr as ex
from interpreter.core.lower import queries as q
from interpreter.core.lower import stmt as st
from interpreter.core.lower.alternate import lower_alternate, lower_pass
from interpreter.core.lower.context import Context, Env
from interpreter.core.lower.flow import Flow, loop_head
from interpreter.core.lower.relations import store_field
from interpreter.core.lower.results import drop_result, leave_result, take_result
from interpreter.core.lower.secretly import lower_secretly
from interpreter.lang import nodes as n
from interpreter.lang.questions import asked_as
from interpreter.lang.scope import Callable, Local
from interpreter.lang.types import SetT, Ty, universe
from interpreter.lang.walk import statements
from interpreter.lang.world import Field

Visit = Maker[[c.Var], list[c.Stmt]]


def pauses(node: n.Stmt, flow: Flow) -> bool:
    """Whether a statement must be cut into blocks: it asks, ends the effect, or leaves a loop that is cut itself."""
    return any(_cuts(x, flow) for x in statements((node,))) or _breaks_out(node)


def _cuts(node: n.Stmt, flow: Flow) -> bool:
    match node:
        case n.Choose() | n.ForChosen() | n.Secretly() | n.Alternate() | n.Pass() | n.Return():
            return True
        case n.CallStmt(call=call) | n.Let(value=call) | n.Assign(value=call):
            return _pausing_call(call, flow.ctx) is not None
    return False


def _pausing_call(node: n.Expr, ctx: Context) -> Callable | None:
    if isinstance(node, n.Apply):
        target = ctx.checked.refs.get(node)
        if isinstance(target, Callable) and target.is_effect and target.pauses:
            return target
    return None


def _breaks_out(node: n.Stmt) -> bool:
    """Whether a statement holds a `break` for a loop around it. (Every loop around a cut statement is cut as well.)"""
    match node:
        case n.Break():
            return True
        case n.If(branches=branches, other=other):
            return any(_breaks_out(x) for _, body in branches for x in body) or any(_breaks_out(x) for x in other or ())
        case n.Match(cases=cases, other=other):
            return any(_breaks_out(x) for case in cases for x in case.body) or any(_breaks_out(x) for x in other or ())
        case n.Scene(body=body):
            return any(_breaks_out(x) for x in body)
    return False


def lower_statements(body: n.Body, flow: Flow) -> None:
    """Adds statements to the current block, cutting where play pauses."""
    for statement in body:
        if not flow.blocks.open:
            return
        if pauses(statement, flow):
            _cut(statement, flow)
        else:
            flow.blocks.add(*st.lower_stmt(statement, flow.place))


def _cut(node: n.Stmt, flow: Flow) -> None:
    blocks, ctx = flow.blocks, flow.ctx
    match node:
        case n.Let():
            local = ctx.checked.locals[node.name]
            call_effect(node.value, flow)
            var = st.declare(local, flow.place)
            take_result(var, ctx.checked.types[node.value], local.type, flow)
        case n.Assign():
            call_effect(node.value, flow)
            ref = ctx.checked.refs.get(node.target)
            assert isinstance(ref, Local | Field)
            var = ctx.var("result", ref.type)
            take_result(var, ctx.checked.types[node.value], ref.type, flow)
            blocks.add(*_assigned(node, var, flow))
        case n.CallStmt():
            call_effect(node.call, flow)
            assert isinstance(node.call, n.Apply)
            target = ctx.checked.refs[node.call]
            if isinstance(target, Callable) and target.result is not None:
                drop_result(target.result, flow)
        case n.Return():
            _return(node, flow)
        case n.Break():
            blocks.add(*scenes.closing(flow.place.scenes[flow.place.outside :], ctx))
            blocks.go(flow.out)
        case n.Scene():
            scene = scenes.scene_of(node, ctx)
            blocks.add(*scenes.opening(node, flow.env, ctx))
            lower_statements(node.body, replace(flow, place=flow.place.inside(scene)))
            blocks.add(*scenes.closing([scene], ctx))
        case n.Secretly():
            lower_secretly(node, flow)
        case n.Alternate():
            lower_alternate(node, flow)
        case n.Pass():
            lower_pass(flow)
        case n.If():
            _if(node, flow)
        case n.Match():
            _match(node, flow)
        case n.Repeat():
            _repeat(node, flow)
        case n.While():
            _while(node, flow)
        case n.ForEach():
            _for_each(node, flow)
        case n.Choose():
            decide.lower_choose(node, flow)
        case n.ForChosen():
            decide.lower_for_chosen(node, flow)
        case _:
            raise AssertionError(type(node).__name__)


def _assigned(node: n.Assign, var: c.Var, flow: Flow) -> list[c.Stmt]:
    """The assignment of a result that has just come back."""
    ref = flow.ctx.checked.refs.get(node.target)
    if isinstance(ref, Local):
        target = flow.env.names[ref]
        assert isinstance(target, c.Var)
        return [c.Let(target, c.Get(var))]
    assert isinstance(ref, Field)
    index, count = st.field_place(node.target, ref, flow.place)
    return store_field(ref, index, count, c.Get(var), node.span, flow.ctx)


def frame_of(target: Callable, flow: Flow) -> Frame:
    """The frame of a pausing effect, its blocks lowered when it is first called."""
    known = flow.frames.get(target.name)
    if known is not None:
        return known
    frame = Frame(target.name)
    flow.frames[target.name] = frame
    flow.blocks.frames.append(frame)
    resume = flow.blocks.here
    if weave.woven(target, flow.ctx):
        inner = _begin(target, frame, flow)
        _woven(target, frame, inner)
    else:
        assert target.node is not None
        inner = _begin(target, frame, flow)
        lower_statements(target.node.body, inner)
    flow.blocks.leave()
    flow.blocks.enter(resume)
    return frame


def _begin(target: Callable, frame: Frame, flow: Flow) -> Flow:
    """Opens the first block of an effect, its parameters in variables of its frame."""
    env = Env()
    for p in target.params:
        var = flow.ctx.var(p.name, p.type)
        env.names[p] = var
        frame.params.append(var)
    if target.me is not None:
        env.names[target.me[0]] = c.Const(target.me[1])
    inner = Flow(st.Place(target, env, flow.ctx), frame, flow.blocks, flow.lower, flow.frames, settler=flow.settler)
    frame.entry = inner.block("start")
    flow.blocks.enter(frame.entry)
    return inner


def _woven(target: Callable, frame: Frame, flow: Flow) -> None:
    """A hook's fillings, or an effect with its exceptions, each called as an effect of its own."""
    blocks, params = flow.blocks, frame.params
    args: list[c.Expr] = [c.Get(p) for p in params]
    if target.fillings is not None:
        done = flow.block("filled")
        for filling in target.fillings:
            _if_call(weave.filled(filling, params[0], target, flow.ctx), filling.body, args, done, flow)
        blocks.go(done)
        blocks.enter(done)
        return
    tests, body = weave.tested(target, params, flow.ctx)
    blocks.add(*body)
    for bend, test in tests:
        if bend.verb == "before" and bend.effect is not None:
            _if_call(test, bend.effect, args, -1, flow)
    done = flow.block("in its place")
    for bend, test in reversed(tests):
        if bend.verb == "instead" and bend.effect is not None:
            _if_call(test, bend.effect, args, done, flow)
    written = replace(target, name=f"{target.name} as written", fillings=None, asked_as=asked_as(target))
    call_with(written, args, flow)
    blocks.go(done)
    blocks.enter(done)
    result = flow.ctx.var("result", target.result) if target.result is not None else None
    if result is not None and target.result is not None:
        take_result(result, target.result, target.result, flow)
    for bend, test in tests:
        if bend.verb == "after" and bend.effect is not None:
            _if_call(test, bend.effect, args, -1, flow)
    if result is not None and target.result is not None:
        leave_result(c.Get(result), target.result, flow)


def _if_call(test: c.Expr, target: Callable, args: list[c.Expr], done: int, flow: Flow) -> None:
    """Calls an effect if a test holds; then on at `done` (-1: behind the test)."""
    blocks = flow.blocks
    then, other = flow.block("then"), flow.block("else")
    blocks.end(c.Branch(test, then, other))
    blocks.enter(then)
    call_with(target, args, flow)
    blocks.go(other if done < 0 else done)
    blocks.enter(other)


def call_with(target: Callable, args: list[c.Expr], flow: Flow) -> None:
    """Calls an effect, pausing or plain, with values for its parameters; a result is left where a pausing effect leaves
    it.
    """
    if not target.pauses:
        var = flow.ctx.var("result", target.result) if target.result is not None else None
        flow.blocks.add(c.Do(flow.ctx.function_number(target), tuple(args), var))
        if var is not None and target.result is not None:
            leave_result(c.Get(var), target.result, flow)
        return
    frame = frame_of(target, flow)
    if flow.frame not in frame.callers:
        frame.callers.append(flow.frame)
    after = flow.block(f"after {target.name}")
    for param, value in zip(frame.params, args, strict=True):
        flow.blocks.add(c.Let(param, value))
    flow.blocks.call(frame, after)
    flow.blocks.enter(after)


def call_effect(node: n.Expr, flow: Flow) -> None:
    """Calls a pausing effect and goes on in a new block when it comes back."""
    assert isinstance(node, n.Apply)
    target = flow.ctx.checked.refs[node]
    assert isinstance(target, Callable)
    call_with(target, calls.arguments(node, target, flow.env, flow.ctx), flow)


def _return(node: n.Return, flow: Flow) -> None:
    result = flow.place.owner.result
    if node.value is not None and result is not None:
        var = flow.ctx.var("result", result)
        if _pausing_call(node.value, flow.ctx):
            call_effect(node.value, flow)
            have = flow.ctx.checked.types[node.value]
            if have != result or isinstance(have, SetT):  # else it is left where ours belongs
                take_result(var, have, result, flow)
                leave_result(c.Get(var), result, flow)
        else:
            before, value = st.right_side(node.value, result, flow.place)
            flow.blocks.add(*before, *st.assign_var(var, value))
            leave_result(c.Get(var), result, flow)
    flow.blocks.add(*scenes.closing(flow.place.scenes, flow.ctx))
    if flow.end >= 0:
        flow.blocks.go(flow.end)
    flow.blocks.leave()


def _if(node: n.If, flow: Flow) -> None:
    blocks = flow.blocks
    after = flow.block("after if")
    for cond, body in node.branches:
        test = ex.lower(cond, flow.env, flow.ctx)
        then, other = flow.block("then"), flow.block("else")
        blocks.end(c.Branch(test, then, other))
        blocks.enter(then)
        lower_statements(body, flow.inner())
        blocks.go(after)
        blocks.enter(other)
    if node.other is not None:
        lower_statements(node.other, flow.inner())
    blocks.go(after)
    blocks.enter(after)


def _match(node: n.Match, flow: Flow) -> None:
    blocks, ctx = flow.blocks, flow.ctx
    subject = ctx.checked.types[node.subject]
    var = ctx.var("subject", subject)
    blocks.add(c.Let(var, ex.lower(node.subject, flow.env, ctx)))
    after = flow.block("after match")
    for case in node.cases:
        test = st.case_test(case, var, subject, flow.place)
        then, other = flow.block("case"), flow.block("next case")
        blocks.end(c.Branch(test, then, other))
        blocks.enter(then)
        lower_statements(case.body, flow.inner())
        blocks.go(after)
        blocks.enter(other)
    if node.other is not None:
        lower_statements(node.other, flow.inner())
    blocks.go(after)
    blocks.enter(after)


def _repeat(node: n.Repeat, flow: Flow) -> None:
    left = c.Var("rounds", c.INT)
    flow.blocks.add(c.Let(left, ex.lower(node.times, flow.env, flow.ctx)))
    head = loop_head("repeat", node.span, flow)
    inside, after = flow.block("round"), flow.block("after repeat")
    flow.blocks.end(c.Branch(c.Compare(">", c.Get(left), c.Const(0)), inside, after))
    flow.blocks.enter(inside)
    flow.blocks.add(c.Let(left, c.Arith("-", c.Get(left), c.Const(1), None)))
    lower_statements(node.body, flow.inner(after))
    flow.blocks.go(head)
    flow.blocks.enter(after)


def _while(node: n.While, flow: Flow) -> None:
    head = loop_head("while", node.span, flow)
    inside, after = flow.block("round"), flow.block("after while")
    flow.blocks.end(c.Branch(ex.lower(node.cond, flow.env, flow.ctx), inside, after))
    flow.blocks.enter(inside)
    lower_statements(node.body, flow.inner(after))
    flow.blocks.go(head)
    flow.blocks.enter(after)


def _for_each(node: n.ForEach, flow: Flow) -> None:
    """The members left to visit are a set in the frame; numbers of a range are counted."""
    blocks, ctx = flow.blocks, flow.ctx
    inner = flow.inner()
    domain, var = st.loop_domain(node.binder, inner.place)
    of = ctx.checked.locals[node.binder.var].type
    if isinstance(domain, c.Span):
        last = c.Var("last", c.INT)
        blocks.add(c.Let(var, c.Arith("-", domain.low, c.Const(1), None)), c.Let(last, domain.high))
        head = loop_head("for each", node.span, inner)
        inside, after = inner.block("round"), inner.block("after for each")
        blocks.end(c.Branch(c.Compare("<", c.Get(var), c.Get(last)), inside, after))
        blocks.enter(inside)
        blocks.add(c.Let(var, c.Arith("+", c.Get(var), c.Const(1), None)))
    else:
        left, visited = _frozen(domain, of, flow)
        head = loop_head("for each", node.span, inner)
        inside, after = inner.block("round"), inner.block("after for each")
        blocks.end(c.Branch(c.Compare("!=", c.Size(c.Get(left)), c.Const(0)), inside, after))
        blocks.enter(inside)
        if visited is None:
            rest = c.SetOp("-", c.Get(left), c.SetOf((c.Get(var),), left.type.size, None))
            blocks.add(c.Let(var, c.First(c.Get(left))), c.Let(left, rest))
        else:
            blocks.add(*visited(var))
    lower_statements(node.body, inner.inner(after))
    blocks.go(head)
    blocks.enter(after)


def _frozen(domain: c.Expr, of: Ty, flow: Flow) -> tuple[c.Var, Visit | None]:
    """A loop's domain in the frame: a set of what is left. A list keeps its order as a number for each place in it."""
    ctx = flow.ctx
    if not q.is_list(domain, ctx):
        size = universe(q.whole(of))
        left = c.Var("left", c.Type("set", size))
        ctx.var_types[left] = SetT(q.whole(of))
        flow.blocks.add(c.Let(left, domain))
        return left, None
    items = c.Var("items", c.Type("list", 64))
    flow.blocks.add(c.Let(items, domain))
    cells = [c.Var(f"item{i}", c.INT) for i in range(q.list_capacity(domain, ctx))]
    for i, cell in enumerate(cells):
        has = c.Compare(">", c.Size(c.Get(items)), c.Const(i))
        flow.blocks.add(c.Let(cell, c.Cond(has, c.Item(c.Get(items), c.Const(i), None), c.Const(-1))))
    left = c.Var("left", c.Type("set", max(len(cells), 1)))
    everything = c.SetConst((1 << len(cells)) - 1, max(len(cells), 1))
    ranged = c.RangeSet(c.Const(0), c.Arith("-", c.Size(c.Get(items)), c.Const(1), None), max(len(cells), 1), None)
    flow.blocks.add(c.Let(left, c.SetOp("&", everything, ranged)))

    def visit(var: c.Var) -> list[c.Stmt]:
        number = c.Var("number", c.INT)
        value: c.Expr = c.Const(-1)
        for i, cell in enumerate(cells):
            value = c.Cond(c.Compare("==", c.Get(number), c.Const(i)), c.Get(cell), value)
        rest = c.SetOp("-", c.Get(left), c.SetOf((c.Get(number),), left.type.size, None))
        return [c.Let(number, c.First(c.Get(left))), c.Let(var, value), c.Let(left, rest)]

    return left, visit
