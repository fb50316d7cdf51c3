"""Why a choice can or cannot be taken: conditions in order with values and places, in both backends."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load
from interpreter.backends import wasm
from interpreter.diagnostics import UsageError
from interpreter.game import Game, Position
from interpreter.play.cli import main
from interpreter.play.why import lines, why
from interpreter.runtime.record import Record

GAMES = Path(__file__).parents[1] / "games"
BACKENDS = ["python", *(["wasm"] if wasm.available() else [])]
GAME = """\
game: small
players: [white, black]
kinds:
  player: {gold: int}
  town: {worth: int, lord: maybe player}
  guest: {piece: [town], owner: player, alike: true}
map:
  spaces: [{town: argos, worth: 1}, {town: delos, worth: 3, lord: black}, {town: pylos, worth: 2}]
  edges: [[argos, delos], [delos, pylos]]
globals: {late: bool}
phases: {play: {repeat: true, each: player, do: turn(mover)}}
"""
RULES = """\
fun rich(t: town) -> set of town = those(x in neighbours(t) where x.lord != none and x.lord.gold > 1)
effect turn(p: player):
    choose by p when not late as act "x":
        option go for m in guests where m.owner == p, t in towns where t != m.at as "x":
            move m to t
        option buy for t in towns costs t.worth * 2 from p.gold as "x":
            t.lord = p
        option rest when p.gold > 5 as "x":
            p.gold += 0
        option visit for t in rich(argos) when p == white as "x":
            t.worth += 1
    choose any some of t in towns where t.worth > 1 limit sum(x in some of x.worth) <= 3 by p as sack "x":
        p.gold += 1
    for each t in towns where t.worth > 0 chosen by p as order "x":
        t.worth += 1
    keep choosing each t in towns by p as again "x":
        t.worth += 1
"""


SUMS = """\
fun worth_of(p: player, t: town) -> int = sum(x in towns where x != t of x.worth + (4 if x.lord == p))
effect turn(p: player):
    choose by p as act "x":
        option feast for t in towns where worth_of(p, t) >= 5 and count(x in guests where x.at == t) > 3 as "x":
            t.worth += 1
        option hunt when sum(n in 1..9 where n > 1 of n * n) < 9 as "x":
            p.gold += 1
        option rest as "x":
            p.gold += 1
        option wait as "x":
            p.gold += 2
"""


def small(folder: Path, rules: str = RULES) -> Game:
    files = {
        "game.yaml": GAME,
        "pieces.yaml": "- {guest: ann, owner: white}\n- {guest: bob, owner: black}\n- {guest: cid, owner: white}\n",
        "scenarios.yaml": "- {scenario: one, place: {ann: argos, bob: argos, cid: argos}, set: {white: {gold: 3}}}\n",
        "rules/1.effects": rules,
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return load(folder)


def told(position: Position, typed: str) -> list[str]:
    """An explanation without the places' folders."""
    return [line.replace("small/rules/1.effects:", "@") for line in lines(why(position, typed))]


@pytest.fixture(params=BACKENDS)
def position(request: pytest.FixtureRequest, tmp_path: Path) -> Position:
    return small(tmp_path / "small").start(backend=request.param)


def test_listed(position: Position) -> None:
    assert told(position, "go ann pylos") == [
        "`go ann pylos` can be chosen",
        "  yes `not late`   @3:22",
        "        `late` is false",
        "  yes `ann` is one of `guests`   @4:28",
        "  yes `m.owner == p`   @4:41",
        "        `m.owner` is `white`",
        "        `p` is `white`",
        "  yes `pylos` is one of `towns`   @4:60",
        "  yes `t != m.at`   @4:72",
        "        `m.at` is `argos`",
    ]


def test_refused(position: Position) -> None:
    assert told(position, "go bob pylos")[-4:] == [
        "  no  `m.owner == p`   @4:41",
        "        `m.owner` is `black`",
        "        `p` is `white`",
        "      (2 more not looked at)",
    ]
    assert told(position, "go ann argos")[-2:] == ["  no  `t != m.at`   @4:72", "        `m.at` is `argos`"]


def test_a_price(position: Position) -> None:
    assert told(position, "buy pylos")[-3:] == [
        "  no  `t.worth * 2` can be paid from `p.gold`   @6:41",
        "        it costs 4",
        "        there are 3",
    ]
    assert told(position, "buy argos")[0] == "`buy argos` can be chosen"


def test_a_guard(position: Position) -> None:
    assert told(position, "rest") == [
        "`rest` cannot be chosen",
        "  yes `not late`   @3:22",
        "        `late` is false",
        "  no  `p.gold > 5`   @8:26",
        "        `p.gold` is 3",
        "        `p` is `white`",
    ]


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_shares_of_a_sum(backend: str, tmp_path: Path) -> None:
    """Each member of a sum with its share, the greatest first, also where a function gives the sum."""
    position = small(tmp_path / "small", SUMS).start(backend=backend)
    assert told(position, "feast argos")[2:] == [
        "  yes `worth_of(p, t) >= 5`   @4:43",
        "        `worth_of(p, t)` is 5",
        "          3 from `delos`",
        "          2 from `pylos`",
        "        `p` is `white`",
        "  no  `count(x in guests where x.at == t) > 3`   @4:67",
        "        `count(x in guests where x.at == t)` is 3",
        "          counted: `ann`, `bob`, `cid`",
    ]
    assert told(position, "hunt")[1:] == [
        "  no  `sum(n in 1..9 where n > 1 of n * n) < 9`   @6:26",
        "        `sum(n in 1..9 where n > 1 of n * n)` is 284",
        "          81 from 9",
        "          64 from 8",
        "          49 from 7",
        "          36 from 6",
        "          25 from 5",
        "          16 from 4",
        "          13 from 2 more",
    ]


def test_what_stands_behind_a_condition_is_not_looked_at(position: Position) -> None:
    """`x.lord.gold` makes no sense where there is no lord."""
    assert told(position, "visit pylos")[-2:] == [
        "  no  `pylos` is one of `neighbours(t)`   @1:47",
        "      (3 more not looked at)",
    ]
    assert told(position, "visit delos")[-8:] == [
        "  yes `x.lord != none`   @1:67",
        "        `x.lord` is `black`",
        "        `x` is `delos`",
        "  no  `x.lord.gold > 1`   @1:86",
        "        `x.lord.gold` is 0",
        "        `x.lord` is `black`",
        "        `x` is `delos`",
        "      (1 more not looked at)",
    ]


def test_a_part_of_a_choice_and_one_without_its_word(position: Position) -> None:
    assert told(position, "go ann")[0] == "`go ann` can be chosen"
    assert told(position, "go bob")[0] == "`go bob` cannot be chosen"
    assert told(position, "ann pylos")[0] == "`go ann pylos` can be chosen"


def test_alike(position: Position) -> None:
    assert told(position, "go cid pylos")[0].startswith(
        "`go cid pylos` cannot be chosen: no condition speaks against it"
    )


def test_steps(position: Position) -> None:
    position.apply("go ann pylos")
    assert position.decision is not None and position.decision.element
    assert told(position, "sack argos")[2:4] == ["  no  `t.worth > 1`   @12:41", "        `t.worth` is 1"]
    assert told(position, "sack delos")[0] == "`sack delos` can be chosen"
    assert told(position, "done") == ["`done` can be chosen: one may stop here"]
    position.apply("sack delos")
    assert position.decision.id == "order"  # pylos would break the limit, so nothing is left to ask
    assert told(position, "order pylos")[0] == "`order pylos` can be chosen"
    position.apply("order pylos")
    assert told(position, "order pylos")[-2].startswith("  no  `pylos` was not taken before")
    position.apply("order argos")
    assert position.decision.id == "again"
    position.apply("again delos")
    assert told(position, "again delos")[-1].startswith("  no  `delos` was not taken before")


def test_the_order_of_a_set(position: Position) -> None:
    position.apply("buy argos")
    for town in ("argos", "delos", "pylos"):
        worth = next(f for f in position.game.world.kinds["town"].fields.values() if f.name == "worth")
        region = position.compiled.layout.fields[worth]
        position.cells[region.base + ["argos", "delos", "pylos"].index(town)] = 2
    position = position.with_bytes(position.to_bytes())
    position.machine.pending(position.block)
    assert told(position, "sack delos")[0] == "`sack delos` can be chosen"


def test_mistakes(position: Position) -> None:
    for typed, words, help in (
        ("", "this names no choice", "for example `go ann delos`"),
        ("bui argos", "`bui` is no choice of the question that waits", "did you mean `buy`?"),
        ("go ann piylos", "there is no town `piylos`", "did you mean `pylos`?"),
        ("go ann pylos delos", "`go` is not followed by so many words", "it names: m, t"),
    ):
        with pytest.raises(UsageError) as caught:
            why(position, typed)
        assert (caught.value.message, caught.value.help) == (words, help)


def test_legality_and_reasons_agree() -> None:
    """What is listed has no condition against it, and what has none is listed."""
    game = load("grid_sparta")
    position = game.start(seed=5)
    for turn in range(12):
        decision = position.decision
        assert decision is not None
        listed = set(decision.ids)
        for fighter in game.world.kinds["fighter"].entities:
            for square in game.world.kinds["square"].entities[turn % 7 :: 7]:
                found = why(position, f"go {fighter.id} {square.id}")
                assert found.listed == (found.choice in listed)
                assert found.listed != any(t.refused for t in found.told)
        position.apply((turn * 7) % decision.count)


def test_the_same_positions() -> None:
    """Functions that explain change nothing of a program but add to it."""
    for path in ["grid_sparta", *sorted(GAMES.iterdir())]:
        game = load(path)
        compiled = game.compiled()
        more = game.asides(compiled)
        assert more.first == compiled.first and more.program.cells == compiled.program.cells
        assert len(more.decisions) == len(compiled.decisions)
        assert [b.name for b in more.program.blocks] == [b.name for b in compiled.program.blocks]


def test_nothing_hidden_is_told() -> None:
    """Two positions that a player can't tell apart are explained alike."""
    game = load(GAMES / "tricks")
    compared = 0
    position = game.start(seed=2)
    while position.decision is not None and compared < 40:
        decision = position.decision
        twin = position.redealt(decision.seat, 31)
        cards = [e.id for e in game.world.kinds["card"].entities]
        mine = [c.id.split()[-1] for c in decision.choices if c.id != decision.stop]
        for card in [*cards[:6], *mine]:
            try:
                told_here = lines(why(position, f"{decision.id} {card}"))
            except UsageError:
                continue
            if card in mine:
                assert told_here == lines(why(twin, f"{decision.id} {card}"))
                compared += 1
        position.apply(0)
    assert compared >= 40


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", "grid_sparta", "go spartan_1 b4"]) == 0
    assert "`b4` is one of `reach(" in capsys.readouterr().out
    with Record.new(load("grid_sparta"), seed=3, path=tmp_path / "x.jsonl") as record:
        record.apply("go spartan_1 b3")
    assert main(["why", str(tmp_path / "x.jsonl"), "go achaean_1 b8"]) == 0
    assert "`go achaean_1 b8` can be chosen" in capsys.readouterr().out
    assert main(["why", "grid_sparta", "fly"]) == 2
