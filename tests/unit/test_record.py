"""Games in files: nothing is lost, whatever happens to the process or the file."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.core import header
from interpreter.diagnostics import UsageError
from interpreter.game import Game, load
from interpreter.play.bots import answer_at_random, bot_choice
from interpreter.runtime import journal
from interpreter.runtime.journal import SaveError
from interpreter.runtime.record import Record, Stopped
from interpreter.runtime.saved import Damaged, Diverged

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests" / "games"
DROPPING = ROOT / "tests" / "data" / "dropping"  # each answer is a set, chosen stone by stone
PEOPLE = [FIXTURES / "muster", FIXTURES / "hare_and_hounds", DROPPING]

GAMES: dict[Path, Game] = {}


@pytest.fixture(scope="module", autouse=True)
def games_are_let_go() -> Iterator[None]:
    """Compiled modules must be gone before the process ends."""
    yield
    GAMES.clear()


def game(folder: Path = DROPPING) -> Game:
    if folder not in GAMES:
        GAMES[folder] = load(folder)
    return GAMES[folder]


def known(name: str) -> Game:
    """For opening: games that the tests have loaded already."""
    return game(Path(name))


def play_on(record: Record, answers: int, seed: int = 1) -> None:
    """Random answers, whole ones."""
    goal = record.choices + answers
    while record.choices < goal and (decision := record.position.decision) is not None:
        record.apply(answer_at_random(decision, seed))


def saved(path: Path, answers: int = 6, folder: Path = DROPPING, seed: int = 1) -> Record:
    record = Record.new(game(folder), seed=seed, path=path)
    play_on(record, answers, seed)
    record.close()
    return record


# ---- replay ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", PEOPLE, ids=lambda p: p.name)
@pytest.mark.parametrize("backend", ["python", "wasm"])
def test_replay_equals_play(folder: Path, backend: str, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    record = Record.new(game(folder), seed=5, path=path)
    while (decision := record.position.decision) is not None and record.choices < 25:
        record.apply(answer_at_random(decision, 5))
        if not record.steps:  # closing and opening at every decision changes nothing
            record.close()
            again = Record.open(path, known, backend=backend)
            assert again.position.to_bytes() == record.position.to_bytes()
            assert again.answers == record.answers
            assert again.history == record.history
            assert not again.notes
            record = again
    assert record.choices > 2
    record.close()


def test_steps_are_one_answer(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with Record.new(game(), path=path) as record:
        record.apply("red_stone_2")
        assert record.steps == ("drop red_stone_2",)
        assert path.read_bytes().count(b"\n") == 1, "an answer that is not complete is not written"
        record.apply("done")
        assert record.steps == ()
        assert record.answers[0].choose == ("drop red_stone_2", "done")
        assert path.read_bytes().count(b"\n") == 2
        assert [line.text for line in record.history[1]] == ["Red drops Red stone 2"]


def test_a_refused_choice_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with Record.new(game(), path=path) as record:
        before, data = record.position.to_bytes(), path.read_bytes()
        for choice in ("blue_stone_1", 99, -1, ""):
            with pytest.raises(UsageError):
                record.apply(choice)
        with pytest.raises(UsageError, match="more than the rules ask"):
            record.apply("done", [3])
        assert record.position.to_bytes() == before
        assert path.read_bytes() == data
        assert record.steps == ()


def test_what_is_not_written_does_not_happen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk: the choice is refused, the file is as it was, and play goes on once there is room."""
    path = tmp_path / "game.jsonl"
    with Record.new(game(), path=path) as record:
        before, data = record.position.to_bytes(), path.read_bytes()

        def full(file: int, line: bytes) -> None:
            os.write(file, line[:7])
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(journal, "_write", full)
            with pytest.raises(SaveError, match="No space left"):
                record.apply("done")
        assert record.position.to_bytes() == before
        assert path.read_bytes() == data
        record.apply("done")
        digest = record.position.digest()
    with Record.open(path, known) as again:
        assert again.position.digest() == digest


def test_the_line_is_on_the_disk_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    with Record.new(game(), path=path) as record:
        before = record.position.to_bytes()
        seen: list[bool] = []
        real = os.fsync

        def watch(file: int) -> None:
            real(file)
            seen.append(path.read_bytes().count(b"\n") == 2 and record.position.to_bytes() == before)

        monkeypatch.setattr(os, "fsync", watch)
        record.apply("done")
        assert seen == [True]


def test_cap() -> None:
    record = Record.new(game(), seed=2)
    record.max_plies = 3
    with pytest.raises(Stopped):
        play_on(record, 10)
    assert record.position.plies == 3


# ---- undo -----------------------------------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1000), st.lists(st.integers(0, 3), min_size=1, max_size=40), st.sampled_from(PEOPLE))
def test_undo_restores_bytes(seed: int, moves: list[int], folder: Path) -> None:
    """Any mixture of steps and take-backs: the position is always that of the answers that are left."""
    record = Record.new(game(folder), seed=seed)
    states = [record.position.to_bytes()]
    for move in moves:
        decision = record.position.decision
        if move == 0 and record.can_undo(take_back=True):
            steps = bool(record.steps)
            record.undo(take_back=True)
            if not steps:
                states.pop()
            assert record.position.to_bytes() == states[-1]
        elif decision is not None:
            record.apply((seed + move) % decision.count)
            if not record.steps:
                states.append(record.position.to_bytes())
        assert len(states) == record.choices + 1 == len(record.history)


def test_undo_is_only_appended(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with Record.new(game(), path=path) as record:
        play_on(record, 3)
        data = path.read_bytes()
        before = record.position.to_bytes()
        record.undo()
        record.undo()
        assert path.read_bytes().startswith(data)
        play_on(record, 2, seed=1)
        assert record.position.to_bytes() == before, "the random bot repeats itself"
        play_on(record, 1)
        digest, answers = record.position.digest(), record.answers
    with Record.open(path, known) as again:
        assert (again.position.digest(), again.answers) == (digest, answers)
    assert Record.open(path, known, write=False, to=2).answers == answers[:2]


def test_undo_against_a_bot() -> None:
    record = Record.new(game(FIXTURES / "muster"), seed=4, bots={"south": "random"})
    start = record.position.to_bytes()
    record.apply(0)
    assert record.position.decision is not None
    while record.position.decision.player == "south":
        record.apply(bot_choice("random", record.position, 4))
    assert record.can_undo(0)
    record.undo(0)
    assert record.position.to_bytes() == start
    assert not record.can_undo(0)
    with pytest.raises(UsageError, match="nothing to undo"):
        record.undo(0)


def test_take_back_needs_leave() -> None:
    record = Record.new(game(FIXTURES / "muster"), seed=4)
    start = record.position.to_bytes()
    record.apply(0)
    record.apply(0)
    assert record.answers[1].player == "south"
    assert not record.can_undo(0)
    with pytest.raises(UsageError, match="south has chosen since"):
        record.undo(0)
    record.undo(0, take_back=True)
    assert record.position.to_bytes() == start


def test_undo_stops_where_somebody_learned_something() -> None:
    record = Record.new(game(), seed=4)
    record.apply("done")
    record.position.cells[header.KNOWN] += 1  # as a throw of dice in the first answer does
    record._states[-1] = record.position.to_bytes()
    record.apply("blue_stone_1")
    record.apply("done")
    assert record.can_undo(1)
    record.undo(1)
    after = record.position.to_bytes()
    assert not record.can_undo(take_back=True)
    with pytest.raises(UsageError, match="learned"):
        record.undo(take_back=True)
    assert record.position.to_bytes() == after


# ---- damage ---------------------------------------------------------------------------------------------------------


def test_every_cut_of_the_last_two_lines(tmp_path: Path) -> None:
    """A file cut off in its last two lines is whole up to there, or refused by name and its intact part kept."""
    record = saved(tmp_path / "whole.jsonl", 5)
    data = (tmp_path / "whole.jsonl").read_bytes()
    starts = [0, *(i + 1 for i, byte in enumerate(data) if byte == 10)][:-1]
    path = tmp_path / "cut.jsonl"
    whole = {*starts, len(data)} | {at - 1 for at in (*starts, len(data))}  # the last line feed may be missing
    refused = 0
    for size in range(starts[-2], len(data)):
        path.write_bytes(data[:size])
        lines = sum(1 for s in starts if s < size)
        if size in whole:
            with Record.open(path, known) as again:
                assert again.answers == record.answers[: lines - 1]
                play_on(again, 1)
            assert not journal.read(path).damaged
            continue
        refused += 1
        with pytest.raises(Damaged) as caught:
            Record.open(path, known, write=False)
        assert (caught.value.line, caught.value.choices) == (lines, lines - 2)
        assert f"line {lines} of `{path}` is damaged: it breaks off" in caught.value.message
        assert f"up to choice {lines - 2} can be kept" in caught.value.help
        assert "--keep-intact" in caught.value.help
        assert path.read_bytes() == data[:size], "looking changes nothing"
    assert refused > 150
    path.write_bytes(data[:-9])
    copy = journal.keep_intact(path)
    assert copy is not None
    assert copy.read_bytes() == data[:-9]
    with Record.open(path, known) as again:
        assert again.answers == record.answers[:-1]


def test_every_flipped_byte_of_the_last_two_lines(tmp_path: Path) -> None:
    saved(tmp_path / "whole.jsonl", 4)
    data = (tmp_path / "whole.jsonl").read_bytes()
    start = data[:-1].rfind(b"\n", 0, data[:-1].rfind(b"\n")) + 1
    whole = journal.parse(data).entries
    refused = 0
    for at in range(start, len(data)):
        for flip in (1, 0x20, 0x80):
            reading = journal.parse(data[:at] + bytes([data[at] ^ flip]) + data[at + 1 :])
            if reading.damaged:
                refused += 1
                assert reading.damaged in (4, 5)
                assert reading.entries == whole[: reading.damaged - 1]
            else:  # only a line feed at a line's end can be something else without harm
                assert data[at] == 10
                assert reading.entries == whole
    assert refused > 500


@pytest.mark.parametrize("garbage", [b"\0" * 100, b"garbage\n", b'{"type":"choice"}\n', b"\xff\xfe\n", b"[" * 10_000])
def test_garbage_behind(garbage: bytes, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    record = saved(path, 4)
    data = path.read_bytes()
    path.write_bytes(data + garbage)
    with pytest.raises(Damaged, match=r"line 6 of .* is damaged"):
        Record.open(path, known)
    copy = journal.keep_intact(path)
    assert copy is not None
    assert copy.read_bytes() == data + garbage
    assert path.read_bytes() == data
    with Record.open(path, known) as again:
        assert again.answers == record.answers
        play_on(again, 1)
    assert journal.read(path).damaged == 0
    path.write_bytes(data + garbage)
    second = journal.keep_intact(path)
    assert second is not None
    assert second != copy, "no copy replaces another"


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_no_save(data: bytes) -> None:
    reading = journal.parse(data)
    assert reading.entries == []


def test_missing_and_doubled_lines(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    saved(path, 4)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2] + lines[3:]))
    with pytest.raises(Damaged, match="line 3"):
        Record.open(path, known, write=False)
    path.write_bytes(b"".join([*lines, lines[-1]]))
    with pytest.raises(Damaged, match="line 6"):
        Record.open(path, known, write=False)


def test_not_a_save(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.touch()
    with pytest.raises(SaveError, match="is empty"):
        Record.open(empty, known)
    with pytest.raises(UsageError, match="is a folder"):
        Record.open(tmp_path, known)
    with pytest.raises(FileNotFoundError):
        Record.open(tmp_path / "nothing", known)
    big = tmp_path / "big"
    with big.open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(SaveError, match="too large"):
        Record.open(big, known)
    text, _ = journal.encode({"type": "setup", "format": 99}, "")
    empty.write_bytes(text)
    with pytest.raises(SaveError, match="does not begin as a saved game does"):
        Record.open(empty, known)


def test_no_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("precious")
    with pytest.raises(UsageError, match="exists already"):
        Record.new(game(), path=path)
    assert path.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [path]


def test_long_lines_do_not_cross_pages(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    made = journal.create(path, {"type": "setup"})
    for number in range(60):
        made.append({"type": "choice", "n": number, "choose": ["x" * (37 * number % 900)]})
    made.close()
    data = path.read_bytes()
    at = 0
    for line in data.splitlines(keepends=True):
        first = at + len(line) - len(line.lstrip())
        assert first // journal.PAGE == (at + len(line) - 1) // journal.PAGE
        at += len(line)
    assert len(data) > 3 * journal.PAGE
    assert len(journal.parse(data).entries) == 61


# ---- killed, and two at once ----------------------------------------------------------------------------------------

PLAYER = """
import sys
from pathlib import Path
from interpreter.game import load
from interpreter.play.bots import answer_at_random
from interpreter.runtime.record import Record
record = Record.new(load(Path(sys.argv[1])), seed=7, path=Path(sys.argv[2]))
print("begun", flush=True)
for number in range(100000):
    decision = record.position.decision
    if decision is None or record.choices > 7:
        record.undo()
    else:
        record.apply(answer_at_random(decision, 7))
"""


def start(path: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PLAYER, str(DROPPING), str(path)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_kill_at_any_moment(tmp_path: Path) -> None:
    pick = random.Random(1)
    for number in range(4):
        path = tmp_path / f"{number}.jsonl"
        with start(path) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"
            time.sleep(pick.random() * 0.05)
            process.send_signal(signal.SIGKILL)
        size = path.stat().st_size
        with Record.open(path, known) as record:
            if record.position.decision is None:
                record.undo()
            play_on(record, 1)
        assert path.stat().st_size > size


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_one_writer(tmp_path: Path) -> None:
    """A second process is refused and can read; the lock of a stopped process holds, that of a dead one is gone."""
    path = tmp_path / "game.jsonl"
    with start(path) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGSTOP)
        with pytest.raises(SaveError, match="in use by another process"):
            Record.open(path, known)
        with pytest.raises(SaveError, match="in use"):
            journal.keep_intact(path)
        Record.open(path, known, write=False)
        process.send_signal(signal.SIGKILL)
    Record.open(path, known).close()


def test_twice_in_one_process(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with Record.new(game(), path=path), pytest.raises(SaveError, match="in use"):
        Record.open(path, known)
    Record.open(path, known).close()


# ---- other rules ----------------------------------------------------------------------------------------------------


def changed(tmp_path: Path, old: str, new: str) -> Path:
    """A saved game of a copy of the game, whose rules are edited afterwards."""
    folder = tmp_path / "dropping"
    shutil.copytree(DROPPING, folder)
    path = tmp_path / "game.jsonl"
    record = Record.new(load(folder), seed=3, path=path)
    for choice in ("red_stone_1", "done", "done", "red_stone_2", "done"):
        record.apply(choice)
    record.close()
    rules = folder / "rules" / "10.effects"
    text = rules.read_text()
    assert old in text
    rules.write_text(text.replace(old, new))
    return path


def test_comments_and_texts_do_not_matter(tmp_path: Path) -> None:
    path = changed(tmp_path, 'log "{p} drops {gone}"', 'log "{p} lets {gone} go"  # better')
    with Record.open(path, load=lambda name: load(Path(name))) as record:
        assert record.notes == []
        assert [line.text for line in record.history[1]] == ["Red lets Red stone 1 go"]


def test_rules_that_changed_without_effect(tmp_path: Path) -> None:
    path = changed(
        tmp_path, "if all(", 'if count(s in stones where s.at == box) > 7:\n        win p as "never"\n    if all('
    )
    data = path.read_bytes()
    with Record.open(path, load=lambda name: load(Path(name))) as record:
        assert record.notes == ["the rules have changed since this game was saved; it is not affected"]
        assert path.read_bytes() == data, "nothing is written before the next choice"
        record.apply("done")
    with Record.open(path, load=lambda name: load(Path(name))) as record:
        assert record.notes == []


def test_a_choice_that_is_not_there_any_more(tmp_path: Path) -> None:
    path = changed(
        tmp_path, "s.owner == p and s.at is cell by", "s.owner == p and s.at is cell and s != red_stone_2 by"
    )
    data = path.read_bytes()
    with pytest.raises(Diverged) as caught:
        Record.open(path, load=lambda name: load(Path(name)))
    assert caught.value.choice == 3
    assert "choice 3 (`drop red_stone_2, done`, line 4" in caught.value.message
    assert "the rules have changed" in caught.value.message
    assert path.read_bytes() == data
    record = Record.open(path, load=lambda name: load(Path(name)), write=False, to=2)
    assert record.choices == 2


def test_a_position_that_differs(tmp_path: Path) -> None:
    path = changed(
        tmp_path,
        "for each s in gone:\n            move s to box",
        "for each s in stones where s.owner == p and s.at is cell:\n            move s to box",
    )
    data = path.read_bytes()

    def opened(**more: bool) -> Record:
        return Record.open(path, load=lambda name: load(Path(name)), **more)

    with pytest.raises(Diverged) as caught:
        opened()
    assert caught.value.choice == 1
    assert "after choice 1 of" in caught.value.message
    assert "(red: `drop red_stone_1, done`) differs, and then choice 2" in caught.value.message
    assert not caught.value.legal
    with pytest.raises(Diverged):
        opened(new_rules=True)
    assert path.read_bytes() == data


def test_going_on_under_new_rules(tmp_path: Path) -> None:
    path = changed(tmp_path, "win p as", "win rival(p) as")
    text = (tmp_path / "dropping" / "scenarios" / "s.yaml").read_text()
    (tmp_path / "dropping" / "scenarios" / "s.yaml").write_text(text.replace("blue_stone_4: b1", "blue_stone_4: a1"))

    def opened(**more: bool) -> Record:
        return Record.open(path, load=lambda name: load(Path(name)), **more)

    with pytest.raises(Diverged, match="after the set-up"):
        opened()
    with opened(new_rules=True) as record:
        assert record.notes == ["the game goes on under the rules of now"]
        record.apply("done")
        digest = record.position.digest()
    with opened() as record:
        assert (record.choices, record.position.digest(), record.notes) == (4, digest, [])


def test_rules_hash_is_always_the_same() -> None:
    """Loads again, and under other hash seeds, give the same rules hash: saves depend on it."""
    program = (
        "from pathlib import Path\nfrom interpreter.game import load\n"
        f"game = load(Path({str(DROPPING)!r}))\nprint(game.rules_hash(game.compiled()))"
    )
    fresh = [load(DROPPING) for _ in range(3)]
    found = {one.rules_hash(one.compiled()) for one in fresh}
    for seed in ("0", "1", "77"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, env=env, capture_output=True, text=True, check=True
        )
        found.add(done.stdout.strip())
    assert len(found) == 1
