"""Taking choices at the table, and telling what they brought."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.diagnostics import RuleFault
from interpreter.game import Choice, Decision, Line
from interpreter.play import answers, seats, series
from interpreter.play.board import moved
from interpreter.play.tabletop import Table
from interpreter.rendering import clean
from interpreter.runtime.journal import SaveError


def tell(table: Table, lines: list[Line]) -> bool:
    """Prints what has just happened, as far as whoever looks may know it; whether that is anything."""
    if seats.has_secrets(table):
        return seats.catch_up(table)
    said = seats.folded(table, seats.readable(table, lines))
    for line in said:
        table.tell("  " + line)
    return bool(lines)


def take(table: Table, steps: Sequence[Choice | str], name: str | None) -> bool:
    """Takes a choice, or a whole set step by step, and tells what it did; whether the question is over."""
    asked = table.position.decision
    seat, secret = asked.seat if asked else -1, seats.has_secrets(table)
    before = table.position.copy() if table.series is None else table.series.before
    taken: list[Choice] = []
    try:
        while asked is not None and len(taken) < len(steps):
            step = steps[len(taken)]
            choice = asked.find(step) if isinstance(step, str) else step
            if not table.record.steps:
                table.part, table.heading = [], _heading(asked, choice)
            word = "" if asked.element and choice.option < 0 else clean(choice.text)
            table.record.apply(choice)
            taken.append(choice)
            table.part += [word] if word else []
            asked = table.position.decision
    except RuleFault as fault:
        table.say("fault", "red")
        table.tell(clean(str(fault)), "red")
        return _not_taken(table, bool(taken))
    except SaveError as error:
        table.tell(clean(error.message), "red")
        table.tell(clean(error.help), "dim")
        return _not_taken(table, bool(taken))
    table.marks = moved(seats.position(table, before), seats.position(table))
    if name is None and not secret:
        table.waiting = None
    whole = not table.record.steps
    if whole:
        told = ", ".join(table.part) or clean(taken[-1].text)
        table.told[table.record.choices] = told = f"{table.heading}: {told}" if table.heading else told
    else:
        told = ", ".join(clean(choice.text) for choice in taken)
    if not tell(table, table.position.lines) and not (secret and seat != table.viewer) and (whole or name is None):
        table.tell("  " + told)  # of a bot only a whole set
    return True


def _heading(asked: Decision, choice: Choice) -> str:
    """The question, up to what it leaves open, where an answer makes no sense without it: a set, `no`, `done`."""
    if not asked.element and choice.option >= 0:
        return ""
    return answers.question(asked, asked.choices).partition("…")[0].rstrip(" (:")


def _not_taken(table: Table, begun: bool) -> bool:
    """Forgets the steps of a set that could not be taken, and what is left of a line; whether to ask anew."""
    if begun:
        table.record.undo()
    line = table.series is not None
    series.break_off(table)
    return begun or line
