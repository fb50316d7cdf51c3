"""Finds expressions and texts that YAML has cut at a comma: `{when: f(a, b)}` is read as the keys `when: f(a` and `b)`.

That is good YAML and never what the author meant, so it gets a message of its own before anything else is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from interpreter.diagnostics import Bag
from interpreter.reading.yamltree import Map, Node, Scalar, Seq

HELP = "put the expression in quotes, or write the map in block style, one key a line"
QUOTED = "put the whole value in single quotes, or write the map in block style, one key a line"


def cut_expressions(node: Node, bag: Bag) -> list[tuple[str | int, ...]]:
    """Records each cut expression; the paths of the maps and lists in which one stands."""
    found: list[tuple[str | int, ...]] = []
    _look(node, (), found, bag)
    return found


def _look(node: Node, path: tuple[str | int, ...], found: list[tuple[str | int, ...]], bag: Bag) -> None:
    if isinstance(node, Scalar):
        return
    if node.span.text[:1] in ("[", "{"):
        for what, opens, mend in (("expression", _brackets, HELP), ("text", _quotes, QUOTED)):
            cut = _cut(node, opens)
            if cut is None:
                continue
            begin, end = cut
            key = "key" if isinstance(node, Map) else "entry of the list"
            message = f"the {what} is cut at its comma; what follows became another {key}"
            bag.error("half-expression", message, begin.span.to(end.span), help=mend)
            found.append(path)
            return
    steps: Iterator[tuple[str | int, Node]]
    steps = ((k.raw, v) for k, v in node.entries) if isinstance(node, Map) else iter(enumerate(node.items))
    for step, child in steps:
        _look(child, (*path, step), found, bag)


def _cut(node: Map | Seq, opens: Callable[[Scalar, int], int]) -> tuple[Scalar, Scalar] | None:
    """The piece in which a bracket or quote opens and the piece in which it closes; None if none does both."""
    opened: Scalar | None = None
    depth = 0
    for piece in _pieces(node):
        if opened is None:
            depth = opens(piece, 0)
            opened = piece if depth > 0 else None
        else:
            depth += opens(piece, depth)
            if depth <= 0:
                return opened, piece
    return None


def _pieces(node: Map | Seq) -> Iterator[Scalar]:
    """The single values, and keys, as they stand behind each other."""
    nodes = node.items if isinstance(node, Seq) else (piece for entry in node.entries for piece in entry)
    return (piece for piece in nodes if isinstance(piece, Scalar))


def _brackets(piece: Scalar, depth: int) -> int:
    """Brackets opened less brackets closed; none in a quoted text, which is whole as it stands."""
    if piece.span.text[:1] in ("'", '"'):
        return 0
    return piece.raw.count("(") - piece.raw.count(")")


def _quotes(piece: Scalar, depth: int) -> int:
    """1 if a text is opened and not closed, -1 if one that is open is closed."""
    if piece.span.text[:1] in ("'", '"') or piece.raw.count('"') % 2 == 0:
        return 0
    return -1 if depth else 1
