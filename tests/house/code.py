"""The program's own source as data, for the tests of the house rules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "interpreter"
SKIPPED = {".git", ".venv", "build", "dist", "node_modules", "__pycache__", ".hypothesis"}


@dataclass(frozen=True)
class Module:
    """A module: its dotted name, file, text and tree."""

    name: str
    path: Path
    text: str
    tree: ast.Module

    @property
    def is_package(self) -> bool:
        return self.path.name == "__init__.py"


@cache
def modules() -> dict[str, Module]:
    """All modules of the package by name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        if "_data" in path.parts:
            continue
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = path.read_text(encoding="utf-8")
        found[name] = Module(name, path, text, ast.parse(text))
    return found


def files() -> Iterator[Path]:
    """All files of the project, without what tools leave behind."""
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        if path.is_file() and not SKIPPED & set(parts) and not any(p.endswith(("_cache", ".egg-info")) for p in parts):
            yield path


def _for_types_only(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)


def imported(module: Module, known: dict[str, Module]) -> set[str]:
    """The modules of the package that a module imports, also inside functions; those for type checkers only do not
    count.
    """
    found: set[str] = set()

    def visit(node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if _for_types_only(child):
                continue
            if isinstance(child, ast.ImportFrom):
                assert child.level == 0, f"{module.name} imports by dots"
                for alias in child.names:
                    full = f"{child.module}.{alias.name}"
                    found.add(full if full in known else str(child.module))
            elif isinstance(child, ast.Import):
                found.update(alias.name for alias in child.names)
            visit(child)

    visit(module.tree)
    return {name for name in found if name in known} - {module.name}
