"""Colours and lettering of pictures."""

from __future__ import annotations

from xml.sax.saxutils import escape

from rich.style import Style

PAPER, FIELD, LINE, INK, PALE = "#faf7f0", "#f1ead9", "#b8ab8d", "#3b362c", "#857a63"
# The names of terminal colours, as ink on paper.
COLOURS = {
    "black": "#333333",
    "red": "#b3372f",
    "green": "#3f7d3a",
    "yellow": "#b07d12",
    "blue": "#2f5fa8",
    "magenta": "#8a3f8f",
    "cyan": "#1f7f86",
    "white": "#9a917e",
}


def text(
    x: float,
    y: float,
    words: str,
    size: float,
    fill: str,
    anchor: str = "middle",
    weight: str = "normal",
    halo: bool = False,
    slant: bool = False,
) -> str:
    """A line of lettering; `halo`: paper around it, so that it can be read on anything.

    The paper is a copy below, since not every program that shows pictures knows `paint-order`.
    """
    around = ' font-style="italic"' if slant else ""
    head = f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.0f}" text-anchor="{anchor}" font-weight="{weight}"{around}'
    below = f'{head} fill="{PAPER}" stroke="{PAPER}" stroke-width="4">{escape(words)}</text>' if halo else ""
    return f'{below}{head} fill="{fill}">{escape(words)}</text>'


def colour(style: str) -> str:
    """The ink for a style of the terminal."""
    color = Style.parse(style).color if style else None
    if color is None:
        return PALE if "dim" in style else INK
    name = color.name.removeprefix("bright_")
    if name in COLOURS:
        return COLOURS[name]
    red, green, blue = color.get_truecolor()
    return f"#{red:02x}{green:02x}{blue:02x}"


def tint(colour: str) -> str:
    """A pale version of an ink, for a ground."""
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(p * 0.16 + 250 * 0.84):02x}" for p in parts)
