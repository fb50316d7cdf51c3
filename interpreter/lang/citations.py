"""Where rules come from: comments above functions and effects, and which sections of the rulebook a citation means.

A comment line `# rule: 9.2, 9.3` in the block directly above a `fun` or `effect` cites sections, `# source:
reconstructed` says how sure it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import get_args

from interpreter.diagnostics import Bag, did_you_mean
from interpreter.reading.model import Citation, Provenance
from interpreter.source import Text

_DEFINITION = re.compile(r"((?:^#[^\n]*\n)+)(?:open +)?(?:fun|effect) +([a-z_][a-z0-9_]*)", re.MULTILINE)
_NOTE = re.compile(r"^#[ ]*(rule|source):[ ]*([^\n]*?)[ ]*$", re.MULTILINE)


def citations(text: Text, bag: Bag) -> dict[str, Citation]:
    """What the comments above the definitions of a file cite, by name of the definition."""
    found: dict[str, Citation] = {}
    for definition in _DEFINITION.finditer(text.value):
        rule, sources = "", []
        for note in _NOTE.finditer(definition[1]):
            start = definition.start(1) + note.start(2)
            if note[1] == "rule":
                rule = f"{rule}, {note[2]}" if rule else note[2]
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
        if rule or sources:
            found[definition[2]] = Citation(rule, tuple(sources))
    return found


def sections(rule: str, known: Iterable[str]) -> tuple[list[str], list[str]]:
    """The sections of a rulebook that a citation means, and the parts of it that mean none.

    A citation is one section or several with commas between; the longest id that it begins with counts, so that
    `12.3b note 1` cites `12.3b`.
    """
    ids = sorted(known, key=len, reverse=True)
    if rule in ids:
        return [rule], []
    found: list[str] = []
    unknown: list[str] = []
    for part in filter(None, (p.strip() for p in rule.split(","))):
        hit = next((i for i in ids if part == i or re.match(re.escape(i) + r"(?![\w.]*\w)", part)), None)
        if hit is None:
            unknown.append(part)
        elif hit not in found:
            found.append(hit)
    return found, unknown
