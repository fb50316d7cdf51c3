"""The map, and entries of every kind: spaces, pieces, cards, players."""

from __future__ import annotations

from interpreter.diagnostics import Bag
from interpreter.reading import bend, parts
from interpreter.reading import yamltree as tree
from interpreter.reading.model import EdgeDef, EntityDef, GridDef, MapDef
from interpreter.reading.yamltree import Map, Node, Scalar
from interpreter.source import Name, Span

# Keys of an entry, of a player and of an edge that are no fields.
ENTRY_KEYS = ("title", "text", "rule", "source", "copies", "at", "exceptions")
PLAYER_KEYS = ("id", "title", "text", "rule", "source", "exceptions")
EDGE_KEYS = ("between", "title", "rule", "source")
MOST_LINES = 100  # columns or rows of a grid
MOST_SPACES = 5_000  # of a grid


def entries(node: Node | None, bag: Bag) -> tuple[EntityDef, ...]:
    """The entries of a list, each beginning with its kind and id."""
    return tuple(e for one in parts.maps(node) if (e := _entry(one, bag)))


def _entry(node: Map, bag: Bag) -> EntityDef | None:
    head, value = node.entries[0]
    if head.raw in ENTRY_KEYS:
        bag.error(
            "no-kind",
            f"an entry begins with its kind and id, not with `{head.raw}`",
            head.span,
            help="write them first, such as `- leader: old_general`",
        )
        return None
    id_ = parts.good_name(value, f"the id of this `{head.raw}`", bag)
    if id_ is None:
        return None
    at = [item.value for item in parts.items(tree.get(node, "at")) if isinstance(item, Scalar)]
    place = (at[0], at[1]) if len(at) == 2 and isinstance(at[0], int) and isinstance(at[1], int) else None
    copies = parts.number(node, "copies")
    return EntityDef(
        head.name,
        id_,
        node.span,
        title=parts.string(node, "title"),
        text=parts.string(node, "text"),
        copies=1 if copies is None else copies,
        fields=_fields(node, (head.raw, *ENTRY_KEYS)),
        citation=parts.citation(node),
        exceptions=bend.exceptions(tree.get(node, "exceptions"), bag),
        at=place,
    )


def players(node: Node | None, bag: Bag) -> tuple[EntityDef, ...]:
    """The players in the order of their seats, as entities of the kind `player`."""
    return tuple(p for one in parts.items(node) if (p := _player(one, bag)))


def _player(node: Node, bag: Bag) -> EntityDef | None:
    if isinstance(node, Scalar):
        return EntityDef(Name("player", node.span), node.name, node.span)
    if not isinstance(node, Map) or (id_ := parts.name(node, "id")) is None:
        return None
    return EntityDef(
        Name("player", id_.span),
        id_,
        node.span,
        title=parts.string(node, "title"),
        text=parts.string(node, "text"),
        fields=_fields(node, PLAYER_KEYS),
        citation=parts.citation(node),
        exceptions=bend.exceptions(tree.get(node, "exceptions"), bag),
    )


def _fields(node: Map, fixed: tuple[str, ...]) -> tuple[tuple[Name, Node], ...]:
    return tuple((key.name, value) for key, value in node.entries if key.raw not in fixed)


def board(node: Map, bag: Bag) -> tuple[MapDef, tuple[EntityDef, ...]]:
    """A map, and the spaces that are written out in it."""
    grid = tree.get(node, "grid")
    spaces = entries(tree.get(node, "spaces"), bag)
    edges = tuple(e for one in parts.items(tree.get(node, "edges")) if (e := _edge(one, bag)))
    made = MapDef(
        node.span,
        _grid(grid, bag) if isinstance(grid, Map) else None,
        edges,
        parts.citation(node),
        parts.flag(node, "apart"),
    )
    return made, spaces


def _grid(node: Map, bag: Bag) -> GridDef | None:
    kind, neighbours = parts.name(node, "kind"), parts.number(node, "neighbours")
    columns, rows = _lines(tree.get(node, "columns"), bag), _lines(tree.get(node, "rows"), bag)
    if kind is None or neighbours is None:
        return None
    if len(columns) * len(rows) > MOST_SPACES:
        message = f"the grid has {len(columns) * len(rows):,} spaces, and {MOST_SPACES:,} is the most"
        bag.error("too-many", message, node.span, label="too many", help="write fewer columns or rows")
        return None
    return GridDef(kind, columns, rows, neighbours, node.span)


def _lines(node: Node | None, bag: Bag) -> tuple[str, ...]:
    """The columns or rows of a grid, from a range such as `a..j` or `1..10`, or from a list."""
    if not isinstance(node, Scalar):
        listed = parts.names(node)
        parts.unique((("the line", one) for one in listed), bag)
        return tuple(one.text for one in listed)
    first, last = node.raw.split("..")
    numbers = first.isdigit()
    low, high = (int(first), int(last)) if numbers else (ord(first), ord(last))
    if low > high:
        bag.error("bad-value", "the range runs backwards", node.span, help=f"write `{last}..{first}`, or a list")
    elif high - low >= MOST_LINES:
        message = f"the grid has {high - low + 1:,} lines this way, and {MOST_LINES} is the most"
        bag.error("too-many", message, node.span, label="too many", help="write a shorter range")
    else:
        return tuple(str(n) if numbers else chr(n) for n in range(low, high + 1))
    return ()


def _edge(node: Node, bag: Bag) -> EdgeDef | None:
    if not isinstance(node, Map):
        ends = parts.names(node)
        return EdgeDef((ends[0], ends[1]), node.span)
    between = parts.names(tree.get(node, "between"))
    head, value = node.entries[0]
    kind: Name | None = None
    id_: Name | None = None
    if head.raw not in EDGE_KEYS:
        kind = head.name
        unnamed = isinstance(value, Scalar) and value.value is None
        id_ = _named_by_ends(between, head.span) if unnamed else parts.good_name(value, f"the id of this `{kind}`", bag)
        if id_ is None:
            return None
    fields = _fields(node, (head.raw, *EDGE_KEYS))
    if fields and kind is None:
        bag.error(
            "no-kind",
            "an edge with fields has no kind",
            fields[0][0].span,
            help="begin with the kind, such as `{road: , between: [a, b]}` or `{road: old_road, between: [a, b]}`",
        )
        return None
    return EdgeDef(
        (between[0], between[1]), node.span, kind, id_, parts.string(node, "title"), fields, parts.citation(node)
    )


def _named_by_ends(between: tuple[Name, ...], span: Span) -> Name:
    return Name(f"{between[0]}_{between[1]}", span)
