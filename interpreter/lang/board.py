"""The map: built and checked with networkx, then frozen into tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.diagnostics import Bag, Note, did_you_mean
from interpreter.graph import Graph
from interpreter.lang.world import Board, Enum, Kind
from interpreter.reading.model import EdgeDef, GridDef
from interpreter.source import Name

if TYPE_CHECKING:
    import networkx as nx

# Steps (column, row) by number of neighbours. Rows count upwards (row 1 is drawn lowest), columns to the right.
DIRECTIONS: dict[int, dict[str, tuple[int, int]]] = {
    4: {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)},
    8: {
        "north": (0, 1),
        "north_east": (1, 1),
        "east": (1, 0),
        "south_east": (1, -1),
        "south": (0, -1),
        "south_west": (-1, -1),
        "west": (-1, 0),
        "north_west": (-1, 1),
    },
}
# Hexagons in "odd rows shifted right" coordinates: the step depends on whether the row (from 0) is even or odd.
HEXES: dict[str, tuple[tuple[int, int], tuple[int, int]]] = {
    "north_east": ((0, 1), (1, 1)),
    "east": ((1, 0), (1, 0)),
    "south_east": ((0, -1), (1, -1)),
    "south_west": ((-1, -1), (0, -1)),
    "west": ((-1, 0), (-1, 0)),
    "north_west": ((-1, 1), (0, 1)),
}


def grid_names(grid: GridDef) -> list[Name]:
    """Ids of a grid's spaces in data order: `a1 b1 … a2 b2 …`."""
    return [Name(f"{column}{row}", grid.span) for row in grid.rows for column in grid.columns]


def grid_board(grid: GridDef, space: Kind) -> Board:
    """The board of a grid, with its directions and rays."""
    columns, rows = len(grid.columns), len(grid.rows)
    names = list(HEXES) if grid.neighbours == 6 else list(DIRECTIONS[grid.neighbours])

    def step(s: int, direction: str) -> int:
        row, column = divmod(s, columns)
        dx, dy = HEXES[direction][row % 2] if grid.neighbours == 6 else DIRECTIONS[grid.neighbours][direction]
        x, y = column + dx, row + dy
        return y * columns + x if 0 <= x < columns and 0 <= y < rows else -1

    rays: list[tuple[int, ...]] = []
    pairs: set[tuple[int, int]] = set()
    for s in range(columns * rows):
        for direction in names:
            ray = []
            at = step(s, direction)
            if at >= 0:
                pairs.add((min(s, at), max(s, at)))
            while at >= 0:
                ray.append(at)
                at = step(at, direction)
            rays.append(tuple(ray))
    enum = Enum("direction", tuple(names), tuple(n.replace("_", "-") for n in names), False, grid.span)
    half = len(names) // 2
    return Board(
        space=space,
        edge=None,
        graph=freeze(space.name, columns * rows, sorted(pairs)),
        direction=enum,
        rays=tuple(rays),
        opposite=tuple((d + half) % len(names) for d in range(len(names))),
        columns=columns,
        rows=rows,
        coordinates=tuple((s % columns, rows - 1 - s // columns) for s in range(columns * rows)),
    )


def map_board(edges: tuple[EdgeDef, ...], space: Kind, edge: Kind | None, bag: Bag) -> Board:
    """The board of an explicit map; edges to nowhere, from a space to itself and doubled ones are errors."""
    index = {e.id: e.index for e in space.entities}
    numbers = {e.id: e.index for e in edge.entities} if edge else {}  # a kind's entities lie sort by sort
    pairs: list[tuple[int, int]] = []
    seen: dict[tuple[int, int], EdgeDef] = {}
    for definition in sorted(edges, key=lambda e: numbers.get(e.id.text, len(numbers)) if e.id else len(numbers)):
        ends = []
        for name in definition.ends:
            if name.text in index:
                ends.append(index[name.text])
                continue
            bag.error(
                "unknown-space",
                f"there is no {space.name} `{name.text}`",
                name.span,
                label="this edge leads nowhere",
                help=did_you_mean(name.text, index),
            )
        if len(ends) < 2:
            continue
        pair = (min(ends), max(ends))
        if pair[0] == pair[1]:
            bag.error(
                "loop-edge",
                f"this edge joins `{definition.ends[0].text}` to itself",
                definition.span,
                help="an edge leads from one space to another; name the other one",
            )
        elif pair in seen:
            bag.error(
                "duplicate-edge",
                "these two spaces are joined already",
                definition.span,
                notes=[Note("first joined here", seen[pair].span)],
            )
        else:
            seen[pair] = definition
            pairs.append(pair)
    coordinates = tuple(e.definition.at if e.definition else None for e in space.entities)
    return Board(space=space, edge=edge, graph=freeze(space.name, space.size, pairs), coordinates=coordinates)


def freeze(name: str, size: int, pairs: list[tuple[int, int]]) -> Graph:
    """Adjacency tables in data order; edge numbers are places in `pairs`."""
    around: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for number, (a, b) in enumerate(pairs):
        around[a].append((b, number))
        around[b].append((a, number))
    frozen = tuple(tuple(sorted(row)) for row in around)
    masks = tuple(sum(1 << n for n, _ in row) for row in frozen)
    return Graph(name, size, len(pairs), frozen, masks)


def network(board: Board) -> nx.Graph[str]:
    """The map as a networkx graph of space ids, for checks, distances and pictures."""
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    ids = [e.id for e in board.space.entities]
    graph.add_nodes_from(ids)
    for a, row in enumerate(board.graph.around):
        for b, edge in row:
            if a < b:
                graph.add_edge(ids[a], ids[b], number=edge)
    return graph


def check_parts(board: Board, bag: Bag) -> None:
    """Warns when the map falls into separate parts: often a forgotten edge, sometimes meant (islands)."""
    import networkx as nx

    parts = sorted(nx.connected_components(network(board)), key=lambda part: (-len(part), sorted(part)))
    for part in parts[1:]:
        first = min((e for e in board.space.entities if e.id in part), key=lambda e: e.index)
        names = ", ".join(f"`{i}`" for i in sorted(part)[:4]) + (" …" if len(part) > 4 else "")
        bag.warn(
            "separate-part",
            f"no way leads from the rest of the map to {names}",
            first.span,
            help="add an edge, or say `apart: true` in the map if this is meant",
        )
