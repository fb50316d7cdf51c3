"""The fast backend: a core program as one WebAssembly module, run by wasmtime. Positions are the same bytes as
everywhere."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.backends.wasm.cache import key
from interpreter.backends.wasm.module import Built, build
from interpreter.core.nodes import Program

if TYPE_CHECKING:
    from interpreter.backends.wasm.host import WasmMachine

__all__ = ["Translation", "available", "compile_program", "translate", "wat"]


def available() -> bool:
    """Whether wasmtime is installed."""
    return importlib.util.find_spec("wasmtime") is not None


def wat(program: Program) -> str:
    """The module's text for people to read, with names of the core and the place in the rules of each check as
    comments."""
    return build(program, comments=True).text


@dataclass(frozen=True)
class Translation:
    """A program as a module, and the name of that among compiled ones."""

    built: Built
    name: str

    @property
    def brief(self) -> Translation:
        """Without the text, which is only needed where no compiled module is found."""
        return Translation(replace(self.built, text=""), self.name)


def translate(program: Program) -> Translation:
    """What `compile_program` begins with; it may be kept for another time."""
    built = build(program)
    return Translation(built, key(built.text))


def compile_program(
    program: Program, translation: Translation | None = None, cache: Path | bool | None = None
) -> WasmMachine:
    """A machine for a program, which must not change any more.

    `cache`: a folder for compiled modules; True or None: the user's cache folder; False: none. A damaged or foreign
    entry counts as missing.
    """
    from interpreter.backends.wasm.host import WasmMachine  # only here is wasmtime needed
    from interpreter.backends.wasm.load import load

    made = translation or translate(program)
    return WasmMachine(program, made.built, load(made.name, lambda: made.built.text or build(program).text, cache))
