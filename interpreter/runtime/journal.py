"""The file of a saved game: an append-only journal that survives being killed at any moment.

Format 1. UTF-8, one JSON object a line, each line ended by a line feed. The last key of every line is `sum`: the
first 12 hex digits of the SHA-256 of the `sum` of the line before (nothing before the first line) followed by the
line's own text up to, and without, `,"sum":`. So a flipped byte, a missing line and half a line are all found, and
everything before is known to be intact. Blanks and empty lines between the lines mean nothing.

A line is written by one call and forced to the disk before what it says takes effect. A line that would lie across a
page of memory is pushed to the next page by blanks: the system carries out a write page by page, so a process killed
in the middle of a write leaves either the whole line or none of it. What the lines say is the affair of `record`.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.diagnostics import UsageError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

LARGEST = 64_000_000  # bytes; some hundred thousand choices
PAGE = 4096  # bytes; a write is never cut inside a page

_SUM = re.compile(rb',"sum":"([0-9a-f]{12})"\}\Z')


class SaveError(Exception):
    """A saved game that cannot be used as it is: what is wrong, and in `help` what can be done."""

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.help = help


@dataclass(frozen=True)
class Reading:
    """The intact lines of a journal. `intact`: how many bytes they take; `last`: the sum of the last one.

    `damaged`: number of the first damaged line, 0 if there is none; `why`: what is wrong with it.
    """

    entries: list[dict[str, object]]
    lines: list[int]  # the number of the line of each entry
    intact: int
    last: str
    damaged: int = 0
    why: str = ""


@dataclass(eq=False)
class Journal:
    """An open journal, locked against a second writer until it is closed or its process ends."""

    path: Path
    size: int
    last: str
    _file: int = field(repr=False)
    _ended: bool = True  # the last line has its line feed

    def append(self, entry: Mapping[str, object]) -> None:
        """Writes a line and forces it to the disk. Raises SaveError, and then the file is as it was."""
        text, total = encode(entry, self.last)
        line = (b"" if self._ended else b"\n") + text
        room = PAGE - self.size % PAGE
        if room < len(line) <= PAGE:
            line = b" " * room + line
        try:
            _write(self._file, line)
            os.fsync(self._file)
        except OSError as error:
            os.ftruncate(self._file, self.size)
            mend = "make room on the disk, then go on: nothing was changed"
            raise SaveError(f"cannot write to `{self.path}` ({error.strerror})", mend) from None
        self.size += len(line)
        self.last = total
        self._ended = True

    def close(self) -> None:
        """Closes the file and gives the lock back. A second call does nothing."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def create(path: Path, entry: Mapping[str, object]) -> Journal:
    """A new journal that begins with `entry`; it has its name only once that line is on the disk. Raises SaveError or
    OSError.
    """
    if os.path.lexists(path):
        raise _taken(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    file = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)
    try:
        _lock(file, path)
        journal = Journal(path, 0, "", file)
        journal.append(entry)
        try:
            os.link(temporary, path)  # unlike a renaming, never replaces what another process has just put there
            os.unlink(temporary)
        except FileExistsError:
            raise _taken(path) from None
        except OSError:  # a file system without links
            os.rename(temporary, path)
        _force_folder(path.parent)
    except BaseException:
        os.close(file)
        temporary.unlink(missing_ok=True)
        raise
    return journal


def open_for_writing(path: Path) -> tuple[Journal, Reading]:
    """Locks a journal and reads it. Damage does not stop it here: look at the reading. Raises SaveError or OSError."""
    _ordinary(path)
    file = os.open(path, os.O_RDWR | os.O_APPEND)
    try:
        _lock(file, path)
        data = _whole(file, path)
    except BaseException:
        os.close(file)
        raise
    reading = parse(data)
    ended = data[: reading.intact].endswith(b"\n")
    return Journal(path, len(data), reading.last, file, ended), reading


def read(path: Path) -> Reading:
    """Reads a journal without locking it. Raises SaveError or OSError."""
    _ordinary(path)
    file = os.open(path, os.O_RDONLY)
    try:
        return parse(_whole(file, path))
    finally:
        os.close(file)


def keep_intact(path: Path) -> Path | None:
    """Cuts off the damaged end of a journal, after copying the whole file: the copy's path, None if nothing was
    damaged. Raises SaveError or OSError.
    """
    journal, reading = open_for_writing(path)
    try:
        if not reading.damaged:
            return None
        if not reading.entries:
            raise SaveError(f"nothing of `{path}` is intact", "it may be no saved game, or its first line is damaged")
        os.lseek(journal._file, 0, os.SEEK_SET)
        copy = _copy_beside(path, _whole(journal._file, path))
        os.ftruncate(journal._file, reading.intact)
        os.fsync(journal._file)
        return copy
    finally:
        journal.close()


def encode(entry: Mapping[str, object], before: str) -> tuple[bytes, str]:
    """A line with its line feed, and its sum. `before`: the sum of the line before it."""
    try:
        body = json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:  # names of folders may hold bytes that are no text
        body = json.dumps(entry, separators=(",", ":")).encode()
    total = _sum(body[:-1], before)
    return body[:-1] + f',"sum":"{total}"}}\n'.encode(), total


def parse(data: bytes) -> Reading:
    """The lines of a journal, up to the first that is damaged."""
    entries: list[dict[str, object]] = []
    numbers: list[int] = []
    last = ""
    start = intact = number = 0
    while start < len(data):
        number += 1
        feed = data.find(b"\n", start)
        end = len(data) if feed < 0 else feed + 1
        line = data[start:end].strip()
        if line:
            entry, total, why = _line(line, last, ended=feed >= 0)
            if entry is None:
                return Reading(entries, numbers, intact, last, number, why)
            entries.append(entry)
            numbers.append(number)
            last = total
            intact = end
        start = end
    return Reading(entries, numbers, intact, last)


def _line(line: bytes, before: str, *, ended: bool) -> tuple[dict[str, object] | None, str, str]:
    """A line's object and sum, or None and what is wrong with it."""
    found = _SUM.search(line)
    if found is None:
        return None, "", "it has no checksum" if ended else "it breaks off"
    total = _sum(line[: found.start()], before)
    if found.group(1).decode() != total:
        return None, "", "its checksum does not match"
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None, "", "it is not JSON"
    return (entry, total, "") if isinstance(entry, dict) else (None, "", "it is no JSON object")


def _sum(body: bytes, before: str) -> str:
    return hashlib.sha256(before.encode() + body).hexdigest()[:12]


def _taken(path: Path) -> UsageError:
    return UsageError(f"`{path}` exists already", f"go on with it by `petteia resume {path}`, or give another name")


def _ordinary(path: Path) -> None:
    """Refuses what is no file of a possible size; opening a pipe would wait for ever."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        what = "a folder" if stat.S_ISDIR(status.st_mode) else "no ordinary file"
        raise UsageError(f"`{path}` is {what}, not a saved game")
    if status.st_size > LARGEST:
        raise SaveError(f"`{path}` is too large for a saved game ({status.st_size // 1_000_000} MB)")


def _whole(file: int, path: Path) -> bytes:
    data = bytearray()
    while chunk := os.read(file, 1 << 20):
        data += chunk
        if len(data) > LARGEST:
            raise SaveError(f"`{path}` is too large for a saved game")
    return bytes(data)


def _write(file: int, data: bytes) -> None:
    """Writes all of it, even where the system takes it in parts."""
    while data:
        data = data[os.write(file, data) :]


def _lock(file: int, path: Path) -> None:
    """Takes the lock, which ends with the process however it ends, so that none is ever left behind."""
    try:
        if sys.platform == "win32":
            at = os.lseek(file, 0, os.SEEK_CUR)
            os.lseek(file, LARGEST + 1, os.SEEK_SET)  # behind the text: what is locked there cannot be read by others
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            os.lseek(file, at, os.SEEK_SET)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        mend = "end that game first; `petteia replay` reads a game that is being played"
        raise SaveError(f"`{path}` is in use by another process", mend) from None
    except OSError:  # a file system that cannot lock
        return


def _copy_beside(path: Path, data: bytes) -> Path:
    """Writes bytes into a new file beside `path`."""
    number = 1
    while True:
        copy = path.with_name(f"{path.name}.damaged" + ("" if number == 1 else f"-{number}"))
        try:
            file = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        except FileExistsError:
            number += 1
            continue
        try:
            _write(file, data)
            os.fsync(file)
        finally:
            os.close(file)
        _force_folder(path.parent)
        return copy


def _force_folder(folder: Path) -> None:
    """Forces a new name to the disk, where the system can."""
    try:
        file = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(file)
    except OSError:
        return
    finally:
        os.close(file)
