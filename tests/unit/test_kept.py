"""Kept games: the same as those that are read anew; edits and damage are noticed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from interpreter import caches, kept
from interpreter.backends import python, wasm
from interpreter.core.listing import listing
from interpreter.diagnostics import GameError
from interpreter.game import Game, load
from interpreter.resources import games_folder


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = caches.folder("games")
    assert found is not None and tmp_path in found.parents
    return found


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """The folder of a game that may be changed."""
    folder = tmp_path / "grid_sparta"
    shutil.copytree(games_folder() / "grid_sparta", folder)
    return folder


def count(place: Path) -> int:
    return len(list(place.glob("*"))) if place.exists() else 0


@pytest.mark.parametrize("name", ["grid_sparta", "spartacus"])
def test_kept_games_are_the_same(name: str, place: Path) -> None:
    """Programs, first cells, generated code and positions, whether anything of them was kept or all is new."""
    new, first = load(name, cached=False), load(name)
    assert new.kept is None and first.kept is not None
    again = load(name)
    assert again.definition is not first.definition
    wanted = new.compiled()
    backends = {"python": python, **({"wasm": wasm} if wasm.available() else {})}
    translations = [backend.translate(wanted.program) for backend in backends.values()]
    start = new.start(seed=5).to_bytes()
    for other in (first, again, load(name)):  # lowered and kept; taken from the cache twice
        same(new, other)
        assert other.compiled().world is other.world
        assert [other.start(seed=5, backend=backend).to_bytes() for backend in backends] == [start] * len(backends)
    assert [backend.translate(again.compiled().program) for backend in backends.values()] == translations
    asides = {listing(g.asides(g.compiled()).program) for g in (new, first, load(name))}
    assert len(asides) == 1


def same(one: Game, other: Game) -> None:
    """Two scenarios with the options as usual."""
    for scenario in one.scenarios[:2]:
        a, b = one.compiled(scenario), other.compiled(scenario)
        assert listing(a.program) == listing(b.program)
        assert a.first == b.first
        assert one.rules_hash(a) == other.rules_hash(b)
    assert [str(w) for w in one.warnings] == [str(w) for w in other.warnings]


def test_a_whole_game_is_the_same(game: Path) -> None:
    load(game).start()
    positions = [load(game).start(seed=3), load(game, cached=False).start(seed=3)]
    for _ in range(40):
        assert positions[0].to_bytes() == positions[1].to_bytes()
        ends = []
        for position in positions:
            decision = position.decision
            assert decision is not None
            position.apply(decision.count // 2)
            ends.append([line.text for line in position.lines])
        assert ends[0] == ends[1]


def test_edits_are_seen(game: Path, place: Path) -> None:
    """Of any file, also if neither its size nor its time has changed."""
    assert load(game).title == "Sparta"
    kept_before = count(place)
    path = game / "game.yaml"
    status = path.stat()
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("title: Sparta", "title: Athens"), encoding="utf-8")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert load(game).title == "Athens"
    assert count(place) > kept_before
    path.write_text(text, encoding="utf-8")
    assert load(game).title == "Sparta"
    (game / "rules" / "99_more.effects").write_text("fun more() -> int = 1\n", encoding="utf-8")
    assert "more" in load(game).checked.callables


def test_another_program_reads_anew(game: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = kept.key(game)
    monkeypatch.setattr(kept, "_program", lambda: "another")
    assert kept.key(game) != before


def test_damage_does_no_harm(game: Path, place: Path) -> None:
    """Entries that are cut, changed, foreign or no pickles count as missing, and are made again."""
    start = load(game).start().to_bytes()
    entries = sorted(place.iterdir())
    assert len(entries) >= 3
    first = kept.key(game)
    sound = {path: path.read_bytes() for path in entries}
    for path, content in sound.items():
        for wrong in (b"", content[:40], content[:-1] + bytes([content[-1] ^ 1]), b"\0" * 32 + content[32:]):
            path.write_bytes(wrong)
            assert load(game).start().to_bytes() == start
            assert caches.fetch(place, path.name) is not None or path.name != first
        path.unlink()
        caches.keep(place, path.name, b"no pickle")
        assert load(game).start().to_bytes() == start
        path.chmod(0o666)
        assert caches.fetch(place, path.name) is None
        assert load(game).start().to_bytes() == start


def test_parts_belong_to_one_first_part(place: Path) -> None:
    """Parts refer to the first part's objects as they were numbered when it was pickled, and to no others."""
    one, other = ["a", [1], [2]], ["a", [2], [1]]
    entry = kept.keep("key", one)
    assert entry is not None
    entry.keep("part", [one[2]])
    found = kept.fetch("key")
    assert found is not None
    part = found[1].fetch("part")
    assert part == [[2]] and isinstance(part, list) and part[0] is found[0][2]
    kept.keep("key", other)
    found = kept.fetch("key")
    assert found is not None and found[1].fetch("part") is None


def test_errors_are_not_kept(game: Path, place: Path) -> None:
    (game / "rules" / "99_more.effects").write_text("fun more() -> int = nothing_of_that_name\n", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(GameError):
            load(game)
    assert count(place) == 0


def test_small_games_and_links_are_not_kept(game: Path, tmp_path: Path) -> None:
    assert kept.key(game) is not None
    small = tmp_path / "small"
    small.mkdir()
    (small / "game.yaml").write_text("game: small\nplayers: [a, b]\n", encoding="utf-8")
    assert kept.key(small) is None
    (game / "rules" / "link.effects").symlink_to(small / "game.yaml")
    assert kept.key(game) is None


def test_without_a_cache_folder(game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can be kept, everything is read anew."""
    (tmp_path / "cache").write_text("a file stands here")
    start = load(game).start().to_bytes()
    assert load(game).start().to_bytes() == start


def test_the_oldest_entries_go(tmp_path: Path) -> None:
    place = tmp_path / "some"
    for number in range(5):
        caches.keep(place, str(number), b"x", 3)
        os.utime(place / str(number), ns=(number, number))
    assert sorted(path.name for path in place.iterdir()) == ["2", "3", "4"]
