"""The verbs `play`, `resume` and `replay`: one game, played or looked at again."""

from __future__ import annotations

import argparse
import io
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from interpreter.diagnostics import UsageError
from interpreter.game import Game, Line, load
from interpreter.play import arguments as args
from interpreter.play.bots import parse_bots, with_options
from interpreter.play.script import read_script, run_script
from interpreter.rendering import clean
from interpreter.runtime import journal, stream
from interpreter.runtime.record import Record, Stopped

SCRIPT_SEED = 1  # of a game that plays a script and is given no seed, as in rule tests


def play(given: argparse.Namespace, out: TextIO) -> int:
    """Begins a game."""
    _check_seat(given)
    with _patience(given, out):
        game = load(given.game)
    language = game.language(given.lang)
    bots = parse_bots(given.bot, game)
    options = with_options(bots, args.settings(given.option), game)
    steps = read_script(given.script, game.players) if given.script else []
    seed = given.seed
    if seed is None:
        seed = SCRIPT_SEED if given.script else int.from_bytes(os.urandom(4), "little") >> 1
    path = given.save or _new_path(game, seed)
    backend = given.backend or "python"
    try:
        with _patience(given, out):
            record = Record.new(
                game, given.scenario, options, seed, path, bots=bots, backend=backend, language=language
            )
    except OSError as error:
        mend = "name a file that can be written with `--save FILE`"
        raise UsageError(f"cannot save to `{path}` ({error.strerror})", mend) from None
    with record:
        if given.protocol is None:
            out.write(f"seed {seed}; saved at every choice to {clean(str(path))}\n")
        try:
            record.max_plies = given.max_plies
            run_script(record, steps)
        except Stopped as stopped:
            out.write(f"{stopped}\n")
            return 0
        return _sit(record, given, out)


def resume(given: argparse.Namespace, out: TextIO) -> int:
    """Goes on with a saved game."""
    _check_seat(given)
    path: Path = _saved(given.file)
    if given.keep_intact:
        copy = journal.keep_intact(path)
        if copy is not None:
            said = f"the damaged end was cut off; the file as it was is kept as {clean(str(copy))}"
        else:
            said = "nothing is damaged"
        print(said, file=sys.stderr)
    with _patience(given, out):
        record = Record.open(path, load, backend=given.backend or "python", new_rules=given.new_rules)
    with record:
        record.position.language = record.game.language(given.lang)
        bots = parse_bots(given.bot, record.game)
        with_options(bots, record.setup.options, record.game)
        record.bots.update(bots)
        record.max_plies = given.max_plies
        return _sit(record, given, out)


def replay(given: argparse.Namespace, out: TextIO) -> int:
    """Tells a saved game again, verifying it on the way."""
    backend = given.backend or "python"
    record = Record.open(_saved(given.file), load, backend=backend, write=False, to=given.to)
    if given.lang:
        language = record.game.language(given.lang)
        record = Record.open(given.file, load, backend=backend, language=language, write=False, to=given.to)
    if given.to is not None and record.choices < given.to:
        raise UsageError(f"the game has only {record.choices} choices, not {given.to}")
    if given.seat is not None:
        tell_seat(record, args.seat_of(given.seat, record.game.players), out)
        return 0
    if not given.verify:
        _tell(record, out)
    for note in record.notes:
        out.write(f"note: {note}\n")
    out.write(f"{record.choices} choices verified, {backend} backend, digest {record.position.digest()}\n")
    return 0


@contextmanager
def _patience(given: argparse.Namespace, out: TextIO) -> Iterator[None]:
    """Tells a person at a terminal that the rules are being read, which can take some seconds, while they are."""
    shown = given.protocol is None and _terminal(out) and os.environ.get("TERM") != "dumb"
    if shown:
        out.write("reading the rules …")
        out.flush()
    try:
        yield
    finally:
        if shown:
            out.write("\r\x1b[K")
            out.flush()


def _sit(record: Record, given: argparse.Namespace, out: TextIO) -> int:
    """Plays on, at the table or with another program."""
    if given.protocol is not None:
        from interpreter.play.protocol import serve

        source: TextIO = sys.stdin if sys.stdin is not None else io.StringIO()
        for stream in (source, out):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(encoding="utf-8", errors="replace")
        return serve(record, record.bots, given.seat, source, out)
    from interpreter.play import table

    interactive = _terminal(sys.stdin) and _terminal(out)
    language = record.position.language
    return table.play(record, bots=record.bots, language=language, out=out, interactive=interactive)


def _tell(record: Record, out: TextIO) -> None:
    setup = record.setup
    options = " ".join(f"{name}={'yes' if value else 'no'}" for name, value in setup.options.items())
    out.write(
        f"{clean(record.game.title)} ({setup.scenario or 'no scenario'}, seed {setup.seed}) {options}".rstrip() + "\n"
    )
    _lines(record.history[0], out)
    for number, answer in enumerate(record.answers, 1):
        out.write(f"{number}. {answer.player}: {clean(', '.join(answer.choose))}\n")
        _lines(record.history[number], out)
    outcome = record.position.outcome
    if outcome is not None:
        out.write(f"{f'{outcome.winner} wins' if outcome.winner else 'a draw'}: {clean(outcome.text)}\n")
    elif (decision := record.position.decision) is not None:
        out.write(f"{decision.player} is to choose: {decision.id}\n")


def tell_seat(record: Record, seat: int, out: TextIO) -> None:
    """Tells a game again as one side was told it: its own choices, and of the others what it could know."""
    out.write(f"{clean(record.game.title)}, as told to {record.game.players[seat]}\n")
    for number, lines in enumerate(record.history):
        answer = record.answers[number - 1] if number else None
        if answer is not None and answer.seat == seat:
            out.write(f"{answer.player}: {clean(', '.join(answer.choose))}\n")
        for text in stream.lines_for(lines, seat):
            out.write(f"   {clean(text)}\n")
    outcome = stream.outcome_for(record.position, seat)
    if outcome is not None:
        out.write(f"{f'{outcome.winner} wins' if outcome.winner else 'a draw'}: {clean(outcome.text)}\n")


def _lines(lines: list[Line], out: TextIO) -> None:
    for line in lines:
        out.write(f"   {clean(line.text)}\n")


def _check_seat(given: argparse.Namespace) -> None:
    if given.seat is not None and given.protocol is None:
        raise UsageError("`--seat` is for other programs", "add `--protocol jsonl`")


def _folder() -> Path:
    """Where games are saved that were given no file: in the user's data folder."""
    import platformdirs

    return platformdirs.user_data_path("petteia", appauthor=False) / "games"


def _saved(path: Path) -> Path:
    """The path of a saved game. Raises UsageError, with the name of the last one, if nothing is there."""
    if os.path.lexists(path):
        return path
    try:
        known = [(one.stat().st_mtime, str(one)) for one in _folder().glob("*.jsonl")]
    except OSError:
        known = []
    hint = f"the last game that was given no file is `{max(known)[1]}`" if known else "check how its name is spelt"
    raise UsageError(f"there is no file `{path}`", hint)


def _new_path(game: Game, seed: int) -> Path:
    """Where a new game is saved that was given no file."""
    folder = _folder()
    stem = f"{game.name}-{time.strftime('%Y%m%d-%H%M%S')}-{seed}"
    path, number = folder / f"{stem}.jsonl", 1
    while os.path.lexists(path):
        number += 1
        path = folder / f"{stem}-{number}.jsonl"
    return path


def _terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


# ---- arguments ------------------------------------------------------------------------------------------------------


def add_play(parser: argparse.ArgumentParser) -> None:
    """`play`."""
    args.add_game(parser)
    parser.add_argument("--seed", metavar="N", type=args.whole(0, 2**64 - 1), help="seed of chance; else any")
    parser.add_argument("--save", metavar="FILE", type=args.path, help="save there; else in the user's data folder")
    text = "YAML list of choices, `dice` and `draws`, as in the `when:` of a rule test, to play first"
    parser.add_argument("--script", metavar="FILE", type=args.path, help=text)
    args.add_sitting(parser)


def add_resume(parser: argparse.ArgumentParser) -> None:
    """`resume`."""
    parser.add_argument("file", metavar="FILE", type=args.path, help="a saved game")
    text = "if its end is damaged: copy the file, then cut off what is damaged"
    parser.add_argument("--keep-intact", action="store_true", help=text)
    text = "if the rules have changed and positions differ: go on, as long as every choice can still be taken"
    parser.add_argument("--new-rules", action="store_true", help=text)
    args.add_sitting(parser)


def add_replay(parser: argparse.ArgumentParser) -> None:
    """`replay`."""
    parser.add_argument("file", metavar="FILE", type=args.path, help="a saved game")
    parser.add_argument("--to", metavar="N", type=args.whole(0), help="stop after choice N")
    parser.add_argument("--seat", metavar="SIDE", help="tell only what that side was told")
    parser.add_argument("--verify", action="store_true", help="only verify: tell nothing of the game")
    parser.add_argument("--lang", metavar="L", help="language of texts, such as `ko`")
    args.add_backend(parser, "python")
