"""Declarations of lookup tables: what each entry of a key covers, and a value for every cell."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from interpreter.diagnostics import Bag, Note, did_you_mean
from interpreter.lang.declare_names import is_new, resolve_type
from interpreter.lang.parse import parse_type
from interpreter.lang.types import ERROR, INT, EnumT, KindT, ListT, Ty
from interpreter.lang.values import value_of
from interpreter.lang.world import Key, Table, World
from interpreter.reading.model import GameDef, TableDef
from interpreter.reading.yamltree import Scalar
from interpreter.source import Name

_NUMBER = r"-?[0-9]{1,9}"
Covered = tuple[int | None, int | None]  # from … to, None without end

_FORMS: tuple[tuple[re.Pattern[str], Callable[[int, int], Covered]], ...] = (
    (re.compile(rf"<=\s*({_NUMBER})"), lambda a, _: (None, a)),
    (re.compile(rf"<\s*({_NUMBER})"), lambda a, _: (None, a - 1)),
    (re.compile(rf">=\s*({_NUMBER})"), lambda a, _: (a, None)),
    (re.compile(rf">\s*({_NUMBER})"), lambda a, _: (a + 1, None)),
    (re.compile(rf"({_NUMBER})\+"), lambda a, _: (a, None)),
    (re.compile(rf"({_NUMBER})\s*(?:-|–|\.\.)\s*({_NUMBER})"), lambda a, b: (a, b)),
    (re.compile(rf"({_NUMBER})"), lambda a, _: (a, a)),
)


def declare_tables(game: GameDef, world: World, bag: Bag) -> None:
    """The tables of a game, and the names of the sets of rows of those with columns."""
    taken = {**world.kinds, **world.enums, **world.zones, **world.scenes, **world.globals}
    for rows in game.row_sets:
        if is_new(rows.name, {**taken, **world.tables, **world.row_sets}, bag, "table"):
            kind = world.kinds.get(rows.kind.text)
            if kind is not None:
                world.row_sets[rows.name.text] = kind
    for d in game.tables:
        if is_new(d.name, {**taken, **world.tables, **world.row_sets}, bag, "table"):
            made = _table(d, world, bag)
            if made is not None:
                world.tables[d.name.text] = made


def _table(d: TableDef, world: World, bag: Bag) -> Table | None:
    keys = [k for name, labels in d.by if (k := _key(name, labels, world, bag))]
    ref = parse_type(d.gives, bag)
    gives = resolve_type(ref, world, bag) if ref else ERROR
    if isinstance(gives, ListT):
        bag.error("bad-type", "a table can't give lists", d.gives.whole, help="give sets: `set of …`")
        gives = ERROR
    if len(keys) != len(d.by) or gives is ERROR or not _fits(d, bag):
        return None
    values = [value_of(node, gives, None, world, bag) for row in d.cells for node in row]
    _doubts(d, bag)
    if any(v is None for v in values):
        return None
    return Table(d.name.text, d.span, tuple(keys), gives, tuple(v for v in values if v is not None), d)


def _fits(d: TableDef, bag: Bag) -> bool:
    """Whether there are as many rows and values as the keys have entries."""
    rows = 1 if len(d.by) == 1 else len(d.by[0][1])
    width = len(d.by[-1][1])
    before = len(bag.items)
    for row in d.cells:
        if len(row) != width:
            begin = row[0].span.to(row[-1].span)
            bag.error(
                "row-length",
                f"this row has {len(row)} {'value' if len(row) == 1 else 'values'}, "
                f"and `{d.by[-1][0].text}` has {width} entries",
                begin,
                notes=[Note(f"the entries of `{d.by[-1][0].text}`", d.by[-1][0].span)],
                help="give one value for each entry",
            )
    if len(d.by) == 2 and len(d.cells) != rows:
        bag.error(
            "row-count",
            f"the table has {len(d.cells)} {'row' if len(d.cells) == 1 else 'rows'}, "
            f"and `{d.by[0][0].text}` has {rows} entries",
            d.name.span,
            notes=[Note(f"the entries of `{d.by[0][0].text}`", d.by[0][0].span)],
            help="give one row for each entry of the first key",
        )
    return len(bag.items) == before


def _doubts(d: TableDef, bag: Bag) -> None:
    for cell in d.doubtful:
        if len(cell) != len(d.by):
            bag.error("unknown-cell", f"a cell of this table has {len(d.by)} keys", cell[0].span)
            continue
        for label, (name, labels) in zip(cell, d.by, strict=True):
            known = [x.raw for x in labels]
            if label.raw not in known:
                few = "its entries are " + ", ".join(f"`{k}`" for k in known[:8])
                bag.error(
                    "unknown-cell",
                    f"`{name.text}` has no entry `{label.raw}`",
                    label.span,
                    help=did_you_mean(label.raw, known) or few,
                )


# ---- keys -----------------------------------------------------------------------------------------------------------


def _key(name: Name, labels: tuple[Scalar, ...], world: World, bag: Bag) -> Key | None:
    titles = tuple(x.raw for x in labels)
    if _range(labels[0].raw) is not None or not re.fullmatch(r"[a-z][a-z0-9_]*", labels[0].raw):
        spans = _spans(name, labels, bag)
        return None if spans is None else Key(name.text, INT, spans, (), titles)
    ty = _key_type(name, labels, world, bag)
    if ty is None:
        return None
    known = _members(ty)
    values: list[int] = []
    for label in labels:
        if label.raw not in known:
            bag.error(
                "unknown-name", f"there is no {ty} `{label.raw}`", label.span, help=did_you_mean(label.raw, known)
            )
            return None
        if known.index(label.raw) in values:
            first = labels[values.index(known.index(label.raw))]
            _overlap(label.raw, label, first, name, bag)
            return None
        values.append(known.index(label.raw))
    missing = [m for i, m in enumerate(known) if i not in values]
    if missing and isinstance(ty, EnumT):
        names = ", ".join(f"`{m}`" for m in missing)
        bag.error(
            "table-gap", f"`{name.text}` has no entry for {names}", name.span, help="every value of an enum needs one"
        )
        return None
    return Key(name.text, ty, (), tuple(values), titles)


def _members(ty: Ty) -> list[str]:
    if isinstance(ty, EnumT):
        return list(ty.enum.values)
    assert isinstance(ty, KindT)
    return [e.id for e in ty.kind.entities]


def _key_type(name: Name, labels: tuple[Scalar, ...], world: World, bag: Bag) -> Ty | None:
    """The enum or kind whose members the entries are: the one that the key is named after, else the only one that has
    them.
    """
    if name.text in world.enums:
        return EnumT(world.enums[name.text])
    if name.text in world.kinds:
        return KindT(world.kinds[name.text])
    found: list[Ty] = [EnumT(e) for e in world.enums.values() if labels[0].raw in e.values]
    found += [KindT(k) for k in world.kinds.values() if any(e.id == labels[0].raw for e in k.entities)]
    if len(found) == 1:
        return found[0]
    if found:
        names = " or ".join(f"`{t}`" for t in found)
        bag.error(
            "ambiguous-name",
            f"`{labels[0].raw}` can be of {names}",
            labels[0].span,
            help=f"name the key after the one you mean, such as `{found[0]}: [{labels[0].raw}, …]`",
        )
        return None
    known = [v for e in world.enums.values() for v in e.values]
    known += [e.id for k in world.kinds.values() for e in k.entities]
    bag.error(
        "bad-range",
        f"`{labels[0].raw}` is no number, range, value or entity",
        labels[0].span,
        help=did_you_mean(labels[0].raw, known) or "write `3`, `6-10`, `<=1` or `17+`",
    )
    return None


def _range(text: str) -> Covered | None:
    for pattern, made in _FORMS:
        found = pattern.fullmatch(text.strip())
        if found:
            numbers = [int(x) for x in found.groups()]
            return made(numbers[0], numbers[-1])
    return None


def _spans(name: Name, labels: tuple[Scalar, ...], bag: Bag) -> tuple[Covered, ...] | None:
    """What entries cover; neither gaps nor overlaps are allowed between them."""
    spans: list[tuple[Covered, Scalar]] = []
    for label in labels:
        found = _range(label.raw)
        if found is None:
            bag.error(
                "bad-range",
                f"`{label.raw}` is no number or range",
                label.span,
                help="write `3`, `6-10`, `<=1` or `17+`",
            )
            return None
        low, high = found
        if low is not None and high is not None and low > high:
            bag.error("bad-range", f"nothing lies between {low} and {high}", label.span, help=f"write `{high}-{low}`")
            return None
        spans.append((found, label))
    ok = True
    ordered = sorted(spans, key=lambda x: -(2**31) if x[0][0] is None else x[0][0])
    for (one, first), (other, second) in pairwise(ordered):
        end, start = one[1], other[0]
        if end is None or start is None or start <= end:
            _overlap(f"{start if start is not None else end}", second, first, name, bag)
            ok = False
        elif start > end + 1:
            hole = f"{end + 1}" if start == end + 2 else f"{end + 1} to {start - 1}"
            bag.error(
                "table-gap",
                f"`{name.text}` has a gap between {end} and {start}",
                second.span,
                label=f"nothing covers {hole}",
                notes=[Note("the entry before it", first.span)],
                help=f"add an entry for {hole}, or widen one of the two",
            )
            ok = False
    return tuple(x[0] for x in spans) if ok else None


def _overlap(what: str, second: Scalar, first: Scalar, name: Name, bag: Bag) -> None:
    bag.error(
        "table-overlap",
        f"two entries of `{name.text}` cover {what}",
        second.span,
        notes=[Note("the other is here", first.span)],
        help="let each number stand in one of them" if isinstance(_range(what), tuple) else "remove one of the two",
    )
