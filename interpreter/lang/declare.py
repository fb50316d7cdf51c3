"""Declarations: what the files say of kinds, enums, zones, fields, entities and the map becomes a numbered `World`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from interpreter.diagnostics import Bag, Note, did_you_mean
from interpreter.lang import board as boards
from interpreter.lang.nodes import TypeRef
from interpreter.lang.parse import RESERVED, parse_type
from interpreter.lang.types import (
    BOOL,
    ERROR,
    INT,
    BoolT,
    EnumT,
    IntT,
    KindT,
    ListT,
    MaybeT,
    PlaceT,
    SetT,
    Ty,
    bounds,
    maybe,
)
from interpreter.lang.world import Entity, Enum, Field, Holds, Kind, Sort, World, Zone, plural
from interpreter.reading.model import EntityDef, FieldDef, GameDef, KindDef
from interpreter.source import Name, Span

MAX_INT = 2**31 - 1
BUILTIN_FIELDS = {"at": "the place of a piece", "on": "the space of a piece"}


def declare(game: GameDef, bag: Bag) -> World:
    """The world of a game; errors go to the bag and leave gaps, never an exception."""
    world = World()
    _enums(game, world, bag)
    _kinds(game, world, bag)
    _entities(game, world, bag)
    _zones(game, world, bag)
    _map(game, world, bag)
    _places(game, world, bag)
    _fields(game, world, bag)
    for option in game.options:
        _new(option.name, world.options, bag, "option")
        world.options.setdefault(option.name.text, option)
    return world


def resolve_type(ref: TypeRef, world: World, bag: Bag) -> Ty:
    """The type that a written type means; unknown names are reported and become ERROR."""
    inner = _plain_type(ref.name, world, bag)
    if inner is ERROR or ref.form == "plain":
        return inner
    if ref.form == "maybe":
        return maybe(inner)
    if ref.form == "set" and isinstance(inner, BoolT | PlaceT):
        bag.error(
            "bad-type", f"there are no sets of {inner}", ref.span, help="sets hold entities, enum values or numbers"
        )
        return ERROR
    return SetT(inner) if ref.form == "set" else ListT(inner)


def _plain_type(name: Name, world: World, bag: Bag) -> Ty:
    text = name.text
    if text == "int":
        return INT
    if text == "bool":
        return BOOL
    if text in world.enums:
        return EnumT(world.enums[text])
    if text in world.kinds:
        return KindT(world.kinds[text])
    sort = world.sort(text)
    if sort:
        return KindT(sort.kind, sort)
    known = [
        "int",
        "bool",
        *world.enums,
        *(k for k in world.kinds if k != "direction"),
        *(s for k in world.kinds.values() for s in k.sorts),
    ]
    by_plural = {k.plural: k.name for k in world.kinds.values()}
    hint = f"did you mean `{by_plural[text]}`?" if text in by_plural else did_you_mean(text, known)
    bag.error("unknown-type", f"there is no type `{text}`", name.span, label="not a kind, sort or enum", help=hint)
    return ERROR


def _new(name: Name, taken: Mapping[str, object], bag: Bag, what: str) -> bool:
    """Whether a name may be declared: not reserved and not taken."""
    if name.text in RESERVED:
        bag.error(
            "reserved-word",
            f"`{name.text}` is a word of the language and can't name {'an' if what[0] in 'aeiou' else 'a'} {what}",
            name.span,
            help=f"choose another name, for example `{name.text}_` or a longer word",
        )
        return False
    other = taken.get(name.text)
    if other is not None:
        span = getattr(other, "span", None)
        bag.error(
            "duplicate-name",
            f"the {what} `{name.text}` is declared twice",
            name.span,
            notes=[Note("first declared here", span)] if isinstance(span, Span) else [],
        )
        return False
    return True


def _enums(game: GameDef, world: World, bag: Bag) -> None:
    for d in game.enums:
        if not _new(d.name, world.enums, bag, "enum"):
            continue
        values = []
        for value in d.values:
            if value.text in RESERVED:
                bag.error(
                    "reserved-word",
                    f"`{value.text}` is a word of the language and can't name a value",
                    value.span,
                    help="choose another name",
                )
            elif value.text in values:
                bag.error("duplicate-name", f"the value `{value.text}` stands twice in `{d.name.text}`", value.span)
            else:
                values.append(value.text)
        titles = tuple(d.titles.get(v, v.replace("_", " ")) for v in values)
        world.enums[d.name.text] = Enum(d.name.text, tuple(values), titles, d.ordered, d.span)


def _kinds(game: GameDef, world: World, bag: Bag) -> None:
    world.kinds["player"] = Kind("player", "players", None, "player")
    for d in game.kinds:
        name = d.name.text
        if name == "player":
            world.kinds["player"].span = d.span
        elif _new(d.name, world.kinds, bag, "kind"):
            if name in world.enums or name in ("int", "bool"):
                bag.error("duplicate-name", f"`{name}` is already the name of another type", d.name.span)
                continue
            world.kinds[name] = Kind(
                name, plural(name), d.span, d.title or name.replace("_", " "), is_edge=d.edge, alike=d.alike
            )
        kind = world.kinds[name]
        kind.is_piece = d.piece is not None
        for s in d.sorts:
            if _new(s, world.kinds, bag, "sort"):
                kind.sorts[s.text] = Sort(s.text, kind, s.span)


def _entities(game: GameDef, world: World, bag: Bag) -> None:
    found: dict[str, list[tuple[str | None, EntityDef | None, Name, str]]] = {k: [] for k in world.kinds}
    for p in game.players:
        found["player"].append((None, p, p.id, p.title))
    if game.map and game.map.grid and game.map.grid.kind.text in world.kinds:
        grid = game.map.grid
        found[grid.kind.text] += [(None, None, name, name.text) for name in boards.grid_names(grid)]
    edges = game.map.edges if game.map else ()
    for e in edges:
        if e.kind and e.id:
            as_entity = EntityDef(e.kind, e.id, e.span, e.title, fields=e.fields, citation=e.citation)
            _sort_in(as_entity, e.id, e.title, found, world, bag)
    for d in game.entities:
        names = [d.id] if d.copies == 1 else [Name(f"{d.id.text}_{i + 1}", d.id.span) for i in range(d.copies)]
        for i, name in enumerate(names):
            title = d.title if d.copies == 1 or not d.title else f"{d.title} {i + 1}"
            _sort_in(d, name, title, found, world, bag)
    for kind_name, rows in found.items():
        kind = world.kinds[kind_name]
        order = list(kind.sorts)
        rows.sort(
            key=lambda row: order.index(row[0]) if row[0] in order else len(order)
        )  # stable: data order within a sort
        seen: dict[str, Span] = {}
        for sort_name, definition, name, title in rows:
            if name.text in seen:
                bag.error(
                    "duplicate-id",
                    f"there are two of kind `{kind_name}` with the id `{name.text}`",
                    name.span,
                    notes=[Note("the first is here", seen[name.text])],
                )
                continue
            if name.text in RESERVED:
                _new(name, {}, bag, "entity")
                continue
            seen[name.text] = name.span
            fields = {n.text: (n.span, node) for n, node in (definition.fields if definition else ())}
            index = len(kind.entities)
            kind.entities.append(
                Entity(name.text, title or _titled(name.text), kind, index, name.span, definition, fields)
            )
            if sort_name:
                sort = kind.sorts[sort_name]
                if sort.high == 0:
                    sort.low = index
                sort.high = index + 1


def _titled(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _sort_in(
    d: EntityDef,
    name: Name,
    title: str,
    found: dict[str, list[tuple[str | None, EntityDef | None, Name, str]]],
    world: World,
    bag: Bag,
) -> None:
    """Files an entry under its kind or sort."""
    word = d.kind.text
    sort = world.sort(word)
    if sort:
        found[sort.kind.name].append((sort.name, d, name, title))
    elif word in world.kinds:
        kind = world.kinds[word]
        if kind.sorts:
            words = ", ".join(f"`{s}`" for s in kind.sorts)
            bag.error(
                "missing-sort",
                f"`{name.text}` must be one of the sorts of `{word}`",
                d.kind.span,
                help=f"write {words}",
            )
            return
        found[word].append((None, d, name, title))
    else:
        known = [*world.kinds, *(s for k in world.kinds.values() for s in k.sorts)]
        bag.error(
            "unknown-kind",
            f"there is no kind `{word}`",
            d.kind.span,
            label="an entry begins with its kind",
            help=did_you_mean(word, known) or "declare it under `kinds:` in game.yaml",
        )


def _kind_named(name: Name, world: World, bag: Bag) -> Kind | None:
    kind = world.kinds.get(name.text)
    if kind is None:
        bag.error(
            "unknown-kind", f"there is no kind `{name.text}`", name.span, help=did_you_mean(name.text, world.kinds)
        )
    return kind


def _zones(game: GameDef, world: World, bag: Bag) -> None:
    for d in game.zones:
        if not _new(d.name, {**world.kinds, **world.zones}, bag, "zone"):
            continue
        of = _kind_named(d.of, world, bag)
        per = tuple(k for k in (_kind_named(n, world, bag) for n in d.per) if k)
        world.zones[d.name.text] = Zone(d.name.text, of, per, d.span, d.title or d.name.text.replace("_", " "))
    world.zones["unused"] = Zone("unused", None, (), None, "not in play", unused=True)


def _map(game: GameDef, world: World, bag: Bag) -> None:
    if not game.map:
        return
    if game.map.grid:
        kind = _kind_named(game.map.grid.kind, world, bag)
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
    if not bag.has_errors:
        boards.check_parts(world.board, bag)


def _places(game: GameDef, world: World, bag: Bag) -> None:
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
                    help=f"write its kind, `{sort.kind.name}`" if sort else did_you_mean(name.text, known),
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
    held = _kind_named(piece, world, bag)
    place = world.kinds.get(d.name.text)
    if held is None or place is None:
        return
    if limit != 1:
        bag.error("not-yet", "only `holds` of one piece is supported so far", piece.span)
    elif place not in held.place_kinds:
        bag.error(
            "wrong-place",
            f"a `{held.name}` can't be at a `{place.name}`",
            piece.span,
            help=f"add `{place.name}` to `piece:` of `{held.name}`",
        )
    elif inverse.text in place.holds or inverse.text in BUILTIN_FIELDS:
        bag.error("duplicate-name", f"`{place.name}` has a field `{inverse.text}` already", inverse.span)
    else:
        place.holds[inverse.text] = Holds(place, held, inverse.text, inverse.span)


def _fields(game: GameDef, world: World, bag: Bag) -> None:
    for d in game.kinds:
        kind = world.kinds.get(d.name.text)
        for f in d.fields if kind else ():
            if f.name.text in BUILTIN_FIELDS or (kind and f.name.text in kind.holds):
                bag.error("duplicate-name", f"`{f.name.text}` is a built-in field", f.name.span)
            elif kind and _new(f.name, kind.fields, bag, "field"):
                made = _field(f, kind, world, bag)
                if made:
                    kind.fields[f.name.text] = made
    for f in game.globals:
        if _new(f.name, world.globals, bag, "global"):
            made = _field(f, None, world, bag)
            if made:
                world.globals[f.name.text] = made


def _field(d: FieldDef, owner: Kind | None, world: World, bag: Bag) -> Field | None:
    ref = parse_type(d.type, bag)
    ty = resolve_type(ref, world, bag) if ref else ERROR
    if ty is ERROR:
        return None
    if isinstance(ty, ListT):
        bag.error("bad-type", "a field can't hold a list", d.type.whole, help="use a set, or a field for each number")
        return None
    if isinstance(ty, MaybeT) and isinstance(ty.of, IntT):
        bag.error(
            "bad-type", "a number can't be optional", d.type.whole, help="use a number that never occurs, such as 0"
        )
        return None
    low, high = bounds(ty)
    if isinstance(ty, IntT):
        low = d.minimum if d.minimum is not None else low
        high = d.maximum if d.maximum is not None else high
    elif d.minimum is not None or d.maximum is not None:
        bag.error("bad-bounds", f"only numbers have `min`, `max` or `track`, and this is a {ty}", d.span)
    if low > high and isinstance(ty, IntT):
        bag.error("bad-bounds", f"nothing lies between {low} and {high}", d.span)
    per: list[tuple[Ty, int]] = []
    for name in d.per:
        index = _plain_type(name, world, bag)
        if isinstance(index, EnumT):
            per.append((index, len(index.enum.values)))
        elif isinstance(index, KindT) and index.sort is None:
            per.append((index, index.kind.size))
        elif index is not ERROR:
            bag.error("bad-type", f"a field can't be indexed by {index}", name.span, help="use an enum or a kind")
    return Field(
        d.name.text,
        owner,
        None,
        ty,
        d.span,
        low,
        high,
        track=d.track,
        per=tuple(per),
        set_by=tuple(n.text for n in d.set_by),
        default=_default(ty, low, high),
    )


def _default(ty: Ty, low: int, high: int) -> int:
    """Where nothing is said: none, false, the empty set, 0 or what is nearest to it, the first value."""
    if isinstance(ty, MaybeT):
        return -1
    if isinstance(ty, IntT):
        return min(max(0, low), high)
    return low if isinstance(ty, EnumT | KindT) else 0


def known_fields(kind: Kind) -> Iterable[str]:
    """Names that may stand behind a dot, for hints."""
    yield from kind.fields
    yield from kind.holds
    if kind.is_piece:
        yield from BUILTIN_FIELDS
