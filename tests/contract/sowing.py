"""Sowing one-token faults in rule text: what an author's slip of the finger makes of a game."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from interpreter.diagnostics import ERROR, Bag
from interpreter.lang.check import check
from interpreter.reading.model import GameDef
from interpreter.source import Source, Text

TOKEN = re.compile(r'"[^"\n]*"|[a-z_][a-z0-9_]*|[0-9]+|==|!=|<=|>=|\+=|-=|->|\.\.|[^\sa-z0-9_"]')
WRONG = ("7", "sparkle", '"text"', "none", "+", "==", ")", "[", "if", "where", ":", ",", "true")
SORTS = ("misspelt", "deleted", "doubled", "replaced")


@dataclass(frozen=True)
class Mutant:
    """A rule file with one token changed; `line` is where, from 1."""

    sort: str
    file: int
    line: int
    text: str
    what: str


def tokens(text: str) -> list[re.Match[str]]:
    """The tokens outside of comments."""
    found = []
    start = 0
    for line in text.splitlines(keepends=True):
        code = line.split("#")[0] if '"' not in line else line
        found += list(TOKEN.finditer(text, start, start + len(code)))
        start += len(line)
    return found


def misspelt(word: str, rng: random.Random) -> str | None:
    """A word with a letter lost, doubled, changed or two exchanged; None for what has no letters to lose."""
    if len(word) < 3 or not word[0].isalpha():
        return None
    i = rng.randrange(len(word) - 1)
    made = rng.choice(
        (
            word[:i] + word[i + 1 :],
            word[:i] + word[i] + word[i:],
            word[:i] + word[i + 1] + word[i] + word[i + 2 :],
            word[:i] + "q" + word[i + 1 :],
        )
    )
    return made if made != word else None


def mutants(game: GameDef, count: int, seed: int) -> Iterator[Mutant]:
    """Mutants of a game's rule files, sorts in turn, each at a random token."""
    rng = random.Random(seed)
    files = [(i, text.value, tokens(text.value)) for i, text in enumerate(game.rules)]
    weights = [len(found) for _, _, found in files]
    made = 0
    while made < count:
        number, text, found = rng.choices(files, weights)[0]
        token = rng.choice(found)
        sort = SORTS[made % len(SORTS)]
        word = token.group()
        change: str | None = ""
        if sort == "misspelt":
            change = misspelt(word, rng)
        elif sort == "doubled":
            change = f"{word} {word}"
        elif sort == "replaced":
            change = rng.choice([w for w in WRONG if w != word])
        if change is None:
            continue
        start, end = token.span()
        line = text.count("\n", 0, start) + 1
        made += 1
        yield Mutant(sort, number, line, text[:start] + change + text[end:], f"{word!r} -> {change!r}")


def findings(game: GameDef, mutant: Mutant) -> list[int]:
    """The lines of the mutant's file on which errors are reported (0: in another file)."""
    old = game.rules[mutant.file]
    source = Source(old.source.path, mutant.text)
    rules = list(game.rules)
    rules[mutant.file] = Text(mutant.text, source, source.line_starts)
    bag = Bag()
    check(replace(game, rules=tuple(rules), tests=()), bag)
    found = [d for d in bag if d.severity == ERROR]
    return [d.span.line if d.span is not None and d.span.source is source else 0 for d in found]
