"""Nothing of the language is without a test: forms, built-ins, keys and codes are counted.

What there is, is read from the program: the node types of the syntax tree with the values that their fields can have,
the tables of built-ins, the schemas, the codes. What is tested, is read from the tests: the trees of the conformance
games, which both backends run; the keys of all games of the tests; the codes of golden messages.
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter.diagnostics import Bag
from interpreter.lang import nodes as n
from interpreter.lang.builtins import BUILTINS, EFFECTS
from interpreter.lang.check import check
from interpreter.lang.words import AGGREGATE_WORDS
from interpreter.reading.files import read_file
from interpreter.reading.load import load_folder
from interpreter.reading.yamltree import Scalar, read
from tests.conformance.test_conformance import FILES, write
from tests.house.codes import codes
from tests.house.test_schemas import FILES as SCHEMAS
from tests.house.test_schemas import everything, schema_of, walk

TESTS = Path(__file__).resolve().parents[1]
DEFINITIONS = (n.Fun, n.Effect, n.Param, n.TypeRef, n.Template, n.Hole, n.Option, n.Binder, n.Say, n.Clauses, n.Case)


def forms() -> set[str]:
    """Every node type, and for each of its fields that has a few values, each of these."""
    found = {f"Aggregate.op={word}" for word in AGGREGATE_WORDS | {"any"}}
    for node in (*n.Stmt.__args__, *n.Expr.__args__, *DEFINITIONS, n.Argument, n.Condition):
        found.add(node.__name__)
        for name, hint in typing.get_type_hints(node).items():
            found |= {f"{node.__name__}.{name}={value}" for value in values(hint)}
    return found


def values(hint: object) -> Iterator[str]:
    """The values that are told apart: those of a literal, both of a bool, being there or not."""
    if typing.get_origin(hint) is typing.Literal:
        yield from (str(v) for v in typing.get_args(hint))
    elif hint is bool:
        yield from ("True", "False")
    elif typing.get_origin(hint) in (typing.Union, types.UnionType) and type(None) in typing.get_args(hint):
        yield "None"
        rest = [a for a in typing.get_args(hint) if a is not type(None)]
        inner = [v for one in rest for v in values(one)]
        yield from inner or ["there"]


def used(node: object, seen: set[str]) -> None:
    """Adds what a tree uses, in the words of `forms`."""
    if isinstance(node, tuple):
        for one in node:
            used(one, seen)
        return
    kind = type(node)
    if not dataclasses.is_dataclass(kind) or not kind.__module__.startswith("interpreter.lang.nodes"):
        return
    seen.add(kind.__name__)
    for name, hint in typing.get_type_hints(kind).items():
        value = getattr(node, name)
        possible = set(values(hint))
        seen.add(f"{kind.__name__}.{name}={value if value is None or str(value) in possible else 'there'}")
        used(value, seen)
    if isinstance(node, n.Aggregate):
        seen.add(f"Aggregate.op={node.op}")
    if isinstance(node, n.Apply) and isinstance(node.func, n.NameRef):
        seen.add(f"{node.func.name}()")


@pytest.fixture(scope="module")
def tested(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What the conformance games use."""
    seen: set[str] = set()
    for path in FILES:
        folder = tmp_path_factory.mktemp(path.stem)
        write(path, folder)
        bag = Bag()
        game = load_folder(folder, bag, tests=True)
        assert game is not None
        checked = check(game, bag)
        for target in checked.callables.values():
            used(target.node, seen)
        for expression in checked.types:
            used(expression, seen)
    return seen


def test_every_form(tested: set[str]) -> None:
    missing = sorted(forms() - tested)
    assert not missing


# ---- built-ins ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*BUILTINS, *EFFECTS])
def test_every_built_in(name: str, tested: set[str]) -> None:
    assert f"{name}()" in tested


# ---- keys -----------------------------------------------------------------------------------------------------------

Key = tuple[str, str]  # place of the schema, key


def keys_of(folder: Path) -> set[Key]:
    """The keys that the files of a game use."""
    found: set[Key] = set()
    for path in sorted(folder.rglob("*.yaml")):
        source = read_file(path, folder, Bag())
        node = read(source, Bag()) if source is not None else None
        if node is None or isinstance(node, Scalar):
            continue
        name = schema_of(path.relative_to(folder))
        found |= {(place, key) for place, _, key in walk((name, "", SCHEMAS[name]), node)}
    return found


# What only people read; that it is read at all is tested in `test_schemas`.
FOR_PEOPLE = {"title", "text", "rule", "source", "label"}


def test_every_key(tmp_path: Path) -> None:
    """Every key means something in a game that tests play."""
    used_keys: set[Key] = set()
    for path in FILES:
        write(path, tmp_path / path.stem)
        used_keys |= keys_of(tmp_path / path.stem)
    shipped = TESTS.parent.glob("games/*/game.yaml")  # their bots, displays and rules have tests of their own
    for game in [*TESTS.glob("games/*/game.yaml"), *TESTS.glob("passages/*/game.yaml"), *shipped]:
        used_keys |= keys_of(game.parent)
    declared = {(f"{file}#{at}", key) for file, at, schema in everything() for key in schema.get("properties", {})}
    missing = {same(*key) for key in declared if key[1] not in FOR_PEOPLE} - {same(*key) for key in used_keys}
    assert not sorted(m for m in missing if not m[0].startswith("rulebook"))  # for reports, not for play


def same(place: str, key: str) -> Key:
    """Options are written in two ways, under their names or with them; a key of one is a key of the other."""
    return place.replace("options/additionalProperties", "named"), key


# ---- codes ----------------------------------------------------------------------------------------------------------

# What a file of a game cannot show, as it is about files and folders themselves: `test_load` makes them.
ABOUT_FILES = {
    "missing-file",
    "missing-folder",
    "not-a-file",
    "not-utf8",
    "outside-folder",
    "too-large",
    "too-many-files",
    "unreadable-file",
}


# What is found only when a bot's rules are made, after the game was checked.
ABOUT_BOTS = {"not-kept"}


def told() -> list[str]:
    """The codes of all golden messages, chunks and faults of conformance games."""
    found: list[str] = []
    for path in TESTS.glob("diagnostics/*/*.txt"):
        found += re.findall(r"^(?:error|warning)\[([a-z0-9-]+)\]", path.read_text(encoding="utf-8"), re.MULTILINE)
    for path in TESTS.glob("lang/errors/*.chunks"):
        found += re.findall(r"### ([a-z0-9-]+)", path.read_text(encoding="utf-8"))
    for path in FILES:
        found += re.findall(r"^ *fault: ([a-z0-9-]+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return found


def test_every_code() -> None:
    files = (TESTS / "unit" / "test_load.py").read_text(encoding="utf-8")
    assert not [code for code in ABOUT_FILES if f'"{code}"' not in files]
    bots = (TESTS / "unit" / "test_bots.py").read_text(encoding="utf-8")
    assert not [code for code in ABOUT_BOTS if f'"{code}"' not in bots]
    of_the_program = {"broken-position", "unequal-backends"}  # its own faults: `test_ruletests`, `test_simulate`
    assert not sorted(set(codes()) - set(told()) - ABOUT_FILES - ABOUT_BOTS - of_the_program)


def test_there_are_enough_goldens() -> None:
    assert len(list(TESTS.glob("diagnostics/*/*.txt"))) >= 350
    assert len(set(told())) >= 180
