"""What all tests share: the flag that accepts new golden files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="write what comes out into the golden files")
    parser.addoption("--games", type=int, default=100, help="random games for each case of the backends' comparison")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compares a text with a golden file; with `--accept`, writes the file."""
    accept = bool(request.config.getoption("--accept"))

    def compare(path: Path, text: str) -> None:
        if accept:
            path.write_text(text, encoding="utf-8", newline="\n")
        assert path.exists(), f"{path.name} is not there; look at the text, then accept it with --accept:\n{text}"
        assert text == path.read_text(encoding="utf-8"), f"{path.name} differs; if it should, accept it with --accept"

    return compare
