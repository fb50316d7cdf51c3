"""Declarations of where pieces can be: zones, the map, and the numbers of all places."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.diagnostics import Bag, Note, did_you_mean
from interpreter.lang import board as boards
from interpreter.lang.declare_names import BUILTIN_FIELDS, is_new, kind_named
from interpreter.lang.types import article
from interpreter.lang.world import Holds, Kind, World, Zone
from interpreter.reading.model import GameDef, KindDef
from interpreter.source import Name


def declare_zones(game: GameDef, world: World, bag: Bag) -> None:
    """The zones of the game, and the one for what is not in play."""
    for d in game.zones:
        if not is_new(d.name, {**world.kinds, **world.zones}, bag, "zone"):
            continue
        of = kind_named(d.of, world, bag)
        per = tuple(k for k in (kind_named(n, world, bag) for n in d.per) if k)
        title = d.title or d.name.text.replace("_", " ")
        world.zones[d.name.text] = Zone(d.name.text, of, per, d.span, title, order=d.order, limit=d.limit)
    for d in game.zones:
        zone = world.zones.get(d.name.text)
        if d.when_empty is not None and zone is not None:
            zone.when_empty = _refill(zone, d.when_empty, world, bag)
    world.zones["unused"] = Zone("unused", None, (), None, "not in play", unused=True)


def _listed(names: Iterable[str]) -> str:
    return "one of " + ", ".join(f"`{n}`" for n in names)


def _refill(zone: Zone, name: Name, world: World, bag: Bag) -> Zone | None:
    """The zone whose pieces refill another; None, with an error, if it can't be that."""
    other = world.zones.get(name.text)
    if other is None:
        bag.error(
            "unknown-name",
            f"there is no zone `{name.text}`",
            name.span,
            help=did_you_mean(name.text, world.zones) or _listed(world.zones),
        )
        return None
    notes = [Note(f"`{other.name}` is declared here", other.span)] if other.span else []
    if zone.order == "set":
        mend = "add `order: pile` or `order: bag`, or remove `when_empty`"
        bag.error("bad-refill", f"nothing is drawn from `{zone.name}`, which has no order", name.span, help=mend)
    elif other is zone:
        bag.error("bad-refill", f"`{zone.name}` can't be refilled from itself", name.span, help="name another zone")
    elif other.of is not zone.of:
        what = other.of.name if other.of else "nothing"
        bag.error(
            "bad-refill", f"`{other.name}` is for `{what}`, which can't be in `{zone.name}`", name.span, notes=notes
        )
    elif other.per and other.per != zone.per:
        mend = "a zone is refilled from one without keys, or from one with the same keys"
        bag.error(
            "bad-refill", f"`{other.name}` and `{zone.name}` have different keys", name.span, notes=notes, help=mend
        )
    else:
        return other
    return None


def declare_map(game: GameDef, world: World, bag: Bag) -> None:
    """The map, from a grid or from edges."""
    if not game.map:
        return
    if game.map.grid:
        kind = kind_named(game.map.grid.kind, world, bag)
        if kind:
            kind.is_space = True
            world.board = boards.grid_board(game.map.grid, kind)
            if world.board.direction:
                world.enums["direction"] = world.board.direction
        return
    ids = {
        e.id: k
        for k in world.kinds.values()
        if not k.is_piece and not k.is_edge
        for e in k.entities
        if k.name != "player"
    }
    space = next((ids[n.text] for e in game.map.edges for n in e.ends if n.text in ids), None)
    if space is None:
        return
    space.is_space = True
    edge = next((k for k in world.kinds.values() if k.is_edge), None)
    world.board = boards.map_board(game.map.edges, space, edge, bag)
    if not (bag.has_errors or game.map.apart):
        boards.check_parts(world.board, bag)


def declare_places(game: GameDef, world: World, bag: Bag) -> None:
    """Numbers all places: spaces first (so that a space and its place are the same number), zones, containers,
    `unused`.
    """
    definitions = {d.name.text: d for d in game.kinds}
    for kind in world.kinds.values():
        d = definitions.get(kind.name)
        for name in (d.piece or ()) if d else ():
            if name.text in world.kinds:
                kind.place_kinds.append(world.kinds[name.text])
            elif name.text in world.zones:
                zone = world.zones[name.text]
                kind.place_zones.append(zone)
                if zone.of is not None and zone.of is not kind:
                    bag.error(
                        "wrong-zone",
                        f"the zone `{zone.name}` is for `{zone.of.name}`, not for `{kind.name}`",
                        name.span,
                        notes=[Note("declared here", zone.span)] if zone.span else [],
                    )
            else:
                sort = world.sort(name.text)
                known = [*world.kinds, *world.zones]
                bag.error(
                    "unknown-place",
                    f"there is no kind or zone `{name.text}`",
                    name.span,
                    help=f"write its kind, `{sort.kind.name}`"
                    if sort
                    else did_you_mean(name.text, known) or "declare it under `zones:` or `kinds:`",
                )
    used = [k for k in world.kinds.values() if any(k in p.place_kinds for p in world.kinds.values())]
    used.sort(key=lambda k: not k.is_space)
    number = 0
    places: list[Kind | Zone] = [*used, *world.zones.values()]
    for place in places:
        place.place_base = number
        number += place.size
    world.places = number
    world.unused = world.zones["unused"].place_base
    for d in game.kinds:
        for h in d.holds:
            _hold(d, h.kind, h.inverse, h.limit, world, bag)


def _hold(d: KindDef, piece: Name, inverse: Name, limit: int | None, world: World, bag: Bag) -> None:
    sort = world.sort(piece.text)
    held = sort.kind if sort else kind_named(piece, world, bag)
    place = world.kinds.get(d.name.text)
    if held is None or place is None or not is_new(inverse, {}, bag, "inverse"):
        return
    if place not in held.place_kinds:
        bag.error(
            "wrong-place",
            f"{article(held.name)} can't be at {article(place.name)}",
            piece.span,
            help=f"add `{place.name}` to `piece:` of `{held.name}`",
        )
    elif inverse.text in place.holds or inverse.text in BUILTIN_FIELDS:
        bag.error("duplicate-name", f"`{place.name}` has a field `{inverse.text}` already", inverse.span)
    else:
        place.holds[inverse.text] = Holds(place, held, inverse.text, inverse.span, limit, sort)
