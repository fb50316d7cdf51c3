"""House rules for the source: short modules, documented names, nothing left for later, no game's words."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.house.code import PACKAGE, ROOT, Module, files, modules

LONGEST = 420
MODULES = list(modules().values())


def names(module: Module) -> str:
    return module.name


@pytest.mark.parametrize("module", MODULES, ids=names)
def test_length(module: Module) -> None:
    assert module.text.count("\n") <= LONGEST, "two ideas in one module: give each its own"


@pytest.mark.parametrize("module", MODULES, ids=names)
def test_docstrings(module: Module) -> None:
    assert ast.get_docstring(module.tree), "a module says what it is for"
    missing = []
    for node in module.tree.body:
        public = isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
        if public and not ast.get_docstring(node) and not _plain_record(node):
            missing.append(node.name)
    assert not missing


def _plain_record(node: ast.AST) -> bool:
    """A dataclass of fields only: their names say what they are."""
    return isinstance(node, ast.ClassDef) and all(isinstance(x, ast.AnnAssign | ast.Pass) for x in node.body)


def test_nothing_left_for_later() -> None:
    marks = re.compile("|".join(("TO" + "DO", "FIX" + "ME", r"\bX" + r"XX\b", "HA" + r"CK\b")))
    found = [str(p.relative_to(ROOT)) for p in files() if marks.search(_text(p))]
    assert not found


def test_no_word_on_how_it_is_made() -> None:
    """The project speaks of itself, not of who writes it with what."""
    words = (
        "ll" + "m",
        "chat" + "gpt",
        "clau" + "de",
        "open" + "ai",
        "anth" + "ropic",
        "copi" + "lot",
        "ai-gener" + "ated",
    )
    words += (
        "language mo" + "del",
        "/wo" + "rk/",
        "hel" + "per session",
        "/tmp/ve" + "nv",
        "shar" + "ed/design",
        "hard_pas" + "sages",
    )
    pattern = re.compile(
        "|".join(rf"(?<![a-z]){re.escape(w)}(?![a-z])" if w[0] != "/" else re.escape(w) for w in words)
    )
    found = []
    for path in files():
        hit = pattern.search(_text(path).lower())
        if hit:
            found.append(f"{path.relative_to(ROOT)}: {hit.group(0)}")
    assert not found, "\n".join(found)


def test_no_word_of_a_game() -> None:
    """Names of players, places, people and units of any game belong into its folder."""
    words = set(Path(__file__).with_name("game_words.txt").read_text(encoding="utf-8").split())
    assert {"sparta", "hoplite", "legion", "spartacus", "brasidas"} <= words
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        if "_data" in path.parts:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", line)
            found += [f"{path.relative_to(ROOT)}:{number}: {p}" for p in parts if p.lower() in words]
    assert not found, "\n".join(found)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""
