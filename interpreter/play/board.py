"""The map as text: a grid as a drawing with labelled lines, any other map as a table. Rich knows about colours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from rich import box
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from interpreter.game import Position
from interpreter.lang.types import BoolT
from interpreter.lang.world import Entity, Field
from interpreter.play import sight as eyes
from interpreter.play.sight import Drawn, Sight
from interpreter.play.words import say
from interpreter.runtime import stage
from interpreter.runtime.texts import PLAIN, Language

Mark = Literal["from", "to", "goal"]
BRACKETS: dict[Mark, tuple[str, str]] = {"from": ("(", ")"), "to": ("[", "]"), "goal": ("<", ">")}
MOST_COLUMNS = 5  # fields that a table shows; a map with more of them is told in brief
MARK_STYLE: dict[Mark, str] = {"from": "dim", "to": "bold reverse", "goal": "reverse"}


def board(
    position: Position, language: Language = PLAIN, marks: Mapping[int, Mark] | None = None, width: int = 80
) -> RenderableType:
    """The map of a position with a legend. `marks`: spaces to point out. Raises RuleFault if a look cannot be told."""
    seen = eyes.sight(position)
    if seen is None:
        return Text(say(language, "no_map"))
    if seen.board.columns:
        parts: list[RenderableType] = [*_grid(seen, marks or {}, width)]
        below = _legend(seen, language, width)
        return Group(*parts, *([Text(), below] if below.plain else []))
    return _table(seen, language, marks or {}, width)


def moved(before: Position, after: Position) -> dict[int, Mark]:
    """Marks for what went from where to where between two positions: the spaces left, and those entered by a piece."""
    old, new = eyes.where_all_stand(before), eyes.where_all_stand(after)
    was = {piece: space for space, pieces in enumerate(old) for piece in pieces if not eyes.is_closed(before, piece)}
    marks: dict[int, Mark] = {}
    for space, pieces in enumerate(new):
        for piece in pieces:
            if was.get(piece) != space and not eyes.is_closed(after, piece):
                if piece in was:
                    marks[was[piece]] = "from"
                marks[space] = "to"
    return marks


# ---- grids ----------------------------------------------------------------------------------------------------------


def _grid(seen: Sight, marks: Mapping[int, Mark], width: int) -> list[Text]:
    """The lines of a grid; one that is too wide is drawn in several pieces from left to right."""
    shape = seen.board
    names, rows = grid_labels(seen)
    hexes = shape.direction is not None and len(shape.direction.values) == 6
    inner = max([cell_len(d.text) for d in seen.drawn] + [cell_len(n) for n in names])
    cell = inner + 2 + (inner % 2 if hexes else 0)  # a row of hexagons is shifted by half a cell
    edge = max(cell_len(r) for r in rows) + 1
    most = max(1, (width - 2 * edge - (cell // 2 if hexes else 0)) // cell)
    lines: list[Text] = []
    for first in range(0, shape.columns, most):
        columns = range(first, min(first + most, shape.columns))
        if first:
            lines.append(Text())
        lines += _slice(seen, marks, names, rows, columns, hexes, cell, edge)
    return lines


def _slice(
    seen: Sight,
    marks: Mapping[int, Mark],
    names: list[str],
    rows: list[str],
    columns: range,
    hexes: bool,
    cell: int,
    edge: int,
) -> list[Text]:
    def shift(row: int) -> str:
        return " " * (cell // 2) if hexes and row % 2 else ""

    def head(row: int) -> Text:
        labels = "".join(_centred(names[c], cell) for c in columns)
        return Text(" " * edge + shift(row) + labels.rstrip(), style="dim")

    lines = [head(seen.board.rows - 1)]
    for row in reversed(range(seen.board.rows)):
        line = Text()
        line.append(f"{rows[row]:>{edge - 1}} ", style="dim")
        line.append(shift(row))
        for column in columns:
            space = row * seen.board.columns + column
            line.append_text(_cell(seen.drawn[space], marks.get(space), cell))
        tail = "" if shift(row) or not hexes else " " * (cell // 2)
        line.append(f"{tail} {rows[row]}", style="dim")
        lines.append(line)
    return [*lines, head(0)]


def grid_labels(seen: Sight) -> tuple[list[str], list[str]]:
    """Names of a grid's columns and rows: a space is called by its column, then its row."""
    shape, ids = seen.board, [e.id for e in seen.board.space.entities]
    row = _common_end([ids[c] for c in range(shape.columns)]) if shape.columns > 1 else ids[0][1:]
    names = [i[: len(i) - len(row)] for i in ids[: shape.columns]]
    rows = [ids[r * shape.columns][len(names[0]) :] for r in range(shape.rows)]
    return names, rows


def _common_end(words: list[str]) -> str:
    shortest = min(words, key=len)
    for size in range(len(shortest) - 1, 0, -1):
        if all(w.endswith(shortest[-size:]) for w in words):
            return shortest[-size:]
    return ""


def _centred(text: str, width: int) -> str:
    left = (width - cell_len(text)) // 2
    return " " * left + text + " " * (width - cell_len(text) - left)


def _cell(drawn: Drawn, mark: Mark | None, width: int) -> Text:
    left = (width - cell_len(drawn.text)) // 2
    right = width - cell_len(drawn.text) - left
    if mark is None:
        return Text.assemble(" " * left, (drawn.text, drawn.style), " " * right)
    opening, closing = BRACKETS[mark]
    return Text.assemble(
        " " * (left - 1), (opening, "bold"), (drawn.text, drawn.style), (closing, "bold"), " " * (right - 1)
    )


def _legend(seen: Sight, language: Language, width: int) -> Text:
    """What the signs mean; an entry is never broken over two lines."""
    text = Text()
    used = 0
    for drawn, words in eyes.legend(seen, language):
        size = cell_len(drawn.text) + 1 + cell_len(words)
        if used:
            text.append("\n" if used + 3 + size > width else "   ")
            used = 0 if used + 3 + size > width else used + 3
        text.append(drawn.text, style=drawn.style)
        text.append(f" {words}", style="dim")
        used += size
    return text


# ---- other maps -----------------------------------------------------------------------------------------------------


def _table(seen: Sight, language: Language, marks: Mapping[int, Mark], width: int) -> RenderableType:
    """A row a space: its name, what stands there, its fields, its neighbours."""
    position, space_kind = seen.position, seen.board.space
    fields = [f for f in space_kind.fields.values() if not f.per and _anywhere(seen, f, language)]
    if len(fields) > MOST_COLUMNS:
        return Group(_brief(seen, fields, language, marks), Text(), _legend(seen, language, width))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="dim", show_edge=False)
    table.add_column(language.say(space_kind.title), no_wrap=True)
    table.add_column(say(language, "here"))
    for field in fields:
        table.add_column(language.say(field.name.replace("_", " ")))
    table.add_column(say(language, "leads_to"), style="dim")
    leads = stage.graph(position.compiled, position.cells)
    for space in (s for s in space_kind.entities if eyes.takes_part(position, s)):
        name = _name(space, marks.get(space.index), language)
        values = [_value(seen, f, space.index, language) for f in fields]
        around = ", ".join(eyes.title(space_kind.entities[n], language) for n, _ in leads.around[space.index])
        table.add_row(name, _pieces(seen, space.index, language), *values, around)
    own = eyes.draw(position, space_kind.entities[0]) if space_kind.entities else None
    return Group(table, Text(), _legend(seen, language, width)) if own is not None else table


def _name(space: Entity, mark: Mark | None, language: Language) -> Text:
    name = Text(eyes.title(space, language), style="bold" if mark == "to" else "")
    if mark is None:
        return name
    opening, closing = BRACKETS[mark]
    return Text.assemble(opening, name, closing)


def _brief(seen: Sight, fields: list[Field], language: Language, marks: Mapping[int, Mark]) -> Table:
    """A row a space on which something stands or of which something is true that can change; the rest is for `show`."""
    position = seen.position
    changing = [f for f in fields if f in position.compiled.layout.fields]
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    table.add_column(style="dim")
    for space in (s for s in seen.board.space.entities if eyes.takes_part(position, s)):
        facts = []
        for field in changing:
            value, name = _value(seen, field, space.index, language), language.say(field.name.replace("_", " "))
            if value:
                facts.append(name if isinstance(field.type, BoolT) else f"{name}: {value}")
        if facts or seen.standing[space.index] or space.index in marks:
            here = _pieces(seen, space.index, language)
            table.add_row(_name(space, marks.get(space.index), language), here, ", ".join(facts))
    return table


def _pieces(seen: Sight, space: int, language: Language) -> Text:
    """What stands on a space; of copies that follow each other only the first is named in full: `Spear 1, 3`."""
    line = Text()
    look = seen.drawn[space]
    if look.look >= 0:
        line.append(look.text + " ", style=look.style)
    for i, piece in enumerate(seen.standing[space]):
        if i:
            line.append(", ")
        drawn = eyes.draw_piece(seen.position, piece)
        name, common = eyes.title(piece, language), eyes.stem(piece, language) + " "
        again = i > 0 and _alike(seen.position, seen.standing[space][i - 1], piece, language)
        if again and name.startswith(common):
            line.append(name.removeprefix(common), style=drawn.style)
            continue
        if drawn.look >= 0 and drawn.text != name:
            line.append(drawn.text + " ", style=drawn.style)
        line.append(name, style=drawn.style)
    return line


def _alike(position: Position, one: Entity, other: Entity, language: Language) -> bool:
    """Whether two pieces are copies that look the same."""
    looks = [eyes.draw_piece(position, piece) for piece in (one, other)]
    same = looks[0].look == looks[1].look and (looks[0].look < 0 or looks[0].text == looks[1].text)
    return same and eyes.stem(one, language) == eyes.stem(other, language)


def _anywhere(seen: Sight, field: Field, language: Language) -> bool:
    return any(_value(seen, field, s.index, language) for s in seen.board.space.entities)


def _value(seen: Sight, field: Field, space: int, language: Language) -> str:
    entity = seen.board.space.entities[space]
    value = eyes.value_of(seen.position, field, entity)
    if isinstance(field.type, BoolT):
        return "✓" if value else ""
    return eyes.value_words(value, field.type, seen.position, language)
