"""What the language means: small games, each with rule tests, run by both backends in step.

A file holds one game. Besides the keys of a rule test its tests may have `fault` (the code of the fault that must
come), `log` (all lines of the log) and `choices` (what is open where the steps end); `then` is a text with a condition
on each line. Every key but `rules`, `pieces`, `map`, `scenarios` and `tests` stands in `game.yaml`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest
import yaml

from interpreter.backends.twin import Twin
from interpreter.core.compiled import Compiled
from interpreter.diagnostics import GameError
from interpreter.game import Game, Position, begin_trial, load
from interpreter.play.ruletests import compiled_together, run_test
from interpreter.reading import model
from interpreter.rendering import render

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.yaml"))
OURS = ("fault", "log", "choices")  # keys that are no part of rule tests


@dataclass
class Case:
    """A test, what it is run by, and what is expected besides."""

    test: model.TestDef
    number: int
    compiled: Compiled
    expected: dict[str, Any]


def parts(path: Path) -> dict[str, Any]:
    return dict(yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader))


def write(path: Path, folder: Path) -> dict[str, dict[str, Any]]:
    """Writes the game of a file into a folder; gives what its tests expect beyond the words of rule tests."""
    found = parts(path)
    expected = {t["test"]: {k: t.pop(k) for k in OURS if k in t} for t in found["tests"]}
    for test in found["tests"]:
        test["then"] = test.pop("then", "true").splitlines()  # some only expect a fault, a log or choices
    files = {"rules/rules.effects": found.pop("rules")}
    for key in ("pieces", "cards", "scenarios", "campaigns", "tests", "map"):
        if key in found:
            files[f"{key}.yaml"] = dump(found.pop(key))
    files["game.yaml"] = dump({"game": path.stem, **found})
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return expected


class Dumper(yaml.SafeDumper):
    """Texts of several lines as blocks, all others plain, as an author writes them."""

    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    if "\n" in value:
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|")
    quoted = any(x in value for x in (": ", " #")) or not value or value[0] in "[]{}&*!|>%@`'\"#?-," or value[-1] == ":"
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="'" if quoted and value[0] != "-" else "")


Dumper.add_representer(str, _text)


def dump(value: object) -> str:
    text: str = yaml.dump(value, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=10_000)
    return text


def built(path: Path, folder: Path) -> tuple[Game, dict[str, Case]]:
    expected = write(path, folder)
    try:
        game = load(folder, tests=True)
    except GameError as error:
        pytest.fail("\n".join(render(d) for d in error.diagnostics))
    assert [d for d in game.warnings if d.code not in ("separate-part", "frozen-loop")] == [], "\n".join(
        render(d) for d in game.warnings
    )
    cases = {}
    for compiled, members in compiled_together(game, game.definition.tests):
        for number, test in enumerate(members):
            cases[test.name] = Case(test, number, compiled, expected[test.name])
    return game, cases


def names() -> Iterator[tuple[Path, str]]:
    for path in FILES:
        for test in parts(path)["tests"]:
            yield path, test["test"]


@pytest.fixture(scope="session")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[Path, tuple[Game, dict[str, Case]]]]:
    """The games by file, each built when it is first asked for."""
    made = Games(tmp_path_factory.mktemp)
    yield made
    made.clear()


class Games(dict[Path, tuple[Game, dict[str, Case]]]):
    def __init__(self, folder: Callable[[str], Path]) -> None:
        super().__init__()
        self.folder = folder

    def __missing__(self, path: Path) -> tuple[Game, dict[str, Case]]:
        self[path] = built(path, self.folder(path.stem))
        return self[path]


@pytest.mark.parametrize(("path", "name"), list(names()), ids=lambda x: x.stem if isinstance(x, Path) else x)
def test_meaning(path: Path, name: str, games: dict[Path, tuple[Game, dict[str, Case]]]) -> None:
    game, cases = games[path]
    case = cases[name]
    position = begin_trial(game, case.compiled, twin(game, case.compiled), case.number, case.test.seed)
    log: list[str] = []
    diagnostic = run_test(case.test, case.number, position, log)
    fault = case.expected.get("fault")
    if fault is not None:
        assert diagnostic is not None, f"expected the fault {fault}"
        assert diagnostic.code == fault, render(diagnostic)
        return
    assert diagnostic is None, render(diagnostic) + "\nlog: " + "; ".join(log)
    if "log" in case.expected:
        assert log == case.expected["log"]
    if "choices" in case.expected:
        assert open_choices(position) == case.expected["choices"]


def twin(game: Game, compiled: Compiled) -> Twin:
    return Twin(game.machine(compiled, "python"), game.machine(compiled, "wasm"))


def open_choices(position: Position) -> list[str]:
    decision = position.decision
    return [] if decision is None else [c.id for c in decision.choices]


def test_there_are_enough() -> None:
    assert len(list(names())) >= 200
