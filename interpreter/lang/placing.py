"""Where a scenario puts pieces: `piece: place`, or `zone: [piece, …]` with the pieces in their order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from interpreter.diagnostics import Bag, Note, did_you_mean
from interpreter.lang.scope import SetUp
from interpreter.lang.types import article
from interpreter.lang.world import (
    Entity,
    Holds,
    Kind,
    World,
    Zone,
    plural,
)
from interpreter.reading.model import ScenarioDef
from interpreter.reading.yamltree import Map, Node, Scalar, Seq
from interpreter.source import Name, Span

FEW = 8  # names that a hint lists


@dataclass(eq=False)
class _Placing:
    """One set-up under construction: where each piece is named, and how full the places are."""

    made: SetUp
    world: World
    bag: Bag
    named: dict[tuple[Kind, int], Span] = field(default_factory=dict)
    held: dict[tuple[Holds, int], list[Span]] = field(default_factory=dict)
    counts: dict[int, int] = field(default_factory=dict)


def place_pieces(scenario: ScenarioDef, made: SetUp, world: World, bag: Bag) -> None:
    """Fills `made.places`; in the order of the file, which is that of piles from the top down.

    The name of a set (`cards`) stands for all of its members that are named nowhere else in the scenario, not even as
    left out.
    """
    p = _Placing(made, world, bag)
    rows = [row for name, node in scenario.place for row in _rows(name, node, p)]
    singles = {(e.kind, e.index) for _, members, _ in rows if len(members) == 1 for e in members}
    left_out = {name.text for name in scenario.without}
    for place, members, span in rows:
        for piece in members:
            if len(members) == 1 or ((piece.kind, piece.index) not in singles and piece.id not in left_out):
                _put(piece, place, span, len(members) == 1, p)


Row = tuple[int, list[Entity], Span]


def _rows(name: Name, node: Node, p: _Placing) -> Iterator[Row]:
    """What an entry of `place` puts where."""
    pieces = [k for k in p.world.kinds.values() if k.is_piece]
    zone = p.world.zones.get(name.text)
    is_piece = any(e.id == name.text for k in pieces for e in k.entities)
    if zone is not None and not zone.unused and not (isinstance(node, Scalar) and is_piece):
        yield from _into(zone, node, list(zone.per), 0, p)
        return
    piece = entity_named(name, pieces, "piece", p.bag, list(p.world.zones))
    if piece is not None:
        place = place_of(node, piece.kind, p.world, p.bag)
        if place is not None:
            yield place, [piece], name.span


def _into(zone: Zone, node: Node, per: list[Kind], number: int, p: _Placing) -> Iterator[Row]:
    """The pieces of a zone, for each of its keys in turn."""
    if per:
        kind, *rest = per
        if not isinstance(node, Map):
            help_ = "write a map, such as `{" + ", ".join(f"{e.id}: […]" for e in kind.entities[:2]) + "}`"
            p.bag.error("type-mismatch", f"`{zone.name}` needs pieces for each {kind.name}", node.span, help=help_)
            return
        for key, inner in node.entries:
            found = entity_named(key.name, [kind], kind.name, p.bag)
            if found is not None:
                yield from _into(zone, inner, rest, number * kind.size + found.index, p)
        return
    if isinstance(node, Map):
        p.bag.error("type-mismatch", f"`{zone.name}` has no keys", node.span, help="write a list of its pieces")
        return
    for item in node.items if isinstance(node, Seq) else [node]:
        if isinstance(item, Scalar):
            members = _members(item.name, zone, p)
            if members:
                yield zone.place_base + number, members, item.span


def _members(name: Name, zone: Zone, p: _Placing) -> list[Entity]:
    """A piece, or all of a kind or sort."""
    kind = zone.of
    if kind is None:
        return []
    if zone not in kind.place_zones:
        if kind.misplaced:
            return []
        message = f"a {kind.name} can't be at `{zone.name}`"
        p.bag.error("wrong-place", message, name.span, help=f"add `{zone.name}` to `piece:` of `{kind.name}`")
        return []
    if name.text == kind.plural:
        return list(kind.entities)
    for sort in kind.sorts.values():
        if name.text == plural(sort.name):
            return kind.entities[sort.low : sort.high]
    found = entity_named(name, [kind], kind.name, p.bag, [kind.plural, *(plural(s) for s in kind.sorts)])
    return [found] if found else []


def _put(piece: Entity, place: int, span: Span, single: bool, p: _Placing) -> None:
    """Puts a piece on its place."""
    key = (piece.kind, piece.index)
    if single and key in p.named:
        notes = [Note("the first is here", p.named[key])]
        p.bag.error("place-taken", f"`{piece.id}` is put somewhere twice", span, notes=notes)
        return
    if key in p.made.places:
        return
    if single:
        p.named[key] = span
    p.made.places[key] = place
    p.counts[place] = p.counts.get(place, 0) + 1
    for kind in p.world.kinds.values():
        for h in kind.holds.values():
            counts = h.sort is None or h.sort.low <= piece.index < h.sort.high
            if h.piece is piece.kind and counts and 0 <= place - h.place.place_base < h.place.size:
                _no_room(h, p.held.setdefault((h, place), []), span, p)
    for zone in piece.kind.place_zones:
        inside = 0 <= place - zone.place_base < zone.size
        if inside and zone.limit is not None and p.counts[place] == zone.limit + 1:
            p.bag.error("zone-full", f"`{zone.name}` holds at most {zone.limit}", span, label="one too many")


def _no_room(h: Holds, there: list[Span], span: Span, p: _Placing) -> None:
    """Counts a piece on a place, and says so if it is one too many."""
    there.append(span)
    if h.limit is not None and len(there) == h.limit + 1:
        what = h.sort.name if h.sort else h.piece.name
        many = "two pieces" if h.limit == 1 else f"more than {h.limit} pieces"
        p.bag.error(
            "place-taken",
            f"{many} of kind `{what}` can't be at one {h.place.name}",
            span,
            notes=[Note("the first is put here", there[0])],
        )


def entity_named(name: Name, kinds: list[Kind], what: str, bag: Bag, more: list[str] | None = None) -> Entity | None:
    """The entity of an id, of any of these kinds; an unknown or ambiguous one is reported."""
    found = [e for k in kinds for e in k.entities if e.id == name.text]
    if len(found) == 1:
        return found[0]
    if found:
        bag.error("ambiguous-name", f"`{name.text}` is the id of several entities", name.span)
        return None
    ids = [e.id for k in kinds for e in k.entities] + (more or [])
    few = f"it is one of {', '.join(f'`{i}`' for i in ids)}" if 0 < len(ids) <= FEW else ""
    bag.error("unknown-name", f"there is no {what} `{name.text}`", name.span, help=did_you_mean(name.text, ids) or few)
    return None


def place_of(node: Node, piece: Kind, world: World, bag: Bag) -> int | None:
    """The number of a place written in data: a space, a container or a zone (`zone` or `zone[player]`)."""
    if not isinstance(node, Scalar):
        bag.error("type-mismatch", "expected the name of a place", node.span)
        return None
    text = node.raw
    for kind in piece.place_kinds:
        for entity in kind.entities:
            if entity.id == text:
                return kind.place_base + entity.index
    zones = [*piece.place_zones, world.zones["unused"]]
    base, _, rest = text.partition("[")
    for zone in zones:
        if zone.name != base:
            continue
        keys = [k.strip() for k in rest.rstrip("]").split(",")] if rest else []
        if len(keys) != len(zone.per):
            bag.error("wrong-index", f"`{zone.name}` is indexed by {len(zone.per)} things", node.span)
            return None
        number = 0
        for key, kind in zip(keys, zone.per, strict=True):
            found = next((e.index for e in kind.entities if e.id == key), None)
            if found is None:
                bag.error(
                    "unknown-name",
                    f"there is no {kind.name} `{key}`",
                    node.span,
                    help=did_you_mean(key, [e.id for e in kind.entities]),
                )
                return None
            number = number * kind.size + found
        return zone.place_base + number
    if piece.misplaced:
        return None
    known = [e.id for k in piece.place_kinds for e in k.entities] + [z.name for z in zones]
    bag.error(
        "unknown-name",
        f"{article(piece.name)} can't be at `{text}`",
        node.span,
        label="not a place for it",
        help=did_you_mean(text, known),
    )
    return None
