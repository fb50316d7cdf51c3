"""Why a choice is, or is not, among the candidates: each condition of a question as a function of its own.

The same trees are lowered as for the question itself. The functions are added when the program is finished, and read
variables of frames where the question has left them.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.core import nodes as c
from interpreter.core.compiled import (
    BinderReason,
    LimitReason,
    OptionReason,
    PartInfo,
    PriceReason,
    SharesInfo,
    ThenInfo,
)
from interpreter.core.lower import calls, places, weave
from interpreter.core.lower import expr as ex
from interpreter.core.lower import queries as q
from interpreter.core.lower.chance import die_of
from interpreter.core.lower.context import Asked, Context, Env, core_type
from interpreter.core.lower.held import convert
from interpreter.core.lower.trials import told_parts
from interpreter.core.suspend import bound_inside, variables
from interpreter.lang import nodes as n
from interpreter.lang.scope import Callable, Local
from interpreter.lang.types import SetT, Ty, ZoneT, universe

Params = tuple[c.Var, ...]


def lower_reasons(ctx: Context) -> None:
    """Fills `reasons` for every question of the program."""
    for asked in ctx.asked:
        ctx.out.reasons[asked.decision] = tuple(_options(asked, ctx))


def _options(asked: Asked, ctx: Context) -> list[OptionReason]:
    node = asked.node
    if isinstance(node, n.ForChosen):
        only, _ = _binder(node.binder, [], (), asked.envs[0].inner(), ctx)
        return [OptionReason(asked.words[0], (), (only,), None, _seen(asked, ctx), None)]
    if asked.element is not None:
        return [_element(asked, asked.element, ctx)]
    found = []
    for option, word, env in zip(node.options, asked.words, asked.envs, strict=False):
        menu = node.clauses.when if node.menu else None
        own = option.clauses.when if not (node.menu and option.clauses is node.clauses) else None
        guards = _conditions(menu, asked.env, (), ctx)
        singles = [b for b in option.binders if b.quantity == "one"]
        inner, params = env.inner(), tuple[c.Var, ...]()
        binders: list[BinderReason] = []
        if not singles:
            guards += _conditions(own, inner, (), ctx)
        for i, binder in enumerate(singles):
            extra = [own] if i == len(singles) - 1 and own is not None else []
            made, var = _binder(binder, extra, params, inner, ctx)
            params = (*params, var)
            binders.append(made)
        price = _price(option, inner, params, ctx)
        seen = _seen(asked, ctx) if asked.seen is not None else None
        found.append(OptionReason(word, tuple(guards), tuple(binders), price, seen, None))
    return found


def _binder(
    binder: n.Binder, extra: Sequence[n.Expr], params: Params, env: Env, ctx: Context
) -> tuple[BinderReason, c.Var]:
    """A binder's domain and conditions; its variable is added to `env`."""
    node, around, found = _unfolded(binder.domain, env, ctx)
    domain, of = q.members(node, around, ctx)
    held = q.as_set(domain, of, ctx)
    size = universe(q.whole(of))
    number = _function("domain", params, c.Type("set", size), held, ctx)
    parts = _parts(node, around, params, ctx)
    local = ctx.checked.locals[binder.var]
    var = q.fresh(local.name, of, ctx)
    conditions: list[ThenInfo] = []
    for where, place, name in found:
        place.names[name] = var
        conditions += _conditions(where, place, (*params, var), ctx)
    env.names[local] = var
    for one in (binder.where, *extra):
        conditions += _conditions(one, env, (*params, var), ctx)
    return BinderReason(local.name, of, number, node.span, parts, tuple(conditions)), var


Found = list[tuple[n.Expr | None, Env, Local]]


def _unfolded(node: n.Expr, env: Env, ctx: Context) -> tuple[n.Expr, Env, Found]:
    """A domain without `those(…)` around it, also where a function gives it: what is searched, and the conditions."""
    found: Found = []
    while True:
        target = ctx.checked.refs.get(node)
        if isinstance(node, n.Aggregate) and node.op == "those":
            found.insert(0, (node.where, env.inner(), ctx.checked.locals[node.var]))
            node = node.domain
        elif (
            isinstance(node, n.Apply)
            and isinstance(target, Callable)
            and isinstance(target.node, n.Fun)
            and target.node.value is not None
            and not weave.woven(target, ctx)
        ):
            args: list[c.Var | c.Expr] = [*calls.arguments(node, target, env, ctx)]
            env, node = Env(dict(zip(target.params, args, strict=True))), target.node.value
        else:
            return node, env, found


def _element(asked: Asked, binder: n.Binder, ctx: Context) -> OptionReason:
    """A step that adds a member to a set: what its domain is, what may be added still, and the limit."""
    env = asked.env.inner()
    made, var = _binder(binder, [], (), env, ctx)
    assert asked.chosen is not None and binder.set_name is not None
    chosen, last = asked.chosen
    of = ctx.checked.locals[binder.var].type
    size = universe(q.whole(of))
    limits: list[LimitReason] = []
    before = _function("last", (), c.INT, c.Get(last), ctx)
    limit: list[ThenInfo] = []
    if binder.limit is not None:
        with_it = c.SetOp("|", c.Get(chosen), c.SetOf((c.Get(var),), size, None))
        env.names[ctx.checked.locals[binder.set_name]] = convert(with_it, SetT(q.whole(of)), SetT(of), ctx)
        limit = _conditions(binder.limit, env, (var,), ctx)
    if before is not None:
        limits.append(LimitReason(before, tuple(limit)))
    return OptionReason(asked.words[0], (), (made,), None, None, limits[0] if limits else None)


def _seen(asked: Asked, ctx: Context) -> int | None:
    """What was chosen before in the same statement and is not offered again."""
    if asked.seen is None:
        return None
    return _function("seen", (), asked.seen.type, c.Get(asked.seen), ctx)


def _price(option: n.Option, env: Env, params: Params, ctx: Context) -> PriceReason | None:
    cost, purse = option.clauses.cost, option.clauses.purse
    if cost is None or purse is None:
        return None
    price = _function("price", params, c.INT, ex.lower(cost, env, ctx), ctx)
    held = _function("purse", params, c.INT, ex.lower(purse, env, ctx), ctx)
    return None if price is None or held is None else PriceReason(price, cost.span, held, purse.span)


def _conditions(node: n.Expr | None, env: Env, params: Params, ctx: Context) -> list[ThenInfo]:
    """The parts of a condition that are joined by `and`, in order."""
    found: list[ThenInfo] = []
    for one in conjuncts(node):
        number = _function("condition", params, c.INT, ex.lower(one, env, ctx), ctx)
        if number is None:
            continue
        found.append(ThenInfo(number, one.span, _parts(one, env, params, ctx)))
    return found


def _parts(node: n.Expr, env: Env, params: Params, ctx: Context) -> tuple[PartInfo, ...]:
    """The values in an expression that are worth telling."""
    parts: list[PartInfo] = []
    for part in told_parts(node, ctx):
        ty = ctx.checked.types[part]
        if part is not node and (value := _value(part, ty, env, params, ctx)) is not None:
            parts.append(PartInfo(part.span, value, ty, _shares(part, env, params, ctx)))
    return tuple(parts)


def _shares(node: n.Expr, env: Env, params: Params, ctx: Context) -> SharesInfo | None:
    """The members of a sum or count, also where a function gives it, and how much each of them counts."""
    node, env, _ = _unfolded(node, env, ctx)
    if not isinstance(node, n.Aggregate) or node.op not in ("sum", "count") or die_of(node.domain, ctx) is not None:
        return None
    domain, of = q.members(node.domain, env, ctx)
    if q.is_list(domain, ctx):
        return None  # it may hold something twice
    inner, size = env.inner(), universe(q.whole(of))
    local = ctx.checked.locals[node.var]
    var = inner.names[local] = q.fresh(local.name, of, ctx)
    where = None if node.where is None else ex.lower(node.where, inner, ctx)
    those = c.Query("those", var, q.as_set(domain, of, ctx), where, None, size)
    members = _function("members", params, c.Type("set", size), those, ctx)
    each: int | None = None
    if node.op == "sum":
        member = c.Get(var) if node.of is None else ex.lower(node.of, inner, ctx)
        each = _function("share", (*params, var), c.INT, member, ctx)
        if each is None:
            return None
    return None if members is None else SharesInfo(of, members, each)


def conjuncts(node: n.Expr | None) -> list[n.Expr]:
    """The parts of a condition that are joined by `and`."""
    if isinstance(node, n.Logic) and node.op == "and":
        return [*conjuncts(node.left), *conjuncts(node.right)]
    return [] if node is None else [node]


def _value(node: n.Expr, ty: Ty, env: Env, params: Params, ctx: Context) -> int | None:
    value = places.zone_place(node, env, ctx) if isinstance(ty, ZoneT) else ex.lower(node, env, ctx)
    return _function("value", params, core_type(ty), value, ctx)


def _function(name: str, params: Params, result: c.Type, value: c.Expr, ctx: Context) -> int | None:
    """A function of the values of a choice; None if it reads a variable that is not kept until the question waits."""
    found: dict[c.Var, None] = {}
    inner: dict[c.Var, None] = {}
    variables(value, found)
    bound_inside(value, inner)
    if any(var.home is None and var not in params and var not in inner for var in found):
        return None
    return ctx.add_function(c.Function(f"why {name}", params, result, (c.Return(value),), True))
