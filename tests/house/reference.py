"""The parts of the reference that are made from the program: built-ins, words and keys."""

from __future__ import annotations

import ast
import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from interpreter.lang.builtins import BUILTINS
from interpreter.lang.words import RESERVED
from tests.house.code import modules

ROOT = Path(__file__).resolve().parents[2]
FILES = (
    "game",
    "map",
    "entries",
    "phases",
    "scenarios",
    "campaigns",
    "options",
    "rules",
    "tables",
    "tests",
    "invariants",
    "texts",
    "bots",
    "display",
    "rulebook",
    "common",
)


def builtins() -> str:
    """The table of built-in functions."""
    lines = ["| call | |", "| --- | --- |"]
    lines += [f"| `{b.signature}` | {b.doc} |" for b in BUILTINS.values()]
    return "\n".join(lines)


def words() -> str:
    """The reserved words, in lines."""
    return "\n".join(textwrap.wrap("`" + "` `".join(sorted(RESERVED)) + "`", 120))


def schemas() -> dict[str, dict[str, Any]]:
    return {name: json.loads((ROOT / "schemas" / f"{name}.json").read_text(encoding="utf-8")) for name in FILES}


def keys() -> str:
    """Every key of every file with its description."""
    lines: list[str] = []
    for schema in schemas().values():
        lines += [f"## {_title(schema)}", ""]
        if schema.get("description"):
            lines += [schema["description"], ""]
        rows = list(dict.fromkeys(_rows(schema, "")))
        if rows:
            lines += ["| key | |", "| --- | --- |", *rows, ""]
    return "\n".join(lines).rstrip()


def _title(schema: dict[str, Any]) -> str:
    return str(schema["title"]).removeprefix("Petteia, ")


def _rows(schema: Any, where: str) -> Iterator[str]:
    """A line for each fixed key; `where` is the way to it."""
    if isinstance(schema, list):
        for one in schema:
            yield from _rows(one, where)
        return
    if not isinstance(schema, dict):
        return
    for key, value in schema.get("properties", {}).items():
        yield f"| {where}`{key}` | {value.get('description', '').replace('|', chr(92) + '|')} |"
        yield from _rows({k: v for k, v in value.items() if k != "description"}, f"{where}`{key}` › ")
    for name, value in schema.get("$defs", {}).items():
        yield from _rows(value, f"{name.replace('_', ' ')}: ")
    for key in ("items", "additionalProperties", "anyOf", "then", "else"):
        yield from _rows(schema.get(key), where)


def header() -> str:
    """The cells that every position begins with, as their module describes them."""
    text = (ROOT / "interpreter" / "core" / "header.py").read_text(encoding="utf-8")
    rows = re.findall(r"^([A-Z_]+) = (\d+)  # (.*)$", text, re.MULTILINE)
    return "\n".join(
        ["| cell | name | |", "| --- | --- | --- |", *(f"| {n} | {name} | {doc} |" for name, n, doc in rows)]
    )


def stages() -> str:
    """Every module with the first sentence of what it says of itself."""
    lines = []
    for title, prefix in STAGES:
        lines += [f"### {title}", "", "| module | |", "| --- | --- |"]
        for name, module in modules().items():
            doc = ast.get_docstring(module.tree) or ""
            inside = name.startswith(f"{prefix}.") if prefix != "interpreter" else name.count(".") < 2
            if inside and not (module.is_package and prefix == "interpreter"):
                first = re.split(r"(?<=\.)\s", doc.replace("\n", " "), maxsplit=1)[0]
                lines.append(f"| `{name.removeprefix(f'{prefix}.')}` | {first} |")
        lines.append("")
    return "\n".join(lines).rstrip()


STAGES = [
    ("Ground and facade", "interpreter"),
    ("Reading", "interpreter.reading"),
    ("Language", "interpreter.lang"),
    ("Core", "interpreter.core"),
    ("Backends", "interpreter.backends"),
    ("Runtime", "interpreter.runtime"),
    ("Play", "interpreter.play"),
]

GENERATED = {
    "builtins": builtins,
    "words": words,
    "keys": keys,
    "header": header,
    "modules": stages,
}


def filled(page: str) -> str:
    """A page with its generated parts as they are now."""
    for name, make in GENERATED.items():
        pattern = rf"(<!-- generated: {name} -->\n).*?(<!-- end -->)"
        page = re.sub(pattern, lambda m, made=make: f"{m[1]}\n{made()}\n\n{m[2]}", page, flags=re.DOTALL)  # type: ignore[misc]
    return page
