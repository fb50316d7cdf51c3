"""One-token faults in rule text are reported on the faulty line, and never end in a traceback.

Mutants that are still legal programs are counted apart. A longer run: `--games 2000`.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from interpreter.diagnostics import Bag
from interpreter.lang import parse
from interpreter.lang.layout_lines import Layout
from interpreter.reading.load import load_folder
from interpreter.source import Text
from tests.contract.games import FIXTURES, folders
from tests.contract.sowing import Mutant, findings, mutants

AT_LEAST = 0.95


@pytest.fixture
def parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What parses without a mistake is parsed once: all but one file of a mutant is as in the game itself."""
    real, known = parse._parse, dict[object, tuple[Text, Any]]()

    def remembered(symbol: str, text: Text, layout: Layout, bag: Bag) -> Any:
        key = symbol, id(text), layout.start, layout.value
        if key not in known:
            before = len(bag.items)
            made = real(symbol, text, layout, bag)
            if made is None or len(bag.items) != before:
                return made
            known[key] = text, made  # the text lives as long, so that its identity is not taken by another
        return known[key][1]

    monkeypatch.setattr(parse, "_parse", remembered)


@pytest.mark.usefixtures("parsed_once")
def test_faults_are_found_where_they_are(request: pytest.FixtureRequest) -> None:
    each = request.config.getoption("--games") // 2
    seen: Counter[str] = Counter()
    missed: list[tuple[str, Mutant, list[int]]] = []
    for folder in folders():
        game = load_folder(folder, Bag(), tests=False)
        assert game is not None
        few = each if folder.parent == FIXTURES else each // 4  # a large game is checked anew for each of them
        for mutant in mutants(game, few, seed=7) if game.rules else ():
            lines = findings(game, mutant)
            if not lines:
                seen["legal"] += 1
            elif mutant.line in lines:
                seen["found"] += 1
            else:
                missed.append((folder.name, mutant, lines))
    told = seen["found"] / (seen["found"] + len(missed))
    shown = "\n".join(f"{name}:{m.line} {m.sort} {m.what}: {lines}" for name, m, lines in missed[:20])
    assert told >= AT_LEAST, f"{told:.1%} of {seen} and {len(missed)} missed\n{shown}"
    assert seen["legal"] < seen["found"], "most mutants must be faults, else this shows nothing"
