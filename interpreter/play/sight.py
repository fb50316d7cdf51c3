"""What is to be seen on the map: what stands where, how it is drawn, what is known of it. For boards and pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rich.errors import StyleSyntaxError
from rich.style import Style

from interpreter.core.cells import get_set
from interpreter.game import Position
from interpreter.lang.types import BoolT, IntT, KindT, MaybeT, SetT, Ty
from interpreter.lang.world import Board, Entity, Field
from interpreter.reading import yamltree as tree
from interpreter.reading.yamltree import Map, Scalar
from interpreter.rendering import clean
from interpreter.runtime import stage
from interpreter.runtime.texts import PLAIN, Language, Shown, show

SEAT_STYLES = (
    "red",
    "blue",
    "green",
    "yellow",
    "magenta",
    "cyan",
)  # of pieces without a look, by the seat of their owner


@dataclass(frozen=True)
class Drawn:
    """A glyph or a few, and a style that is known to be good. `look`: which of the kind's looks it is, -1 for none."""

    text: str
    style: str
    look: int = -1


@dataclass(frozen=True)
class Sight:
    """A map as it stands: for each space how it is drawn and which pieces are on it."""

    position: Position
    board: Board
    drawn: tuple[Drawn, ...]
    standing: tuple[tuple[Entity, ...], ...]


def sight(position: Position) -> Sight | None:
    """Looks at a position; None if its game has no map. Raises RuleFault if a look's condition cannot be computed."""
    board = position.compiled.world.board
    if board is None:
        return None
    standing = where_all_stand(position)
    drawn = tuple(
        _draw_space(position, space, standing[space.index]) if takes_part(position, space) else Drawn(" ", "")
        for space in board.space.entities
    )
    return Sight(position, board, drawn, standing)


def where_all_stand(position: Position) -> tuple[tuple[Entity, ...], ...]:
    """The pieces on each space, those in containers too."""
    world, cells = position.compiled.world, position.cells
    board = world.board
    if board is None:
        return ()
    places: dict[int, int] = {}  # place of a piece that holds others -> its own place
    pieces: list[tuple[Entity, int]] = []
    for region in position.compiled.layout.regions:
        if region.what == "at" and region.kind is not None:
            for piece in region.kind.entities:
                place = cells[region.base + piece.index]
                pieces.append((piece, place))
                if region.kind.place_base >= 0:
                    places[region.kind.place_base + piece.index] = place
    found: list[list[Entity]] = [[] for _ in range(board.space.size)]
    base = board.space.place_base
    for piece, place in pieces:
        for _ in range(len(places)):
            if place not in places:
                break
            place = places[place]
        if base >= 0 and base <= place < base + board.space.size:
            found[place - base].append(shown_as(position, piece))
    return tuple(tuple(row) for row in found)


def takes_part(position: Position, entity: Entity) -> bool:
    """Whether the scenario does not leave something out."""
    return stage.takes_part(position.compiled, position.cells, entity.kind, entity.index)


def is_closed(position: Position, entity: Entity) -> bool:
    """Whether a piece of a view only stands for one that its player can't tell from others."""
    return position.seen is not None and entity.index in position.seen.closed.get(entity.kind, ())


def shown_as(position: Position, piece: Entity) -> Entity:
    """What people are shown of a piece: itself, or one without a name of its own."""
    if not is_closed(position, piece):
        return piece
    name = position.compiled.secrecy.closed[piece.kind]
    return Entity("closed", name[:1].upper() + name[1:], piece.kind, piece.index, piece.span, None)


def draw(position: Position, entity: Entity) -> Drawn | None:
    """How an entity's own kind says that it is drawn; None if no look fits."""
    if is_closed(position, entity):
        return None
    for i, look in enumerate(position.compiled.looks.get(entity.kind, ())):
        if look.function is None or position.evaluate(look.function, (entity.index,)):
            return Drawn(clean(look.text) or " ", good_style(look.style), i)
    return None


def draw_piece(position: Position, piece: Entity) -> Drawn:
    """How a piece is drawn: by its look, else by a letter of its id in the colour of its owner."""
    letter = "?" if is_closed(position, piece) else piece.id[0]
    return draw(position, piece) or Drawn(letter, _owner_style(position, piece))


def _draw_space(position: Position, space: Entity, pieces: tuple[Entity, ...]) -> Drawn:
    own = draw(position, space)
    if own is not None:
        return own
    if not pieces:
        return Drawn("·", "dim")
    first = draw_piece(position, pieces[0])
    return Drawn(first.text + (str(len(pieces)) if len(pieces) > 1 else ""), first.style)


def good_style(style: str) -> str:
    """The style, or none if it is no style."""
    try:
        Style.parse(style)
    except StyleSyntaxError:
        return ""
    return style


def owner_of(position: Position, entity: Entity) -> int:
    """Seat of the player in the first field of an entity that names one; -1 if none does."""
    players = position.compiled.world.players
    for field in entity.kind.fields.values():
        ty = field.type.of if isinstance(field.type, MaybeT) else field.type
        if isinstance(ty, KindT) and ty.kind is players and not field.per:
            if position.seen is not None and position.seen.hides(field, entity.index):
                return -1
            value = value_of(position, field, entity)
            return value if isinstance(value, int) else -1
    return -1


def _owner_style(position: Position, entity: Entity) -> str:
    seat = owner_of(position, entity)
    return SEAT_STYLES[seat % len(SEAT_STYLES)] if seat >= 0 else ""


def value_of(position: Position, field: Field, entity: Entity) -> Shown:
    """The value of an entity's field as it is stored: an int, or a set's members; with keys, that of the first key."""
    region = position.compiled.layout.fields.get(field)
    index = entity.index * field.cells_each
    if position.seen is not None and position.seen.hides(field, index):
        return () if isinstance(field.type, SetT) else -1 if isinstance(field.type, MaybeT) else 0
    if region is None:
        value = position.compiled.constants[field][index]
    else:
        base, width = region.base + index * region.width, region.width
        value = position.cells[base]
        if isinstance(field.type, SetT):
            value = get_set(position.cells, base, width)
    if isinstance(field.type, SetT):
        return tuple(i for i in range(value.bit_length()) if value >> i & 1)
    return value


def value_words(value: Shown, ty: Ty, position: Position, language: Language = PLAIN) -> str:
    """A field's value for people; empty for nothing, no and zero."""
    inner = ty.of if isinstance(ty, MaybeT) else ty
    if (isinstance(ty, MaybeT) and value == -1) or (isinstance(inner, BoolT | IntT) and not value):
        return ""
    return clean(show(value, ty, position.compiled.world, language))


def printed(position: Position, entity: Entity) -> Iterator[str]:
    """The text of an entry, and that of the face which it shows, if that can be seen."""
    if entity.definition is not None and entity.definition.text:
        yield entity.definition.text
    for name, (field, shown) in entity.kind.faces.items():
        node = entity.fields.get(name)
        if node is None or not isinstance(node[1], Map) or is_closed(position, entity):
            continue
        hidden = position.seen is not None and position.seen.hides(field, entity.index * field.cells_each)
        if not hidden and value_of(position, field, entity) == shown:
            text = tree.get(node[1], "text")
            if isinstance(text, Scalar):
                yield text.raw.strip()


def title(entity: Entity, language: Language = PLAIN) -> str:
    """An entity's name for people, safe for a terminal."""
    return clean(language.say(entity.title))


def stem(entity: Entity, language: Language = PLAIN) -> str:
    """The name of what an entity is a copy of: `Spear 3` is a `Spear`."""
    definition = entity.definition
    if definition is not None and definition.copies > 1:
        whole = definition.title or re.sub(r"_\d+$", "", entity.id).replace("_", " ").capitalize()
        return clean(language.say(whole))
    return title(entity, language)


def legend(seen: Sight, language: Language = PLAIN) -> list[tuple[Drawn, str]]:
    """Each way in which a space is drawn now, and what all spaces drawn so have in common, in words."""
    groups: dict[Drawn, list[int]] = {}
    for space, drawn in enumerate(seen.drawn):
        groups.setdefault(drawn, []).append(space)
    made: list[tuple[Drawn, str]] = []
    for drawn in sorted(groups, key=lambda d: (d.look, d.text)):
        names, owners, flags = zip(*(_facts(seen, space, language) for space in groups[drawn]), strict=True)
        name = names[0] if len(set(names)) == 1 else ""
        words = [name, *(flag for flag in flags[0] if all(flag in other for other in flags))]
        if not name or not seen.standing[groups[drawn][0]]:
            words.append(owners[0] if len(set(owners)) == 1 else "")
        if any(words):
            made.append((drawn, ", ".join(w for w in words if w)))
    return made


def _facts(seen: Sight, space: int, language: Language) -> tuple[str, str, tuple[str, ...]]:
    """Name, owner and what is true of the piece on a space; of the space itself, without a name, if there is none."""
    pieces = seen.standing[space]
    thing = pieces[0] if pieces else seen.board.space.entities[space]
    owner = owner_of(seen.position, thing)
    flags = [
        language.say(field.name.replace("_", " "))
        for field in thing.kind.fields.values()
        if isinstance(field.type, BoolT) and not field.per and value_of(seen.position, field, thing)
    ]
    whose = title(seen.position.compiled.world.players.entities[owner], language) if owner >= 0 else ""
    return stem(thing, language) if pieces else "", whose, tuple(flags)
