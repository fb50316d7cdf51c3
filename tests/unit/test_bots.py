"""Bots as data: which rule is followed, in both backends and on what the bot sees; and what the command line says."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load
from interpreter.backends import wasm
from interpreter.diagnostics import GameError, UsageError
from interpreter.game import Game, Position
from interpreter.play.bots import bot, bot_choice, parse_bots, with_options
from interpreter.play.simulate import simulate
from interpreter.runtime.record import Record

GAMES = Path(__file__).parents[1] / "games"
BACKENDS = ["python", *(["wasm"] if wasm.available() else [])]

RULES = """\
effect turn(p: player):
    choose m in men where m.owner == p, t in towns by p as go "{m} to {t}":
        move m to t
    choose by p as after "x":
        option pay for t in towns costs 1 from p.gold as "pay {t}":
            t.worth += 1
        option take as "take":
            p.gold += 1
    may by p as shout "x":
        p.noise += 1
    choose any some of t in towns where t.worth > 0 by p as sack "x":
        for each t in some:
            p.noise += 100
    for each t in towns where t.worth > 1 chosen by p as order "{t}":
        p.last = t
"""
GAME = """\
game: small
players: [white, black]
kinds:
  player: {gold: int, noise: int, last: maybe town}
  town: {worth: int}
  man: {piece: [town], owner: player, strong: bool}
map:
  spaces: [{town: argos, worth: 1}, {town: delos, worth: 3}, {town: pylos, worth: 2}]
  edges: [[argos, delos], [delos, pylos]]
pieces: []
phases: {play: {repeat: true, each: player, do: turn(mover)}}
"""
BOT = """\
bot: clever
for: [white]
levels: {easy: {}, hard: {greed: 2}}
decide:
  go:
    - {take: go, if: m.strong and t.worth == 99}
    - rank:
        - m.strong
        - t.worth - greed * (1 if t == delos)
  after:
    - {take: pay, if: p.gold > 1, rank: t.worth}
    - take: take
  shout:
    - {take: no, if: p.gold == 0}
    - take: "yes"
  sack:
    - {take: sack, if: t == pylos}
    - take: done
  order:
    - rank: 0 - t.worth
"""


def small(folder: Path, bots: str = BOT, rules: str = RULES) -> Game:
    files = {
        "game.yaml": GAME.replace("pieces: []\n", ""),
        "pieces.yaml": "- {man: ann, owner: white}\n- {man: bob, owner: white, strong: true}\n"
        "- {man: cid, owner: black}\n",
        "scenarios.yaml": "- {scenario: one, place: {ann: argos, bob: argos, cid: delos}, set: {white: {gold: 3}}}\n",
        "rules/1.effects": rules,
        "bots.yaml": bots,
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text.replace("men where", "mans where"), encoding="utf-8")
    return load(folder)


def play_on(position: Position, name: str, count: int) -> list[str]:
    """The written choices of a bot."""
    made = []
    for _ in range(count):
        choice = bot_choice(name, position, 1)
        made.append(choice.id)
        position.apply(choice)
    return made


@pytest.mark.parametrize("backend", BACKENDS)
def test_rules_are_followed(tmp_path: Path, backend: str) -> None:
    position = small(tmp_path).start(backend=backend)
    assert play_on(position, "clever", 5) == ["go bob delos", "pay delos", "yes", "sack pylos", "order pylos"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_levels(tmp_path: Path, backend: str) -> None:
    position = small(tmp_path).start(backend=backend)
    assert play_on(position, "clever:hard", 2) == ["go bob pylos", "pay delos"]


def test_conditions_read_who_is_asked(tmp_path: Path) -> None:
    game = small(tmp_path)
    position = game.start()
    gold = next(f for f in game.world.players.fields.values() if f.name == "gold")
    region = position.compiled.layout.fields[gold]
    position.cells[region.base] = 0
    assert play_on(position, "clever", 2)[1:] == ["yes"], "who can't pay takes without being asked"
    position = game.start()
    position.cells[region.base] = 1
    position.apply("go ann argos")
    position.apply("pay argos")
    assert bot_choice("clever", position, 1).id == "no"


def test_ties_are_broken_by_the_bot_s_own_chance(tmp_path: Path) -> None:
    game = small(tmp_path, "bot: lazy\ndecide:\n  go: [{if: m.strong}]\n")
    found = {bot_choice("lazy", game.start(), seed).id for seed in range(30)}
    assert found == {"go bob argos", "go bob delos", "go bob pylos"}
    position = game.start()
    assert [bot_choice("lazy", position, 7).id for _ in range(3)] == [bot_choice("lazy", position, 7).id] * 3
    before = bytes(position.block)
    bot_choice("lazy", position, 3)
    assert bytes(position.block) == before, "asking a bot changes nothing"


LIKE = """\
- bot: first
  levels: {low: {}, high: {love: 3}}
  options: [{option: noisy, for: white}, {option: rich, levels: [high]}]
  decide:
    go: [{if: t == pylos, rank: m.strong}]
    after: [{take: pay, rank: t.worth * love}, {take: take}]
- bot: second
  like: first
  decide:
    go: [{if: t == delos, rank: m.strong}]
"""
OPTIONS = "noisy: {default: false, title: Loud}\nrich: {default: false, title: Rich}\n"


def test_a_bot_like_another_one(tmp_path: Path) -> None:
    """Its own rules for a question stand in place of the other's; levels and all other questions are taken over."""
    (tmp_path / "options.yaml").write_text(OPTIONS, encoding="utf-8")
    game = small(tmp_path, LIKE)
    assert play_on(game.start(), "first:high", 2) == ["go bob pylos", "pay delos"]
    assert play_on(game.start(), "second:high", 2) == ["go bob delos", "pay delos"]


def test_options_of_a_bot(tmp_path: Path) -> None:
    (tmp_path / "options.yaml").write_text(OPTIONS, encoding="utf-8")
    game = small(tmp_path, LIKE)
    assert with_options({"white": "first"}, {}, game) == {"noisy": True}
    assert with_options({"black": "first:low"}, {"rich": False}, game) == {"rich": False}
    assert with_options({"black": "first:high", "white": "random"}, None, game) == {"rich": True}
    assert with_options({"white": "second:high"}, None, game) == {}, "options are not taken over"
    with pytest.raises(UsageError) as caught:
        with_options({"white": "first"}, {"noisy": False}, game)
    assert caught.value.message == "the bot `first` plays `white` by the option `noisy`, which is off"
    found = simulate(game, games=1, bots={"white": "first:high"}, max_plies=3)
    assert found["options"] == {"noisy": True, "rich": True}


ERRAND = """\
effect turn(p: player):
    for each m in mans where m.owner == p:
        errand(m, 2)
    choose t in towns by p as rest "{t}":
        p.noise += t.worth

effect errand(m: man, far: int):
    let near = far - m.owner.gold
    m.owner.gold += near
    choose t in towns by m.owner as go "{t}":
        move m to t
        m.owner.noise += far
    may by m.owner as shout "x":
        m.owner.gold += 1
"""
AROUND = """\
bot: knowing
decide:
  go: [{rank: [m.strong and t == pylos, far == 2 and t == delos]}]
  shout: [{take: no, if: m.strong}, {take: "yes"}]
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_rules_read_the_names_around_a_question(tmp_path: Path, backend: str) -> None:
    position = small(tmp_path, AROUND, ERRAND).start(backend=backend)
    assert play_on(position, "knowing", 4) == ["go delos", "yes", "go pylos", "no"]


def test_names_around_a_question_that_are_not_kept(tmp_path: Path) -> None:
    game = small(tmp_path, AROUND.replace("far == 2", "near == 2"), ERRAND)
    with pytest.raises(GameError) as caught:
        bot_choice("knowing", game.start(), 1)
    assert [d.code for d in caught.value.diagnostics] == ["not-kept"]
    assert caught.value.diagnostics[0].message == "`near` is not kept while this question waits"


def test_without_a_fitting_rule_it_plays_at_random(tmp_path: Path) -> None:
    game = small(tmp_path, "bot: mute\ndecide:\n  go: [{if: false}]\n")
    for seed in range(5):
        assert bot_choice("mute", game.start(), seed).id == bot_choice("random", game.start(), seed).id


@pytest.mark.parametrize("name", ["push_your_luck", "tricks"])
def test_backends_agree(name: str) -> None:
    game = load(GAMES / name)
    mine = {"push_your_luck": "diver:bold", "tricks": "simple"}[name]
    bots = {game.players[0]: mine}
    results = [simulate(game, games=20, bots=bots, backend=backend) for backend in BACKENDS]
    for found in results:
        for key in ("backend", "seconds", "decisions_per_second"):
            found.pop(key)
    assert all(found == results[0] for found in results)


def test_it_sees_what_its_seat_sees() -> None:
    """What a side cannot see makes no difference to what its bot does."""
    game = load(GAMES / "tricks")
    checked = 0
    for seed in range(4):
        position = game.start(seed=seed)
        while position.decision is not None:
            decision = position.decision
            choice = bot_choice("simple", position, seed)
            twin = position.redealt(decision.seat, 99)
            assert twin.decision is not None and twin.decision.player == decision.player
            assert bot_choice("simple", twin, seed).id == choice.id
            checked += 1
            position.apply(choice)
    assert checked > 50


def test_the_solo_bot_of_sparta() -> None:
    """It plays by the options of solo play, and what lies face down makes no difference to what it does."""
    game = load("sparta")
    options = with_options({"athens": "solo:hard"}, {}, game)
    assert options == {"bot_athens": True, "solo_hard": True}
    position = game.start("cleomenean", options, seed=2)
    checked = 0
    while position.decision is not None and checked < 60:
        decision = position.decision
        choice = bot_choice("solo:hard", position, 1)
        if decision.player == "athens":
            twin = position.redealt(decision.seat, 99)
            assert bot_choice("solo:hard", twin, 1).id == choice.id
            checked += 1
        position.apply(choice)
    assert checked > 20


def test_better_than_chance() -> None:
    bots = {"athens": "solo"}
    found = simulate(load("sparta"), "cleomenean", games=2, seed=7, bots=bots, backend=BACKENDS[-1])
    assert found["results"]["wins"]["athens"] == 2
    found = simulate(load("grid_sparta"), games=30, bots={"achaea": "greedy"}, backend=BACKENDS[-1])
    assert found["results"]["wins"]["achaea"] >= 28


def test_a_saved_game_with_a_bot(tmp_path: Path) -> None:
    game = small(tmp_path / "g")
    with Record.new(game, seed=3, path=tmp_path / "x.jsonl", bots={"white": "clever:hard"}) as record:
        record.apply(bot_choice(record.bots["white"], record.position, 3))
        assert record.bots == {"white": "clever:hard"}
    with Record.open(tmp_path / "x.jsonl", lambda _: game) as again:
        assert again.bots == {"white": "clever:hard"}


def test_names(tmp_path: Path) -> None:
    game = small(tmp_path)
    assert parse_bots(["white=clever:hard", "black=random"], game) == {"white": "clever:hard", "black": "random"}
    assert bot("clever", game).name == "clever"
    for given, words, help in (
        ("white=clevver", "no bot `clevver`", "did you mean `clever`?"),
        ("white=zzz", "no bot `zzz`", "bots: random, clever"),
        ("white=clever:herd", "no level `herd`", "did you mean `hard`?"),
        ("white=clever:zzz", "no level `zzz`", "levels: easy, hard"),
        ("black=clever", "does not play `black`", "it plays: white"),
    ):
        with pytest.raises(UsageError) as caught:
            parse_bots([given], game)
        assert words in caught.value.message and caught.value.help == help
