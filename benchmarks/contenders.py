"""Four programs for the same game, measured by turns: plain Python, C, and the interpreter's two backends.

Each is a function that plays a number of random games from a seed on (uniform choice among all legal moves, at most
500 plies) and says how many moves it made and how many processor seconds that took; and one that does perft.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks import clock
from benchmarks.yardsticks import plain
from interpreter.backends.wasm.host import WasmMachine
from interpreter.core import header
from interpreter.game import Game, first_block

CAP = 500
PERFT = (80, 6_400, 545_120)
CELL = 4  # bytes


@dataclass(frozen=True)
class Contender:
    """`playouts`: (games, seed) -> (moves, seconds). `perft`: depth -> count. `games`: how many make a short run;
    `deepest`: a depth of perft that does not take too long.
    """

    name: str
    playouts: Callable[[int, int], tuple[int, float]]
    perft: Callable[[int], int]
    games: int
    deepest: int


def contenders(game: Game, folder: Path) -> list[Contender]:
    """All four; the C program is compiled into a folder."""
    return [_plain(), _c(folder), _backend(game, "python", 40, 2), _backend(game, "wasm", 5_000, 3)]


def _plain() -> Contender:
    def playouts(games: int, seed: int) -> tuple[int, float]:
        chance = random.Random(seed)
        moves = 0

        def play() -> None:
            nonlocal moves
            for _ in range(games):
                moves += len(plain.playout(chance, CAP)[1])

        return moves_after(play, lambda: moves)

    return Contender("plain Python", playouts, lambda depth: plain.perft(plain.start(), depth), 20, 2)


def moves_after(play: Callable[[], None], moves: Callable[[], int]) -> tuple[int, float]:
    """The moves that were made and the seconds they took."""
    spent = clock.took(play).seconds
    return moves(), spent


def _c(folder: Path) -> Contender:
    program = folder / "bitboards"
    compiler = shutil.which("cc") or sys.exit("the C yardstick needs a C compiler, `cc`")
    source = Path(__file__).parent / "yardsticks" / "bitboards.c"
    subprocess.run([compiler, "-O2", "-o", str(program), str(source)], check=True)

    def playouts(games: int, seed: int) -> tuple[int, float]:
        run, said = clock.child([str(program), "playouts", str(games), str(seed), str(CAP)])
        return int(json.loads(said)["moves"]), run.seconds

    def perft(depth: int) -> int:
        return int(clock.child([str(program), "perft", str(depth)])[1])

    return Contender("C, bitboards", playouts, perft, 10_000, 3)


def _backend(game: Game, backend: str, games: int, deepest: int) -> Contender:
    """The interpreter; WebAssembly plays all games of a run in one call."""
    compiled = game.compiled()
    machine = game.machine(compiled, backend)
    start = first_block(compiled, 1)
    machine.advance(start)

    def one_by_one(games: int, seed: int) -> int:
        moves = 0
        for number in range(seed, seed + games):
            block = bytearray(start)
            machine.playout(block, number, CAP)
            moves += plies(block)
        return moves

    def together(games: int, seed: int) -> int:
        assert isinstance(machine, WasmMachine)
        return sum(found.plies for found in machine.playouts(start, seed, games, CAP))

    def playouts(games: int, seed: int) -> tuple[int, float]:
        moves = 0

        def play() -> None:
            nonlocal moves
            moves = (together if backend == "wasm" else one_by_one)(games, seed)

        return moves_after(play, lambda: moves)

    return Contender(f"{backend} backend", playouts, lambda d: machine.perft(bytearray(start), d), games, deepest)


def plies(block: bytearray) -> int:
    """Statements completed by a choice in a position."""
    return int.from_bytes(block[CELL * header.PLIES : CELL * header.PLIES + CELL], "little")


def check(found: list[Contender], deepest: int) -> dict[str, list[int]]:
    """Perft of all of them. Raises SystemExit if one is wrong: then its speed means nothing."""
    counts = {c.name: [c.perft(depth) for depth in range(1, min(c.deepest, deepest) + 1)] for c in found}
    for name, numbers in counts.items():
        if tuple(numbers) != PERFT[: len(numbers)]:
            sys.exit(f"perft of {name} is {numbers}, not {list(PERFT[: len(numbers)])}")
    return counts


def race(found: list[Contender], rounds: int, share: float) -> dict[str, list[float]]:
    """Moves a second of each contender in each round, all taking turns; `share` of the usual number of games."""
    speeds: dict[str, list[float]] = {c.name: [] for c in found}
    for number in range(rounds):
        for c in found:
            moves, spent = c.playouts(max(1, round(c.games * share)), 1 + 100_000 * number)
            speeds[c.name].append(moves / max(spent, 1e-9))
    return speeds


def ratios(speeds: Mapping[str, list[float]]) -> dict[str, float]:
    """The ratios that matter: medians over the rounds, each within one round."""
    pairs = [
        ("wasm backend", "C, bitboards"),
        ("wasm backend", "plain Python"),
        ("python backend", "plain Python"),
        ("C, bitboards", "plain Python"),
    ]
    return {
        f"{one} / {other}": clock.rounded(median(a / b for a, b in zip(speeds[one], speeds[other], strict=True)))
        for one, other in pairs
    }
