"""By which backend a compiled program is run; what a backend has made of it is kept."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from interpreter.backends.machine import Machine
from interpreter.backends.twin import Twin
from interpreter.core.compiled import Compiled
from interpreter.diagnostics import UsageError
from interpreter.kept import Kept, uncollected


def make_machine(compiled: Compiled, backend: str, entry: Kept | None = None, part: str = "") -> Machine:
    """Compiles a program by a backend. `entry`, `part`: where in the cache folder the program is kept, if it is.

    Raises UsageError for a backend that is unknown or not installed.
    """
    if backend == "both":
        one, other = (make_machine(compiled, name, entry, part) for name in ("python", "wasm"))
        return Twin(one, other)
    home = _backend(backend)
    name = f"{part} {backend}"
    translation: Any = entry.fetch(name) if entry is not None and part else None
    if translation is None:
        with uncollected():
            translation = home.translate(compiled.program)
        if entry is not None and part:
            entry.keep(name, translation.brief)
    made: Machine = home.compile_program(compiled.program, translation)
    return made


def _backend(name: str) -> ModuleType:
    if name == "python":
        from interpreter.backends import python

        return python
    if name == "wasm":
        from interpreter.backends import wasm

        if not wasm.available():
            raise UsageError("the wasm backend needs wasmtime", "pip install wasmtime")
        return wasm
    raise UsageError(f"there is no backend `{name}`", "backends: python, wasm, both")
