"""The reference says what is: its fragments are run, its errors are those that come, its tables are made anew.

What follows the language of a fence says what it is:

- `yaml FILE`, `effects FILE`: a file of the example game;
- `yaml FILE +`: the game with this file; of `game.yaml`, with these keys;
- `yaml FILE grid`: a game of its own;
- `effects`: definitions; `effects body`: statements; `effects values`: expressions, one a line;
- `effects cards` (or `scenes`, `tables`): definitions on top of the additions before them;
- `effects wrong`, and the `text` after it: definitions and the errors they give (`wrong secrets`: on top of additions).
"""

from __future__ import annotations

import io
import random
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

import interpreter
from interpreter import GameError
from interpreter.backends import wasm
from interpreter.lang import nodes as n
from interpreter.play import ruletests
from interpreter.rendering import render
from tests.house import reference

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "language.md"
EXAMPLE = "rules/example.effects"
ABOVE = {
    "pairs": 1,
    "cards": 2,
    "cards.yaml +": 1,
    "cards scenarios.yaml +": 2,
    "relations": 1,
    "scenes": 1,
    "secrets": 2,
    "disclosing": 2,
    "wrong secrets": 2,
    "spies.yaml +": 1,
    "tables": 1,
    "leaders": 2,
    "leaders.yaml +": 1,
    "skills": 2,
    "heroes.yaml +": 1,
}  # how many of the additions before them such definitions need


@dataclass(frozen=True)
class Fence:
    """A fenced part of a page."""

    line: int
    language: str
    info: str
    text: str

    def __str__(self) -> str:
        return f"{self.line} {self.language} {self.info}".strip().replace(" ", "-")


def fences(path: Path) -> list[Fence]:
    """The fenced parts of a page in order."""
    text = path.read_text(encoding="utf-8")
    found = re.finditer(r"^```(\w+) ?([^\n]*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [Fence(text.count("\n", 0, m.start()) + 1, m[1], m[2], m[3]) for m in found]


FENCES = fences(PAGE)
BASE = {f.info: f.text for f in FENCES if re.fullmatch(r"\S+\.(yaml|effects)", f.info)}


def blocks(text: str, depth: int = 0) -> dict[str, str]:
    """The keys of a YAML text at a depth of indentation, each with its lines."""
    found: dict[str, str] = {}
    key = ""
    for line in text.splitlines(keepends=True):
        hit = re.match(rf" {{{depth}}}(\w+):", line)
        if hit:
            key = hit[1]
            found[key] = ""
        found[key] = found.get(key, "") + line
    return found


def merged(base: str, more: str) -> str:
    """`game.yaml` with further keys; kinds, zones and the like are joined one by one."""
    old, new = blocks(base), blocks(more)
    for key, text in new.items():
        if key not in old:
            old[key] = text
            continue
        head, _, inner = old[key].partition("\n")
        parts = blocks(inner, 2) | blocks(text.partition("\n")[2], 2)
        old[key] = head + "\n" + "".join(parts.values())
    return "".join(old.values())


def without(base: str, key: str) -> str:
    """`game.yaml` without a key."""
    return "".join(text for name, text in blocks(base).items() if name != key)


def files_for(fence: Fence) -> dict[str, str]:
    """The files of the game in which a fragment is checked."""
    files = dict(BASE)
    adding = [fence] if fence.info.endswith("+") else []
    if fence.info in ABOVE:
        before = [f for f in FENCES if f.info.endswith("+") and f.line < fence.line]
        adding = before[-ABOVE[fence.info] :] + adding
    for f in adding:
        name = f.info.removesuffix(" +").split()[-1]
        if name == "game.yaml":
            files[name] = merged(files[name], f.text)
        else:
            files[name] = f.text if name != "scenarios.yaml" else files[name] + f.text
        if name in ("phases.yaml", "options.yaml"):
            files["game.yaml"] = without(files["game.yaml"], name.removesuffix(".yaml"))
    if fence.language == "effects":
        files[EXAMPLE] = as_file(fence)
    return files


def as_file(fence: Fence) -> str:
    """A fragment as a file of rules."""
    if fence.info == "body":
        lines = fence.text.splitlines()
    elif fence.info == "values":
        lines = [f"let v{i} = {line}" for i, line in enumerate(fence.text.splitlines())]
    else:
        return fence.text
    return "effect example(p: player, u: unit, s: land, n: int):\n" + "".join(f"    {line}\n" for line in lines)


def put(files: dict[str, str], folder: Path) -> Path:
    """Writes files into a folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def load(files: dict[str, str], folder: Path) -> interpreter.Game:
    try:
        return interpreter.load(put(files, folder))
    except GameError as error:
        pytest.fail("\n".join(render(d) for d in error.diagnostics))


CHECKED = [f for f in FENCES if f.language in ("yaml", "effects") and f.info not in BASE and "wrong" not in f.info]


@pytest.mark.parametrize("fence", CHECKED, ids=str)
def test_fragment(fence: Fence, tmp_path: Path) -> None:
    """A fragment is a good part of a game, which both backends take and which begins in every scenario."""
    if fence.info.endswith("grid"):
        game = load({"game.yaml": fence.text}, tmp_path)
    else:
        game = load(files_for(fence), tmp_path)
    assert not [w for w in game.warnings if w.code != "unread-file"]
    for scenario in [*game.scenarios, *game.campaigns] or [None]:
        for backend in ("python", "wasm") if wasm.available() else ("python",):
            game.start(scenario, backend=backend)


@pytest.mark.parametrize("fence", [f for f in FENCES if f.info.startswith("tests/")], ids=str)
def test_rule_tests(fence: Fence, tmp_path: Path) -> None:
    put(files_for(fence), tmp_path)
    out = io.StringIO()
    assert ruletests.run([str(tmp_path)], "python", out) == 0, out.getvalue()


WRONG = [(a, b) for a, b in pairwise(FENCES) if "wrong" in a.info]


@pytest.mark.parametrize("wrong, expected", WRONG, ids=str)
def test_errors(wrong: Fence, expected: Fence, tmp_path: Path, golden: Callable[[Path, str], None]) -> None:
    assert expected.language == "text"
    with pytest.raises(GameError) as caught:
        interpreter.load(put(files_for(wrong), tmp_path / "rivers"))
    said = "\n".join(render(d) for d in caught.value.diagnostics if d.code != "unread-file")
    pair = f"```effects {wrong.info}\n{wrong.text}```\n\n```text\n"
    page = PAGE.read_text(encoding="utf-8")
    assert page.count(pair) == 1
    golden(PAGE, page.replace(f"{pair}{expected.text}```", f"{pair}{said}\n```"))


def test_example_plays(tmp_path: Path) -> None:
    game = load(BASE, tmp_path)
    ends = set()
    for seed in range(20):
        position = game.start(seed=seed)
        pick = random.Random(seed)
        while position.decision is not None:
            position.apply(pick.randrange(position.decision.count))
        assert position.outcome is not None
        ends.add(position.outcome.winner)
    assert len(ends) > 1


@pytest.mark.parametrize("page", ["language.md", "keys.md", "architecture.md", "modules.md"])
def test_generated_parts(page: str, golden: Callable[[Path, str], None]) -> None:
    path = ROOT / "docs" / page
    golden(path, reference.filled(path.read_text(encoding="utf-8")))


def test_everything_is_shown(tmp_path: Path) -> None:
    """Every statement and expression that is built stands in some fragment."""
    seen: set[type] = set()
    for i, fence in enumerate([None, *CHECKED]):
        files = BASE if fence is None else files_for(fence)
        if fence is not None and fence.info.endswith("grid"):
            continue
        game = load(files, tmp_path / str(i))
        for target in game.checked.callables.values():
            collect(target.node, seen)
    later = {n.Roll}
    wanted = {t for t in (*n.Stmt.__args__, *n.Expr.__args__) if t not in later}
    assert not {t.__name__ for t in wanted - seen}


def collect(node: object, seen: set[type]) -> None:
    if isinstance(node, tuple):
        for one in node:
            collect(one, seen)
    elif type(node).__module__.startswith("interpreter.lang.nodes"):
        seen.add(type(node))
        for slot in type(node).__slots__:  # type: ignore[attr-defined]
            collect(getattr(node, slot), seen)


def test_readme_fragments() -> None:
    """What the README shows of rules is what the game says."""
    files = sorted((ROOT / "games" / "grid_sparta").rglob("*"))
    rules = "\n".join(p.read_text(encoding="utf-8") for p in files if p.suffix in (".effects", ".yaml"))
    shown = [f for f in fences(ROOT / "README.md") if f.language in ("effects", "yaml")]
    assert len(shown) == 2
    for fence in shown:
        for part in fence.text.strip("\n").split("\n\n"):
            assert part in rules


def test_readme_error(tmp_path: Path, golden: Callable[[Path, str], None]) -> None:
    shipped, folder = ROOT / "games" / "grid_sparta", tmp_path / "grid_sparta"
    shutil.copytree(shipped, folder)
    rules = folder / "rules" / "10_turn.effects"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("3 if f.hero else", "3 if f.heroe else"), encoding="utf-8")
    with pytest.raises(GameError) as caught:
        interpreter.load(folder)
    (found,) = caught.value.diagnostics
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    (fence,) = [f for f in fences(ROOT / "README.md") if f.language == "text"]
    golden(ROOT / "README.md", page.replace(f"```text\n{fence.text}```", f"```text\n{render(found)}\n```"))
