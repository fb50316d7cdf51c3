"""Generated pairs: an entity for every pair of a number, value or entity with another."""

from __future__ import annotations

from itertools import product

from interpreter.diagnostics import Bag, Note
from interpreter.lang.declare_fields import index_type
from interpreter.lang.declare_names import is_new
from interpreter.lang.types import INT, EnumT, KindT, RangeT, Ty, bounds
from interpreter.lang.world import Entity, Field, Kind, World
from interpreter.reading.model import GameDef, KindDef

MOST_PAIRS = 4096


def make_pairs(game: GameDef, world: World, bag: Bag) -> None:
    """The entities of kinds that are made of others."""
    for d in game.kinds:
        kind = world.kinds.get(d.name.text)
        if d.made_of and kind is not None:
            _pairs(d, kind, world, bag)


def declare_pairs(game: GameDef, world: World, bag: Bag) -> None:
    """Their fields, which say what each pair is made of."""
    for d in game.kinds:
        kind = world.kinds.get(d.name.text)
        if kind is None or not kind.parts:
            continue
        for i, (name, _) in enumerate(d.made_of):
            if is_new(name, kind.fields, bag, "field"):
                kind.fields[name.text] = _field(i, name.text, kind, world)


def _pairs(d: KindDef, kind: Kind, world: World, bag: Bag) -> None:
    if kind.entities or kind.sorts:
        what = "has entries" if kind.entities else "has sorts"
        bag.error(
            "bad-pairs",
            f"the members of `{kind.name}` are generated, and it {what} too",
            d.made_of[0][0].span,
            notes=[Note("an entry is here", kind.entities[0].span)] if kind.entities else [],
            help="remove them, or remove `made_of`",
        )
        return
    parts: list[tuple[str, Ty, int]] = []
    for name, over in d.made_of:
        if over.text == kind.name:
            bag.error("bad-pairs", f"`{kind.name}` can't be made of itself", over.span, help="name another kind")
            return
        found = index_type(over, world, bag)
        if found is None:
            return
        parts.append((name.text, *found))
    count = 1
    for _, _, size in parts:
        count *= size
    if count > MOST_PAIRS:
        message = f"these make {count} pairs, and {MOST_PAIRS} is the most"
        bag.error("too-many", message, d.made_of[0][1].span, label="too many")
        return
    kind.parts = tuple(parts)
    for values in product(*(range(size) for _, _, size in parts)):
        named = [_word(v, ty) for v, (_, ty, _) in zip(values, parts, strict=True)]
        titles = [_title(v, ty) for v, (_, ty, _) in zip(values, parts, strict=True)]
        id_ = "_".join([kind.name, *named])
        title = " ".join([kind.title.capitalize(), *titles])
        kind.entities.append(Entity(id_, title, kind, len(kind.entities), d.span, None))


def _word(value: int, ty: Ty) -> str:
    match ty:
        case RangeT(low):
            number = low + value
            return str(number) if number >= 0 else f"minus_{-number}"
        case EnumT(enum):
            return enum.values[value]
        case KindT(kind):
            return kind.entities[value].id
    raise AssertionError(ty)


def _title(value: int, ty: Ty) -> str:
    match ty:
        case RangeT(low):
            return str(low + value)
        case EnumT(enum):
            return enum.titles[value]
        case KindT(kind):
            return kind.entities[value].title
    raise AssertionError(ty)


def _field(number: int, name: str, kind: Kind, world: World) -> Field:
    """The field of a part; its values follow from the order in which pairs are made."""
    _, ty, size = kind.parts[number]
    low, high = bounds(ty)
    shown: Ty = INT if isinstance(ty, RangeT) else ty
    span = kind.span
    assert span is not None
    made = Field(name, kind, None, shown, span, low, high, default=low, constant=True)
    after = 1
    for _, _, other in kind.parts[number + 1 :]:
        after *= other
    for i in range(kind.size):
        world.made[made, i, 0] = low + i // after % size
    return made
