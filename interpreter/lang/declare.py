"""Declarations: what the files say of kinds, enums, zones, fields, entities and the map becomes a numbered `World`."""

from __future__ import annotations

from interpreter.diagnostics import Bag, Note, did_you_mean
from interpreter.lang import board as boards
from interpreter.lang.declare_dice import declare_dice
from interpreter.lang.declare_fields import declare_fields
from interpreter.lang.declare_names import is_new
from interpreter.lang.declare_pairs import declare_pairs, make_pairs
from interpreter.lang.declare_places import declare_map, declare_places, declare_zones
from interpreter.lang.declare_scenes import declare_scenes
from interpreter.lang.declare_tables import declare_tables
from interpreter.lang.parse import RESERVED
from interpreter.lang.sizes import check_sizes, fitting
from interpreter.lang.types import IntT
from interpreter.lang.world import Entity, Enum, Field, Kind, Sort, World, plural
from interpreter.reading.model import EntityDef, GameDef
from interpreter.source import Name, Span

MAX_INT = 2**31 - 1


def declare(game: GameDef, bag: Bag) -> World:
    """The world of a game; errors go to the bag and leave gaps, never an exception."""
    world = World()
    _enums(game, world, bag)
    declare_dice(game, world, bag)
    _kinds(game, world, bag)
    _entities(game, world, bag)
    make_pairs(game, world, bag)
    declare_zones(game, world, bag)
    declare_map(game, world, bag)
    declare_places(game, world, bag)
    declare_fields(game, world, bag)
    declare_scenes(game, world, bag)
    declare_pairs(game, world, bag)
    declare_tables(game, world, bag)
    check_sizes(world, bag)
    _stage(game, world)
    for option in game.options:
        is_new(option.name, world.options, bag, "option")
        world.options.setdefault(option.name.text, option)
    return world


def _stage(game: GameDef, world: World) -> None:
    """The cell that says which scenario of a campaign is on; rules cannot name it."""
    if game.campaigns:
        most = max(len(c.plays) for c in game.campaigns)
        world.stage = Field("scenario of the campaign", None, None, IntT(), game.campaigns[0].span, 0, most - 1)
        world.stage.written = True


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
            sort = world.sort(name)
            if sort:
                bag.error(
                    "duplicate-name",
                    f"`{name}` is a sort of `{sort.kind.name}` already",
                    d.name.span,
                    notes=[Note("declared here", sort.span)],
                    help=f"write its fields under `{sort.kind.name}`: all sorts of a kind have the same",
                )
                continue
            world.kinds[name] = Kind(
                name, plural(name), d.span, d.title or name.replace("_", " "), is_edge=d.edge, alike=d.alike
            )
        if name not in world.kinds:
            continue  # a word of the language
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
    for d in fitting(game, bag):
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
