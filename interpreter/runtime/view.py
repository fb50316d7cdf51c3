"""Views: a position as one player may see it.

Closed pieces are dealt, in data order, onto the slots where one of their look is, their hidden fields are set to the first value, and
all that only the machine knows is set to 0: generator, counters, where in the rules play stands. So two positions that differ only in
what the player can't see give him the same view, byte for byte.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from interpreter.core import header, rng
from interpreter.core.compiled import Compiled
from interpreter.core.layout import Region
from interpreter.lang.types import KindT, SetT, strip
from interpreter.lang.world import Kind
from interpreter.runtime import relink
from interpreter.runtime.sightings import Evaluate, Group, closed_groups, private_fields

MACHINE_CELLS = (header.PC, header.ANSWERS, header.KNOWN, header.STEPS, header.RESULT, *range(header.RANDOM, header.RANDOM + 4))


@dataclass(frozen=True, eq=False)
class View:
    """What a player sees. `block`: the bytes; `closed`: by kind the pieces whose identity means nothing here, only their number."""

    seat: int
    block: bytearray
    closed: dict[Kind, frozenset[int]]

    def is_closed(self, kind: Kind, index: int) -> bool:
        """Whether a piece is only a token in this view."""
        return index in self.closed.get(kind, frozenset())


def view(compiled: Compiled, block: bytes | bytearray, seat: int, evaluate: Evaluate) -> View:
    """The view of the player in a seat. `evaluate` computes functions on the position that `block` holds."""
    source = memoryview(bytearray(block)).cast("i")
    groups = closed_groups(compiled, source, seat, evaluate)
    closed = {k: frozenset(i for g in groups if g.kind is k for i in g.pieces) for k in compiled.secrecy.sees}
    made = bytearray(block)
    cells = memoryview(made).cast("i")
    for cell in MACHINE_CELLS:
        cells[cell] = 0
    for region in compiled.layout.regions:
        if region.what == "frame":
            _clear(cells, region.base, region.width * region.count)
    for group in groups:
        _hide(compiled, cells, group)
        relink.deal(compiled, cells, group, group.pieces, closed)
    for kind in {g.kind for g in groups}:
        relink.relink(compiled, cells, kind, source)
    _hide_fields(compiled, cells, seat, evaluate)
    return View(seat, made, closed)


def _clear(cells: memoryview, base: int, count: int) -> None:
    for cell in range(base, base + count):
        cells[cell] = 0


def _hide(compiled: Compiled, cells: memoryview, group: Group) -> None:
    """Sets the hidden fields of closed pieces to their first values."""
    for f in private_fields(compiled, group.kind):
        region = compiled.layout.fields[f]
        for piece in group.pieces:
            for k in range(f.cells_each):
                _reset(compiled, cells, region, piece * f.cells_each + k)


def _reset(compiled: Compiled, cells: memoryview, region: Region, number: int) -> None:
    for cell in range(region.base + number * region.width, region.base + (number + 1) * region.width):
        cells[cell] = compiled.first[cell]


def _hide_fields(compiled: Compiled, cells: memoryview, seat: int, evaluate: Evaluate) -> None:
    """Sets fields of the game and of players that the seat does not see to their first values."""
    for f, function in compiled.secrecy.fields.items():
        region = compiled.layout.fields.get(f)
        if region is None:
            continue
        owners = f.owner.size if f.owner else 1
        for owner in range(owners):
            if not evaluate(function, (owner, seat)):
                for k in range(f.cells_each):
                    _reset(compiled, cells, region, owner * f.cells_each + k)


def redeal(compiled: Compiled, block: bytes | bytearray, seat: int, evaluate: Evaluate, seed: int) -> bytearray:
    """A whole position that the player in a seat can't tell from this one: closed pieces dealt anew at random, a fresh generator.

    Every mention of a closed piece (in fields and in what paused rules hold) moves along to the piece that now stands for it.
    """
    source = memoryview(bytearray(block)).cast("i")
    groups = closed_groups(compiled, source, seat, evaluate)
    made = bytearray(block)
    cells = memoryview(made).cast("i")
    renamed: dict[Kind, dict[int, int]] = {}
    state, increment = rng.seeded(seed)
    for group in groups:
        order = list(group.pieces)
        for i in range(len(order) - 1, 0, -1):  # Fisher and Yates
            state, k = rng.bounded(state, increment, i + 1)
            order[i], order[k] = order[k], order[i]
        renamed.setdefault(group.kind, {}).update(zip(group.pieces, order, strict=True))
    for kind, names in renamed.items():
        at = compiled.layout.at[kind].base
        for old, new in names.items():
            cells[at + new] = source[at + old]
    _rename(compiled, cells, renamed)
    for kind, names in renamed.items():
        relink.relink(compiled, cells, kind, source, names)
    fresh = rng.seeded(seed + 1)
    struct.pack_into("<QQ", made, 4 * header.RANDOM, *fresh)
    return made


def _rename(compiled: Compiled, cells: memoryview, renamed: dict[Kind, dict[int, int]]) -> None:
    for region in compiled.layout.regions:
        ty = region.field.type if region.field is not None else region.of
        if ty is None:
            continue
        inner = strip(ty.of) if isinstance(ty, SetT) else strip(ty)
        if not isinstance(inner, KindT) or inner.kind not in renamed:
            continue
        names = renamed[inner.kind]
        for base in range(region.base, region.base + region.count * region.width, region.width):
            if not isinstance(ty, SetT):
                cells[base] = names.get(cells[base], cells[base])
                continue
            low = inner.sort.low if inner.sort and region.field is not None else 0
            members = relink.members(cells, base, region.width)
            relink.put_set(cells, base, region.width, [names.get(m + low, m + low) - low for m in members])
