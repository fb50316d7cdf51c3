"""Check that the two yardsticks play the same game: plain.py and bitboards.c.

Both must give the known numbers of move sequences. Random games chosen in Python are replayed
in C and the positions compared after every move; games chosen in C are checked move by move in
Python. Last, C must draw the 80 opening moves equally often.

    python crosscheck.py [GAMES] [SEED]

The exit code is 0 if all agree and 1, with a message, if not.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import plain

PERFT = {1: 80, 2: 6_400, 3: 545_120}

# With 80 moves, that is 79 degrees of freedom, the sum of squared deviations exceeds this about
# twice in a million fair trials.
FAIR_AT_MOST = 151.0
OPENINGS = 40_000


class DisagreementError(Exception):
    """The two programs, or a program and the known numbers, differ."""


def main(arguments: list[str]) -> int:
    """Run all checks; return the exit code."""
    games = int(arguments[0]) if arguments else 300
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    try:
        with tempfile.TemporaryDirectory() as folder:
            program = build(Path(folder))
            check_perft(program)
            check_replay(program, games, seed)
            check_record(program, games, seed)
            check_fairness(program, seed)
    except DisagreementError as difference:
        print(f"crosscheck: {difference}", file=sys.stderr)
        return 1
    return 0


def build(folder: Path) -> Path:
    """Compile the C program into the folder and return its path."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise DisagreementError("no C compiler: `cc` is not on the path")
    program = folder / "bitboards"
    source = Path(__file__).with_name("bitboards.c")
    command = [compiler, "-O2", "-Wall", "-Wextra", "-o", str(program), str(source)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    if built.returncode != 0 or built.stderr:
        raise DisagreementError(f"bitboards.c does not compile cleanly\n{built.stderr}")
    return program


def run(program: Path, *arguments: object, text: str = "") -> str:
    """Run the C program and return what it prints."""
    command = [str(program), *map(str, arguments)]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise DisagreementError(done.stderr.strip() or f"bitboards ended with {done.returncode}")
    return done.stdout


def check_perft(program: Path) -> None:
    """Compare both counts of move sequences with the known ones."""
    for depth, known in PERFT.items():
        for name, count in (
            ("plain.py", plain.perft(plain.start(), depth)),
            ("bitboards.c", int(run(program, "perft", depth))),
        ):
            if count != known:
                raise DisagreementError(f"perft {depth}: {name} counts {count}, known is {known}")
    print(f"perft 1 to {max(PERFT)}: agreed")


def describe(position: plain.Position, moves: list[plain.Move]) -> str:
    """Return the line that `bitboards replay` prints for the same position."""
    checksum = sum((100 * origin + target + 1) ** 2 for origin, target in moves)
    result = plain.outcome(position, moves) or "none"
    cities = position.cities
    words = [position.mover, result, str(len(moves)), str(checksum)]
    for player in (plain.SPARTA, plain.ACHAEA):
        heroes = position.men[player]
        words.append("|")
        words += [f"{square}h" if heroes[square] else f"{square}" for square in sorted(heroes)]
        words.append(":")
        words += [str(square) for square in sorted(cities) if cities[square] == player]
    return " ".join(words)


def crowding(moves: list[plain.Move], position: plain.Position) -> list[plain.Move]:
    """Return the moves that end beside two or more pieces, or all moves if there are none.

    Games played so have many more captures than random ones.
    """
    board = position.board
    beside = [
        (origin, target)
        for origin, target in moves
        if sum(board[square] is not None for square in plain.NEIGHBOURS[target]) > 1
    ]
    return beside or moves


def note_events(before: plain.Position, after: plain.Position, seen: Counter[str]) -> None:
    """Count what happened in a move, to see that the games have met every rule."""
    lost = {p: len(before.men[p]) - len(after.men[p]) for p in (plain.SPARTA, plain.ACHAEA)}
    own, foe = lost[before.mover], lost[after.mover]
    heroes_before = sum(before.men[before.mover].values())
    heroes_after = sum(after.men[before.mover].values())
    seen["captures"] += foe > 0
    seen["captures of several"] += foe > 1
    seen["own traps"] += own > 0
    seen["own traps of several"] += own > 1
    seen["both at once"] += own > 0 and foe > 0
    seen["promotions"] += heroes_after > heroes_before
    seen["conquests"] += before.cities != after.cities


def check_replay(program: Path, games: int, seed: int) -> None:
    """Play random games in Python and compare the positions with those of the C program."""
    chance = random.Random(seed)
    seen: Counter[str] = Counter()
    results: Counter[str] = Counter()
    script: list[str] = []
    expected: list[str] = []
    for game in range(games):
        position = plain.start()
        moves = plain.legal_moves(position)
        script.append("new")
        expected.append(describe(position, moves))
        for _ in range(plain.USUAL_CAP):
            if not moves:
                break
            move = chance.choice(crowding(moves, position) if game % 2 else moves)
            before = position.copy()
            plain.play(position, move)
            note_events(before, position, seen)
            moves = plain.legal_moves(position)
            script.append("{} {}".format(*move))
            expected.append(describe(position, moves))
        results[plain.outcome(position, moves) or plain.UNFINISHED] += 1
    printed = run(program, "replay", text="\n".join(script) + "\n").splitlines()
    compare(script, expected, printed)
    missing = [event for event, times in seen.items() if times == 0]
    if games >= 100 and missing:
        raise DisagreementError(f"the games never met: {', '.join(missing)}")
    print(f"replay: {games} games, {len(script) - games} moves agreed: {listing(results)}")
    print(f"  met {listing(seen)}")


def listing(counts: Counter[str]) -> str:
    """Return the counts as text, the most frequent first."""
    return ", ".join(f"{name} {number}" for name, number in counts.most_common())


def compare(script: list[str], expected: list[str], printed: list[str]) -> None:
    """Find the first position that differs and tell how to reach it."""
    begun = 0
    for line, (step, ours, theirs) in enumerate(zip(script, expected, printed, strict=False)):
        if step == "new":
            begun = line
        if ours != theirs:
            game = "\n".join(script[begun : line + 1])
            raise DisagreementError(f"after\n{game}\nplain.py    {ours}\nbitboards.c {theirs}")
    if len(printed) != len(expected):
        raise DisagreementError(f"bitboards.c printed {len(printed)} positions, not {len(expected)}")


def recorded(lines: Iterable[str]) -> Iterator[list[plain.Move]]:
    """Split what `bitboards record` prints into games."""
    game: list[plain.Move] | None = None
    for line in lines:
        if line == "new":
            if game is not None:
                yield game
            game = []
        elif game is not None:
            origin, target = map(int, line.split())
            game.append((origin, target))
    if game is not None:
        yield game


def check_record(program: Path, games: int, seed: int) -> None:
    """Check games chosen by the C program move by move, and their results."""
    results = {plain.SPARTA: 0, plain.ACHAEA: 0, plain.DRAW: 0, plain.UNFINISHED: 0}
    total = 0
    for game in recorded(run(program, "record", games, seed).splitlines()):
        position = plain.start()
        for move in game:
            if move not in plain.legal_moves(position):
                raise DisagreementError(f"bitboards.c made the move {move}, illegal in {position}")
            plain.play(position, move)
        total += len(game)
        result = plain.outcome(position, plain.legal_moves(position))
        if result is None and len(game) != plain.USUAL_CAP:
            raise DisagreementError(f"bitboards.c stopped too early, in {position}")
        results[result or plain.UNFINISHED] += 1
    printed = json.loads(run(program, "playouts", games, seed))
    if (printed["games"], printed["moves"], printed["results"]) != (games, total, results):
        raise DisagreementError(f"bitboards.c reports {printed}, its games end in {results}")
    print(f"record: {games} games, {total} moves agreed: {results}")


def check_fairness(program: Path, seed: int) -> None:
    """Check that the C program draws the opening moves equally often."""
    lines = run(program, "record", OPENINGS, seed, 1).splitlines()
    drawn = Counter(game[0] for game in recorded(lines))
    even = OPENINGS / PERFT[1]
    moves = plain.legal_moves(plain.start())
    deviation = sum((drawn[move] - even) ** 2 / even for move in moves)
    if drawn.total() != OPENINGS or deviation > FAIR_AT_MOST:
        raise DisagreementError(f"the opening moves are not drawn evenly: {dict(drawn)}")
    print(f"openings: {OPENINGS} drawn evenly, deviation {deviation:.1f} of {len(moves) - 1}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
