"""Graphs prepared for the backends: how to take a step from a whole set of spaces at once.

A set is a bit mask, so a step along all edges whose ends differ by the same index is one shift. A grid has four such
differences, a hexagonal one six. The eight of a king's board are a step along the rows after a step along the columns:
two stages of two shifts. Maps without such order have too many differences; there the masks of the neighbours are
combined instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from interpreter.core.nodes import Graph

Stage = list[tuple[int, int]]  # (shift, mask of the spaces it starts from)

MOST_SHIFTS = 12  # more than these in a plan, and combining the neighbours' masks is as fast
FEW_SHIFTS = 6  # up to these a single stage is good enough
MOST_GROUPS = 12  # distances considered in the search for two stages


def shift_plan(graph: Graph) -> list[Stage] | None:
    """The closed neighbourhood of any set of spaces by shifts: `dilate(plan, x)` is x and all its neighbours.

    None if the edges have too many differences of indices for this to pay.
    """
    by_shift = _by_shift(graph)
    if len(by_shift) > FEW_SHIFTS:
        for stages in _pairs_of_stages(by_shift):
            if _is_exact(stages, graph):
                return stages
    return [_stage(by_shift, list(by_shift))] if len(by_shift) <= MOST_SHIFTS else None


def dilate(plan: Sequence[Stage], members: int) -> int:
    """What a plan makes of a set: the meaning that backends generate code for."""
    for stage in plan:
        start = members
        for shift, mask in stage:
            members |= (start & mask) << shift if shift >= 0 else (start & mask) >> -shift
    return members


def _by_shift(graph: Graph) -> dict[int, int]:
    """For each difference of indices along an edge, smallest distances first, the spaces that have such a neighbour."""
    found: dict[int, int] = {}
    for space, mask in enumerate(graph.masks):
        for other in range(graph.size):
            if mask >> other & 1 and other != space:
                found[other - space] = found.get(other - space, 0) | 1 << space
    return dict(sorted(found.items(), key=lambda item: (abs(item[0]), item[0])))


def _stage(by_shift: dict[int, int], shifts: Sequence[int]) -> Stage:
    return [(shift, by_shift[shift]) for shift in shifts]


def _pairs_of_stages(by_shift: dict[int, int]) -> Iterator[list[Stage]]:
    """Two stages out of one or two distances each, with fewer shifts than a single stage has; the cheapest first."""
    distances = sorted({abs(shift) for shift in by_shift})
    if len(distances) > MOST_GROUPS:
        return
    groups = [
        [shift for shift in by_shift if abs(shift) in chosen]
        for size in (1, 2)
        for chosen in combinations(distances, size)
    ]
    pairs = [
        (first, second)
        for first in groups
        for second in groups
        if len(first) + len(second) < len(by_shift) and not set(first) & set(second)
    ]
    for first, second in sorted(pairs, key=lambda pair: len(pair[0]) + len(pair[1])):
        # Both together must account for every difference; this sieve is much cheaper than trying the plan out.
        sums = {0, *first} | {a + b for a in (0, *first) for b in second}
        if sums.issuperset(by_shift):
            yield [_stage(by_shift, first), _stage(by_shift, second)]


def _is_exact(plan: Sequence[Stage], graph: Graph) -> bool:
    """Whether the plan gives every single space just its neighbours; dilation keeps unions, so sets follow."""
    return all(dilate(plan, 1 << space) == mask | 1 << space for space, mask in enumerate(graph.masks))
