"""Petteia plays board games that are written down as data. The names here are the whole public interface."""

from interpreter.diagnostics import Diagnostic, GameError
from interpreter.game import Choice, Decision, Game, Outcome, Position, RuleFault, UsageError, load

__all__ = ["Choice", "Decision", "Diagnostic", "Game", "GameError", "Outcome", "Position", "RuleFault", "UsageError", "load"]
