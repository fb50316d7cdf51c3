"""The built-in functions: one table, from which the checker, the reference page and the lowering take their names.

Parameter types are patterns: `space`, `edge` and `direction` are those of the game's map, `collection` is any set, list
or zone, `zone` any zone, `pile` one with an order, `entity` any entity, `element` what the first argument holds,
`fraction` a division written out. A parameter with `where` takes a condition, `through = s where C`.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.lang import nodes as n


@dataclass(frozen=True, slots=True)
class Parameter:
    """`where`: a condition over this type of thing; `optional`: may be left out (then only by name)."""

    name: str
    type: str
    optional: bool = False
    where: bool = False


@dataclass(frozen=True, slots=True)
class Builtin:
    """One built-in: how it is called, what it gives, and one line for the reference."""

    name: str
    params: tuple[Parameter, ...]
    result: str
    doc: str

    @property
    def signature(self) -> str:
        """As the reference shows it."""

        def one(p: Parameter) -> str:
            text = f"{p.name} = {p.type} where …" if p.where else f"{p.name}: {p.type}"
            return f"[{text}]" if p.optional else text

        call = f"{self.name}({', '.join(one(p) for p in self.params)})"
        return f"{call} -> {self.result}" if self.result else call


_THROUGH = Parameter("through", "space", optional=True, where=True)
_ALONG = Parameter("along", "edge", optional=True, where=True)


def _p(name: str, type: str) -> Parameter:
    return Parameter(name, type)


BUILTINS: dict[str, Builtin] = {
    b.name: b
    for b in (
        Builtin("size", (_p("things", "collection"),), "int", "how many members a set, list or zone has"),
        Builtin("top", (_p("zone", "pile"),), "maybe element", "the piece on top of a pile, if there is one"),
        Builtin("min", (_p("a", "int"), _p("b", "int")), "int", "the smaller of two numbers"),
        Builtin("max", (_p("a", "int"), _p("b", "int")), "int", "the greater of two numbers"),
        Builtin(
            "clamp",
            (_p("x", "int"), _p("low", "int"), _p("high", "int")),
            "int",
            "x, but at least `low` and at most `high`",
        ),
        Builtin("floor", (_p("x", "fraction"),), "int", "a division, rounded down: `floor(a / b)`"),
        Builtin("ceil", (_p("x", "fraction"),), "int", "a division, rounded up: `ceil(a / b)`"),
        Builtin("abs", (_p("x", "int"),), "int", "a number without its sign"),
        Builtin("rival", (_p("p", "player"),), "player", "the other of two players"),
        Builtin("turn_order", (_p("p", "player"),), "list of player", "all players in seat order, beginning with p"),
        Builtin(
            "in_play",
            (_p("x", "entity"),),
            "bool",
            "whether something takes part in the scenario, and, if it is a piece, is not `unused`",
        ),
        Builtin("neighbours", (_p("s", "space"),), "set of space", "the spaces one step away"),
        Builtin(
            "reach",
            (_p("start", "set of space"), Parameter("within", "int", optional=True), _THROUGH, _ALONG),
            "set of space",
            "the spaces reached in at most `within` steps, the start included; `through` binds every space strictly "
            "between, `along` every edge",
        ),
        Builtin(
            "connected",
            (_p("a", "space"), _p("b", "space"), _THROUGH, _ALONG),
            "bool",
            "whether a way leads from a to b; `through` binds the spaces strictly between",
        ),
        Builtin(
            "shortest_path",
            (_p("start", "set of space"), _p("goal", "space"), _THROUGH, _ALONG),
            "list of space",
            "a shortest way, both ends included, the first in data order; empty if there is none",
        ),
        Builtin(
            "cheapest_path",
            (_p("start", "set of space"), _p("goal", "space"), Parameter("cost", "edge", where=True), _THROUGH, _ALONG),
            "list of space",
            "the way with the fewest edges for which `cost` holds, then the shortest; else as `shortest_path`",
        ),
        Builtin("edges_of", (_p("path", "list of space"),), "set of edge", "the edges that a path uses"),
        Builtin(
            "border", (_p("a", "space"), _p("b", "space")), "maybe edge", "the edge between two spaces, if there is one"
        ),
        Builtin(
            "ray",
            (_p("s", "space"), _p("d", "direction")),
            "list of space",
            "the spaces from s in direction d to the rim of the grid",
        ),
        Builtin("opposite", (_p("d", "direction"),), "direction", "the direction that leads back"),
        Builtin(
            "before_last",
            (_p("path", "list of space"),),
            "space",
            "the last but one of a path; a fault if it is shorter",
        ),
    )
}

# Built-in effects: called as statements.
EFFECTS: dict[str, Builtin] = {
    b.name: b
    for b in (
        Builtin("shuffle", (_p("zone", "pile"),), "", "brings the pieces of a pile into a random order"),
        Builtin("look", (_p("zone", "zone"), _p("p", "player")), "", "tells p, and nobody else, what lies in a zone"),
    )
}


def place_arguments(node: n.Apply, builtin: Builtin) -> dict[str, n.Argument | n.Condition]:
    """The arguments of a built-in by parameter; what fits none is left out."""
    placed: dict[str, n.Argument | n.Condition] = {}
    for i, argument in enumerate(node.args):
        if argument.name is not None:
            placed.setdefault(argument.name.text, argument)
        elif i < len(builtin.params):
            placed.setdefault(builtin.params[i].name, argument)
    return placed
