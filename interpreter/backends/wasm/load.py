"""From a module's text to compiled code, by way of the cache."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import wasmtime

from interpreter.backends.wasm import cache as store
from interpreter.backends.wasm.calls import engine, owned


def load(name: str, text: Callable[[], str], cache: Path | bool | None) -> wasmtime.Module:
    """The compiled module of that name among those of the cache, else made from its text."""
    module = _found_or_made(name, text, cache)
    owned(module)
    return module


def _found_or_made(name: str, text: Callable[[], str], cache: Path | bool | None) -> wasmtime.Module:
    if cache is False:
        return wasmtime.Module(engine(), bytes(wasmtime.wat2wasm(text())))
    place = cache if isinstance(cache, Path) else store.folder()
    found = store.fetch(place, name)
    if found is not None:
        try:
            return wasmtime.Module.deserialize(engine(), found)
        except wasmtime.WasmtimeError:
            pass  # made by another build: wasmtime checks that itself
    module = wasmtime.Module(engine(), bytes(wasmtime.wat2wasm(text())))
    store.keep(place, name, bytes(module.serialize()))
    return module
