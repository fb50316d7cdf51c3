"""game.yaml: from a tree of the right shape to the declarations of the model (enums, kinds, zones, fields, looks)."""

from __future__ import annotations

from interpreter.diagnostics import Bag
from interpreter.reading import chance, parts, secrets
from interpreter.reading import yamltree as tree
from interpreter.reading.model import EnumDef, FieldDef, HoldsDef, HookDef, KindDef, LookDef, ZoneDef
from interpreter.reading.yamltree import Map, Node, Scalar, Seq
from interpreter.source import Name, Text

# Keys of a kind that are no fields.
KIND_KEYS = ("title", "sorts", "piece", "holds", "edge", "alike", "hooks", "active", "seen_by", "inside", "made_of")


def enums(node: Node | None, bag: Bag) -> tuple[EnumDef, ...]:
    """Enums in the order in which they are written."""
    return tuple(_enum(key, value, bag) for key, value in parts.entries(node))


def _enum(key: Scalar, node: Node, bag: Bag) -> EnumDef:
    of = tree.get(node, "of") if isinstance(node, Map) else node
    titled = [(k, v) for k, v in parts.entries(of) if isinstance(v, Scalar)]
    values = tuple(k.name for k, _ in titled) if isinstance(of, Map) else parts.names(of)
    parts.unique(((f"in `{key.raw}`, the value", v) for v in values), bag)
    titles = {k.raw: v.raw.strip() for k, v in titled}
    ordered = isinstance(node, Map) and parts.flag(node, "ordered")
    return EnumDef(key.name, values, titles, ordered, parts.reach(key, node))


def kinds(node: Node | None, bag: Bag) -> tuple[KindDef, ...]:
    """Kinds in the order in which they are written."""
    return tuple(_kind(key, value, bag) for key, value in parts.entries(node))


def _kind(key: Scalar, node: Node, bag: Bag) -> KindDef:
    span = parts.reach(key, node)
    if not isinstance(node, Map):  # a kind without fields
        return KindDef(key.name, span)
    sorts = parts.names(tree.get(node, "sorts"))
    parts.unique(((f"in `{key.raw}`, the sort", s) for s in sorts), bag)
    piece = tree.get(node, "piece")
    holds = parts.maps(tree.get(node, "holds"))
    return KindDef(
        key.name,
        span,
        title=parts.string(node, "title"),
        sorts=sorts,
        fields=(*_outer(key, node), *_own_fields(node, bag)),
        piece=parts.names(piece) if piece is not None else None,
        holds=tuple(h for one in holds if (h := _holds(one))),
        edge=parts.flag(node, "edge"),
        alike=parts.flag(node, "alike"),
        hooks=hooks(tree.get(node, "hooks"), bag),
        active=parts.effect(tree.get(node, "active"), bag),
        seen_by=secrets.seen(tree.get(node, "seen_by"), bag),
        inside=parts.name(node, "inside"),
        made_of=tuple((k.name, v.name) for k, v in parts.entries(tree.get(node, "made_of")) if isinstance(v, Scalar)),
    )


def _own_fields(node: Map, bag: Bag) -> tuple[FieldDef, ...]:
    return tuple(f for k, v in node.entries if k.raw not in KIND_KEYS and (f := one_field(k, v, bag)))


def _outer(key: Scalar, node: Map) -> tuple[FieldDef, ...]:
    """The field of a kind whose entries stand inside those of another: it names the entry around, and never changes."""
    inside = tree.get(node, "inside")
    if not isinstance(inside, Scalar) or inside.text is None:
        return ()
    inverse = Name(parts.plural(key.raw), inside.span)
    return (FieldDef(inside.name, inside.text, inside.span, inverse=inverse, constant=True),)


def _holds(node: Map) -> HoldsDef | None:
    inverse = parts.name(node, "inverse")
    for kind, limit in node.entries:
        if kind.raw != "inverse" and isinstance(limit, Scalar) and inverse is not None:
            return HoldsDef(kind.name, limit.value if isinstance(limit.value, int) else None, inverse, node.span)
    return None


def fields(node: Node | None, bag: Bag) -> tuple[FieldDef, ...]:
    """Fields in the order in which they are written."""
    return tuple(f for key, value in parts.entries(node) if (f := one_field(key, value, bag)))


def one_field(key: Scalar, node: Node, bag: Bag) -> FieldDef | None:
    """One field, by a type alone or by a map that says more; None if it has no readable type."""
    span = parts.reach(key, node)
    if not isinstance(node, Map):
        short = parts.effect(node, bag)
        return FieldDef(key.name, short, span) if short else None
    type_ = parts.effect(tree.get(node, "type"), bag)
    if type_ is None:
        return None
    low, high = parts.number(node, "min"), parts.number(node, "max")
    ceiling = parts.name(node, "max") if high is None else None
    track = tree.get(node, "track")
    if isinstance(track, Scalar):
        low, high = _track(track, node, bag)
    elif low is not None and high is not None and low > high:
        _crossed(tree.get(node, "min"), low, high, bag)
    return FieldDef(
        key.name,
        type_,
        span,
        minimum=low,
        maximum=high,
        ceiling=ceiling,
        track=track is not None,
        per=parts.names(tree.get(node, "per")),
        until=parts.name(node, "until"),
        set_by=parts.names(tree.get(node, "set_by")),
        inverse=parts.name(node, "inverse"),
        default=tree.get(node, "default"),
        faces=parts.names(tree.get(node, "faces")),
        seen_by=parts.effect(tree.get(node, "seen_by"), bag),
    )


def _track(track: Scalar, node: Map, bag: Bag) -> tuple[int, int]:
    """The ends of a track, which stands in place of `min` and `max`."""
    for key, _ in node.entries:
        if key.raw in ("min", "max"):
            mend = f"remove `{key.raw}`; the ends of the track are its bounds"
            bag.error("track-bounds", f"`{key.raw}` stands beside `track`", key.span, help=mend)
    low, high = (int(end) for end in track.raw.split(".."))
    if low > high:
        _crossed(track, low, high, bag)
    return low, high


def _crossed(node: Node | None, low: int, high: int, bag: Bag) -> None:
    if node is not None:
        bag.error("bad-value", f"the least value {low} is above the greatest, {high}", node.span, help="swap them")


def hooks(node: Node | None, bag: Bag) -> tuple[HookDef, ...]:
    """Hooks of a kind: `name: [p: player]` for statements, `name: {takes: …, gives: bool, default: true}` for
    values.
    """
    return tuple(_hook(key, value, bag) for key, value in parts.entries(node))


def _hook(key: Scalar, node: Node, bag: Bag) -> HookDef:
    span = parts.reach(key, node)
    if not isinstance(node, Map):
        return HookDef(key.name, span, _params(node, bag))
    return HookDef(
        key.name,
        span,
        _params(tree.get(node, "takes"), bag),
        parts.effect(tree.get(node, "gives"), bag),
        parts.effect(tree.get(node, "default"), bag),
    )


def _params(node: Node | None, bag: Bag) -> tuple[tuple[Name, Text], ...]:
    """Parameters as a list of one-entry maps, `[p: player, s: space]`, or one map."""
    pairs = [pair for one in parts.maps(node) for pair in one.entries]
    return tuple((key.name, text) for key, value in pairs if (text := parts.effect(value, bag)))


def zones(node: Node | None, bag: Bag) -> tuple[ZoneDef, ...]:
    """Zones in the order in which they are written."""
    found = []
    for key, value in parts.entries(node):
        if isinstance(value, Map) and (of := parts.name(value, "of")):
            per = parts.names(tree.get(value, "per"))
            order, limit, when_empty = chance.zone_order(value)
            span, title = parts.reach(key, value), parts.string(value, "title")
            seen_by = parts.effect(tree.get(value, "seen_by"), bag)
            found.append(ZoneDef(key.name, of, span, title, per, order, limit, when_empty, seen_by))
    return tuple(found)


def looks(node: Node | None, bag: Bag) -> tuple[LookDef, ...]:
    """All looks; those of a kind in the order in which they are tried."""
    found: list[LookDef] = []
    for key, value in parts.entries(node):
        found.extend(_look(key.name, one, bag) for one in parts.maps(value if isinstance(value, Seq) else None))
    return tuple(found)


def _look(kind: Name, node: Map, bag: Bag) -> LookDef:
    when: Text | None = parts.effect(tree.get(node, "when"), bag)
    return LookDef(kind, when, parts.string(node, "text"), parts.string(node, "style"), node.span)
