"""The codes of all diagnostics and faults that the program can give, read from its source."""

from __future__ import annotations

import ast

from tests.house.code import modules

GIVERS = {"error", "warn", "site", "Site", "Diagnostic", "Finding", "_wrong"}  # what takes a code first


def codes() -> dict[str, list[str]]:
    """Every code, with the modules that give it."""
    found: dict[str, list[str]] = {}
    for module in modules().values():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and node.args and _name(node.func) in GIVERS:
                for value in _constants(node.args[0]):
                    found.setdefault(value, []).append(module.name)
    return found


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _constants(node: ast.expr) -> list[str]:
    if isinstance(node, ast.IfExp):
        return [*_constants(node.body), *_constants(node.orelse)]
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []
