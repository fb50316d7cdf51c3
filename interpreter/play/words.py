"""All fixed words of the player's table in one place, so that a translator finds them.

A game's `texts/<lang>.yaml` may translate each of the texts below, word for word as its key; what stands in `{…}` is
filled in by the table and must stay in the translation. What a game's own files say is translated in the same way.
"""

from __future__ import annotations

from interpreter.runtime.texts import PLAIN, Language

WORDS: dict[str, str] = {
    # the board
    "no_map": "this game has no map",
    "here": "here",
    "leads_to": "leads to",
    "is_at": "is at",
    "rules_shown_by": "`petteia show {game} rules` prints the rules in full",
    # whose turn, and what is asked
    "turn": "{player} to choose",
    "which": "Your choice",
    "count_choices": "{n} choices",
    "one_choice": "1 choice",
    "with_choices": "{what}: {n} choices",
    "with_alike": "{what} (one of {n} alike)",
    "more": "… and {n} more: type part of a name, or `choices` to see all",
    "bot_moves": "{player} ({bot})",
    "hand_over": "Press Enter to clear the screen, then pass the keyboard to {player}.",
    "taken_over": "{player}, press Enter.",
    "times": "{what}  × {n}",
    "going_on": "going on after {n} choices",
    "hint_first": "Type a number or a name, `help` for what else you can type.",
    "hint_sets": "One by one, or several at once: `all`, `all but X`, `none`, `1 3-5`, `X, Y`.",
    # answers
    "not_understood": "nothing here is called `{typed}`",
    "did_you_mean": "did you mean {names}?",
    "try_choices": "`choices` lists what can be typed",
    "many": "`{typed}` can mean {n} choices",
    "too_few": "only {n} are called `{typed}`",
    "no_number": "there is no number {typed}: the list ends at {n}",
    "unknown_show": "there is nothing called `{typed}` to show",
    "can_show": "what there is: {names}; or the name of anything",
    "empty_show": "there is nothing in `{typed}` at present",
    # several answers in a line, apart by `;`
    "own_line": "`{typed}` is a command: type it on a line of its own",
    "left_here": "not answered: `{rest}`",
    "left_to_other": "not answered: `{rest}`; {player} is to choose",
    "left_at_end": "not answered: `{rest}`; the game is over",
    "line_stands": "answers of that line that stand: {n}; `undo` takes them back",
    "line_stays": "answers of that line that stand: {n}",
    # commands
    "undone": "taken back; {n} choices stand",
    "log_empty": "nothing has happened yet",
    "saved": "the game is saved in {path}, after every choice",
    "not_saved": "this game is not saved",
    "stopped": "the game is not over; go on with it by `petteia resume {path}`",
    "stopped_unsaved": "the game is not over, and it is not saved",
    "interrupted": "interrupted",
    "input_ended": "the input has ended",
    # the end
    "wins": "{player} wins",
    "draw": "the game is drawn",
    "reason": "{result}: {reason}",
    "over_replay": "look at it again by `petteia replay {path}`",
    "plies_over": "stopped after {n} choices",
    "fault": "the rules could not carry this out, and nothing was changed",
}

SET_WORDS: dict[str, str] = {"all": "all", "all but": "all but", "none": "none"}  # that a player may type for a set

HELP: dict[str, str] = {
    "a number or a name": "take that choice; the beginning of a name will do",
    "several names at once": "answer several steps in one line",
    "answers with ; between": "answer several questions; one `undo` takes all back",
    "all, all but X, none": "for a set; lists too: `1 3-5`, `X, Y`, `3 X`",
    "back": "go back to the whole list",
    "choices": "list all choices with what to type for them",
    "undo": "take back the last choice",
    "log": "what has happened; `log 5`: the last five lines",
    "show": "the board, or a panel of it; `show pieces`, or the name of anything",
    "why": "`why` and a choice: why it can, or cannot, be taken",
    "save": "where the game is saved; it always is",
    "quit": "stop; `petteia resume` goes on later",
    "! before a name": "a choice, even if it is called as a command is",
}


def say(language: Language, key: str, **values: object) -> str:
    """A fixed text in a language, its holes filled."""
    text = language.say(WORDS[key])
    for name, value in values.items():
        text = text.replace("{" + name + "}", str(value))
    return text


def all_words() -> list[str]:
    """Every fixed text, for a translator's list."""
    return [*WORDS.values(), *SET_WORDS.values(), *HELP, *HELP.values()]


def plain(key: str, **values: object) -> str:
    """A fixed text in the language of the program."""
    return say(PLAIN, key, **values)
