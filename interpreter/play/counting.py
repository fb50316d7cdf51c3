"""The verbs `simulate` and `perft`: what many games, or all of them, come to."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TextIO

from interpreter.backends.machine import Fault
from interpreter.diagnostics import Note
from interpreter.game import load
from interpreter.play import arguments as args
from interpreter.play.bots import parse_bots
from interpreter.play.simulate import MOST_PLIES, GameFault, simulate
from interpreter.rendering import render
from interpreter.runtime.faults import explained


def run_simulate(given: argparse.Namespace, out: TextIO) -> int:
    """Plays many games and prints what came of them."""
    game = load(given.game)
    options = args.settings(given.option)
    bots = parse_bots(given.bot, game)
    every = [*game.scenarios, *game.campaigns]
    several = given.scenario == "all" and "all" not in every
    found: list[dict[str, Any]] = []
    failed = False
    for scenario in every if several else [given.scenario]:
        try:
            with _progress(given.games, out) as progress:
                found.append(
                    simulate(
                        game,
                        scenario,
                        options,
                        given.games,
                        given.seed,
                        bots,
                        given.jobs,
                        given.max_plies or MOST_PLIES,
                        given.backend or args.default_backend(),
                        progress,
                        check=given.check,
                    )
                )
        except GameFault as fault:
            print(_trouble(given.game, fault), file=sys.stderr)
            failed = True
            continue
        if not given.json:
            out.write(_told(found[-1]))
            out.flush()
    if given.json and found:
        out.write(json.dumps(found if several else found[0], indent=2, ensure_ascii=False) + "\n")
    return 1 if failed else 0


def _trouble(game: str, fault: GameFault) -> str:
    """What went wrong in a game, and how to play it again."""
    terms, trouble = fault.terms, fault.trouble
    number = trouble.seed - terms.seed
    ply = "" if trouble.ply is None else f", ply {trouble.ply}"
    where = f"in game {number} of {terms.scenario or game}, seed {trouble.seed}{ply}"
    notes = (*trouble.diagnostic.notes, Note(where))
    help = f"`{fault.replay(game)}` plays it again" + (
        f"; {trouble.diagnostic.help}" if trouble.diagnostic.help else ""
    )
    return render(replace(trouble.diagnostic, notes=notes, help=help), args.color(sys.stderr))


def _told(found: dict[str, Any]) -> str:
    lengths, results = found["lengths"], found["results"]
    lines = [
        f"{found['game']} ({found['scenario'] or 'no scenario'}, {found['backend']} backend): {found['games']} games "
        f"from seed {found['seed']}, {found['decisions']} decisions in {found['seconds']:.2f} s "
        f"({found['decisions_per_second']} a second)",
        f"plies a game: {lengths['min']} to {lengths['max']}, median {lengths['median']:g}, mean {lengths['mean']:.1f}",
    ]
    width = max([len(player) for player in results["wins"]] + [len("unfinished")])
    for player, wins in results["wins"].items():
        rate = found["win_rates"][player]
        interval = f"{100 * rate['rate']:.1f} % (95 %: {100 * rate['low']:.1f} to {100 * rate['high']:.1f})"
        lines.append(f"{player:<{width}}  {wins:>8} wins  {interval}")
    if found["tested"]:
        lines.insert(1, f"invariants hold in all of {found['tested']} positions")
    for word in ("draws", "unfinished"):
        lines.append(f"{word:<{width}}  {results[word]:>8}")
    return "\n".join(lines) + "\n"


@contextmanager
def _progress(games: int, out: TextIO) -> Iterator[Callable[[int], None]]:
    """A bar on standard error, if that is a terminal; what is told how many more games are done."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("games", total=games)
        yield lambda done: bar.advance(task, done)


def run_perft(given: argparse.Namespace, out: TextIO) -> int:
    """Counts the sequences of choices of a length; the last line is the bare number."""
    game = load(given.game)
    backend = given.backend or args.default_backend()
    position = game.start(given.scenario, args.settings(given.option), given.seed, backend)
    began = time.monotonic()
    try:
        count = position.machine.perft(position.block, given.depth)
    except Fault as fault:
        raise explained(position.compiled, fault) from None
    seconds = time.monotonic() - began
    scenario = position.compiled.scenario or "no scenario"
    out.write(f"{game.name} ({scenario}, {backend} backend): depth {given.depth}, {seconds:.2f} s\n{count}\n")
    return 0


# ---- arguments ------------------------------------------------------------------------------------------------------


def add_simulate(parser: argparse.ArgumentParser) -> None:
    """`simulate`."""
    args.add_game(parser, "the game's first if not given; `all`: each in turn, and each campaign")
    parser.add_argument(
        "--games", metavar="N", type=args.whole(1, 10**9), default=1000, help="how many; 1000 if not given"
    )
    text = "seed of the first game, 1 if not given; game i has the seed N+i"
    parser.add_argument("--seed", metavar="N", type=args.whole(0, 2**64 - 1), default=1, help=text)
    args.add_bots(parser)
    text = "how many workers share the games, 1 if not given; the results do not depend on it"
    parser.add_argument("--jobs", metavar="J", type=args.whole(1, 1000), default=1, help=text)
    args.add_max_plies(parser, f"a game not over by then counts as unfinished; {MOST_PLIES} if not given")
    args.add_backend(parser, "wasm, if it is installed,")
    text = "test after every choice what must always hold: in every game, and by the game's own invariants"
    parser.add_argument("--check", action="store_true", help=text)
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_perft(parser: argparse.ArgumentParser) -> None:
    """`perft`."""
    args.add_game(parser)
    parser.add_argument("--depth", metavar="D", type=args.whole(0, 1000), required=True, help="length of the sequences")
    parser.add_argument("--seed", metavar="N", type=args.whole(0, 2**64 - 1), default=1, help="seed of chance; else 1")
    args.add_backend(parser, "wasm, if it is installed,")
