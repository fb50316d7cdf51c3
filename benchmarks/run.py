"""All figures of docs/benchmarks.md in one run.

    python benchmarks/run.py [--rounds N] [--quick] [--json] [SECTION …]

Sections: playouts loading processes growth memory games begins fixtures stepping. The machine may be shared: everything
is measured by turns and several times, in processor time, and ratios within one run are what counts.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import clock, contenders, fixtures, games, growth, loading
from interpreter.game import Game, load

GAME = "grid_sparta"


def playouts(game: Game, rounds: int, quick: bool) -> dict[str, object]:
    """Perft of all four contenders, then the race."""
    with tempfile.TemporaryDirectory() as folder:
        found = contenders.contenders(game, Path(folder))
        counts = contenders.check(found, 1 if quick else 3)
        speeds = contenders.race(found, rounds, 0.02 if quick else 1)
    return {
        "perft": counts,
        "moves per second": {name: clock.rounded(median(runs)) for name, runs in speeds.items()},
        "ratios": contenders.ratios(speeds),
        "rounds": rounds,
    }


def sections(game: Game, rounds: int, quick: bool) -> dict[str, Callable[[], object]]:
    """What can be measured, by name."""
    return {
        "playouts": lambda: playouts(game, rounds, quick),
        "loading": lambda: loading.loading(GAME, 1 if quick else 3),
        "processes": lambda: loading.processes(1 if quick else 5),
        "growth": lambda: growth.growth(growth.PARTS[:1] if quick else growth.PARTS),
        "memory": lambda: loading.memory(game),
        "games": lambda: games.games(1 if quick else 3, 0.01 if quick else 1.0),
        "begins": lambda: games.begins(1 if quick else 3),
        "fixtures": lambda: fixtures.fixtures(0.01 if quick else 1.0),
        "stepping": lambda: fixtures.stepping(game, 40 if quick else 4000),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line; the exit code."""
    parser = argparse.ArgumentParser(description="Measures the interpreter; see docs/benchmarks.md.")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help="what to measure (default: all)")
    parser.add_argument("--rounds", type=int, default=7, help="turns of each program in the race (default: 7)")
    parser.add_argument("--quick", action="store_true", help="next to nothing of each, to see that it runs")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args(arguments)
    game = load(GAME)
    known = sections(game, max(given.rounds, 1), given.quick)
    wrong = [name for name in given.sections if name not in known]
    if wrong:
        parser.error(f"there is no section `{wrong[0]}`; sections: {' '.join(known)}")
    found = {}
    for name in given.sections or known:
        found[name] = known[name]()
        if not given.json:
            print(f"{name}\n{table(found[name])}\n", flush=True)
    if given.json:
        print(json.dumps(found, indent=2))
    return 0


def table(found: object) -> str:
    """Figures as text: rows of a list below one another, parts of a mapping each on a line."""
    if isinstance(found, list):
        heads = list(found[0])
        rows = [heads, *([_shown(row[head]) for head in heads] for row in found)]
        widths = [max(len(row[i]) for row in rows) for i in range(len(heads))]
        return "\n".join("  " + "  ".join(x.rjust(w) for x, w in zip(row, widths, strict=True)) for row in rows)
    assert isinstance(found, Mapping)
    lines = []
    for name, value in found.items():
        if isinstance(value, Mapping):
            lines += [f"  {name}", *(f"    {key:36} {_shown(item):>14}" for key, item in value.items())]
        else:
            lines.append(f"  {name:38} {_shown(value):>14}")
    return "\n".join(lines)


def _shown(value: object) -> str:
    if isinstance(value, float) and value >= 1000:
        return f"{value:,.0f}"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:,}"
    return " ".join(map(_shown, value)) if isinstance(value, list) else str(value)


if __name__ == "__main__":
    sys.exit(main())
