"""Texts for people: holes filled with titles, in the language that the player asked for."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from math import gcd

from interpreter.core.compiled import Compiled
from interpreter.lang import nodes as n
from interpreter.lang.types import (
    ENDING_BITS,
    BoolT,
    EnumT,
    IntT,
    KindT,
    ListT,
    MaybeT,
    OddsT,
    PlaceT,
    RangeT,
    RollT,
    SetT,
    Ty,
    ending_cells,
    strip,
)
from interpreter.lang.world import World

Shown = int | tuple[int, ...]


@dataclass(frozen=True)
class Language:
    """Translations by source text; what is missing stays as it was written."""

    texts: dict[str, str] = field(default_factory=dict)

    def say(self, text: str) -> str:
        """A text in this language."""
        return self.texts.get(text, text)


PLAIN = Language()


def show(value: Shown, ty: Ty, world: World, language: Language = PLAIN) -> str:
    """A value as people read it: titles of entities, numbers, lists with commas."""
    if isinstance(ty, RollT) and isinstance(value, tuple):
        return ", ".join(faces(value, ty, language))
    if isinstance(value, tuple):
        inner = ty.of if isinstance(ty, SetT | ListT) else ty
        low = inner.sort.low if isinstance(ty, SetT) and isinstance(inner, KindT) and inner.sort else 0
        return ", ".join(show(v + low, inner, world, language) for v in value)
    match ty:
        case MaybeT(of):
            return language.say("nothing") if value < 0 else show(value, of, world, language)
        case KindT(kind):
            return language.say(kind.entities[value].title)
        case EnumT(enum):
            return language.say(enum.titles[value])
        case BoolT():
            return language.say("yes" if value else "no")
        case PlaceT():
            return place_title(value, world, language)
        case IntT():
            return str(value)
        case OddsT(total):
            return odds(value, total)
    return str(value)


def faces(bits: tuple[int, ...], ty: RollT, language: Language = PLAIN) -> Iterator[str]:
    """What the dice of a roll show, in the order of the faces. A roll is a count of 16 bits for each face."""
    for face, name in enumerate(ty.die.faces):
        count = sum(1 << bit - 16 * face for bit in bits if bit // 16 == face)
        title = name if ty.die.enum is None else language.say(ty.die.enum.titles[face])
        yield from [title] * count


def odds(cases: int, total: int) -> str:
    """A chance as a reduced fraction and in percent: `2/3 (67 %)`. Only what is certain reads 0 or 100 %."""
    if cases in (0, total):
        return "0 (0 %)" if cases == 0 else "1 (100 %)"
    shared = gcd(cases, total)
    percent = min(max((200 * cases + total) // (2 * total), 1), 99)
    return f"{cases // shared}/{total // shared} ({percent} %)"


def last_words(cells: list[int], types: tuple[Ty, ...]) -> list[Shown]:
    """The values of the last word on a game, out of the cells in which they are kept."""
    values: list[Shown] = []
    for ty in types:
        if not isinstance(ty, SetT | RollT):
            values.append(cells.pop(0))
            continue
        kept = [cells.pop(0) for _ in range(ending_cells(ty))]
        values.append(
            tuple(ENDING_BITS * i + j for i, bits in enumerate(kept) for j in range(ENDING_BITS) if bits >> j & 1)
        )
    return values


def place_title(place: int, world: World, language: Language = PLAIN) -> str:
    """A place as people read it."""
    for kind in world.kinds.values():
        if kind.place_base >= 0 and kind.place_base <= place < kind.place_base + kind.size:
            return language.say(kind.entities[place - kind.place_base].title)
    for zone in world.zones.values():
        if zone.place_base <= place < zone.place_base + zone.size:
            title = language.say(zone.title)
            index = place - zone.place_base
            keys = []
            for kind in reversed(zone.per):
                index, key = divmod(index, kind.size)
                keys.append(language.say(kind.entities[key].title))
            return f"{title} ({', '.join(reversed(keys))})" if keys else title
    return "?"


def place_id(place: int, world: World) -> str:
    """A place as it is written in data: `b5`, `captured`, `hand[north]`."""
    for kind in world.kinds.values():
        if kind.place_base >= 0 and kind.place_base <= place < kind.place_base + kind.size:
            return kind.entities[place - kind.place_base].id
    for zone in world.zones.values():
        if zone.place_base <= place < zone.place_base + zone.size:
            index = place - zone.place_base
            keys = []
            for kind in reversed(zone.per):
                index, key = divmod(index, kind.size)
                keys.append(kind.entities[key].id)
            return f"{zone.name}[{', '.join(reversed(keys))}]" if keys else zone.name
    return "?"


def thing_id(value: int, ty: Ty) -> str:
    """A chosen value as it is written in a choice."""
    match ty:
        case KindT(kind):
            return kind.entities[value].id
        case EnumT(enum):
            return enum.values[value]
        case RangeT(low):
            return str(low + value)
    return str(value)


def fill(
    template: n.Template,
    values: list[Shown],
    types: tuple[Ty, ...],
    compiled: Compiled,
    language: Language,
    hidden: Container[int] = (),
) -> str:
    """A template with its holes filled, translated as a whole first; a translation names holes by what is in them.

    `hidden`: numbers of the holes that show something closed to the reader.
    """
    shown: dict[str, str] = {}
    holes = [p for p in template.parts if isinstance(p, n.Hole)]
    for i, (hole, value, ty) in enumerate(zip(holes, values, types, strict=True)):
        if i in hidden:
            shown[hole.key] = _closed(value, ty, compiled, language)
        else:
            shown[hole.key] = in_hole(hole, value, ty, compiled.world, language)
    translated = language.texts.get(template.text)
    if translated is not None:
        return _fill_translation(translated, shown)
    return "".join(p if isinstance(p, str) else shown[p.key] for p in template.parts)


def _fill_translation(text: str, shown: dict[str, str]) -> str:
    """Replaces `{key}` in a translation; by longest key first, so that no key is taken for part of another."""
    for key in sorted(shown, key=len, reverse=True):
        text = text.replace("{" + key + "}", shown[key])
    return text.replace("{{", "{").replace("}}", "}")


def _closed(value: Shown, ty: Ty, compiled: Compiled, language: Language) -> str:
    """What a reader is told of something closed: its kind's closed name, and of several how many there are."""
    inner = strip(ty.of) if isinstance(ty, SetT | ListT) else strip(ty)
    name = language.say(compiled.secrecy.closed[inner.kind]) if isinstance(inner, KindT) else "?"
    return f"{len(value)} x {name}" if isinstance(value, tuple) else name


def in_hole(hole: n.Hole, value: Shown, ty: Ty, world: World, language: Language) -> str:
    """What a hole shows for a value: with the word that goes with a number, or behind a prefix if there is anything."""
    if hole.prefix and isinstance(ty, MaybeT) and isinstance(value, int) and value < 0:
        return ""
    text = show(value, ty, world, language)
    if hole.forms and isinstance(value, int):
        one, many = hole.forms
        return f"{text} {language.say(one if value == 1 else many)}"
    if hole.prefix:
        return f"{hole.prefix}{text}" if text else ""
    return text
