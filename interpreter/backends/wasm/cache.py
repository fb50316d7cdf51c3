"""Compiled modules on disk, so that a game known from before starts at once.

An entry is found by the text of the module and by the machine. Whatever is wrong with one, it counts as missing and is
written again (see `caches`).
"""

from __future__ import annotations

import hashlib
import platform
from importlib.metadata import version
from pathlib import Path

import platformdirs

from interpreter.caches import fetch as fetch
from interpreter.caches import keep as keep


def folder() -> Path:
    """Where compiled modules are kept unless told otherwise."""
    return Path(platformdirs.user_cache_dir("petteia")) / "wasm"


def key(text: str) -> str:
    """The name of the entry for the text of a module: the same text may compile otherwise elsewhere."""
    around = f"wasmtime {version('wasmtime')} {platform.system()} {platform.machine()} {_processor()}\n"
    return hashlib.sha256((around + text).encode()).hexdigest()


def _processor() -> str:
    """What tells processors apart whose instructions differ; compiled code uses all it finds."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            lines = {line.partition(":")[0].strip(): line for line in file}
        return hashlib.sha256((lines.get("flags", "") + lines.get("Features", "")).encode()).hexdigest()
    except OSError:
        return platform.processor()
