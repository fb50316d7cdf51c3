"""Dice: a range, a list of faces, or faces with their weights."""

from __future__ import annotations

import re
from typing import Literal

from interpreter.diagnostics import Bag
from interpreter.reading import parts
from interpreter.reading.model import DieDef
from interpreter.reading.yamltree import Map, Node, Scalar, Seq
from interpreter.source import Name

MOST_FACES = 100

Order = Literal["set", "pile", "bag"]

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)")


def dice(node: Node | None, bag: Bag) -> tuple[DieDef, ...]:
    """Dice in the order in which they are written."""
    return tuple(d for key, value in parts.entries(node) if (d := _die(key, value, bag)) is not None)


def _die(key: Scalar, node: Node, bag: Bag) -> DieDef | None:
    found = _faces(node, bag)
    if found is None:
        return None
    numbered = [bool(_NUMBER.fullmatch(face.text)) for face, _ in found]
    if any(numbered) and not all(numbered):
        odd = next(face for (face, _), n in zip(found, numbered, strict=True) if n != numbered[0])
        mend = "name all faces, or number all of them"
        bag.error("mixed-faces", f"the faces of `{key.raw}` are names and numbers", odd.span, help=mend)
        return None
    weights: dict[str, int] = {}
    names: dict[str, Name] = {}
    for face, weight in found:  # a face that is written twice comes up twice as often
        weights[face.text] = weights.get(face.text, 0) + weight
        names.setdefault(face.text, face)
    if len(weights) > MOST_FACES:
        bag.error(
            "bad-value",
            f"a die has at most {MOST_FACES} faces, and this has {len(weights)}",
            node.span,
            label="too many",
        )
        return None
    order = sorted(names, key=int) if numbered[0] else list(names)
    return DieDef(key.name, tuple((names[f], weights[f]) for f in order), numbered[0], parts.reach(key, node))


def _faces(node: Node, bag: Bag) -> list[tuple[Name, int]] | None:
    """The faces as they are written, with their weights."""
    if isinstance(node, Map):
        pairs = [(k.name, v.value) for k, v in node.entries if isinstance(v, Scalar)]
        return [(name, weight) for name, weight in pairs if isinstance(weight, int)]
    if isinstance(node, Seq):
        faces = [item for item in node.items if isinstance(item, Scalar)]
        for item in faces:
            if not _NUMBER.fullmatch(item.raw) and parts.good_name(item, "a face", bag) is None:
                return None
        return [(item.name, 1) for item in faces]
    low, high = (int(end) for end in node.raw.split(".."))
    if low > high or high - low >= MOST_FACES:
        what = f"nothing lies between {low} and {high}" if low > high else f"a die has at most {MOST_FACES} faces"
        bag.error("bad-value", what, node.span, label="no range of a die")
        return None
    return [(Name(str(number), node.span), 1) for number in range(low, high + 1)]


def zone_order(node: Map) -> tuple[Order, int | None, Name | None]:
    """`order`, `limit` and `when_empty` of a zone."""
    written = parts.string(node, "order")
    order: Order = "pile" if written == "pile" else "bag" if written == "bag" else "set"
    return order, parts.number(node, "limit"), parts.name(node, "when_empty")
