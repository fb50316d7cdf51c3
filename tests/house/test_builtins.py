"""Built-ins: one table, and nothing missing where it is read. The reference page is made from it (see `test_docs`)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.core.lower.calls import LOWERED
from interpreter.lang.builtins import BUILTINS, EFFECTS
from interpreter.lang.words import RESERVED

TESTS = Path(__file__).resolve().parents[1]


def test_all_are_lowered() -> None:
    assert set(LOWERED) == set(BUILTINS)


def test_names_are_free() -> None:
    assert (set(BUILTINS) | set(EFFECTS)) & RESERVED <= {"top"}  # `to top of` is no call
    assert not set(BUILTINS) & set(EFFECTS)


@pytest.mark.parametrize("name", [*BUILTINS, *EFFECTS])
def test_conformance(name: str) -> None:
    """Each is called in a test of what the language means, which both backends run."""
    files = sorted((TESTS / "conformance").glob("*.yaml"))
    assert any(re.search(rf"\b{name}\(", f.read_text(encoding="utf-8")) for f in files), "no conformance test calls it"


@pytest.mark.parametrize("name", list(BUILTINS))
def test_documentation(name: str) -> None:
    builtin = BUILTINS[name]
    assert builtin.doc and builtin.doc[0].islower() and not builtin.doc.endswith(".")
    assert builtin.signature.startswith(f"{name}(")
