"""Several answers in one line, apart by `;`: they are given one after another, as if each were typed by itself.

A line ends early where a part does not fit, where it is another player's turn, and with the game. What was answered
stands, for it is saved and chance may have spoken; one `undo` takes back the whole line, as far as it can be.
"""

from __future__ import annotations

from interpreter.diagnostics import UsageError
from interpreter.game import Decision
from interpreter.play.tabletop import Series, Table
from interpreter.play.words import say
from interpreter.rendering import clean


def parts(typed: str) -> list[str]:
    """The parts of a line; one at least."""
    return [part.strip() for part in typed.split(";") if part.strip()] or [typed]


def begin(table: Table, decision: Decision, line: list[str]) -> None:
    """Begins a line if it has several parts; the first of them is answered now."""
    if len(line) > 1:
        table.series = Series(line[0], line[1:], decision.seat, table.record.choices, table.position.copy())


def put_first(table: Table, decision: Decision, names: list[str]) -> str:
    """Lets several answers to a question that comes again stand in place of the part that is answered now."""
    if table.series is None:
        begin(table, decision, names)
    else:
        table.series.part = names[0]
        table.series.rest[:0] = names[1:]
    return names[0]


def next_part(table: Table) -> str | None:
    """The part of the line that answers next."""
    line = table.series
    if line is None or not line.rest:
        return None
    line.part = line.rest.pop(0)
    return line.part


def goes_on(table: Table, decision: Decision | None) -> bool:
    """Whether the line has an answer to a question; if not, it is over, and what of it was left is told."""
    line = table.series
    if line is None:
        return False
    if line.rest and decision is not None and decision.seat == line.seat:
        return True
    if line.rest:
        left = "; ".join(map(clean, line.rest))
        if decision is None:
            table.say("left_at_end", "yellow", rest=left)
        else:
            table.say("left_to_other", "yellow", rest=left, player=table.name(decision.seat))
    end(table)
    return False


def break_off(table: Table) -> None:
    """Ends a line at a part that did not fit, and tells what of it stands."""
    line = table.series
    if line is None:
        return
    given = table.record.choices - line.start
    table.say("left_here", "yellow", rest="; ".join(map(clean, [line.part, *line.rest])))
    if given:
        table.say("line_stands" if table.record.can_undo(line.seat, take_back=True) else "line_stays", "dim", n=given)
    end(table)


def end(table: Table) -> None:
    """Ends a line: from now on its answers are taken back together."""
    line = table.series
    table.series = None
    if line is not None:
        stop = table.record.choices + bool(table.record.steps)
        table.together = [(first, last) for first, last in table.together if last <= line.start]
        table.together.append((line.start, stop))


def take_back(table: Table, seat: int | None, is_take_back: bool) -> None:
    """Takes back the last choice of a person, or all answers of the line that it belongs to, as far as can be.

    Raises UsageError if nothing could be taken back.
    """
    record = table.record
    record.undo(seat, take_back=is_take_back)
    first = next((a for a, b in table.together if a <= record.choices < b), record.choices)
    try:
        while record.choices > first:
            record.undo(seat, take_back=is_take_back)
    except UsageError as error:
        table.tell(clean(error.message), "yellow")
    table.together = [(a, b) for a, b in table.together if b <= record.choices]


def refuse_command(table: Table, word: str) -> None:
    """Raises UsageError for a command within a line: what it tells would be lost between the answers."""
    raise UsageError(say(table.language, "own_line", typed=word))
