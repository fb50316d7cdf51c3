"""What the lines of a saved game say.

Lines of the journal (see `journal` for their form), each with its `type`:

- `setup`, the first: `format`, `version` (of the program), `game` (a shipped game's name, or a folder), `scenario`,
  `options` (all of them), `seed`, `bots` (side -> name), `rules` (hash of the compiled rules) and `digest` (of the
  position that waits for the first choice);
- `choice`: number `n`, `player`, `choose` (the written choices of all steps of the answer to one statement), `script`
  (what chance was made to bring, if it was), and `digest`, of the position after it. Choices that need no answer are
  not written;
- `undo`: `to`, how many choices are left;
- `rules`: from here on the game was played under other `rules`; `same`: whether all positions up to there are what they
  were (if not, older digests are not verified any more).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from interpreter.runtime.journal import Reading, SaveError

FORMAT = 1


@dataclass(frozen=True)
class SetUp:
    """What a game starts from. `game`: a shipped game's name, or the path of a folder; `options`: all, with their
    values.
    """

    game: str
    scenario: str
    options: dict[str, bool]
    seed: int
    rules: str
    version: str
    bots: dict[str, str]


@dataclass(frozen=True)
class Answer:
    """The answer to one statement: the written choices of its steps, and what chance was made to bring."""

    seat: int
    player: str
    choose: tuple[str, ...]
    script: tuple[int, ...] = ()


class Damaged(SaveError):
    """A line of the file is damaged. `choices`: how many choices before it are intact, counted without those taken
    back.
    """

    def __init__(self, path: Path, reading: Reading, choices: int) -> None:
        kept = f"the game up to choice {choices} can be kept" if choices else "the game's beginning can be kept"
        message = f"line {reading.damaged} of `{path}` is damaged: {reading.why}"
        mend = f"{kept}: `petteia resume {path} --keep-intact` copies the file, then goes on from there"
        if not reading.entries:
            mend = "nothing before it can be kept; perhaps it is no saved game"
        super().__init__(message, mend)
        self.line = reading.damaged
        self.choices = choices


class Diverged(SaveError):
    """Replay does not lead where the game went. `choice`: number of the first choice that differs, 0 for the set-up;
    `legal`: whether all choices could be taken all the same."""

    def __init__(self, message: str, help: str, choice: int, legal: bool) -> None:
        super().__init__(message, help)
        self.choice = choice
        self.legal = legal


def read_setup(path: Path, reading: Reading) -> tuple[SetUp, str]:
    """The first line of a journal. Raises SaveError."""
    if not reading.entries:
        if reading.damaged:
            raise Damaged(path, reading, 0)
        raise SaveError(f"`{path}` is empty", "a saved game has at least one line")
    match reading.entries[0]:
        case {
            "type": "setup",
            "format": int(number),
            "version": str(version),
            "game": str(game),
            "scenario": str(scenario),
            "options": dict(options),
            "seed": int(seed),
            "bots": dict(bots),
            "rules": str(rules),
            "digest": str(digest),
        }:
            if number != FORMAT:
                raise SaveError(f"`{path}` has format {number}; this version reads format {FORMAT}")
            values = {str(k): bool(v) for k, v in options.items()}
            sides = {str(k): str(v) for k, v in bots.items()}
            return SetUp(game, scenario, values, seed, rules, version, sides), digest
    raise SaveError(f"`{path}` does not begin as a saved game does", "is it the right file?")


def line_of_play(path: Path, reading: Reading) -> list[int]:
    """Numbers of the entries of all choices that were not taken back. Raises SaveError for a line that says nothing
    known.
    """
    kept: list[int] = []
    for i, entry in enumerate(reading.entries[1:], 1):
        match entry:
            case {"type": "choice", "choose": [*_], "digest": str()}:
                kept.append(i)
            case {"type": "undo", "to": int(left)} if 0 <= left <= len(kept):
                del kept[left:]
            case {"type": "rules", "rules": str(), "same": bool()}:
                pass
            case _:
                said = f"line {reading.lines[i]} of `{path}` says nothing that belongs in a saved game"
                raise SaveError(said, "was it written by a later version?")
    return kept


def choice_line(number: int, answer: Answer, digest: str) -> dict[str, object]:
    """The line of an answer, and of the position after it."""
    line: dict[str, object] = {"type": "choice", "n": number, "player": answer.player, "choose": list(answer.choose)}
    if answer.script:
        line["script"] = list(answer.script)
    line["digest"] = digest
    return line


def rules_changed(rules: str, stamped: str) -> str:
    """Whether the rules are others than those that a file is stamped with, in words."""
    if rules != stamped:
        return f"the rules have changed since it was saved (from {stamped} to {rules})"
    return "the rules have not changed since it was saved"


def said(answer: Answer) -> str:
    """An answer, as reports name it."""
    return f"{answer.player}: `{', '.join(answer.choose)}`"


def setup_line(setup: SetUp, digest: str) -> dict[str, object]:
    """The first line of a journal."""
    entry: dict[str, object] = {"type": "setup", "format": FORMAT, "version": setup.version, "game": setup.game}
    entry |= {"scenario": setup.scenario, "options": setup.options, "seed": setup.seed, "bots": setup.bots}
    return entry | {"rules": setup.rules, "digest": digest}
