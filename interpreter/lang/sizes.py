"""How large a game may be: few characters declare more things, places or values than any position could hold."""

from __future__ import annotations

import math

from interpreter.diagnostics import Bag
from interpreter.lang.types import SetT, universe
from interpreter.lang.world import Field, World, Zone
from interpreter.reading.model import EntityDef, GameDef

MOST_ENTITIES = 5_000  # of all kinds together
MOST_PLACES = 5_000  # that one zone declares
MOST_CELLS = 1_000_000  # values of all fields together, those of 32 members of a set counting as one


def fitting(game: GameDef, bag: Bag) -> tuple[EntityDef, ...]:
    """The entries that are not too many, with an error at the first that is."""
    count = 0
    for i, d in enumerate(game.entities):
        count += d.copies
        if count > MOST_ENTITIES:
            message = f"with this the game has {count:,} things, and {MOST_ENTITIES:,} is the most"
            bag.error("too-many", message, d.id.span, label="too many", help="make fewer `copies`, here or before")
            return game.entities[:i]
    return game.entities


def check_sizes(world: World, bag: Bag) -> None:
    """Says of zones and fields if they are too many; of fields, at the one with the most values."""
    for zone in world.zones.values():
        if zone.size > MOST_PLACES and zone.span is not None:
            message = f"`{zone.name}` is {zone.size:,} zones, and {MOST_PLACES:,} is the most"
            bag.error("too-many", message, zone.span, label="too many", help=_fewer(zone))
    sizes = [(_cells(f), f.span, f) for f in _fields(world)]
    total = sum(size for size, _, _ in sizes)
    if total <= MOST_CELLS:
        return
    size, span, field = max(sizes, key=lambda x: x[0])
    message = f"`{field.name}` has {size:,} values, and {MOST_CELLS:,} is the most for all fields together"
    bag.error("too-many", message, span, label="the largest", help=_fewer(field))


def _fewer(thing: Field | Zone) -> str:
    return "leave out a key of its `per`, or choose one with fewer values" if thing.per else "declare fewer things"


def _fields(world: World) -> list[Field]:
    own = [f for kind in world.kinds.values() for f in kind.fields.values()]
    return [*own, *world.globals.values(), *(f for scene in world.scenes.values() for f in scene.fields.values())]


def _cells(field: Field) -> int:
    """How many values a field has, over all things that have it."""
    each = math.prod(size for _, size in field.per)
    if isinstance(field.type, SetT):
        each *= max(1, universe(field.type.of) // 32)
    return each * (field.owner.size if field.owner else 1)
