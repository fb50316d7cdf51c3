"""Questions: all deciding forms become one core node, a menu of alternatives with binders, price, guard and, perhaps, a
way to stop.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.core import header
from interpreter.core import nodes as c
from interpreter.core.compiled import PRESS_ON, DecisionInfo, OptionInfo, TextInfo
from interpreter.core.hoist import hoisted, replaced
from interpreter.core.lower import expr as ex
from interpreter.core.lower import queries as q
from interpreter.core.lower import stmt as st
from interpreter.core.lower.alike import representatives
from interpreter.core.lower.context import Asked, Context, Env, core_type, header_load, header_store
from interpreter.core.lower.flow import Flow, loop_head, note_asked
from interpreter.core.lower.held import both, convert, either, negate
from interpreter.lang import nodes as n
from interpreter.lang.questions import asked_as
from interpreter.lang.scope import Local
from interpreter.lang.types import SetT, Ty, universe
from interpreter.lang.world import Field
from interpreter.source import Span


def lower_choose(node: n.Choose, flow: Flow) -> None:
    """`choose`, `may`, `keep choosing` and their menus."""
    blocks, ctx = flow.blocks, flow.ctx
    keep = node.mood in ("keep", "keep_each")
    seen: c.Var | None = None
    if node.mood == "keep_each":
        seen = c.Var("seen", c.Type("set", universe(q.whole(_binder_type(node.options[0].binders[0], ctx)))))
        ctx.var_types[seen] = SetT(q.whole(_binder_type(node.options[0].binders[0], ctx)))
        blocks.add(c.Let(seen, c.SetConst(0, seen.type.size)))
    ask = loop_head("keep choosing", node.span, flow) if keep else -1
    flow.settle()
    hidden = node in ctx.checked.hidden
    after, otherwise = flow.block("after choice"), flow.block("no choice")
    inner = flow.inner(after if keep else None)
    name = decision_id(node, flow)
    made = [alternative(o, node, name, seen, ask if keep else after, otherwise, inner) for o in node.options]
    stop = {"choose": None, "may": "no", "keep": "done", "keep_each": "done"}[node.mood]
    if stop == "no" and node.other is not None and len(node.other) == 1 and isinstance(node.other[0], n.Pass):
        stop = "pass"  # not to do it is to pass
    element = len(node.options) == 1 and len(made[0].info.binders) == 0 and bool(node.options[0].binders)
    if element:  # the only thing to choose is a set: its elements are asked for at once
        blocks.go(made[0].option.target)
    else:
        menu_guard = None if node.clauses.when is None or not node.menu else ex.lower(node.clauses.when, flow.env, ctx)
        options = tuple(m.option if menu_guard is None else guarded(m.option, menu_guard) for m in made)
        text = text_of(node.clauses.say, [], flow) if node.menu else -1
        infos = tuple(m.info for m in made)
        if hidden and stop is None:  # others must not learn that there was nothing to choose
            options, infos = (*options, press_on(options, otherwise, ctx)), (*infos, OptionInfo(PRESS_ON, ()))
        info = DecisionInfo(name, infos, node.span, dark=node in ctx.checked.dark)
        ask_now(
            c.Decision(
                name,
                asked_player(node.clauses.by, flow),
                options,
                stop,
                otherwise,
                silent=not hidden,  # one candidate is not asked for: with a way to stop that is the stop alone
                part=False,
                text=text,
                site=st.loop_site(node.span, ctx),
            ),
            info,
            flow,
        )
        note_asked(node, [(m.info.name, m.inner.env) for m in made], flow, seen)
    blocks.enter(otherwise)
    if node.other is not None:
        flow.inner().statements(node.other)
    blocks.go(after)
    blocks.enter(after)


def press_on(options: tuple[c.Option, ...], otherwise: int, ctx: Context) -> c.Option:
    """The option that there is when there is no other."""
    found: c.Expr = c.Const(0)
    for option in options:
        some: c.Expr = c.Const(1)
        for binder in reversed(option.binders):
            if isinstance(some, c.Const):
                some = c.Compare("!=", c.Size(binder.values), c.Const(0))
            else:
                var = c.Var(binder.var.name, c.INT)
                ctx.var_ranges[var] = ctx.var_ranges.get(binder.var, (0, c.MAX_INT))
                some = c.Query("any", var, binder.values, replaced(some, binder.var, var), None)
        found = either(found, some if option.guard is None else both(option.guard, some))
    lets = tuple(x for option in options for x in option.lets)
    return c.Option(PRESS_ON, lets, negate(found), (), otherwise, True, -1)


def ask_now(decision: c.Decision, info: DecisionInfo, flow: Flow) -> int:
    """Puts a question behind the current block; its block's number."""
    flow.ctx.program.decisions.append(decision)
    flow.ctx.out.decisions.append(info)
    block = flow.block(f"ask {decision.name}")
    flow.blocks.go(block)
    flow.blocks.drafts[block].exit = c.Ask(len(flow.ctx.program.decisions) - 1)
    return block


def decision_id(node: n.Choose, flow: Flow) -> str:
    """The stable name of a question: its own, or that of the effect that asks."""
    say = node.clauses.say
    return say.id.text if say is not None and say.id is not None else asked_as(flow.place.owner)


def asked_player(by: n.Expr | None, flow: Flow) -> c.Expr:
    """Who is asked; directly in a phase, whoever is on move."""
    return header_load(header.MOVER) if by is None else ex.lower(by, flow.env, flow.ctx)


def guarded(option: c.Option, guard: c.Expr) -> c.Option:
    """An alternative that stands only where a condition holds."""
    joined = guard if option.guard is None else both(guard, option.guard)
    return c.Option(option.name, option.lets, joined, option.binders, option.target, option.final, option.text)


@dataclass(frozen=True, eq=False)
class Made:
    """An alternative as it is asked for; `inner`: where its body stands, its binders' variables known."""

    option: c.Option
    info: OptionInfo
    inner: Flow


def _binder_type(binder: n.Binder, ctx: Context) -> Ty:
    return ctx.checked.locals[binder.var].type


def alternative(
    option: n.Option,
    node: n.Choose,
    name: str,
    seen: c.Var | None,
    back: int,
    otherwise: int,
    flow: Flow,
    took: tuple[c.Var, int] | None = None,
) -> Made:
    """One alternative: its candidates, and the block in which it is carried out.

    With `took` it is only noted (the number in the variable), to be carried out later by `carry_out`.
    """
    ctx, blocks = flow.ctx, flow.blocks
    inner = flow.inner()
    clauses = option.clauses
    own_when = clauses.when if not (node.menu and clauses is node.clauses) else None
    singles = [b for b in option.binders if b.quantity == "one"]
    quantified = option.binders[-1] if option.binders and option.binders[-1].quantity != "one" else None
    binders: list[c.Binder] = []
    guard: c.Expr | None = None
    bound: list[tuple[Local, Ty]] = []
    for i, b in enumerate(singles):
        last = i == len(singles) - 1
        extra = [own_when] if last and own_when is not None else []
        price = (clauses.cost, clauses.purse) if last and clauses.cost is not None else None
        skip = seen if i == 0 else None
        values, of = candidates(b, extra, price, skip, inner)
        local = ctx.checked.locals[b.var]
        var = q.fresh(local.name, of, ctx)
        inner.env.names[local] = var
        binders.append(c.Binder(var, values))
        bound.append((local, of))
    if not singles:
        tests = [ex.lower(own_when, inner.env, ctx)] if own_when is not None else []
        if clauses.cost is not None and clauses.purse is not None:
            tests.append(_affordable(clauses.cost, clauses.purse, inner.env, ctx))
        for test in tests:
            guard = test if guard is None else both(guard, test)
    target = flow.block(f"take {option.name.text if option.name else name}")
    body = target
    resume = blocks.here
    blocks.enter(target)
    if seen is not None:
        blocks.add(c.Let(seen, c.SetOp("|", c.Get(seen), c.SetOf((c.Get(binders[0].var),), seen.type.size, None))))
    if quantified is not None:
        body = _elements(quantified, option, node, name, otherwise if not singles else -1, inner)
        blocks.enter(body)
    if took is None:
        carry_out(option, inner)
    else:
        blocks.add(c.Let(took[0], c.Const(took[1])))
    blocks.go(back)
    blocks.enter(resume)
    word = option.name.text if option.name else ("yes" if node.mood == "may" and not option.binders else name)
    text = text_of(clauses.say, bound, inner, _gathered(quantified, inner))
    made = hoisted(c.Option(word, (), guard, tuple(binders), target, quantified is None, text))
    return Made(made, OptionInfo(word, tuple(t for _, t in bound)), inner)


def _gathered(binder: n.Binder | None, flow: Flow) -> c.Var | None:
    """The variable of the set that a binder gathers."""
    if binder is None or binder.set_name is None:
        return None
    var = flow.env.names[flow.ctx.checked.locals[binder.set_name]]
    return var if isinstance(var, c.Var) else None


def carry_out(option: n.Option, inner: Flow) -> None:
    """Pays for an alternative that was taken, and runs its body."""
    clauses = option.clauses
    if clauses.cost is not None and clauses.purse is not None:
        inner.blocks.add(*_payment(clauses.cost, clauses.purse, option.span, inner))
    inner.statements(option.body)


def candidates(
    binder: n.Binder,
    extra: list[n.Expr],
    price: tuple[n.Expr | None, n.Expr | None] | None,
    skip: c.Var | None,
    flow: Flow,
) -> tuple[c.Expr, Ty]:
    """The set of a binder's candidates: its domain, its `where`, the option's condition and what can be paid; of alike
    ones the first.
    """
    values, of = every_candidate(binder, extra, price, skip, flow)
    return representatives(values, of, flow.ctx), of


def every_candidate(
    binder: n.Binder,
    extra: list[n.Expr],
    price: tuple[n.Expr | None, n.Expr | None] | None,
    skip: c.Var | None,
    flow: Flow,
) -> tuple[c.Expr, Ty]:
    """As `candidates`, with all of those that are alike."""
    ctx = flow.ctx
    domain, of = q.members(binder.domain, flow.env, ctx)
    searched = q.as_set(domain, of, ctx)
    if skip is not None:
        searched = c.SetOp("-", searched, c.Get(skip))
    local = ctx.checked.locals[binder.var]
    var = q.fresh(local.name, of, ctx)
    env = flow.env.inner()
    env.names[local] = var
    where: c.Expr = c.Const(1)
    if binder.where is not None:
        where = ex.lower(binder.where, env, ctx)
    for condition in extra:
        where = both(where, ex.lower(condition, env, ctx))
    if price is not None and price[0] is not None and price[1] is not None:
        where = both(where, _affordable(price[0], price[1], env, ctx))
    if isinstance(where, c.Const) and where.value:
        return searched, of
    narrowed, rest = q.narrowed(searched, var, where, ctx)
    return q.those(narrowed, var, rest, of, ctx), of


def _affordable(cost: n.Expr, purse: n.Expr, env: Env, ctx: Context) -> c.Expr:
    return c.Compare("<=", ex.lower(cost, env, ctx), ex.lower(purse, env, ctx))


def _payment(cost: n.Expr, purse: n.Expr, span: Span, flow: Flow) -> list[c.Stmt]:
    ref = flow.ctx.checked.refs[purse]
    assert isinstance(ref, Field)
    index, count = st.field_place(purse, ref, flow.place)
    rest = flow.ctx.arith("-", flow.ctx.load(ref, index, count, span), ex.lower(cost, flow.env, flow.ctx), span)
    return [flow.ctx.store(ref, index, count, rest, span)]


def _elements(binder: n.Binder, option: n.Option, node: n.Choose, name: str, empty: int, flow: Flow) -> int:
    """Asks for the members of a set one by one, in data order, so that each set has one sequence of answers; gives the
    block behind it.

    `empty`: where play goes on if nothing was chosen (-1: with the body all the same).
    """
    ctx, blocks = flow.ctx, flow.blocks
    assert binder.set_name is not None
    chosen_local = ctx.checked.locals[binder.set_name]
    of = _binder_type(binder, ctx)
    size = universe(q.whole(of))
    chosen = c.Var(chosen_local.name, c.Type("set", size))
    last = c.Var("last", c.INT)
    ctx.var_types[chosen], ctx.var_types[last] = SetT(q.whole(of)), q.whole(of)
    ctx.var_ranges[last] = (-1, size - 1)
    blocks.add(c.Let(chosen, c.SetConst(0, size)), c.Let(last, c.Const(-1)))
    flow.env.names[chosen_local] = chosen
    head = loop_head("next element", binder.span, flow)
    values = _next_elements(binder, chosen, last, of, size, flow)
    var = q.fresh(ctx.checked.locals[binder.var].name, of, ctx)
    ask, complete, body = flow.block("ask element"), flow.block("set complete"), flow.block("set chosen")
    more: c.Expr = c.Compare("!=", c.Size(values), c.Const(0))
    if binder.most is not None:
        room = c.Compare("<", c.Size(c.Get(chosen)), ex.lower(binder.most, flow.env, ctx))
        more = both(room, more)
    if node in ctx.checked.hidden:  # that there is nothing to choose must not show
        more = either(c.Compare("==", c.Size(c.Get(chosen)), c.Const(0)), more)
    blocks.end(c.Branch(more, ask, complete))
    taken = flow.block("take element")
    blocks.enter(taken)
    single = c.SetOf((c.Get(var),), size, None)
    blocks.add(c.Let(chosen, c.SetOp("|", c.Get(chosen), single)), c.Let(last, c.Get(var)))
    blocks.go(head)
    step = c.Option(name, (), None, (c.Binder(var, values),), taken, False, -1)
    text = text_of(option.clauses.say, [], flow)
    by = node.clauses.by if option.clauses.by is None else option.clauses.by  # in a menu it stands with the menu
    player = asked_player(by, flow)
    decision = c.Decision(name, player, (step,), "done", body, False, True, text, st.loop_site(binder.span, ctx))
    dark = node in ctx.checked.dark
    info = DecisionInfo(name, (OptionInfo(name, (of,)),), binder.span, element=True, dark=dark)
    ctx.program.decisions.append(decision)
    ctx.out.decisions.append(info)
    number = len(ctx.program.decisions) - 1
    blocks.drafts[ask].exit = c.Ask(number)
    ctx.asked.append(Asked(number, node, (name,), (flow.env,), flow.env, element=binder, chosen=(chosen, last)))
    blocks.enter(complete)  # nothing more can be added: the statement is complete without a further word
    blocks.add(header_store(header.PLIES, c.Arith("+", header_load(header.PLIES), c.Const(1), None)))
    blocks.go(body)
    if empty < 0:
        return body
    inside = flow.block("with a set")
    blocks.enter(body)
    blocks.end(c.Branch(c.Compare("!=", c.Size(c.Get(chosen)), c.Const(0)), inside, empty))
    return inside


def _next_elements(binder: n.Binder, chosen: c.Var, last: c.Var, of: Ty, size: int, flow: Flow) -> c.Expr:
    """Candidates behind the last one taken, that keep the limit."""
    ctx = flow.ctx
    values, _ = every_candidate(
        n.Binder(binder.var, binder.domain, binder.where, "one", None, None, None, binder.span), [], None, None, flow
    )
    var = q.fresh("next", of, ctx)
    where: c.Expr = c.Compare(">", c.Get(var), c.Get(last))
    if binder.limit is not None:
        assert binder.set_name is not None
        with_it = c.SetOp("|", c.Get(chosen), c.SetOf((c.Get(var),), size, None))
        env = flow.env.inner()
        env.names[ctx.checked.locals[binder.set_name]] = _held(with_it, of, ctx)
        where = both(where, ex.lower(binder.limit, env, ctx))
    return representatives(c.Query("those", var, values, where, None, size), of, ctx)


def _held(e: c.Expr, of: Ty, ctx: Context) -> c.Expr:
    """A set over the whole kind, held as one of its sort."""
    return convert(e, SetT(q.whole(of)), SetT(of), ctx)


def lower_for_chosen(node: n.ForChosen, flow: Flow) -> None:
    """`for each … chosen by`: asks which comes next until none is left; the candidates are read anew each time."""
    ctx, blocks = flow.ctx, flow.blocks
    of = _binder_type(node.binder, ctx)
    seen = c.Var("seen", c.Type("set", universe(q.whole(of))))
    ctx.var_types[seen] = SetT(q.whole(of))
    blocks.add(c.Let(seen, c.SetConst(0, seen.type.size)))
    head = loop_head("for each chosen", node.span, flow)
    flow.settle()
    after = flow.block("after for each")
    inner = flow.inner(after)
    values, _ = candidates(node.binder, [], None, seen, inner)
    local = ctx.checked.locals[node.binder.var]
    var = q.fresh(local.name, of, ctx)
    inner.env.names[local] = var
    say = node.say
    name = say.id.text if say is not None and say.id is not None else asked_as(flow.place.owner)
    target = flow.block(f"take {name}")
    text = text_of(say, [(local, of)], inner)
    option = c.Option(name, (), None, (c.Binder(var, values),), target, True, text)
    hidden = node in ctx.checked.hidden
    options: tuple[c.Option, ...] = (option,)
    infos: tuple[OptionInfo, ...] = (OptionInfo(name, (of,)),)
    if hidden:
        options, infos = (option, press_on(options, after, ctx)), (*infos, OptionInfo(PRESS_ON, ()))
    info = DecisionInfo(name, infos, node.span, dark=node in ctx.checked.dark)
    player = ex.lower(node.by, flow.env, ctx)
    ask_now(
        c.Decision(name, player, options, None, after, not hidden, False, -1, st.loop_site(node.span, ctx)), info, flow
    )
    note_asked(node, [(name, inner.env)], flow, seen)
    blocks.enter(target)
    blocks.add(c.Let(seen, c.SetOp("|", c.Get(seen), c.SetOf((c.Get(var),), seen.type.size, None))))
    inner.statements(node.body)
    blocks.go(head)
    blocks.enter(after)


def text_of(say: n.Say | None, bound: list[tuple[Local, Ty]], flow: Flow, still_empty: c.Var | None = None) -> int:
    """The number of a text whose holes are functions of the chosen values; -1 if nothing is said.

    `still_empty`: a set whose members are asked for later; its variable may hold one that was chosen before.
    """
    if say is None:
        return -1
    ctx = flow.ctx
    holes = [p for p in say.text.parts if isinstance(p, n.Hole)]
    functions, types = [], []
    for hole in holes:
        params = [q.fresh(local.name, of, ctx) for local, of in bound]
        env = flow.env.inner()
        for (local, _), var in zip(bound, params, strict=True):
            env.names[local] = var
        value = ex.lower(hole.value, env, ctx)
        if still_empty is not None:
            value = replaced(value, still_empty, c.SetConst(0, still_empty.type.size))
        ty = ctx.checked.types[hole.value]
        result = core_type(ty)
        functions.append(
            ctx.add_function(c.Function(f"text {hole.key}", tuple(params), result, (c.Return(value),), True))
        )
        types.append(ty)
    return ctx.add_text(TextInfo(say.text, tuple(functions), tuple(types)))
