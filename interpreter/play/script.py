"""`play --script FILE`: steps like those of a rule test's `when:`, played before the people and bots go on.

The file is a YAML list of `- player: choice`, each followed, if chance is to be scripted, by `- dice: [face, …]` or
`- draws: [piece, …]`, which belong to the choice before them. A list of choices for one player is taken one after
another.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from interpreter.diagnostics import Bag, Diagnostic, GameError, Note, RuleFault, UsageError, did_you_mean
from interpreter.reading import yamltree as tree
from interpreter.reading.files import read_file
from interpreter.reading.yamltree import Map, Node, Scalar, Seq
from interpreter.runtime.record import Record
from interpreter.runtime.scripting import ScriptError
from interpreter.runtime.sets import spelt_out
from interpreter.source import Name, Span

CHANCE = ("dice", "draws")


@dataclass
class Step:
    """A choice of a player, and what chance brings with it."""

    player: Name
    choice: Name
    chance: list[tuple[str, Name]]


def read_script(path: Path, players: list[str]) -> list[Step]:
    """The steps of a file. Raises GameError with every mistake."""
    bag = Bag()
    full = path.absolute()
    source = read_file(full, full.resolve().parent, bag)
    node = tree.read(source, bag) if source is not None else None
    steps: list[Step] = []
    if node is not None:
        form = "write one step a line, such as `- white: done`"
        if not isinstance(node, Seq):
            bag.error("wrong-type", "a script is a list of steps", _first_line(node.span), help=form)
        for one in node.items if isinstance(node, Seq) else ():
            if isinstance(one, Map) and len(one.entries) == 1 and _values(one.entries[0][1]) is not None:
                _add(one.entries[0][0].name, _values(one.entries[0][1]) or [], steps, players, bag)
            else:
                bag.error("wrong-type", "this is no step", _first_line(one.span), help=form)
    if bag.has_errors:
        raise GameError(bag)
    return steps


def _add(key: Name, values: list[Name], steps: list[Step], players: list[str], bag: Bag) -> None:
    if key.text in players:
        steps += [Step(key, value, []) for value in values]
    elif key.text not in CHANCE:
        known = [*players, *CHANCE]
        hint = did_you_mean(key.text, known) or f"one of: {', '.join(known)}"
        bag.error("unknown-name", f"there is no player `{key.text}`", key.span, help=hint)
    elif not steps:
        mend = "chance is scripted behind the choice that calls for it"
        bag.error("no-choice", f"`{key.text}` stands before the first choice", key.span, help=mend)
    else:
        steps[-1].chance += [(key.text, value) for value in values]


def _values(node: Node) -> list[Name] | None:
    """One value or several; None if it is neither."""
    items = node.items if isinstance(node, Seq) else (node,)
    found = [item.name for item in items if isinstance(item, Scalar)]
    return found if len(found) == len(items) and found else None


def run_script(record: Record, steps: list[Step]) -> None:
    """Plays the steps. Raises GameError at the first that cannot be taken; those before it stay played. Raises
    Stopped.
    """
    for step in steps:
        decision = record.position.decision
        if decision is None:
            raise _wrong("game-over", "the game is over before this step", step.choice.span, "remove what follows")
        if decision.player != step.player.text:
            said = f"`{step.player}` is not asked here, but `{decision.player}` (for `{decision.id}`)"
            raise _wrong("wrong-player", said, step.player.span)
        words = [(what, name.text) for what, name in step.chance]
        try:
            *before, last = spelt_out(decision, step.choice.text)
            for one in before:
                record.apply(one)
            record.apply(last, record.position.resolve(words, last))
        except ScriptError as error:
            raise _wrong("script-mismatch", error.message, step.chance[error.entry][1].span, error.help) from None
        except UsageError as error:
            raise _wrong("unknown-choice", error.message, step.choice.span, error.help) from None
        except RuleFault as fault:
            note = Note(f"the rule stands at {fault.place}")
            found = Diagnostic(fault.diagnostic.code, fault.diagnostic.message, step.choice.span, notes=(note,))
            raise GameError([found]) from None


def _wrong(code: str, message: str, span: Span, help: str = "") -> GameError:
    return GameError([Diagnostic(code, message, span, help=help)])


def _first_line(span: Span) -> Span:
    end = span.text.find("\n")
    return span if end < 0 else Span(span.source, span.start, span.start + end)
