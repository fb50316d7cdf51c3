"""The fast backend: a core program as one WebAssembly module, run by wasmtime. Positions are the same bytes as
everywhere."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.backends.wasm.module import build
from interpreter.core.nodes import Program

if TYPE_CHECKING:
    from interpreter.backends.wasm.host import WasmMachine

__all__ = ["available", "compile_program", "wat"]


def available() -> bool:
    """Whether wasmtime is installed."""
    return importlib.util.find_spec("wasmtime") is not None


def wat(program: Program) -> str:
    """The module's text for people to read, with names of the core and the place in the rules of each check as
    comments."""
    return build(program, comments=True).text


def compile_program(program: Program, cache: Path | bool | None = None) -> WasmMachine:
    """A machine for a program, which must not change any more.

    `cache`: a folder for compiled modules; True or None: the user's cache folder; False: none. A damaged or foreign
    entry counts as missing.
    """
    from interpreter.backends.wasm.host import WasmMachine  # only here is wasmtime needed
    from interpreter.backends.wasm.load import load

    built = build(program)
    return WasmMachine(program, built, load(built.text, cache))
