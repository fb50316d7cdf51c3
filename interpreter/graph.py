"""The map as numbers: what rules, core and backends know of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """`size` spaces and `edges` edges.

    `around[s]`: (neighbour, edge) pairs in data order of neighbours. An edge is used both ways. `masks[s]`: the
    neighbours as a set (bit i: space i).
    """

    name: str
    size: int
    edges: int
    around: tuple[tuple[tuple[int, int], ...], ...]
    masks: tuple[int, ...]
