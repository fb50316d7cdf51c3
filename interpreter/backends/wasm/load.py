"""From a module's text to compiled code, by way of the cache."""

from __future__ import annotations

from pathlib import Path

import wasmtime

from interpreter.backends.wasm import cache as store
from interpreter.backends.wasm.calls import engine


def load(text: str, cache: Path | bool | None) -> wasmtime.Module:
    """The compiled module."""
    if cache is False:
        return wasmtime.Module(engine(), bytes(wasmtime.wat2wasm(text)))
    place = cache if isinstance(cache, Path) else store.folder()
    name = store.key(text)
    found = store.fetch(place, name)
    if found is not None:
        try:
            return wasmtime.Module.deserialize(engine(), found)
        except wasmtime.WasmtimeError:
            pass  # made by another build: wasmtime checks that itself
    module = wasmtime.Module(engine(), bytes(wasmtime.wat2wasm(text)))
    store.keep(place, name, bytes(module.serialize()))
    return module
