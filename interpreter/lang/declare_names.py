"""Names in declarations: whether they are free, and what they mean as types and kinds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from interpreter.diagnostics import Bag, Note, did_you_mean
from interpreter.lang.nodes import TypeRef
from interpreter.lang.parse import RESERVED
from interpreter.lang.types import BOOL, ERROR, INT, BoolT, EnumT, KindT, ListT, PlaceT, SetT, Ty, maybe
from interpreter.lang.world import Kind, World
from interpreter.source import Name, Span

BUILTIN_FIELDS = {"at": "the place of a piece", "on": "the space of a piece"}


def resolve_type(ref: TypeRef, world: World, bag: Bag) -> Ty:
    """The type that a written type means; unknown names are reported and become ERROR."""
    inner = plain_type(ref.name, world, bag)
    if inner is ERROR or ref.form == "plain":
        return inner
    if ref.form == "maybe":
        return maybe(inner)
    if ref.form == "set" and isinstance(inner, BoolT | PlaceT):
        bag.error(
            "bad-type", f"there are no sets of {inner}", ref.span, help="sets hold entities, enum values or numbers"
        )
        return ERROR
    return SetT(inner) if ref.form == "set" else ListT(inner)


def plain_type(name: Name, world: World, bag: Bag) -> Ty:
    """The type of a single word."""
    text = name.text
    if text == "int":
        return INT
    if text == "bool":
        return BOOL
    if text in world.enums:
        return EnumT(world.enums[text])
    if text in world.kinds:
        return KindT(world.kinds[text])
    sort = world.sort(text)
    if sort:
        return KindT(sort.kind, sort)
    known = [
        "int",
        "bool",
        *world.enums,
        *(k for k in world.kinds if k != "direction"),
        *(s for k in world.kinds.values() for s in k.sorts),
    ]
    by_plural = {k.plural: k.name for k in world.kinds.values()}
    hint = f"did you mean `{by_plural[text]}`?" if text in by_plural else did_you_mean(text, known)
    bag.error("unknown-type", f"there is no type `{text}`", name.span, label="not a kind, sort or enum", help=hint)
    return ERROR


def is_new(name: Name, taken: Mapping[str, object], bag: Bag, what: str) -> bool:
    """Whether a name may be declared: not reserved and not taken."""
    if name.text in RESERVED:
        bag.error(
            "reserved-word",
            f"`{name.text}` is a word of the language and can't name {'an' if what[0] in 'aeiou' else 'a'} {what}",
            name.span,
            help=f"choose another name, for example `{name.text}_` or a longer word",
        )
        return False
    other = taken.get(name.text)
    if other is not None:
        span = getattr(other, "span", None)
        bag.error(
            "duplicate-name",
            f"the {what} `{name.text}` is declared twice",
            name.span,
            notes=[Note("first declared here", span)] if isinstance(span, Span) else [],
        )
        return False
    return True


def kind_named(name: Name, world: World, bag: Bag) -> Kind | None:
    """The kind of that name; an unknown one is reported."""
    kind = world.kinds.get(name.text)
    if kind is None:
        bag.error(
            "unknown-kind", f"there is no kind `{name.text}`", name.span, help=did_you_mean(name.text, world.kinds)
        )
    return kind


def known_fields(kind: Kind) -> Iterable[str]:
    """Names that may stand behind a dot, for hints."""
    yield from kind.fields
    yield from kind.holds
    yield from kind.inverses
    if kind.is_piece:
        yield from BUILTIN_FIELDS
