"""The bytes that a game begins with."""

from __future__ import annotations

import struct

from interpreter.core import header, rng
from interpreter.core.compiled import Compiled


def first_block(compiled: Compiled, seed: int) -> bytearray:
    """The bytes of a position before its set-up runs, its generator seeded."""
    cells = list(compiled.first)
    state, increment = rng.seeded(seed)
    for i, word in enumerate((state, state >> 32, increment, increment >> 32)):
        word &= 0xFFFFFFFF
        cells[header.RANDOM + i] = word - 2**32 if word >= 2**31 else word
    return bytearray(struct.pack(f"<{len(cells)}i", *cells))
