"""What is printed of a game's display: before a question the panels that have changed, on demand any of them."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console, Group

from interpreter.game import Position
from interpreter.play import panels
from interpreter.play.board import Mark
from interpreter.play.display import Display, display, in_full
from interpreter.play.words import say
from interpreter.runtime.texts import Language

FULL = "full"  # behind the name of a panel: nothing is told in brief


def names(position: Position) -> list[str]:
    """The names of the panels of a game."""
    d = position.game.definition.display
    return [] if d is None else [panel.name.text for panel in d.panels]


def asked_for(position: Position, typed: str) -> tuple[list[str], bool] | None:
    """The panels that a word means, and whether in full (`map full`); nothing, or `full` alone, means the usual."""
    word, _, more = typed.strip().partition(" ")
    if word == FULL and not more:
        word, more = "", FULL
    if more.strip() not in ("", FULL):
        return None
    d = position.game.definition.display
    shown = () if d is None else d.panels
    found = [p.name.text for p in shown if p.name.text == word or (not word and p.show != "asked")]
    return (found, more.strip() == FULL) if found else None


def show(
    position: Position,
    typed: str,
    language: Language,
    viewer: int | None,
    console: Console,
    marks: Mapping[int, Mark],
) -> bool:
    """Prints the panels that a word means; whether it means any."""
    wanted = asked_for(position, typed)
    d = display(position, language, viewer) if wanted is not None else None
    if wanted is None or d is None:
        return False
    found, full = wanted
    lines = panels.page(in_full(d) if full else d, found, console.width, marks)
    if lines:
        console.print(Group(*lines))
    else:
        console.print(say(language, "empty_show", typed=typed.strip()))
    return True


def changed(d: Display, before: dict[str, str], width: int) -> list[str]:
    """The panels to be printed before a question; `before` holds how each looked then, and is brought up to date."""
    found = []
    for name, info in d.info.panels.items():
        if info.definition.show == "asked":
            continue
        drawn = panels.panel(d, name, width, {})
        now = "" if drawn is None else "\n".join(line.plain for line in (drawn.title, *drawn.lines))
        if now and (now != before.get(name) or info.definition.show == "always"):
            found.append(name)
        before[name] = now
    return found
