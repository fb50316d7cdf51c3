"""Makes the pictures of the README: the board of a game as it begins, and the first turns of a real session.

    PYTHONPATH=. python docs/images/make.py

The session is played by the table itself; only the lines that a person would type are given here.
"""

from __future__ import annotations

from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

from interpreter.game import load
from interpreter.play.keyboard import Complete
from interpreter.play.svg import svg
from interpreter.play.table import sit
from interpreter.play.tabletop import Table
from interpreter.runtime.record import Record
from interpreter.runtime.texts import PLAIN

GAME = "grid_sparta"
HERE = Path(__file__).parent
TYPED = ("spartan_4", "e3")


def main() -> None:
    """Writes both pictures beside this file."""
    game = load(GAME)
    (HERE / "grid_sparta.svg").write_text(svg(game.start()), encoding="utf-8")

    command = f"petteia play {GAME} --bot achaea=random"
    console = Console(
        record=True, file=StringIO(), width=64, force_terminal=True, color_system="truecolor", highlight=False
    )
    console.print(Text(f"$ {command}", style="bold"))
    lines = iter(TYPED)

    def ask(prompt: str, _: Complete) -> str:
        typed = next(lines, None)
        if typed is None:
            raise EOFError
        console.print(Text.assemble((prompt, "bold"), typed))
        return typed

    bots = {"achaea": "random"}
    record = Record.new(game, bots=bots)
    try:
        sit(Table(record, bots, PLAIN, console, ask))
    except EOFError:
        console.print(Text("Your choice> ", style="bold"))
    picture = console.export_svg(title=command)
    # Some programs drop the blanks that a line begins with unless they are told to keep them.
    picture = picture.replace("<svg ", '<svg xml:space="preserve" ', 1)
    (HERE / "session.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
