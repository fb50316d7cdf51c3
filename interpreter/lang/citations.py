"""Where rules come from: comments above functions and effects, and which sections of the rulebook a citation means.

A comment line `# rule: 9.2, 9.3` in the block directly above a `fun` or `effect` cites sections, `# source:
reconstructed` says how sure it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
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


def longest_first(ids: Iterable[str]) -> list[str]:
    """Ids of sections in the order in which `sections` tries them."""
    return sorted(ids, key=len, reverse=True)


def sections(citation: Citation, ids: Sequence[str]) -> Cited:
    """The sections of a rulebook that a citation means; `ids`: all that there are, longest first.

    In a list each text names one section; any other text names several, with commas between. The longest id that it
    begins with counts, so that `12.3b note 1` cites `12.3b`, and an id may have commas itself.
    """
    cited = Cited([], [], [])
    for text in citation.texts:
        at = 0
        while at < len(text):
            at += len(text[at:]) - len(text[at:].lstrip(" ,"))
            hit = next((i for i in ids if _begins(text, at, i)), None)
            stop = len(text) if citation.listed else text.find(",", at + len(hit or ""))
            stop = len(text) if stop < 0 else stop
            if hit is not None:
                parts = [part.strip() for part in hit.split(",")]
                if len(parts) > 1 and not citation.listed and all(part in ids for part in parts):
                    cited.doubtful.append(hit)
                if hit not in cited.found:
                    cited.found.append(hit)
            elif text[at:stop].strip():
                cited.unknown.append(text[at:stop].strip())
            at = stop + 1
    return cited


def _begins(text: str, at: int, section: str) -> bool:
    """Whether a section stands at a place in a text, and is not only the beginning of another number or word."""
    return text.startswith(section, at) and not re.match(r"[\w.]*\w", text[at + len(section) :])
