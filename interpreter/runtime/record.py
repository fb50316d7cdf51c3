"""A game as it is kept: its set-up and the choices since, in a journal. Positions are derived from it by replay.

Lines of the journal (see `journal` for their form), each with its `type`:

- `setup`, the first: `format`, `version` (of the program), `game` (a shipped game's name, or a folder), `scenario`,
  `options` (all of them), `seed`, `bots` (side -> name), `rules` (hash of the compiled rules) and `digest` (of the
  position that waits for the first choice);
- `choice`: number `n`, `player`, `choose` (the written choices of all steps of the answer to one statement), `script`
  (what chance was made to bring, if it was), and `digest`, of the position after it. Choices that need no answer are
  not written;
- `undo`: `to`, how many choices are left;
- `rules`: `rules` and `digest`, where play went on under other rules than before; older digests are not verified any
  more.

An answer is tried on a copy of the position, written and forced to the disk, and only then does it take effect. Steps
of an answer that is not complete live in memory alone. The layout of bytes does not depend on the backend, so a game
can go on with another one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import interpreter
from interpreter.core import header
from interpreter.diagnostics import RuleFault, UsageError
from interpreter.resources import games_folder
from interpreter.runtime import journal as files
from interpreter.runtime.journal import Journal, Reading, SaveError
from interpreter.runtime.texts import PLAIN, Language

if TYPE_CHECKING:  # the facade comes later than this module; callers hand its objects in
    from interpreter.game import Choice, Game, Line, Position

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


class Stopped(Exception):
    """The number of plies that the game was to be played for is reached; nothing was changed."""

    def __init__(self, plies: int) -> None:
        super().__init__(f"stopped after {plies} plies")
        self.plies = plies


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


@dataclass(eq=False)
class Record:
    """A game under way, kept in a file if it has a `path`. One writer at a time.

    `position`: the present one, always the same object. `bots`: side -> name; they can be others than the set-up
    says. `answers`: those since the start that were not taken back. `history[k]`: log lines of answer k, `history[0]`
    of the set-up. `notes`: what its player should hear about how it was opened. `max_plies`: `apply` raises `Stopped`
    from there on.
    """

    game: Game
    setup: SetUp
    position: Position
    path: Path | None = None
    bots: dict[str, str] = field(default_factory=dict)
    answers: list[Answer] = field(default_factory=list)
    history: list[list[Line]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    max_plies: int | None = None
    _journal: Journal | None = None
    _states: list[bytes] = field(default_factory=list, repr=False)  # a cache: the position after each answer
    _steps: list[str] = field(default_factory=list)
    _script: list[int] = field(default_factory=list)
    _lines: list[Line] = field(default_factory=list)
    _stamp: dict[str, object] | None = None  # the line `rules` that the next line has to come after

    # ---- making one -------------------------------------------------------------------------------------------------

    @classmethod
    def new(
        cls,
        game: Game,
        scenario: str | None = None,
        options: Mapping[str, bool] | None = None,
        seed: int = 1,
        path: Path | None = None,
        *,
        bots: Mapping[str, str] | None = None,
        backend: str = "python",
        language: Language = PLAIN,
    ) -> Record:
        """A fresh game. Raises UsageError, RuleFault, and SaveError or OSError if the file cannot be made."""
        chosen, values = game.settings(scenario, options)
        position = game.start(chosen or None, values, seed, backend, language)
        rules = game.rules_hash(position.compiled)
        setup = SetUp(_name(game), chosen, values, seed, rules, interpreter.__version__, dict(bots or {}))
        made = cls(game, setup, position, path, dict(setup.bots))
        made._begin()
        if path is not None:
            entry = {
                "type": "setup",
                "format": FORMAT,
                "version": setup.version,
                "game": setup.game,
                "scenario": chosen,
            }
            entry |= {"options": values, "seed": seed, "bots": setup.bots, "rules": rules, "digest": position.digest()}
            made._journal = files.create(path, entry)
        return made

    @classmethod
    def open(
        cls,
        path: Path,
        load: Callable[[str], Game],
        *,
        backend: str = "python",
        language: Language = PLAIN,
        write: bool = True,
        to: int | None = None,
        new_rules: bool = False,
    ) -> Record:
        """The game of a file, replayed and verified, to be played on.

        `load` gives the game of a name or folder. Without `write` the file is neither locked nor ever changed; then
        `to` may end the replay after that many choices. `new_rules`: positions may differ as long as every choice can
        be taken. Raises SaveError (Damaged, Diverged), OSError, and what `load` raises.
        """
        journal, reading = files.open_for_writing(path) if write else (None, files.read(path))
        try:
            setup, started = _set_up(path, reading)
            if reading.damaged:
                raise Damaged(path, reading, _count(reading))
            made = _replayed(cls, path, setup, started, load(setup.game), reading, backend, language, to, new_rules)
        except BaseException:
            if journal is not None:
                journal.close()
            raise
        made._journal = journal
        return made

    def close(self) -> None:
        """Gives the file back. Nothing is written: all is on the disk already."""
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    def __enter__(self) -> Record:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- play -------------------------------------------------------------------------------------------------------

    @property
    def choices(self) -> int:
        """How many answers were given, without those taken back."""
        return len(self.answers)

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps so far of an answer that is not complete."""
        return tuple(self._steps)

    def apply(self, choice: Choice | str | int, script: Sequence[int] | None = None) -> None:
        """Takes a choice: the next step of an answer. `script`: what chance is to bring, faces and members by number.

        Raises UsageError (no such choice; a script that does not fit), RuleFault, Stopped, SaveError; nothing was
        changed then.
        """
        position = self.position
        if self.max_plies is not None and position.plies >= self.max_plies and position.outcome is None:
            raise Stopped(position.plies)
        decision = position.decision
        if decision is None:
            raise UsageError("the game is over", "start a new one, or undo")
        found = decision.find(choice) if isinstance(choice, str) else choice
        if isinstance(found, int):
            if not 0 <= found < decision.count:
                raise UsageError(f"there is no choice number {found}", f"there are {decision.count}")
            found = decision.choices[found]
        after = _tried(position, found.index, script or ())
        self._steps.append(found.id)
        self._script += script or ()
        try:
            complete = after.plies > position.plies or after.outcome is not None
            if complete:
                answer = Answer(decision.seat, decision.player, tuple(self._steps), tuple(self._script))
                self._write(_choice_line(len(self.answers) + 1, answer, after.digest()))
        except BaseException:
            self._steps.pop()
            del self._script[len(self._script) - len(script or ()) :]
            raise
        self._lines += after.lines
        position.block[:] = after.block
        position.lines = after.lines
        if complete:
            self.answers.append(answer)
            self.history.append(self._lines)
            self._states.append(position.to_bytes())
            self._drop_steps()

    def can_undo(self, seat: int | None = None, *, take_back: bool = False) -> bool:
        """Whether `undo` would do something."""
        return isinstance(self._target(seat, take_back), int)

    def undo(self, seat: int | None = None, *, take_back: bool = False) -> None:
        """Goes back to the last decision of a seat that is no bot's (None: to the last decision of anybody who is no
        bot).

        Never back past anything that somebody learned. Past a choice of another side that is no bot only as a
        `take_back`, which people at one keyboard may allow. Steps of an answer that is not complete are dropped
        first. Raises UsageError.
        """
        target = self._target(seat, take_back)
        if isinstance(target, UsageError):
            raise target
        if target < len(self.answers):
            self._write({"type": "undo", "to": target})
        self._go_back(target)

    def _target(self, seat: int | None, take_back: bool) -> int | UsageError:
        """How many answers are left after an undo, or why there is none."""
        bots = {i for i, player in enumerate(self.game.players) if player in self.bots}
        if self._steps:
            decision = self.position.decision
            if decision is not None and seat in (None, decision.seat):
                return len(self.answers)
        target = len(self.answers) - 1
        while target >= 0 and (
            self.answers[target].seat in bots if seat is None else self.answers[target].seat != seat
        ):
            other = self.answers[target].seat
            if other not in bots and not take_back:
                return UsageError(f"{self.answers[target].player} has chosen since", "only a take-back goes past that")
            target -= 1
        if target < 0:
            return UsageError("there is nothing to undo")
        if _known(self._states[target]) != self.position.known:
            return UsageError("somebody has learned something since", "undo never goes back past that")
        return target

    # ---- inside -----------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        self.history = [list(self.position.lines)]
        self._states = [self.position.to_bytes()]

    def _write(self, entry: dict[str, object]) -> None:
        if self._journal is not None:
            if self._stamp is not None:
                self._journal.append(self._stamp)
                self._stamp = None
            self._journal.append(entry)

    def _drop_steps(self) -> None:
        self._steps, self._script, self._lines = [], [], []

    def _go_back(self, target: int) -> None:
        del self.answers[target:]
        del self.history[target + 1 :]
        del self._states[target + 1 :]
        self._drop_steps()
        self.position.block[:] = self._states[target]
        self.position.lines = list(self.history[target])


# ---- replay ------------------------------------------------------------------------------------------------------


def _replayed(
    cls: type[Record],
    path: Path,
    setup: SetUp,
    started: str,
    game: Game,
    reading: Reading,
    backend: str,
    language: Language,
    to: int | None,
    new_rules: bool,
) -> Record:
    """Plays the lines of a journal. Digests count from the last line `rules` on: those before belong to other rules."""
    entries = reading.entries[1:]
    stamps = [i for i, entry in enumerate(entries) if entry.get("type") == "rules"]
    verified_from = stamps[-1] if stamps else -1
    stamped = str(entries[verified_from].get("rules")) if stamps else setup.rules
    try:
        position = game.start(setup.scenario or None, setup.options, setup.seed, backend, language)
    except (UsageError, RuleFault) as error:
        raise Diverged(f"the set-up of `{path}` cannot be made: {error}", _help(error), 0, False) from None
    rules = game.rules_hash(position.compiled)
    made = cls(game, setup, position, path, dict(setup.bots))
    made._begin()
    differs = ""  # the first position that is not what it was
    first = 0

    def compare(digest: object, what: str) -> None:
        nonlocal differs, first
        if digest != position.digest() and not differs:
            differs, first = what, made.choices

    if verified_from < 0:
        compare(started, "the position after the set-up differs from the one that was saved")
    for i, entry in enumerate(entries):
        if to is not None and made.choices >= to and entry.get("type") == "choice":
            break
        line = f"line {reading.lines[i + 1]} of `{path}`"
        match entry:
            case {"type": "choice", "choose": [*steps], "digest": digest}:
                script = entry.get("script", [])
                _replay_choice(made, steps, script if isinstance(script, list) else [], line, _rules(rules, stamped))
                if i > verified_from:
                    compare(digest, f"the position after choice {made.choices} ({_said(made.answers[-1])}) differs")
            case {"type": "undo", "to": int(target)} if 0 <= target <= made.choices:
                made._go_back(target)
            case {"type": "rules", "digest": digest}:
                if i == verified_from:
                    compare(digest, f"the position where new rules began, after choice {made.choices}, differs")
            case _:
                raise SaveError(
                    f"{line} says nothing that belongs in a saved game", "was it written by a later version?"
                )
    if differs and not new_rules:
        mend = f"every choice can still be taken: `petteia resume {path} --new-rules` goes on with the rules of now"
        raise Diverged(f"{differs}; {_rules(rules, stamped)}", mend, first, True)
    if rules != stamped or differs:
        made._stamp = {"type": "rules", "rules": rules, "digest": position.digest()}
        made.notes.append(
            "the game goes on under the rules of now"
            if differs
            else "the rules have changed since this game was saved; it is not affected"
        )
    return made


def _replay_choice(made: Record, steps: list[Any], script: list[Any], line: str, rules: str) -> None:
    """Takes one answer of a journal again. Raises Diverged."""
    number = made.choices + 1
    position = made.position
    before = made.choices
    try:
        # The script may be meant for any of the steps: each takes what it needs.
        position.script([int(x) for x in script])
        plies = position.plies
        decision = position.decision
        if decision is None:
            raise UsageError("the game is over before it")
        lines: list[Line] = []
        for step in steps:
            asked = position.decision
            if asked is None or position.plies != plies:
                raise UsageError(f"no question waits for `{step}`")
            position.apply(asked.find(str(step)))
            lines += position.lines
        if position.plies == plies and position.outcome is None:
            raise UsageError("it is not complete")
        if position.machine.script:
            raise UsageError("chance brings more than the rules ask for")
    except (UsageError, RuleFault) as error:
        said = f"choice {number} (`{', '.join(map(str, steps))}`, {line}) cannot be taken: {error}; {rules}"
        mend = f"the game up to choice {before} can be looked at: `petteia replay FILE --to {before}`"
        raise Diverged(said, mend, number, False) from None
    finally:
        position.script([])
    made.answers.append(Answer(decision.seat, decision.player, tuple(map(str, steps)), tuple(script)))
    made.history.append(lines)
    made._states.append(position.to_bytes())


def _tried(position: Position, index: int, script: Sequence[int]) -> Position:
    """The position after a choice, as a copy."""
    after = position.copy()
    after.script(list(script))
    try:
        after.apply(index)
        left = len(after.machine.script)
    finally:
        after.script([])
    if script and _generator(after.block) != _generator(position.block):
        raise UsageError("the rules ask more of chance here than the script brings")
    if left:
        raise UsageError(f"the script brings {left} more than the rules ask of chance here")
    return after


def _set_up(path: Path, reading: Reading) -> tuple[SetUp, str]:
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


def _count(reading: Reading) -> int:
    """Choices in the intact lines, without those taken back."""
    choices = 0
    for entry in reading.entries:
        if entry.get("type") == "choice":
            choices += 1
        to = entry.get("to")
        if entry.get("type") == "undo" and isinstance(to, int):
            choices = to
    return choices


def _choice_line(number: int, answer: Answer, digest: str) -> dict[str, object]:
    line: dict[str, object] = {"type": "choice", "n": number, "player": answer.player, "choose": list(answer.choose)}
    if answer.script:
        line["script"] = list(answer.script)
    line["digest"] = digest
    return line


def _name(game: Game) -> str:
    """How a file calls a game: by the name of a shipped one, else by the folder's full path."""
    folder = Path(game.folder).resolve()
    return folder.name if folder.parent == games_folder().resolve() else str(folder)


def _known(block: bytes) -> int:
    return memoryview(block).cast("i")[header.KNOWN]


def _generator(block: bytearray) -> list[int]:
    return list(memoryview(block).cast("i")[header.RANDOM : header.MOVER])


def _rules(rules: str, stamped: str) -> str:
    if rules != stamped:
        return f"the rules have changed since it was saved (from {stamped} to {rules})"
    return "the rules have not changed since it was saved"


def _said(answer: Answer) -> str:
    return f"{answer.player}: `{', '.join(answer.choose)}`"


def _help(error: UsageError | RuleFault) -> str:
    return error.help if isinstance(error, UsageError) else ""
