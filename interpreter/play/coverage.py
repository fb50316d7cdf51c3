"""`petteia coverage`: what of the rulebook is in a game, and which rule tests try it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

from interpreter.game import Game, load
from interpreter.lang.citations import finder, sections
from interpreter.lang.cited import Item, items
from interpreter.play import arguments as args
from interpreter.reading.model import SectionDef, TestDef
from interpreter.rendering import clean

MISSING, UNTESTED, TESTED, RECONSTRUCTED, NOT_MODELLED = (
    "missing",
    "implemented",
    "tested",
    "reconstructed",
    "not modelled",
)
STATUSES = (TESTED, RECONSTRUCTED, UNTESTED, MISSING, NOT_MODELLED)
_STYLES = {TESTED: "green", RECONSTRUCTED: "cyan", UNTESTED: "yellow", MISSING: "bold red", NOT_MODELLED: "dim"}
_FEW = 4  # things of one kind that are named


@dataclass
class Covered:
    """A section with what implements it and what tests it. `tested`: whether it need not be tested any further."""

    section: SectionDef
    items: list[Item] = field(default_factory=list)
    tests: list[TestDef] = field(default_factory=list)

    @property
    def status(self) -> str:
        if self.section.not_modelled:
            return NOT_MODELLED
        if self.section.example and not self.items:
            return TESTED if self.tests else MISSING
        if not self.items:
            return MISSING
        if not self.tests:
            return UNTESTED
        return RECONSTRUCTED if any(i.source == "reconstructed" for i in self.items) else TESTED


@dataclass(frozen=True)
class Coverage:
    """All sections in order."""

    sections: list[Covered]

    def count(self, status: str) -> int:
        """How many sections have a status."""
        return sum(1 for one in self.sections if one.status == status)

    @property
    def complete(self) -> bool:
        """Whether every section is there and tested, or has a reason why not."""
        return not (self.count(MISSING) or self.count(UNTESTED))


def coverage(game: Game) -> Coverage:
    """What of its rulebook a game has. It must be loaded with its rule tests."""
    found = {s.id: Covered(s) for s in game.definition.sections}
    sought = finder(found)
    for item in items(game.checked):
        for one in sections(item.citation, sought).found:
            found[one].items.append(item)
    for section in game.definition.sections:
        if section.option is not None:
            option = game.world.options.get(section.option.text)
            known = [i.name for i in found[section.id].items if i.what == "option"]
            if option is not None and section.option.text not in known:
                found[section.id].items.append(Item("option", section.option.text, option.citation, option.name.span))
    for test in game.definition.tests:
        for one in sections(test.citation, sought).found:
            found[one].tests.append(test)
    return Coverage(list(found.values()))


# ---- telling --------------------------------------------------------------------------------------------------------


def run(given: argparse.Namespace, out: TextIO) -> int:
    """Tells what of its rulebook a game has; with `--strict`, exit code 1 unless all of it is there and tested."""
    game = load(given.game, tests=True)
    found = coverage(game)
    if given.json:
        out.write(json.dumps(as_json(game, found), indent=2, ensure_ascii=False) + "\n")
    else:
        _tell(game, found, Console(file=out, width=120, highlight=False, markup=False, no_color=not args.color(out)))
    return 1 if given.strict and not found.complete else 0


def as_json(game: Game, found: Coverage) -> dict[str, Any]:
    """The form of `petteia coverage --json`."""
    return {
        "game": game.name,
        "rulebook": game.definition.rulebook,
        "counts": {status: found.count(status) for status in STATUSES},
        "sections": [
            {
                "id": one.section.id,
                "title": one.section.title,
                "status": one.status,
                "ruling": one.section.ruling or None,
                "not_modelled": one.section.not_modelled or None,
                "example": one.section.example,
                "implemented_by": [
                    {"what": i.what, "name": i.name, "source": i.source or None, "at": str(i.span)} for i in one.items
                ],
                "tests": [{"name": t.name, "at": str(t.span)} for t in one.tests],
            }
            for one in found.sections
        ],
    }


def _tell(game: Game, found: Coverage, console: Console) -> None:
    if not found.sections:
        console.print(Text("this game has no `rulebook.yaml`, so there is nothing to compare with"))
    width = max((len(one.section.id) for one in found.sections), default=0)
    for one in found.sections:
        line = Text.assemble(
            (f"{one.section.id:<{width}}  ", "bold"),
            (f"{one.status:<13}  ", _STYLES[one.status]),
            clean(one.section.title),
        )
        console.print(line, soft_wrap=True)
        for told in _details(one):
            console.print(Text(f"{'':<{width}}  {told}", style="dim"), soft_wrap=True)
    counts = ", ".join(f"{found.count(s)} {s}" for s in STATUSES if found.count(s))
    console.print(Text(f"{game.name}: {len(found.sections)} sections: {counts or 'none'}", style="bold"))


def _details(one: Covered) -> Iterator[str]:
    if one.section.not_modelled:
        yield f"why: {clean(one.section.not_modelled)}"
    by: dict[str, list[str]] = {}
    for item in one.items:
        names = by.setdefault(item.what, [])
        if item.name not in names:
            names.append(item.name)
    told = []
    for what, names in by.items():
        few = names[:_FEW] + ([f"{len(names) - _FEW} more"] if len(names) > _FEW else [])
        told.append(f"{what} {', '.join(few)}".strip())
    if told:
        yield f"by {'; '.join(told)}"
    if one.tests:
        count = len(one.tests)
        yield f"{count} rule test{'s' if count > 1 else ''}"


def add(parser: argparse.ArgumentParser) -> None:
    """`coverage`."""
    parser.add_argument("game", metavar="GAME", help="name of a shipped game, or a game's folder")
    parser.add_argument("--json", action="store_true", help="print it as JSON")
    text = "exit code 1 if a section is missing or untested"
    parser.add_argument("--strict", action="store_true", help=text)
