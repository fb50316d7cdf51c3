"""The benchmarks run and print what they promise; how fast anything is, no test may say."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.run import table

ROOT = Path(__file__).resolve().parents[2]


def run(tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, str(ROOT / "benchmarks" / "run.py"), *words]
    return subprocess.run(command, capture_output=True, text=True, env=env, check=False)


def figures(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [x for inner in value.values() for x in figures(inner)]
    if isinstance(value, list):
        return [x for inner in value for x in figures(inner)]
    return [value] if isinstance(value, int | float) else []


@pytest.mark.skipif(shutil.which("cc") is None, reason="the C yardstick needs a C compiler")
def test_the_race(tmp_path: Path) -> None:
    done = run(tmp_path, "--quick", "--rounds", "1", "--json", "playouts")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["playouts"]
    assert set(found["perft"]) == {"plain Python", "C, bitboards", "python backend", "wasm backend"}
    assert all(counts[0] == 80 for counts in found["perft"].values())
    assert set(found["ratios"]) == {
        "wasm backend / C, bitboards",
        "wasm backend / plain Python",
        "python backend / plain Python",
        "C, bitboards / plain Python",
    }
    assert all(x > 0 for x in figures(found))


def test_other_figures(tmp_path: Path) -> None:
    done = run(tmp_path, "--quick", "--json", "growth", "fixtures", "stepping")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert list(found) == ["growth", "fixtures", "stepping"]
    assert all(x >= 0 for x in figures(found))
    assert found["growth"][0]["nodes"] > 1000
    assert any(row["game"] == "80 pieces, 100 spaces" and row["wasm"] > 0 for row in found["fixtures"])


def test_unknown_section(tmp_path: Path) -> None:
    done = run(tmp_path, "speed")
    assert done.returncode == 2
    assert "there is no section `speed`" in done.stderr


def test_table() -> None:
    assert table({"a": 1234.0, "b": {"c": 2}}).split() == ["a", "1,234", "b", "c", "2"]
    assert table([{"x": 1, "y": "z"}]).split() == ["x", "y", "1", "z"]
