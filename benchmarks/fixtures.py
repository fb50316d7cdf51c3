"""Other games on both backends, for orientation, and what a decision costs when the host asks for each."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

from benchmarks import clock, crowd
from benchmarks.contenders import CAP, CELL, moves_after
from interpreter.backends.machine import Machine
from interpreter.backends.wasm.host import WasmMachine
from interpreter.core import header
from interpreter.core.compiled import Compiled
from interpreter.core.rng import choice, seeded
from interpreter.game import Game, Position, first_block, load

GAMES = clock.ROOT / "tests" / "games"


def answers(block: bytearray) -> int:
    """Answers given so far in a position."""
    return int.from_bytes(block[CELL * header.ANSWERS : CELL * header.ANSWERS + CELL], "little")


def fixtures(seconds: float) -> list[dict[str, object]]:
    """Decisions a second of random games, for each game that the tests are played with, and for a crowd of pieces."""
    games = {p.name: load(p) for p in sorted(GAMES.iterdir()) if (p / "game.yaml").is_file()}
    with tempfile.TemporaryDirectory() as folder:
        crowd.write(Path(folder))
        games[f"{crowd.PIECES} pieces, 100 spaces"] = load(Path(folder))
    backends = ("python", "wasm")
    return [{"game": name, **{b: speed(game, b, seconds) for b in backends}} for name, game in games.items()]


def speed(game: Game, backend: str, seconds: float, compiled: Compiled | None = None) -> float:
    """Decisions a second in random games (of the first scenario, unless it is said), played for about so long."""
    compiled = compiled or game.compiled()
    machine = game.machine(compiled, backend)
    start = first_block(compiled, 1)
    machine.advance(start)
    made, spent, games, seed = 0, 0.0, 1, 1
    while spent < seconds:
        found = 0

        def play(first: int = seed, number: int = games) -> None:
            nonlocal found
            if isinstance(machine, WasmMachine):
                found = sum(done.answers for done in machine.playouts(start, first, number, CAP))
                return
            for own in range(first, first + number):
                block = bytearray(start)
                block[CELL * header.RANDOM : CELL * (header.RANDOM + 4)] = _generator(own)
                machine.playout(block, own, CAP)
                found += answers(block)

        moves, took = moves_after(play, lambda: found)  # noqa: B023
        made, spent, seed, games = made + moves, spent + took, seed + games, 2 * games
    return clock.rounded(made / spent)


def _generator(seed: int) -> bytes:
    state, increment = seeded(seed)
    return state.to_bytes(8, "little") + increment.to_bytes(8, "little")


def stepping(game: Game, decisions: int) -> dict[str, float]:
    """Microseconds for each decision when the host takes every answer: `apply` alone, with a look at the candidates,
    and through the facade with texts and log.
    """
    found: dict[str, float] = {}
    compiled = game.compiled()
    for backend in ("python", "wasm"):
        machine = game.machine(compiled, backend)
        machine.listening = False
        for name, look in (("apply", False), ("apply and candidates", True)):
            found[f"{backend}: {name}"] = clock.rounded(_steps(machine, first_block(compiled, 1), decisions, look))
        machine.listening = True
        position = game.start(backend=backend)
        some = max(decisions // 4, 1)
        spent = clock.took(partial(_facade, position, some)).seconds
        found[f"{backend}: facade, with texts"] = clock.rounded(spent / some * 1e6)
    return found


def _steps(machine: Machine, start: bytearray, decisions: int, look: bool) -> float:
    """Microseconds for each `apply` of candidate 0 or 1, with a look at all candidates before it or without."""
    machine.advance(start)
    block = bytearray(start)

    def play() -> None:
        for number in range(decisions):
            if look:
                machine.pending(block)
            machine.apply(block, number & 1)
            if block[CELL * header.STATUS]:
                block[:] = start

    return clock.took(play).seconds / decisions * 1e6


def _facade(position: Position, decisions: int) -> None:
    first = position.to_bytes()
    for number in range(decisions):
        decision = position.decision
        if decision is None:
            position = position.with_bytes(first)
            decision = position.decision
            assert decision is not None
        position.apply(choice(number, number, decision.count))
