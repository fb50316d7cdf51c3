"""How long a game takes to begin: cold and from caches, parts of it and whole processes; and what positions weigh."""

from __future__ import annotations

import json
import sys
import tempfile
import tracemalloc
from pathlib import Path

from benchmarks import clock
from interpreter.game import Game

COPIES = 10_000

# Parts in one process: imports, reading and checking, lowering to the core, each backend.
_PARTS = """
import json, sys, time
marks = [time.process_time()]
def mark(): marks.append(time.process_time())
from interpreter.game import load
mark()
game = load(sys.argv[1]); mark()
compiled = game.compiled(); mark()
game.machine(compiled, "python"); mark()
game.machine(compiled, "wasm"); mark()
print(json.dumps([b - a for a, b in zip(marks, marks[1:])]))
"""
_NAMES = ("imports", "read and check", "lower", "python backend", "wasm backend")


def loading(name: str, runs: int) -> dict[str, dict[str, float]]:
    """Processor seconds of each part of loading a game, `cold` (no caches) and `warm` (all that runs leave behind)."""
    found: dict[str, dict[str, float]] = {}
    for kind in ("cold", "warm"):
        parts: list[list[float]] = []
        with tempfile.TemporaryDirectory() as folder:
            if kind == "warm":
                clock.python(_PARTS, name, env=clock.environment(Path(folder)))
            for number in range(runs):
                place = Path(folder) / (str(number) if kind == "cold" else "")
                _, said = clock.python(_PARTS, name, env=clock.environment(place))
                parts.append(json.loads(said))
        middle = [sorted(part)[len(part) // 2] for part in zip(*parts, strict=True)]
        figures = dict(zip(_NAMES, map(clock.rounded, middle), strict=True))
        found[kind] = {**figures, "read to python backend": clock.rounded(sum(middle[1:4]))}
    return found


def processes(runs: int) -> dict[str, dict[str, float]]:
    """Whole processes with warm caches: processor seconds, and seconds by the clock."""
    commands = {
        "python -c pass": ["-c", "pass"],
        "petteia list": ["-m", "interpreter", "list"],
        "petteia perft grid_sparta --depth 1": ["-m", "interpreter", "perft", "grid_sparta", "--depth", "1"],
    }
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        env = clock.environment(Path(folder))
        for name, words in commands.items():
            clock.child([sys.executable, *words], env)
            took = clock.middle([clock.child([sys.executable, *words], env)[0] for _ in range(runs)])
            found[name] = {"seconds": clock.rounded(took.seconds), "elapsed": clock.rounded(took.elapsed)}
    return found


def memory(game: Game) -> dict[str, float]:
    """What 10,000 copies of a position take: as bytes to keep, and as objects to play on."""
    position = game.start()
    found: dict[str, float] = {"bytes of one position": len(position.to_bytes())}
    for name, copy in (("as bytes", position.to_bytes), ("as Position", position.copy)):
        tracemalloc.start()
        kept: list[object] = [copy() for _ in range(COPIES)]
        found[f"MB for 10,000 {name}"] = clock.rounded(tracemalloc.get_traced_memory()[0] / 1e6)
        tracemalloc.stop()
        del kept
    return found
