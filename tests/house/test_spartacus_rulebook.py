"""The index of the rulebook of I am Spartacus! has every numbered paragraph from 2.8 to 14.16, in the printed order."""

from __future__ import annotations

import re

from interpreter import load

# the last paragraph of each section; the first printed section begins with 2.8, and 12.3 is printed twice
LAST = {2: 12, 3: 7, 4: 7, 5: 2, 6: 8, 7: 2, 8: 4, 9: 8, 10: 5, 11: 10, 12: 12, 13: 29, 14: 16}
PARAGRAPHS, RULINGS, EXAMPLES, CASES = 116, 40, 12, 26


def printed() -> list[str]:
    """The numbers of all paragraphs."""
    numbers = [f"{s}.{p}" for s, last in LAST.items() for p in range(8 if s == 2 else 1, last + 1)]
    at = numbers.index("12.3")
    return [*numbers[:at], "12.3a", "12.3b", *numbers[at + 1 :]]


def test_every_paragraph_ruling_and_example() -> None:
    ids = [s.id for s in load("spartacus").definition.sections]
    numbered = [i for i in ids if i[0].isdigit()]
    assert len(numbered) == PARAGRAPHS
    assert numbered == printed()
    of = {letter: [int(i[1:]) for i in ids if re.fullmatch(rf"{letter}\d+", i)] for letter in "RWD"}
    assert of["W"] == list(range(1, EXAMPLES + 1)) and of["D"] == list(range(1, CASES + 1))
    assert of["R"] == list(range(1, len(of["R"]) + 1)) and len(of["R"]) >= RULINGS


def test_every_section_says_what_it_is() -> None:
    for section in load("spartacus").definition.sections:
        assert section.not_modelled or section.text or section.ruling, section.id
