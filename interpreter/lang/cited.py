"""What in a game cites the rulebook, and citations of sections that it does not have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from interpreter.diagnostics import Bag, did_you_mean
from interpreter.lang.citations import finder, sections
from interpreter.lang.scope import Checked
from interpreter.reading.model import Citation, ExceptionDef, PhaseDef, WheneverDef
from interpreter.source import Span


@dataclass(frozen=True)
class Item:
    """Something of a game that cites the rulebook."""

    what: str
    name: str
    citation: Citation
    span: Span

    @property
    def source(self) -> str:
        """The least certain of what the citation says; empty if it says nothing."""
        found = [source for _, source in self.citation.sources]
        return next((s for s in ("reconstructed", "deduced", "public", "rulebook") if s in found), "")


def check_citations(checked: Checked, bag: Bag) -> None:
    """Says of each citation if it names no section, or more than one set of them; without a rulebook, nothing."""
    known = [section.id for section in checked.game.sections]
    if not known:
        return
    sought = finder(known)
    cited = [(item.citation, item.span) for item in items(checked)]
    cited += [(test.citation, test.span) for test in checked.game.tests]
    cited += [(one.citation, one.span) for one in checked.game.invariants]
    for citation, span in cited:
        found = sections(citation, sought)
        where = citation.span or span
        for text in found.unknown:
            message = f"the rulebook has no section `{text}`"
            mend = did_you_mean(text, known) or "add it to `rulebook.yaml`, or cite another section"
            bag.error("unknown-section", message, where, label="cited here", help=mend)
        for text in found.doubtful:
            parts = " and ".join(f"`{part.strip()}`" for part in text.split(","))
            message = f"`{text}` is a section, and so are {parts}"
            mend = 'write a list of the sections that are meant: `rule: ["…", "…"]`'
            bag.error("ambiguous-name", message, where, label="which of them?", help=mend)


def items(checked: Checked) -> Iterator[Item]:
    """Everything in a game that cites the rulebook, in the order of the files' kinds."""
    d = checked.game
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
            yield from _item("part of", one.name.text, replace(part.citation, sources=one.citation.sources), part.span)
    for target in checked.callables.values():
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
    if citation.texts:
        yield Item(what, name, citation, span)


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
