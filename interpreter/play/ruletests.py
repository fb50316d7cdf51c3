"""`petteia test`: runs the rule tests of games and tells why one fails, in the words of its author."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TextIO

from rich.console import Console

from interpreter import resources
from interpreter.backends.machine import Machine
from interpreter.core import header
from interpreter.core.compiled import Compiled, InvariantInfo
from interpreter.diagnostics import Diagnostic, GameError, Note, RuleFault, UsageError
from interpreter.game import Decision, Game, Position, Trial, begin_trial, end_set_up, find, load
from interpreter.lang.types import EnumT, KindT, Ty
from interpreter.play.answers import question
from interpreter.play.board import board
from interpreter.play.holding import breach, unmet
from interpreter.reading.model import StepDef, TestDef
from interpreter.rendering import render, summary
from interpreter.runtime.scripting import ScriptError
from interpreter.runtime.sets import spelt_out
from interpreter.source import Name, Span

FEW = 8  # open choices that a failure names
SMALL = 12  # columns and rows of a board that a failure shows


@dataclass(frozen=True)
class Failure:
    """Why a test failed, and where play stood then."""

    test: TestDef
    diagnostic: Diagnostic
    log: tuple[str, ...]
    position: Position


class _Failed(Exception):
    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def run(targets: Sequence[str], backend: str, out: TextIO) -> int:
    """Runs the rule tests of games, folders or files of tests (all shipped games if none is named); the exit code.

    Raises UsageError for a target that does not exist.
    """
    chosen = [_target(t) for t in targets] or [(folder, None) for folder in _shipped()]
    passed = failed = 0
    wrong = False
    for folder, file in chosen:
        try:
            game = load(folder, tests=True)
        except GameError as error:
            out.write("\n\n".join(render(d) for d in error.diagnostics) + f"\n\n{summary(error.diagnostics)}\n\n")
            wrong = True
            continue
        tests = [t for t in game.definition.tests if file is None or _same_file(t.span.source.path, file, folder)]
        if file is not None and not tests:
            raise UsageError(f"there are no rule tests in `{file}`")
        failures = check_all(game, tests, partial(game.machine, backend=backend))
        for failure in failures:
            out.write(told(failure) + "\n\n")
        failed += len(failures)
        passed += len(tests) - len(failures)
    out.write(f"{passed} passed, {failed} failed\n")
    return 1 if failed or wrong else 0


def _shipped() -> list[Path]:
    return sorted(p for p in resources.games_folder().iterdir() if (p / "game.yaml").is_file())


def _target(name: str) -> tuple[Path, Path | None]:
    """The folder of a game, and the file or folder inside it that is asked for."""
    path = Path(name)
    if path.exists() and not (path / "game.yaml").is_file():
        for folder in path.resolve().parents:
            if (folder / "game.yaml").is_file():
                return folder, path
    return find(name), None


def _same_file(shown: str, wanted: Path, folder: Path) -> bool:
    """Whether a file, as messages call it, is the wanted one or lies in it."""
    inside = Path(folder.resolve().name, wanted.resolve().relative_to(folder.resolve()))
    parts, want = Path(shown).parts, inside.parts
    return any(parts[i : i + len(want)] == want for i in range(len(parts)))


# ---- running --------------------------------------------------------------------------------------------------------


def check_all(game: Game, tests: Sequence[TestDef], machine: Callable[[Compiled], Machine]) -> list[Failure]:
    """Runs tests of a game that was loaded with them; those that share scenario and options are compiled together."""
    found: dict[TestDef, Failure] = {}
    for compiled, members in compiled_together(game, tests):
        runs = machine(compiled)
        for number, test in enumerate(members):
            position = begin_trial(game, compiled, runs, number, test.seed)
            log: list[str] = []
            diagnostic = run_test(test, number, position, log)
            if diagnostic is not None:
                found[test] = Failure(test, diagnostic, tuple(log), position)
    return [found[t] for t in tests if t in found]


def compiled_together(game: Game, tests: Sequence[TestDef]) -> Iterator[tuple[Compiled, list[TestDef]]]:
    """Programs with the tests that they are for; a test's number is its place in the list."""
    groups: dict[tuple[str, tuple[tuple[str, bool], ...]], list[TestDef]] = {}
    for test in tests:
        options = tuple((name.text, bool(getattr(node, "value", False))) for name, node in test.options)
        groups.setdefault((test.scenario.text if test.scenario else "", options), []).append(test)
    for (scenario, options), members in groups.items():
        trials = [Trial(t.given, t.call, (*t.then, *(c for s in t.when for c in s.holds))) for t in members]
        yield game.trials(scenario or None, dict(options), trials), members


def run_test(test: TestDef, number: int, position: Position, log: list[str]) -> Diagnostic | None:
    """Runs a test from its beginning; why it fails, or None. The lines of the log are added to `log`."""
    try:
        _play(test, number, position, log, set())
        for step in test.illegal:
            for choice in step.values:
                _refused(step, choice.text, choice.span, position)
        _outcome(test, number, position)
        for check in position.compiled.trials[number].checks[: len(test.then)]:
            _require(unmet(check, position))
    except RuleFault as fault:
        return _in_test(fault.diagnostic, test)
    except _Failed as failed:
        return failed.diagnostic
    return None


def _in_test(found: Diagnostic, test: TestDef) -> Diagnostic:
    """What went wrong, with the test in which it did."""
    if found.span is None:
        return replace(found, span=_head(test), label="while this test was run")
    return replace(found, notes=(*found.notes, Note("in this test", _head(test))))


def _play(test: TestDef, number: int, position: Position, log: list[str], aside: set[InvariantInfo]) -> None:
    """Set-up, `given`, `call`, and the steps of `when`. Chance that stands first comes in what is called.

    `aside`: takes up the invariants that do not hold where the test begins.
    """
    called, answers = _with_chance(test.when)
    position.advance()
    _sound(test, number, position, log, aside)
    _call(test, number, position, called, log, aside)
    checks = iter(position.compiled.trials[number].checks[len(test.then) :])
    for step, choice, script in answers:
        if choice is None:
            for _ in step.holds:
                _require(unmet(next(checks), position))
            continue
        _step(step, choice.text, choice.span, script, position)
        _sound(test, number, position, log, aside)
        _call(test, number, position, called, log, aside)
    if called:
        raise _Failed(Diagnostic("script-mismatch", "the set-up does not end, so nothing is called", called[0][1].span))


Script = list[tuple[str, Name]]


def _with_chance(steps: Sequence[StepDef]) -> tuple[Script, list[tuple[StepDef, Name | None, Script]]]:
    """What chance brings before the first choice, and the choices, each with what chance brings after it.

    A step without a choice says what must hold there.
    """
    first: Script = []
    answers: list[tuple[StepDef, Name | None, Script]] = []
    for step in steps:
        if step.key.text == "then":
            answers.append((step, None, []))
        elif step.key.text in ("dice", "draws"):
            (answers[-1][2] if answers else first).extend((step.key.text, word) for word in step.values)
        else:
            answers += [(step, choice, []) for choice in step.values]
    return first, answers


def _call(
    test: TestDef, number: int, position: Position, script: Script, log: list[str], aside: set[InvariantInfo]
) -> None:
    """Once the set-up has ended, runs what is called."""
    if end_set_up(position, number):
        if test.given is not None:
            aside.update(one for one in position.compiled.invariants if unmet(one.check, position) is not None)
        try:
            position.advance([(what, word.text) for what, word in script])
        except ScriptError as error:
            raise _mismatch(error, script) from None
        script.clear()
        _sound(test, number, position, log, aside)


def _mismatch(error: ScriptError, script: Script) -> _Failed:
    return _Failed(Diagnostic("script-mismatch", error.message, script[error.entry][1].span, help=error.help))


def _require(failed: Diagnostic | None) -> None:
    if failed is not None:
        raise _Failed(failed)


def _sound(test: TestDef, number: int, position: Position, log: list[str], aside: set[InvariantInfo]) -> None:
    """Fails if a position is impossible. Invariants count where the game asks somebody or has ended: between the set-up
    and what is called, and where that is done, they need not hold.
    """
    log += [line.text for line in position.lines]
    trial = position.compiled.trials[number]
    between = position.decision is None and position.cells[header.ENDING] - 1 in (trial.ready, trial.over)
    found = breach(position, position.compiled.invariants if between else aside)
    if found is not None:
        raise _Failed(_in_test(found, test))


def _step(step: StepDef, written: str, span: Span, script: Script, position: Position) -> None:
    decision = position.decision
    player = step.key.text
    if decision is None:
        why = _ending(position) or "what was called has ended"
        hint = "a choice that is the only one is taken without being asked for"
        raise _Failed(Diagnostic("nobody-asked", f"nobody is asked here: {why}", step.span, help=hint))
    if decision.player != player:
        message = f"`{decision.player}` is asked here, not `{player}`"
        raise _Failed(Diagnostic("wrong-player", message, step.key.span, notes=_open(decision)))
    try:
        *before, last = spelt_out(decision, written)
        for one in before:
            position.apply(one)
        position.apply(last, [(what, word.text) for what, word in script])
    except ScriptError as error:
        raise _mismatch(error, script) from None
    except UsageError as error:
        raise _Failed(Diagnostic("wrong-choice", error.message, span, notes=_open(decision), help=error.help)) from None


def _open(decision: Decision) -> tuple[Note, ...]:
    ids = [c.id for c in decision.choices]
    more = f" and {len(ids) - FEW} more" if len(ids) > FEW else ""
    asked = question(decision, decision.choices)
    where = f"`{decision.id}` ({asked})" if asked else f"`{decision.id}`"
    return (Note(f"open to `{decision.player}` at {where}: " + ", ".join(f"`{i}`" for i in ids[:FEW]) + more),)


def _refused(step: StepDef, written: str, span: Span, position: Position) -> None:
    """Fails if a choice is open, and if it is one that nobody could ever write: such a test proves nothing."""
    decision = position.decision
    if decision is None or decision.player != step.key.text:
        asked = "nobody" if decision is None else f"`{decision.player}`"
        message = f"{asked} is asked where the steps end, so `{step.key.text}` has nothing to be refused"
        raise _Failed(Diagnostic("wrong-player", message, step.key.span))
    try:
        found = spelt_out(decision, written)
    except UsageError:
        unknown = _unknown_word(written, decision)
        if unknown:
            message = f"`{unknown}` means nothing here, so this would be refused in any case"
            raise _Failed(Diagnostic("wrong-choice", message, span, notes=_open(decision))) from None
        return
    raise _Failed(
        Diagnostic(
            "not-refused",
            f"`{found[0] if len(found) == 1 else written}` is allowed here",
            span,
            label="should be refused",
        )
    )


def _unknown_word(written: str, decision: Decision) -> str:
    """A word of a written choice that names nothing which the question could be about."""
    info = decision.position.compiled.decisions[decision.pending.decision]
    head, _, inside = written.partition("{")
    words = head.split()
    options = [o for o in info.options if words and o.name == words[0]]
    rest = words[1:] if options else words
    if inside and decision.element:
        return next((w for w in inside.strip("} ").split() if w not in _ids(info.options[0].binders[0])), "")
    if words in (["yes"], ["no"], ["done"], ["pass"]):
        return ""
    for option in options or info.options:
        if len(option.binders) == len(rest):
            for word, ty in zip(rest, option.binders, strict=True):
                if word not in _ids(ty):
                    return word
            return ""
    return written


def _ids(ty: Ty) -> Iterable[str]:
    match ty:
        case KindT(kind):
            return [e.id for e in kind.entities]
        case EnumT(enum):
            return enum.values
    return [str(i) for i in range(256)]


# ---- what must hold -------------------------------------------------------------------------------------------------


def _outcome(test: TestDef, number: int, position: Position) -> None:
    if test.outcome is None:
        return
    have = standing(position, number)
    if have != test.outcome.text:
        message = f"the outcome is `{have}`, not `{test.outcome.text}`"
        notes = (Note(_ending(position)),) if have != "running" else ()
        raise _Failed(Diagnostic("wrong-outcome", message, test.outcome.span, notes=notes))


def standing(position: Position, number: int) -> str:
    """Who has won; `draw`; or `running`, also if what a test calls has ended without ending the game."""
    outcome = position.outcome
    if outcome is None or position.cells[header.ENDING] - 1 == position.compiled.trials[number].over:
        return "running"
    return outcome.winner or "draw"


def _ending(position: Position) -> str:
    outcome = position.outcome
    if outcome is None or (not outcome.text and outcome.winner is None):
        return ""
    who = f"`{outcome.winner}` has won" if outcome.winner else "the game is drawn"
    return f"{who}: {outcome.text}" if outcome.text else who


# ---- telling --------------------------------------------------------------------------------------------------------


def _head(test: TestDef) -> Span:
    """The first line of a test."""
    text = test.span.text
    end = text.find("\n")
    return test.span if end < 0 else Span(test.span.source, test.span.start, test.span.start + len(text[:end].rstrip()))


def told(failure: Failure) -> str:
    """A failure in full: which test, what went wrong and where, the log up to there and the board if it is small."""
    cited = failure.test.citation.rule
    rule = f" (rule {cited})" if cited else ""
    lines = [f"FAILED {failure.test.name}{rule}", render(failure.diagnostic)]
    if failure.log:
        lines += ["log:", *(f"  {line}" for line in failure.log)]
    lines += _drawn(failure.position)
    return "\n".join(lines)


def _drawn(position: Position) -> list[str]:
    map_ = position.compiled.world.board
    if map_ is None or not 0 < map_.columns <= SMALL or map_.rows > SMALL:
        return []
    page = StringIO()
    try:
        Console(file=page, width=100, no_color=True, highlight=False).print(board(position))
    except RuleFault:
        return []
    return [line.rstrip() for line in page.getvalue().splitlines()]
