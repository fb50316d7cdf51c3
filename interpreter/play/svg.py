"""The map as a picture of its own: squares, hexagons, or a graph of spaces, with the pieces that stand there."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from rich.cells import cell_len

from interpreter.game import Position
from interpreter.lang.board import network
from interpreter.lang.types import BoolT
from interpreter.lang.world import Board, Entity
from interpreter.play import inks, painting
from interpreter.play import sight as eyes
from interpreter.play.board import grid_labels
from interpreter.play.display import display
from interpreter.play.inks import COLOURS, FIELD, INK, LINE, PALE, PAPER
from interpreter.play.sight import Drawn, Sight
from interpreter.rendering import clean
from interpreter.runtime.texts import PLAIN, Language

CELL = 56.0  # side of a square, and width of a hexagon, in pixels
MARGIN = 44.0
LEAST = 120.0  # pixels between the nearest two spaces of a graph
TITLE = 46.0  # height of the heading
LEGEND = 30.0  # height of a line of the legend


@dataclass(frozen=True)
class _Spot:
    """Where a space is drawn, and how large."""

    x: float
    y: float
    size: float


def svg(position: Position, language: Language = PLAIN) -> str:
    """The map of a position as a whole SVG file, the same for the same position. Empty if the game has no map."""
    shown = display(position, language)
    if shown is not None and shown.info.painted:
        return painting.painted(shown)
    seen = eyes.sight(position)
    if seen is None:
        return ""
    spots = _grid_spots(seen.board) if seen.board.columns else _graph_spots(seen.board)
    heading = clean(language.say(position.game.title))
    entries = _legend_entries(seen, language)
    width = max(s.x + s.size / 2 for s in spots) + MARGIN
    body = [*_edges(seen.board, spots), *_labels(seen, spots)]
    for space in seen.board.space.entities:
        body += _space(seen, space, spots[space.index], language)
    bottom = max(s.y + s.size / 2 for s in spots) + (MARGIN if seen.board.columns else 50)
    width = max(width, 360.0, 40 + 9.5 * _length(heading))
    rows = _legend_rows(entries, width)
    height = bottom + LEGEND * len(rows) + 12
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}"'
        f' height="{height:.0f}" font-family="Helvetica, Arial, \'Noto Sans CJK KR\', sans-serif">',
        f"<title>{escape(heading)}</title>",
        f'<rect width="100%" height="100%" fill="{PAPER}"/>',
        inks.text(MARGIN, 34, heading, 20, INK, "start", "bold"),
        *body,
    ]
    for number, row in enumerate(rows):
        for x, drawn, words in row:
            lines += _legend_sign(x, bottom + LEGEND * number + 8, drawn, words)
    return "\n".join([*lines, "</svg>"]) + "\n"


# ---- places ---------------------------------------------------------------------------------------------------------


def _is_hex(board: Board) -> bool:
    return board.direction is not None and len(board.direction.values) == 6


def _grid_spots(board: Board) -> list[_Spot]:
    spots = []
    for space in range(board.space.size):
        row, column = divmod(space, board.columns)
        up = board.rows - 1 - row
        if _is_hex(board):
            x = MARGIN + CELL * (column + 0.5 + 0.5 * (row % 2))
            spots.append(_Spot(x, TITLE + MARGIN + CELL * (0.6 + up * math.sqrt(3) / 2), CELL))
        else:
            spots.append(_Spot(MARGIN + CELL * (column + 0.5), TITLE + MARGIN / 2 + CELL * (up + 0.5), CELL))
    return spots


def _graph_spots(board: Board) -> list[_Spot]:
    given = [c for c in board.coordinates if c is not None]
    whole = len(given) == board.space.size
    points = [(float(x), float(y)) for x, y in given] if whole else spread(board)
    gaps = [math.dist(p, q) for i, p in enumerate(points) for q in points[:i]]
    scale = LEAST / max(min(gaps, default=1.0), 1e-6)
    left, top = min(x for x, _ in points), min(y for _, y in points)
    size = 60.0
    edge = MARGIN + 40
    return [_Spot(edge + (x - left) * scale, TITLE + 50 + (y - top) * scale, size) for x, y in points]


def spread(board: Board) -> list[tuple[float, float]]:
    """Points for spaces without coordinates: as far apart as their ways are long, as well as that goes.

    Stress majorization (Gansner, Koren and North 2004) from several circles; the result with the fewest crossings is
    kept. The same map gives the same picture.
    """
    import networkx as nx

    count = board.space.size
    ids = [e.id for e in board.space.entities]
    ways = dict(nx.all_pairs_shortest_path_length(network(board)))
    far = max((d for row in ways.values() for d in row.values()), default=1) + 1.0
    apart = [[float(ways[a].get(b, far)) for b in ids] for a in ids]
    pairs = [(a, b) for a, row in enumerate(board.graph.around) for b, _ in row if a < b]
    best: list[tuple[float, float]] = []
    fewest = -1
    for start in range(12 if count <= 40 else 1):
        order = list(range(count))
        if start:
            random.Random(start).shuffle(order)
        circle = [(math.cos(i * math.tau / count) * far / 2, math.sin(i * math.tau / count) * far / 2) for i in order]
        points = _majorized(circle, apart)
        crossings = sum(_cross(points, p, q) for i, p in enumerate(pairs) for q in pairs[:i]) if count <= 40 else 0
        if fewest < 0 or crossings < fewest:
            best, fewest = points, crossings
        if fewest == 0:
            break
    return [(round(x, 4), round(y, 4)) for x, y in best]


def _majorized(start: list[tuple[float, float]], apart: list[list[float]]) -> list[tuple[float, float]]:
    """Moves each point in turn to where its distances to all others fit best, near ones counting most."""
    points, count = list(start), len(start)
    for _ in range(max(10, min(150, 1_000_000 // max(1, count * count)))):
        for i in range(count):
            total = x = y = 0.0
            for j in range(count):
                if i != j:
                    wanted = apart[i][j]
                    gap = max(math.dist(points[i], points[j]), 1e-9)
                    weight = 1 / (wanted * wanted)
                    x += weight * (points[j][0] + wanted * (points[i][0] - points[j][0]) / gap)
                    y += weight * (points[j][1] + wanted * (points[i][1] - points[j][1]) / gap)
                    total += weight
            if total:
                points[i] = (x / total, y / total)
    return points


def _cross(points: list[tuple[float, float]], p: tuple[int, int], q: tuple[int, int]) -> bool:
    """Whether two edges without a common end cross."""
    if set(p) & set(q):
        return False

    def side(a: int, b: int, c: int) -> bool:
        (ax, ay), (bx, by), (cx, cy) = points[a], points[b], points[c]
        return (bx - ax) * (cy - ay) > (by - ay) * (cx - ax)

    return side(*p, q[0]) != side(*p, q[1]) and side(*q, p[0]) != side(*q, p[1])


# ---- drawing --------------------------------------------------------------------------------------------------------


def _edges(board: Board, spots: list[_Spot]) -> list[str]:
    if board.columns:
        return []
    return [
        f'<line x1="{spots[a].x:.1f}" y1="{spots[a].y:.1f}" x2="{spots[b].x:.1f}" y2="{spots[b].y:.1f}"'
        f' stroke="{LINE}" stroke-width="3"/>'
        for a, row in enumerate(board.graph.around)
        for b, _ in row
        if a < b
    ]


def _labels(seen: Sight, spots: list[_Spot]) -> list[str]:
    """Names of columns and rows round a grid; names of spaces are drawn with them elsewhere."""
    board = seen.board
    if not board.columns:
        return []
    columns, rows = grid_labels(seen)
    lines = []
    for column, name in enumerate(columns):
        below, above = spots[column], spots[(board.rows - 1) * board.columns + column]
        lines.append(inks.text(below.x, below.y + CELL / 2 + 22, name, 14, PALE))
        lines.append(inks.text(above.x, above.y - CELL / 2 - 10, name, 14, PALE))
    for row, name in enumerate(rows):
        first = spots[row * board.columns]
        right = max(s.x for s in spots) + CELL / 2 + 16
        lines.append(inks.text(MARGIN - 16, first.y + 5, name, 14, PALE))
        lines.append(inks.text(right, first.y + 5, name, 14, PALE))
    return lines


def _space(seen: Sight, space: Entity, spot: _Spot, language: Language) -> list[str]:
    """A space, what marks it, and what stands on it."""
    here = seen.standing[space.index]
    about = ", ".join([eyes.title(space, language), *(eyes.title(p, language) for p in here)])
    marked = _is_marked(seen, space)
    colour = _owner_colour(seen, space)
    lines = [f"<g id={quoteattr('space-' + space.id)}><title>{escape(about)}</title>"]
    lines.append(_outline(seen.board, spot, spot.size, FIELD, LINE, 1.2))
    if marked or (colour and not seen.board.columns):
        lines.append(_outline(seen.board, spot, spot.size - 7, inks.tint(colour or LINE), colour or PALE, 2.5))
    drawn = seen.drawn[space.index]
    if not seen.board.columns:
        lines.append(inks.text(spot.x, spot.y + spot.size / 2 + 18, eyes.title(space, language), 13, INK, halo=True))
        lines += _crowd(seen, here, spot)
    elif here:
        lines += _disc(spot.x, spot.y, spot.size * 0.33, drawn)
    elif drawn.text != "·":
        lines.append(inks.text(spot.x, spot.y + 7, drawn.text, 20, inks.colour(drawn.style), "middle", "bold"))
    return [*lines, "</g>"]


def _crowd(seen: Sight, here: tuple[Entity, ...], spot: _Spot) -> list[str]:
    """The pieces on a space of a graph: one in the middle, several side by side, many as a row and a figure."""
    shown = here if len(here) <= 4 else here[:3]
    radius = {1: 15.0, 2: 12.0}.get(len(here), 9.0)
    step = 2 * radius + 1
    lines = []
    for i, piece in enumerate(shown):
        x = spot.x + (i - (len(shown) - 1) / 2) * step
        lines += _disc(x, spot.y, radius, eyes.draw_piece(seen.position, piece))
    if len(shown) < len(here):
        lines.append(inks.text(spot.x, spot.y + 24, f"+{len(here) - len(shown)}", 12, INK))
    return lines


def _disc(x: float, y: float, radius: float, drawn: Drawn) -> list[str]:
    bold = "bold" in drawn.style
    ring = f' stroke="{INK}" stroke-width="2.5"' if bold else ""
    lines = [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{inks.colour(drawn.style)}"{ring}/>']
    if drawn.text.strip("●○◉◯•"):
        size = radius * (1.1 if len(drawn.text) == 1 else 0.85)
        lines.append(inks.text(x, y + size * 0.35, drawn.text, size, "#ffffff", "middle", "bold"))
    return lines


def _outline(board: Board, spot: _Spot, size: float, fill: str, stroke: str, width: float) -> str:
    paint = f'fill="{fill}" stroke="{stroke}" stroke-width="{width}"'
    if not board.columns:
        return f'<circle cx="{spot.x:.1f}" cy="{spot.y:.1f}" r="{size / 2:.1f}" {paint}/>'
    if _is_hex(board):
        radius = size / math.sqrt(3)
        angles = [math.pi / 6 + k * math.pi / 3 for k in range(6)]
        points = " ".join(f"{spot.x + radius * math.cos(a):.1f},{spot.y + radius * math.sin(a):.1f}" for a in angles)
        return f'<polygon points="{points}" {paint}/>'
    corner = f'x="{spot.x - size / 2:.1f}" y="{spot.y - size / 2:.1f}"'
    return f'<rect {corner} width="{size:.1f}" height="{size:.1f}" {paint}/>'


# ---- colours and legend ---------------------------------------------------------------------------------------------


def _is_marked(seen: Sight, space: Entity) -> bool:
    """Whether a space is special: a yes-or-no field of it holds."""
    fields = space.kind.fields.values()
    flags = [f for f in fields if isinstance(f.type, BoolT) and not f.per]
    return any(eyes.value_of(seen.position, f, space) for f in flags)


def _owner_colour(seen: Sight, entity: Entity) -> str:
    """The ink of the side that owns a thing: that of its pieces if they have a look."""
    seat = eyes.owner_of(seen.position, entity)
    if seat < 0:
        return ""
    for space, pieces in enumerate(seen.standing):
        for piece in pieces:
            if eyes.owner_of(seen.position, piece) == seat:
                drawn = seen.drawn[space] if seen.drawn[space].look >= 0 else eyes.draw_piece(seen.position, piece)
                return inks.colour(drawn.style)
    return COLOURS[eyes.SEAT_STYLES[seat % len(eyes.SEAT_STYLES)]]


def _legend_entries(seen: Sight, language: Language) -> list[tuple[Drawn, str, bool]]:
    """Signs with their meaning, and whether the sign is a piece."""
    if seen.board.columns:
        full = {seen.drawn[s] for s, pieces in enumerate(seen.standing) if pieces}
        return [(drawn, words, drawn in full) for drawn, words in eyes.legend(seen, language)]
    found: dict[tuple[Drawn, str], None] = {}
    for pieces in seen.standing:
        for piece in pieces:
            found.setdefault((eyes.draw_piece(seen.position, piece), eyes.stem(piece, language)), None)
    return [(drawn, words, True) for drawn, words in found]


def _legend_rows(
    entries: list[tuple[Drawn, str, bool]], width: float
) -> list[list[tuple[float, tuple[Drawn, bool], str]]]:
    rows: list[list[tuple[float, tuple[Drawn, bool], str]]] = []
    x = width
    for drawn, words, piece in entries:
        size = 44 + 8.0 * _length(words)
        if x + size > width - 10:
            rows.append([])
            x = MARGIN
        rows[-1].append((x, (drawn, piece), words))
        x += size
    return rows


def _legend_sign(x: float, y: float, sign: tuple[Drawn, bool], words: str) -> list[str]:
    drawn, piece = sign
    if piece:
        mark = _disc(x + 10, y, 10, drawn)
    else:
        mark = [inks.text(x + 10, y + 6, drawn.text, 18, inks.colour(drawn.style), "middle", "bold")]
    return [*mark, inks.text(x + 26, y + 5, words, 14, INK, "start")]


def _length(text: str) -> int:
    return cell_len(text)
