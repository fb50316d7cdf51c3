"""Calls of functions and built-ins.

Small functions are written out where they are called, which opens the way to the shortcuts of `queries` and saves the
call.
"""

from __future__ import annotations

from collections.abc import Callable as Maker
from itertools import takewhile

from interpreter.core import nodes as c
from interpreter.core.lower import chance, piles, stages, weave
from interpreter.core.lower import queries as q
from interpreter.core.lower.context import Context, Env, core_type
from interpreter.core.lower.held import both
from interpreter.core.lower.places import place_of
from interpreter.core.lower.tables import lower_pair
from interpreter.lang import nodes as n
from interpreter.lang.builtins import BUILTINS, place_arguments
from interpreter.lang.scope import (
    Callable,
    Local,
    PairMaker,
)
from interpreter.lang.types import KindT, SetT, Ty, bounds
from interpreter.lang.world import Board

INLINE_NODES = 40  # a function whose tree has at most this many nodes is written out
INLINE_DEPTH = 6


def lower_apply(node: n.Apply, env: Env, ctx: Context) -> c.Expr:
    """A call inside an expression."""
    target = ctx.checked.refs.get(node)
    if isinstance(target, Callable):
        return _call(node, target, env, ctx)
    if isinstance(target, PairMaker):
        return lower_pair(node, target, env, ctx)
    assert isinstance(node.func, n.NameRef)
    builtin = BUILTINS[node.func.name]
    return LOWERED[builtin.name](_Arguments(node, env, ctx))


def arguments(node: n.Apply, target: Callable, env: Env, ctx: Context) -> list[c.Expr]:
    """Arguments in the order of the parameters, held as these demand."""
    given: dict[str, n.Expr] = {}
    if target.fillings is not None and isinstance(node.func, n.Field):
        given[target.params[0].name] = node.func.target
    for i, argument in enumerate(node.args, start=len(given)):
        assert isinstance(argument, n.Argument)
        given[argument.name.text if argument.name else target.params[i].name] = argument.value
    return [ctx.expr(given[p.name], env, p.type) for p in target.params]


def _call(node: n.Apply, target: Callable, env: Env, ctx: Context) -> c.Expr:
    args = arguments(node, target, env, ctx)
    fun = target.node
    if (
        isinstance(fun, n.Fun)
        and not weave.woven(target, ctx)
        and fun.value is not None
        and all(_cheap(a) for a in args)
        and ctx.inlining < INLINE_DEPTH
        and _weight(fun.value) <= INLINE_NODES
    ):
        names: dict[Local, c.Var | c.Expr] = dict(zip(target.params, args, strict=True))
        ctx.inlining += 1
        try:
            return ctx.expr(fun.value, Env(names), target.result)
        finally:
            ctx.inlining -= 1
    call = c.Call(ctx.function_number(target), tuple(args))
    if target.result is not None and core_type(target.result).form == "int":
        ctx.ranged(call, *bounds(target.result))
    return call


def _cheap(e: c.Expr) -> bool:
    """Whether an argument may be written out several times."""
    match e:
        case c.Get() | c.Const() | c.SetConst():
            return True
        case c.Load(_, index, _, None) | c.Table(_, index, None):
            return isinstance(index, c.Get | c.Const)
    return False


def _weight(node: object) -> int:
    """Number of nodes of a syntax tree."""
    if isinstance(node, tuple):
        return sum(_weight(x) for x in node)
    slots = getattr(type(node), "__slots__", ())
    if not slots or isinstance(node, n.Name):
        return 0
    return 1 + sum(_weight(getattr(node, s)) for s in slots if s != "span")


class _Arguments:
    """Arguments of a built-in by name, lowered when asked for."""

    def __init__(self, node: n.Apply, env: Env, ctx: Context) -> None:
        assert isinstance(node.func, n.NameRef)
        self.node, self.env, self.ctx = node, env, ctx
        self.placed = place_arguments(node, BUILTINS[node.func.name])

    def raw(self, name: str) -> n.Expr:
        given = self.placed[name]
        assert isinstance(given, n.Argument)
        return given.value

    def get(self, name: str, want: Ty | None = None) -> c.Expr:
        return self.ctx.expr(self.raw(name), self.env, want)

    def optional(self, name: str) -> c.Expr | None:
        return self.get(name) if name in self.placed else None

    def condition(self, name: str, ty: Ty) -> c.Expr | None:
        """The set of all things of a kind for which a condition holds; None if it is not given or holds for all."""
        given = self.placed.get(name)
        if given is None:
            return None
        assert isinstance(given, n.Condition) and isinstance(ty, KindT)
        var = q.fresh(given.var.text, ty, self.ctx)
        inner = self.env.inner()
        inner.names[self.ctx.checked.locals[given.var]] = var
        where = self.ctx.expr(given.where, inner)
        everything: c.Expr = c.SetConst((1 << ty.kind.size) - 1, ty.kind.size)
        domain, rest = q.narrowed(everything, var, where, self.ctx)
        if domain is everything and rest is None:
            return None
        return q.those(domain, var, rest, ty, self.ctx)

    @property
    def board(self) -> Board:
        board = self.ctx.checked.world.board
        assert board is not None
        return board

    @property
    def spaces(self) -> Ty:
        return SetT(KindT(self.board.space))

    def through(self) -> c.Expr | None:
        return self.condition("through", KindT(self.board.space))

    def along(self, name: str = "along") -> c.Expr | None:
        return self.condition(name, KindT(self.board.edge)) if self.board.edge else None


def _size(a: _Arguments) -> c.Expr:
    die = chance.die_of(a.raw("things"), a.ctx)
    if die is not None:
        return chance.size_of(die, a.get("things"), a.ctx)
    domain, of = q.members(a.raw("things"), a.env, a.ctx)
    if isinstance(domain, c.Span):
        domain = q.as_set(domain, of, a.ctx)
    return a.ctx.ranged(c.Size(domain), 0, 4096)


def _arith(op: str) -> Maker[[_Arguments], c.Expr]:
    return lambda x: x.ctx.arith(op, x.get("a"), x.get("b"), x.node.span)


def _divide(op: str) -> Maker[[_Arguments], c.Expr]:
    def made(x: _Arguments) -> c.Expr:
        fraction = x.raw("x")
        assert isinstance(fraction, n.Binary)
        left, right = x.ctx.expr(fraction.left, x.env), x.ctx.expr(fraction.right, x.env)
        return x.ctx.arith(op, left, right, x.node.span)

    return made


def _clamp(a: _Arguments) -> c.Expr:
    span = a.node.span
    return a.ctx.arith("min", a.ctx.arith("max", a.get("x"), a.get("low"), span), a.get("high"), span)


def _abs(a: _Arguments) -> c.Expr:
    x = a.get("x")
    return a.ctx.arith("max", x, a.ctx.arith("-", c.Const(0), x, a.node.span), a.node.span)


def _rival(a: _Arguments) -> c.Expr:
    return a.ctx.ranged(a.ctx.arith("-", c.Const(1), a.get("p"), a.node.span), 0, 1)


def _turn_order(a: _Arguments) -> c.Expr:
    count = a.ctx.checked.world.players.size
    rows = tuple(tuple((p + i) % count for i in range(count)) for p in range(count))
    return c.ListTable(_list_table(rows, a.ctx), a.get("p"), None)


def _list_table(rows: tuple[tuple[int, ...], ...], ctx: Context) -> int:
    for i, known in enumerate(ctx.program.list_tables):
        if known == rows:
            return i
    ctx.program.list_tables.append(rows)
    return len(ctx.program.list_tables) - 1


def _in_play(a: _Arguments) -> c.Expr:
    ty = a.ctx.checked.types[a.raw("x")]
    assert isinstance(ty, KindT)
    kind, x = ty.kind, a.get("x", KindT(ty.kind))
    everything = stages.everything(kind, 0, kind.size, a.ctx)
    whole = isinstance(everything, c.SetConst) and everything.bits == (1 << kind.size) - 1
    taking_part: c.Expr = c.Const(1) if whole else c.Has(everything, x)
    if not kind.is_piece or kind not in a.ctx.out.layout.at:
        return taking_part
    unused = c.Const(a.ctx.checked.world.unused)
    return both(taking_part, c.Compare("!=", place_of(kind, x, a.node.span, a.ctx), unused))


def _neighbours(a: _Arguments) -> c.Expr:
    def made(graph: int) -> c.Expr:
        there = a.ctx.program.graphs[graph]
        return c.SetTable(a.ctx.set_table(there.masks, there.size), a.get("s"), None)

    return stages.on_graph(made, a.ctx)


def _reach(a: _Arguments) -> c.Expr:
    return stages.on_graph(
        lambda g: c.Reach(g, a.get("start", a.spaces), a.optional("within"), a.through(), a.along()), a.ctx
    )


def _connected(a: _Arguments) -> c.Expr:
    def made(graph: int) -> c.Expr:
        start = c.SetOf((a.get("a"),), a.board.graph.size, None)
        return c.Has(c.Reach(graph, start, None, a.through(), a.along()), a.get("b"))

    return stages.on_graph(made, a.ctx)


def _path(a: _Arguments) -> c.Expr:
    def made(graph: int) -> c.Expr:
        costly = a.along("cost") if "cost" in a.placed else None
        return c.Path(graph, a.get("start", a.spaces), a.get("goal"), a.through(), a.along(), costly)

    return stages.on_graph(made, a.ctx)


def _border(a: _Arguments) -> c.Expr:
    def made(number: int) -> c.Expr:
        graph = a.ctx.program.graphs[number]
        numbers = [-1] * (graph.size * graph.size)
        for s, row in enumerate(graph.around):
            for other, edge in row:
                numbers[s * graph.size + other] = edge
        span = a.node.span
        index = a.ctx.arith("+", a.ctx.arith("*", a.get("a"), c.Const(graph.size), span), a.get("b"), span)
        return c.Table(a.ctx.table(tuple(numbers)), index, None)

    return a.ctx.ranged(stages.on_graph(made, a.ctx), -1, a.board.graph.edges - 1)


def _ray(a: _Arguments) -> c.Expr:
    span = a.node.span
    directions = len(a.board.opposite)
    index = a.ctx.arith("+", a.ctx.arith("*", a.get("s"), c.Const(directions), span), a.get("d"), span)

    def made(graph: int) -> c.Expr:
        """Rays end before what is not in play, which has no neighbours."""
        masks = a.ctx.program.graphs[graph].masks
        rays = tuple(tuple(takewhile(lambda s: masks[s], ray)) for ray in a.board.rays)
        return c.ListTable(_list_table(rays, a.ctx), index, None)

    return stages.on_graph(made, a.ctx)


def _opposite(a: _Arguments) -> c.Expr:
    table = a.ctx.table(a.board.opposite)
    return a.ctx.ranged(c.Table(table, a.get("d"), None), 0, len(a.board.opposite) - 1)


def _before_last(a: _Arguments) -> c.Expr:
    site = a.ctx.site("no-such-item", "a path of {1} has no last but one", a.node.span)
    return a.ctx.ranged(c.Item(a.get("path"), c.Const(-2), site), 0, a.board.graph.size - 1)


LOWERED: dict[str, Maker[[_Arguments], c.Expr]] = {
    "size": _size,
    "top": lambda a: piles.lower_top(a.raw("zone"), a.env, a.ctx),
    "min": _arith("min"),
    "max": _arith("max"),
    "clamp": _clamp,
    "floor": _divide("floor"),
    "ceil": _divide("ceil"),
    "abs": _abs,
    "rival": _rival,
    "turn_order": _turn_order,
    "in_play": _in_play,
    "neighbours": _neighbours,
    "reach": _reach,
    "connected": _connected,
    "shortest_path": _path,
    "cheapest_path": _path,
    "edges_of": lambda a: c.EdgesOf(0, a.get("path")),
    "border": _border,
    "ray": _ray,
    "opposite": _opposite,
    "before_last": _before_last,
}
