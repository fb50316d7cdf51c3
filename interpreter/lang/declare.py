"""Declarations: what the files say of kinds, enums, zones, fields, entities and the map becomes a numbered `World`."""

from __future__ import annotations

from interpreter.diagnostics import Bag, Note, did_you_mean
from interpreter.lang import board as boards
from interpreter.lang.declare_dice import declare_dice
from interpreter.lang.declare_names import BUILTIN_FIELDS, is_new, kind_named, plain_type, resolve_type
from interpreter.lang.declare_places import declare_map, declare_places, declare_zones
from interpreter.lang.parse import RESERVED, parse_type
from interpreter.lang.types import (
    ERROR,
    BoolT,
    EnumT,
    IntT,
    KindT,
    ListT,
    MaybeT,
    Ty,
    bounds,
)
from interpreter.lang.world import Entity, Enum, Field, Kind, Sort, World, plural
from interpreter.reading.model import EntityDef, FieldDef, GameDef
from interpreter.source import Name, Span

MAX_INT = 2**31 - 1


def declare(game: GameDef, bag: Bag) -> World:
    """The world of a game; errors go to the bag and leave gaps, never an exception."""
    world = World()
    _enums(game, world, bag)
    declare_dice(game, world, bag)
    _kinds(game, world, bag)
    _entities(game, world, bag)
    declare_zones(game, world, bag)
    declare_map(game, world, bag)
    declare_places(game, world, bag)
    _fields(game, world, bag)
    for option in game.options:
        is_new(option.name, world.options, bag, "option")
        world.options.setdefault(option.name.text, option)
    return world


def _enums(game: GameDef, world: World, bag: Bag) -> None:
    for d in game.enums:
        if not is_new(d.name, world.enums, bag, "enum"):
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
        elif is_new(d.name, world.kinds, bag, "kind"):
            if name in world.enums or name in ("int", "bool"):
                bag.error("duplicate-name", f"`{name}` is already the name of another type", d.name.span)
                continue
            world.kinds[name] = Kind(
                name, plural(name), d.span, d.title or name.replace("_", " "), is_edge=d.edge, alike=d.alike
            )
        kind = world.kinds[name]
        kind.definition = d
        kind.is_piece = d.piece is not None
        for s in d.sorts:
            if is_new(s, world.kinds, bag, "sort"):
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
                is_new(name, {}, bag, "entity")
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


def _fields(game: GameDef, world: World, bag: Bag) -> None:
    for d in game.kinds:
        kind = world.kinds.get(d.name.text)
        for f in d.fields if kind else ():
            if f.name.text in BUILTIN_FIELDS or (kind and f.name.text in kind.holds):
                bag.error("duplicate-name", f"`{f.name.text}` is a built-in field", f.name.span)
            elif kind and is_new(f.name, kind.fields, bag, "field"):
                made = _field(f, kind, world, bag)
                if made:
                    kind.fields[f.name.text] = made
                    _faces(f, made, kind, bag)
    for option in game.options:
        for owner, f in option.fields:
            _option_field(owner, f, world, bag)
    for f in game.globals:
        if is_new(f.name, world.globals, bag, "global"):
            made = _field(f, None, world, bag)
            if made:
                world.globals[f.name.text] = made


def _faces(d: FieldDef, made: Field, kind: Kind, bag: Bag) -> None:
    """The keys under which entries say what holds while a field has a value."""
    if not d.faces:
        return
    values = 2 if isinstance(made.type, BoolT) else len(made.type.enum.values) if isinstance(made.type, EnumT) else 0
    if values != len(d.faces):
        what = f"{values} values" if values else "no values to turn between"
        bag.error("wrong-faces", f"`{d.name.text}` has {what}, and {len(d.faces)} faces are named", d.faces[0].span)
    for value, name in enumerate(d.faces):
        if is_new(name, {k: f for k, f in kind.fields.items() if f is not made} | kind.faces, bag, "face"):
            kind.faces[name.text] = (made, value)


def _option_field(owner: Name | None, d: FieldDef, world: World, bag: Bag) -> None:
    """A field that an option adds to a kind, or to the game. It is there whether the option is on or not."""
    kind = kind_named(owner, world, bag) if owner else None
    if owner and kind is None:
        return
    fields = kind.fields if kind else world.globals
    if is_new(d.name, fields, bag, "field"):
        made = _field(d, kind, world, bag)
        if made:
            fields[d.name.text] = made


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
        index = plain_type(name, world, bag)
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
