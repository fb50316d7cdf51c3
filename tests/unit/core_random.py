"""Random core functions, for comparing backends with `core_model` (and with each other)."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from interpreter.core import nodes as n
from interpreter.core.header import HEADER

INTS, INT_COUNT = HEADER, 6  # cells that hold integers
SETS = HEADER + INT_COUNT  # three sets of each size, one size after another
SIZES = (5, 7, 10, 40, 64, 70, 130)
PLACES, EDGES = 7, 10  # the graph: sizes of its spaces and edges


def width(size: int) -> int:
    """Cells of a set."""
    return 2 * -(-size // 64)


def set_base(size: int) -> int:
    """First cell of the three sets of a size."""
    return SETS + 3 * sum(width(smaller) for smaller in SIZES if smaller < size)


CELLS = set_base(1000)


def graph_of(size: int, pairs: list[tuple[int, int]], name: str = "graph") -> n.Graph:
    """A graph from its edges; edge i joins pairs[i]."""
    around = tuple(
        tuple(sorted((b if a == s else a, edge) for edge, (a, b) in enumerate(pairs) if s in (a, b)))
        for s in range(size)
    )
    masks = tuple(sum(1 << other for other, _ in near) for near in around)
    return n.Graph(name, size, len(pairs), around, masks)


@dataclass
class Maker:
    """Draws expressions; `r` is anything like `random.Random`."""

    r: random.Random
    program: n.Program
    sites: int = 0
    env: list[n.Var] = field(default_factory=list)
    callable: int = 0  # functions that may be called

    def site(self) -> int:
        self.sites += 1
        return self.sites - 1

    def pick(self, *makers: Any) -> Any:
        return self.r.choice(makers)

    def var(self, form: str, size: int = 0) -> n.Var | None:
        fitting = [v for v in self.env if v.type.form == form and (form != "set" or v.type.size == size)]
        return self.r.choice(fitting) if fitting else None

    # ---- integers

    def int(self, d: int) -> n.Expr:
        r = self.r
        var = self.var("int")
        if d <= 0 or r.random() < 0.1:
            if var is not None and r.random() < 0.7:
                return n.Get(var)
            return n.Const(r.choice((-1, 0, 1, 2, 3, 5, 7, 40, -2, n.MAX_INT, n.MIN_INT, r.randrange(-9, 70))))
        return self.pick(
            self.load,
            self.table,
            self.arith,
            self.arith,
            self.cond_int,
            self.size,
            self.first,
            self.item,
            self.query_int,
            self.query_int,
            self.call,
            self.bool,
            self.face,
        )(d - 1)

    def load(self, d: int) -> n.Expr:
        return n.Load(INTS, self.index(d, INT_COUNT), INT_COUNT, self.site())

    def index(self, d: int, count: int) -> n.Expr:
        """Mostly within 0 … count-1."""
        if self.r.random() < 0.5:
            return n.Const(self.r.randrange(count))
        return self.int(d)

    def table(self, d: int) -> n.Expr:
        return n.Table(0, self.index(d, len(self.program.tables[0])), self.site())

    def arith(self, d: int) -> n.Expr:
        op = self.r.choice(("+", "-", "*", "floor", "ceil", "min", "max"))
        return n.Arith(op, self.int(d), self.int(d), self.site())

    def cond_int(self, d: int) -> n.Expr:
        return n.Cond(self.bool(d), self.int(d), self.int(d))

    def size(self, d: int) -> n.Expr:
        return n.Size(self.pick(self.some_set, self.list)(d))

    def first(self, d: int) -> n.Expr:
        return n.First(self.pick(self.some_set, self.list)(d))

    def item(self, d: int) -> n.Expr:
        return n.Item(self.list(d), self.index(d, 3), self.site())

    def face(self, d: int) -> n.Expr:
        return n.Face(self.set(d, 64), n.Const(self.r.randrange(4)))

    def query_int(self, d: int) -> n.Expr:
        op = self.r.choice(("count", "sum", "first", "the", "most", "least"))
        value = op in ("sum", "most", "least")
        absent = self.r.choice((None, -1, 9)) if op in ("most", "least") else None
        return self.query(d, op, value, absent=absent)

    def call(self, d: int) -> n.Expr:
        if not self.callable:
            return self.int(d)
        number = self.r.randrange(self.callable)
        return n.Call(number, tuple(self.int(d) for _ in self.program.functions[number].params))

    # ---- truth values

    def bool(self, d: int) -> n.Expr:
        if d <= 0:
            return n.Compare(self.r.choice(("==", "<", ">=")), self.int(0), self.int(0))
        return self.pick(
            self.compare, self.compare_sets, self.short, self.short, self.negation, self.has, self.query_bool
        )(d - 1)

    def compare(self, d: int) -> n.Expr:
        return n.Compare(self.r.choice(("==", "!=", "<", "<=", ">", ">=")), self.int(d), self.int(d))

    def compare_sets(self, d: int) -> n.Expr:
        size = self.r.choice(SIZES)
        return n.Compare(self.r.choice(("==", "!=")), self.set(d, size), self.set(d, size))

    def short(self, d: int) -> n.Expr:
        return self.r.choice((n.Both, n.Either))(self.bool(d), self.bool(d))

    def negation(self, d: int) -> n.Expr:
        return n.Not(self.bool(d))

    def has(self, d: int) -> n.Expr:
        return n.Has(self.pick(self.some_set, self.list)(d), self.int(d))

    def query_bool(self, d: int) -> n.Expr:
        if self.r.random() < 0.5:
            return self.query(d, "any", False)
        return self.query(d, "all", True, truth=True)

    # ---- sets

    def some_set(self, d: int) -> n.Expr:
        return self.set(d, self.r.choice(SIZES))

    def set(self, d: int, size: int) -> n.Expr:
        var = self.var("set", size)
        if d <= 0:
            if var is not None and self.r.random() < 0.6:
                return n.Get(var)
            return n.SetConst(self.r.getrandbits(size) & self.r.getrandbits(size), size)
        makers = [self.load_set, self.set_of, self.range_set, self.set_op, self.set_op, self.shift, self.cond_set]
        makers += [self.query_set, self.query_set, self.set_of_list]
        if size == self.program.set_sizes[0]:
            makers.append(self.set_table)
        if size == PLACES:
            makers += [self.reach, self.reach]
        if size == EDGES:
            makers.append(self.edges_of)
        return self.r.choice(makers)(d - 1, size)

    def load_set(self, d: int, size: int) -> n.Expr:
        return n.LoadSet(set_base(size), self.index(d, 3), 3, size, self.site())

    def set_table(self, d: int, size: int) -> n.Expr:
        return n.SetTable(0, self.index(d, len(self.program.set_tables[0])), self.site())

    def set_of(self, d: int, size: int) -> n.Expr:
        return n.SetOf(tuple(self.index(d, size) for _ in range(self.r.randrange(4))), size, self.site())

    def set_of_list(self, d: int, size: int) -> n.Expr:
        return n.SetOfList(n.ListOfSet(self.set(d, size), size), size)

    def range_set(self, d: int, size: int) -> n.Expr:
        return n.RangeSet(self.index(d, size), self.index(d, size), size, self.site())

    def set_op(self, d: int, size: int) -> n.Expr:
        return n.SetOp(self.r.choice(("|", "&", "-")), self.set(d, size), self.set(d, size))

    def shift(self, d: int, size: int) -> n.Expr:
        return n.Shift(self.set(d, self.r.choice(SIZES)), self.r.randrange(-9, 70), size)

    def cond_set(self, d: int, size: int) -> n.Expr:
        return n.Cond(self.bool(d), self.set(d, size), self.set(d, size))

    def query_set(self, d: int, size: int) -> n.Expr:
        op = self.r.choice(("those", "highest", "lowest", "map"))
        return self.query(d, op, op != "those", size=size)

    def maybe(self, make: Any, *args: Any) -> n.Expr | None:
        return make(*args) if self.r.random() < 0.5 else None

    def reach(self, d: int, size: int) -> n.Expr:
        within = self.r.choice((None, n.Const(2), n.Const(1), n.Const(0), self.int(d)))
        through = self.maybe(self.set, d, PLACES)
        along = self.set(d, EDGES) if self.r.random() < 0.3 else None
        start = n.SetOf((self.index(d, size),), size, self.site()) if self.r.random() < 0.5 else self.set(d, size)
        return n.Reach(self.r.randrange(2), start, within, through, along)

    def edges_of(self, d: int, size: int) -> n.Expr:
        spaces = self.path(d) if self.r.random() < 0.5 else n.ListOfSet(self.set(d, PLACES), PLACES)
        return n.EdgesOf(self.r.randrange(2), spaces)

    # ---- lists

    def list(self, d: int) -> n.Expr:
        var = self.var("list")
        if d <= 0:
            if var is not None and self.r.random() < 0.6:
                return n.Get(var)
            return n.ListOf(tuple(self.int(0) for _ in range(self.r.randrange(4))))
        return self.pick(
            lambda d: n.ListOf(tuple(self.int(d) for _ in range(self.r.randrange(4)))),
            self.list_of_set,
            lambda d: n.ListTable(0, self.index(d, len(self.program.list_tables[0])), self.site()),
            lambda d: n.Cond(self.bool(d), self.list(d), self.list(d)),
            lambda d: self.query(d, "leading", False),
            self.path,
        )(d - 1)

    def list_of_set(self, d: int) -> n.Expr:
        size = self.r.choice(SIZES)
        return n.ListOfSet(self.set(d, size), size)

    def path(self, d: int) -> n.Expr:
        goal = self.r.choice((n.Const(-1), n.Const(self.r.randrange(PLACES)), n.First(self.set(d, PLACES))))
        graph, start = self.r.randrange(2), self.set(d, PLACES)
        through, along, costly = (self.maybe(self.set, d, size) for size in (PLACES, EDGES, EDGES))
        return n.Path(graph, start, goal, through, along, costly)

    # ---- queries, functions

    def query(
        self, d: int, op: Any, value: bool, *, truth: bool = False, size: int = 0, absent: int | None = None
    ) -> n.Expr:
        kind = self.r.choice(("set", "list", "span")) if op != "leading" else "list"
        own = op in ("those", "highest", "lowest")
        domain: n.Expr
        if kind == "set":
            domain = self.set(d, size if own else self.r.choice(SIZES))
        elif kind == "list":
            domain = self.list(d)
        else:
            low = self.r.randrange(-2, 5)
            domain = n.Span(n.Const(low), n.Const(low + self.r.randrange(-2, 7)))
        var = n.Var("it", n.INT)
        self.env.append(var)
        where = self.maybe(self.bool, d)
        shown = None if not value else self.bool(d) if truth else self.int(d)
        self.env.pop()
        return n.Query(op, var, domain, where, shown, size, absent, self.site())

    def block(self, d: int) -> n.Stmts:
        """Lets, ifs and loops; variables given within stay within."""
        stmts: list[n.Stmt] = []
        known = len(self.env)
        for _ in range(self.r.randrange(1, 4)):
            kind = self.r.randrange(6)
            if kind == 0 and d > 0:
                stmts.append(n.If(self.bool(d - 1), self.block(d - 1), self.block(d - 1)))
            elif kind == 1 and d > 0:
                var = n.Var("each", n.INT)
                domain = self.r.choice((self.some_set, self.list))(d - 1)
                self.env.append(var)
                body = (*self.block(d - 1), n.If(self.bool(1), (n.Break(),), ()))
                self.env.pop()
                stmts.append(n.For(var, domain, body, self.r.randrange(3), self.site()))
            elif kind == 2 and d > 0:
                stmts.append(n.While(self.bool(1), self.block(d - 1), 1 + self.r.randrange(4), self.site()))
            elif kind == 3:
                var = n.Var("s", n.Type("set", self.r.choice(SIZES)))
                stmts.append(n.Let(var, self.set(d, var.type.size)))
                self.env.append(var)
            elif kind == 4:
                var = n.Var("l", n.Type("list", 99))
                stmts.append(n.Let(var, self.list(d)))
                self.env.append(var)
            else:
                old = self.var("int") if self.r.random() < 0.5 else None
                # Only variables of this function's own statements may change.
                var = old if old is not None and old.name == "i" else n.Var("i", n.INT)
                stmts.append(n.Let(var, self.int(d)))
                if var not in self.env:
                    self.env.append(var)
        del self.env[known:]
        return tuple(stmts)

    def function(self, d: int, plain: bool) -> None:
        """Adds a function of one or two integers; `plain`: of a single expression."""
        self.env = [n.Var("a", n.INT), n.Var("b", n.INT)][: self.r.randrange(1, 3)]
        params = tuple(self.env)
        form = self.r.choice(("int", "int", "set", "list")) if d > 2 else "int"
        result = n.Type(form, self.r.choice(SIZES) if form == "set" else 0)
        start = n.Var("i", n.INT)
        body: n.Stmts = ()
        if not plain:
            self.env.append(start)
            body = (n.Let(start, n.Const(0)), *self.block(2))
        value = self.int(d) if form == "int" else self.list(d) if form == "list" else self.set(d, result.size)
        self.program.functions.append(n.Function("f", params, result, (*body, n.Return(value)), pure=True))
        self.callable = len(self.program.functions) if form == "int" else self.callable


def random_program(r: random.Random) -> n.Program:
    """Three functions; the first one or two may be called by the later ones."""
    order = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (0, 6), (1, 5), (0, 3), (2, 6)]
    program = n.Program(cells=CELLS, budget=25)
    program.tables = [(3, -1, 7, n.MAX_INT)]
    program.set_tables, program.set_sizes = [tuple(r.getrandbits(40) for _ in range(4))], [40]
    program.list_tables = [((), (1, 2, 3), (6, 0, -1, 4), (5,))]
    # One graph that is stepped through by shifts, and one too irregular for it.
    pairs = sorted(tuple(sorted(p)) for p in r.sample([(a, b) for a in range(PLACES) for b in range(a)], EDGES))
    program.graphs = [graph_of(PLACES, order), graph_of(PLACES, [(a, b) for a, b in pairs])]
    maker = Maker(r, program)
    maker.function(2, True)
    maker.function(2, r.random() < 0.5)
    maker.function(4, r.random() < 0.5)
    program.sites = [n.Site("test", "{0} {1}", f"rules:{i}:1") for i in range(maker.sites)]
    return program


def random_cells(r: random.Random) -> list[int]:
    """A position for a random program."""
    cells = [0] * CELLS
    for i in range(INT_COUNT):
        cells[INTS + i] = r.choice((-1, 0, 3, n.MAX_INT, n.MIN_INT, r.randrange(50)))
    for size in SIZES:
        for i in range(3):
            bits = r.getrandbits(size)
            for word in range(width(size)):
                value = bits >> 32 * word & 0xFFFFFFFF
                cells[set_base(size) + i * width(size) + word] = value - (value >> 31 << 32)
    return cells
