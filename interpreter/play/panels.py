"""Panels of a display as lines of text that fit a width: tables, columns, boxes side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from io import StringIO
from itertools import groupby

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from interpreter.core.screens import PanelInfo, PieceInfo
from interpreter.diagnostics import RuleFault
from interpreter.play import display as shown
from interpreter.play.board import BRACKETS, Mark
from interpreter.play.display import Args, Display

GAP = 2  # blanks between columns
HANG = 2  # blanks before what is left of a line that is broken
FAULT = "cannot be shown: "
LEAST = 24  # width of a box, if its author does not say

_MEASURE = Console(file=StringIO(), width=200, color_system=None)  # only breaks lines


@dataclass(frozen=True)
class Drawn:
    """A panel as it stands: its name, its heading and its lines."""

    name: str
    title: Text
    lines: list[Text]


def panel(d: Display, name: str, width: int, marks: Mapping[int, Mark]) -> Drawn | None:
    """A panel at this position; None if it is not there now. What the rules can't compute is said in its place."""
    info = d.info.panels[name]
    try:
        if not is_there(d, info):
            return None
        title = shown.words(d, info.title, d.args)
        lines = stack(d, info.lines, d.args, width, marks)
    except RuleFault as fault:
        return Drawn(name, Text(name), [*wrapped(Text(f"{FAULT}{fault}", "red"), width)])
    return Drawn(name, title, lines) if lines or title else None


def is_there(d: Display, info: PanelInfo) -> bool:
    """Whether its scene is open and its condition holds."""
    return all(d.position.cells[cell] for cell in info.open) and shown.holds(d, info.when, d.args)


# ---- lines ----------------------------------------------------------------------------------------------------------


def stack(d: Display, pieces: tuple[PieceInfo, ...], args: Args, width: int, marks: Mapping[int, Mark]) -> list[Text]:
    """Lines below each other; rows, columns and boxes that follow each other belong together."""
    made: list[Text] = []
    for form, group in groupby(pieces, key=lambda piece: piece.definition.form):
        found, below = [*group], list[Text]()
        match form:
            case "cells":
                made += _rows(d, found, args, width, marks)
            case "across":
                columns = [c for piece in found for c in _columns(d, piece, _told(d, piece, args, below, width))]
                made += _across(columns, width)
            case "boxes":
                least = max(piece.definition.width for piece in found) or LEAST
                told = [(piece, a) for piece in found for a in _told(d, piece, args, below, width)]
                made += _boxes(d, told, least, width, marks)
            case _:
                for piece in found:
                    made += _lines(d, piece, args, width, marks)
        made += below
    return made


def _rows(d: Display, pieces: list[PieceInfo], args: Args, width: int, marks: Mapping[int, Mark]) -> list[Text]:
    """Rows of cells, behind each other what is told in brief of them."""
    rows: list[list[Text]] = []
    below: list[Text] = []
    for piece in pieces:
        told, short, shut = _sorted_out(d, piece, args)
        rows += [_row(d, piece, a, marks) for a in told]
        rows += [[text] for text in shown.hidden(d, piece, shut)]
        below += [] if short is None else wrapped(short, width)
    return [*table(rows, width), *below]


def _told(d: Display, piece: PieceInfo, args: Args, below: list[Text], width: int) -> list[Args]:
    """The members that are told in full; a line for the others is put `below`."""
    told, short, shut = _sorted_out(d, piece, args)
    if shut:
        below += wrapped(Text(", ").join(shown.hidden(d, piece, shut)), width)
    if short is not None:
        below += wrapped(short, width)
    return told


def _sorted_out(d: Display, piece: PieceInfo, args: Args) -> tuple[list[Args], Text | None, list[Args]]:
    """The members that are told in full, a line for those that are not, and closed ones."""
    opened, shut = shown.members(d, piece, args)
    if piece.brief is None or d.full:
        return opened, None, shut
    brief = [a for a in opened if shown.holds(d, piece.brief, a)]
    if not brief:
        return opened, None, shut
    names = Text(", ").join([_short(d, piece, a) for a in brief])
    names.stylize_before("dim")
    return [a for a in opened if a not in brief], names, shut


def _short(d: Display, piece: PieceInfo, args: Args) -> Text:
    if piece.short is not None:
        return shown.words(d, piece.short, args)
    return shown.words(d, piece.parts[0], args) if piece.parts else Text()


def _row(d: Display, piece: PieceInfo, args: Args, marks: Mapping[int, Mark]) -> list[Text]:
    cells = [shown.words(d, part, args) for part in piece.parts]
    style = shown.style(d, piece, args)
    for cell in cells:
        cell.stylize_before(style)
    return [_marked(d, piece, args, cells[0], marks), *cells[1:]]


def _marked(d: Display, piece: PieceInfo, args: Args, name: Text, marks: Mapping[int, Mark]) -> Text:
    """The first cell of the row of a space, in brackets if that space is pointed out."""
    one = shown.entity(piece, args)
    board = d.position.compiled.world.board
    if one is None or board is None or one.kind is not board.space or one.index not in marks:
        return name
    opening, closing = BRACKETS[marks[one.index]]
    return Text.assemble((opening, "bold"), name, (closing, "bold"))


def _lines(d: Display, piece: PieceInfo, args: Args, width: int, marks: Mapping[int, Mark]) -> list[Text]:
    """A line for each member, or the lines of a group."""
    below: list[Text] = []
    made: list[Text] = []
    for a in _told(d, piece, args, below, width):
        if piece.definition.form == "lines":
            made += stack(d, piece.parts, a, width, marks)
        elif (text := shown.once(d, piece, a)) or piece.each is None:
            made += wrapped(text, width)
    return [*made, *below]


def wrapped(text: Text, width: int) -> list[Text]:
    """A line broken where it is too long, what follows set in a little."""
    if cell_len(text.plain) <= width:
        return [text]
    lead = len(text.plain) - len(text.plain.lstrip(" "))
    lines = [*text.wrap(_MEASURE, max(width - HANG - lead, 8))]
    for line in lines:
        line.rstrip()
    return [lines[0], *(Text.assemble(" " * (HANG + lead), line) for line in lines[1:])]


def table(rows: list[list[Text]], width: int) -> list[Text]:
    """Rows with their cells in columns; empty columns are left out, what does not fit the last one is broken."""
    count = max((len(row) for row in rows), default=0)
    rows = [[*row, *(Text() for _ in range(count - len(row)))] for row in rows]
    wide = [max((cell_len(row[i].plain) for row in rows if _goes_on(row, i)), default=0) for i in range(count)]
    used = [i for i in range(count) if any(row[i].plain for row in rows)]
    made: list[Text] = []
    last_column = max(used, default=0)
    narrow = sum(wide[i] + 1 for i in used if i != last_column) > width
    for row in rows:
        if narrow:
            made += wrapped(Text(" ").join([cell for cell in row if cell.plain]), width)
            continue
        line = Text()
        last = max((i for i in used if row[i].plain), default=-1)
        for i in used:
            if i == last and cell_len(line.plain) + cell_len(row[i].plain) > width:
                made += _hung(line, row[i], width)
                break
            line.append_text(row[i])
            if i == last:
                made.append(line)
                break
            line.append(" " * (wide[i] - cell_len(row[i].plain) + 1))
        else:
            made.append(line)
    return made


def _goes_on(row: list[Text], i: int) -> bool:
    """Whether anything stands behind a cell, so that it must be filled up."""
    return any(cell.plain for cell in row[i + 1 :])


def _hung(line: Text, cell: Text, width: int) -> list[Text]:
    """A row whose last cell is too long for it: the cell goes on below its beginning, or stands below the row."""
    used = cell_len(line.plain)
    if 2 * used > width:
        line.rstrip()
        return [line, *(Text.assemble(" " * HANG, piece) for piece in wrapped(cell, width - HANG))]
    pieces = [*cell.wrap(_MEASURE, width - used)]
    for piece in pieces:
        piece.rstrip()
    return [Text.assemble(line, pieces[0]), *(Text.assemble(" " * used, piece) for piece in pieces[1:])]


def _columns(d: Display, piece: PieceInfo, told: list[Args]) -> list[list[Text]]:
    """The cells of each member's column, from the top down."""
    columns = []
    for a in told:
        style = shown.style(d, piece, a)
        cells = [shown.words(d, part, a) for part in piece.parts]
        for cell in cells:
            cell.stylize_before(style)
        columns.append(cells)
    return columns


def _across(columns: list[list[Text]], width: int) -> list[Text]:
    """Columns side by side; too many go on below."""
    height = max((len(column) for column in columns), default=0)
    columns = [[*column, *(Text() for _ in range(height - len(column)))] for column in columns]
    kept = [i for i in range(height) if any(column[i].plain for column in columns)]
    made: list[Text] = []
    while columns:
        now, used = 0, 0
        while now < len(columns) and (now == 0 or used + _widest(columns[now]) + 1 <= width):
            used += _widest(columns[now]) + (1 if now else 0)
            now += 1
        for i in kept:
            made.append(Text(" ").join([_centred(column[i], _widest(column)) for column in columns[:now]]))
        columns = columns[now:]
    for line in made:
        line.rstrip()
    return made


def _widest(cells: list[Text]) -> int:
    return max((cell_len(cell.plain) for cell in cells), default=0)


def _centred(text: Text, width: int) -> Text:
    left = (width - cell_len(text.plain)) // 2
    return Text.assemble(" " * left, text, " " * (width - cell_len(text.plain) - left))


# ---- boxes ----------------------------------------------------------------------------------------------------------


def _boxes(
    d: Display, told: list[tuple[PieceInfo, Args]], least: int, width: int, marks: Mapping[int, Mark]
) -> list[Text]:
    """Boxes in columns that are about equally long, in order from the top left."""
    count = max(1, min((width + GAP) // (least + GAP), len(told)))
    room = (width - GAP * (count - 1)) // count
    boxes = []
    for piece, a in told:
        title = shown.words(d, piece.title, a)
        lines = stack(d, piece.parts, a, room, marks)
        if lines:
            boxes.append([*heading(title, room, "─"), *lines] if title.plain else lines)
    columns = [[line for box in column for line in box] for column in _shared(boxes, count)]
    return side_by_side(columns, [room] * count)


def _shared(boxes: list[list[Text]], count: int) -> list[list[list[Text]]]:
    """Boxes dealt into columns in order, so that the longest column is as short as can be."""
    most = max((len(box) for box in boxes), default=0)
    while True:
        columns: list[list[list[Text]]] = [[]]
        for box in boxes:
            if columns[-1] and sum(map(len, columns[-1])) + len(box) > most:
                columns.append([])
            columns[-1].append(box)
        if len(columns) <= count:
            return columns
        most += 1


def heading(title: Text, width: int, line: str) -> list[Text]:
    """A heading with a line behind it."""
    left = width - cell_len(title.plain) - 1
    if left < 1:
        return wrapped(title, width)
    return [Text.assemble(title, " ", (line * left, "dim"))]


def side_by_side(columns: list[list[Text]], rooms: list[int]) -> list[Text]:
    """Columns of lines beside each other."""
    made = []
    for i in range(max((len(column) for column in columns), default=0)):
        line = Text()
        start = 0
        for column, room in zip(columns, rooms, strict=False):
            cell = column[i] if i < len(column) else Text()
            line.append(" " * (start - cell_len(line.plain)))
            line.append_text(cell)
            start += room + GAP
        line.rstrip()
        made.append(line)
    return made


# ---- pages ----------------------------------------------------------------------------------------------------------


def page(d: Display, names: list[str], width: int, marks: Mapping[int, Mark]) -> list[Text]:
    """Panels below each other, those that stand `beside` others to their right if there is room."""
    made: list[Text] = []
    row: list[str] = []
    for name in [*names, ""]:
        if name and row and d.info.panels[name].definition.beside:
            row.append(name)
            continue
        made += _beside(d, row, width, marks)
        row = [name]
    return made


def _beside(d: Display, names: list[str], width: int, marks: Mapping[int, Mark]) -> list[Text]:
    """A row of panels, each as wide as it needs to be; below each other if they do not fit so."""
    whole = [one for name in names if (one := panel(d, name, width, marks)) is not None]
    if len(whole) < 2:
        return [line for one in whole for line in framed(one, width)]
    wide = [max(_widest(one.lines), cell_len(one.title.plain) + 2) for one in whole]
    spare = width - sum(wide) - GAP * (len(whole) - 1)
    if spare < 0:
        return [line for one in whole for line in framed(one, width)]
    wide[-1] += spare
    return side_by_side([framed(one, room) for one, room in zip(whole, wide, strict=True)], wide)


def framed(one: Drawn, width: int) -> list[Text]:
    """A panel below its heading."""
    if not one.title.plain:
        return one.lines
    title = Text.assemble(one.title)
    title.stylize_before("bold")
    return [*heading(title, width, "━"), *one.lines]
