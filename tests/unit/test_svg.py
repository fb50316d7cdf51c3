"""Pictures of maps: whole XML, every space and every piece in it, the same each time."""

from __future__ import annotations

import math
from pathlib import Path
from xml.etree import ElementTree

import pytest

from interpreter.game import load
from interpreter.play.lettering import Box, Letters, overlap
from interpreter.play.sight import where_all_stand
from interpreter.play.svg import spread, svg

GAMES = Path(__file__).parents[1] / "games"
SVG = "{http://www.w3.org/2000/svg}"
ALL = [Path("grid_sparta"), GAMES / "hex_five", GAMES / "hare_and_hounds", GAMES / "muster"]


@pytest.mark.parametrize("where", ALL, ids=lambda p: p.name)
def test_every_space_is_drawn_inside_with_its_pieces(where: Path) -> None:
    position = load(str(where)).start()
    root = ElementTree.fromstring(svg(position))
    board = position.compiled.world.board
    assert board is not None
    groups = {g.get("id"): g for g in root.iter(SVG + "g")}
    assert set(groups) == {f"space-{e.id}" for e in board.space.entities}
    for space, pieces in zip(board.space.entities, where_all_stand(position), strict=True):
        title = groups[f"space-{space.id}"].findtext(SVG + "title") or ""
        assert title.split(", ")[0] == space.title
        assert len(title.split(", ")) == 1 + len(pieces)
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    for tag in ("circle", "rect", "text"):
        for shape in root.iter(SVG + tag):
            x, y = shape.get("x", shape.get("cx", "0")), shape.get("y", shape.get("cy", "0"))
            assert 0 <= float(x) <= width
            assert 0 <= float(y) <= height


@pytest.mark.parametrize("where", ALL, ids=lambda p: p.name)
def test_the_same_position_gives_the_same_picture(where: Path) -> None:
    assert svg(load(str(where)).start()) == svg(load(str(where)).start())


def test_hexagons_have_six_corners() -> None:
    root = ElementTree.fromstring(svg(load(GAMES / "hex_five").start()))
    shapes = [p.get("points", "").split() for p in root.iter(SVG + "polygon")]
    assert len(shapes) >= 25
    assert {len(p) for p in shapes} == {6}


def test_coordinates_of_the_author_are_kept() -> None:
    root = ElementTree.fromstring(svg(load(GAMES / "hare_and_hounds").start()))
    centres = {}
    for group in root.iter(SVG + "g"):
        circle = group.find(SVG + "circle")
        assert circle is not None
        centres[group.get("id")] = (float(circle.get("cx", "0")), float(circle.get("cy", "0")))
    assert centres["space-west"][1] == centres["space-east"][1] == centres["space-b2"][1]
    assert centres["space-a1"][0] == centres["space-a3"][0] < centres["space-b1"][0]


def test_spaces_without_coordinates_are_spread_apart_and_edges_do_not_cross() -> None:
    board = load(GAMES / "muster").world.board
    assert board is not None
    points = spread(board)
    assert min(math.dist(p, q) for i, p in enumerate(points) for q in points[:i]) > 0.5
    assert len(set(points)) == 6


def test_titles_are_escaped(tmp_path: Path) -> None:
    text = (GAMES / "muster" / "map.yaml").read_text(encoding="utf-8")
    folder = tmp_path / "muster"
    for path in (GAMES / "muster").rglob("*"):
        if path.is_file():
            copy = folder / path.relative_to(GAMES / "muster")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "map.yaml").write_text(text.replace("Hill Fort", "<Hill> & 'Fort'"), encoding="utf-8")
    root = ElementTree.fromstring(svg(load(folder).start()))
    assert "<Hill> & 'Fort'" in [t.text for t in root.iter(SVG + "text")]


# ---- paintings ------------------------------------------------------------------------------------------------------

PAINTED = """
game: sample
title: Painted
players: [{id: white, title: White}, {id: black, title: Black}]
kinds:
  player: {gold: int}
  town: {sorts: [city, sea], lord: maybe player, gone: bool}
  way: {edge: true, sorts: [road, lane]}
  man: {piece: [town], owner: player, skill: int, seen_by: {others: self.owner == viewer, owner: all, as: a man}}
phases:
  play:
    repeat: true
    do: |
      may by white as go "Go":
          white.gold += 1
map:
  spaces:
    - {city: argos, title: Argos, at: [0, 0], lord: white}
    - {city: delos, title: Delos, at: [2, 0]}
    - {city: pylos, title: Pylos, at: [1, 2]}
    - {sea: deep, title: The Deep, at: [4, 2]}
  edges:
    - {road: r1, between: [argos, delos]}
    - {road: r2, between: [delos, pylos]}
    - {road: r3, between: [argos, pylos]}
    - {lane: l1, between: [delos, deep]}
"""
DISPLAY = """
colours: {white: red, black: blue}
picture:
  unit: 60
  sea: true
  areas: [{each: p in players, of: those(t in towns where t.lord == p), text: "{p}", side: p}]
  edges:
    - {when: self is lane, shape: dashed, style: blue, legend: lane}
    - {shape: plain, land: true, legend: road}
  spaces: [{when: self is sea, shape: sea}, {shape: circle, side: self.lord, text: "x", legend: town}]
  pieces: {man: {shape: square, side: self.owner, text: "{self.skill}"}}
"""
MEN = "[{man: ann, owner: white, skill: 7}, {man: bob, owner: black, skill: 9}]\n"


def painted(folder: Path, seat: int) -> ElementTree.Element:
    for name, text in (("game", PAINTED), ("display", DISPLAY), ("pieces", MEN)):
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    (folder / "scenarios.yaml").write_text("scenario: first\nplace: {ann: argos, bob: delos}\n", encoding="utf-8")
    return ElementTree.fromstring(svg(load(folder).start().as_seen_by(seat)))


def counters(root: ElementTree.Element) -> dict[str, list[str]]:
    """What stands on the counters of each space."""
    found = {}
    for group in root.iter(SVG + "g"):
        if group.get("id"):
            texts = [t.text or "" for t in group.iter(SVG + "text")]
            found[group.get("id", "")] = [text for text in texts if text != "x"]
    return found


def test_a_painting_has_its_spaces_where_the_map_says_and_ways_by_their_sort(tmp_path: Path) -> None:
    root = painted(tmp_path, 0)
    circles = {g.get("id"): g.find(SVG + "circle") for g in root.iter(SVG + "g") if g.get("id")}
    argos, delos = circles["space-argos"], circles["space-delos"]
    assert argos is not None and delos is not None
    assert float(delos.get("cx", "0")) - float(argos.get("cx", "0")) == 120
    dashed = [line for line in root.iter(SVG + "line") if line.get("stroke-dasharray")]
    assert len(dashed) == 2  # the lane and its sign in the legend
    patches = [p for p in root.iter(SVG + "polygon") if len((p.get("points") or "").split()) == 3]
    assert len(patches) == 1  # land between the three towns
    words = {t.text for t in root.iter(SVG + "text")}
    assert {"Painted", "Argos", "Delos", "Pylos", "The Deep", "White", "road", "lane", "town"} <= words


def test_closed_counters_tell_nothing(tmp_path: Path) -> None:
    assert counters(painted(tmp_path, 0))["space-argos"] == ["7"]
    assert counters(painted(tmp_path, 0))["space-delos"] == []
    assert counters(painted(tmp_path, 1))["space-delos"] == ["9"]
    assert "9" not in {t.text for t in painted(tmp_path, 0).iter(SVG + "text")}


def test_names_keep_clear_of_each_other() -> None:
    letters = Letters(Box(0, 0, 400, 400))
    nodes = [Box(100 + 30 * i, 100, 126 + 30 * i, 126) for i in range(3)]
    letters.taken += nodes
    for i, node in enumerate(nodes):
        letters.name_space(f"A long name {i}", node, "#000000", False)
    names = [*letters.placed([])]
    boxes = letters.taken[3:]
    assert len(names) == 3
    assert all(overlap(a, b) == 0 for i, a in enumerate(boxes) for b in [*boxes[:i], *nodes])
