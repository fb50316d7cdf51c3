"""display.yaml: panels, the words they are made of, and how the map is painted."""

from __future__ import annotations

from typing import get_args

from interpreter.diagnostics import Bag
from interpreter.reading import parts
from interpreter.reading import yamltree as tree
from interpreter.reading.model_display import DisplayDef, Form, PaintDef, PanelDef, PartDef, PictureDef, Show
from interpreter.reading.yamltree import Map, Node, Scalar, Seq
from interpreter.source import Name

FORMS: tuple[Form, ...] = ("cells", "across", "lines", "boxes", "about", "sign")


def display(node: Node | None, bag: Bag) -> DisplayDef | None:
    """The display of a game; None if it has none."""
    if not isinstance(node, Map):
        return None
    colours = tuple(
        (k.name, v.raw.strip()) for k, v in parts.entries(tree.get(node, "colours")) if isinstance(v, Scalar)
    )
    panels = tuple(
        _panel(key, value, bag) for key, value in parts.entries(tree.get(node, "panels")) if isinstance(value, Map)
    )
    picture = tree.get(node, "picture")
    return DisplayDef(
        node.span,
        panels,
        colours,
        rules=parts.effect(tree.get(node, "rules"), bag),
        picture=_picture(picture, bag) if isinstance(picture, Map) else None,
    )


def _panel(key: Scalar, node: Map, bag: Bag) -> PanelDef:
    show = parts.string(node, "show")
    return PanelDef(
        key.name,
        key.span,
        lines(tree.get(node, "lines"), bag),
        title=words(tree.get(node, "title"), bag),
        when=parts.effect(tree.get(node, "when"), bag),
        during=parts.name(node, "during"),
        show=next((s for s in get_args(Show) if s == show), "changed"),
        beside=parts.flag(node, "beside"),
    )


def lines(node: Node | None, bag: Bag) -> tuple[PartDef, ...]:
    """The lines of a panel, group or box."""
    return tuple(p for one in parts.items(node) if (p := words(one, bag)) is not None)


def words(node: Node | None, bag: Bag) -> PartDef | None:
    """A text with holes, a map that says more of it, or a list of such things one after the other."""
    match node:
        case Scalar():
            text = parts.effect(node, bag)
            return None if text is None else PartDef("text", node.span, text)
        case Seq(items=items):
            return PartDef("words", node.span, parts=tuple(p for one in items if (p := words(one, bag)) is not None))
        case Map():
            return _part(node, bag)
    return None


def _part(node: Map, bag: Bag) -> PartDef:
    form: Form = next((f for f in FORMS if tree.get(node, f) is not None), "words")
    inner: tuple[PartDef, ...] = ()
    text = None
    if form in ("about", "sign"):
        text = parts.effect(tree.get(node, form), bag)
    elif form == "words":
        one = words(tree.get(node, "text"), bag)
        inner = (one,) if one is not None else ()
    else:
        inner = lines(tree.get(node, form), bag)
    join, closed = tree.get(node, "join"), tree.get(node, "closed")
    return PartDef(
        form,
        node.span,
        text,
        inner,
        each=parts.effect(tree.get(node, "each"), bag),
        order=parts.effect(tree.get(node, "order"), bag),
        when=parts.effect(tree.get(node, "when"), bag),
        side=parts.effect(tree.get(node, "side"), bag),
        style=parts.string(node, "style"),
        join=join.raw if isinstance(join, Scalar) else None,
        closed=closed.raw if isinstance(closed, Scalar) else None,
        title=words(tree.get(node, "title"), bag),
        brief=parts.effect(tree.get(node, "brief"), bag),
        short=words(tree.get(node, "short"), bag),
        width=parts.number(node, "width") or 0,
    )


def _picture(node: Map, bag: Bag) -> PictureDef:
    spaces, edges, areas = (
        tuple(_paint(one, bag) for one in parts.maps(tree.get(node, what))) for what in ("spaces", "edges", "areas")
    )
    pieces = parts.entries(tree.get(node, "pieces"))
    return PictureDef(
        node.span,
        parts.number(node, "unit") or 0,
        parts.flag(node, "sea"),
        tuple((key.name, _paint(one, bag)) for key, one in pieces if isinstance(one, Map)),
        spaces,
        edges,
        areas,
    )


def _paint(node: Map, bag: Bag) -> PaintDef:
    return PaintDef(
        Name("self", node.span),
        node.span,
        when=parts.effect(tree.get(node, "when"), bag),
        each=parts.effect(tree.get(node, "each"), bag),
        of=parts.effect(tree.get(node, "of"), bag),
        text=words(tree.get(node, "text"), bag),
        legend=parts.string(node, "legend"),
        side=parts.effect(tree.get(node, "side"), bag),
        style=parts.string(node, "style"),
        shape=parts.string(node, "shape"),
        ring=parts.string(node, "ring"),
        land=parts.flag(node, "land"),
    )
