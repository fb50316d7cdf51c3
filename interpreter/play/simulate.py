"""Many games between bots, and what came of them. Game i has the seed N+i, so `play --seed N+i` shows it again.

Results depend on nothing but game, scenario, options, seed, bots and cap: not on backend, number of workers, or order
in which they finish.
"""

from __future__ import annotations

import math
import os
import signal
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from interpreter.backends.machine import Fault, Machine
from interpreter.core import header
from interpreter.diagnostics import Diagnostic, RuleFault
from interpreter.game import Game, Position, explained, first_block, load
from interpreter.play.bots import all_random, bot, with_options

MOST_PLIES = 10_000  # a game that is not over by then counts as unfinished, unless another cap is asked for
CONFIDENCE = 1.959963984540054  # standard deviations on both sides of the mean that hold 95 %

_BATCH = {"python": 16, "wasm": 512}  # games that a worker plays in one go


class GameFault(Exception):
    """A game met a fault of its rules: which game, its seed, and what went wrong where."""

    def __init__(self, game: str, seed: int, fault: RuleFault) -> None:
        super().__init__(f"seed {seed}: {fault}")
        self.game = game
        self.seed = seed
        self.fault = fault


@dataclass(frozen=True)
class Table:
    """What every game of a simulation has in common."""

    game: Game
    scenario: str
    options: dict[str, bool]
    bots: dict[str, str]
    seed: int
    max_plies: int
    backend: str


@dataclass(frozen=True)
class Played:
    """One game. `winner`: seat, -1 for a draw, None if it was not over at the cap. `plies`, `answers`: as in the
    position.
    """

    winner: int | None
    plies: int
    answers: int


@dataclass(frozen=True)
class Batch:
    """Games in order of their seeds, up to the first that met a fault; when they began and ended (`time.monotonic`)."""

    games: list[Played]
    began: float
    ended: float
    fault: tuple[int, Diagnostic, str] | None = None  # seed, what, place


def simulate(
    game: Game,
    scenario: str | None = None,
    options: Mapping[str, bool] | None = None,
    games: int = 1000,
    seed: int = 1,
    bots: Mapping[str, str] | None = None,
    jobs: int = 1,
    max_plies: int = MOST_PLIES,
    backend: str = "python",
    progress: Callable[[int], None] = lambda done: None,
) -> dict[str, Any]:
    """Plays games and sums them up, in the form of `simulate --json`. `progress` is told how many more are done.

    Raises UsageError, and GameFault for the game of the lowest seed that met one.
    """
    chosen, values = game.settings(scenario, with_options(bots or {}, options, game))
    sides = {player: bot((bots or {}).get(player, "random"), game).name for player in game.players}
    table = Table(game, chosen, values, sides, seed, max_plies, backend)
    machine = game.machine(game.compiled(chosen or None, values), backend)
    size = _BATCH.get(backend, 16)
    ranges = [(first, min(size, games - first)) for first in range(0, games, size)]
    played: list[Played] = []
    began, ended = math.inf, -math.inf
    for batch in _batches(table, machine, ranges, max(1, min(jobs, len(ranges)))):
        if batch.fault is not None:
            number, diagnostic, place = batch.fault
            raise GameFault(game.name, number, RuleFault(diagnostic, place))
        played += batch.games
        began, ended = min(began, batch.began), max(ended, batch.ended)
        progress(len(batch.games))
    return _summary(table, played, max(0.0, ended - began))


# ---- playing --------------------------------------------------------------------------------------------------------


def _batches(table: Table, machine: Machine, ranges: list[tuple[int, int]], jobs: int) -> Iterator[Batch]:
    """The batches in order, played by as many workers."""
    clone: Callable[[], Machine] | None = getattr(machine, "clone", None)
    if jobs == 1 or (table.backend != "python" and clone is None):
        for first, count in ranges:
            yield _play(table, machine, first, count)
    elif clone is None:
        ready = (
            str(table.game.folder),
            table.scenario,
            table.options,
            table.bots,
            table.seed,
            table.max_plies,
            table.backend,
        )
        # Fresh processes and no copies of this one, which may have threads: the same on every system.
        pool = ProcessPoolExecutor(jobs, get_context("spawn"), _prepare, ready)
        yield from _in_order(pool, _work, ranges, jobs)
    else:
        machines = [machine, *(clone() for _ in range(jobs - 1))]

        def work(first: int, count: int) -> Batch:
            mine = machines.pop()  # there are as many as workers
            try:
                return _play(table, mine, first, count)
            finally:
                machines.append(mine)

        yield from _in_order(ThreadPoolExecutor(jobs), work, ranges, jobs)


def _in_order(
    pool: Executor, work: Callable[[int, int], Batch], ranges: list[tuple[int, int]], jobs: int
) -> Iterator[Batch]:
    """Results in order of the ranges, a few batches ahead of their reader."""
    waiting: list[Future[Batch]] = []
    rest = iter(ranges)
    try:
        for first, count in rest:
            with _deaf():  # the first call starts the workers
                waiting.append(pool.submit(work, first, count))
            if len(waiting) > 2 * jobs:
                yield waiting.pop(0).result()
        while waiting:
            yield waiting.pop(0).result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _deaf() -> Iterator[None]:
    """Ctrl-C waits until the end of the block. Processes started in it never hear it: the first process ends them."""
    if hasattr(signal, "pthread_sigmask"):
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    else:
        yield


_worker: list[tuple[Table, Machine]] = []  # in a worker process: what it plays


def _prepare(
    folder: str, scenario: str, options: dict[str, bool], bots: dict[str, str], seed: int, max_plies: int, backend: str
) -> None:
    """Loads the game in a worker process, once."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where it was not blocked from the start
    game = load(Path(folder))
    machine = game.machine(game.compiled(scenario or None, options), backend)
    _worker[:] = [(Table(game, scenario, options, bots, seed, max_plies, backend), machine)]


def _work(first: int, count: int) -> Batch:
    table, machine = _worker[0]
    return _play(table, machine, first, count)


def _play(table: Table, machine: Machine, first: int, count: int) -> Batch:
    """Games number first … first+count-1."""
    began = time.monotonic()
    games: list[Played] = []
    compiled = table.game.compiled(table.scenario or None, table.options)
    fault: tuple[int, Diagnostic, str] | None = None
    try:
        if not all_random(table.bots, table.game.players):
            for number in range(first, first + count):
                games.append(_result(_with_bots(table, machine, table.seed + number)))
        elif hasattr(machine, "playouts"):  # whole batches without coming back to Python
            block = first_block(compiled, table.seed)
            for result in machine.playouts(block, table.seed, count, table.max_plies, first=first):
                if result.fault is not None:
                    raise result.fault
                games.append(Played(result.winner if result.status else None, result.plies, result.answers))
        else:
            for number in range(first, first + count):
                block = first_block(compiled, table.seed + number)
                machine.playout(block, table.seed + number, table.max_plies)
                games.append(_result(block))
    except Fault as found:
        told = explained(compiled, found)
        fault = (table.seed + first + len(games), told.diagnostic, told.place)
    except RuleFault as told:
        fault = (table.seed + first + len(games), told.diagnostic, told.place)
    return Batch(games, began, time.monotonic(), fault)


def _with_bots(table: Table, machine: Machine, seed: int) -> bytearray:
    """Plays one game, asking bots by their names; its last position."""
    compiled = table.game.compiled(table.scenario or None, table.options)
    position = Position(table.game, compiled, machine, first_block(compiled, seed))
    position.advance()
    answers = {player: bot(name, table.game).answer for player, name in table.bots.items()}
    while (decision := position.decision) is not None and position.plies < table.max_plies:
        position.apply(answers[decision.player](decision, seed))
    return position.block


def _result(block: bytearray) -> Played:
    cells = memoryview(block).cast("i")
    return Played(cells[header.WINNER] if cells[header.STATUS] else None, cells[header.PLIES], cells[header.ANSWERS])


# ---- summing up -----------------------------------------------------------------------------------------------------


def _summary(table: Table, played: list[Played], seconds: float) -> dict[str, Any]:
    decisions = sum(one.answers for one in played)
    lengths = [one.plies for one in played]
    wins = dict.fromkeys(table.game.players, 0)
    for one in played:
        if one.winner is not None and one.winner >= 0:
            wins[table.game.players[one.winner]] += 1
    return {
        "game": table.game.name,
        "scenario": table.scenario or None,
        "options": table.options,
        "seed": table.seed,
        "bots": table.bots,
        "max_plies": table.max_plies,
        "backend": table.backend,
        "games": len(played),
        "decisions": decisions,
        "seconds": round(seconds, 6),
        "decisions_per_second": round(decisions / seconds) if seconds > 0 else 0,
        "results": {
            "wins": wins,
            "draws": sum(1 for one in played if one.winner == -1),
            "unfinished": sum(1 for one in played if one.winner is None),
        },
        "lengths": {
            "min": min(lengths),
            "median": statistics.median(lengths),
            "mean": round(statistics.fmean(lengths), 3),
            "max": max(lengths),
        },
        "win_rates": {player: _rate(count, len(played)) for player, count in wins.items()},
    }


def _rate(wins: int, games: int) -> dict[str, float]:
    low, high = wilson(wins, games)
    return {"rate": round(wins / games, 6), "low": round(low, 6), "high": round(high, 6)}


def wilson(wins: int, games: int) -> tuple[float, float]:
    """The 95 % score interval of a rate (E. B. Wilson 1927)."""
    z2 = CONFIDENCE**2
    rate = wins / games
    middle = (rate + z2 / (2 * games)) / (1 + z2 / games)
    half = CONFIDENCE / (1 + z2 / games) * math.sqrt(rate * (1 - rate) / games + z2 / (4 * games * games))
    return max(0.0, middle - half), min(1.0, middle + half)


def default_jobs() -> int:
    """As many workers as this process may use processors."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
