"""Where names go on a map: beside what they name, where they cover least of what is there already."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from rich.cells import cell_len

SIZE, AREA_SIZE = 13.0, 16.0  # of letters
BROAD = 0.56  # how broad a letter is, by its size
STEP, FAR = 12.0, 90.0  # how finely a place for the name of an area is sought, and how far around it

Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class Name:
    """A name where it is written: the middle of its foot line."""

    words: str
    x: float
    y: float
    size: float
    ink: str
    slant: bool
    weight: str


@dataclass(frozen=True)
class _Wanted:
    """A name of a space, beside its node."""

    words: str
    node: Box
    ink: str
    slant: bool


@dataclass(frozen=True)
class _Area:
    """A name of an area, near its own spaces and away from others."""

    words: str
    own: tuple[Point, ...]
    ink: str


@dataclass
class Letters:
    """Names to be written on a sheet, and what they must not cover."""

    sheet: Box
    taken: list[Box] = field(default_factory=list)
    wanted: list[_Wanted] = field(default_factory=list)
    areas: list[_Area] = field(default_factory=list)

    def name_space(self, words: str, node: Box, ink: str, slant: bool) -> None:
        """Wants a name beside a space with its counters."""
        self.wanted.append(_Wanted(words, node, ink, slant))

    def name_area(self, words: str, own: list[Point], ink: str) -> None:
        """Wants a name within an area, or at its rim."""
        self.areas.append(_Area(words, tuple(own), ink))

    def placed(self, points: list[Point]) -> Iterator[Name]:
        """The names, each at the best of its places; those of areas last. `points`: where all spaces are."""
        for one in self.wanted:
            wide, high = _size(one.words, SIZE)
            places = [*_beside(one.node, wide, high)]
            best = min(enumerate(places), key=lambda p: self.covered(p[1]) + 3 * p[0])[1]
            yield self._written(one.words, best, SIZE, one.ink, one.slant, "normal")
        for area in self.areas:
            wide, high = _size(area.words, AREA_SIZE)
            others = [point for point in points if point not in area.own]
            best = min(_near(area.own, wide, high), key=lambda box: self._cost(box, area.own, others))
            yield self._written(area.words, best, AREA_SIZE, area.ink, True, "bold")

    def _written(self, words: str, box: Box, size: float, ink: str, slant: bool, weight: str) -> Name:
        self.taken.append(box)
        return Name(words, (box.left + box.right) / 2, box.bottom - 0.25 * size, size, ink, slant, weight)

    def covered(self, box: Box) -> float:
        """How much a place covers of what is there, and how much of it lies off the sheet."""
        whole = (box.right - box.left) * (box.bottom - box.top)
        return sum(overlap(box, other) for other in self.taken) + 3 * (whole - overlap(box, self.sheet))

    def _cost(self, box: Box, own: tuple[Point, ...], others: list[Point]) -> float:
        middle = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
        near = min(math.dist(middle, point) for point in own)
        foreign = min((math.dist(middle, point) for point in others), default=near + 1)
        return 2 * self.covered(box) + near + (60 + near - foreign if foreign < near else 0)


def _size(words: str, size: float) -> tuple[float, float]:
    return max(BROAD * size * cell_len(words), size), size + 2


def _centred(x: float, y: float, wide: float, high: float) -> Box:
    return Box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)


def _near(points: tuple[Point, ...], wide: float, high: float) -> Iterator[Box]:
    """Places all over an area and round it."""
    left, right = min(x for x, _ in points) - FAR, max(x for x, _ in points) + FAR
    top, bottom = min(y for _, y in points) - FAR, max(y for _, y in points) + FAR
    for row in range(int((bottom - top) / STEP) + 1):
        for column in range(int((right - left) / STEP) + 1):
            yield _centred(left + STEP * column, top + STEP * row, wide, high)


def _beside(node: Box, wide: float, high: float) -> Iterator[Box]:
    """Below, right, left, above, and at the corners."""
    x, y = (node.left + node.right) / 2, (node.top + node.bottom) / 2
    gap = 2.0
    yield _centred(x, node.bottom + gap + high / 2, wide, high)
    yield _centred(node.right + gap + 2 + wide / 2, y, wide, high)
    yield _centred(node.left - gap - 2 - wide / 2, y, wide, high)
    yield _centred(x, node.top - gap - high / 2, wide, high)
    for side in (1, -1):
        for up in (1, -1):
            yield _centred(x + side * (wide / 2 + 6), y + up * ((node.bottom - node.top) / 2 + high / 2), wide, high)


def around(node: Box, wide: float, high: float) -> Box:
    """A space together with a row so wide and so high below it, or, if that is below zero, above it."""
    x = (node.left + node.right) / 2
    left, right = min(node.left, x - wide / 2), max(node.right, x + wide / 2)
    return Box(left, node.top + min(high, 0), right, node.bottom + max(high, 0))


def overlap(a: Box, b: Box) -> float:
    """How much two boxes cover of each other."""
    wide = min(a.right, b.right) - max(a.left, b.left)
    high = min(a.bottom, b.bottom) - max(a.top, b.top)
    return wide * high if wide > 0 and high > 0 else 0.0
