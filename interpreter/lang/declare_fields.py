"""Declarations of fields (of kinds, options and the game), what they are indexed by, and inverses of references."""

from __future__ import annotations

from interpreter.diagnostics import Bag
from interpreter.lang.declare_names import BUILTIN_FIELDS, is_new, kind_named, plain_type, resolve_type
from interpreter.lang.parse import parse_type
from interpreter.lang.types import (
    ERROR,
    BoolT,
    EnumT,
    IntT,
    KindT,
    ListT,
    MaybeT,
    RangeT,
    Ty,
    article,
    bounds,
    strip,
)
from interpreter.lang.world import Field, Inverse, Kind, World
from interpreter.reading.model import FieldDef, GameDef
from interpreter.source import Name

MOST_INDICES = 1000  # numbers of a range by which something is indexed


def declare_fields(game: GameDef, world: World, bag: Bag) -> None:
    """The fields of kinds, of options and of the game itself."""
    for d in game.kinds:
        kind = world.kinds.get(d.name.text)
        for f in d.fields if kind else ():
            if f.name.text in BUILTIN_FIELDS or (kind and f.name.text in kind.holds):
                bag.error("duplicate-name", f"`{f.name.text}` is a built-in field", f.name.span)
            elif kind and is_new(f.name, kind.fields, bag, "field"):
                made = make_field(f, kind, world, bag)
                if made:
                    kind.fields[f.name.text] = made
                    _faces(f, made, kind, bag)
    for option in game.options:
        for owner, f in option.fields:
            _option_field(owner, f, world, bag)
    for d in game.kinds:
        for f in d.fields:
            if f.inverse is not None:
                _inverse(f, world.kinds.get(d.name.text), f.inverse, world, bag)
    for f in game.globals:
        if is_new(f.name, world.globals, bag, "global"):
            made = make_field(f, None, world, bag)
            if made:
                world.globals[f.name.text] = made


def _faces(d: FieldDef, made: Field, kind: Kind, bag: Bag) -> None:
    """The keys under which entries say what holds while a field has a value."""
    if not d.faces:
        return
    values = 2 if isinstance(made.type, BoolT) else len(made.type.enum.values) if isinstance(made.type, EnumT) else 0
    if values != len(d.faces):
        what = f"{values} values" if values else "no values to turn between"
        bag.error(
            "wrong-faces",
            f"`{d.name.text}` has {what}, and {len(d.faces)} faces are named",
            d.faces[0].span,
            help="name one face for each value of the field, in order" if values else "faces go with a bool or an enum",
        )
    for value, name in enumerate(d.faces):
        taken: dict[str, object] = {k: f for k, f in kind.fields.items() if f is not made}
        if is_new(name, taken | dict(kind.faces), bag, "face"):
            kind.faces[name.text] = (made, value)


def _option_field(owner: Name | None, d: FieldDef, world: World, bag: Bag) -> None:
    """A field that an option adds to a kind, or to the game. It is there whether the option is on or not."""
    kind = kind_named(owner, world, bag) if owner else None
    if owner and kind is None:
        return
    fields = kind.fields if kind else world.globals
    if is_new(d.name, fields, bag, "field"):
        made = make_field(d, kind, world, bag)
        if made:
            fields[d.name.text] = made


def make_field(d: FieldDef, owner: Kind | None, world: World, bag: Bag) -> Field | None:
    """A declared field; None, and an error, if its type is none."""
    ref = parse_type(d.type, bag)
    ty = resolve_type(ref, world, bag) if ref else ERROR
    if ty is ERROR:
        return None
    if isinstance(ty, ListT):
        bag.error("bad-type", "a field can't hold a list", d.type.whole, help="use a set, or a field for each number")
        return None
    if isinstance(ty, MaybeT) and isinstance(ty.of, IntT):
        bag.error(
            "bad-type", "a number can't be optional", d.type.whole, help="use a number that never occurs, such as 0"
        )
        return None
    low, high = bounds(ty)
    if isinstance(ty, IntT):
        low = d.minimum if d.minimum is not None else low
        high = d.maximum if d.maximum is not None else high
    elif d.minimum is not None or d.maximum is not None or d.ceiling is not None:
        message = f"only numbers have `min`, `max` or `track`, and this is {article(str(ty))}"
        bag.error("bad-bounds", message, d.span, help="remove it, or make the field an `int`")
    if low > high and isinstance(ty, IntT):
        bag.error("bad-bounds", f"nothing lies between {low} and {high}", d.span, help="swap them")
    per = tuple(p for name in d.per if (p := index_type(name, world, bag)))
    return Field(
        d.name.text,
        owner,
        None,
        ty,
        d.span,
        low,
        high,
        track=d.track,
        per=per,
        set_by=tuple(n.text for n in d.set_by),
        default=_default(ty, low, high),
        until=d.until,
        constant=d.constant,
    )


def _default(ty: Ty, low: int, high: int) -> int:
    """Where nothing is said: none, false, the empty set, 0 or what is nearest to it, the first value."""
    if isinstance(ty, MaybeT):
        return -1
    if isinstance(ty, IntT):
        return min(max(0, low), high)
    return low if isinstance(ty, EnumT | KindT) else 0


def index_type(name: Name, world: World, bag: Bag) -> tuple[Ty, int] | None:
    """What an index runs over, and how many values it has: a range of numbers, an enum or a kind."""
    low, dots, high = name.text.partition("..")
    if dots:
        first, last = int(low), int(high)
        if first > last:
            bag.error("bad-bounds", f"nothing lies between {first} and {last}", name.span, help="swap them")
            return None
        if last - first >= MOST_INDICES:
            bag.error("too-many", f"a range has at most {MOST_INDICES} numbers here", name.span)
            return None
        return RangeT(first, last), last - first + 1
    index = plain_type(name, world, bag)
    if isinstance(index, EnumT):
        return index, len(index.enum.values)
    if isinstance(index, KindT) and index.sort is None:
        return index, index.kind.size
    if index is not ERROR:
        mend = "use an enum, a kind or a range such as `1..40`"
        if isinstance(index, KindT):
            mend = f"use its kind, `{index.kind.name}`"
        bag.error("bad-type", f"a field can't be indexed by {index}", name.span, help=mend)
    return None


def _inverse(d: FieldDef, owner: Kind | None, name: Name, world: World, bag: Bag) -> None:
    """The set, kept on those that a field names, of those that name them."""
    made = owner.fields.get(d.name.text) if owner else None
    if made is None or owner is None:
        return
    ty = strip(made.type)
    if not isinstance(ty, KindT) or made.per:
        what = "this is indexed" if made.per else f"this is {made.type}"
        bag.error(
            "bad-inverse",
            f"only a field that names one thing has an inverse, and {what}",
            name.span,
            help="give it the type of a kind, such as `maybe space`",
        )
        return
    taken = {**ty.kind.fields, **ty.kind.holds, **ty.kind.inverses}
    if name.text in BUILTIN_FIELDS:
        bag.error("duplicate-name", f"`{name.text}` is a built-in field", name.span)
    elif is_new(name, taken, bag, "field"):
        made.inverse = ty.kind.inverses[name.text] = Inverse(name.text, ty.kind, made, name.span)
