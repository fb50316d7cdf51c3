"""Whose eyes the table is seen with: with hidden things each player sees his own side of it, and reads his own log.

Where two or more people share a keyboard, the screen is cleared before it is handed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from interpreter.game import Line, Outcome, Position
from interpreter.play.answers import plain
from interpreter.play.keyboard import Terminal
from interpreter.play.tabletop import Leave, Table
from interpreter.play.words import say
from interpreter.rendering import clean
from interpreter.runtime import stream
from interpreter.runtime.sightings import closed_to

REPEATED = 3  # so many lines alike are told as one
RECENT = 8  # lines that whoever goes on with a game is told again


def people(table: Table) -> list[int]:
    """The seats of the people at the keyboard."""
    return [i for i, player in enumerate(table.record.game.players) if player not in table.bots]


def has_secrets(table: Table) -> bool:
    """Whether anything must be kept from somebody at this table."""
    return stream.is_secretive(table.record.position) and bool(people(table))


def position(table: Table, of: Position | None = None) -> Position:
    """The table's position (or another one) as whoever looks at it now may see it."""
    found = table.record.position if of is None else of
    return found if table.viewer is None else found.as_seen_by(table.viewer)


def take_seat(table: Table) -> None:
    """Decides who looks before the first question: a single person always does."""
    here = people(table)
    if has_secrets(table) and len(here) == 1:
        table.viewer = here[0]


def hand_over(table: Table, seat: int) -> None:
    """Lets another person look, if it is not the one who looks already: first the screen is cleared."""
    if not has_secrets(table) or table.viewer == seat:
        return
    if table.viewer is not None:
        _confirm(table, say(table.language, "hand_over", player=table.name(seat)))
        clear(table)
    _confirm(table, say(table.language, "taken_over", player=table.name(seat)))
    clear(table)
    if isinstance(table.ask, Terminal):
        table.ask.forget()
    table.viewer = seat
    table.shown, table.marks = {}, {}
    catch_up(table)


def _confirm(table: Table, text: str) -> None:
    """Waits for Enter; whoever wants to stop may do so here too."""
    if plain(table.ask(text + " ", lambda typed: ())) in ("quit", plain(table.language.say("quit"))):
        raise Leave


def clear(table: Table) -> None:
    """Wipes a terminal, and what could be scrolled back to."""
    if table.console.is_terminal:
        table.console.file.write("\x1b[3J\x1b[2J\x1b[H")
        table.console.file.flush()


def catch_up(table: Table) -> bool:
    """Tells whoever looks what he has not read yet, unless play has paused where he must not notice; whether he was."""
    seat = table.viewer
    decision = table.record.position.decision
    if seat is None or (decision is not None and decision.seat != seat and stream.is_dark(decision)):
        return False
    first = min(table.read.get(seat, 0), len(table.record.history))
    table.read[seat] = len(table.record.history)
    said = [clean(text) for lines in table.record.history[first:] for text in stream.lines_for(lines, seat)]
    for text in folded(table, said):
        table.tell("  " + text)
    if said:
        table.waiting = None
    return bool(said)


def tell_who_decides(table: Table, seat: int, name: str) -> None:
    """Tells that a bot decides, once until something else shows, and never that it does so on hidden grounds."""
    decision = table.record.position.decision
    dark = has_secrets(table) and decision is not None and stream.is_dark(decision)
    if decision is None or dark or table.waiting == seat:
        return
    table.waiting = seat
    table.say("bot_moves", "bold", player=table.name(seat), bot=name)


def recall(table: Table) -> None:
    """Tells again the last of what has happened, and has each player read it when he looks."""
    history = table.record.history
    for seat in range(len(table.record.game.players)):
        table.read[seat] = _recent([stream.lines_for(lines, seat) for lines in history])
    if has_secrets(table):
        catch_up(table)
        return
    seen = [readable(table, lines) for lines in history]
    for line in folded(table, [line for lines in seen[_recent(seen) :] for line in lines]):
        table.tell("  " + line)


def _recent(entries: Sequence[Sequence[str]]) -> int:
    """Where the last few lines of a history begin."""
    first, lines = len(entries), 0
    while first > 0 and lines < RECENT:
        first -= 1
        lines += len(entries[first])
    return first


def readable(table: Table, lines: Iterable[Line]) -> list[str]:
    """Lines that whoever looks may read."""
    if table.viewer is not None:
        return [clean(text) for text in stream.lines_for(lines, table.viewer)]
    here = set(people(table))
    return [clean(line.text) for line in lines if line.seats is None or line.seats & here]


def folded(table: Table, lines: Sequence[str]) -> list[str]:
    """Lines of which the same comes several times on end told once, with how often."""
    runs = [(line, len(list(same))) for line, same in groupby(lines)]
    return [
        text
        for line, n in runs
        for text in ([line] * n if n < REPEATED else [say(table.language, "times", what=line, n=n)])
    ]


def outcome(table: Table) -> Outcome | None:
    """How the game ended, without the names of what one of the people here can't see."""
    found = table.record.position
    here = people(table) if has_secrets(table) else []
    return found.outcome_hiding(
        lambda value, ty: any(closed_to(found.compiled, found.evaluate, seat, value, ty) for seat in here)
    )


def choices_so_far(table: Table) -> int:
    """How many choices were made; where there are secrets, those of the people at the keyboard."""
    here = people(table) if has_secrets(table) else range(len(table.record.game.players))
    return sum(1 for answer in table.record.answers if answer.seat in here)
