"""What lies on the table: the game, its players, the choices still meant; and how they are printed."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from rich.console import Console, ConsoleDimensions
from rich.text import Text

from interpreter.game import Choice, Decision, Position
from interpreter.play import answers, keyboard
from interpreter.play.board import Mark
from interpreter.play.columns import numbered
from interpreter.play.words import say
from interpreter.rendering import clean
from interpreter.runtime.record import Record
from interpreter.runtime.sets import members
from interpreter.runtime.texts import Language

PAGE = 60  # entries of a list that are shown at once
WIDEST = 100  # columns that are used at most
NARROWEST = 20  # columns for which it is laid out at least


class Leave(Exception):
    """The player leaves the table."""


@dataclass(eq=False)
class Series:
    """A line with several answers: the part that is answered now, what is left, and where the game stood before it."""

    part: str
    rest: list[str]
    seat: int
    start: int  # how many choices there were
    before: Position


@dataclass(eq=False)
class Table:
    """A sitting: the game, who plays, where words go, and what part of the present choices is still meant."""

    record: Record
    bots: Mapping[str, str]
    language: Language
    console: Console
    ask: keyboard.Ask
    focus: list[Choice] = field(default_factory=list)
    marks: dict[int, Mark] = field(default_factory=dict)
    shown: dict[str, str] = field(default_factory=dict)  # how the board, or each panel, looked when it was printed last
    viewer: int | None = None  # in a game with secrets: the seat of whoever looks; see `seats`
    read: dict[int, int] = field(default_factory=dict)  # by seat: how many entries of the history were read
    waiting: int | None = None  # the seat of which was told last that it decides
    series: Series | None = None  # a line that goes on; see `series`
    together: list[tuple[int, int]] = field(default_factory=list)  # choices that are taken back at once: from, up to
    heading: str = ""  # the question that is answered, where the answer is told with it
    part: list[str] = field(default_factory=list)  # the answer to it so far, in words
    told: dict[int, str] = field(default_factory=dict)  # what was answered here, in words, by its number
    hinted: bool = False  # whether it was told how sets are answered

    @property
    def position(self) -> Position:
        return self.record.position

    def say(self, key: str, style: str = "", **values: object) -> None:
        """Prints a fixed text; one with a path is left to the terminal to break, so that the path can be copied."""
        self.console.print(Text(say(self.language, key, **values), style=style), soft_wrap="path" in values)

    def tell(self, text: str, style: str = "") -> None:
        """Prints a text as it is: no markup is read in it."""
        self.console.print(Text(text, style=style))

    def name(self, seat: int) -> str:
        """A player's name for people."""
        return clean(self.language.say(self.record.game.world.players.entities[seat].title))


class _Sheet(Console):
    """A terminal of which at most 100 columns are used; it may be made wider or narrower while it is played."""

    @property
    def size(self) -> ConsoleDimensions:
        found = super().size
        return ConsoleDimensions(max(min(found.width, WIDEST), NARROWEST), found.height)

    @size.setter
    def size(self, new: tuple[int, int]) -> None:
        raise AttributeError("the size is that of the terminal")


def make_console(out: TextIO, interactive: bool) -> Console:
    """Where the table is shown: no colours unless it is a terminal and `NO_COLOR` is not set; at most 100 columns."""
    if not interactive and not out.isatty():
        return Console(
            file=out, highlight=False, markup=False, emoji=False, width=_columns(), no_color=True, color_system=None
        )
    return _Sheet(file=out, highlight=False, markup=False, emoji=False, soft_wrap=False)


def _columns() -> int:
    given = os.environ.get("COLUMNS", "")
    return min(max(int(given), 40), WIDEST) if given.isdecimal() and len(given) < 6 else 80


def list_choices(table: Table, decision: Decision, whole: bool = False) -> None:
    """What is asked, and the list of answers."""
    asked = answers.question(decision, table.focus)
    listed = answers.items(decision, table.focus)
    n = len(table.focus)
    count = say(table.language, "count_choices" if n != 1 else "one_choice", n=n)
    table.tell(f"{asked}  ({count})" if asked else count)
    alike = Counter(one.first for one in members(decision)) if decision.element else Counter()
    labels = []
    for item in listed:
        n, like = len(item.choices), alike[item.choices[0].id]
        label = item.label if like < 2 else say(table.language, "with_alike", what=item.label, n=like)
        labels.append(label if n == 1 else say(table.language, "with_choices", what=label, n=n))
    cut = len(labels) if whole or len(labels) <= PAGE else PAGE
    if listed and all(item.number for item in listed):
        table.tell("  " + ", ".join(labels))
        return
    for row in numbered(labels[:cut], table.console.width):
        table.console.print(row)
    if cut < len(labels):
        table.say("more", "dim", n=len(labels) - cut)


def shell_path(path: Path) -> str:
    """A path as it may be typed into a shell."""
    return shlex.quote(clean(str(path)))
