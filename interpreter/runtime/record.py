"""A game as it is kept: its set-up and the choices since, in a journal. Positions are derived from it by replay.

What the lines of the journal say stands in `saved`.

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
from interpreter.runtime.journal import Journal, Reading
from interpreter.runtime.saved import (
    Answer,
    Damaged,
    Diverged,
    SetUp,
    choice_line,
    line_of_play,
    read_setup,
    rules_changed,
    said,
    setup_line,
)
from interpreter.runtime.texts import PLAIN, Language

if TYPE_CHECKING:  # the facade comes later than this module; callers hand its objects in
    from interpreter.game import Choice, Game, Line, Position


class Stopped(Exception):
    """The number of plies that the game was to be played for is reached; nothing was changed."""

    def __init__(self, plies: int) -> None:
        super().__init__(f"stopped after {plies} plies")
        self.plies = plies


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
            made._journal = files.create(path, setup_line(setup, position.digest()))
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
            setup, started = read_setup(path, reading)
            if reading.damaged:
                raise Damaged(path, reading, len(line_of_play(path, reading)))
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
        index = found if isinstance(found, int) else found.index
        if not 0 <= index < decision.count:
            raise UsageError(f"there is no choice number {index}", f"there are {decision.count}")
        after = _tried(position, index, script or ())
        self._steps.append(decision.ids[index])
        self._script += script or ()
        try:
            complete = after.plies > position.plies or after.outcome is not None
            if complete:
                answer = Answer(decision.seat, decision.player, tuple(self._steps), tuple(self._script))
                self._write(choice_line(len(self.answers) + 1, answer, after.digest()))
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
    """Plays the choices of a journal that were not taken back."""
    stamped, verified_from = setup.rules, 0
    for i, entry in enumerate(reading.entries):
        if entry.get("type") == "rules":
            stamped = str(entry.get("rules"))
            verified_from = verified_from if entry.get("same") else i
    kept = line_of_play(path, reading)
    try:
        position = game.start(setup.scenario or None, setup.options, setup.seed, backend, language)
    except (UsageError, RuleFault) as error:
        raise Diverged(f"the set-up of `{path}` cannot be made: {error}", _help(error), 0, False) from None
    rules = game.rules_hash(position.compiled)
    made = cls(game, setup, position, path, dict(setup.bots))
    made._begin()
    differs, first = "", 0  # the first position that is not what it was
    if verified_from == 0 and started != position.digest():
        differs = f"the position after the set-up of `{path}` differs from the one that was saved"
    for i in kept if to is None else kept[:to]:
        entry = reading.entries[i]
        try:
            _replay_choice(made, entry, f"line {reading.lines[i]} of `{path}`")
        except Diverged as error:
            said_first = f"{differs}, and then {error.message}" if differs else error.message
            number = first if differs else error.choice
            raise Diverged(f"{said_first}; {rules_changed(rules, stamped)}", error.help, number, False) from None
        if i > verified_from and entry["digest"] != position.digest() and not differs:
            first = made.choices
            differs = f"the position after choice {first} of `{path}` ({said(made.answers[-1])}) differs"
    if differs and not new_rules:
        mend = f"every choice can still be taken: `petteia resume {path} --new-rules` goes on with the rules of now"
        raise Diverged(f"{differs}; {rules_changed(rules, stamped)}", mend, first, True)
    if rules != stamped or differs:
        made._stamp = {"type": "rules", "rules": rules, "same": not differs}
        same = "the rules have changed since this game was saved; it is not affected"
        made.notes.append("the game goes on under the rules of now" if differs else same)
    return made


def _replay_choice(made: Record, entry: dict[str, Any], line: str) -> None:
    """Takes one answer of a journal again. Raises Diverged."""
    position, done = made.position, made.choices
    plies = position.plies
    seat = -1
    lines: list[Line] = []
    steps = tuple(str(step) for step in entry["choose"])
    script = entry.get("script", [])
    given = tuple(x for x in script if isinstance(x, int)) if isinstance(script, list) else ()
    try:
        position.script(list(given))  # for all steps: each takes what it needs
        for step in steps:
            asked = position.decision
            if asked is None or position.plies != plies:
                raise UsageError("no question waits for it")
            seat = asked.seat
            position.apply(asked.ids.index(step) if asked.ids.count(step) == 1 else asked.find(step))
            lines += position.lines
        if position.plies == plies and position.outcome is None:
            raise UsageError("the answer is not complete")
        if position.machine.script:
            raise UsageError("chance brings more than the rules ask for")
    except (UsageError, RuleFault) as error:
        what = f"choice {done + 1} (`{', '.join(steps)}`, {line}) cannot be taken: {error}"
        mend = f"the game before it can be looked at: `petteia replay {made.path} --to {done}`"
        raise Diverged(what, mend, done + 1, False) from None
    finally:
        position.script([])
    made.answers.append(Answer(seat, made.game.players[seat], steps, given))
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


def _name(game: Game) -> str:
    """How a file calls a game: by the name of a shipped one, else by the folder's full path."""
    folder = Path(game.folder).resolve()
    return folder.name if folder.parent == games_folder().resolve() else str(folder)


def _known(block: bytes) -> int:
    return memoryview(block).cast("i")[header.KNOWN]


def _generator(block: bytearray) -> list[int]:
    return list(memoryview(block).cast("i")[header.RANDOM : header.MOVER])


def _help(error: UsageError | RuleFault) -> str:
    return error.help if isinstance(error, UsageError) else ""
