"""Reads one file of a game, safely: never outside its folder, never more than a game can need, never a traceback."""

from __future__ import annotations

import codecs
import re
import stat
from pathlib import Path

from interpreter.diagnostics import Bag
from interpreter.source import Source, Span

LARGEST_FILE = 2_000_000  # bytes

# What a scanner or a person could take for something else: controls, odd line ends, marks that reorder text.
_ODD = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
    r"|\r(?!\n)"
)


def read_file(path: Path, root: Path, bag: Bag) -> Source | None:
    """The text of a file inside the folder `root`; None, with an error in `bag`, if it cannot or must not be read."""
    shown = shown_path(path, root)
    here = whole_file(shown)
    if not inside(path, root):
        mend = "a game reads only what lies in its own folder; copy the file there"
        bag.error("outside-folder", "the file lies outside the game's folder", here, help=mend)
        return None
    try:
        data = _bytes(path, here, bag)
    except FileNotFoundError:
        bag.error("missing-file", "the file is not there", here, help="create it, or check how its name is spelt")
        return None
    except PermissionError:
        bag.error("unreadable-file", "the file may not be read", here, help="change its permissions")
        return None
    except OSError as error:
        bag.error("unreadable-file", f"the file cannot be read ({error.strerror})", here)
        return None
    if data is None:
        return None
    source = _decoded(data.removeprefix(codecs.BOM_UTF8), shown, bag)
    if source is None:
        return None
    if not source.text.strip():
        bag.error("empty-file", "the file says nothing", here, help="fill it, or remove it")
        return None
    return None if odd_characters(source, bag) else source


def shown_path(path: Path, root: Path) -> str:
    """How messages call a file: by its path from the current folder if it lies there, else from the game's parent."""
    full = _absolute(path)
    for base in (Path.cwd(), _absolute(root).parent):
        if full.is_relative_to(base):
            return full.relative_to(base).as_posix()
    return full.as_posix()


def whole_file(shown: str) -> Span:
    """A place that means a file as a whole, whether it could be read or not."""
    return Span(Source(shown, ""), 0, 0)


def inside(path: Path, root: Path) -> bool:
    """Whether a path, with all links followed, lies in a folder."""
    try:
        return path.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError):  # links that run in a circle
        return False


def odd_characters(source: Source, bag: Bag) -> bool:
    """Refuses characters that have no place in a text file; one error a file is enough."""
    text = source.text
    found = _ODD.search(text, 1 if text.startswith("\ufeff") else 0)
    if found is None:
        return False
    char = found.group()
    what = "a line end of old style (CR)" if char == "\r" else f"the invisible character U+{ord(char):04X}"
    mend = "save the file with line ends LF or CRLF" if char == "\r" else "remove it; it may have come with copied text"
    bag.error("bad-character", f"{what} stands here", Span(source, found.start(), found.end()), help=mend)
    return True


def _absolute(path: Path) -> Path:
    """The path from the root with `..` taken out, links left as they are."""
    parts: list[str] = []
    for part in path.absolute().parts:
        if part == "..":
            parts[1:] = parts[1:-1]
        else:
            parts.append(part)
    return Path(*parts)


def _bytes(path: Path, here: Span, bag: Bag) -> bytes | None:
    """The bytes of an ordinary file that is not too large. Raises `OSError`."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):  # opening a pipe would wait for ever
        what = "a folder" if stat.S_ISDIR(status.st_mode) else "no ordinary file"
        bag.error("not-a-file", f"this is {what}", here, help="put a text file in its place")
        return None
    data = b""
    if status.st_size <= LARGEST_FILE:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    if status.st_size > LARGEST_FILE or len(data) > LARGEST_FILE:
        mend = "split it into several files in a folder"
        bag.error("too-large", f"the file is larger than {LARGEST_FILE // 1_000_000} MB", here, help=mend)
        return None
    return data


def _decoded(data: bytes, shown: str, bag: Bag) -> Source | None:
    try:
        return Source(shown, data.decode("utf-8"))
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        source = Source(shown, before + data[error.start :].decode("utf-8", "replace"))
        label = f"byte 0x{data[error.start]:02X}"
        span = Span(source, len(before), len(before) + 1)
        bag.error("not-utf8", "this is not UTF-8 text", span, label=label, help="save the file in the encoding UTF-8")
        return None
