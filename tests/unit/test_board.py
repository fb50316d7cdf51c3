"""Boards as text: what a reader sees in each kind of map, with and without colours, and in every width."""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from interpreter.game import Game, Position, load
from interpreter.play.board import Mark, board, moved
from interpreter.play.columns import numbered
from interpreter.play.sight import good_style, legend, sight

GAMES = Path(__file__).parents[1] / "games"


def drawn(position: Position, marks: Mapping[int, Mark] | None = None, width: int = 80, color: bool = False) -> str:
    out = StringIO()
    console = Console(file=out, width=width, force_terminal=color, color_system="standard" if color else None)
    console.print(board(position, position.language, marks, width))
    return out.getvalue()


@pytest.fixture(scope="module")
def hexes() -> Game:
    return load(GAMES / "hex_five")


def test_a_square_grid_with_labels_marks_and_legend() -> None:
    position = load("grid_sparta").start()
    before = position.copy()
    position.apply("go spartan_4 e3")
    lines = drawn(position, moved(before, position)).splitlines()
    assert lines[0] == lines[11] == "    a  b  c  d  e  f  g  h  i  j"
    assert lines[1] == "10  ·  a  a  a  a  a  a  a  a  ·  10"
    assert lines[5] == " 6  ·  x  ·  x  ·  ·  x  ·  x  ·  6"
    assert lines[8] == " 3  ·  ·  ·  · [s] ·  ·  ·  ·  ·  3"
    assert lines[10] == " 1  ·  s  s  s (·) s  s  s  s  ·  1"
    assert lines[13] == "s Spartan   a Achaean   + city, Sparta   x city, Achaea"


def test_the_legend_names_only_what_is_drawn_and_what_all_of_it_share() -> None:
    position = load("grid_sparta").start()
    seen = sight(position)
    assert seen is not None
    assert [(sign.text, words) for sign, words in legend(seen)] == [
        ("s", "Spartan"),
        ("a", "Achaean"),
        ("+", "city, Sparta"),
        ("x", "city, Achaea"),
    ]


def test_rows_of_hexagons_are_shifted_by_half_a_cell(hexes: Game) -> None:
    position = hexes.start()
    for choice in ("put a1", "put a2", "put c3"):
        position.apply(choice)
    lines = drawn(position).splitlines()
    assert [line[:8].rstrip() for line in lines[1:6]] == ["5  ·   ·", "4    ·", "3  ·   ·", "2    ○", "1  ●   ·"]
    assert lines[3] == "3  ·   ·   ●   ·   ·     3"


def test_a_wide_grid_is_drawn_in_pieces(hexes: Game) -> None:
    text = drawn(hexes.start(), width=20)
    assert all(cell_len(line) <= 20 for line in text.splitlines())
    for column in "abcde":
        assert f" {column}" in text


def test_other_maps_are_tables_with_fields_and_neighbours() -> None:
    position = load(GAMES / "muster").start()
    lines = drawn(position).splitlines()
    assert lines[0].split() == ["town", "here", "owner", "worth", "leads", "to"]
    gate = next(line for line in lines if line.startswith("Gate"))
    assert gate.split() == ["Gate", "2", "Old", "Mill,", "여울,", "Moor"]
    hill = next(line for line in lines if line.startswith("Hill Fort"))
    assert "Northern army 1, 2  " in hill
    # The wide title takes the same cells as its neighbours do.
    ford = next(line for line in lines if line.startswith("여울"))
    assert cell_len(ford[: ford.index("2 ")]) == cell_len(gate[: gate.index("2 ")])


def test_a_map_with_many_fields_is_told_in_brief() -> None:
    text = drawn(load("spartacus").start(), width=100)
    line = next(line for line in text.splitlines() if line.startswith("Campania"))
    assert "2 Slave unit 1, 2, 3, 4, 5, 7 Gladiators" in line
    assert line.rstrip().endswith("in revolt")
    assert "Bruttium" not in text  # nothing stands there and nothing has happened there


def test_marks_of_a_move_in_a_table() -> None:
    position = load(GAMES / "hare_and_hounds").start()
    before = position.copy()
    position.apply("go hound_2 b2")
    text = drawn(position, moved(before, position))
    assert "\n(A1) " in text
    assert "\n[B2] " in text


def test_colours_only_where_asked_for() -> None:
    position = load("grid_sparta").start()
    assert "\x1b[" not in drawn(position)
    assert "\x1b[31ms" in drawn(position, color=True)


def test_a_style_that_is_none_is_left_out() -> None:
    assert good_style("bold red") == "bold red"
    assert good_style("shiny") == ""


def test_columns_fit_and_count_wide_characters_double() -> None:
    labels = ["여울"] * 9 + ["a"] * 9
    lines = numbered(labels, 40)
    assert all(line.cell_len <= 40 for line in lines)
    assert len(lines) < 18
    assert sum(line.plain.count("여울") for line in lines) == 9
    assert [line.plain.split()[0] for line in numbered(["x", "y"], 40)] == ["1", "2"]
