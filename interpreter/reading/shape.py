"""Whether a tree has the shape that its schema wants: a quick yes or no.

Most files are right, and saying so needs no more than this. What is wrong with a file is found by jsonschema (see
`schema`), which is slower by far; that the two agree is tested.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from interpreter import resources

Test = Callable[[Any], bool]

_TYPES: dict[str, Test] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}
_NOTES = {"$schema", "$defs", "title", "description", "then", "else", "x-hint", "x-size", "x-name"}  # demand nothing


@cache
def fits(name: str) -> Test:
    """What says whether a plain tree fits the schema of that name."""
    return _of(_schema(name), name)


@cache
def _schema(name: str) -> Any:
    return json.loads(resources.schema_path(f"{name}.json").read_text(encoding="utf-8"))


@cache
def _referred(reference: str) -> Test:
    name, _, pointer = reference.partition("#")
    schema = _schema(name.removesuffix(".json"))
    for step in pointer.split("/")[1:]:
        schema = schema[step]
    return _of(schema, name.removesuffix(".json"))


def _of(schema: dict[str, Any], file: str) -> Test:
    tests = [_keyword(key, rule, schema, file) for key, rule in schema.items() if key not in _NOTES]
    if len(tests) == 1:
        return tests[0]
    return lambda value: all(test(value) for test in tests)


def _keyword(key: str, rule: Any, schema: dict[str, Any], file: str) -> Test:
    """The test for one keyword. Raises ValueError for one that is not known here."""
    match key:
        case "$ref":
            whole = rule if not rule.startswith("#") else f"{file}.json{rule}"
            return lambda value: _referred(whole)(value)  # found when it is needed: schemas refer to themselves
        case "type":
            kinds = [_TYPES[kind] for kind in ([rule] if isinstance(rule, str) else rule)]
            return kinds[0] if len(kinds) == 1 else lambda value: any(kind(value) for kind in kinds)
        case "enum":
            return lambda value: any(type(one) is type(value) and one == value for one in rule)
        case "pattern":
            pattern = re.compile(rule)
            return lambda value: not isinstance(value, str) or pattern.fullmatch(value) is not None
        case "minimum":
            return lambda value: not _TYPES["integer"](value) or value >= rule
        case "maximum":
            return lambda value: not _TYPES["integer"](value) or value <= rule
        case "anyOf":
            branches = [_of(one, file) for one in rule]
            return lambda value: any(branch(value) for branch in branches)
        case "if":
            test = _of(rule, file)
            then, other = (_of(schema.get(side, {}), file) for side in ("then", "else"))
            return lambda value: then(value) if test(value) else other(value)
        case "items" | "minItems" | "maxItems":
            return _of_lists(key, rule, file)
    return _of_maps(key, rule, schema, file)


def _of_lists(key: str, rule: Any, file: str) -> Test:
    if key == "items":
        item = _of(rule, file)
        return lambda value: not isinstance(value, list) or all(item(one) for one in value)
    if key == "minItems":
        return lambda value: not isinstance(value, list) or len(value) >= rule
    return lambda value: not isinstance(value, list) or len(value) <= rule


def _of_maps(key: str, rule: Any, schema: dict[str, Any], file: str) -> Test:
    match key:
        case "properties":
            own = {name: _of(one, file) for name, one in rule.items()}

            def held(value: dict[str, Any]) -> bool:
                return all(own[name](one) for name, one in value.items() if name in own)

            test: Test = held
        case "additionalProperties":
            known = schema.get("properties", {})
            more: Test = _of(rule, file) if isinstance(rule, dict) else lambda value: bool(rule)
            test = lambda value: all(more(one) for name, one in value.items() if name not in known)  # noqa: E731
        case "propertyNames":
            name_test = _of(rule, file)
            test = lambda value: all(name_test(name) for name in value)  # noqa: E731
        case "required":
            test = lambda value: all(name in value for name in rule)  # noqa: E731
        case "dependentRequired":
            test = lambda value: all(n in value for name, ns in rule.items() if name in value for n in ns)  # noqa: E731
        case "minProperties":
            test = lambda value: len(value) >= rule  # noqa: E731
        case "maxProperties":
            test = lambda value: len(value) <= rule  # noqa: E731
        case _:
            raise ValueError(f"no test for the keyword `{key}`")
    return lambda value: not isinstance(value, dict) or test(value)
