"""Who sees what: `seen_by` of zones, kinds and fields."""

from __future__ import annotations

from interpreter.diagnostics import Bag
from interpreter.reading import parts
from interpreter.reading import yamltree as tree
from interpreter.reading.model import SeenDef
from interpreter.reading.yamltree import Map, Node


def seen(node: Node | None, bag: Bag) -> SeenDef | None:
    """`seen_by` of a kind: `owner`, a condition, or a map `{others: …, as: …, field: all}`."""
    if node is None:
        return None
    if not isinstance(node, Map):
        text = parts.effect(node, bag)
        return SeenDef(text, node.span) if text else None
    others = parts.effect(tree.get(node, "others"), bag)
    if others is None:
        return None
    open_fields = tuple(key.name for key, _ in node.entries if key.raw not in ("others", "as"))
    return SeenDef(others, node.span, open_fields, parts.string(node, "as"))
