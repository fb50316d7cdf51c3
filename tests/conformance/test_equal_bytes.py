"""Positions that are equal in play are equal byte for byte, whatever was chosen on the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.game import load

GAME = """
game: marks
players: [white, black]
kinds:
  cell: {mark: bool}
phases:
  play:
    while: any(x in cells where not x.mark)
    each: player
    do: |
      let before = count(x in cells where x.mark)
      choose k in cells where not k.mark as pick "Pick {k}":
          k.mark = true
          choose j in cells where not j.mark as also "Also {j}":
              j.mark = true
      log "{before}"
"""
CELLS = "".join(f"- {{cell: {name}}}\n" for name in "abcdefg")


@pytest.mark.parametrize("backend", ["python", "wasm"])
def test_ways_that_meet(tmp_path: Path, backend: str) -> None:
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "pieces.yaml").write_text(CELLS, encoding="utf-8")
    game = load(tmp_path)
    ends = []
    for choices in (("pick a", "also b", "pick c", "also d"), ("pick d", "also c", "pick b", "also a")):
        position = game.start(backend=backend)
        for choice in choices:
            position.apply(choice)
        ends.append(position)
    assert ends[0].to_json() == ends[1].to_json()
    assert ends[0].to_bytes() == ends[1].to_bytes()
    assert ends[0].digest() == ends[1].digest()
    ends[0].apply("pick e")
    assert ends[0].to_bytes() != ends[1].to_bytes()
