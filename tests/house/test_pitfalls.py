"""The page of pitfalls names, for each, messages that exist and tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.house.codes import codes
from tests.house.test_counting import told

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "pitfalls.md").read_text(encoding="utf-8")
ITEMS = re.findall(r"^\d+\. \*\*.*?(?=^\d+\. |\Z)", PAGE, re.MULTILINE | re.DOTALL)


def test_all_are_there() -> None:
    assert [int(item.split(".")[0]) for item in ITEMS] == list(range(1, len(ITEMS) + 1))
    assert len(ITEMS) == 19


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.split("**")[1].rstrip("."))
def test_answer(item: str) -> None:
    """Messages have goldens; tests stand in the file that is named."""
    answers = " ".join(item.partition("*Seen to by* ")[2].split())
    assert answers.endswith(".")
    rest = answers
    for code in re.findall(r"`([a-z-]+)`", answers):
        assert code in codes() and code in told(), code
        rest = rest.replace(f"`{code}`", "")
    named = list(re.finditer(r"((?:conformance|passages)/\w+): ", rest))
    assert named or "`" in answers
    for m in named:
        place = m[1]
        file = ROOT / "tests" / (f"{place}.yaml" if place.startswith("conformance") else f"{place}/tests/passage.yaml")
        tests = re.findall(
            r"test: \"?([^\n\"]+?)\"?(?:, (?:given|call|then):.*)?$", file.read_text("utf-8"), re.MULTILINE
        )
        assert any(re.match(rf"{re.escape(name)}[;.]", rest[m.end() :]) for name in tests), rest[m.start() :][:80]
