"""Rule tests: what passes, what fails and in which words, what is refused before anything runs."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest

from interpreter import resources
from interpreter.diagnostics import UsageError
from interpreter.play.ruletests import run
from interpreter.runtime.invariants import Watch

BACKENDS = ("python", "wasm")

GAME = """
game: steps
players: [white, black]
kinds:
  spot: {holds: {stone: 1, inverse: rider}, level: {type: int, min: 0, max: 9}}
  stone: {piece: [spot, box], owner: player, tall: bool}
zones: {box: {of: stone}}
map: {grid: {kind: spot, columns: a..c, rows: 1..2, neighbours: 4}}
options: {long: {default: false, title: Long steps}}
phases:
  play: {repeat: true, each: player, do: turn(mover)}
"""
PIECES = """
- {stone: w, owner: white}
- {stone: b, owner: black}
"""
SCENARIO = """
scenario: standard
place: {w: a1, b: c2}
"""
RULES = """
fun far(s: stone) -> int = 2 if option.long else 1
effect turn(p: player):
    choose s in stones where s.owner == p, goal in reach([s.on], within = far(s)) - [s.on]
            by p as step "Step with {s} to {goal}":
        log "{s} steps to {goal}"
        move s to goal
        goal.level += 1
        if goal == c1:
            win p as "{p} is there"
        if goal == c2:
            goal.level -= 9
    else:
        finish as "nobody moves"
"""


def play(folder: Path, tests: str, backend: str = "python", target: str = "") -> tuple[int, str]:
    """Writes the game with its tests and runs them."""
    for name, text in {
        "game.yaml": GAME,
        "pieces.yaml": PIECES,
        "scenarios/standard.yaml": SCENARIO,
        "rules/10_turn.effects": RULES,
        "tests/first.yaml": tests,
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip("\n"), encoding="utf-8")
    out = StringIO()
    code = run([target or str(folder)], backend, out)
    return code, out.getvalue()


@pytest.mark.parametrize("name", sorted(path.parent.name for path in resources.games_folder().glob("*/tests")))
def test_shipped_games_pass(name: str) -> None:
    """In both backends, in step: each game is read and lowered once."""
    out = StringIO()
    assert run([name], "both", out) == 0, out.getvalue()
    found = re.fullmatch(r"(\d+) passed, 0 failed\n", out.getvalue())
    assert found is not None and int(found[1]) >= 40


@pytest.mark.parametrize("backend", BACKENDS)
def test_all_parts_of_a_test(tmp_path: Path, backend: str) -> None:
    code, text = play(
        tmp_path,
        """
- test: the game itself, from its first phase
  when:
    - then: [w.at == a1, b.at == c2]
    - white: step w a2
    - then: w.at == a2
    - black: [b b2]
    - white: w a1
  then:
    - w.at == a1 and b.at == b2 and a1.level == 1 and a2.level == 1 and b1.level == 0
    - a1.rider == w and a2.rider == none
  illegal:
    - black: step b b2
    - black: step w b1
    - black: done
  outcome: running
- test: an effect is called after the position is made
  options: {long: true}
  given: |
    move w to box
    a1.level = 9
    move w to a1
  call: turn(white)
  when:
    - white: step w c1
  then:
    - a1.level == 9
  outcome: white
- test: without a choice
  given: |
    move stones to box
  call: turn(white)
  outcome: draw
- test: a call that ends does not end the game
  call: turn(black)
  when:
    - black: step b b2
  outcome: running
""",
        backend,
    )
    assert (code, text) == (1, text)
    assert "nobody has" not in text
    assert "1 failed" in text, "`s.on` of a stone in the box is a fault, and the test says so"
    assert "FAILED without a choice" in text and "this stone is not on the map" in text


FAILURES = {
    "does-not-hold": (
        "  when:\n    - white: step w b1\n  then:\n    - w.at == a1 or far(w) + b1.level > 5 and w.tall\n",
        "",
    ),
    "midway": (
        "  when:\n    - white: step w a2\n    - then: [w.at == a2, w.at == a1]\n    - black: b b2\n",
        "`w.at` is `a2`",
    ),
    "false": ("  then:\n    - (w.at == a1 and far(w) > 1) or size(stones) == 3\n", "`far(w)` is 1"),
    "maybe": ("  then:\n    - b1.rider == w\n", "`b1.rider` is none"),
    "set": ("  then:\n    - neighbours(a1) == [b1]\n", "`neighbours(a1)` is [`b1`, `a2`]"),
    "wrong-player": ("  when:\n    - black: step b b2\n", "`white` is asked here, not `black`"),
    "wrong-choice": (
        "  when:\n    - white: step w c1\n",
        "open to `white` at `step` (Step with W to …): `step w b1`, `step w a2`",
    ),
    "misspelt": ("  when:\n    - white: step w b11\n", "did you mean `step w b1`"),
    "left-over": (
        "  call: turn(white)\n  when:\n    - white: step w b1\n    - white: step w b2\n",
        "nobody is asked here: what was called has ended",
    ),
    "after-the-end": (
        "  given: move w to b1\n  when:\n    - white: step w c1\n    - black: step b b2\n",
        "nobody is asked here: `white` has won: White is there",
    ),
    "not-refused": ("  illegal:\n    - white: step w b1\n", "`step w b1` is allowed here"),
    "refused-anyway": ("  illegal:\n    - white: step w d7\n", "`d7` means nothing here"),
    "refused-nobody": ("  illegal:\n    - black: step b b2\n", "`white` is asked where the steps end"),
    "outcome": ("  outcome: black\n", "the outcome is `running`, not `black`"),
    "fault": ("  given: move w to b2\n  when:\n    - white: step w b1\n    - black: step b c1\n", ""),
    "given-fault": ("  given: move w to c2\n  outcome: running\n", "there is a stone on this spot already"),
    "range": ("  given: a1.level = 10\n  outcome: running\n", "`level` lies between 0 and 9"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_failures_tell_why(tmp_path: Path, name: str) -> None:
    body, wanted = FAILURES[name]
    if name == "does-not-hold":
        body = body.replace("w.at == a1 or far(w) + b1.level > 5 and w.tall", "far(w) + b1.level > 5")
        wanted = "note: `far(w) + b1.level` is 2"
    if name == "fault":
        body = "  given: |\n    move b to b2\n  when:\n    - white: step w a2\n    - black: step b c2\n"
        wanted = "`level` lies between 0 and 9, and this would make it -8"
    code, text = play(tmp_path, f"- test: a thing\n{body}")
    assert code == 1
    assert wanted in text, text
    assert text.startswith("FAILED a thing\nerror[")
    assert re.search(r"--> .*tests/first\.yaml:\d+:\d+", text)
    assert text.endswith("0 passed, 1 failed\n")
    if name in ("does-not-hold", "after-the-end"):
        assert "log:\n  W steps to " in text
    assert "\n2  " in text, "the board is small, so it is shown"


REFUSED = {
    "unknown scenario": ("  scenario: standart\n  outcome: running\n", "did you mean `standard`?"),
    "unknown option": ("  options: {lang: true}\n  outcome: running\n", "did you mean `long`?"),
    "unknown player": ("  when:\n    - whit: step w b1\n", "did you mean `white`?"),
    "dice": ("  when:\n    - dice: [1]\n", "this game has no dice"),
    "draws": ("  when:\n    - draws: [x]\n", "there is no piece `x`"),
    "midway type": ("  when:\n    - then: far(w)\n", "a condition must be a bool"),
    "no dice": ("  illegal:\n    - draws: [w]\n", "only a choice can be illegal"),
    "then as a choice": ("  illegal:\n    - then: w.at == b1\n", "only a choice can be illegal"),
    "chance after then": ("  when:\n    - then: w.at == a1\n    - draws: [w]\n", "chance comes with the choice"),
    "nothing": ("  given: move w to b1\n", "this test asks for nothing"),
    "outcome": ("  outcome: withe\n", "did you mean `white`?"),
    "given": ("  given: move x to b1\n  outcome: running\n", "nothing is called `x` here"),
    "then": ("  then:\n    - w.at = b1\n", "first.yaml:3:"),
    "then type": ("  then:\n    - far(w)\n", "a condition must be a bool"),
    "call": ("  call: trun(white)\n  outcome: running\n", "did you mean `turn`?"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_mistakes_are_found_before_anything_runs(tmp_path: Path, name: str) -> None:
    body, wanted = REFUSED[name]
    code, text = play(tmp_path, f"- test: a thing\n{body}")
    assert code == 1
    assert wanted in text, text
    assert "tests/first.yaml:" in text
    assert text.endswith("1 error\n\n0 passed, 0 failed\n")


def test_a_file_of_tests_alone(tmp_path: Path) -> None:
    play(tmp_path, "- test: one\n  outcome: running\n- test: two\n  outcome: black\n")
    (tmp_path / "tests" / "second.yaml").write_text("- test: three\n  outcome: running\n", encoding="utf-8")
    out = StringIO()
    assert run([str(tmp_path / "tests" / "second.yaml")], "python", out) == 0
    assert out.getvalue() == "1 passed, 0 failed\n"
    out = StringIO()
    assert run([str(tmp_path), str(tmp_path / "tests")], "python", out) == 1
    assert out.getvalue().endswith("\n4 passed, 2 failed\n")


def test_targets_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no game or folder `nowhere`"):
        run(["nowhere"], "python", StringIO())
    play(tmp_path, "- test: one\n  outcome: running\n")
    with pytest.raises(UsageError, match="no rule tests in"):
        run([str(tmp_path / "pieces.yaml")], "python", StringIO())


def test_tests_change_nothing_in_the_game(tmp_path: Path) -> None:
    """What tests write has no part in the bytes and the hash of the game that is played."""
    from interpreter.game import load

    play(tmp_path, "- test: one\n  outcome: running\n")
    before = load(tmp_path)
    play(tmp_path, "- test: one\n  given: w.tall = true\n  then:\n    - w.tall\n")
    after = load(tmp_path)
    assert before.start().to_bytes() == after.start().to_bytes()
    assert before.rules_hash(before.compiled()) == after.rules_hash(after.compiled())


def test_a_position_that_breaks_its_own_rules_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the interpreter, if there were one, would not pass as a good test."""
    monkeypatch.setattr(Watch, "broken", lambda self, block: ["`w` is in two places"])
    code, out = play(tmp_path, "- test: one\n  outcome: running\n")
    assert code == 1
    assert "error[broken-position]: `w` is in two places" in out
