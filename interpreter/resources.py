"""Where the data that belongs to the program lies; nothing else in the program knows it.

In a checkout `grammar/`, `schemas/` and `games/` stand beside the package `interpreter`. An installed wheel carries
them inside the package, under `interpreter/_data/`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _folder(name: str) -> Path:
    """The folder of that name; the installed place first, because what lies beside an installed package is not ours."""
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name


@cache
def grammar_text() -> str:
    """The grammar of the effect language, as Lark reads it."""
    return (_folder("grammar") / "effects.lark").read_text(encoding="utf-8")


def schema_path(name: str) -> Path:
    """The file of a schema; `name` is its file name."""
    return _folder("schemas") / name


def games_folder() -> Path:
    """The folder that holds the games shipped with the program, one folder each."""
    return _folder("games")
