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
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from interpreter.backends.machine import Fault, Machine
from interpreter.backends.twin import Unequal
from interpreter.core import header
from interpreter.core.compiled import Compiled
from interpreter.diagnostics import Diagnostic, RuleFault
from interpreter.game import Game, Position, explained, first_block, load
from interpreter.play.bots import all_random, bot, with_options
from interpreter.play.holding import OUR_FAULT, breach
from interpreter.runtime.invariants import Watch

MOST_PLIES = 10_000  # a game that is not over by then counts as unfinished, unless another cap is asked for
CONFIDENCE = 1.959963984540054  # standard deviations on both sides of the mean that hold 95 %

_BATCH = {"python": 16, "wasm": 512}  # games that a worker plays in one go
_FAST = {"wasm": "wasm", "both": "wasm"}  # backend that tests invariants, where it is not python


@dataclass(frozen=True)
class Terms:
    """What every game of a simulation has in common. `check`: invariants are tested after every choice."""

    folder: str
    scenario: str
    options: dict[str, bool]
    bots: dict[str, str]
    seed: int
    max_plies: int
    backend: str
    check: bool


@dataclass(frozen=True)
class Trouble:
    """What went wrong in a game: its seed, what and where, and the ply, if that is known."""

    seed: int
    diagnostic: Diagnostic
    place: str
    ply: int | None = None


class GameFault(Exception):
    """A game met a fault of its rules, broke an invariant, or went on differently in the other backend."""

    def __init__(self, terms: Terms, trouble: Trouble) -> None:
        super().__init__(f"seed {trouble.seed}: {trouble.place}: {trouble.diagnostic.message}")
        self.terms = terms
        self.trouble = trouble

    def replay(self, game: str) -> str:
        """The command that plays the game again, up to where it went wrong."""
        terms, trouble = self.terms, self.trouble
        words = [f"petteia play {game} --seed {trouble.seed}"]
        words += [f"--scenario {terms.scenario}"] if terms.scenario else []
        words += [f"--option {name}={'yes' if value else 'no'}" for name, value in terms.options.items()]
        words += [f"--bot {side}={name}" for side, name in terms.bots.items()]
        words += [f"--max-plies {trouble.ply}"] if trouble.ply else []
        return " ".join(words)


@dataclass(frozen=True)
class Tests:
    """What tests the invariants: a program that has them, its machine, and the watch over what holds in every game."""

    compiled: Compiled
    machine: Machine
    watch: Watch


@dataclass(frozen=True)
class Table:
    """A loaded game, the terms on which it is played, a machine to play, and what tests (if invariants are tested)."""

    game: Game
    terms: Terms
    compiled: Compiled
    machine: Machine
    tests: Tests | None


@dataclass(frozen=True)
class Played:
    """One game. `winner`: seat, -1 for a draw, None if it was not over at the cap. `plies`, `answers`: as in the
    position. `tested`: positions in which the invariants were tested.
    """

    winner: int | None
    plies: int
    answers: int
    tested: int = 0


@dataclass(frozen=True)
class Batch:
    """Games in order of their seeds, up to the first that met a fault; when they began and ended (`time.monotonic`)."""

    games: list[Played]
    began: float
    ended: float
    trouble: Trouble | None = None


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
    *,
    check: bool = False,
) -> dict[str, Any]:
    """Plays games and sums them up, in the form of `simulate --json`. `progress` is told how many more are done.

    `check`: in every position what must hold in every game is tested, and the game's own invariants. With the backend
    `both` both play, and must agree after every choice. Raises UsageError, and GameFault for the game of the lowest
    seed that met one.
    """
    chosen, values = game.settings(scenario, with_options(bots or {}, options, game))
    sides = {player: bot((bots or {}).get(player, "random"), game).name for player in game.players}
    terms = Terms(str(game.folder), chosen, values, sides, seed, max_plies, backend, check)
    table = _table(game, terms)
    size = 4 if check else _BATCH.get(backend, 16)
    ranges = [(first, min(size, games - first)) for first in range(0, games, size)]
    played: list[Played] = []
    began, ended = math.inf, -math.inf
    for batch in _batches(table, ranges, max(1, min(jobs, len(ranges)))):
        if batch.trouble is not None:
            raise GameFault(terms, batch.trouble)
        played += batch.games
        began, ended = min(began, batch.began), max(ended, batch.ended)
        progress(len(batch.games))
    return _summary(table, played, max(0.0, ended - began))


def _table(game: Game, terms: Terms) -> Table:
    compiled = game.compiled(terms.scenario or None, terms.options)
    if not terms.check:
        return Table(game, terms, compiled, game.machine(compiled, terms.backend), None)
    compiled = game.asides(compiled)  # it plays, too: one program to make
    fast = game.machine(compiled, _FAST.get(terms.backend, "python"))
    return Table(game, terms, compiled, game.machine(compiled, terms.backend), Tests(compiled, fast, Watch(compiled)))


# ---- playing --------------------------------------------------------------------------------------------------------


def _batches(table: Table, ranges: list[tuple[int, int]], jobs: int) -> Iterator[Batch]:
    """The batches in order, played by as many workers."""
    terms = table.terms
    clone: Callable[[], Machine] | None = getattr(table.machine, "clone", None)
    if jobs == 1 or (terms.backend not in ("python", "both") and clone is None):
        for first, count in ranges:
            yield _play(table, first, count)
    elif clone is None or terms.check:
        # Fresh processes and no copies of this one, which may have threads: the same on every system.
        pool = ProcessPoolExecutor(jobs, get_context("spawn"), _prepare, (terms,))
        yield from _in_order(pool, _work, ranges, jobs)
    else:
        tables = [table, *(replace(table, machine=clone()) for _ in range(jobs - 1))]

        def work(first: int, count: int) -> Batch:
            mine = tables.pop()  # there are as many as workers
            try:
                return _play(mine, first, count)
            finally:
                tables.append(mine)

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


_worker: list[Table] = []  # in a worker process: what it plays


def _prepare(terms: Terms) -> None:
    """Loads the game in a worker process, once."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where it was not blocked from the start
    _worker[:] = [_table(load(Path(terms.folder)), terms)]


def _work(first: int, count: int) -> Batch:
    return _play(_worker[0], first, count)


def _play(table: Table, first: int, count: int) -> Batch:
    """Games number first … first+count-1."""
    began = time.monotonic()
    games: list[Played] = []
    terms, compiled, machine = table.terms, table.compiled, table.machine
    trouble: Trouble | None = None
    try:
        if terms.check or terms.backend == "both" or not all_random(terms.bots, table.game.players):
            for number in range(first, first + count):
                games.append(_by_steps(table, terms.seed + number))
        elif hasattr(machine, "playouts"):  # whole batches without coming back to Python
            block = first_block(compiled, terms.seed)
            for result in machine.playouts(block, terms.seed, count, terms.max_plies, first=first):
                if result.fault is not None:
                    raise result.fault
                games.append(Played(result.winner if result.status else None, result.plies, result.answers))
        else:
            for number in range(first, first + count):
                block = first_block(compiled, terms.seed + number)
                machine.playout(block, terms.seed + number, terms.max_plies)
                games.append(_result(block))
    except Fault as found:
        told = explained(compiled, found)
        trouble = Trouble(terms.seed + first + len(games), told.diagnostic, told.place)
    except _Stopped as stopped:
        trouble = stopped.trouble
    return Batch(games, began, time.monotonic(), trouble)


class _Stopped(Exception):
    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble)
        self.trouble = trouble


def _by_steps(table: Table, seed: int) -> Played:
    """One game, whose bots are asked question by question."""
    terms = table.terms
    position = Position(table.game, table.compiled, table.machine, first_block(table.compiled, seed))
    answers = {player: bot(name, table.game).answer for player, name in terms.bots.items()}
    tested = 0
    try:
        position.advance()
        while True:
            if table.tests is not None:
                _test(position, table.tests, seed)
                tested += 1
            decision = position.decision
            if decision is None or position.plies >= terms.max_plies:
                break
            position.apply(answers[decision.player](decision, seed))
    except RuleFault as told:
        raise _Stopped(Trouble(seed, told.diagnostic, told.place, position.plies)) from None
    except Unequal as error:
        found = Diagnostic("unequal-backends", f"the backends do not agree: {error}", None, help=OUR_FAULT)
        raise _Stopped(Trouble(seed, found, "", position.plies)) from None
    return _result(position.block, tested)


def _test(position: Position, tests: Tests, seed: int) -> None:
    """Raises _Stopped where something does not hold that always must."""
    tested = Position(position.game, tests.compiled, tests.machine, position.block)
    found = breach(tested, watch=tests.watch)
    if found is not None:
        place = str(found.span) if found.span is not None else ""
        raise _Stopped(Trouble(seed, found, place, position.plies))


def _result(block: bytearray, tested: int = 0) -> Played:
    cells = memoryview(block).cast("i")
    winner = cells[header.WINNER] if cells[header.STATUS] else None
    return Played(winner, cells[header.PLIES], cells[header.ANSWERS], tested)


# ---- summing up -----------------------------------------------------------------------------------------------------


def _summary(table: Table, played: list[Played], seconds: float) -> dict[str, Any]:
    terms = table.terms
    decisions = sum(one.answers for one in played)
    lengths = [one.plies for one in played]
    wins = dict.fromkeys(table.game.players, 0)
    for one in played:
        if one.winner is not None and one.winner >= 0:
            wins[table.game.players[one.winner]] += 1
    return {
        "game": table.game.name,
        "scenario": terms.scenario or None,
        "options": terms.options,
        "seed": terms.seed,
        "bots": terms.bots,
        "max_plies": terms.max_plies,
        "backend": terms.backend,
        "tested": sum(one.tested for one in played),
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
