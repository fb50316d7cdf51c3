"""A position by names: every cell that the layout knows, for people, tests and other programs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from interpreter.core import header
from interpreter.core.compiled import Compiled
from interpreter.core.layout import Region
from interpreter.lang.types import BoolT, EnumT, IntT, KindT, MaybeT, SetT, Ty, strip
from interpreter.runtime import texts
from interpreter.runtime.invariants import pile
from interpreter.runtime.sightings import Sightings, members
from interpreter.runtime.view import View


def readable(compiled: Compiled, cells: memoryview) -> dict[str, object]:
    """Names and values of all fields, places and frames."""
    head: dict[str, object] = {
        "status": "over" if cells[header.STATUS] else "running",
        "winner": _player(compiled, cells[header.WINNER]),
        "block": compiled.program.blocks[cells[header.PC]].name if not cells[header.STATUS] else None,
        "plies": cells[header.PLIES],
        "answers": cells[header.ANSWERS],
        "known": cells[header.KNOWN],
        "mover": _player(compiled, cells[header.MOVER]),
        "generator": [cells[header.RANDOM + i] for i in range(4)],
    }
    frames: dict[str, object] = {}
    for region in compiled.layout.regions:
        if region.what == "frame":
            frames[region.name] = members(cells, region.base, region.width) if region.width > 1 else cells[region.base]
    return head | _contents(compiled, cells, None) | {"frames": frames}


def seen(compiled: Compiled, view: View) -> dict[str, object]:
    """What a player sees, by names: `closed` pieces are counted by where they are, and nothing else of them is told."""
    cells = memoryview(view.block).cast("i")
    head: dict[str, object] = {
        "status": "over" if cells[header.STATUS] else "running",
        "winner": _player(compiled, cells[header.WINNER]),
        "mover": _player(compiled, cells[header.MOVER]),
    }
    return head | _contents(compiled, cells, view.seen) | {"closed": list(_closed(compiled, cells, view.seen))}


def _closed(compiled: Compiled, cells: memoryview, seen: Sightings) -> Iterator[dict[str, object]]:
    """The closed pieces, those together that look alike and are at the same place."""
    for group in seen.groups:
        kind = group.kind
        counts: Counter[tuple[int, str]] = Counter()
        looks: dict[str, dict[str, object]] = {}
        for piece in group.pieces:
            fields: dict[str, object] = {}
            for name in sorted(compiled.secrecy.open[kind]):
                f = kind.fields[name]
                region = compiled.layout.fields.get(f)
                if region is not None:
                    _field(compiled, cells, region, fields, seen, only=piece)
                elif not f.per:
                    fields.setdefault(name, _value(compiled.constants[f][piece], f.type))
            look = json.dumps(fields, sort_keys=True)
            looks[look] = fields
            counts[cells[compiled.layout.at[kind].base + piece], look] += 1
        for (place, look), count in sorted(counts.items()):
            found: dict[str, object] = {"kind": kind.name, "name": compiled.secrecy.closed[kind]}
            found |= {"at": texts.place_id(place, compiled.world), "count": count}
            yield found | ({"fields": looks[look]} if looks[look] else {})


def _contents(compiled: Compiled, cells: memoryview, seen: Sightings | None) -> dict[str, object]:
    """Fields and places, and the order of piles, as far as they are seen."""
    out: dict[str, object] = {}
    fields: dict[str, object] = {}
    piles: dict[str, object] = {}
    for region in compiled.layout.regions:
        if region.what == "at" and region.kind is not None:
            for i, entity in enumerate(region.kind.entities):
                if seen is not None and i in seen.closed.get(region.kind, ()):
                    continue
                _entry(fields, region.kind.name, entity.id)["at"] = texts.place_id(
                    cells[region.base + i], compiled.world
                )
        elif region.what == "field":
            _field(compiled, cells, region, fields, seen)
        elif region.what == "top" and region.zone is not None and region.kind is not None:
            for i in range(region.count):
                name = texts.place_id(region.zone.place_base + i, compiled.world)
                lying = pile(compiled, cells, region.zone, i)
                piles[name] = [_named(compiled, cells, KindT(region.kind), piece, seen, False) for piece in lying]
    out["fields"] = fields
    if piles:
        out["piles"] = piles  # from the top down
    return out


def _named(
    compiled: Compiled, cells: memoryview, ty: KindT, piece: int, seen: Sightings | None, placed: bool = True
) -> object:
    """A thing's id; for something closed how it reads, and where it is."""
    if seen is None or piece not in seen.closed.get(ty.kind, ()):
        return texts.thing_id(piece, ty)
    place = texts.place_id(cells[compiled.layout.at[ty.kind].base + piece], compiled.world)
    return f"{compiled.secrecy.closed[ty.kind]} at {place}" if placed else compiled.secrecy.closed[ty.kind]


def _entry(fields: dict[str, object], kind: str, entity: str) -> dict[str, object]:
    entries = fields.setdefault(kind, {})
    assert isinstance(entries, dict)
    made = entries.setdefault(entity, {})
    assert isinstance(made, dict)
    return made


def _field(
    compiled: Compiled,
    cells: memoryview,
    region: Region,
    fields: dict[str, object],
    seen: Sightings | None,
    only: int | None = None,
) -> None:
    """Adds a field's values by owner, scene and keys; with `only` those of a single owner, without saying whose."""
    f = region.field
    assert f is not None

    def shown(value: int, ty: Ty) -> object:
        return _value(value, ty) if seen is None else _seen_value(compiled, cells, value, ty, seen)

    each, closed = f.cells_each, frozenset() if seen is None else seen.closed.get(f.owner, frozenset())  # type: ignore[arg-type]
    hides = seen is not None and only is None and seen.may_hide(f)
    for i in range(region.count) if only is None else range(only * each, only * each + each):
        owner, index = divmod(i, each)
        if only is None and seen is not None and (owner in closed or (hides and seen.hides(f, i))):
            continue
        base = region.base + i * region.width
        if isinstance(f.type, SetT):
            low = f.type.of.sort.low if isinstance(f.type.of, KindT) and f.type.of.sort else 0
            value: object = [shown(m + low, f.type.of) for m in members(cells, base, region.width)]
        else:
            value = shown(cells[base], f.type)
        if f.scene is not None:
            found = fields.setdefault(f.scene.name, {})
            assert isinstance(found, dict)
            entry = found
        elif only is not None or f.owner is None:
            entry = fields
        else:
            entry = _entry(fields, f.owner.name, f.owner.entities[owner].id)
        if not f.per:
            entry[f.name] = value
            continue
        keys = []
        for ty, size in reversed(f.per):
            index, key = divmod(index, size)
            keys.append(texts.thing_id(key, ty))
        indexed = entry.setdefault(f.name, {})
        assert isinstance(indexed, dict)
        indexed[" ".join(reversed(keys))] = value


def _seen_value(compiled: Compiled, cells: memoryview, value: int, ty: Ty, seen: Sightings) -> object:
    inner = strip(ty)
    if isinstance(inner, KindT) and value >= 0:
        return _named(compiled, cells, inner, value, seen)
    return _value(value, ty)


def _player(compiled: Compiled, seat: int) -> str | None:
    return compiled.world.players.entities[seat].id if seat >= 0 else None


def _value(value: int, ty: Ty) -> object:
    match ty:
        case MaybeT(of):
            return None if value < 0 else _value(value, of)
        case BoolT():
            return bool(value)
        case EnumT() | KindT():
            return texts.thing_id(value, ty)
        case IntT():
            return value
    return value
