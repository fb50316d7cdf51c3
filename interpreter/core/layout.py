"""Where everything lies in a position: one layout for a game, whatever the scenario and options.

Fields that no rule text ever writes are no part of a position: they become constant tables (see `lower.context`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from interpreter.core import header
from interpreter.lang.types import SetT, Ty, universe
from interpreter.lang.world import (
    Field,
    Holds,
    Inverse,
    Kind,
    World,
    Zone,
)


@dataclass(frozen=True, eq=False)
class Region:
    """Cells of one purpose: `count` values of `width` cells each from `base` on.

    `what`: a field, the places of pieces, the set of a kind's pieces on each place, the piece (or the set of pieces)
    that
    a place holds, the set of places that hold one, the set of those that name an entity, the next piece below each in
    its pile, the top and the bottom of each of a zone's piles, or a frame's variable.
    """

    what: Literal["field", "at", "there", "holds", "occupied", "inverse", "next", "top", "bottom", "frame"]
    name: str
    base: int
    count: int
    width: int
    field: Field | None = None
    kind: Kind | None = None
    holds: Holds | None = None
    zone: Zone | None = None
    inverse: Inverse | None = None
    of: Ty | None = None  # of a frame's variable: what its cells hold
    frame: object = None  # of a frame's variable: whose it is


@dataclass(frozen=True, eq=False)
class FrameInfo:
    """The frame of a pausing effect.

    `back`: the cell that holds the block to go on with when it ends; -1 if it has one caller, which is frame number
    `caller` (-1: none, it is the game's own).
    """

    name: str
    regions: tuple[Region, ...]
    caller: int
    back: int


@dataclass(frozen=True, eq=False)
class Frames:
    """All frames, and for each block the number of the one it belongs to."""

    frames: tuple[FrameInfo, ...] = ()
    of_block: tuple[int, ...] = ()


def set_cells(size: int) -> int:
    """Cells that a set of `size` possible members takes: whole 64-bit words."""
    return 2 * ((size + 63) // 64)


FEW_PIECES = 8  # so few are looked through as fast
MOST_PIECES, MOST_PLACES = 192, 256  # more of them, and positions would grow by too much


@dataclass(eq=False)
class Layout:
    """Offsets by field, piece kind and held relation; `end` is the first free cell, where frames begin."""

    fields: dict[Field, Region] = field(default_factory=dict)
    at: dict[Kind, Region] = field(default_factory=dict)
    there: dict[Kind, Region] = field(default_factory=dict)  # of kinds whose rules ask for it, if it is not too much
    holds: dict[Holds, Region] = field(default_factory=dict)
    occupied: dict[Holds, Region] = field(default_factory=dict)
    inverses: dict[Inverse, Region] = field(default_factory=dict)
    below: dict[Kind, Region] = field(default_factory=dict)
    top: dict[Zone, Region] = field(default_factory=dict)
    bottom: dict[Zone, Region] = field(default_factory=dict)
    regions: list[Region] = field(default_factory=list)
    end: int = header.HEADER

    def add(self, region: Region) -> Region:
        """Appends a region that was made for cell `end` (see `next`)."""
        self.regions.append(region)
        self.end = region.base + region.count * region.width
        return region

    def next(self, width: int) -> int:
        """The cell where a region of this width may begin: sets begin at even cells."""
        return self.end + (self.end & 1 if width > 1 else 0)


def lay_out(world: World) -> Layout:
    """The layout of a checked game."""
    layout = Layout()
    for f in world.globals.values():
        if f.written:
            _field(layout, f, 1)
    for kind in world.kinds.values():
        if kind.is_piece and kind.size:
            layout.at[kind] = layout.add(Region("at", kind.name, layout.next(1), kind.size, 1, kind=kind))
            if kind.sought and FEW_PIECES < kind.size <= MOST_PIECES and world.places <= MOST_PLACES:
                width = set_cells(kind.size)
                there = Region("there", kind.name, layout.next(width), world.places, width, kind=kind)
                layout.there[kind] = layout.add(there)
        for f in kind.fields.values():
            if f.written and kind.size:
                _field(layout, f, kind.size)
        for h in kind.holds.values():
            width = set_cells(kind.size)
            each = 1 if h.single else set_cells(h.piece.size)
            at = layout.next(each)
            layout.holds[h] = layout.add(Region("holds", h.inverse, at, kind.size, each, kind=kind, holds=h))
            base = layout.next(width)
            layout.occupied[h] = layout.add(Region("occupied", h.inverse, base, 1, width, kind=kind, holds=h))
        for inverse in kind.inverses.values():
            if inverse.field.written and inverse.field.owner and kind.size:
                width = set_cells(inverse.field.owner.size)
                base = layout.next(width)
                region = Region("inverse", inverse.name, base, kind.size, width, kind=kind, inverse=inverse)
                layout.inverses[inverse] = layout.add(region)
        if kind.is_piece and kind.size:
            _piles(layout, kind)
    for scene in world.scenes.values():
        for f in (scene.is_open, *scene.fields.values()):
            if f.written:
                _field(layout, f, 1)
    if world.stage is not None:
        _field(layout, world.stage, 1)
    return layout


def _piles(layout: Layout, kind: Kind) -> None:
    piles = [z for z in kind.place_zones if z.is_pile]
    if piles:
        layout.below[kind] = layout.add(Region("next", kind.name, layout.next(1), kind.size, 1, kind=kind))
    for zone in piles:
        layout.top[zone] = layout.add(Region("top", zone.name, layout.next(1), zone.size, 1, kind=kind, zone=zone))
        layout.bottom[zone] = layout.add(
            Region("bottom", zone.name, layout.next(1), zone.size, 1, kind=kind, zone=zone)
        )


def _field(layout: Layout, f: Field, owners: int) -> None:
    width = set_cells(universe(f.type.of)) if isinstance(f.type, SetT) else 1
    region = Region("field", f.name, layout.next(width), owners * f.cells_each, width, field=f, kind=f.owner)
    layout.fields[f] = layout.add(region)
