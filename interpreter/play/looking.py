"""Looking at single things during a game: a piece, a space, a player, a rule. Everything is found by id or by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from interpreter.diagnostics import UsageError, did_you_mean
from interpreter.game import Position
from interpreter.lang.world import Entity, Field, Kind
from interpreter.play import sight as eyes
from interpreter.play.answers import plain
from interpreter.play.words import say
from interpreter.rendering import clean
from interpreter.runtime import stage, texts
from interpreter.runtime.texts import Language

TOPICS = ("board", "pieces", "rules", "players", "options")


def names(position: Position) -> list[str]:
    """All that can be looked at by a word."""
    return [*TOPICS, *(e.id for kind in position.compiled.world.kinds.values() for e in kind.entities)]


def look(position: Position, what: str, language: Language, console: Console, panels: Sequence[str] = ()) -> None:
    """Prints what is known of a thing. Raises UsageError if there is nothing of that name. `panels`: what else can be
    shown.
    """
    wanted = plain(what)
    world = position.compiled.world
    known = [*panels, *(topic for topic in TOPICS if topic not in panels)]
    listed = say(language, "can_show", names=", ".join(known))
    if wanted == "?":
        console.print(Text(listed))
        return
    if wanted == "pieces":
        for kind in world.kinds.values():
            if kind.is_piece:
                console.print(pieces(position, kind, language))
        return
    if wanted == "players":
        for player in world.players.entities:
            _thing(position, player, language, console)
        return
    if wanted == "rules":
        _rules(position, language, console)
        return
    if wanted == "options":
        for name, option in world.options.items():
            chosen = language.say("yes" if position.compiled.options.get(name) else "no")
            console.print(Text(clean(f"  {language.say(option.title or name)}: {chosen}")))
        return
    found = [e for e in _everything(position) if wanted in (plain(e.id), plain(language.say(e.title)))]
    if not found:
        text = say(language, "unknown_show", typed=clean(what[:60]))
        raise UsageError(text, did_you_mean(what, [*known, *names(position)]) or listed)
    for entity in found:
        _thing(position, entity, language, console)


def _everything(position: Position) -> Iterable[Entity]:
    for kind in position.compiled.world.kinds.values():
        yield from kind.entities


def _thing(position: Position, entity: Entity, language: Language, console: Console) -> None:
    """A thing's name, place, fields, and what is on or beside it."""
    kind, world = entity.kind, position.compiled.world
    console.print(Text.assemble((eyes.title(entity, language), "bold"), f"  ({entity.id})"))
    rows: list[tuple[str, str]] = []
    rows += [("", clean(language.say(text))) for text in eyes.printed(position, entity)]
    if kind.is_piece and kind in position.compiled.layout.at and not eyes.is_closed(position, entity):
        rows.append((say(language, "is_at"), place(position, entity, language)))
    for field in kind.fields.values():
        if field.per or _hidden(position, field, entity):
            continue
        value = eyes.value_words(eyes.value_of(position, field, entity), field.type, position, language)
        if value:
            rows.append((language.say(field.name.replace("_", " ")), value))
    board = world.board
    if board is not None and kind is board.space:
        here = ", ".join(eyes.title(p, language) for p in eyes.where_all_stand(position)[entity.index])
        leads = stage.graph(position.compiled, position.cells)
        near = ", ".join(eyes.title(kind.entities[n], language) for n, _ in leads.around[entity.index])
        rows += [(say(language, "here"), here or "–"), (say(language, "leads_to"), near or "–")]
    for name, value in rows:
        console.print(Text(f"  {name}: {value}" if name else f"  {value}"))


def place(position: Position, piece: Entity, language: Language) -> str:
    """Where a piece is, for people."""
    number = position.cells[position.compiled.layout.at[piece.kind].base + piece.index]
    return clean(texts.place_title(number, position.compiled.world, language))


def pieces(position: Position, kind: Kind, language: Language) -> Table:
    """All pieces of a kind: name, where they are, fields that say something."""
    fields = [f for f in kind.fields.values() if not f.per]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="dim", show_edge=False)
    for head in [language.say(kind.title), "", say(language, "is_at"), *(f.name.replace("_", " ") for f in fields)]:
        table.add_column(clean(language.say(head)))
    for piece in kind.entities:
        if eyes.is_closed(position, piece):
            continue
        values = [eyes.value_words(eyes.value_of(position, f, piece), f.type, position, language) for f in fields]
        where = place(position, piece, language) if kind in position.compiled.layout.at else ""
        table.add_row(Text(eyes.title(piece, language)), Text(piece.id, style="dim"), where, *values)
    for (name, where), count in _closed(position, kind, language).items():
        table.add_row(Text(name), Text(f"x {count}", style="dim"), where)
    return table


def _hidden(position: Position, field: Field, entity: Entity) -> bool:
    """Whether a field of a thing is hidden from whoever looks."""
    return position.seen is not None and position.seen.hides(field, entity.index * field.cells_each)


def _closed(position: Position, kind: Kind, language: Language) -> Counter[tuple[str, str]]:
    """How many closed pieces there are by name and place."""
    found = [p for p in kind.entities if eyes.is_closed(position, p)]
    return Counter((eyes.title(eyes.shown_as(position, p), language), place(position, p, language)) for p in found)


def _rules(position: Position, language: Language, console: Console) -> None:
    """The phases and what the author says of them; the whole text of the rules is printed by `petteia show`."""
    game = position.game.definition
    if game.text:
        console.print(Text(clean(language.say(game.text))))
    for phase in game.phases:
        rule = f"  ({phase.citation.rule})" if phase.citation.rule else ""
        console.print(Text(clean(f"  {language.say(phase.title or phase.name.text)}{rule}")))
    console.print(Text(say(language, "rules_shown_by", game=clean(position.game.name)), style="dim"))
