"""Makes the pictures of the README files: maps as they are when a game begins, and screens of real sessions.

    PYTHONPATH=. python docs/images/make.py

Sessions are played by the table itself; only the lines that a person would type are given here.
"""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

from interpreter.game import Game, load
from interpreter.play.keyboard import Complete
from interpreter.play.svg import svg
from interpreter.play.table import sit
from interpreter.play.tabletop import Table
from interpreter.runtime import stream
from interpreter.runtime.record import Record
from interpreter.runtime.texts import PLAIN

HERE = Path(__file__).parent
MAPS = ("grid_sparta", "sparta", "spartacus", "hellenes")
LAST = "show"  # the line before which a picture of the last screen alone begins


def main() -> None:
    """Writes all pictures beside this file."""
    for name in MAPS:
        position = load(name).start()
        seen = position.as_seen_by(0) if stream.is_secretive(position) else position
        (HERE / f"{name}.svg").write_text(svg(seen), encoding="utf-8")
    session("session", load("grid_sparta"), {"achaea": "random"}, ("spartan_4", "e3"), 64)
    lines = ("corinth", "thebes", "plague", "attack", "done", LAST)
    session("sparta_session", load("sparta"), {"athens": "random"}, lines, 100, seed=5)


def session(
    file: str, game: Game, bots: Mapping[str, str], typed: tuple[str, ...], width: int, seed: int | None = None
) -> None:
    """A picture of the screen after some lines; if the last of them is `show`, of what follows it alone."""
    command = f"petteia play {game.name}" + "".join(f" --bot {side}={name}" for side, name in bots.items())
    command += "" if seed is None else f" --seed {seed}"
    console = Console(
        record=True, file=StringIO(), width=width, force_terminal=True, color_system="truecolor", highlight=False
    )
    console.print(Text(f"$ {command}", style="bold"))
    lines = iter(typed)

    def ask(prompt: str, _: Complete) -> str:
        line = next(lines, None)
        if line is None:
            raise EOFError
        if line == LAST:
            console.export_text(clear=True)
        console.print(Text.assemble((prompt, "bold"), line))
        return line

    record = Record.new(game, bots=bots) if seed is None else Record.new(game, seed=seed, bots=bots)
    try:
        sit(Table(record, bots, PLAIN, console, ask))
    except EOFError:
        console.print(Text("Your choice> ", style="bold"))
    picture = console.export_svg(title=command)
    # Some programs drop the blanks that a line begins with unless they are told to keep them.
    picture = picture.replace("<svg ", '<svg xml:space="preserve" ', 1)
    (HERE / f"{file}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
