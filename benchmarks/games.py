"""The large games beside Grid Sparta: decisions a second, by turns, and how long each takes to begin."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from benchmarks import clock
from benchmarks.fixtures import speed
from interpreter.core.compiled import Compiled
from interpreter.game import Game, load

REFERENCE = "grid_sparta"
GAMES = ("sparta", "spartacus", "hellenes")
WITH_ALL_OPTIONS = ("spartacus",)  # whose options are rules that can all be on together

_BEGIN = """
import sys, time
from interpreter.game import load
begun = time.process_time()
load(sys.argv[1]).start(backend=sys.argv[2]).decision.count
print(time.process_time() - begun)
"""


def games(rounds: int, seconds: float) -> list[dict[str, object]]:
    """Decisions a second for each scenario and campaign, and as shares of Grid Sparta's in the same round."""
    cases = [case for name in (REFERENCE, *GAMES) for case in _cases(name)]
    speeds: dict[tuple[str, str], list[float]] = {}
    for _ in range(rounds):
        for name, game, compiled in cases:
            for backend in ("python", "wasm"):
                speeds.setdefault((name, backend), []).append(speed(game, backend, seconds, compiled))
    rows = []
    for name, _, _ in cases:
        row: dict[str, object] = {"game": name}
        for backend in ("python", "wasm"):
            own, reference = speeds[name, backend], speeds[cases[0][0], backend]
            row[backend] = clock.rounded(median(own))
            row[f"share of {backend}"] = f"1/{median(b / a for a, b in zip(own, reference, strict=True)):.1f}"
        rows.append(row)
    return rows


def _cases(name: str) -> Iterator[tuple[str, Game, Compiled]]:
    game = load(name)
    for scenario in [*game.scenarios, *game.campaigns]:
        yield f"{name} {scenario}", game, game.compiled(scenario)
    if name in WITH_ALL_OPTIONS:
        options = dict.fromkeys(game.world.options, True)
        yield f"{name}, all options", game, game.compiled(None, options)


def begins(runs: int) -> list[dict[str, object]]:
    """Processor seconds from `load` to the first question, in fresh processes: with no caches, and kept from before."""
    rows = []
    for name in (REFERENCE, *GAMES):
        row: dict[str, object] = {"game": name}
        for backend in ("python", "wasm"):
            found: dict[str, list[float]] = {"cold": [], "kept": []}
            for _ in range(runs):
                with tempfile.TemporaryDirectory() as folder:
                    for kind in found:
                        _, said = clock.python(_BEGIN, name, backend, env=clock.environment(Path(folder)))
                        found[kind].append(float(said))
            for kind, took in found.items():
                row[f"{backend}, {kind}"] = clock.rounded(median(took))
        rows.append(row)
    return rows
