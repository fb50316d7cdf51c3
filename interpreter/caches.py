"""Files in the user's cache folder, which nothing depends on: what is missing or wrong there is made again.

An entry may hold what will be run, so it is only read from a folder and a file that belong to the user alone, and only
if its content has the checksum written in front of it. Writers do not disturb each other or readers: an entry appears
whole, by renaming.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

_POSIX = os.name == "posix"
_LARGEST = 256 * 1024 * 1024  # bytes; anything larger is not ours


def folder(name: str) -> Path | None:
    """The folder of that name among the user's caches; None where the user has none."""
    import platformdirs

    try:
        return platformdirs.user_cache_path("petteia", appauthor=False) / name
    except (OSError, RuntimeError):
        return None


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


def keep(place: Path, name: str, content: bytes, most: int = 0) -> None:
    """Writes an entry, if the folder can be written; a cache that cannot is no error. Of more than `most` entries (0:
    any number) those are removed that were written first.
    """
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
        if most:
            _prune(place, most)


def _prune(place: Path, most: int) -> None:
    with os.scandir(place) as found:
        entries = sorted((one.stat(follow_symlinks=False).st_mtime_ns, one.path) for one in found)
    for _, path in entries[: max(0, len(entries) - most)]:
        with contextlib.suppress(OSError):
            os.unlink(path)


def _ours(found: os.stat_result, kind: Callable[[int], bool]) -> bool:
    """Whether something is of the right kind, belongs to us, and can be written by nobody else."""
    if not kind(found.st_mode):
        return False
    return not _POSIX or (found.st_uid == os.geteuid() and not found.st_mode & 0o022)


def stamp(folders: Iterable[Path]) -> str:
    """Times and sizes of all files in folders, as a hash."""
    total = hashlib.sha256()
    for one in folders:
        for path, status in sorted(_files(str(one))):
            total.update(f"{path}\0{status}\0".encode(errors="surrogateescape"))
    return total.hexdigest()


def _files(folder: str) -> Iterator[tuple[str, str]]:
    try:
        with os.scandir(folder) as found:
            for one in found:
                if one.name == "__pycache__":
                    continue
                if one.is_dir(follow_symlinks=False):
                    yield one.path, "folder"
                    yield from _files(one.path)
                else:
                    status = one.stat()
                    yield one.path, f"{status.st_mtime_ns} {status.st_size}"
    except OSError as error:
        yield folder, str(error.errno)
