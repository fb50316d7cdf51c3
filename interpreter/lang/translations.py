"""Translations of a game's texts: which texts it has, and what is wrong with the ones that an author wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from interpreter.diagnostics import Bag, Note, did_you_mean
from interpreter.lang import nodes as n
from interpreter.lang.scope import Checked
from interpreter.reading.model import PhaseDef

FIXED = ("nothing", "yes", "no", "done", "pass")  # what values and answers are called in every game

Holes = frozenset[str]

_HOLE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")


def check_translations(checked: Checked, words: Iterable[str], bag: Bag) -> None:
    """Reports translations of texts that do not exist, and holes that differ. `words`: fixed texts of the program."""
    known = sources(checked)
    for word in words:
        known.setdefault(word, holes_in(word))
    for language, texts in checked.game.texts.items():
        places = checked.game.text_places.get(language, {})
        for text, translation in texts.items():
            span = places.get(text)
            if text not in known:
                near = did_you_mean(text, known)
                bag.warn(
                    "unused-translation",
                    "no text of the game reads like this",
                    span,
                    label="never shown",
                    help=near or "the key is a text of the game, word for word",
                )
                continue
            have, want = holes_in(translation), known[text]
            more, less = sorted(have - want), sorted(want - have)
            if more:
                bag.error(
                    "translation-holes",
                    f"the translation has the hole `{{{more[0]}}}`, which the text does not have",
                    span,
                    notes=[Note("holes of the text: " + ", ".join(f"`{{{h}}}`" for h in sorted(want)))] if want else [],
                    help=did_you_mean(more[0], want),
                )
            elif less:
                bag.warn("translation-holes", f"the translation leaves out `{{{less[0]}}}`", span, label="of this text")


def untranslated(checked: Checked, language: str, words: Iterable[str] = ()) -> list[str]:
    """Texts of the game, and fixed words of the program, that have no translation into a language, in order."""
    have = checked.game.texts.get(language, {})
    return [text for text in dict.fromkeys([*sources(checked), *words]) if text not in have]


def holes_in(text: str) -> Holes:
    """What stands in the holes of a text for people."""
    return frozenset(found[1] for found in _HOLE.finditer(text) if found[1] is not None)


def sources(checked: Checked) -> dict[str, Holes]:
    """All texts that a game can show, with their holes."""
    found: dict[str, Holes] = {}
    for text in _plain(checked):
        if text:
            found.setdefault(text, frozenset())
    trees = [c.node for c in checked.callables.values() if c.node is not None]
    for template in _templates((*trees, *checked.phases.values())):
        holes = [p for p in template.parts if isinstance(p, n.Hole)]
        found.setdefault(template.text.strip(), frozenset(h.key for h in holes))
        for form in (form for h in holes for form in h.forms):
            found.setdefault(form, frozenset())
    for text in FIXED:
        found.setdefault(text, frozenset())
    return found


def _plain(checked: Checked) -> Iterator[str]:
    """Texts without holes: titles, descriptions, and names where there is no title."""
    game, world = checked.game, checked.world
    yield from (game.title, game.text, game.rulebook)
    for kind in world.kinds.values():
        yield kind.title
        for entity in kind.entities:
            if entity.title != entity.id:  # an untitled space of a grid is called by its name in every language
                yield entity.title
            if entity.definition is not None:
                yield from (entity.definition.title, entity.definition.text)
        yield from (f.replace("_", " ") for f in kind.fields)
    for enum in world.enums.values():
        yield from enum.titles
    yield from (zone.title for zone in world.zones.values())
    yield from (f.replace("_", " ") for f in world.globals)
    for option in game.options:
        yield from (option.title or option.name.text, option.text)
    for scenario in game.scenarios:
        yield from (scenario.title or scenario.name.text, scenario.text)
    for phase in game.phases:
        yield from _phase(phase)
    for section in game.sections:
        yield from (section.title, section.text, section.ruling, section.not_modelled)


def _phase(phase: PhaseDef) -> Iterator[str]:
    yield phase.title or phase.name.text
    for inner in phase.phases:
        yield from _phase(inner)


def _templates(node: object) -> Iterator[n.Template]:
    """All texts with holes in syntax trees."""
    if isinstance(node, n.Template):
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from _templates(part)
    elif not isinstance(node, n.Name):
        for slot in getattr(type(node), "__slots__", ()):
            if slot != "span":
                yield from _templates(getattr(node, slot))
