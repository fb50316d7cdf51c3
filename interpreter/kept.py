"""Checked and compiled games in the user's cache folder, so that a game known from before starts at once.

An entry is found by the content of all files of the game, by the program and by the version of Python: an edit of any
of them makes another entry. The first part of an entry is the game as it was checked; each further part, such as the
program for a scenario, refers to objects of the first by their numbers, so that kinds, places and fields are the same.
"""

from __future__ import annotations

import gc
import hashlib
import io
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar

import interpreter
from interpreter import caches
from interpreter.resources import games_folder

Part = TypeVar("Part")

LEAST = 32 * 1024  # bytes of a game from which on it is worth keeping
MOST = 64 * 1024 * 1024  # … and up to which
_FILES = 1000
_ENTRIES = 100


@contextmanager
def uncollected() -> Iterator[None]:
    """Without garbage collection, which would go through the many new objects again and again."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()


def key(folder: Path) -> str | None:
    """What a game is found by; None if it is not to be kept: too small to be worth it, too large, or with links."""
    total = hashlib.sha256(f"{_program()} {sys.version} {folder} {folder.resolve()}\0".encode(errors="surrogateescape"))
    size = 0
    try:
        for number, path in enumerate(_files(str(folder))):
            with open(path, "rb") as file:
                content = file.read(MOST + 1)
            size += len(content)
            if size > MOST or number >= _FILES:
                return None
            total.update(f"{path}\0{len(content)}\0".encode(errors="surrogateescape") + content)
    except OSError:
        return None
    return total.hexdigest() if size >= LEAST else None


class _Link(OSError):
    pass


def _files(folder: str) -> Iterator[str]:
    """All files in a folder, by name. Raises OSError where there is anything but folders and files."""
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda one: one.name)
    for one in entries:
        if one.is_dir(follow_symlinks=False):
            yield from _files(one.path)
        elif one.is_file(follow_symlinks=False):
            yield one.path
        else:
            raise _Link(one.path)


@cache
def _program() -> str:
    """What the program is: its sources, grammar and schemas."""
    data = games_folder().parent
    return caches.stamp([Path(interpreter.__file__).parent, data / "grammar", data / "schemas"])


class Kept:
    """The entry of a game: its further parts are fetched and kept by their names, and by the content of the first part:
    the same game may be pickled in another order.
    """

    def __init__(self, first: bytes, objects: dict[int, Any]) -> None:
        self.key = hashlib.sha256(first).hexdigest()
        self.objects = objects  # of the first part, by their numbers in its pickle

    @cached_property
    def _numbers(self) -> dict[int, int]:
        """The number of each object by its identity."""
        return {id(one): number for number, one in self.objects.items()}

    def fetch(self, part: str) -> object | None:
        """A further part; None if there is none."""
        found = _read(self._name(part))
        if found is None:
            return None
        unpickler = pickle.Unpickler(io.BytesIO(found))
        unpickler.persistent_load = self.objects.__getitem__  # type: ignore[method-assign]
        return _loaded(unpickler)

    @uncollected()
    def keep(self, part: str, value: object) -> None:
        """Keeps a further part."""
        numbers = self._numbers
        out = io.BytesIO()
        pickler = pickle.Pickler(out, 5)
        pickler.persistent_id = lambda one: numbers.get(id(one))  # type: ignore[method-assign]
        if _dumped(pickler, value):
            _write(self._name(part), out.getvalue())

    def recall(self, part: str, make: Callable[[], Part]) -> Part:
        """A further part; if there is none, it is made and kept."""
        found: Any = self.fetch(part)
        if found is None:
            found = make()
            self.keep(part, found)
        made: Part = found
        return made

    def _name(self, part: str) -> str:
        return hashlib.sha256(f"{self.key} {part}".encode()).hexdigest()


def fetch(key: str) -> tuple[Any, Kept] | None:
    """The first part of an entry, and what its other parts are fetched by; None if there is none."""
    found = _read(key)
    if found is None:
        return None
    unpickler = pickle.Unpickler(io.BytesIO(found))
    value = _loaded(unpickler)
    return None if value is None else (value, Kept(found, unpickler.memo.copy()))


@uncollected()
def keep(key: str, value: object) -> Kept | None:
    """Begins an entry by its first part; None if that can't be done."""
    out = io.BytesIO()
    pickler = pickle.Pickler(out, 5)
    if not _dumped(pickler, value):
        return None
    _write(key, out.getvalue())
    memo: Any = pickler.memo  # by the identity of each object its number and itself
    return Kept(out.getvalue(), dict(memo.copy().values()))


def _read(name: str) -> bytes | None:
    place = caches.folder("games")
    return None if place is None else caches.fetch(place, name)


def _write(name: str, content: bytes) -> None:
    place = caches.folder("games")
    if place is not None:
        caches.keep(place, name, content, _ENTRIES)


def _dumped(pickler: pickle.Pickler, value: object) -> bool:
    """Whether something could be pickled: it may lie too deep for that."""
    try:
        pickler.dump(value)
    except RecursionError:
        return False
    return True


def _loaded(unpickler: pickle.Unpickler) -> object | None:
    """What was pickled; None for what cannot be read, although its checksum is right."""
    with uncollected():
        try:
            found: object = unpickler.load()
            return found
        except Exception:  # whatever the damage is
            return None
