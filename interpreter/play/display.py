"""The words of a display, as the player who looks may read them: holes filled, conditions tried, members gone through.

Everything is computed from a view, in which what is hidden from him is not there.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from rich.text import Text

from interpreter.backends.machine import Fault, Machine
from interpreter.core import header
from interpreter.core.screens import DisplayInfo, MembersInfo, PieceInfo
from interpreter.game import Position, explained
from interpreter.lang.types import KindT, ListT, SetT, Ty, strip
from interpreter.lang.world import Entity
from interpreter.play import sight as eyes
from interpreter.rendering import clean
from interpreter.runtime.sightings import low_of_set
from interpreter.runtime.texts import Language, Shown, fill

Args = tuple[int, ...]


@dataclass(frozen=True)
class Display:
    """A display at a position as somebody sees it. `full`: nothing is told in brief."""

    info: DisplayInfo
    machine: Machine
    position: Position
    language: Language
    viewer: int
    full: bool = False

    @property
    def args(self) -> Args:
        """What every function takes: who looks."""
        return (self.viewer,)


def display(position: Position, language: Language, viewer: int | None = None) -> Display | None:
    """The display of a position, of a view in a game with secrets; None if its game has none.

    `viewer`: who looks; if that is nobody, it is the player who decides.
    """
    found = position.game.display(position.compiled)
    if found is None:
        return None
    info, machine = found
    if viewer is None:
        viewer = max(position.cells[header.MOVER], 0)
    return Display(info, machine, position, language, viewer)


def value(d: Display, function: int, args: Args) -> Shown:
    """What a function comes to here. Raises RuleFault."""
    try:
        return d.machine.evaluate(d.position.block, function, args)
    except Fault as fault:
        raise explained(d.info.compiled, fault) from None


def holds(d: Display, function: int | None, args: Args) -> bool:
    """Whether a condition holds; none always does."""
    return function is None or bool(value(d, function, args))


def closed(d: Display, ty: Ty, number: int) -> bool:
    """Whether a member is a piece that the viewer can't tell from others."""
    seen = d.position.seen
    return seen is not None and isinstance(ty, KindT) and number in seen.closed.get(ty.kind, ())


def members(d: Display, piece: PieceInfo, args: Args) -> tuple[list[Args], list[Args]]:
    """The arguments for each member that an `each` names, in order: first open ones, then closed ones."""
    each = piece.each
    if each is None:
        return ([args] if holds(d, piece.when, args) else []), []
    found = [(*args, m) for m in raw_members(d, each, args) if _in_play(d, each.type, m)]
    shut = [a for a in found if closed(d, each.type, a[-1])]
    if shut and piece.definition.closed is None:
        opened = [a for a in found if a not in shut and holds(d, piece.when, a)]
    else:
        opened = [a for a in found if holds(d, piece.when, a)]
        shut = [a for a in opened if closed(d, each.type, a[-1])]
        opened = [a for a in opened if a not in shut]
    order = piece.order
    if order is not None:
        opened.sort(key=lambda a: value(d, order, a))
    return opened, shut


def raw_members(d: Display, each: MembersInfo, args: Args) -> tuple[int, ...]:
    """The members of an `each`, in data order."""
    found = value(d, each.function, args)
    if each.to is not None:
        end = value(d, each.to, args)
        assert isinstance(found, int) and isinstance(end, int)
        return tuple(n for n in range(found, end + 1) if holds(d, each.where, (*args, n)))
    return found if isinstance(found, tuple) else ()


def _in_play(d: Display, ty: Ty, number: int) -> bool:
    return not isinstance(ty, KindT) or eyes.takes_part(d.position, ty.kind.entities[number])


def entity(piece: PieceInfo, args: Args) -> Entity | None:
    """The thing that a member is."""
    ty = piece.each.type if piece.each is not None else None
    return ty.kind.entities[args[-1]] if isinstance(ty, KindT) else None


# ---- words ----------------------------------------------------------------------------------------------------------


def words(d: Display, piece: PieceInfo | None, args: Args) -> Text:
    """A text with all that belongs to it; of an `each` the members, one behind the other. Raises RuleFault."""
    if piece is None:
        return Text()
    if piece.each is None:
        return once(d, piece, args) if holds(d, piece.when, args) else Text()
    opened, shut = members(d, piece, args)
    told = [text for a in opened if (text := once(d, piece, a))]
    told += hidden(d, piece, shut)
    join = piece.definition.join
    return Text(", " if join is None else join).join(told)


def hidden(d: Display, piece: PieceInfo, shut: list[Args]) -> list[Text]:
    """The closed members of an `each`: each by the text for such, or how many there are."""
    text = piece.definition.closed
    if text is not None:
        return [Text(clean(d.language.say(text)), style(d, piece, a)) for a in shut]
    names = Counter(_closed_name(d, piece, a) for a in shut)
    look = style(d, piece, shut[0]) if shut else ""
    return [Text(f"{count} x {name}" if count > 1 else name, look) for name, count in names.items()]


def _closed_name(d: Display, piece: PieceInfo, args: Args) -> str:
    one = entity(piece, args)
    return "" if one is None else clean(d.language.say(d.position.compiled.secrecy.closed[one.kind]))


def once(d: Display, piece: PieceInfo, args: Args) -> Text:
    """A text for one member, its `when` already tried."""
    text = Text()
    if piece.text is not None:
        text.append(_filled(d, piece, args))
    elif piece.thing is not None:
        text.append_text(_thing(d, piece, args))
    for part in piece.parts:
        text.append_text(words(d, part, args))
    look = style(d, piece, args)
    if look and text.plain:
        text = Text.assemble(text)
        text.stylize_before(look)
    return text


def style(d: Display, piece: PieceInfo, args: Args) -> str:
    """The style of a part: its own, and the colour of its side."""
    colour = side_style(d, piece.side, args)
    return " ".join(s for s in (colour, eyes.good_style(piece.definition.style)) if s)


def side_style(d: Display, function: int | None, args: Args) -> str:
    """The colour of the player that a function gives."""
    if function is None:
        return ""
    seat = value(d, function, args)
    return seat_style(d.info, seat) if isinstance(seat, int) and seat >= 0 else ""


def seat_style(info: DisplayInfo, seat: int) -> str:
    """The colour of a player."""
    return eyes.good_style(info.colours.get(seat, eyes.SEAT_STYLES[seat % len(eyes.SEAT_STYLES)]))


def _filled(d: Display, piece: PieceInfo, args: Args) -> str:
    info = piece.text
    assert info is not None
    values = [value(d, f, args) for f in info.functions]
    secret = {i for i, (v, ty) in enumerate(zip(values, info.types, strict=True)) if _names_closed(d, v, ty)}
    template = info.template
    return clean(fill(template, values, info.types, d.position.compiled, d.language, secret))


def _names_closed(d: Display, shown: Shown, ty: Ty) -> bool:
    inner = strip(ty.of) if isinstance(ty, SetT | ListT) else strip(ty)
    if not isinstance(inner, KindT):
        return False
    low = low_of_set(inner) if isinstance(ty, SetT) else 0
    named = [v + low for v in shown] if isinstance(shown, tuple) else [shown]
    return any(closed(d, KindT(inner.kind), v) for v in named)


def _thing(d: Display, piece: PieceInfo, args: Args) -> Text:
    """The look of a space or piece, or the printed text of anything."""
    assert piece.thing is not None
    function, ty = piece.thing
    number = value(d, function, args)
    assert isinstance(ty, KindT) and isinstance(number, int)
    one = ty.kind.entities[number]
    if piece.definition.form == "sign":
        drawn = eyes.draw_piece(d.position, one)
        return Text(drawn.text, drawn.style)
    if closed(d, ty, number):
        return Text()
    return Text(clean(" ".join(d.language.say(text) for text in eyes.printed(d.position, one))))


def in_full(d: Display) -> Display:
    """The same display with nothing told in brief."""
    return replace(d, full=True)
