"""Pictures of maps: whole XML, every space and every piece in it, the same each time."""

from __future__ import annotations

import math
from pathlib import Path
from xml.etree import ElementTree

import pytest

from interpreter.game import load
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
