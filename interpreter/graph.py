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


def without(graph: Graph, spaces: int, edges: int) -> Graph:
    """A map on which no way leads to, from or through these spaces (a set), nor along these edges."""
    around = tuple(
        () if spaces >> s & 1 else tuple((n, e) for n, e in row if not (spaces >> n | edges >> e) & 1)
        for s, row in enumerate(graph.around)
    )
    masks = tuple(sum(1 << n for n, _ in row) for row in around)
    return Graph(graph.name, graph.size, graph.edges, around, masks)
