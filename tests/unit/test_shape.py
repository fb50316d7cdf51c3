"""The quick test of a file's shape and jsonschema, which tells what is wrong, agree on what is right."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interpreter.diagnostics import Bag
from interpreter.reading import schema
from interpreter.reading.files import read_file
from interpreter.reading.shape import fits
from interpreter.reading.yamltree import read
from tests.house.test_schemas import EVERY_KEY, schema_of

ROOTS = (EVERY_KEY, *sorted(p.parent for p in (Path(__file__).parents[1] / "games").glob("*/game.yaml")))
ODD = ("", "x", "no name", 0, -1, 7, True, None, [], {}, ["x"], {"x": 1}, {"rule": 1}, [[{}]])


def files() -> Iterator[tuple[Path, Path]]:
    for root in ROOTS:
        yield from ((path, root) for path in sorted(root.rglob("*.yaml")))


def damaged(value: Any, pick: random.Random) -> Any:
    """The same tree with something else in one place: another value, a key more, less or of another name."""
    if isinstance(value, dict) and value and pick.random() < 0.85:
        key = pick.choice(list(value))
        how = pick.random()
        if how < 0.7:
            return {**value, key: damaged(value[key], pick)}
        rest = {k: v for k, v in value.items() if k != key}
        return rest if how < 0.8 else {**(value if how < 0.9 else rest), pick.choice(("x", "No", "until")): value[key]}
    if isinstance(value, list) and value and pick.random() < 0.85:
        at = pick.randrange(len(value))
        return [*value[:at], damaged(value[at], pick), *value[at + 1 :]]
    return pick.choice(ODD)


@pytest.mark.parametrize(("path", "root"), list(files()), ids=lambda p: p.name)
def test_they_agree(path: Path, root: Path) -> None:
    source = read_file(path, root, Bag())
    assert source is not None
    node = read(source, Bag())
    assert node is not None
    name = schema_of(path.relative_to(root))
    plain = schema._plain(node)
    validator = schema._validator(name)
    assert fits(name)(plain) and validator.is_valid(plain)
    pick = random.Random(str(path.relative_to(root)))
    for _ in range(25):
        wrong = damaged(plain, pick)
        assert fits(name)(wrong) == validator.is_valid(wrong), wrong
