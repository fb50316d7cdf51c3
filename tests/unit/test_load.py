"""A game's folder as a whole: every key arrives in the model, and no file can do harm."""

from __future__ import annotations

import dataclasses
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.diagnostics import Bag, Diagnostic
from interpreter.reading import model
from interpreter.reading.files import LARGEST_FILE, read_file, shown_path
from interpreter.reading.load import MOST_FILES, load_folder
from interpreter.reading.yamltree import Scalar
from interpreter.rendering import render

EVERY_KEY = Path(__file__).parents[1] / "data" / "every_key"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small game; the current folder is its parent."""
    monkeypatch.chdir(tmp_path)
    game = tmp_path / "small"
    game.mkdir()
    write(game / "game.yaml", "game: small\nplayers: [white, black]\n")
    return game


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")


def load(folder: Path) -> tuple[model.GameDef | None, list[Diagnostic]]:
    bag = Bag()
    game = load_folder(folder, bag)
    assert (game is None) == bag.has_errors
    for d in bag:
        assert render(d)
    return game, list(bag)


def good(folder: Path) -> model.GameDef:
    game, found = load(folder)
    assert game is not None and not found, [render(d) for d in found]
    return game


def codes(folder: Path) -> list[str]:
    return [d.code for d in load(folder)[1]]


# ---- what arrives -------------------------------------------------------------------------------------------------


def objects(value: object) -> Iterator[object]:
    """All definitions inside a definition."""
    if isinstance(value, tuple | list):
        for one in value:
            yield from objects(one)
    elif dataclasses.is_dataclass(value) and type(value).__module__ == model.__name__:
        yield value
        for part in dataclasses.fields(value):
            yield from objects(getattr(value, part.name))


def test_every_part_of_the_model_is_filled() -> None:
    """The game `every_key` uses every key; so every field of every definition is somewhere not its default."""
    filled: set[tuple[str, str]] = set()
    for one in objects(good(EVERY_KEY)):
        for part in dataclasses.fields(one):  # type: ignore[arg-type]
            if getattr(one, part.name) not in (part.default, (), {}):
                filled.add((type(one).__name__, part.name))
    kinds = [v for v in vars(model).values() if isinstance(v, type) and v.__module__ == model.__name__]
    wanted = {(kind.__name__, part.name) for kind in kinds for part in dataclasses.fields(kind)}
    assert wanted - filled == set()
    assert len(wanted) > 100


def test_the_values_that_arrive() -> None:
    game = good(EVERY_KEY)
    assert [(p.id.text, p.kind.text, [n.text for n, _ in p.fields]) for p in game.players] == [
        ("white", "player", []),
        ("black", "player", ["komi"]),
    ]
    arm, rank, season = game.enums
    assert ([v.text for v in arm.values], arm.ordered) == (["foot", "horse"], False)
    assert ([v.text for v in rank.values], rank.ordered) == (["low", "high"], True)
    assert season.titles == {"spring": "Spring", "autumn": "Autumn"}
    land, depot, man, _trick, _post, road = game.kinds[1:7]
    assert (land.holds[0].kind.text, land.holds[0].limit, land.holds[0].inverse.text) == ("man", 1, "occupant")
    assert depot.holds[0].limit is None
    assert (land.piece, [p.text for p in man.piece or ()], road.edge, man.alike) == (
        None,
        ["land", "dead", "pool"],
        True,
        True,
    )
    strength, spirit = man.fields[1:3]
    assert (strength.type.value, strength.minimum, strength.maximum, strength.track) == ("int", 0, 9, False)
    assert isinstance(strength.default, Scalar) and strength.default.value == 3
    assert (spirit.minimum, spirit.maximum, spirit.track) == (-2, 10, True)
    assert game.map is not None and game.map.grid is not None
    assert game.map.grid.columns == ("a", "b", "c") and game.map.grid.rows == ("1", "2", "3")
    ids = [(e.kind.text if e.kind else None, e.id.text if e.id else None) for e in game.map.edges]
    assert ids == [(None, None), ("road", "old_road"), ("road", "b1_c1"), (None, None)]
    assert [e.id.text for e in game.entities] == ["store", "guard", "knight", "feint", "running", "boxing"]
    assert game.entities[1].citation.sources == (("strength", "deduced"),)
    assert game.entities[0].at == (1, 2)
    assert [o.name.text for o in game.options] == ["quick", "swift", "more", "slow"]
    assert [(o.default, o.citation.sources) for o in game.options][::3] == [
        (True, (("", "public"),)),
        (False, (("", "reconstructed"),)),
    ]
    play, turn = game.phases[0], game.phases[0].phases[0]
    assert (play.repeat, play.while_ and play.while_.value, turn.do and turn.do.value) == (
        True,
        "round < 9",
        "take_turn(mover)\n",
    )
    other, standard = game.scenarios
    assert (other.name.text, [n.text for n, _ in standard.place]) == ("other", ["guard_1", "knight", "pool"])
    test = game.tests[0]
    assert [(s.key.text, [v.text for v in s.values]) for s in test.when] == [
        ("white", ["go guard_1 b3"]),
        ("dice", ["2", "5"]),
        ("then", []),
    ]
    assert [t.value for t in test.when[-1].holds] == ["guard_1.owner == white"]
    assert (test.seed, [t.value for t in test.then]) == (7, ["guard_1.at == b3"])
    assert [look.style for look in game.looks] == ["bold red", ""]
    assert game.texts == {"ko": {"Every key": "모든 열쇠"}}
    assert [(s.id, s.example) for s in game.sections] == [("1", False), ("2", False), ("3", True)]


def test_texts_know_their_places() -> None:
    game = good(EVERY_KEY)
    do = game.phases[0].phases[0].do
    assert do is not None
    span = do.span(0, len("take_turn"))
    assert span.text == "take_turn"
    assert span.line == 1 + span.source.text[: span.start].count("\n")
    first, second = game.rules
    assert (first.value, second.value) == ("fun a() -> int =\n    2\n", "fun b() -> int = 1\n")
    assert first.span(first.value.index("2"), len(first.value) - 1).text == "2"
    assert [Path(s.path).name for s in game.sources if s.path.endswith(".effects")] == ["10_a.effects", "20_b.effects"]


def test_tests_can_be_left_out() -> None:
    bag = Bag()
    game = load_folder(EVERY_KEY, bag, tests=False)
    assert game is not None and game.tests == () and not bag.items


def test_a_file_and_a_folder_mean_the_same(folder: Path) -> None:
    write(folder / "cards.yaml", "- card: a\n")
    write(folder / "cards" / "2.yaml", "- card: c\n")
    write(folder / "cards" / "1.yaml", "- card: b\n")
    write(folder / "map.yaml", "spaces:\n  - land: z\n")
    write(folder / "phases.yaml", "play: {do: go()}\n")
    write(folder / "tests.yaml", "- test: one\n")
    game = good(folder)
    assert sorted(e.id.text for e in game.entities) == ["a", "b", "c", "z"]
    assert [e.id.text for e in game.entities].index("b") < [e.id.text for e in game.entities].index("c")
    assert (game.phases[0].name.text, game.tests[0].name) == ("play", "one")


def test_a_failed_load_leaves_nothing_behind(folder: Path) -> None:
    before = good(folder)
    write(folder / "pieces.yaml", "- man: [\n")
    assert codes(folder) == ["unclosed-bracket"]
    (folder / "pieces.yaml").unlink()
    after = good(folder)
    assert (after.name.text, after.entities) == (before.name.text, before.entities)


def test_all_files_are_read_in_spite_of_errors(folder: Path) -> None:
    write(folder / "map.yaml", "spaces: x\n")
    write(folder / "pieces.yaml", "- man: \t\n")
    write(folder / "cards" / "a.yaml", "- 3\n")
    write(folder / "rules" / "a.effects", "\x00")
    assert sorted(codes(folder)) == ["bad-character", "tab", "wrong-type", "wrong-type"]


# ---- names across files -------------------------------------------------------------------------------------------


def test_ids_are_unique_in_a_kind(folder: Path) -> None:
    write(folder / "pieces.yaml", "- man: a\n")
    write(folder / "cards" / "x.yaml", "- card: a\n- man: b\n")
    assert codes(folder) == []
    write(folder / "cards" / "y.yaml", "- man: a\n")
    _, (found,) = load(folder)
    assert (found.code, str(found.span)) == ("duplicate-id", "small/cards/x.yaml:1:1") or found.span is not None
    paths = {
        found.span.source.path if found.span else "",
        found.notes[0].span.source.path if found.notes[0].span else "",
    }
    assert paths == {"small/pieces.yaml", "small/cards/y.yaml"}


def test_sorts_of_a_kind_share_their_ids(folder: Path) -> None:
    write(folder / "game.yaml", "game: small\nplayers: [white]\nkinds: {unit: {sorts: [foot, horse]}, land: {}}\n")
    write(folder / "pieces.yaml", "- foot: a\n- horse: a\n- land: a\n")
    _, (found,) = load(folder)
    assert (found.code, found.message) == ("duplicate-id", "the unit `a` is there twice")


@pytest.mark.parametrize(
    ("files", "what"),
    [
        ({"game.yaml": "game: small\nplayers: [a, b, a]\n"}, "the player `a`"),
        ({"map.yaml": "edges: [{road: a, between: [x, y]}]\n", "pieces.yaml": "- road: a\n"}, "the road `a`"),
        ({"options.yaml": "a: {default: true}\n", "options/x.yaml": "option: a\ndefault: true\n"}, "the option `a`"),
        ({"scenarios/a.yaml": "scenario: a\n", "scenarios/b.yaml": "- scenario: a\n"}, "the scenario `a`"),
        ({"tests/a.yaml": "- test: a b\n- test: a b\n"}, "the test `a b`"),
        ({"rulebook.yaml": "sections: [{id: 1, title: A}, {id: 1, title: B}]\n"}, "the section `1`"),
    ],
)
def test_other_names_are_unique(folder: Path, files: dict[str, str], what: str) -> None:
    for name, text in files.items():
        write(folder / name, text)
    _, (found,) = load(folder)
    assert (found.code, found.message) == ("duplicate-id", f"{what} is there twice")
    assert found.notes[0].span is not None and found.span is not None
    assert found.span.text == found.notes[0].span.text


@pytest.mark.parametrize(
    ("key", "inside", "text"),
    [
        ("map", "map: {edges: [[a, b]]}\n", "edges: [[a, b]]\n"),
        ("phases", "phases: {a: {do: b()}}\n", "a: {do: b()}\n"),
    ],
)
def test_map_and_phases_stand_in_one_place(folder: Path, key: str, inside: str, text: str) -> None:
    write(folder / "game.yaml", "game: small\nplayers: [white]\n" + inside)
    assert codes(folder) == []
    write(folder / f"{key}.yaml", text)
    _, (found,) = load(folder)
    assert found.code == "given-twice"
    assert found.span is not None and found.span.text == key


def test_a_grid_has_bounds(folder: Path) -> None:
    write(folder / "map.yaml", "grid: {kind: a, columns: a..z, rows: 1..999, neighbours: 4}\n")
    assert codes(folder) == ["too-many"]
    write(folder / "map.yaml", "grid: {kind: a, columns: [a, b, a], rows: [1], neighbours: 4}\n")
    assert codes(folder) == ["duplicate-id"]


# ---- files --------------------------------------------------------------------------------------------------------


def test_unread_files(folder: Path) -> None:
    for name in ("README", "README.md", "LICENSE", "notes.md", ".hidden", ".git/config"):
        write(folder / name, "x")
    assert codes(folder) == []
    unread = [
        "peices.yaml",
        "cards.yml",
        "a.effects",
        "hooks.yaml",
        "rules/a.yml",
        "cards/x.txt",
        "texts.yaml",
        "more/x.yaml",
    ]
    for name in unread:
        write(folder / name, "x")
    game, found = load(folder)
    assert game is not None
    assert {d.code for d in found} == {"unread-file"}
    assert sorted(d.span.source.path for d in found if d.span) == sorted(
        f"small/{name}".removesuffix("/x.yaml") for name in unread
    )


def test_languages(folder: Path) -> None:
    write(folder / "texts" / "pt_BR.yaml", "a: b\n")
    assert set(good(folder).texts) == {"pt_BR"}
    write(folder / "texts" / "all of them.yaml", "a: b\n")
    assert codes(folder) == ["bad-name"]


def test_missing_things(tmp_path: Path, folder: Path) -> None:
    assert codes(tmp_path / "nowhere") == ["missing-folder"]
    assert codes(folder / "game.yaml") == ["missing-folder"]
    (folder / "game.yaml").unlink()
    assert codes(folder) == ["missing-file"]
    (folder / "game.yaml").mkdir()
    assert codes(folder) == ["not-a-file"]


def test_a_folder_in_place_of_a_file(folder: Path) -> None:
    (folder / "pieces.yaml").mkdir()
    (folder / "rules" / "a.effects").mkdir(parents=True)
    assert codes(folder) == ["not-a-file", "not-a-file"]


def test_empty_files(folder: Path) -> None:
    write(folder / "pieces.yaml", "")
    write(folder / "cards.yaml", " \n\n")
    write(folder / "map.yaml", "# nothing\n")
    assert codes(folder) == ["empty-file"] * 3


def test_not_utf8(folder: Path) -> None:
    (folder / "pieces.yaml").write_bytes("- man: Größe\n".encode("latin-1"))
    _, (found,) = load(folder)
    assert (found.code, str(found.span), found.label) == ("not-utf8", "small/pieces.yaml:1:10", "byte 0xF6")
    (folder / "pieces.yaml").write_bytes("- man: a\n".encode("utf-16"))
    assert codes(folder) == ["not-utf8"]


def test_a_byte_order_mark_and_windows_lines(folder: Path) -> None:
    (folder / "pieces.yaml").write_bytes(b"\xef\xbb\xbf- man: a\r\n  title: b\r\n")
    (entity,) = good(folder).entities
    assert (str(entity.id.span), entity.title) == ("small/pieces.yaml:1:8", "b")


def test_the_largest_file(folder: Path) -> None:
    path = folder / "pieces.yaml"
    path.write_bytes(b"#" * (LARGEST_FILE - 9) + b"\n- man: a")
    assert codes(folder) == []
    path.write_bytes(b"#" * (LARGEST_FILE - 8) + b"\n- man: a")
    assert codes(folder) == ["too-large"]
    with path.open("wb") as file:
        file.truncate(50_000_000_000)  # a hole: reading it whole would not end well
    assert codes(folder) == ["too-large"]


def test_too_many_files(folder: Path) -> None:
    for i in range(MOST_FILES):
        write(folder / "cards" / f"{i}.yaml", "")
    assert codes(folder) == ["too-many-files"]


posix = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX")


@posix
def test_nothing_outside_the_folder_is_read(tmp_path: Path, folder: Path) -> None:
    write(tmp_path / "secret.yaml", "- man: secret\n")
    write(tmp_path / "secrets" / "one.yaml", "- man: secret\n")
    (folder / "pieces.yaml").symlink_to(tmp_path / "secret.yaml")
    (folder / "cards").symlink_to(tmp_path / "secrets")
    (folder / "map.yaml").symlink_to("../secret.yaml")
    _, found = load(folder)
    assert [d.code for d in found] == ["outside-folder"] * 3
    assert not any("one.yaml" in render(d) or "man" in render(d) for d in found)
    bag = Bag()
    assert read_file(folder / ".." / "secret.yaml", folder, bag) is None
    assert read_file(Path("/etc/passwd"), folder, bag) is None
    assert [d.code for d in bag.items] == ["outside-folder"] * 2


@posix
def test_links_inside_the_folder_are_followed(folder: Path) -> None:
    write(folder / "cards" / "real.yaml", "- man: a\n")
    (folder / "pieces.yaml").symlink_to("cards/real.yaml")
    (folder / "cards" / "gone.yaml").symlink_to("nowhere.yaml")
    (folder / "cards" / "loop.yaml").symlink_to("loop.yaml")
    assert sorted(set(codes(folder))) in (["missing-file", "outside-folder"], ["missing-file", "unreadable-file"])


@posix
def test_pipes_and_devices_hang_nothing(folder: Path) -> None:
    os.mkfifo(folder / "pieces.yaml")
    assert codes(folder) == ["not-a-file"]


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may read everything")
def test_files_that_may_not_be_read(folder: Path) -> None:
    write(folder / "pieces.yaml", "- man: a\n")
    (folder / "pieces.yaml").chmod(0)
    (folder / "cards").mkdir(mode=0)
    assert codes(folder) == ["unreadable-file"] * 2


def test_errors_of_the_system_are_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, *args: object, **kwargs: object) -> object:
        raise PermissionError(13, "Permission denied")

    bag = Bag()
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", refuse)
        assert read_file(folder / "game.yaml", folder, bag) is None
    assert [d.code for d in bag.items] == ["unreadable-file"]


def test_how_files_are_called(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown_path(folder / "cards" / "a.yaml", folder) == "small/cards/a.yaml"
    assert shown_path(Path("small/game.yaml"), Path("small")) == "small/game.yaml"
    monkeypatch.chdir(folder)
    assert shown_path(folder / "game.yaml", folder) == "game.yaml"
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert shown_path(folder / "game.yaml", folder) == "small/game.yaml"


def test_no_entry_can_be_too_much(folder: Path) -> None:
    write(folder / "pieces.yaml", "- man: a\n  copies: 1000000000\n")
    assert codes(folder) == ["bad-value"]


# ---- whatever is written ------------------------------------------------------------------------------------------

FILES = {p.relative_to(EVERY_KEY): p.read_text(encoding="utf-8") for p in sorted(EVERY_KEY.rglob("*.yaml"))}
SNIPPETS = [
    "",
    " ",
    "\n",
    "\n  ",
    "x",
    "3",
    "-1",
    "[",
    "]",
    "{",
    "}",
    ": ",
    "- ",
    "null",
    "true",
    "yes",
    "a, b",
    "f(a, b)",
]
SNIPPETS += [
    "[]",
    "{}",
    "[a]",
    "{a: b}",
    "|",
    ">",
    "'",
    '"',
    "#",
    "\t",
    "0..9",
    "9..0",
    "a..z",
    "é",
    "'a\\nb'",
    '"\\n"',
    "~",
]


@given(
    name=st.sampled_from(sorted(FILES)),
    edits=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), st.sampled_from(SNIPPETS)), min_size=1, max_size=3),
    by_word=st.booleans(),
)
@settings(max_examples=200, deadline=None)
def test_no_edit_of_a_file_raises(name: Path, edits: list[tuple[float, int, str]], by_word: bool) -> None:
    text = FILES[name]
    for where, length, snippet in edits:
        start = int(where * len(text))
        if by_word:  # whole words, so that files stay good YAML and mistakes reach the later stages
            words = [m.span() for m in re.finditer(r"[\w.]+", text)] or [(0, 0)]
            start, end = words[min(int(where * len(words)), len(words) - 1)]
            length = end - start
        text = text[:start] + snippet + text[start + length :]
    with tempfile.TemporaryDirectory() as folder:
        game = Path(folder) / "game"
        shutil.copytree(EVERY_KEY, game)
        (game / name).write_text(text, encoding="utf-8", newline="")
        _, found = load(game)
    for d in found:
        assert d.span is not None
        assert 0 <= d.span.start <= d.span.end <= len(d.span.source.text)
