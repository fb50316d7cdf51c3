"""The player's table: shows the board, asks, tells what happened, until the game ends or the player leaves.

Everything fixed that it says stands in `words`. Answers are narrowed by `answers`, things are looked at by `looking`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from io import StringIO, TextIOWrapper
from typing import TextIO

from rich.console import Console, Group
from rich.table import Table as Grid
from rich.text import Text

from interpreter.diagnostics import UsageError
from interpreter.game import Choice, Decision
from interpreter.play import answers, gathering, keyboard, looking, pages, panels, seats, series, why
from interpreter.play.board import Mark, board
from interpreter.play.bots import bot_choice
from interpreter.play.display import display
from interpreter.play.tabletop import PAGE, Leave, Table, list_choices, make_console, shell_path
from interpreter.play.taking import take, tell
from interpreter.play.words import HELP, say
from interpreter.rendering import clean
from interpreter.runtime.record import Record, Stopped
from interpreter.runtime.texts import Language

AGAIN = "done"  # what stops a question that comes again and again
COMMANDS = ("undo", "log", "show", "why", "save", "help", "quit", "choices", "back")


def play(record: Record, *, bots: Mapping[str, str], language: Language, out: TextIO, interactive: bool) -> int:
    """Plays a game at the terminal until it ends or the player leaves; gives the exit code.

    `bots`: side -> bot. `interactive`: whether a person sits at the terminal; otherwise lines are read from standard
    input as they come. The record is left open.
    """
    console = make_console(out, interactive)
    color = console.color_system is not None and not console.no_color
    for stream in (sys.stdin, out):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    ask = keyboard.Terminal(color) if interactive else keyboard.piped(sys.stdin, out)
    record.position.language = language
    table = Table(record, bots, language, console, ask)
    try:
        return sit(table)
    except Leave:
        _farewell(table)
    except KeyboardInterrupt:
        table.tell("")
        table.say("interrupted")
        _farewell(table)
    except EOFError:
        table.say("input_ended")
        _farewell(table)
    except Stopped as stopped:
        table.say("plies_over", n=stopped.plies)
        _farewell(table)
    return 0


def sit(table: Table) -> int:
    """Goes from question to question."""
    seats.take_seat(table)
    _greet(table)
    while (decision := table.position.decision) is not None:
        goes_on = series.goes_on(table, decision)
        name = table.bots.get(decision.player)
        if name is not None:
            seats.tell_who_decides(table, decision.seat, name)  # first of all: a bot may think for long
            choice = bot_choice(name, table.position, table.record.setup.seed)
            if not take(table, [choice], name):
                return 1  # the same question would come again
            continue
        if not goes_on:
            seats.hand_over(table, decision.seat)
            _show_position(table)
            _put(table, decision)
        _ask(table, decision)
    series.goes_on(table, None)
    _show_position(table)
    _end(table)
    return 0


def _greet(table: Table) -> None:
    game = table.record.game
    table.tell(clean(table.language.say(game.title)), "bold")
    if table.record.answers:
        table.say("going_on", n=seats.choices_so_far(table))
        seats.recall(table)
    else:
        tell(table, table.record.history[0])
        table.say("hint_first", "dim")
    for note in table.record.notes:
        table.tell(clean(note), "yellow")


def _show_position(table: Table) -> None:
    """The panels of the game's display, or the board, that look different from when they were printed last."""
    seen = seats.position(table)
    shown = display(seen, table.language, _viewer(table))
    if shown is not None and shown.info.panels:
        width = table.console.width
        names = pages.changed(shown, table.shown, width)
        lines = panels.page(shown, names, width, table.marks)
        if lines:
            table.console.print(Group(Text(), *lines))
        return
    if table.position.compiled.world.board is None:
        return
    drawn = board(seen, table.language, table.marks, table.console.width)
    plain = Console(file=StringIO(), width=table.console.width, color_system=None)
    plain.print(drawn)
    now = plain.file.getvalue() if isinstance(plain.file, StringIO) else ""
    if now != table.shown.get("board"):
        table.shown["board"] = now
        table.tell("")
        table.console.print(drawn)


def _viewer(table: Table) -> int | None:
    """Whose panels are shown: those of whoever looks, or, where all is open, of whoever decides."""
    decision = table.position.decision
    return table.viewer if table.viewer is not None or decision is None else decision.seat


def _put(table: Table, decision: Decision) -> None:
    """Puts a question: who is asked, what, and what there is to choose from."""
    table.tell("")
    table.tell(say(table.language, "turn", player=table.name(decision.seat)), "bold")
    table.focus = decision.choices
    list_choices(table, decision)
    if decision.element and not table.hinted:
        table.hinted = True
        table.say("hint_sets", "dim")


def _ask(table: Table, decision: Decision) -> None:
    """Asks until a choice is taken or something was taken back."""
    table.focus = decision.choices
    while True:
        typed = series.next_part(table)
        if typed is None:
            prompt = say(table.language, "which") + "> "
            typed = table.ask(prompt, lambda text: _complete(table, decision, text)).strip()
        if not typed:
            continue
        try:
            if _answer(table, decision, typed):
                return
        except UsageError as error:
            table.tell(clean(error.message), "yellow")
            if error.help:
                table.tell(clean(error.help), "dim")
            if table.series is not None:
                series.break_off(table)
                _show_position(table)
                _put(table, decision)


def _answer(table: Table, decision: Decision, typed: str) -> bool:
    """Does what was typed; whether the question is over."""
    command = _command(table, typed)
    if command is None and table.series is None:
        parts = series.parts(typed)
        series.begin(table, decision, parts)
        typed = parts[0]
        command = _command(table, typed)
    if command is not None:
        word, _, rest_ = typed.partition(" ")
        if table.series is not None:
            series.refuse_command(table, word)
        return _COMMANDS[command](table, decision, rest_.strip())
    whole = len(table.focus) == decision.count
    if decision.element and whole and not typed.startswith("!"):
        gathered = gathering.whole_set(decision, typed, table.language)
        if gathered is not None:
            return take(table, gathered, None)
    elif decision.stop == AGAIN and whole and not typed.startswith("!"):
        names = gathering.several(decision, typed, table.language)
        typed = series.put_first(table, decision, names) if names else typed
    typed = typed.removeprefix("!").strip()
    found = _meant(table, decision, typed)
    if len(found) == 1:
        return take(table, [found[0]], None)
    if set(map(id, found)) == set(map(id, table.focus)):
        table.say("many", "yellow", typed=clean(typed), n=len(found))
    table.focus = found
    if table.series is None or not table.series.rest:
        list_choices(table, decision)
    return False


def _command(table: Table, typed: str) -> str | None:
    """The command that a line begins with, in the language of the table or of the program."""
    wanted = answers.plain(typed.partition(" ")[0])
    if wanted == "?":
        return "help"
    for command in COMMANDS:
        if wanted in (command, answers.plain(table.language.say(command))):
            return command
    return None


def _meant(table: Table, decision: Decision, typed: str) -> list[Choice]:
    """The choices that a typed text means: a number of the list, else names. Raises UsageError."""
    listed = answers.items(decision, table.focus)
    if typed.isascii() and typed.isdecimal() and not any(item.number for item in listed):
        number = int(typed[:9])
        if not 1 <= number <= len(listed):
            raise UsageError(say(table.language, "no_number", typed=typed[:20], n=len(listed)))
        return list(listed[number - 1].choices)
    found = answers.narrow(decision, table.focus, typed)
    if not found and table.series is None:
        found = answers.narrow(decision, decision.choices, typed)
    if found:
        return found
    close = answers.near(decision, table.focus, typed)
    if not close:
        close = [c for c in COMMANDS if answers.plain(typed)[:3] == c[:3]]
    hint = say(table.language, "did_you_mean", names=", ".join(f"`{c}`" for c in close)) if close else ""
    raise UsageError(
        say(table.language, "not_understood", typed=clean(typed[:60])), hint or say(table.language, "try_choices")
    )


def _complete(table: Table, decision: Decision, text: str) -> list[str]:
    """What the tab key offers."""
    word, space, rest = text.partition(" ")
    if space and _command(table, word) == "show":
        return [w for w in (*pages.names(table.position), *looking.names(table.position)) if w.startswith(rest)]
    if ";" in text:
        return []  # what will be asked then is not known
    if decision.element:
        text = text.rpartition(",")[2].lstrip()
        space = " " if " " in text else ""
    marked = text.startswith("!")
    offered = answers.completions(decision, table.focus, text[1:] if marked else text)
    if marked:
        return ["!" + w for w in offered] if not space else offered
    return offered if space else offered + [c for c in COMMANDS if c.startswith(text) and text]


# ---- commands -------------------------------------------------------------------------------------------------------


def _undo(table: Table, decision: Decision, rest: str) -> bool:
    """Goes back: first out of the steps of a list, then to the last choice of a person."""
    if len(table.focus) < decision.count:
        return _back(table, decision, rest)
    if seats.has_secrets(table) and len(seats.people(table)) > 1:
        series.take_back(table, table.viewer, True)
    else:
        series.take_back(table, None, False)
    table.marks = {}
    table.say("undone", n=seats.choices_so_far(table))
    return True


def _back(table: Table, decision: Decision, _: str) -> bool:
    table.focus = decision.choices
    list_choices(table, decision)
    return False


def _log(table: Table, _: Decision, rest: str) -> bool:
    rows: list[str] = []
    for number, lines in enumerate(table.record.history):
        seen = seats.readable(table, lines)
        if number and not seen and table.viewer in (None, table.record.answers[number - 1].seat):
            seen = [table.told.get(number) or clean(", ".join(table.record.answers[number - 1].choose))]
        shown = number if table.viewer is None else ""  # how much the others have chosen may be a secret
        folded = seats.folded(table, seen)
        rows += [f"{shown if number and not i else '':>4}  {line}" for i, line in enumerate(folded)]
    if not rows:
        table.say("log_empty")
    last = int(rest[:6]) if rest.isascii() and rest.isdecimal() else 0
    for row in rows[-last:]:
        table.tell(row)
    return False


def _show(table: Table, decision: Decision, rest: str) -> bool:
    marks = _goals(table, decision) or table.marks
    seen = seats.position(table)
    if pages.show(seen, rest, table.language, _viewer(table), table.console, marks):
        return False
    if rest in ("", "board", "map"):
        table.console.print(board(seen, table.language, marks, table.console.width))
    else:
        looking.look(seen, rest, table.language, table.console, pages.names(table.position))
    return False


def _why(table: Table, decision: Decision, rest: str) -> bool:
    """Tells why a choice can, or cannot, be taken."""
    for line in why.lines(why.why(table.position, answers.as_written(decision, rest))):
        table.tell(clean(line), "dim" if line.startswith("    ") else "")
    return False


def _goals(table: Table, decision: Decision) -> dict[int, Mark]:
    """The spaces that the choices still meant end on, once a part of the answer is given."""
    world = table.position.compiled.world
    if world.board is None or len(table.focus) == decision.count:
        return {}
    return dict.fromkeys(answers.last_values(decision, table.focus, world.board.space), "goal")


def _save(table: Table, _: Decision, __: str) -> bool:
    path = table.record.path
    if path is None:
        table.say("not_saved")
    else:
        table.say("saved", path=clean(str(path)))
    return False


def _help(table: Table, _: Decision, __: str) -> bool:
    page = Grid.grid(padding=(0, 0, 0, 2), pad_edge=True)
    page.add_column(style="bold", no_wrap=True)
    page.add_column()
    for word, meaning in HELP.items():
        page.add_row(table.language.say(word), table.language.say(meaning))
    table.console.print(page)
    return False


def _choices(table: Table, decision: Decision, rest: str) -> bool:
    table.focus = decision.choices
    if rest == "all" or decision.count <= PAGE:
        width = max(len(c.id) for c in table.focus)
        for choice in table.focus:
            table.tell(f"  {choice.id:<{width}}  {clean(choice.text)}")
        return False
    list_choices(table, decision, whole=True)
    return False


def _quit(table: Table, _: Decision, __: str) -> bool:
    raise Leave


_COMMANDS: dict[str, Callable[[Table, Decision, str], bool]] = {
    "undo": _undo,
    "log": _log,
    "show": _show,
    "why": _why,
    "save": _save,
    "help": _help,
    "quit": _quit,
    "choices": _choices,
    "back": _back,
}


# ---- leaving --------------------------------------------------------------------------------------------------------


def _end(table: Table) -> None:
    """How the game ended, and how to see it again."""
    outcome = seats.outcome(table)
    if outcome is None:
        return
    result = say(table.language, "draw")
    if outcome.winner is not None:
        seat = table.record.game.players.index(outcome.winner)
        result = say(table.language, "wins", player=table.name(seat))
    table.tell("")
    text = say(table.language, "reason", result=result, reason=clean(outcome.text)) if outcome.text else result
    table.tell(text, "bold green")
    if table.record.path is not None:
        table.say("over_replay", path=shell_path(table.record.path))


def _farewell(table: Table) -> None:
    if table.position.outcome is not None:
        _end(table)
    elif table.record.path is None:
        table.say("stopped_unsaved")
    else:
        table.say("stopped", path=shell_path(table.record.path))
