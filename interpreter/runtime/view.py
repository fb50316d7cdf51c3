"""Views: a position as one player may see it.

Closed pieces are dealt, in data order, onto the places where one of their look is; their hidden fields, and all other
fields that the player does not see, hold their first values; all that only the machine knows is 0: generator, counters,
where in the rules play stands. So two positions that differ only in what the player can't see give him the same view,
byte for byte.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.core import header
from interpreter.core.cells import put_set
from interpreter.core.compiled import Compiled
from interpreter.core.layout import Region
from interpreter.lang.world import Kind
from interpreter.runtime.relink import Names, carry, relink, relink_fields, rename
from interpreter.runtime.sightings import Closed, Evaluate, Sightings, named_kind, outside, sightings

SHOWN_CELLS = (header.STATUS, header.WINNER, header.MOVER)  # of the header; no others


@dataclass(frozen=True, eq=False)
class View:
    """What a player sees. `block`: the bytes; `seen`: what is closed to him.

    The identity of closed pieces means nothing in it, only how many of a look are where.
    """

    seat: int
    block: bytearray
    seen: Sightings

    @property
    def closed(self) -> Closed:
        """By kind the pieces that are only tokens."""
        return self.seen.closed

    def is_closed(self, kind: Kind, index: int) -> bool:
        """Whether a piece is only a token in this view."""
        return index in self.seen.closed.get(kind, frozenset())


def view(compiled: Compiled, block: bytes | bytearray, seat: int, evaluate: Evaluate) -> View:
    """The view of the player in a seat. `evaluate` computes functions on the position that `block` holds."""
    source = memoryview(bytearray(block)).cast("i")
    seen = sightings(compiled, source, seat, evaluate)
    names: dict[Kind, dict[int, int]] = {}
    for group in seen.groups:
        names.setdefault(group.kind, {}).update(zip(group.order, group.pieces, strict=True))
    made = bytearray(block)
    cells = memoryview(made).cast("i")
    for cell in range(header.HEADER):
        if cell not in SHOWN_CELLS:
            cells[cell] = 0
    for region in compiled.layout.regions:
        if region.what == "frame":
            for cell in range(region.base, region.base + region.width * region.count):
                cells[cell] = 0
    _place(compiled, cells, source, seen, names)
    carry(compiled, cells, source, seen.open, names)
    for f, region in compiled.layout.fields.items():
        hides = seen.may_hide(f)
        if not hides and named_kind(f.type, names) is None:
            continue
        for number in range(region.count):
            if hides and seen.hides(f, number):
                reset(compiled, cells, region, number)
            else:
                rename(cells, region.base + number * region.width, region.width, f.type, names)
    for kind in compiled.layout.at:
        relink(compiled, cells, kind, source, names.get(kind, {}))
    relink_fields(compiled, cells, source)
    return View(seat, made, seen)


def _place(compiled: Compiled, cells: memoryview, source: memoryview, seen: Sightings, names: Names) -> None:
    """Puts every piece where the player sees it, or one of its look."""
    for kind, region in compiled.layout.at.items():
        now = names.get(kind, {})
        for piece in range(kind.size):
            place = outside(compiled, source, source[region.base + piece], seen.closed)
            cells[region.base + now.get(piece, piece)] = place


def reset(compiled: Compiled, cells: memoryview, region: Region, number: int) -> None:
    """Sets a value of a field to the one that it begins with."""
    f = region.field
    first = region.base + number * region.width
    default = f.default if f is not None else 0  # not the first value of this owner, which may tell who it is
    put_set(cells, first, region.width, default)
