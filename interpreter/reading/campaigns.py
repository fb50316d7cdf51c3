"""Campaigns: several scenarios as one game."""

from __future__ import annotations

from interpreter.diagnostics import Bag
from interpreter.reading import parts
from interpreter.reading import yamltree as tree
from interpreter.reading.model import CampaignDef
from interpreter.reading.yamltree import Map, Node
from interpreter.source import Name

SET_UP = ("place", "set", "setup")  # the parts of a scenario's set-up, in the order in which they are carried out


def campaigns(node: Node | None, bag: Bag) -> tuple[CampaignDef, ...]:
    """The campaigns of a file, one or a list; a file may hold scenarios too."""
    return tuple(_campaign(id_, one, bag) for one in parts.maps(node) if (id_ := parts.name(one, "campaign")))


def _campaign(id_: Name, node: Map, bag: Bag) -> CampaignDef:
    then = tree.get(node, "then")
    words = [n.text for n in parts.names(tree.get(then, "set_up"))] if isinstance(then, Map) else []
    some = tuple(part for part in SET_UP if part in words)
    return CampaignDef(
        id_,
        node.span,
        parts.names(tree.get(node, "plays")),
        title=parts.string(node, "title"),
        text=parts.string(node, "text"),
        interphase=parts.effect(tree.get(node, "interphase"), bag),
        set_up=SET_UP if not words or "all" in words else some,
        set=tuple((k.name, v) for k, v in parts.entries(tree.get(node, "set"))),
        options=tuple((k.name, v) for k, v in parts.entries(tree.get(node, "options"))),
        citation=parts.citation(node),
    )
