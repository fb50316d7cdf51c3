"""Pages that lead through the making of a game are read as their readers do, and what they show is what comes.

A line that ends in a colon before a fence says what to do with it:

- "Make the file `F`", "Write the file `F` anew": the fence is the file;
- "Add to the end of `F`": it goes there;
- "In `F`, put this in the place of `K`": of the part that begins with `K:` (YAML) or with `effect K` (rules).

"In `F`, change `A` to `B`" anywhere in a line does so, "Change it back" undoes the last such change. A fence `console`
is a sitting at the shell: what stands behind `$ ` and `Your choice> ` is typed, and the enter key where it is asked;
all else is seen. A fence `text` or `sh` is only shown.
"""

from __future__ import annotations

import io
import random
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from interpreter import load
from interpreter.backends import wasm
from interpreter.play.cli import main

ROOT = Path(__file__).resolve().parents[2]
PROMPT = re.compile(r"^(?:Your choice>|.*[Pp]ress Enter\b.*\.) ?(.*)$", re.MULTILINE)
TIMES = re.compile(r"in \d+\.\d\d s \(\d+ a second\)")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Step:
    """Something to do. `what`: make, anew, add, place, change, back or console; `at`: where its text begins."""

    what: str
    text: str
    at: int
    file: str = ""
    part: str = ""

    def __str__(self) -> str:
        return f"{self.what}-{self.file or self.text.splitlines()[0]}".replace(" ", "-").replace("/", "-")


ORDERS = (
    ("make", re.compile(r"Make the file `([^`]+)`[^.]*:$")),
    ("anew", re.compile(r"Write the file `([^`]+)` anew:$")),
    ("add", re.compile(r"Add to the end of `([^`]+)`:$")),
    ("place", re.compile(r"In `([^`]+)`, put this in the place of `([^`]+)`:$")),
)


def steps(page: str) -> Iterator[Step]:
    """What the page tells to do, in order."""
    start = 0
    for fence in FENCE.finditer(page):
        before = " ".join(page[start : fence.start()].split())
        yield from changes(before, start)
        start = fence.end()
        if fence[1] == "console":
            yield Step("console", fence[2], fence.start(2))
        elif fence[1] in ("yaml", "effects"):
            found = [(what, m) for what, order in ORDERS if (m := order.search(before))]
            assert len(found) == 1, f"nothing says what to do with the fence that begins {fence[2][:40]!r}"
            what, m = found[0]
            yield Step(what, fence[2], fence.start(2), m[1], m[2] if what == "place" else "")
        else:
            assert fence[1] in ("text", "sh"), fence[1]
    yield from changes(" ".join(page[start:].split()), start)


def changes(prose: str, at: int) -> Iterator[Step]:
    for m in re.finditer(r"[Ii]n `([^`]+)`, change `([^`]+)` to `([^`]+)`|Change it back", prose):
        yield Step("change", m[2], at, m[1], m[3]) if m[1] else Step("back", "", at)


class Reader:
    """Somebody who follows a page about a game in a folder."""

    def __init__(self, game: str, home: Path, patch: pytest.MonkeyPatch, shown: pytest.CaptureFixture[str]) -> None:
        self.game, self.home, self.patch, self.shown = game, home, patch, shown
        self.changed: tuple[Path, str] | None = None
        patch.chdir(home)
        for name, value in {"COLUMNS": "100", "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")}.items():
            patch.setenv(name, value)

    def do(self, step: Step) -> str:
        """Does a step; gives what the shell shows."""
        if step.what == "console":
            return self.sit(step.text)
        path = self.home / self.game / step.file
        text = path.read_text(encoding="utf-8") if step.file and path.exists() else ""
        if step.what in ("make", "anew"):
            assert path.exists() == (step.what == "anew"), f"{step.file}: {step.what}"
            text = step.text
        elif step.what == "add":
            assert text, f"there is no {step.file} yet"
            text = text.rstrip("\n") + "\n" + ("\n" if path.suffix == ".effects" else "") + step.text
        elif step.what == "place":
            text = replaced(text, step.part, step.text)
        elif step.what == "change":
            assert text.count(step.text) == 1, f"{step.file} has {step.text!r} not just once"
            self.changed = path, text
            text = text.replace(step.text, step.part)
        else:
            assert self.changed is not None
            path, text = self.changed
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return ""

    def sit(self, shown: str) -> str:
        """Types what a sitting shows as typed; gives all that is seen."""
        seen = ""
        for part in re.split(r"^\$ ", shown, flags=re.MULTILINE)[1:]:
            command, _, rest = part.partition("\n")
            words = command.split()
            seen += f"$ {command}\n"
            if words[0] == "mkdir":
                (self.home / words[1]).mkdir()
                continue
            if words[:2] == ["cp", "-r"]:
                # without its rule tests, which are run elsewhere
                shutil.copytree(ROOT / words[2], self.home / words[3], ignore=shutil.ignore_patterns("tests"))
                continue
            assert words[0] == "petteia", command
            typed = "".join(f"{m[1]}\n" for m in PROMPT.finditer(rest))
            seen += self.run(words[1:], typed)
        return seen

    def run(self, words: list[str], typed: str) -> str:
        self.patch.setattr(sys, "stdin", io.StringIO(typed))
        code = main(words)
        out, err = self.shown.readouterr()
        assert "Traceback" not in err and code in (0, 1), err
        seen = "".join(line.rstrip() + "\n" for line in (out + err).splitlines())
        return TIMES.sub("in 0.01 s (900000 a second)", seen)


def replaced(text: str, part: str, by: str) -> str:
    """A file with another text for one of its parts, which goes to the next line that is not indented."""
    head = re.compile(rf"^(?:(?:open )?(?:effect|fun) )?{part}\b.*\n(?:(?:[ \t].*)?\n)*", re.MULTILINE)
    assert len(head.findall(text)) == 1, f"{part} is not there just once"
    return head.sub(lambda m: by + ("\n" if m[0].endswith("\n\n") else ""), text)


def play_at_random(folder: Path, scenario: str | None = None, *, tests: bool = True) -> None:
    """The game as it is now, on demand with its rule tests: from the start in both backends, in step."""
    game = load(folder, tests=tests)
    one = game.start(scenario, seed=5)
    other = game.start(scenario, seed=5, backend="wasm" if wasm.available() else "python")
    pick = random.Random(5)
    for _ in range(200):
        assert one.to_bytes() == other.to_bytes()
        decision = one.decision
        if decision is None:
            return
        index = pick.randrange(decision.count)
        one.apply(index)
        other.apply(index)
