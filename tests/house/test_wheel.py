"""The wheel, installed in a fresh virtual environment outside the checkout, plays by itself."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path, **more: str) -> str:
    """Runs a command without the checkout on the path; what it prints."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PYTEST", "VIRTUAL_ENV"))}
    env |= {"NO_COLOR": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", **more}
    done = subprocess.run(
        [str(x) for x in command], cwd=cwd, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=300
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == 0, f"{' '.join(map(str, command))} ended with {done.returncode}\n{out}\n{err}"
    return out


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without a network from what is installed here."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-w", folder, ROOT, cwd=folder)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the programs of a fresh environment that has the wheel; dependencies come from the one that runs
    the tests.
    """
    home = tmp_path_factory.mktemp("fresh")
    venv.create(home / "env", with_pip=False, symlinks=os.name != "nt")
    paths = sysconfig.get_paths(vars={"base": str(home / "env"), "platbase": str(home / "env")})
    Path(paths["purelib"], "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")
    programs = Path(paths["scripts"])
    python = programs / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel, cwd=home)
    place = run(python, "-c", "import interpreter; print(interpreter.__file__)", cwd=home).strip()
    assert Path(place).is_relative_to(home), "the tests would run on the checkout"
    return programs


def test_contents(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "interpreter/_data/grammar/effects.lark" in names
    for schema in (ROOT / "schemas").glob("*.json"):
        assert f"interpreter/_data/schemas/{schema.name}" in names
    for folder in ("sparta", "spartacus", "hellenes", "grid_sparta"):
        assert any(n.startswith(f"interpreter/_data/games/{folder}/") for n in names)
    data = {p.relative_to(ROOT).as_posix() for p in (ROOT / "games").rglob("*") if p.is_file()}
    assert data == {n.removeprefix("interpreter/_data/") for n in names if n.startswith("interpreter/_data/games/")}
    assert not [n for n in names if n.startswith(("tests/", "docs/", "benchmarks/")) or "__pycache__" in n]


def test_commands(installed: Path, tmp_path: Path) -> None:
    assert "grid_sparta" in run(installed / "petteia", "list", cwd=tmp_path)
    assert "grid_sparta" in run(installed / "python", "-m", "interpreter", "list", cwd=tmp_path)
    run(installed / "petteia", "validate", "grid_sparta", cwd=tmp_path)
    counted = run(installed / "petteia", "perft", "grid_sparta", "--depth", "2", cwd=tmp_path)
    assert counted.splitlines()[-1] == "6400"
