"""The shape of each file: its tree against its JSON Schema, with every mistake at its place, once, and in plain words.

The schemas in `schemas/` are JSON Schema 2020-12, so that editors can use them as they are. Their keywords that begin
with `x-` are notes for this module: `x-name` (the pattern is that of names), `x-hint` and `x-size` (what to write
instead).
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from interpreter import resources
from interpreter.diagnostics import Bag, did_you_mean
from interpreter.reading.halves import cut_expressions
from interpreter.reading.shape import fits
from interpreter.reading.yamltree import Map, Node, Scalar, Seq, bool_like
from interpreter.source import Span

SCHEMAS = (
    "bots",
    "campaigns",
    "common",
    "display",
    "entries",
    "game",
    "invariants",
    "map",
    "options",
    "phases",
    "rulebook",
    "rules",
    "scenarios",
    "tables",
    "tests",
    "texts",
)

_WORDS = {
    "string": "text",
    "integer": "a number",
    "boolean": "`true` or `false`",
    "array": "a list",
    "object": "a map",
    "null": "nothing",
}
_FORMS = {
    "a list": "write its entries as `[a, b]`, or below each other, each with `- ` before it",
    "a map": "write `key: value` pairs below each other, without `-` before them",
    "a number": "write it in digits, such as `12`",
    "`true` or `false`": "write `true` or `false`",
}
NAMES = "names are of the letters a to z, digits and `_`, and begin with a letter"

Path = tuple[str | int, ...]

_LONG_RANGE = re.compile(r"-?[0-9]+\.\.-?[0-9]+")


def validate(node: Node, schema: str, bag: Bag) -> bool:
    """Checks a file's tree against the schema of that name (`game`, `map` …); whether it has the right shape."""
    if isinstance(node, Scalar) and node.value is None:
        bag.error("empty-file", "the file says nothing", node.span, help="fill it, or remove it")
        return False
    cut = cut_expressions(node, bag)
    plain = _plain(node)
    if not cut and fits(schema)(plain):
        return True
    errors = list(_validator(schema).iter_errors(plain))
    dead = [*cut, *(_refused(e) for e in errors if e.validator == "propertyNames")]
    told = False
    for error in _without_echoes(errors):
        path = tuple(error.absolute_path)
        own = error.validator == "propertyNames"
        if any(path[: len(d)] == d for d in (cut if own else dead)):
            continue
        told = True
        _tell(error, node, bag)
    return not told and not cut


def snake(text: str) -> str:
    """The nearest `lower_snake_case` name, empty if nothing is left of the text."""
    flat = unicodedata.normalize("NFKD", text)
    plain = "".join(c for c in flat if not unicodedata.combining(c))
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", plain).casefold()
    return re.sub(r"[^a-z0-9]+", "_", spaced.replace("'", "")).strip("_").lstrip("0123456789_")


def bad_name(name: str, span: Span, bag: Bag) -> None:
    """Records that something is no name."""
    near = snake(name)
    bag.error("bad-name", f"`{name}` is not a name", span, help=f"write `{near}`; {NAMES}" if near else NAMES)


# ---- the validator ------------------------------------------------------------------------------------------------


@cache
def _validator(name: str) -> Any:
    """The compiled validator of a schema. jsonschema is slow to import, so that happens with the first mistake."""
    from jsonschema import Draft202012Validator, validators
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    texts = {n: json.loads(resources.schema_path(f"{n}.json").read_text(encoding="utf-8")) for n in SCHEMAS}
    for text in texts.values():
        del text["$schema"]  # jsonschema would otherwise go on with its own validator, without our keywords
    pairs = [(f"{n}.json", DRAFT202012.create_resource(text)) for n, text in texts.items()]
    registry: Any = Registry().with_resources(pairs).crawl()
    own: dict[str, Any] = {
        "additionalProperties": _additional,
        "dependentRequired": _dependent,
        "pattern": _pattern,
        "propertyNames": _property_names,
        "required": _required,
    }
    extend: Any = validators.extend
    return extend(Draft202012Validator, own)({"$ref": f"{name}.json"}, registry=registry)


def _error(key: str = "", known: Iterable[str] = ()) -> Any:
    """An error that says which key it is about, and which keys would have been right."""
    from jsonschema import ValidationError

    error: Any = ValidationError("")
    error.key, error.known = key, tuple(known)
    return error


def _additional(validator: Any, rule: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if not isinstance(instance, dict):
        return
    fixed = schema.get("properties", {})
    for key, value in instance.items():
        if key in fixed:
            continue
        if rule is False:
            yield _error(key, fixed)
        else:
            for error in validator.descend(value, rule, path=key):
                if not hasattr(error, "known"):
                    error.key, error.known = key, tuple(fixed)
                yield error


def _dependent(validator: Any, rule: Any, instance: Any, schema: Any) -> Iterator[Any]:
    for key, needed in rule.items():
        if isinstance(instance, dict) and key in instance:
            yield from (_error(n, [key]) for n in needed if n not in instance)


def _pattern(validator: Any, rule: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if isinstance(instance, str) and not re.fullmatch(rule, instance):
        yield _error()


def _property_names(validator: Any, rule: Any, instance: Any, schema: Any) -> Iterator[Any]:
    """All keys are names or fixed words; one that is neither is refused together with its value."""
    if isinstance(instance, dict):
        for key in instance:
            if any(True for _ in validator.descend(key, rule)):
                yield _error(key)


def _required(validator: Any, rule: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if isinstance(instance, dict):
        yield from (_error(key) for key in rule if key not in instance)


# ---- from errors to diagnostics -----------------------------------------------------------------------------------


def _plain(node: Node) -> Any:
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Seq):
        return [_plain(item) for item in node.items]
    return {key.raw: _plain(value) for key, value in node.entries}


def _refused(error: Any) -> Path:
    return (*error.absolute_path, error.key)


def _without_echoes(errors: list[Any]) -> list[Any]:
    """Without the errors on the size of a map that only repeat that a key is missing."""
    lacking = {tuple(e.absolute_path) for e in errors if e.validator == "required"}
    return [e for e in errors if e.validator != "minProperties" or tuple(e.absolute_path) not in lacking]


def _find(root: Node, path: Iterable[str | int]) -> tuple[Node, Scalar | None]:
    """The node at a path and, if it stands in a map, its key."""
    node, key = root, None
    for step in path:
        if isinstance(node, Map):
            key, node = next((k, v) for k, v in node.entries if k.raw == step)
        elif isinstance(node, Seq):
            key, node = None, node.items[int(step)]
    return node, key


def _key_span(node: Node, name: str) -> Span:
    return _find(node, [name])[1].span if isinstance(node, Map) else node.span  # type: ignore[union-attr]


def _tell(error: Any, root: Node, bag: Bag) -> None:
    """Records one error of jsonschema; of a union only what is wrong with the branch that was meant."""
    if error.validator == "anyOf":
        meant, expected = _branch(error)
        if meant and _no_field(error, meant, root, bag):
            return
        if meant:
            for inner in _without_echoes(meant):
                if not hasattr(inner, "known"):
                    inner.key, inner.known = getattr(error, "key", ""), getattr(error, "known", ())
                _tell(inner, root, bag)
            return
    else:
        expected = _expected(error)
    node, key = _find(root, error.absolute_path)
    handle = _TELL.get(error.validator)
    if handle is not None:
        handle(error, node, bag)
    elif error.validator in ("type", "anyOf"):
        _wrong_type(error, node, key, expected, bag)
    else:
        _bad_size(error, node, key, bag)


def _no_field(error: Any, meant: list[Any], root: Node, bag: Bag) -> bool:
    """A misspelt key of a map that may also hold fields looks like a field without a type; one error will do."""
    key, known = getattr(error, "key", ""), getattr(error, "known", ())
    near = did_you_mean(key, known)
    if not near or not any(e.validator == "required" and not e.relative_path for e in meant):
        return False
    found = _find(root, error.absolute_path)[1]
    span = found.span if found is not None else root.span
    bag.error("unknown-key", f"`{key}` is neither a key here nor a field with a type", span, help=near)
    return True


def _branch(error: Any) -> tuple[list[Any], list[str]]:
    """Of a failed union, the errors of the branch that fits the value's type; without one, the words for all types."""
    branches: dict[int, list[Any]] = {}
    for inner in error.context:
        branches.setdefault(inner.relative_schema_path[0], []).append(inner)
    expected: list[str] = []
    fitting: list[list[Any]] = []
    for inners in branches.values():
        words = [w for inner in inners if not inner.relative_path for w in _mismatch(inner)]
        expected.extend(w for w in words if w not in expected)
        if not words:
            fitting.append(inners)
    return (min(fitting, key=len) if fitting else []), expected


def _mismatch(error: Any) -> list[str]:
    """The words for the expected types if this error says that the value has another type."""
    if error.validator == "type":
        return _expected(error)
    if error.validator == "anyOf":
        meant, expected = _branch(error)
        return [] if meant else expected
    return []


def _expected(error: Any) -> list[str]:
    if error.validator != "type":
        return []
    if error.schema.get("x-name"):
        return ["a name"]
    types = [error.validator_value] if isinstance(error.validator_value, str) else list(error.validator_value)
    if "string" in types:  # numbers and truth values are then taken as they are typed
        types = [t for t in types if t not in ("integer", "boolean", "null")]
    return [_WORDS[t] for t in types if t != "null" or len(types) == 1]


def shown(node: Node) -> str:
    """What a node is, in words for messages: "a list", "text `x`", "nothing"."""
    if isinstance(node, Seq):
        return "a list"
    if isinstance(node, Map):
        return "a map"
    raw = node.raw if len(node.raw) <= 40 and "\n" not in node.raw else node.raw.split("\n")[0][:40] + "…"
    if node.value is None:
        return f"`{raw}`" if raw else "nothing"
    if isinstance(node.value, bool):
        return f"`{raw}`"
    return f"the number `{raw}`" if isinstance(node.value, int) else f"text `{raw}`"


def _wrong_type(error: Any, node: Node, key: Scalar | None, expected: list[str], bag: Bag) -> None:
    if isinstance(node, Scalar) and expected == [_WORDS["boolean"]]:
        meant = bool_like(node.raw)
        if meant is not None:
            mend = f"write `{str(meant).lower()}`"
            bag.error("looks-like-bool", f"`{node.raw}` is text, not a truth value", node.span, help=mend)
            return
    span = key.span if key is not None and isinstance(node, Scalar) and not node.raw else node.span
    of = f" for `{key.raw}`" if key is not None else ""
    message = f"expected {' or '.join(expected)}{of}, got {shown(node)}"
    bag.error("wrong-type", message, span, help=_type_help(error, node, expected))


def _type_help(error: Any, node: Node, expected: list[str]) -> str:
    near = did_you_mean(getattr(error, "key", ""), getattr(error, "known", ()))
    if near:
        return near
    if "x-hint" in error.schema and not isinstance(node, Scalar):
        return str(error.schema["x-hint"])
    flow = not isinstance(node, Scalar) and node.span.text[:1] in ("[", "{")
    if "text" in expected and (flow or (isinstance(node, Scalar) and node.raw)):
        return "put it in quotes if it is meant as text"
    if "a name" in expected and isinstance(node, Scalar) and node.raw:
        return NAMES
    if isinstance(node, Scalar) and not node.raw:
        return "write it, or remove the key"
    if "a list" in expected and isinstance(node, Scalar) and re.fullmatch(r"\w+(, *\w+)*", node.raw):
        return f"write `[{node.raw}]`"
    return _FORMS.get(expected[-1], "") if expected else ""


def _unknown_key(error: Any, node: Node, bag: Bag) -> None:
    span = _key_span(node, error.key)
    near = did_you_mean(error.key, error.known)
    if not near and node.span.text == f"{{{error.key}}}":
        near = f'put it in quotes if it is meant as text: `"{node.span.text}"`'
    bag.error(
        "unknown-key", f"`{error.key}` is not a key here", span, help=near or _list("the keys here are", error.known)
    )


def _list(lead: str, names: Iterable[str]) -> str:
    return f"{lead} " + ", ".join(f"`{n}`" for n in names) if names else ""


def _missing_key(error: Any, node: Node, bag: Bag) -> None:
    first = node.entries[0][0].span if isinstance(node, Map) and node.entries else node.span
    what = error.schema.get("properties", {}).get(error.key, {}).get("description", "")
    bag.error("missing-key", f"`{error.key}` is missing", first, label="in this map", help=_about(error.key, what))


def _about(key: str, description: str) -> str:
    return f"add `{key}:` ({description[0].lower()}{description[1:].rstrip('.')})" if description else f"add `{key}:`"


def _missing_partner(error: Any, node: Node, bag: Bag) -> None:
    span = _key_span(node, error.known[0])
    bag.error("missing-key", f"`{error.known[0]}` needs `{error.key}` beside it", span, help=f"add `{error.key}:`")


def _key_no_name(error: Any, node: Node, bag: Bag) -> None:
    bad_name(error.key, _key_span(node, error.key), bag)


def _no_match(error: Any, node: Node, bag: Bag) -> None:
    raw = node.raw if isinstance(node, Scalar) else ""
    if error.schema.get("x-name"):
        bad_name(raw, node.span, bag)
        return
    large = _LONG_RANGE.fullmatch(raw) is not None
    message = f"the numbers of `{raw}` are too large" if large else f"`{raw}` cannot be read here"
    bag.error("bad-value", message, node.span, help=error.schema.get("x-hint", ""))


def _no_member(error: Any, node: Node, bag: Bag) -> None:
    values = [str(v) for v in error.validator_value]
    raw = node.raw if isinstance(node, Scalar) else ""
    near = did_you_mean(raw, values)
    bag.error("bad-value", f"`{raw}` is not a value here", node.span, help=near or _list("write one of", values))


def _bound(error: Any, node: Node, bag: Bag) -> None:
    small = error.validator == "minimum"
    label = f"at {'least' if small else 'most'} {error.validator_value}"
    bag.error("bad-value", f"the number is too {'small' if small else 'large'}", node.span, label=label)


def _bad_size(error: Any, node: Node, key: Scalar | None, bag: Bag) -> None:
    """Too few or too many entries of a list or map."""
    wanted = error.schema.get("x-size", "")
    count = len(node.items) if isinstance(node, Seq) else len(node.entries) if isinstance(node, Map) else 0
    what = "list" if isinstance(node, Seq) else "map"
    message = f"the {what} has {count} {'entry' if count == 1 else 'entries'}" if count else f"the {what} is empty"
    if wanted:
        mend = f"write {wanted}"
    else:
        mend = f"at most {error.validator_value} are allowed" if count else "add an entry, or remove the key"
    bag.error("bad-size", message, key.span if key is not None else node.span, help=mend)


_TELL = {
    "additionalProperties": _unknown_key,
    "dependentRequired": _missing_partner,
    "enum": _no_member,
    "maximum": _bound,
    "minimum": _bound,
    "pattern": _no_match,
    "propertyNames": _key_no_name,
    "required": _missing_key,
}
