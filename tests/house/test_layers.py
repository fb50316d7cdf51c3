"""Imports go one way: a module imports from layers above its own, or from its own without a circle."""

from __future__ import annotations

import ast

from tests.house.code import Module, imported, modules

LAYERS = [
    ("source", "graph", "diagnostics", "rendering", "resources", "caches", "kept"),
    ("reading",),
    ("lang",),
    ("core",),
    ("backends",),
    ("runtime",),
    ("game",),
    ("play",),
]
ANYWHERE = {"interpreter"}  # for its version; its other names are imported when they are used
TOP = {"interpreter", "interpreter.__main__"}  # the public names, and the way in


def layer(name: str) -> int:
    """The number of a module's layer."""
    if name in TOP:
        return len(LAYERS)
    part = name.split(".")[1]
    found = [i for i, names in enumerate(LAYERS) if part in names]
    assert found, f"{name} belongs to no layer"
    return found[0]


def graph(known: dict[str, Module]) -> dict[str, set[str]]:
    return {name: imported(module, known) for name, module in known.items()}


def circles(edges: dict[str, set[str]]) -> list[list[str]]:
    """Circles of imports, one for each module that closes one."""
    found: list[list[str]] = []
    done: set[str] = set()

    def visit(name: str, way: list[str]) -> None:
        if name in way:
            found.append([*way[way.index(name) :], name])
            return
        if name in done:
            return
        for other in sorted(edges[name]):
            visit(other, [*way, name])
        done.add(name)

    for name in edges:
        visit(name, [])
    return found


def test_layers() -> None:
    wrong = [
        f"{a} imports {b}" for a, bs in graph(modules()).items() for b in sorted(bs - ANYWHERE) if layer(b) > layer(a)
    ]
    assert not wrong, "\n".join(wrong)


def test_no_circles() -> None:
    found = circles(graph(modules()))
    assert not found, "\n".join(" -> ".join(way) for way in found)


def test_backends_do_not_know_each_other() -> None:
    for a, bs in graph(modules()).items():
        for one, other in (("python", "wasm"), ("wasm", "python")):
            if a.startswith(f"interpreter.backends.{one}"):
                assert not [b for b in bs if b.startswith(f"interpreter.backends.{other}")], a


def test_nothing_imports_the_command_line() -> None:
    for a, bs in graph(modules()).items():
        if not a.startswith("interpreter.play") and a not in TOP:
            assert not [b for b in bs if b.startswith("interpreter.play")], a


def test_circles_are_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == [["b", "c", "b"]]
    assert not circles({"a": {"b", "c"}, "b": {"c"}, "c": set()})


def test_imports_are_seen() -> None:
    known = dict.fromkeys(("interpreter.a", "interpreter.b", "interpreter.c"))
    text = "if TYPE_CHECKING:\n    from interpreter.c import x\ndef f():\n    from interpreter import b\n"
    module = Module("interpreter.a", next(iter(modules().values())).path, text, ast.parse(text))
    assert imported(module, known) == {"interpreter.b"}  # type: ignore[arg-type]
