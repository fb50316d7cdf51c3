"""What a test makes known, and what makes it doubtful again.

The chunks are rules for the game of `narrowing.yaml`, with what is wrong in them, between lines `---`. A comment at the
end of a line is the code of the mistake in that line.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.diagnostics import Bag
from interpreter.lang.check import check
from interpreter.reading.load import load_folder
from tests.conformance.test_conformance import HERE, write

CHUNKS = (HERE / "narrowing.chunks").read_text(encoding="utf-8").split("---\n")


@pytest.mark.parametrize("number", range(len(CHUNKS)))
def test_what_is_known(number: int, tmp_path: Path) -> None:
    write(HERE / "narrowing.yaml", tmp_path)
    (tmp_path / "rules" / "rules.effects").write_text(CHUNKS[number], encoding="utf-8")
    bag = Bag()
    game = load_folder(tmp_path, bag, tests=False)
    assert game is not None
    check(game, bag)
    lines = enumerate(CHUNKS[number].splitlines(), 1)
    expected = [(i, found[1]) for i, line in lines if (found := re.search(r"  # ([a-z-]+)$", line))]
    assert [(d.span.line, d.code) for d in bag if d.span is not None] == expected


def test_there_are_enough() -> None:
    assert len(CHUNKS) >= 35
