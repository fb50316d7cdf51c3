"""A position by names: every cell that the layout knows, for people, tests and other programs."""

from __future__ import annotations

from interpreter.core import header
from interpreter.core.compiled import Compiled
from interpreter.core.layout import Region
from interpreter.lang.types import BoolT, EnumT, IntT, KindT, MaybeT, SetT, Ty
from interpreter.runtime import texts
from interpreter.runtime.invariants import pile


def readable(compiled: Compiled, cells: memoryview) -> dict[str, object]:
    """Names and values of all fields, places and frames."""
    out: dict[str, object] = {
        "status": "over" if cells[header.STATUS] else "running",
        "winner": _player(compiled, cells[header.WINNER]),
        "block": compiled.program.blocks[cells[header.PC]].name if not cells[header.STATUS] else None,
        "plies": cells[header.PLIES],
        "answers": cells[header.ANSWERS],
        "known": cells[header.KNOWN],
        "mover": _player(compiled, cells[header.MOVER]),
        "generator": [cells[header.RANDOM + i] for i in range(4)],
    }
    fields: dict[str, object] = {}
    frames: dict[str, object] = {}
    piles: dict[str, object] = {}
    for region in compiled.layout.regions:
        if region.what == "frame":
            frames[region.name] = _bits(cells, region.base, region.width) if region.width > 1 else cells[region.base]
        elif region.what == "at" and region.kind is not None:
            for i, entity in enumerate(region.kind.entities):
                _entry(fields, region.kind.name, entity.id)["at"] = texts.place_id(
                    cells[region.base + i], compiled.world
                )
        elif region.what == "field":
            _field(compiled, cells, region, fields)
        elif region.what == "top" and region.zone is not None and region.kind is not None:
            for i in range(region.count):
                name = texts.place_id(region.zone.place_base + i, compiled.world)
                lying = pile(compiled, cells, region.zone, i)
                piles[name] = [region.kind.entities[piece].id for piece in lying]
    out["fields"] = fields
    if piles:
        out["piles"] = piles  # from the top down
    out["frames"] = frames
    return out


def _entry(fields: dict[str, object], kind: str, entity: str) -> dict[str, object]:
    entries = fields.setdefault(kind, {})
    assert isinstance(entries, dict)
    made = entries.setdefault(entity, {})
    assert isinstance(made, dict)
    return made


def _field(compiled: Compiled, cells: memoryview, region: Region, fields: dict[str, object]) -> None:
    f = region.field
    assert f is not None
    for i in range(region.count):
        base = region.base + i * region.width
        value = _set(cells, base, region.width, f.type) if isinstance(f.type, SetT) else _value(cells[base], f.type)
        owner, index = divmod(i, f.cells_each)
        if f.scene is not None:
            found = fields.setdefault(f.scene.name, {})
            assert isinstance(found, dict)
            entry = found
        else:
            entry = fields if f.owner is None else _entry(fields, f.owner.name, f.owner.entities[owner].id)
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


def _bits(cells: memoryview, base: int, width: int) -> list[int]:
    bits = sum((cells[base + i] & 0xFFFFFFFF) << (32 * i) for i in range(width))
    return [i for i in range(32 * width) if bits >> i & 1]


def _set(cells: memoryview, base: int, width: int, ty: SetT) -> list[object]:
    low = ty.of.sort.low if isinstance(ty.of, KindT) and ty.of.sort else 0
    return [_value(i + low, ty.of) for i in _bits(cells, base, width)]
