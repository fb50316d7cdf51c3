"""Bots as data: for each question an ordered list of what to take, when, and by which rank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from interpreter.diagnostics import Bag, did_you_mean
from interpreter.reading import parts
from interpreter.reading import yamltree as tree
from interpreter.reading.model import BotDef, BotOption, BotRule, DecideDef
from interpreter.reading.yamltree import Map, Node, Scalar
from interpreter.source import Name


def bots(nodes: Iterable[Node | None], bag: Bag) -> tuple[BotDef, ...]:
    """The bots of all files, each with one or a list."""
    found: dict[str, BotDef] = {}
    made: list[BotDef] = []
    for node in (one for file in nodes for one in parts.maps(file)):
        if id_ := parts.name(node, "bot"):
            bot = _bot(id_, node, bag)
            if like := parts.name(node, "like"):
                bot = _like(bot, like, found, bag)
            made.append(bot)
            found.setdefault(id_.text, bot)
    return tuple(made)


def _like(bot: BotDef, like: Name, earlier: Mapping[str, BotDef], bag: Bag) -> BotDef:
    """A bot with what it takes over from one before it: the questions and the levels that it does not have itself."""
    model = earlier.get(like.text)
    if model is None:
        hint = did_you_mean(like.text, earlier) or "it must stand before this one"
        bag.error("unknown-name", f"there is no bot `{like.text}` before this one", like.span, help=hint)
        return bot
    own = {one.id.text for one in bot.decide}
    taken = tuple(one for one in model.decide if one.id.text not in own)
    return replace(bot, decide=(*bot.decide, *taken), levels=bot.levels or model.levels)


def _bot(id_: Name, node: Map, bag: Bag) -> BotDef:
    levels = tuple((k.name, _numbers(v)) for k, v in parts.entries(tree.get(node, "levels")))
    decide = tuple(
        DecideDef(k.name, tuple(_rule(one, bag) for one in parts.maps(v)))
        for k, v in parts.entries(tree.get(node, "decide"))
    )
    return BotDef(
        id_,
        node.span,
        decide,
        parts.string(node, "knows") or "own_view",
        parts.string(node, "otherwise") or "random",
        title=parts.string(node, "title"),
        text=parts.string(node, "text"),
        for_=parts.names(tree.get(node, "for")),
        levels=levels,
        rules=parts.effect(tree.get(node, "rules"), bag),
        citation=parts.citation(node),
        options=tuple(
            BotOption(option, parts.names(tree.get(one, "for")), parts.names(tree.get(one, "levels")))
            for one in parts.maps(tree.get(node, "options"))
            if (option := parts.name(one, "option"))
        ),
    )


def _numbers(node: Node) -> tuple[tuple[Name, int], ...]:
    pairs = parts.entries(node)
    return tuple((k.name, v.value) for k, v in pairs if isinstance(v, Scalar) and isinstance(v.value, int))


def _rule(node: Map, bag: Bag) -> BotRule:
    rank = tree.get(node, "rank")
    ranks = parts.items(rank) or ((rank,) if rank is not None else ())
    return BotRule(
        node.span,
        take=parts.name(node, "take"),
        when=parts.effect(tree.get(node, "if"), bag),
        rank=tuple(t for one in ranks if (t := parts.effect(one, bag))),
    )
