"""A map of spaces with coordinates as a painting: areas as tinted land, ways by their sort, counters, names that do not
lie on each other, a legend. What is painted how is said by the `picture` of a display.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from rich.cells import cell_len

from interpreter.core.screens import PaintInfo
from interpreter.lang.world import Board, Entity
from interpreter.play import display as shown
from interpreter.play import inks
from interpreter.play import sight as eyes
from interpreter.play.display import Args, Display
from interpreter.play.inks import INK, LINE, PALE, PAPER
from interpreter.play.lettering import Box, Letters, around
from interpreter.reading.model_display import PaintDef
from interpreter.rendering import clean
from interpreter.runtime import stage

UNIT = 40  # pixels between two coordinates, if the author does not say
EDGE = 70.0  # paper around the outermost spaces
TOP = 40.0  # for the heading
NODE = 13.0  # half the size of a space
LAND = 38.0  # how far an area reaches round a space
COUNTER = 22.0  # side of a counter
FONTS = "Helvetica, Arial, 'DejaVu Sans', 'Noto Sans CJK KR', sans-serif"
MOST = 5  # counters that stand on a space; of more the rest is a figure
WATER, LAND_INK, SEA_INK = "#dce9f0", "#e9e1cc", "#4a7896"
GROUNDS = ("#e8dcc0", "#dfe3c4", "#ead7cb", "#d9e0d2", "#e6dfd0", "#e0d6df", "#e9e3b8", "#d5dfda")
DASHES = {"dashed": ' stroke-dasharray="9 6"', "dotted": ' stroke-dasharray="2 5" stroke-linecap="round"'}


@dataclass
class _Painting:
    """What is under way: where spaces are, and what names must not lie on."""

    d: Display
    board: Board
    points: list[tuple[float, float]]
    letters: Letters

    def taking_part(self) -> Iterator[Entity]:
        """The spaces that are in play."""
        return (s for s in self.board.space.entities if eyes.takes_part(self.d.position, s))


def painted(d: Display) -> str:
    """The map as a whole SVG file, the same for the same view."""
    board = d.position.compiled.world.board
    picture = d.position.game.definition.display
    assert board is not None and picture is not None and picture.picture is not None
    unit = picture.picture.unit or UNIT
    given = [c for c in board.coordinates if c is not None]
    there = [given[s.index] for s in board.space.entities if eyes.takes_part(d.position, s)]
    left, top = min(x for x, _ in there), min(y for _, y in there)
    width = 2 * EDGE + unit * (max(x for x, _ in there) - left)
    bottom = TOP + 2 * EDGE + unit * (max(y for _, y in there) - top)
    points = [(EDGE + (x - left) * unit, TOP + EDGE + (y - top) * unit) for x, y in given]
    p = _Painting(d, board, points, Letters(Box(14, TOP + 10, width - 14, bottom - 2)))
    for x, y in (points[s.index] for s in p.taking_part() if _space_shape(p, s.index) != "none"):
        p.letters.taken.append(Box(x - NODE, y - NODE, x + NODE, y + NODE))
    spaces = [line for s in p.taking_part() for line in _space(p, s)]
    (land, ways), areas = _ways(p), [*_areas(p)]
    legend, height = _legend(p, width, bottom)
    heading = clean(d.language.say(d.position.game.title))
    names = [
        inks.text(n.x, n.y, n.words, n.size, n.ink, halo=True, slant=n.slant, weight=n.weight)
        for n in p.letters.placed([p.points[s.index] for s in p.taking_part()])
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}"'
            f' height="{height:.0f}" font-family="{FONTS}">',
            f"<title>{escape(heading)}</title>",
            f'<rect width="100%" height="100%" fill="{PAPER}"/>',
            f'<rect x="12" y="{TOP + 8:.0f}" width="{width - 24:.0f}" height="{bottom - TOP - 8:.0f}" rx="10"'
            f' fill="{WATER if picture.picture.sea else PAPER}"/>',
            inks.text(20, 32, heading, 22, INK, "start", "bold"),
            *land,
            *areas,
            *ways,
            *spaces,
            *names,
            *legend,
            "</svg>",
        ]
    ) + "\n"  # fmt: skip


def _fitting(d: Display, paints: tuple[PaintInfo, ...], args: Args) -> PaintInfo | None:
    """The first of a list whose condition holds."""
    return next((p for p in paints if shown.holds(d, p.when, args)), None)


def _ink(d: Display, paint: PaintInfo | None, args: Args, otherwise: str) -> str:
    """The colour of a paint: that of its side, else its own."""
    style = "" if paint is None else shown.side_style(d, paint.side, args) or paint.definition.style
    return inks.colour(style) if style else otherwise


# ---- areas ----------------------------------------------------------------------------------------------------------


def _areas(p: _Painting) -> Iterator[str]:
    """Each area as land around its spaces and between those that lie close, with its name."""
    number = 0
    for paint in p.d.info.areas:
        assert paint.each is not None and paint.of is not None
        for member in shown.raw_members(p.d, paint.each, p.d.args):
            args = (*p.d.args, member)
            found = shown.value(p.d, paint.of, args)
            spaces = found if isinstance(found, tuple) else ()
            inside = [s for s in spaces if eyes.takes_part(p.d.position, p.board.space.entities[s])]
            if not inside:
                continue
            ink = _ink(p.d, paint, args, "")
            ground = inks.tint(ink) if ink else GROUNDS[number % len(GROUNDS)]
            number += 1
            yield from _land(p, inside, ground, ink)
            name = shown.words(p.d, paint.text, args).plain
            if name:
                p.letters.name_area(name, [p.points[s] for s in inside], ink or PALE)


def _land(p: _Painting, inside: list[int], ground: str, ink: str) -> Iterator[str]:
    """A rounded patch of ground, with a rim."""
    for grow, paint in ((1.5, ink or LINE), (0.0, ground)):
        yield f'<g fill="{paint}" stroke="{paint}" stroke-width="{2 * (LAND + grow):.0f}" stroke-linecap="round">'
        for s in inside:
            x, y = p.points[s]
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{LAND + grow:.1f}" stroke="none"/>'
        for a, b in _tree(p, inside):
            (x, y), (v, w) = p.points[a], p.points[b]
            yield f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{v:.1f}" y2="{w:.1f}"/>'
        yield "</g>"


def _tree(p: _Painting, inside: list[int]) -> list[tuple[int, int]]:
    """The shortest lines that join some spaces."""
    joined, made = [inside[0]], []
    rest = inside[1:]
    while rest:
        a, b = min(
            ((a, b) for a in joined for b in rest), key=lambda pair: math.dist(p.points[pair[0]], p.points[pair[1]])
        )
        made.append((a, b))
        joined.append(b)
        rest.remove(b)
    return made


# ---- ways -----------------------------------------------------------------------------------------------------------


def _ways(p: _Painting) -> tuple[list[str], list[str]]:
    """The edges, each once; and the land that lies along some of them."""
    graph = stage.graph(p.d.position.compiled, p.d.position.cells)
    there = {s.index for s in p.taking_part()}
    ground: set[tuple[int, int]] = set()
    made: list[str] = []
    for a, row in enumerate(graph.around):
        for b, edge in row:
            if a > b or a not in there or b not in there:
                continue
            args = p.d.args if p.board.edge is None else (*p.d.args, edge)
            paint = _fitting(p.d, p.d.info.edges, args)
            shape = "" if paint is None else paint.definition.shape
            ends = {_space_shape(p, a), _space_shape(p, b)}
            if "none" in ends:
                continue
            if paint is not None and paint.definition.land:
                ground.add((a, b))
            if shape != "none":
                ink = LINE if "faint" in ends else _ink(p.d, paint, args, PALE)
                made.append(_line(p.points[a], p.points[b], ink, "dotted" if "faint" in ends else shape))
    return [*_shores(p, ground)], made


def _shores(p: _Painting, ground: set[tuple[int, int]]) -> Iterator[str]:
    """Land along some edges, and between any three that meet."""
    yield f'<g fill="{LAND_INK}" stroke="{LAND_INK}" stroke-width="{1.5 * LAND:.0f}" stroke-linejoin="round">'
    corners = [(a, b, c) for a, b in sorted(ground) for c in range(b + 1, len(p.points)) if {(a, c), (b, c)} <= ground]
    for patch in (*sorted(ground), *corners):
        points = " ".join(f"{p.points[s][0]:.1f},{p.points[s][1]:.1f}" for s in patch)
        yield f'<polygon points="{points}"/>'
    yield "</g>"


def _space_shape(p: _Painting, space: int) -> str:
    paint = _fitting(p.d, p.d.info.spaces, (*p.d.args, space))
    return "circle" if paint is None else paint.definition.shape or "circle"


def _line(a: tuple[float, float], b: tuple[float, float], ink: str, shape: str) -> str:
    return (
        f'<line x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}" stroke="{ink}"'
        f' stroke-width="{2.5 if shape in ("", "plain") else 2}"{DASHES.get(shape, "")}/>'
    )


# ---- spaces and counters --------------------------------------------------------------------------------------------


def _space(p: _Painting, space: Entity) -> Iterator[str]:
    """A space, and the counters that stand on it."""
    args = (*p.d.args, space.index)
    paint = _fitting(p.d, p.d.info.spaces, args)
    x, y = p.points[space.index]
    shape = _space_shape(p, space.index)
    if shape == "none":
        return
    ink = _ink(p.d, paint, args, PALE)
    pieces = [one for one in eyes.where_all_stand(p.d.position)[space.index] if one.kind.name in p.d.info.pieces]
    told = ", ".join([eyes.title(space, p.d.language), *(eyes.title(one, p.d.language) for one in pieces)])
    yield f"<g id={quoteattr('space-' + space.id)}><title>{escape(told)}</title>"
    ring = "" if paint is None else paint.definition.ring
    if ring:
        yield _shape(x, y, NODE + 3, "square" if shape == "square" else "circle", PAPER, inks.colour(ring))
    if shape == "sea":
        yield from _waves(x, y)
    elif shape == "faint":
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{PAPER}" stroke="{LINE}" stroke-width="1.5"/>'
    else:
        yield _shape(x, y, NODE, shape, inks.tint(ink) if ink != PALE else PAPER, ink)
        inside = "" if paint is None else shown.words(p.d, paint.text, args).plain
        if inside:
            yield inks.text(x, y + 4.5, inside, 12, ink, weight="bold")
    node = Box(x - NODE, y - NODE, x + NODE, y + NODE)
    count = min(len(pieces), MOST + 1)
    above, below = (around(node, count * COUNTER, up * COUNTER) for up in (-1, 1))
    up = -1 if p.letters.covered(above) <= p.letters.covered(below) else 1
    yield from _counters(p, pieces, x, y, up)
    yield "</g>"
    name_ink = {"sea": SEA_INK, "faint": PALE}.get(shape, ink if ink != PALE else INK)
    whole = node if not pieces else above if up < 0 else below
    p.letters.name_space(eyes.title(space, p.d.language), whole, name_ink, shape == "sea")


def _waves(x: float, y: float) -> Iterator[str]:
    """The sign of a sea."""
    for shift in (-5, 1, 7):
        yield (
            f'<path d="M{x - 14:.1f} {y + shift:.1f} q3.5 -5 7 0 t7 0 t7 0 t7 0" fill="none"'
            f' stroke="{SEA_INK}" stroke-width="1.6"/>'
        )


def _shape(x: float, y: float, half: float, shape: str, fill: str, ink: str) -> str:
    paint = f'fill="{fill}" stroke="{ink}" stroke-width="2"'
    if shape == "square":
        corner, side = f'x="{x - half:.1f}" y="{y - half:.1f}"', f"{2 * half:.1f}"
        return f'<rect {corner} width="{side}" height="{side}" rx="3" {paint}/>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{half:.1f}" {paint}/>'


def _counters(p: _Painting, pieces: list[Entity], x: float, y: float, up: int) -> Iterator[str]:
    """Counters in a row above or below a space: closed ones without a sign; of many the rest is a figure."""
    if not pieces:
        return
    few = pieces if len(pieces) <= MOST + 1 else pieces[:MOST]
    count = len(few) + (len(few) < len(pieces))
    left, middle = x - count * COUNTER / 2, y + up * (NODE + COUNTER / 2 + 1)
    p.letters.taken.append(Box(left, middle - COUNTER / 2, left + count * COUNTER, middle + COUNTER / 2))
    for i, one in enumerate(few):
        yield from _counter(p, one, left + (i + 0.5) * COUNTER, middle)
    if len(few) < len(pieces):
        yield inks.text(
            left + (count - 0.5) * COUNTER, middle + 4, f"+{len(pieces) - len(few)}", 11, INK, weight="bold", halo=True
        )


def _counter(p: _Painting, one: Entity, x: float, y: float) -> Iterator[str]:
    paint = p.d.info.pieces[one.kind.name]
    args = (*p.d.args, one.index)
    ink = _ink(p.d, paint, args, INK)
    half = COUNTER / 2 - 1
    yield _shape(x, y, half, paint.definition.shape or "square", ink, "#ffffff")
    words = "" if eyes.is_closed(p.d.position, one) else shown.words(p.d, paint.text, args).plain
    if words:
        yield inks.text(x, y + 4, words, 11 if len(words) < 3 else 8, "#ffffff", weight="bold")


# ---- legend ---------------------------------------------------------------------------------------------------------


def _legend(p: _Painting, width: float, top: float) -> tuple[list[str], float]:
    """What colours, spaces and lines mean, in rows below the map; the height of the whole."""
    signs: list[tuple[list[str], str]] = []
    for player in p.d.position.compiled.world.players.entities:
        ink = inks.colour(shown.seat_style(p.d.info, player.index))
        signs.append(([_shape(14, 0, 9, "square", ink, "#ffffff")], eyes.title(player, p.d.language)))
    for paints, sign in ((p.d.info.spaces, _node), (p.d.info.edges, _stretch)):
        for paint in (one.definition for one in paints if one.definition.legend):
            ink = inks.colour(paint.style) if paint.style else PALE
            signs.append(([*sign(paint, ink)], clean(p.d.language.say(paint.legend))))
    lines, x, y = [], 24.0, top + 26
    for sign_lines, words in signs:
        size = 54 + 7.5 * cell_len(words)
        if x + size > width - 10:
            x, y = 24.0, y + 26
        lines += [f'<g transform="translate({x:.1f} {y:.1f})">', *sign_lines, "</g>"]
        lines.append(inks.text(x + 36, y + 5, words, 14, INK, "start"))
        x += size
    return lines, y + 24


def _node(paint: PaintDef, ink: str) -> Iterator[str]:
    """The sign of a space in the legend."""
    if paint.ring:
        yield _shape(14, 0, 12, paint.shape, PAPER, inks.colour(paint.ring))
    if paint.shape == "sea":
        yield from _waves(14, 0)
    elif paint.shape == "faint":
        yield _shape(14, 0, 5, "circle", PAPER, LINE)
    else:
        yield _shape(14, 0, 9, paint.shape or "circle", PAPER, ink)
        inside = "" if paint.text is None or paint.text.text is None else paint.text.text.value
        if "{" not in inside:
            yield inks.text(14, 4, inside, 11, ink, weight="bold")


def _stretch(paint: PaintDef, ink: str) -> Iterator[str]:
    """The sign of a way in the legend."""
    yield _line((0, 0), (28, 0), ink, paint.shape)
