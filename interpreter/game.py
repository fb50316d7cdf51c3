"""The facade: load a game, start it, ask and answer. Other programs, and all of `play`, use these names."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from interpreter import kept
from interpreter.backends.machine import Fault, Machine
from interpreter.core import header
from interpreter.core.compiled import Compiled
from interpreter.core.listing import listing
from interpreter.core.lower.displays import lower_display
from interpreter.core.lower.lower import lower
from interpreter.core.lower.trials import Trial as Trial
from interpreter.core.screens import DisplayInfo
from interpreter.diagnostics import Bag, Diagnostic, GameError, UsageError, did_you_mean
from interpreter.lang.check import check
from interpreter.lang.scope import Checked
from interpreter.lang.types import ENDING_CELLS, Ty
from interpreter.lang.world import World
from interpreter.reading.load import load_folder
from interpreter.reading.model import GameDef
from interpreter.resources import games_folder
from interpreter.runtime import lines, readable, reask, sums, texts
from interpreter.runtime.choices import Choice, Line, Outcome
from interpreter.runtime.decision import Decision
from interpreter.runtime.faults import explained
from interpreter.runtime.fresh import first_block
from interpreter.runtime.machines import make_machine as make_machine
from interpreter.runtime.numbers import Known, Tests
from interpreter.runtime.redeal import redeal
from interpreter.runtime.scripting import Word, resolved
from interpreter.runtime.settings import seat_of, settings
from interpreter.runtime.sightings import Sightings
from interpreter.runtime.texts import PLAIN, Language
from interpreter.runtime.view import View, view

__all__ = [
    "Choice",
    "Decision",
    "Game",
    "Line",
    "Outcome",
    "Position",
    "begin",
    "begin_trial",
    "end_set_up",
    "explained",
    "find",
    "first_block",
    "load",
    "make_machine",
]


def find(name: str) -> Path:
    """The folder of a shipped game's name, or of a path. Raises UsageError."""
    shipped = games_folder() / name
    if "/" not in name and "\\" not in name and (shipped / "game.yaml").is_file():
        return shipped
    path = Path(name)
    if path.is_dir():
        return path
    if path.is_file():
        raise UsageError(f"`{name}` is a file; a game is a folder", f"`{path.parent}` is the folder that it lies in")
    known = sorted(p.name for p in games_folder().iterdir() if (p / "game.yaml").is_file())
    raise UsageError(f"there is no game or folder `{name}`", did_you_mean(name, known) or f"games: {', '.join(known)}")


def load(name: str | Path, *, tests: bool = False, cached: bool = True) -> Game:
    """Reads and checks a game, on demand with its rule tests; `cached`: or takes it from the user's cache folder.

    Raises UsageError (no such game) or GameError (its files have errors).
    """
    folder = name if isinstance(name, Path) else find(name)
    key = kept.key(folder) if cached and not tests else None
    found = kept.fetch(key) if key is not None else None
    if found is not None:
        (definition, checked, warnings), entry = found
        return Game(definition, checked, folder, warnings, entry)
    bag = Bag()
    with kept.uncollected():
        definition = load_folder(folder, bag, tests=tests)
        if definition is None or bag.has_errors:
            raise GameError(bag)
        checked = check(definition, bag)
        if bag.has_errors:
            raise GameError(bag)
    game = Game(definition, checked, folder, [*bag])
    if key is not None and kept.key(folder) == key:  # nobody has changed it meanwhile
        game.kept = kept.keep(key, (definition, checked, game.warnings))
    return game


@dataclass(eq=False)
class Game:
    """A checked game. `warnings`: what its author should look at."""

    definition: GameDef
    checked: Checked
    folder: Path
    warnings: list[Diagnostic]
    kept: kept.Kept | None = None  # its entry in the user's cache folder
    _parts: dict[Compiled, str] = field(default_factory=dict)  # what programs are called there
    _compiled: dict[tuple[str, tuple[tuple[str, bool], ...]], Compiled] = field(default_factory=dict)
    _machines: dict[tuple[Compiled, str], Machine] = field(default_factory=dict)
    _asides: dict[Compiled, Compiled] = field(default_factory=dict)
    _displays: dict[Compiled, tuple[DisplayInfo, Machine] | None] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.definition.name.text

    @property
    def title(self) -> str:
        return self.definition.title or self.name

    @property
    def world(self) -> World:
        return self.checked.world

    @property
    def players(self) -> list[str]:
        """Ids of the players in seat order."""
        return [e.id for e in self.world.players.entities]

    @property
    def scenarios(self) -> list[str]:
        """Ids of the scenarios; the first is played if nothing else is said."""
        return [s.name.text for s in self.definition.scenarios]

    @property
    def campaigns(self) -> list[str]:
        """Ids of the campaigns, which are started like scenarios."""
        return [c.name.text for c in self.definition.campaigns]

    def language(self, code: str | None) -> Language:
        """Translations into a language (`ko`); None is the language of the files. Raises UsageError."""
        if code is None or code == "en":
            return PLAIN
        if code not in self.definition.texts:
            known = ", ".join(["en", *sorted(self.definition.texts)])
            raise UsageError(f"there are no texts in `{code}`", f"languages: {known}")
        return Language(self.definition.texts[code])

    def settings(self, scenario: str | None, options: Mapping[str, bool] | None) -> tuple[str, dict[str, bool]]:
        """A scenario or campaign and values for all options, as given or as is usual. Raises UsageError."""
        return settings(self.definition, scenario, options)

    def compiled(self, scenario: str | None = None, options: Mapping[str, bool] | None = None) -> Compiled:
        """The game compiled for a scenario and options, kept for the next time."""
        chosen, values = self.settings(scenario, options)
        key = (chosen, tuple(sorted(values.items())))
        if key not in self._compiled:
            self._compiled[key] = self._recalled(str(key), lambda: lower(self.checked, chosen, values))
        return self._compiled[key]

    def _recalled(self, part: str, make: Callable[[], Compiled]) -> Compiled:
        """A program from the cache folder, else a new one."""
        with kept.uncollected():
            found = make() if self.kept is None else self.kept.recall(part, make)
        self._parts[found] = part
        return found

    def asides(self, compiled: Compiled) -> Compiled:
        """The same program with functions for bots and `why`; it reads the same positions."""
        if compiled not in self._asides:
            part = f"{(compiled.scenario, sorted(compiled.options.items()))} with asides"
            self._asides[compiled] = self._recalled(
                part, lambda: lower(self.checked, compiled.scenario, compiled.options, asides=True)
            )
        return self._asides[compiled]

    def display(self, compiled: Compiled) -> tuple[DisplayInfo, Machine] | None:
        """The display of a compiled game with a machine that computes it from positions; None if it has none."""
        if compiled not in self._displays:
            found = lower_display(self.checked, compiled)
            self._displays[compiled] = None if found is None else (found, make_machine(found.compiled, "python"))
        return self._displays[compiled]

    def trials(self, scenario: str | None, options: Mapping[str, bool], trials: Sequence[Trial]) -> Compiled:
        """The game compiled for rule tests that share scenario and options; `begin_trial` starts one of them."""
        chosen, values = self.settings(scenario, options)
        with kept.uncollected():
            return lower(self.checked, chosen, values, trials)

    def machine(self, compiled: Compiled, backend: str = "python") -> Machine:
        """The machine of a backend, `python`, `wasm` or `both`, for a compiled game. Raises UsageError."""
        key = (compiled, backend)
        if key not in self._machines:
            self._machines[key] = make_machine(compiled, backend, self.kept, self._parts.get(compiled, ""))
        return self._machines[key]

    def rules_hash(self, compiled: Compiled) -> str:
        """What the rules are, as a hash: comments and texts do not count."""
        return hashlib.sha256(listing(compiled.program).encode() + repr(compiled.first).encode()).hexdigest()[:16]

    def start(
        self,
        scenario: str | None = None,
        options: Mapping[str, bool] | None = None,
        seed: int = 1,
        backend: str = "python",
        language: Language = PLAIN,
    ) -> Position:
        """A fresh game, run to its first question. Raises UsageError or RuleFault."""
        compiled = self.compiled(scenario, options)
        return begin(self, compiled, self.machine(compiled, backend), seed, language)


def begin(game: Game, compiled: Compiled, machine: Machine, seed: int, language: Language = PLAIN) -> Position:
    """A fresh position of a compiled game, run to its first question."""
    position = Position(game, compiled, machine, first_block(compiled, seed), language)
    position.advance()
    return position


def begin_trial(game: Game, compiled: Compiled, machine: Machine, number: int, seed: int) -> Position:
    """The position in which a rule test of a compiled game begins; `advance` runs it to its first question."""
    position = Position(game, compiled, machine, first_block(compiled, seed))
    position.cells[header.RESULT] = 2 * number
    return position


def end_set_up(position: Position, number: int) -> bool:
    """Whether the set-up of a rule test has run to its end; then makes what the test calls ready to run.

    The two are runs of their own, so that chance can be scripted for the second alone.
    """
    cells = position.cells
    if not cells[header.STATUS] or cells[header.ENDING] - 1 != position.compiled.trials[number].ready:
        return False
    cells[header.STATUS] = cells[header.ENDING] = 0
    cells[header.PC] = position.compiled.program.start
    cells[header.RESULT] = 2 * number + 1
    return True


@dataclass(eq=False)
class Position:
    """A state of play: bytes, and what reads them.

    `lines`: what the last `advance` or `apply` put into the log, in `language`.
    """

    game: Game
    compiled: Compiled
    machine: Machine
    block: bytearray
    language: Language = PLAIN
    lines: list[Line] = field(default_factory=list)
    seen: Sightings | None = None  # of a view: what is closed in it

    def advance(self, script: Sequence[Word] = ()) -> None:
        """Runs on to a question that waits, or to the end.

        `script`: what chance brings. Raises RuleFault or ScriptError.
        """
        self.script(self.resolve(script) if script else [])
        self._run(lambda: self.machine.advance(self.block))

    @property
    def decision(self) -> Decision | None:
        """The question that waits; None when the game has ended."""
        pending = self.machine.pending(self.block)
        return None if pending is None else Decision(self, pending)

    def apply(self, choice: Choice | str | int, script: Sequence[Word] = ()) -> None:
        """Takes a choice: itself, its written form or its index. `script`: what chance brings with it, all of it.

        Raises UsageError (ScriptError among them) or RuleFault, nothing changed.
        """
        index = self._index(choice)
        if script:
            self.script(self.resolve(script, index))
        self._run(lambda: self.machine.apply(self.block, index))

    def _index(self, choice: Choice | str | int) -> int:
        decision = self.decision
        if decision is None:
            raise UsageError("the game is over", "start a new one, or undo")
        if isinstance(choice, str):
            choice = decision.find(choice)
        index = choice if isinstance(choice, int) else choice.index
        if not 0 <= index < decision.count:
            raise UsageError(f"there is no choice number {index}", f"there are {decision.count}")
        return index

    def script(self, values: list[int]) -> None:
        """What chance brings in the next apply: faces by index, drawn pieces by number."""
        self.machine.script = list(values)

    def resolve(self, words: Sequence[Word], choice: Choice | str | int | None = None) -> list[int]:
        """What `script` takes for a script in words (`("dice", "6")`, `("draws", "ace")`): for a choice, or for the run
        to the first question. Raises ScriptError, UsageError or RuleFault.
        """
        if choice is None:
            return resolved(words, self.machine.advance, self.block, self.compiled, self.machine)
        index = self._index(choice)
        return resolved(words, lambda b: self.machine.apply(b, index), self.block, self.compiled, self.machine)

    def _run(self, act: object) -> None:
        assert callable(act)
        self.machine.listening = True
        self.machine.events = []
        try:
            act()
        except Fault as fault:
            raise explained(self.compiled, fault) from None
        found = (lines.line(e, self.compiled, self.language) for e in self.machine.events)
        self.lines = [x for x in found if x is not None]

    # ---- reading ----------------------------------------------------------------------------------------------------

    @property
    def cells(self) -> memoryview:
        """The cells as 32-bit integers."""
        return memoryview(self.block).cast("i")

    @property
    def plies(self) -> int:
        """Statements completed by a choice so far, silent ones too."""
        return self.cells[header.PLIES]

    @property
    def known(self) -> int:
        """Rises whenever somebody learns something; undo never goes back past a rise."""
        return self.cells[header.KNOWN]

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.outcome_hiding(lambda value, ty: False)

    def outcome_hiding(self, is_closed: Callable[[texts.Shown, Ty], bool]) -> Outcome | None:
        """How the game ended, as somebody is told it to whom some things are closed."""
        cells = self.cells
        if cells[header.STATUS] == 0:
            return None
        winner = cells[header.WINNER]
        info = self.compiled.events[cells[header.ENDING] - 1]
        text = ""
        if info.template is not None:
            args = texts.last_words([cells[header.ENDING_ARGS + i] for i in range(ENDING_CELLS)], info.types)
            hidden = {i for i, (a, ty) in enumerate(zip(args, info.types, strict=True)) if is_closed(a, ty)}
            text = texts.fill(info.template, args, info.types, self.compiled, self.language, hidden)
        return Outcome(self.game.players[winner] if winner >= 0 else None, text)

    def evaluate(self, function: int, args: tuple[int, ...] = ()) -> int | tuple[int, ...]:
        """The value of a function of the compiled game here. Raises RuleFault."""
        try:
            return self.machine.evaluate(self.block, function, args)
        except Fault as fault:
            raise explained(self.compiled, fault) from None

    def parts(self, name: str, args: Sequence[sums.Argument] = ()) -> list[tuple[str, str, int]]:
        """(text, rule, value) of each part of a labelled sum that counts here. Raises UsageError or RuleFault."""
        return sums.parts(self.compiled, self.evaluate, name, args)

    def view(self, player: str | int) -> View:
        """What a player (id or seat) sees of this position. Raises UsageError for one that does not exist."""
        return view(self.compiled, self.block, seat_of(player, self.game.players), self.evaluate)

    def as_seen_by(self, player: str | int) -> Position:
        """The view of a player as a position that can be looked at, but not played on."""
        found = self.view(player)
        return Position(self.game, self.compiled, self.machine, found.block, self.language, [], found.seen)

    def redealt(self, player: str | int, seed: int, keep: Container[Known] = (), *, answers: bool = True) -> Position:
        """A whole position that a player can't tell from this one: what he does not see is dealt anew at random.

        `keep`: pieces, and fields of players, that stay as they are, because he remembers them. `answers`: whether what
        others have answered in secret is anew too.
        """
        made = self.copy()
        seat = seat_of(player, self.game.players)
        made.block = redeal(self.compiled, self.block, seat, self.evaluate, seed, self._tests, keep)
        if answers:
            reask.answer_again(self.compiled, made.block, made.machine, seat, seed)
        return made

    def _tests(self) -> Tests:
        """The game's invariants, for positions that are made up."""
        if not self.game.definition.invariants:
            return Tests((), lambda block, function: 1)
        asides = self.game.asides(self.compiled)
        machine = self.game.machine(asides, self.machine.name)
        return Tests(asides.invariants, lambda block, function: machine.evaluate(block, function, ()))

    # ---- copies and forms -------------------------------------------------------------------------------------------

    def copy(self) -> Position:
        """An independent position equal to this one."""
        return Position(self.game, self.compiled, self.machine, bytearray(self.block), self.language, list(self.lines))

    def to_bytes(self) -> bytes:
        return bytes(self.block)

    def with_bytes(self, data: bytes) -> Position:
        """A position of the same compiled game with these bytes. Raises UsageError if they can't be one."""
        if len(data) != len(self.block):
            raise UsageError(f"a position of this game has {len(self.block)} bytes, not {len(data)}")
        return Position(self.game, self.compiled, self.machine, bytearray(data), self.language)

    def on(self, backend: str) -> Position:
        """The same position, to be played on by another backend."""
        return Position(
            self.game, self.compiled, self.game.machine(self.compiled, backend), bytearray(self.block), self.language
        )

    def digest(self) -> str:
        """A hash of the position: equal positions have equal digests."""
        return hashlib.sha256(self.block).hexdigest()[:16]

    def to_json(self) -> dict[str, object]:
        """The position by names, for people, tests and other programs."""
        return readable.readable(self.compiled, self.cells)
