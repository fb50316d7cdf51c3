"""Petteia plays board games that are written down as data. The names here are the whole public interface.

They are imported when first used: a program that only lists games starts without the language and its tools.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.diagnostics import Diagnostic, GameError, RuleFault, UsageError
    from interpreter.game import Choice, Decision, Game, Outcome, Position, load

__all__ = [
    "Choice",
    "Decision",
    "Diagnostic",
    "Game",
    "GameError",
    "Outcome",
    "Position",
    "RuleFault",
    "UsageError",
    "load",
]

__version__ = "0.1.0"

_GROUND = ("Diagnostic", "GameError", "RuleFault", "UsageError")


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module `interpreter` has no attribute `{name}`")
    return getattr(import_module("interpreter.diagnostics" if name in _GROUND else "interpreter.game"), name)
