"""Lark and the grammar: one parser for all start symbols, with its tables kept between runs.

Building the tables takes a quarter of a second, reading them a fraction of that, so they are kept in the user's cache
folder. Nothing depends on that folder: a file that is missing, damaged or cannot be written costs the time of building.
"""

from __future__ import annotations

import hashlib
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from interpreter.lang.words import RESERVED
from interpreter.resources import grammar_text

if TYPE_CHECKING:
    from lark import Lark, Token

STARTS = ("file", "block", "expression", "type_text", "signature", "binder_text")


@cache
def parser() -> Lark:
    """The parser of the effect language; `lark` is imported only here, because many commands never parse."""
    import lark

    key = hashlib.sha256(f"{lark.__version__} {sys.version} {grammar_text()}".encode()).hexdigest()[:16]
    folder = _cache_folder()
    tables, seal = folder / f"{key}.tables", folder / f"{key}.sha256"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if tables.exists() and seal.exists() and seal.read_bytes() == _digest(tables):
            return build(cache=str(tables))
        tables.unlink(missing_ok=True)
        seal.unlink(missing_ok=True)
    except OSError:
        return build()
    made = build(cache=str(tables))
    # Without its seal the file counts as damaged: that is so as long as nothing can be written.
    with suppress(OSError):
        seal.write_bytes(_digest(tables))
    return made


def build(**options: Any) -> Lark:
    """Builds the parser; tests add `strict=True`, which refuses any conflict in the grammar."""
    from lark import Lark
    from lark.indenter import Indenter

    class Bodies(Indenter):
        """Turns indentation into tokens. Brackets need no care: their lines are joined before."""

        NL_type = "_NL"
        OPEN_PAREN_types: ClassVar[list[str]] = []
        CLOSE_PAREN_types: ClassVar[list[str]] = []
        INDENT_type = "_INDENT"
        DEDENT_type = "_DEDENT"
        tab_len = 1

    return Lark(
        grammar_text(),
        parser="lalr",
        lexer="contextual",
        start=list(STARTS),
        postlex=Bodies(),
        propagate_positions=True,
        maybe_placeholders=True,
        lexer_callbacks={"NAME": _reserve},
        **options,
    )


def _reserve(token: Token) -> Token:
    """The contextual lexer would take any word for a name where no keyword can stand; this makes it an error there."""
    if token.value in RESERVED:
        token.type = "RESERVED"
    return token


def _digest(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).hexdigest().encode()


def _cache_folder() -> Path:
    import platformdirs

    return Path(platformdirs.user_cache_dir("petteia", appauthor=False))
