"""`petteia validate`: all that can be found in a game's files, its rule tests and translations included."""

from __future__ import annotations

from pathlib import Path

from interpreter.diagnostics import Bag, Diagnostic
from interpreter.game import find
from interpreter.lang.check import check
from interpreter.lang.translations import check_translations
from interpreter.play.words import all_words
from interpreter.reading.load import load_folder


def findings(name: str | Path) -> list[Diagnostic]:
    """Every error and warning of a game, sorted by place. Raises UsageError if there is no such game."""
    bag = Bag()
    definition = load_folder(name if isinstance(name, Path) else find(name), bag)
    if definition is not None:
        checked = check(definition, bag)
        check_translations(checked, all_words(), bag)
    return list(bag)
