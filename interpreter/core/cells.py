"""Sets in the cells of a position: whole 64-bit words, the lowest bits first (see `nodes`)."""

from __future__ import annotations

from collections.abc import MutableSequence


def get_set(cells: MutableSequence[int] | memoryview, base: int, width: int) -> int:
    """The bits of the set that takes `width` cells from `base` on."""
    return sum((cells[base + i] & 0xFFFFFFFF) << (32 * i) for i in range(width))


def put_set(cells: MutableSequence[int] | memoryview, base: int, width: int, bits: int) -> None:
    """Writes the bits of a set."""
    for i in range(width):
        word = bits >> (32 * i) & 0xFFFFFFFF
        cells[base + i] = word - 2**32 if word >= 2**31 else word


def listed(bits: int) -> tuple[int, ...]:
    """The members of a set in rising order."""
    found = []
    while bits:
        low = bits & -bits
        bits ^= low
        found.append(low.bit_length() - 1)
    return tuple(found)
