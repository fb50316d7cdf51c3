"""The README keeps its two commands, and the checks run the second to the letter."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def setup_commands() -> list[str]:
    """The commands of the section on setting up."""
    section = README.split("## Set up", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"```sh\n(.*?)\n```", section, re.DOTALL)


def test_two_setup_commands() -> None:
    play, tests = setup_commands()
    assert "\n" not in play and "\n" not in tests
    assert play.endswith("petteia play grid_sparta")
    assert tests.endswith("python -m pytest")


def test_checks_run_the_test_command() -> None:
    lines = [line.strip() for line in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()]
    assert setup_commands()[1] in lines


def test_links_lead_somewhere() -> None:
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
            if not re.match(r"[a-z]+:", target):
                assert (page.parent / target).exists(), f"{page.name} leads to {target}, which is not there"


def test_every_game_has_its_folder() -> None:
    for name in ("sparta", "spartacus", "hellenes", "grid_sparta"):
        folder = ROOT / "games" / name
        assert (folder / "game.yaml").is_file() or "not there yet" in (folder / "README.md").read_text(encoding="utf-8")
        assert f"| `{name}` |" in README
