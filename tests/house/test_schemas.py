"""House rules of the schemas: every key has a description, is used by `every_key`, and is read by the loader."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interpreter import resources
from interpreter.diagnostics import Bag
from interpreter.reading import board, build, load
from interpreter.reading import yamltree as tree
from interpreter.reading.files import read_file
from interpreter.reading.schema import SCHEMAS
from interpreter.reading.yamltree import Map, Node, Scalar, Seq, read

EVERY_KEY = Path(__file__).parents[1] / "data" / "every_key"
FILES = {name: json.loads(resources.schema_path(f"{name}.json").read_text(encoding="utf-8")) for name in SCHEMAS}

# A schema with its place, such as ("game", "/$defs/kind").
Placed = tuple[str, str, dict[str, Any]]


def parts_of(file: str, at: str, schema: Any) -> Iterator[Placed]:
    """All schemas inside a schema, itself included; keywords such as `properties` hold schemas by name."""
    if isinstance(schema, list):
        for i, one in enumerate(schema):
            yield from parts_of(file, f"{at}/{i}", one)
    elif isinstance(schema, dict):
        yield file, at, schema
        for key, value in schema.items():
            if key in ("properties", "$defs"):
                for name, one in value.items():
                    yield from parts_of(file, f"{at}/{key}/{name}", one)
            elif key not in ("enum", "required", "default"):
                yield from parts_of(file, f"{at}/{key}", value)


def everything() -> list[Placed]:
    return [placed for name, schema in FILES.items() for placed in parts_of(name, "", schema)]


def follow(placed: Placed) -> Placed:
    """The schema behind a reference."""
    file, _, schema = placed
    while "$ref" in schema:
        target, pointer = schema["$ref"].split("#") if "#" in schema["$ref"] else (schema["$ref"], "")
        file = target.removesuffix(".json") or file
        schema = FILES[file]
        for step in pointer.split("/")[1:]:
            schema = schema[step]
        placed = (file, pointer, schema)
    return placed


def walk(placed: Placed, node: Node) -> Iterator[tuple[str, Map, str]]:
    """The fixed keys that a tree uses: where their schema stands, in which map, which key."""
    file, at, schema = follow(placed)
    for i, branch in enumerate(schema.get("anyOf", ())):
        one = follow((file, f"{at}/anyOf/{i}", branch))
        if fits(one[2], node):
            yield from walk(one, node)
    if "if" in schema and isinstance(node, Map):
        side = "then" if all(tree.get(node, key) is not None for key in schema["if"]["required"]) else "else"
        yield from walk((file, f"{at}/{side}", schema[side]), node)
    if isinstance(node, Seq) and "items" in schema:
        for item in node.items:
            yield from walk((file, f"{at}/items", schema["items"]), item)
    if isinstance(node, Map):
        for key, value in node.entries:
            if key.raw in schema.get("properties", {}):
                yield f"{file}#{at}", node, key.raw
                yield from walk((file, f"{at}/properties/{key.raw}", schema["properties"][key.raw]), value)
            elif isinstance(schema.get("additionalProperties"), dict):
                yield from walk((file, f"{at}/additionalProperties", schema["additionalProperties"]), value)


def fits(schema: dict[str, Any], node: Node) -> bool:
    kind = "array" if isinstance(node, Seq) else "object" if isinstance(node, Map) else "string"
    types = schema.get("type", [])
    return kind in ([types] if isinstance(types, str) else types)


def schema_of(path: Path) -> str:
    name = path.parts[0].removesuffix(".yaml")
    return {**load.SINGLE, **load.MANY, "texts": "texts", "rules": "rules"}[name]


def test_every_key_has_a_description() -> None:
    bare = [
        f"{file}#{at}/properties/{key}"
        for file, at, schema in everything()
        for key, one in schema.get("properties", {}).items()
        if not one.get("description", "").endswith(".")
    ]
    bare += [
        f"{file}#{at}/$defs/{key}"
        for file, at, schema in everything()
        for key, one in schema.get("$defs", {}).items()
        if not one.get("description", "").endswith(".")
    ]
    assert bare == []
    assert sum(len(schema.get("properties", {})) for _, _, schema in everything()) > 80


def test_the_schemas_are_good_schemas() -> None:
    from jsonschema import Draft202012Validator

    for schema in FILES.values():
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        Draft202012Validator.check_schema(schema)


def test_every_reference_leads_somewhere() -> None:
    found = [follow(placed) for placed in everything() if "$ref" in placed[2]]
    assert len(found) > 80


def test_maps_are_closed() -> None:
    """A map with fixed keys takes no others, save where it holds the fields of a kind."""
    open_maps = {
        f"{file}#{at}"
        for file, at, schema in everything()
        if "properties" in schema and schema.get("additionalProperties") is not False
    }
    assert open_maps == {
        "entries#/$defs/entry",
        "game#/$defs/hold",
        "game#/$defs/kind",
        "game#/$defs/kind/properties/seen_by/anyOf/1",
        "game#/$defs/scene",
        "game#/properties/players/items/anyOf/1",
        "map#/properties/edges/items/anyOf/1",
    }
    for file, at, schema in everything():
        if f"{file}#{at}" in open_maps:
            assert "propertyNames" in schema, "their other keys are at least names"


def test_the_loader_knows_the_same_fixed_keys() -> None:
    """Maps that hold fields too: what the loader takes for fixed is what the schema declares."""
    entry = FILES["entries"]["$defs"]["entry"]["properties"]
    player = FILES["game"]["properties"]["players"]["items"]["anyOf"][1]["properties"]
    edge = FILES["map"]["properties"]["edges"]["items"]["anyOf"][1]["properties"]
    assert set(board.ENTRY_KEYS) == set(entry)
    assert set(board.PLAYER_KEYS) == set(player)
    assert set(board.EDGE_KEYS) == set(edge)
    assert set(build.KIND_KEYS) == set(FILES["game"]["$defs"]["kind"]["properties"])


def test_every_file_kind_has_a_schema() -> None:
    assert {*load.SINGLE.values(), *load.MANY.values(), "texts", "common", "rules"} == set(SCHEMAS)
    assert {p.stem for p in resources.schema_path("game.json").parent.glob("*.json")} == set(SCHEMAS)


def test_every_key_is_used_and_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records each key that the loader asks for, and compares with those that the schemas declare."""
    game = tmp_path / "every_key"
    shutil.copytree(EVERY_KEY, game)
    asked: set[tuple[str, int, str]] = set()
    plain = tree.get

    def get(node: Map, key: str) -> Node | None:
        asked.add((node.span.source.path, node.span.start, key))
        return plain(node, key)

    with monkeypatch.context() as patch:
        patch.setattr(tree, "get", get)
        assert load.load_folder(game, Bag()) is not None

    used: set[tuple[str, str]] = set()
    unread: list[str] = []
    for path in sorted(game.rglob("*.yaml")):
        source = read_file(path, game, Bag())
        assert source is not None
        node = read(source, Bag())
        assert node is not None and not isinstance(node, Scalar)
        name = schema_of(path.relative_to(game))
        for place, where, key in walk((name, "", FILES[name]), node):
            used.add((place, key))
            if (source.path, where.span.start, key) not in asked:
                unread.append(f"{where.span}: `{key}` ({place})")
    assert unread == []
    declared = {(f"{file}#{at}", key) for file, at, schema in everything() for key in schema.get("properties", {})}
    assert declared - used == set(), "the game `every_key` uses every key"
