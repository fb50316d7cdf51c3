"""The last word on a game: what it shows is in the position, also sets and rolls."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.game import Position
from interpreter.lang.types import INT, EnumT, ListT, RollT, SetT, ending_cells
from interpreter.lang.world import Die, Enum

GAME = """\
game: over
players: [white, black]
enums:
  hue: [red, green, blue]
dice:
  d6: 1..6
  coin: [heads, tails]
kinds:
  stone:
    sorts: [small, large]
    piece: [box, bag]
zones:
  box: {of: stone}
  bag: {of: stone}
phases:
  begin: {do: ending()}
"""
STONES = "".join(f"- {{small: s{i}, title: S{i}}}\n" for i in range(40)) + "- {large: l1, title: L1}\n- {large: l2}\n"
ENDINGS = {
    'win black as "{those(x in [s0, s30, s31, l1])}"': "S0, S30, S31, L1",
    'win black as "{those(x in larges)} {1 + 1} {white}"': "L1, L2 2 White",
    'finish as "{those(x in hue where x != green)} and {those(x in smalls where x == s39)}"': "red, blue and S39",
    'finish as "{those(x in smalls where x == s1)}{ also |those(x in hue where x == none)}"': "S1",
    'let r = roll 7 of d6\nwin white as "{r}"': "1, 2, 2, 4, 6, 6, 6",
    'let r = roll 3 of coin\nwin white as "{r}: {size(r)}"': "heads, heads, tails: 3",
    'let r = roll 1000 of coin\nfinish as "{count(c in r where c == heads)} {r}"': "",
}
SCRIPTS = {"roll 7": "6 2 6 1 4 6 2", "roll 3": "heads tails heads"}


@pytest.mark.parametrize("backend", ["python", "wasm"])
@pytest.mark.parametrize("body", ENDINGS)
def test_outcome(body: str, backend: str, tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "pieces.yaml").write_text(STONES, encoding="utf-8")
    place = "- scenario: standard\n  place: {box: stones}\n"
    (tmp_path / "scenarios.yaml").write_text(place, encoding="utf-8")
    (tmp_path / "rules").mkdir()
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    (tmp_path / "rules" / "rules.effects").write_text(f"effect ending():\n{lines}", encoding="utf-8")
    game = interpreter.load(tmp_path)
    compiled = game.compiled()
    fresh = interpreter.game.first_block(compiled, 1)
    position = Position(game, compiled, game.machine(compiled, backend), fresh)
    script = next((s.split() for key, s in SCRIPTS.items() if key in body), [])
    position.advance([("dice", face) for face in script])
    outcome = position.with_bytes(position.to_bytes()).outcome
    assert outcome is not None
    if ENDINGS[body]:
        assert outcome.text == ENDINGS[body]
    else:
        count, shown = outcome.text.split(" ", 1)
        assert shown == ", ".join(["heads"] * int(count) + ["tails"] * (1000 - int(count)))


def test_room() -> None:
    hue = Enum("hue", ("red", "green"), ("red", "green"), False, None)
    d6 = Die("d6", tuple("123456"), (1,) * 6, None, (1, 2, 3, 4, 5, 6), 0, None)  # type: ignore[arg-type]
    assert [ending_cells(ty) for ty in (INT, EnumT(hue), SetT(EnumT(hue)), RollT(d6))] == [1, 1, 1, 4]
    assert ending_cells(SetT(INT)) > 4 and ending_cells(ListT(INT)) > 4
