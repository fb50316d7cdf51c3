"""Rules that cannot be carried out, each with its whole message, as a rule test tells it; the same from both backends.

A case is a file `*.case` like those of `test_lang_diagnostics`: the first line names the code of the fault, and the
files of the game follow; `tests.yaml` holds one test.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest

from interpreter.play.ruletests import run
from tests.unit.test_lang_diagnostics import FOLDER, PLAIN, files

CASES = sorted((FOLDER.parent / "faults").glob("*.case"))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_fault(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Callable[[Path, str], None]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = case.read_text(encoding="utf-8")
    base = re.search(r"^# with (\w+)$", text, re.MULTILINE)
    game = PLAIN | (files((FOLDER / f"{base[1]}.base").read_text(encoding="utf-8")) if base else {}) | files(text)
    for name, content in game.items():
        path = tmp_path / "sample" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    told = []
    for backend in ("python", "wasm"):
        out = StringIO()
        assert run([str(tmp_path / "sample")], backend, out) == 1, out.getvalue()
        told.append(out.getvalue())
    assert told[0] == told[1]
    code = text.split("\n")[0].removeprefix("# ")
    assert f"error[{code}]: " in told[0]
    golden(case.with_suffix(".txt"), told[0])


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 12
