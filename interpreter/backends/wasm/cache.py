"""Compiled modules on disk, so that a game known from before starts at once.

An entry is machine code that will be run, so it is only read from a folder and a file that belong to the user alone,
and only if its content has the checksum written in front of it. Whatever is wrong with an entry, it counts as missing
and is written again. Writers do not disturb each other or readers: an entry appears whole, by renaming.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import stat
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import platformdirs

_POSIX = os.name == "posix"
_LARGEST = 256 * 1024 * 1024  # bytes; anything larger is not ours


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


def fetch(place: Path, name: str) -> bytes | None:
    """The content of an entry; None if there is none that can be trusted."""
    try:
        if not _ours(place.lstat(), stat.S_ISDIR):
            return None
        with open(
            os.open(place / name, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)), "rb"
        ) as file:
            found = os.fstat(file.fileno())
            if not _ours(found, stat.S_ISREG) or found.st_size > _LARGEST:
                return None
            checksum, content = file.read(32), file.read()
    except OSError:
        return None
    return content if hashlib.sha256(content).digest() == checksum else None


def keep(place: Path, name: str, content: bytes) -> None:
    """Writes an entry, if the folder can be written; a cache that cannot is no error."""
    with contextlib.suppress(OSError):
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _ours(place.lstat(), stat.S_ISDIR):
            return
        handle, temporary = tempfile.mkstemp(dir=place, prefix=".new-")  # only the owner may read it
        try:
            with open(handle, "wb") as file:
                file.write(hashlib.sha256(content).digest() + content)
            os.replace(temporary, place / name)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise


def _ours(found: os.stat_result, kind: Callable[[int], bool]) -> bool:
    """Whether something is of the right kind, belongs to us, and can be written by nobody else."""
    if not kind(found.st_mode):
        return False
    return not _POSIX or (found.st_uid == os.geteuid() and not found.st_mode & 0o022)
