"""The page of faults names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
ROWS = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith("| ") and "`tests/" in line]


def test_there_are_rows() -> None:
    assert len(ROWS) >= 30
    assert all(len(row) == 3 for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:60])
def test_tests_exist(row: list[str]) -> None:
    named = re.findall(r"`([^`]+)`", row[2])
    assert named
    for name in named:
        path, _, test = name.partition("::")
        assert (ROOT / path).is_file(), path
        if test:
            assert re.search(rf"^def {test}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE), name
