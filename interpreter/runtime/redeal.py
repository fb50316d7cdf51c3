"""Re-dealing: a whole position that a player can't tell from the present one, what he does not see dealt at random."""

from __future__ import annotations

import struct
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass

from interpreter.core import header, rng
from interpreter.core.compiled import Compiled
from interpreter.core.layout import Region
from interpreter.lang.types import MaybeT, PlaceT, SetT, universe
from interpreter.lang.world import Field, Kind
from interpreter.runtime.numbers import Known, Tests, guess, guess_numbers
from interpreter.runtime.relink import Names, carry, put_members, relink, relink_fields, rename, same
from interpreter.runtime.sightings import Evaluate, Sightings, holder_of, named_kind, sightings


@dataclass
class Chance:
    """A generator of its own, which has nothing to do with that of the position."""

    state: int
    increment: int

    def below(self, count: int) -> int:
        """A number from 0 to count-1, all alike."""
        self.state, value = rng.bounded(self.state, self.increment, count)
        return value


def chance(seed: int) -> Chance:
    """A generator of a seed."""
    return Chance(*rng.seeded(seed))


def redeal(
    compiled: Compiled,
    block: bytes | bytearray,
    seat: int,
    evaluate: Evaluate,
    seed: int,
    tests: Callable[[], Tests],
    keep: Container[Known] = (),
) -> bytearray:
    """A whole position that the player in a seat can't tell from this one, with a fresh generator.

    Closed pieces change places with others of their look, each with its hidden fields; every mention of one (in fields
    and in what paused rules hold) moves along to the piece that now stands for it. Their hidden numbers, and other
    hidden fields, get any value that they may have; numbers of pieces as far as the `tests` of the game's invariants
    allow. `keep`: what stays as it is, because the player remembers it.
    """
    source = memoryview(bytearray(block)).cast("i")
    seen = sightings(compiled, source, seat, evaluate)
    dice = chance(seed)
    names = renaming(seen, dice, keep)
    made = bytearray(block)
    cells = memoryview(made).cast("i")
    holds = any(kind.place_base >= 0 for kind in names)
    for kind, region in compiled.layout.at.items():
        now = names.get(kind, {})
        for piece in range(kind.size) if holds else now:
            cells[region.base + now.get(piece, piece)] = _place(source[region.base + piece], names)
    carry(compiled, cells, source, seen.open, names)
    _fields(compiled, cells, seen, names, dice, keep)
    for region in live_frames(compiled, source):
        if isinstance(region.of, PlaceT) or (isinstance(region.of, MaybeT) and isinstance(region.of.of, PlaceT)):
            cells[region.base] = _place(source[region.base], names)
        else:
            rename(cells, region.base, region.width, region.of, names)
    for kind, region in compiled.layout.at.items():
        if kind in names or not same(cells, source, region):
            relink(compiled, cells, kind, source, names.get(kind, {}))
    relink_fields(compiled, cells, source)
    guess_numbers(compiled, made, seen, dice.below, keep, tests)
    struct.pack_into("<QQ", made, 4 * header.RANDOM, *rng.seeded(seed + 1))
    return made


def renaming(seen: Sightings, dice: Chance, keep: Container[Known] = ()) -> dict[Kind, dict[int, int]]:
    """By kind, for each closed piece the one that is to stand where it stands."""
    names: dict[Kind, dict[int, int]] = {}
    for group in seen.groups:
        moving = [piece for piece in group.order if (group.kind, piece) not in keep]
        order = sorted(moving)
        for i in range(len(order) - 1, 0, -1):  # Fisher and Yates
            k = dice.below(i + 1)
            order[i], order[k] = order[k], order[i]
        names.setdefault(group.kind, {}).update(zip(moving, order, strict=True))
    return names


def _place(place: int, names: Names) -> int:
    """A place; inside a container, the one that now stands for it."""
    holder = holder_of(place, names)
    if holder is None:
        return place
    return holder.place_base + names[holder].get(place - holder.place_base, place - holder.place_base)


def _fields(
    compiled: Compiled, cells: memoryview, seen: Sightings, names: Names, dice: Chance, keep: Container[Known]
) -> None:
    for f, region in compiled.layout.fields.items():
        if named_kind(f.type, names) is None and f not in compiled.secrecy.fields:
            continue  # it names nothing that was dealt anew, and hides nothing itself: so it is with most
        for number in range(region.count):
            if cells[region.base + number * region.width] != -1 or region.width > 1:
                rename(cells, region.base + number * region.width, region.width, f.type, names)
            owner = number // f.cells_each
            if (f, owner) in seen.fields and (f, owner) not in keep and _is_open(compiled, cells, f):
                _guess(compiled, cells, region, number, dice)


def _is_open(compiled: Compiled, cells: memoryview, f: Field) -> bool:
    """Whether a field's scene, if it has one, is open."""
    return f.scene is None or cells[compiled.layout.fields[f.scene.is_open].base] != 0


def _guess(compiled: Compiled, cells: memoryview, region: Region, number: int, dice: Chance) -> None:
    """Gives a hidden field of the game or a player any value that it may have."""
    f = region.field
    assert f is not None
    if named_kind(f.type, compiled.secrecy.sees) is not None:
        return  # it names a piece that was dealt anew itself
    if isinstance(f.type, SetT):
        members = [i for i in range(universe(f.type.of)) if dice.below(2)]
        put_members(cells, region.base + number * region.width, region.width, members)
    else:
        guess(compiled, cells, region, number, dice.below)


def live_frames(compiled: Compiled, cells: memoryview) -> Iterator[Region]:
    """The variables of the effects that are under way. (Others may lie on the same cells.)"""
    if cells[header.STATUS]:
        return
    number = compiled.frames.of_block[cells[header.PC]]
    while number >= 0:
        frame = compiled.frames.frames[number]
        yield from frame.regions
        if frame.back >= 0:
            number = compiled.frames.of_block[cells[frame.back]]
        else:
            number = frame.caller
