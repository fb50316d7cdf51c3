"""Small readers that the builders share. They expect trees of the right shape (see `schema`)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from interpreter.diagnostics import Bag, Note
from interpreter.reading import yamltree as tree
from interpreter.reading.model import Citation
from interpreter.reading.schema import NAMES, bad_name, shown
from interpreter.reading.yamltree import Map, Node, Scalar, Seq
from interpreter.source import Name, Span, Text

NAME_PATTERN = r"[a-z][a-z0-9_]*"


def string(node: Map, key: str) -> str:
    """Text for people, empty if there is none."""
    value = tree.get(node, key)
    return value.raw.strip() if isinstance(value, Scalar) else ""


def flag(node: Map, key: str) -> bool:
    """A truth value, false if there is none."""
    value = tree.get(node, key)
    return isinstance(value, Scalar) and value.value is True


def number(node: Map, key: str) -> int | None:
    """A number, None if there is none."""
    value = tree.get(node, key)
    return value.value if isinstance(value, Scalar) and isinstance(value.value, int) else None


def name(node: Map, key: str) -> Name | None:
    """A name, None if there is none."""
    value = tree.get(node, key)
    return value.name if isinstance(value, Scalar) else None


def names(value: Node | None) -> tuple[Name, ...]:
    """One name or a list of names; empty if there is nothing."""
    if isinstance(value, Scalar):
        return (value.name,)
    return tuple(item.name for item in value.items if isinstance(item, Scalar)) if isinstance(value, Seq) else ()


def items(node: Node | None) -> tuple[Node, ...]:
    """The entries of a list; empty if there is none."""
    return node.items if isinstance(node, Seq) else ()


def maps(node: Node | None) -> tuple[Map, ...]:
    """The maps of a list, or the one map that stands in its place."""
    if isinstance(node, Map):
        return (node,)
    return tuple(item for item in items(node) if isinstance(item, Map))


def entries(node: Node | None) -> tuple[tuple[Scalar, Node], ...]:
    """The pairs of a map; empty if there is none."""
    return node.entries if isinstance(node, Map) else ()


def effect(value: Node | None, bag: Bag) -> Text | None:
    """A value as effect text, None if there is none. Text without exact places (folded, with escapes) is an error."""
    if not isinstance(value, Scalar):
        return None
    if value.text is None:
        folded = "\n" in value.span.text
        message = "rule text is folded over several lines" if folded else "rule text has escapes in it"
        mend = "put it on one line, or in a `|` block" if folded else "use the other sort of quotes, or a `|` block"
        bag.error("folded-text", message, _first_line(value.span), help=mend)
    return value.text


def citation(node: Map) -> Citation:
    """`rule:` (one text, or a list of sections) and `source:`."""
    source, rule = tree.get(node, "source"), tree.get(node, "rule")
    if isinstance(source, Scalar):
        sources: tuple[tuple[str, str], ...] = (("", source.raw),)
    else:
        sources = tuple((k.raw, v.raw) for k, v in entries(source) if isinstance(v, Scalar))
    if rule is None:
        return Citation((), sources)
    texts = tuple(one.raw for one in items(rule) or (rule,) if isinstance(one, Scalar))
    return Citation(texts, sources, isinstance(rule, Seq), rule.span)


def plural(name: str) -> str:
    """The name of the set of all of a kind: stone - stones, body - bodies, day - days, boss - bosses."""
    if name.endswith("y") and len(name) > 1 and name[-2] not in "aeiou":
        return name[:-1] + "ies"
    if name.endswith(("s", "x", "ch", "sh", "z")):
        return name + "es"
    return name + "s"


def good_name(value: Node, what: str, bag: Bag) -> Name | None:
    """A value that has to be a name and that no schema has seen; None, with an error, if it is none."""
    if isinstance(value, Scalar) and isinstance(value.value, str):
        if re.fullmatch(NAME_PATTERN, value.raw):
            return value.name
        bad_name(value.raw, value.span, bag)
        return None
    bag.error("wrong-type", f"expected {what}, got {shown(value)}", value.span, help=NAMES)
    return None


def unique(found: Iterable[tuple[str, Name]], bag: Bag) -> None:
    """Refuses the same name twice; each is given with the words that say what it names (`the option`)."""
    first: dict[tuple[str, str], Name] = {}
    for what, one in found:
        known = first.setdefault((what, one.text), one)
        if known is not one:
            bag.error(
                "duplicate-id",
                f"{what} `{one.text}` is there twice",
                one.span,
                label="again here",
                notes=[Note(f"`{one.text}` is first here", known.span)],
                help="rename or remove one of the two",
            )


def reach(key: Scalar, value: Node) -> Span:
    """From a key to the end of its value."""
    return key.span.to(value.span) if value.span.end > key.span.end else key.span


def _first_line(span: Span) -> Span:
    end = span.text.find("\n")
    return span if end < 0 else Span(span.source, span.start, span.start + len(span.text[:end].rstrip()))
