"""`petteia coverage`: what of the rulebook is in a game, and which rule tests try it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

from interpreter.game import Game, load
from interpreter.lang.citations import sections
from interpreter.play import arguments as args
from interpreter.reading.model import Citation, ExceptionDef, PhaseDef, SectionDef, TestDef, WheneverDef
from interpreter.rendering import clean
from interpreter.source import Span

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


@dataclass(frozen=True)
class Item:
    """Something of a game that cites the rulebook."""

    what: str
    name: str
    rule: str
    source: str
    span: Span


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
    """All sections in order, and citations of sections that the index does not have."""

    sections: list[Covered]
    unknown: list[tuple[str, Span]]

    def count(self, status: str) -> int:
        """How many sections have a status."""
        return sum(1 for one in self.sections if one.status == status)

    @property
    def complete(self) -> bool:
        """Whether every section is there and tested, or has a reason why not."""
        return not (self.count(MISSING) or self.count(UNTESTED) or self.unknown)


def coverage(game: Game) -> Coverage:
    """What of its rulebook a game has. It must be loaded with its rule tests."""
    found = {s.id: Covered(s) for s in game.definition.sections}
    unknown: list[tuple[str, Span]] = []
    for item in items(game):
        cited, rest = sections(item.rule, found)
        unknown += [(one, item.span) for one in rest]
        for one in cited:
            found[one].items.append(item)
    for section in game.definition.sections:
        if section.option is not None:
            option = game.world.options.get(section.option.text)
            known = [i.name for i in found[section.id].items if i.what == "option"]
            if option is not None and section.option.text not in known:
                source = _source(option.citation)
                found[section.id].items.append(
                    Item("option", section.option.text, section.id, source, option.name.span)
                )
    for test in game.definition.tests:
        cited, rest = sections(test.rule, found)
        unknown += [(one, test.span) for one in rest]
        for one in cited:
            found[one].tests.append(test)
    return Coverage(list(found.values()), unknown)


# ---- what cites -----------------------------------------------------------------------------------------------------


def items(game: Game) -> Iterator[Item]:
    """Everything in a game that cites the rulebook, in the order of the files' kinds."""
    d = game.definition
    yield from _item("game", d.name.text, d.citation, d.span)
    if d.map is not None:
        yield from _item("map", "", d.map.citation, d.map.span)
        for edge in d.map.edges:
            if edge.kind is not None and edge.id is not None:
                yield from _item(edge.kind.text, edge.id.text, edge.citation, edge.span)
    for entity in (*d.players, *d.entities):
        yield from _item(entity.kind.text, entity.id.text, entity.citation, entity.span)
        yield from _exceptions(entity.id.text, entity.exceptions)
    yield from _phases(d.phases)
    for scene in d.scenes:
        yield from _item("scene", scene.name.text, scene.citation, scene.span)
    for table in d.tables:
        yield from _item("table", table.name.text, table.citation, table.span)
    for one in d.sums:
        yield from _item("sum", one.name.text, one.citation, one.span)
        for part in one.parts:
            yield from _item("part of", one.name.text, Citation(part.rule, one.citation.sources), part.span)
    for target in game.checked.callables.values():
        if target.node is not None:
            yield from _item("effect" if target.is_effect else "function", target.name, target.citation, target.span)
    yield from _whenever(d.whenever)
    for option in d.options:
        yield from _item("option", option.name.text, option.citation, option.span)
        yield from _exceptions(option.name.text, option.exceptions)
        yield from _whenever(option.whenever)
    for scenario in d.scenarios:
        yield from _item("scenario", scenario.name.text, scenario.citation, scenario.span)
        yield from _exceptions(scenario.name.text, scenario.exceptions)
        yield from _whenever(scenario.whenever)
    for campaign in d.campaigns:
        yield from _item("campaign", campaign.name.text, campaign.citation, campaign.span)
    for bot in d.bots:
        yield from _item("bot", bot.name.text, bot.citation, bot.span)


def _item(what: str, name: str, citation: Citation, span: Span) -> Iterator[Item]:
    if citation.rule:
        yield Item(what, name, citation.rule, _source(citation), span)


def _source(citation: Citation) -> str:
    """The least certain of what a citation says."""
    found = [source for _, source in citation.sources]
    return next((s for s in ("reconstructed", "deduced", "public", "rulebook") if s in found), "")


def _exceptions(owner: str, exceptions: Iterable[ExceptionDef]) -> Iterator[Item]:
    for one in exceptions:
        yield from _item("exception of", owner, one.citation, one.span)


def _whenever(rules: Iterable[WheneverDef]) -> Iterator[Item]:
    for one in rules:
        yield from _item("whenever", one.name.text, one.citation, one.span)


def _phases(phases: Iterable[PhaseDef]) -> Iterator[Item]:
    for phase in phases:
        yield from _item("phase", phase.name.text, phase.citation, phase.span)
        yield from _phases(phase.phases)


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
        "unknown": [{"rule": rule, "at": str(span)} for rule, span in found.unknown],
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
    for rule, span in found.unknown:
        console.print(Text(f"{span}: there is no section `{clean(rule)}`", style="red"), soft_wrap=True)
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
    text = "exit code 1 if a section is missing or untested, or a citation means no section"
    parser.add_argument("--strict", action="store_true", help=text)
