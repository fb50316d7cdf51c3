"""Where rules come from: comments above functions and effects, and which sections of the rulebook a citation means.

A comment line `# rule: 9.2, 9.3` in the block directly above a `fun` or `effect` cites sections, `# source:
reconstructed` says how sure it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple, get_args

from interpreter.diagnostics import Bag, did_you_mean
from interpreter.reading.model import Citation, Provenance
from interpreter.source import Span, Text

_DEFINITION = re.compile(r"((?:^#[^\n]*\n)+)(?:open +)?(?:fun|effect) +([a-z_][a-z0-9_]*)", re.MULTILINE)
_NOTE = re.compile(r"^#[ ]*(rule|source):[ ]*([^\n]*?)[ ]*$", re.MULTILINE)


def citations(text: Text, bag: Bag) -> dict[str, Citation]:
    """What the comments above the definitions of a file cite, by name of the definition."""
    found: dict[str, Citation] = {}
    for definition in _DEFINITION.finditer(text.value):
        rules: list[str] = []
        sources: list[tuple[str, str]] = []
        cited: Span | None = None
        for note in _NOTE.finditer(definition[1]):
            start = definition.start(1) + note.start(2)
            if note[1] == "rule":
                if note[2]:
                    rules.append(note[2])
                    cited = cited or text.span(start, start + len(note[2]))
            elif note[2] in get_args(Provenance):
                sources.append(("", note[2]))
            else:
                known = get_args(Provenance)
                bag.error(
                    "bad-value",
                    f"`{note[2]}` does not say how sure this is",
                    text.span(start, start + max(len(note[2]), 1)),
                    help=did_you_mean(note[2], known) or f"write one of {', '.join(f'`{k}`' for k in known)}",
                )
        if rules or sources:
            found[definition[2]] = Citation(tuple(rules), tuple(sources), span=cited)
    return found


class Cited(NamedTuple):
    """Sections that are cited, texts that name none, and sections with a comma whose parts are sections too."""

    found: list[str]
    unknown: list[str]
    doubtful: list[str]


def finder(known: Iterable[str]) -> re.Pattern[str]:
    """What finds a section of a rulebook at a place in a text: the longest of those that stand there, and none that is
    only the beginning of another number or word.
    """
    ids = sorted(known, key=len, reverse=True)
    return re.compile(f"(?:{'|'.join(map(re.escape, ids)) or '(?!)'})(?![\\w.]*\\w)")


def sections(citation: Citation, known: re.Pattern[str]) -> Cited:
    """The sections of a rulebook that a citation means; `known`: the `finder` of all that there are.

    In a list each text names one section; any other text names several, with commas between. The longest id that it
    begins with counts, so that `12.3b note 1` cites `12.3b`, and an id may have commas itself.
    """
    cited = Cited([], [], [])
    for text in citation.texts:
        at = 0
        while at < len(text):
            at += len(text[at:]) - len(text[at:].lstrip(" ,"))
            match = known.match(text, at)
            hit = match and match.group()
            stop = len(text) if citation.listed else text.find(",", at + len(hit or ""))
            stop = len(text) if stop < 0 else stop
            if hit is not None:
                parts = [part.strip() for part in hit.split(",")]
                if len(parts) > 1 and not citation.listed and all(known.fullmatch(part) for part in parts):
                    cited.doubtful.append(hit)
                if hit not in cited.found:
                    cited.found.append(hit)
            elif text[at:stop].strip():
                cited.unknown.append(text[at:stop].strip())
            at = stop + 1
    return cited
