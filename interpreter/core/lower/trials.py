"""Rule tests: each is an entry of its own into one program.

Its conditions become functions, and so do the values in them that explain a failure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from interpreter.core import header
from interpreter.core import nodes as c
from interpreter.core.compiled import EventInfo, PartInfo, ThenInfo, TrialInfo
from interpreter.core.drafts import Blocks
from interpreter.core.lower import campaign, phases, places
from interpreter.core.lower import expr as ex
from interpreter.core.lower.context import Context, Env, core_type, header_load, header_store
from interpreter.core.lower.flow import Flow
from interpreter.lang import nodes as n
from interpreter.lang.scope import EnumValue, OptionRef
from interpreter.lang.types import EmptyT, ErrorT, NoneT, SetT, Ty, ZoneT
from interpreter.lang.world import Entity, Enum
from interpreter.source import Text


@dataclass(frozen=True, eq=False)
class Trial:
    """What a rule test adds: effect text run after the set-up, what is then called, conditions to test at the end.

    Without `call` the game itself begins after `given`.
    """

    given: Text | None
    call: Text | None
    then: tuple[Text, ...]


def lower_trials(trials: Sequence[Trial], setup: Text | None, blocks: Blocks, ctx: Context) -> None:
    """All trials in one program; they share its effects and phases.

    A position begins the set-up of trial i if cell RESULT holds 2i at the start, and what it calls if it holds 2i + 1.
    """
    flow = phases.root(blocks, ctx, ctx.checked.game.span)
    game = flow.block("phases")
    ready, over = (ctx.add_event(EventInfo(None, (), "finish")) for _ in range(2))
    for i, trial in enumerate(trials):
        following = _begins(f"set-up of trial {i}", 2 * i, flow)
        for text in (setup, trial.given):
            if text is not None:
                phases.run_text(text, flow)
        blocks.add(c.End(c.Const(-1), ready, ()))
        blocks.end(c.Stop())
        blocks.enter(following)
        following = _begins(f"trial {i}", 2 * i + 1, flow)
        if trial.call is None:
            blocks.go(game)
        else:
            phases.run_text(trial.call, flow)
            blocks.add(c.End(c.Const(-1), over, ()))
            blocks.end(c.Stop())
        ctx.out.trials.append(TrialInfo(ready, over, tuple(_check(text, ctx) for text in trial.then)))
        blocks.enter(following)
    blocks.end(c.Stop())
    blocks.enter(game)
    if any(trial.call is None for trial in trials):
        campaign.lower_play(flow)
    else:
        phases.draw(flow)


def _begins(name: str, number: int, flow: Flow) -> int:
    """Goes on in a block that is reached if cell RESULT holds a number; the block for all others."""
    start, following = flow.block(name), flow.block("next trial")
    test = c.Compare("==", header_load(header.RESULT), c.Const(number))
    flow.blocks.end(c.Branch(test, start, following))
    flow.blocks.enter(start)
    flow.blocks.add(header_store(header.RESULT, c.Const(0)))
    return following


def _check(text: Text, ctx: Context) -> ThenInfo:
    node = ctx.checked.phases[text]
    assert not isinstance(node, tuple)
    return ThenInfo(_function(node, ctx), text.whole, told_values(node, ctx))


def told_values(node: n.Expr, ctx: Context) -> tuple[PartInfo, ...]:
    """Functions of the values in a condition that are worth telling."""
    inside = [part for part in told_parts(node, ctx) if part is not node]
    return tuple(PartInfo(part.span, _function(part, ctx), ctx.checked.types[part]) for part in inside)


def _function(node: n.Expr, ctx: Context) -> int:
    ty = ctx.checked.types[node]
    value = places.zone_place(node, Env(), ctx) if isinstance(ty, ZoneT) else ex.lower(node, Env(), ctx)
    return ctx.add_function(c.Function(f"value at {node.span}", (), core_type(ty), (c.Return(value),), True))


def told_parts(node: n.Expr, ctx: Context) -> list[n.Expr]:
    """The values in a condition that are worth telling: the same text once, outer ones first."""
    by_text: dict[str, n.Expr] = {}
    for part in _parts(node):
        if part not in ctx.checked.types:
            continue  # an enum or kind before a dot
        if not _plain(part, ctx) and not isinstance(ctx.checked.types[part], EmptyT | NoneT | ErrorT):
            by_text.setdefault(part.span.text, part)
    return list(by_text.values())


def _plain(node: n.Expr, ctx: Context) -> bool:
    """Whether a value speaks for itself: a number, an entity, a zone."""
    match node:
        case n.Number() | n.BoolLit() | n.NoneLit() | n.ListLit() | n.Range():
            return True
        case n.NameRef() | n.Field():
            ref = ctx.checked.refs.get(node)
            whole_kind = isinstance(ctx.checked.types[node], SetT) and isinstance(node, n.NameRef)
            return (
                whole_kind
                or isinstance(ref, Entity | EnumValue | Enum | OptionRef)
                or _is_zone(ctx.checked.types[node])
            )
    return False


def _is_zone(ty: Ty) -> bool:
    return isinstance(ty, ZoneT)


def _parts(node: n.Expr) -> Iterator[n.Expr]:
    """An expression and those in it that stand in no aggregate or condition of an argument: these name no variable."""
    yield node
    inner: Sequence[n.Expr] = ()
    match node:
        case n.Logic(left=left, right=right) | n.Binary(left=left, right=right) | n.Compare(left=left, right=right):
            inner = (left, right)
        case n.Not(value=value) | n.Negative(value=value):
            inner = (value,)
        case n.Member(item=item, collection=collection):
            inner = (item, collection)
        case n.IsKind(target=target) | n.Field(target=target):
            inner = (target,)
        case n.Index(target=n.Field(target=owner), keys=keys):
            inner = (owner, *keys)
        case n.Index(keys=keys):
            inner = keys
        case n.ListLit(items=items):
            inner = items
        case n.Conditional(cond=cond, then=then, other=other):
            inner = (cond, then) if other is None else (cond, then, other)
        case n.Apply(args=args):
            inner = [a.value for a in args if isinstance(a, n.Argument) and not _division(a.value)]
        case n.Aggregate(domain=domain):
            inner = (domain,)
    for part in inner:
        yield from _parts(part)


def _division(node: n.Expr) -> bool:
    return isinstance(node, n.Binary) and node.op == "/"
