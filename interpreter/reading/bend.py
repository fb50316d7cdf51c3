"""What bends the rules: exceptions, hooks, and what options and scenarios add to phases."""

from __future__ import annotations

from interpreter.diagnostics import Bag, did_you_mean
from interpreter.reading import build, parts
from interpreter.reading import yamltree as tree
from interpreter.reading.model import AddDef, ExceptionDef, FieldDef, WheneverDef
from interpreter.reading.yamltree import Map, Node, Scalar
from interpreter.source import Name

VERBS = ("add", "result", "allow", "forbid", "instead", "before", "after")
OTHER_KEYS = ("to", "when", "rule", "source")


def exceptions(node: Node | None, bag: Bag) -> tuple[ExceptionDef, ...]:
    """The exceptions of a list, in order."""
    return tuple(e for one in parts.items(node) if isinstance(one, Map) and (e := _exception(one, bag)))


def _exception(node: Map, bag: Bag) -> ExceptionDef | None:
    to = parts.effect(tree.get(node, "to"), bag)
    verbs = [(key, value) for key, value in node.entries if tree.get(node, key.raw) is not None and key.raw in VERBS]
    for key, _ in node.entries:
        if key.raw not in VERBS and key.raw not in OTHER_KEYS:
            known = [*VERBS, *OTHER_KEYS]
            bag.error(
                "unknown-key", f"an exception has no key `{key.raw}`", key.span, help=did_you_mean(key.raw, known)
            )
            return None
    if to is None:
        if tree.get(node, "to") is None:
            bag.error(
                "missing-key",
                "this exception does not say what it bends",
                node.span,
                help="add `to: function(parameters)`",
            )
        return None
    if len(verbs) != 1:
        has = "says nothing that it does" if not verbs else f"does both `{verbs[0][0].raw}` and `{verbs[1][0].raw}`"
        words = ", ".join(f"`{v}`" for v in VERBS)
        bag.error(
            "exception-verb",
            f"this exception {has}",
            node.span,
            help=f"give one of {words}; write another exception for more",
        )
        return None
    key, value = verbs[0]
    text = parts.effect(value, bag)
    if text is None:
        return None
    when = parts.effect(tree.get(node, "when"), bag)
    return ExceptionDef(to, key.name, text, node.span, when, parts.citation(node))


def adds(node: Node | None, bag: Bag) -> tuple[AddDef, ...]:
    """`- {before: phase, do: …}` and `- {after: phase, do: …}`."""
    found = []
    for one in parts.maps(node):
        do = parts.effect(tree.get(one, "do"), bag)
        before, after = parts.name(one, "before"), parts.name(one, "after")
        phase = before or after
        if do is not None and phase is not None:
            found.append(AddDef(before is not None, phase, do, one.span))
    return tuple(found)


def whenever(node: Node | None, bag: Bag) -> tuple[WheneverDef, ...]:
    """Settling rules, in the order in which they are tested."""
    found = []
    for one in parts.maps(node):
        name, do = parts.name(one, "name"), parts.effect(tree.get(one, "do"), bag)
        if name is not None and do is not None:
            each, when = parts.effect(tree.get(one, "each"), bag), parts.effect(tree.get(one, "when"), bag)
            outside = parts.name(one, "outside")
            found.append(WheneverDef(name, do, one.span, each, when, outside, parts.citation(one)))
    return tuple(found)


def more_fields(node: Node | None, bag: Bag) -> tuple[tuple[Name | None, FieldDef], ...]:
    """Fields that an option adds: `kind.field: type` to a kind, `field: type` to the game."""
    found: list[tuple[Name | None, FieldDef]] = []
    for key, value in parts.entries(node):
        owner, dot, name = key.raw.rpartition(".")
        made = build.one_field(Scalar(name, name, key.text, key.span), value, bag)
        if made is not None:
            found.append((Name(owner, key.span) if dot else None, made))
    return tuple(found)
