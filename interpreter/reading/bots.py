"""Bots as data: for each question an ordered list of what to take, when, and by which rank."""

from __future__ import annotations

from interpreter.diagnostics import Bag
from interpreter.reading import parts
from interpreter.reading import yamltree as tree
from interpreter.reading.model import BotDef, BotRule, DecideDef
from interpreter.reading.yamltree import Map, Node, Scalar
from interpreter.source import Name


def bots(node: Node | None, bag: Bag) -> tuple[BotDef, ...]:
    """The bots of a file, one or a list."""
    return tuple(_bot(id_, one, bag) for one in parts.maps(node) if (id_ := parts.name(one, "bot")))


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
