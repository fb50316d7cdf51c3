"""What a program is given besides the game itself: functions by which bots choose and `why` explains.

They are added behind all others and change nothing of the game, so that its positions are the same with them and
without.
"""

from __future__ import annotations

from interpreter.core import nodes as c
from interpreter.core.compiled import BotInfo, BotRuleInfo, BotTakeInfo
from interpreter.core.lower import queries as q
from interpreter.core.lower.context import Asked, Context, Env
from interpreter.core.suspend import bound_inside, variables
from interpreter.diagnostics import Diagnostic, GameError, Note
from interpreter.lang import nodes as n
from interpreter.lang.scope import BotCheck, BotTake
from interpreter.source import Span

Place = tuple[str, int, int]


def lower_bots(ctx: Context) -> None:
    """The bots of a game, for the questions that its program can ask."""
    asked = {one.decision: one for one in ctx.asked}
    steps: dict[Place, list[int]] = {}
    for number, info in enumerate(ctx.out.decisions):
        steps.setdefault(place(info.span), []).append(number)
    for name, bot in ctx.checked.bots.items():
        made = BotInfo(bot.definition, tuple(bot.levels))
        for rules in bot.rules.values():
            for rule, takes in rules:
                fitting: dict[int, list[BotTakeInfo]] = {}
                for take in takes:
                    for number in steps.get(place(take.at), ()):
                        fitting.setdefault(number, []).append(_take(take, bot, asked.get(number), ctx))
                for number, found in fitting.items():
                    made.rules.setdefault(number, []).append(BotRuleInfo(rule, tuple(found)))
        ctx.out.bots[name] = made


def place(span: Span) -> Place:
    """Where something is written, for comparing."""
    return span.source.path, span.start, span.end


def _take(take: BotTake, bot: BotCheck, asked: Asked | None, ctx: Context) -> BotTakeInfo:
    around = asked.env if asked is not None else Env()
    when = None if take.when is None else _function(take.when, take, bot, around, ctx)
    return BotTakeInfo(take.number, when, tuple(_function(rank, take, bot, around, ctx) for rank in take.ranks))


def _function(node: n.Expr, take: BotTake, bot: BotCheck, around: Env, ctx: Context) -> int:
    """A function of who is asked, the values of a choice and the numbers of a level, that also reads names around the
    question. Raises GameError if one of these is not kept.
    """
    env = around.inner()
    params: list[c.Var] = []
    for local in (bot.player, *take.names, *bot.levels.values()):
        var = q.fresh(local.name, local.type, ctx)
        env.names[local] = var
        params.append(var)
    value = ctx.expr(node, env)
    read: dict[c.Var, None] = {}
    inner: dict[c.Var, None] = {}
    variables(value, read)
    bound_inside(value, inner)
    for var in read:
        if var.home is None and var not in params and var not in inner:
            raise GameError([_not_kept(var.name, node.span, take.at)])
    return ctx.add_function(c.Function(f"bot at {node.span}", tuple(params), c.INT, (c.Return(value),), True))


def _not_kept(name: str, span: Span, at: Span) -> Diagnostic:
    return Diagnostic(
        "not-kept",
        f"`{name}` is not kept while this question waits",
        span,
        notes=(Note("nothing reads it after this question", at),),
        help="of the names around a question, a bot may use those that the effect still needs",
    )
