"""Entities that are written inside others: the ploys of a card stand in its entry, under the name of their set.

A kind with `inside: card` gets a field `card`, which never changes and names the entry around; cards get its inverse.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from interpreter.diagnostics import Bag, Note
from interpreter.reading import board, parts
from interpreter.reading.model import EntityDef, KindDef
from interpreter.reading.yamltree import Node, Scalar, Seq
from interpreter.source import Name

Inner = dict[str, dict[str, KindDef]]  # name of the outer kind -> key of an entry -> the kind written under it


def flattened(entities: Iterable[EntityDef], kinds: tuple[KindDef, ...], bag: Bag) -> list[EntityDef]:
    """All entries, those that stand inside others behind these, with the field that names the outer one."""
    inner: Inner = {}
    for kind in kinds:
        if kind.inside is not None:
            inner.setdefault(kind.inside.text, {})[parts.plural(kind.name.text)] = kind
    if not inner:
        return list(entities)
    names = {s.text: kind for kind in kinds for s in (kind.name, *kind.sorts)}
    found: list[EntityDef] = []
    for entity in entities:
        found += _with_inner(entity, names, inner, bag)
    for entity in found:
        mine = names.get(entity.kind.text)
        outer = mine.inside if mine is not None else None
        if mine is not None and outer is not None and all(name.text != outer.text for name, _ in entity.fields):
            bag.error(
                "not-inside",
                f"`{entity.id.text}` belongs to no {outer.text}",
                entity.id.span,
                notes=[Note(f"each {mine.name.text} stands inside one", outer.span)],
                help=f"write it inside one, under `{parts.plural(mine.name.text)}:`, or add `{outer.text}: …`",
            )
    return found


def _with_inner(entity: EntityDef, names: dict[str, KindDef], inner: Inner, bag: Bag) -> Iterator[EntityDef]:
    """An entry without those inside it, then these."""
    mine = names.get(entity.kind.text)
    keys = inner.get(mine.name.text, {}) if mine is not None else {}
    nested = [(name, node, keys[name.text]) for name, node in entity.fields if name.text in keys]
    if not nested or mine is None:
        yield entity
        return
    yield replace(entity, fields=tuple(f for f in entity.fields if f[0].text not in keys))
    for name, node, kind in nested:
        for one in _entries(name, node, kind, names, bag):
            for copy in _for_each_copy(entity, one, mine.name.text):
                yield from _with_inner(copy, names, inner, bag)


def _entries(name: Name, node: Node, kind: KindDef, names: dict[str, KindDef], bag: Bag) -> Iterator[EntityDef]:
    if not isinstance(node, Seq):
        message = f"`{name.text}` holds entries of kind `{kind.name.text}`"
        bag.error("wrong-type", message, name.span, help=f"write a list, such as `- {kind.name.text}: its_name`")
        return
    for one in board.entries(node, bag):
        if names.get(one.kind.text) is not kind:
            bag.error(
                "wrong-kind",
                f"`{one.kind.text}` does not stand under `{name.text}`",
                one.kind.span,
                notes=[Note(f"`{kind.name.text}` is declared here", kind.span)],
                help=f"begin the entry with `{kind.name.text}:`",
            )
        else:
            yield one


def _for_each_copy(outer: EntityDef, one: EntityDef, field: str) -> Iterator[EntityDef]:
    """An inner entry, once for each copy of the outer one, whose number it bears too."""
    for i in range(1, outer.copies + 1):
        several = outer.copies > 1
        around = f"{outer.id.text}_{i}" if several else outer.id.text
        named = (Name(field, one.span), Scalar(around, around, None, one.id.span))
        id_ = Name(f"{one.id.text}_{i}", one.id.span) if several else one.id
        title = f"{one.title} {i}" if several and one.title else one.title
        yield replace(one, id=id_, title=title, fields=(*one.fields, named))
