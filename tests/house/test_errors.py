"""The page of codes lists every code that the program can give, once, and no other."""

from __future__ import annotations

import re
from pathlib import Path

from tests.house.codes import codes

PAGE = Path(__file__).resolve().parents[2] / "docs" / "errors.md"


def test_codes_are_listed() -> None:
    listed = re.findall(r"^\| `([a-z0-9-]+)` \| .+ \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(set(listed)) == len(listed)
    known = codes()
    missing = {code: where for code, where in known.items() if code not in listed}
    assert not missing, "add a line to docs/errors.md for each of these"
    assert not set(listed) - set(known), "docs/errors.md lists codes that nothing gives"


def test_codes_read_alike() -> None:
    assert not [code for code in codes() if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code)]
