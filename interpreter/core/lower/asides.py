"""What a program is given besides the game itself: functions by which bots choose and `why` explains.

They are added behind all others and change nothing of the game, so that its positions are the same with them and
without.
"""

from __future__ import annotations

from interpreter.core import nodes as c
from interpreter.core.compiled import BotInfo, BotRuleInfo, BotTakeInfo
from interpreter.core.lower import queries as q
from interpreter.core.lower.context import Context, Env
from interpreter.lang import nodes as n
from interpreter.lang.scope import BotCheck, BotTake
from interpreter.source import Span

Place = tuple[str, int, int]


def lower_bots(ctx: Context) -> None:
    """The bots of a game, for the questions that its program can ask."""
    steps: dict[Place, list[int]] = {}
    for number, info in enumerate(ctx.out.decisions):
        steps.setdefault(place(info.span), []).append(number)
    for name, bot in ctx.checked.bots.items():
        made = BotInfo(bot.definition, tuple(bot.levels))
        for id_, rules in bot.rules.items():
            for rule, takes in rules:
                followed = BotRuleInfo(rule, tuple(_take(take, bot, ctx) for take in takes))
                for number in _numbers(id_, takes, steps, ctx):
                    made.rules.setdefault(number, []).append(followed)
        ctx.out.bots[name] = made


def place(span: Span) -> Place:
    """Where something is written, for comparing."""
    return span.source.path, span.start, span.end


def _numbers(id_: str, takes: tuple[BotTake, ...], steps: dict[Place, list[int]], ctx: Context) -> list[int]:
    """The steps in which a rule may be followed: those it has names for, and, if it may stop, all of the question."""
    found = [number for take in takes if take.at is not None for number in steps.get(place(take.at), ())]
    if any(take.at is None for take in takes):
        found += [number for number, info in enumerate(ctx.out.decisions) if info.id == id_]
    return list(dict.fromkeys(found))


def _take(take: BotTake, bot: BotCheck, ctx: Context) -> BotTakeInfo:
    when = None if take.when is None else _function(take.when, take, bot, ctx)
    ranks = tuple(_function(rank, take, bot, ctx) for rank in take.ranks)
    return BotTakeInfo(None if take.at is None else place(take.at), take.number, when, ranks)


def _function(node: n.Expr, take: BotTake, bot: BotCheck, ctx: Context) -> int:
    """A function of who is asked, the values of a choice and the numbers of a level."""
    env = Env()
    params: list[c.Var] = []
    for local in (bot.player, *take.names, *bot.levels.values()):
        var = q.fresh(local.name, local.type, ctx)
        env.names[local] = var
        params.append(var)
    value = ctx.expr(node, env)
    return ctx.add_function(c.Function(f"bot at {node.span}", tuple(params), c.INT, (c.Return(value),), True))
