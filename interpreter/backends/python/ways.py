"""Ways on graphs: what `spread` does not write out as shifts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from itertools import pairwise

from interpreter.backends.python.support import MOST_CACHED
from interpreter.core.cells import listed

Around = Sequence[Sequence[tuple[int, int]]]


class Wide(dict[int, int]):
    """Sets of spaces with all their neighbours, remembered: on a map that changes slowly the same sets come up again.

    `closed[s]` is space s with its neighbours."""

    def __init__(self, closed: Sequence[int]) -> None:
        super().__init__()
        self.closed = closed

    def __missing__(self, members: int) -> int:
        if len(self) >= MOST_CACHED:
            self.clear()
        found, left = 0, members
        while left:
            low = left & -left
            left ^= low
            found |= self.closed[low.bit_length() - 1]
        self[members] = found
        return found


def reach_around(wide: Mapping[int, int], start: int, within: int, through: int) -> int:
    """`Reach` on a graph without a plan of shifts, from what is new each time."""
    reached = edge = start
    while edge and within > 0:
        edge = wide[edge] & ~reached
        reached |= edge
        edge &= through
        within -= 1
    return reached


def reach_along(around: Around, start: int, within: int, through: int, along: int) -> int:
    """`Reach` along some edges only."""
    reached = edge = start
    while edge and within > 0:
        found = 0
        for space in listed(edge):
            for neighbour, number in around[space]:
                if along >> number & 1:
                    found |= 1 << neighbour
        found &= ~reached
        reached |= found
        edge = found & through
        within -= 1
    return reached


def way(around: Around, start: int, goal: int, through: int, along: int, costly: int) -> tuple[int, ...]:
    """`Path`: Dijkstra's algorithm (1959) back from the goal, then the first of the best spaces at each step."""
    if goal < 0 or not start:
        return ()
    expensive = len(around)  # more than all the edges of a shortest way: one costly edge outweighs them
    cost = {goal: 0}
    heap = [(0, goal)]
    while heap:
        so_far, space = heappop(heap)
        if start >> space & 1 and so_far == cost[space]:
            break  # all that are no farther have their distances
        if so_far > cost[space] or (space != goal and not through >> space & 1):
            continue  # out of date, or only a start may lie here
        for neighbour, edge in around[space]:
            if along >> edge & 1:
                total = so_far + (expensive + 1 if costly >> edge & 1 else 1)
                if total < cost.get(neighbour, total + 1):
                    cost[neighbour] = total
                    heappush(heap, (total, neighbour))
    starts = [space for space in listed(start) if space in cost]
    if not starts:
        return ()
    here = min(starts, key=cost.__getitem__)
    spaces = [here]
    while here != goal:
        here = _next_space(around[here], cost, here, goal, through, along, costly, expensive)
        spaces.append(here)
    return tuple(spaces)


def _next_space(
    pairs: Sequence[tuple[int, int]],
    cost: dict[int, int],
    here: int,
    goal: int,
    through: int,
    along: int,
    costly: int,
    expensive: int,
) -> int:
    """The first neighbour on a cheapest way to the goal."""
    for neighbour, edge in pairs:
        if along >> edge & 1 and (neighbour == goal or through >> neighbour & 1) and neighbour in cost:
            step = expensive + 1 if costly >> edge & 1 else 1
            if cost[neighbour] + step == cost[here]:
                return neighbour
    raise AssertionError("a way of finite cost has a next space")


def edges_of(around: Around, path: Sequence[int]) -> int:
    """The edges between neighbours in a list of spaces."""
    found = 0
    for here, there in pairwise(path):
        if here >= 0:
            for neighbour, edge in around[here]:
                if neighbour == there:
                    found |= 1 << edge
    return found
