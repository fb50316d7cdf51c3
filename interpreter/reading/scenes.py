"""Scenes: stretches of play with fields of their own."""

from __future__ import annotations

from interpreter.diagnostics import Bag
from interpreter.reading import build, parts
from interpreter.reading import yamltree as tree
from interpreter.reading.model import FieldDef, SceneDef
from interpreter.reading.yamltree import Map, Node, Scalar

SCENE_KEYS = ("with", "inside", "rule", "source")  # keys of a scene that are no fields


def scenes(node: Node | None, bag: Bag) -> tuple[SceneDef, ...]:
    """Scenes in the order in which they are written."""
    return tuple(_scene(key, value, bag) for key, value in parts.entries(node))


def _scene(key: Scalar, node: Node, bag: Bag) -> SceneDef:
    span = parts.reach(key, node)
    if not isinstance(node, Map):  # a scene without fields
        return SceneDef(key.name, span)
    given = build.fields(tree.get(node, "with"), bag)
    own: tuple[FieldDef, ...] = tuple(
        f for k, v in node.entries if k.raw not in SCENE_KEYS and (f := build.one_field(k, v, bag))
    )
    parts.unique(((f"in `{key.raw}`, the field", f.name) for f in (*given, *own)), bag)
    return SceneDef(key.name, span, given, own, parts.name(node, "inside"), parts.citation(node))
