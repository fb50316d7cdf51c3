"""Pure functions built by hand, with what they must give: every backend's tests run them.

All are in one program (`value_program`) and read one position (`value_block`). `core_plays` holds whole plays.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from core_build import (
    SITES,
    add,
    best_way,
    board,
    c,
    eq,
    filled,
    get,
    list_var,
    listed,
    members,
    roads,
    set_var,
    span,
    spread,
    var,
)
from core_model import bits

from interpreter.backends.machine import Fault, Machine
from interpreter.core import nodes as n
from interpreter.core.header import HEADER

# ---- values ----------------------------------------------------------------------------------------------------------

INTS = HEADER  # ten integers
SETS = HEADER + 10  # four sets of 100
CELLS = SETS + 16
BOARD, ROADS = 0, 1
INT_CELLS = (5, -7, 0, n.MAX_INT, n.MIN_INT, 12, 1, 2, 3, -1)
SET_CELLS = ((), (0, 31, 32, 63, 64, 99), tuple(range(100)), (50,))


@dataclass(frozen=True)
class Value:
    """A function of the program and what it gives for some arguments; a Fault if it must fault so."""

    name: str
    function: int
    args: tuple[int, ...]
    want: int | tuple[int, ...] | Fault


def value_program() -> tuple[n.Program, list[Value]]:
    """The program and all its cases."""
    program = n.Program(cells=CELLS, budget=100, sites=SITES)
    program.tables = [(4, -1, 9)]
    program.set_tables, program.set_sizes = [(0, 1 << 99 | 5, (1 << 100) - 1)], [100]
    program.list_tables = [((), (3, 1, 2), (7,))]
    program.graphs = [board(10), roads()]
    cases: list[Value] = []
    for name, params, expr, result, runs in [
        *_integers(),
        *_truths(),
        *_sets(),
        *_lists(),
        *_queries(),
        *_graphs(program),
    ]:
        program.functions.append(n.Function(name, params, result, (n.Return(expr),), pure=True))
        cases += [Value(name, len(program.functions) - 1, args, want) for args, want in runs]
    for function, runs in _functions(len(program.functions)):
        program.functions.append(function)
        cases += [Value(function.name, len(program.functions) - 1, args, want) for args, want in runs]
    return program, cases


def value_block(program: n.Program) -> bytearray:
    """The position that the values are computed in."""
    block = filled(program, {INTS + i: value for i, value in enumerate(INT_CELLS)})
    for place, items in enumerate(SET_CELLS):
        block[4 * (SETS + 4 * place) : 4 * (SETS + 4 * place + 4)] = bits(items).to_bytes(16, "little")
    return block


def outcome(machine: Machine, block: bytearray, value: Value) -> int | tuple[int, ...] | Fault:
    """What a machine makes of a case."""
    try:
        return machine.evaluate(block, value.function, value.args)
    except Fault as fault:
        return fault


def same(found: object, want: object) -> bool:
    """Equal, faults by their figures."""
    if isinstance(want, Fault):
        return isinstance(found, Fault) and found.args == want.args
    return type(found) is type(want) and found == want


Runs = list[tuple[tuple[int, ...], int | tuple[int, ...] | Fault]]
Row = tuple[str, tuple[n.Var, ...], n.Expr, n.Type, Runs]
SET, LIST = n.Type("set", 100), n.Type("list", 100)
A, B = var("a"), var("b")


def _integers() -> list[Row]:
    def two(op: str, runs: Runs) -> Row:
        return (op, (A, B), n.Arith(op, get(A), get(B), 7), n.INT, runs)  # type: ignore[arg-type]

    def one(name: str, expr: n.Expr, runs: Runs) -> Row:
        return (name, (A,), expr, n.INT, runs)

    big, small = n.MAX_INT, n.MIN_INT
    return [
        two("+", [((2, 3), 5), ((big, 0), big), ((big, 1), Fault(7, big, 1)), ((small, -1), Fault(7, small, -1))]),
        two(
            "-", [((2, 3), -1), ((0, small), Fault(7, 0, small)), ((small, 1), Fault(7, small, 1)), ((-1, small), big)]
        ),
        two(
            "*",
            [
                ((-4, 5), -20),
                ((1 << 16, 1 << 15), Fault(7, 1 << 16, 1 << 15)),
                ((small, -1), Fault(7, small, -1)),
                ((1 << 16, -(1 << 15)), small),
                ((big, big), Fault(7, big, big)),
            ],
        ),
        two(
            "floor",
            [
                ((7, 2), 3),
                ((-7, 2), -4),
                ((7, -2), -4),
                ((-7, -2), 3),
                ((6, 3), 2),
                ((-6, 3), -2),
                ((0, -5), 0),
                ((1, 0), Fault(7, 1, 0)),
                ((small, -1), Fault(7, small, -1)),
                ((small, 1), small),
                ((small, big), -2),
            ],
        ),
        two(
            "ceil",
            [
                ((7, 2), 4),
                ((-7, 2), -3),
                ((7, -2), -3),
                ((-7, -2), 4),
                ((6, 3), 2),
                ((-6, 3), -2),
                ((0, -5), 0),
                ((-3, 0), Fault(7, -3, 0)),
                ((small, -1), Fault(7, small, -1)),
                ((small, 2), -(1 << 30)),
                ((1, big), 1),
            ],
        ),
        two("min", [((3, -4), -4), ((-4, 3), -4), ((big, small), small)]),
        two("max", [((3, -4), 3), ((-4, 3), 3), ((big, small), big)]),
        one("constant", c(-5), [((0,), -5)]),
        one("load", n.Load(INTS, get(A), 10, 3), [((0,), 5), ((9,), -1), ((10,), Fault(3, 10)), ((-1,), Fault(3, -1))]),
        one("load unchecked", n.Load(INTS, get(A), 10, None), [((3,), big), ((4,), small)]),
        one("table", n.Table(0, get(A), 4), [((0,), 4), ((2,), 9), ((3,), Fault(4, 3)), ((-1,), Fault(4, -1))]),
        one("cond", n.Cond(get(A), c(8), n.Table(0, c(7), 4)), [((1,), 8), ((0,), Fault(4, 7))]),
        one(
            "left first",
            add(n.Table(0, get(A), 4), n.Load(INTS, get(A), 10, 3)),
            [((-1,), Fault(4, -1)), ((5,), Fault(4, 5))],
        ),
        one(
            "left first, before a query",
            add(n.Table(0, get(A), 4), n.Query("the", B, span(1, 0), None, None, site=5)),
            [((3,), Fault(4, 3)), ((2,), Fault(5, 0))],
        ),
        one("deep", _deep(get(A), 300), [((0,), 300), ((n.MAX_INT - 5,), Fault(2, n.MAX_INT, 1))]),
    ]


def _deep(expr: n.Expr, levels: int) -> n.Expr:
    for _ in range(levels):
        expr = add(expr, c(1), 2)
    return expr


def _truths() -> list[Row]:
    bad = eq(n.Table(0, c(9), 4), c(0))  # always faults

    def one(name: str, expr: n.Expr, runs: Runs) -> Row:
        return (name, (A,), expr, n.INT, runs)

    def compare(op: str, less: int, equal: int, more: int) -> Row:
        return one(op, n.Compare(op, get(A), c(2)), [((1,), less), ((2,), equal), ((3,), more)])  # type: ignore[arg-type]

    a_set = n.SetOf((get(A),), 100, None)
    return [
        compare("==", 0, 1, 0),
        compare("!=", 1, 0, 1),
        compare("<", 1, 0, 0),
        compare("<=", 1, 1, 0),
        compare(">", 0, 0, 1),
        compare(">=", 0, 1, 1),
        one("sets equal", eq(a_set, members(70, size=100)), [((70,), 1), ((69,), 0)]),
        one("sets unequal", n.Compare("!=", a_set, members(size=100)), [((-1,), 0), ((0,), 1)]),
        one("not", n.Not(eq(get(A), c(0))), [((0,), 0), ((5,), 1)]),
        one("both", n.Both(eq(get(A), c(1)), bad), [((0,), 0), ((1,), Fault(4, 9))]),
        one("either", n.Either(eq(get(A), c(1)), bad), [((1,), 1), ((0,), Fault(4, 9))]),
        one(
            "both with a query",
            n.Both(eq(get(A), c(1)), n.Query("all", B, span(0, 3), None, bad)),
            [((0,), 0), ((1,), Fault(4, 9))],
        ),
        one(
            "either with a query",
            n.Either(eq(get(A), c(1)), n.Query("any", B, span(0, 3), bad, None)),
            [((1,), 1), ((0,), Fault(4, 9))],
        ),
        one(
            "has, set",
            n.Has(members(0, 64, 99, size=100), get(A)),
            [
                ((0,), 1),
                ((64,), 1),
                ((99,), 1),
                ((1,), 0),
                ((-1,), 0),
                ((100,), 0),
                ((n.MAX_INT,), 0),
                ((n.MIN_INT,), 0),
                ((128,), 0),
            ],
        ),
        one(
            "has, small set",
            n.Has(members(0, 4, size=5), get(A)),
            [((0,), 1), ((4,), 1), ((5,), 0), ((32,), 0), ((64,), 0), ((-1,), 0)],
        ),
        one("has, list", n.Has(listed(3, -1), get(A)), [((3,), 1), ((-1,), 1), ((0,), 0)]),
        one(
            "has evaluates its set though the item is -1", n.Has(n.SetTable(0, c(7), 4), get(A)), [((-1,), Fault(4, 7))]
        ),
    ]


def _sets() -> list[Row]:
    def one(name: str, expr: n.Expr, runs: Runs) -> Row:
        return (name, (A,), expr, SET, runs)

    some, others = members(0, 31, 32, 63, 64, 99, size=100), members(31, 50, 64, size=100)
    return [
        one("constant set", some, [((0,), (0, 31, 32, 63, 64, 99))]),
        one("load set", n.LoadSet(SETS, get(A), 4, 100, 3), [((i,), items) for i, items in enumerate(SET_CELLS)]),
        one("load set outside", n.LoadSet(SETS, get(A), 4, 100, 3), [((4,), Fault(3, 4)), ((-1,), Fault(3, -1))]),
        one("load set unchecked", n.LoadSet(SETS, get(A), 4, 100, None), [((3,), (50,))]),
        one(
            "set table",
            n.SetTable(0, get(A), 4),
            [((0,), ()), ((1,), (0, 2, 99)), ((2,), tuple(range(100))), ((3,), Fault(4, 3))],
        ),
        one(
            "set of",
            n.SetOf((get(A), c(40), get(A), c(-1)), 100, 5),
            [((3,), (3, 40)), ((-1,), (40,)), ((99,), (40, 99)), ((100,), Fault(5, 100)), ((-2,), Fault(5, -2))],
        ),
        one(
            "set of, item by item",
            n.SetOf((get(A), n.Table(0, get(A), 4)), 100, 5),
            [((100,), Fault(5, 100)), ((50,), Fault(4, 50))],
        ),
        one("set of list", n.SetOfList(n.ListOf((get(A), c(-1), c(64))), 100), [((2,), (2, 64)), ((-1,), (64,))]),
        one(
            "range set",
            n.RangeSet(c(30), get(A), 100, 6),
            [
                ((33,), (30, 31, 32, 33)),
                ((30,), (30,)),
                ((29,), ()),
                ((-5,), ()),
                ((99,), tuple(range(30, 100))),
                ((100,), Fault(6, 30, 100)),
            ],
        ),
        one(
            "range set from below",
            n.RangeSet(get(A), c(2), 100, 6),
            [((-1,), Fault(6, -1, 2)), ((0,), (0, 1, 2)), ((3,), ())],
        ),
        one(
            "range set of 64", n.RangeSet(c(0), get(A), 100, 6), [((63,), tuple(range(64))), ((31,), tuple(range(32)))]
        ),
        one("union", n.SetOp("|", some, others), [((0,), (0, 31, 32, 50, 63, 64, 99))]),
        one("intersection", n.SetOp("&", some, others), [((0,), (31, 64))]),
        one("difference", n.SetOp("-", some, others), [((0,), (0, 32, 63, 99))]),
        one(
            "difference of computed sets",
            n.SetOp("-", n.SetTable(0, c(2), None), n.LoadSet(SETS, c(2), 4, 100, None)),
            [((0,), ())],
        ),
        *(
            one(
                f"shift by {by}",
                n.Shift(some, by, 100),
                [((0,), tuple(i + by for i in (0, 31, 32, 63, 64, 99) if 0 <= i + by < 100))],
            )
            for by in (0, 1, -1, 32, -32, 63, -64, 99, -99, 150)
        ),
        one("shift into more", n.Shift(members(0, 4, size=5), 95, 100), [((0,), (95, 99))]),
        ("shift into less", (A,), n.Shift(some, -30, 5), n.Type("set", 5), [((0,), (1, 2))]),
        one("cond of sets", n.Cond(get(A), some, others), [((1,), (0, 31, 32, 63, 64, 99)), ((0,), (31, 50, 64))]),
    ]


def _lists() -> list[Row]:
    def one(name: str, expr: n.Expr, runs: Runs, result: n.Type = LIST) -> Row:
        return (name, (A,), expr, result, runs)

    table = n.ListTable(0, get(A), 4)
    three = listed(30, 10, 20)
    return [
        one("list of", n.ListOf((get(A), c(-1), get(A))), [((5,), (5, -1, 5))]),
        one("empty list", n.ListOf(()), [((5,), ())]),
        one("list of set", n.ListOfSet(members(99, 64, 3, size=100), 100), [((0,), (3, 64, 99))]),
        one("list of small set", n.ListOfSet(members(4, 1, size=5), 5), [((0,), (1, 4))]),
        one("list table", table, [((0,), ()), ((1,), (3, 1, 2)), ((3,), Fault(4, 3)), ((-1,), Fault(4, -1))]),
        one("cond of lists", n.Cond(get(A), three, listed()), [((1,), (30, 10, 20)), ((0,), ())]),
        one(
            "item",
            n.Item(three, get(A), 8),
            [((0,), 30), ((2,), 20), ((-1,), 20), ((-3,), 30), ((3,), Fault(8, 3, 3)), ((-4,), Fault(8, -4, 3))],
            n.INT,
        ),
        one("item of nothing", n.Item(listed(), get(A), 8), [((0,), Fault(8, 0, 0)), ((-1,), Fault(8, -1, 0))], n.INT),
        one("size of list", n.Size(table), [((0,), 0), ((1,), 3)], n.INT),
        one("size of set", n.Size(n.LoadSet(SETS, get(A), 4, 100, None)), [((0,), 0), ((1,), 6), ((2,), 100)], n.INT),
        one("first of list", n.First(table), [((0,), -1), ((1,), 3)], n.INT),
        one("first of set", n.First(n.LoadSet(SETS, get(A), 4, 100, None)), [((0,), -1), ((1,), 0), ((3,), 50)], n.INT),
        one(
            "first, high",
            n.First(n.SetOf((get(A),), 100, None)),
            [((99,), 99), ((64,), 64), ((63,), 63), ((32,), 32)],
            n.INT,
        ),
        one(
            "face",
            n.Face(n.SetConst(1000 << 64 | 7 << 16 | 65535, 80), get(A)),
            [((0,), 65535), ((1,), 7), ((2,), 0), ((4,), 1000)],
            n.INT,
        ),
    ]


def _queries() -> list[Row]:
    it = var("it")
    domains: list[tuple[str, n.Expr]] = [
        ("set", n.LoadSet(SETS, get(A), 4, 100, None)),
        ("small set", n.Shift(n.LoadSet(SETS, get(A), 4, 100, None), -30, 20)),
        ("list", n.ListOfSet(n.LoadSet(SETS, get(A), 4, 100, None), 100)),
        ("span", n.Span(c(0), get(A))),
    ]
    items_of = {
        "set": {i: SET_CELLS[i] for i in range(4)},
        "list": {i: SET_CELLS[i] for i in range(4)},
        "small set": {i: tuple(x - 30 for x in SET_CELLS[i] if 30 <= x < 50) for i in range(4)},
        "span": {-1: (), 0: (0,), 5: tuple(range(6)), 99: tuple(range(100))},
    }
    odd = eq(n.Arith("-", get(it), n.Arith("*", n.Arith("floor", get(it), c(2), None), c(2), None), None), c(1))
    value = n.Arith("*", n.Arith("-", get(it), c(40), None), n.Arith("-", get(it), c(40), None), None)  # (x - 40)²
    rows: list[Row] = []
    for name, domain in domains:
        for where in (None, odd):
            for op in (
                "any",
                "all",
                "count",
                "sum",
                "first",
                "the",
                "most",
                "least",
                "those",
                "highest",
                "lowest",
                "map",
            ):
                size = 100 if op != "map" else 2000
                shown = {"all": odd, "map": n.Arith("min", value, c(1999), None)}.get(op, value)
                absents = (None, -7) if op in ("most", "least") else (None,)
                for absent in absents:
                    query = n.Query(op, it, domain, where, shown, size, absent, 9)  # type: ignore[arg-type]
                    runs: Runs = [
                        ((arg,), _query_result(op, tuple(x for x in items if where is None or x % 2), absent))
                        for arg, items in items_of[name].items()
                    ]
                    result = n.Type("set", size) if op in ("those", "highest", "lowest", "map") else n.INT
                    rows.append((f"{op} over {name}{' where' if where else ''}", (A,), query, result, runs))
    outer, inner = var("outer"), var("inner")
    nested = n.Query(
        "those",
        outer,
        members(*range(20), size=20),
        n.Query(
            "any",
            inner,
            members(*range(2, 20), size=20),
            n.Both(
                n.Compare("<", get(inner), get(outer)),
                eq(n.Arith("*", get(inner), n.Arith("floor", get(outer), get(inner), None), None), get(outer)),
            ),
            None,
        ),
        None,
        20,
    )
    same_var = n.Query(
        "count", it, span(1, 4), eq(n.Query("count", it, n.Span(c(1), get(it)), None, None), get(it)), None
    )
    leading = n.Query("leading", it, listed(1, 3, 4, 5), n.Compare("!=", get(it), get(A)), None)
    seen = n.Query("first", it, listed(1, 2, 3), n.Either(eq(get(it), get(A)), eq(n.Table(0, get(it), 4), c(0))), None)
    return [
        *rows,
        ("nested", (A,), nested, n.Type("set", 20), [((0,), (4, 6, 8, 9, 10, 12, 14, 15, 16, 18))]),
        ("one variable twice", (A,), same_var, n.INT, [((0,), 4)]),
        ("leading", (A,), leading, LIST, [((4,), (1, 3)), ((1,), ()), ((9,), (1, 3, 4, 5))]),
        ("leading all", (A,), n.Query("leading", it, listed(1, 3), None, None), LIST, [((0,), (1, 3))]),
        ("first stops", (A,), seen, n.INT, [((1,), 1), ((3,), 3), ((9,), Fault(4, 3))]),
        (
            "where before value",
            (A,),
            n.Query("sum", it, span(0, 3), n.Compare("<", get(it), get(A)), n.Table(0, get(it), 4)),
            n.INT,
            [((3,), 12), ((4,), Fault(4, 3))],
        ),
        (
            "sum overflows",
            (A,),
            n.Query("sum", it, listed(n.MAX_INT, 1, -5), None, get(it), site=9),
            n.INT,
            [((0,), Fault(9, n.MAX_INT, 1))],
        ),
        ("map skips none", (A,), n.Query("map", it, listed(3, -1, 64), None, get(it), 100), SET, [((0,), (3, 64))]),
        (
            "map outside",
            (A,),
            n.Query("map", it, span(0, 2), None, n.Arith("*", get(it), get(A), None), 100, site=9),
            SET,
            [((1,), (0, 1, 2)), ((50,), Fault(9, 100)), ((-1,), Fault(9, -2))],
        ),
        (
            "those outside",
            (A,),
            n.Query("those", it, listed(5, 100), n.Compare(">", get(it), get(A)), None, 100, site=9),
            SET,
            [((0,), Fault(9, 100)), ((100,), ())],
        ),
        (
            "those of a list skip none",
            (A,),
            n.Query("those", it, listed(-1, 7), None, None, 100, site=9),
            SET,
            [((0,), (7,))],
        ),
    ]


def _query_result(op: str, items: tuple[int, ...], absent: int | None) -> int | tuple[int, ...] | Fault:
    values = [(x - 40) ** 2 for x in items]
    if op in ("most", "least") and not items:
        return Fault(9, 0) if absent is None else absent
    if op == "the":
        return items[0] if len(items) == 1 else Fault(9, len(items))
    best = max(values, default=0) if op in ("most", "highest") else min(values, default=0)
    results: dict[str, int | tuple[int, ...]] = {
        "any": int(len(items) > 0),
        "all": int(all(x % 2 == 1 for x in items)),
        "count": len(items),
        "sum": sum(values),
        "first": items[0] if items else -1,
        "most": best,
        "least": best,
        "those": items,
        "highest": tuple(x for x, v in zip(items, values, strict=True) if v == best),
        "lowest": tuple(x for x, v in zip(items, values, strict=True) if v == best),
        "map": tuple(sorted({min(v, 1999) for v in values})),
    }
    return results[op]


def _graphs(program: n.Program) -> list[Row]:
    rows: list[Row] = []
    for number, graph in enumerate(program.graphs):
        size, everywhere, all_edges = graph.size, set(range(graph.size)), set(range(graph.edges))
        kind, edge_kind = n.Type("set", size), n.Type("set", graph.edges)
        some = {x for x in everywhere if x % 3 != 1}
        ways = {e for e in all_edges if e % 4}
        dear = {e for e in all_edges if e % 3 == 0}
        goals = [x for x in (0, 7, 23, 39, 40, size - 1, 58) if x < size]
        for through in (None, some):
            for along in (None, ways):
                inside, edges = through or everywhere, along or all_edges
                options = (
                    None if through is None else n.SetConst(bits(through), size),
                    None if along is None else n.SetConst(bits(along), graph.edges),
                )
                starts = [(0,), (17,), (size - 1,), (0, 5, 33), ()]
                for start in starts:
                    name = f"reach {graph.name} from {start} {'through ' if through else ''}{'along' if along else ''}"
                    begin = n.SetConst(bits(start), size)
                    steps = [-1, 0, 1, 2, 3, 4, 9, n.MAX_INT]
                    rows.append(
                        (
                            name,
                            (A,),
                            n.Reach(number, begin, get(A), *options),
                            kind,
                            [
                                ((k,), tuple(sorted(spread(graph, start, min(max(k, 0), size), inside, edges))))
                                for k in steps
                            ],
                        )
                    )
                    for fixed in (None, 0, 1, 2, 3, 5):
                        want = tuple(sorted(spread(graph, start, size if fixed is None else fixed, inside, edges)))
                        within = None if fixed is None else c(fixed)
                        rows.append(
                            (
                                f"{name} within {fixed}",
                                (A,),
                                n.Reach(number, begin, within, *options),
                                kind,
                                [((0,), want)],
                            )
                        )
                        if len(start) == 1:
                            lone = n.Reach(number, n.SetOf((get(A),), size, 5), within, *options)
                            rows.append(
                                (
                                    f"{name} within {fixed}, one space",
                                    (A,),
                                    lone,
                                    kind,
                                    [((start[0],), want), ((-1,), ()), ((size,), Fault(5, size))],
                                )
                            )
                    for costly in (None, dear):
                        paths = n.Path(
                            number,
                            begin,
                            get(A),
                            *options,
                            None if costly is None else n.SetConst(bits(dear), graph.edges),
                        )
                        found = {goal: best_way(graph, start, goal, inside, edges, costly or set()) for goal in goals}
                        rows.append(
                            (
                                f"path, {name} costly {costly is not None}",
                                (A,),
                                paths,
                                LIST,
                                [((goal,), found[goal]) for goal in goals] + [((-1,), ())],
                            )
                        )
                        edge_runs: Runs = [((goal,), _edges(graph, found[goal])) for goal in goals]
                        rows.append((f"edges, {name}", (A,), n.EdgesOf(number, paths), edge_kind, edge_runs))
        gaps = n.EdgesOf(number, n.ListOf((get(A), get(A), c(-1), get(A))))
        rows.append((f"edges of no way {graph.name}", (A,), gaps, edge_kind, [((0,), ())]))
    return rows


def _edges(graph: n.Graph, way: tuple[int, ...]) -> tuple[int, ...]:
    pairs = {frozenset(pair) for pair in pairwise(way)}
    return tuple(sorted({e for s in range(graph.size) for o, e in graph.around[s] if frozenset((s, o)) in pairs}))


def _functions(first: int) -> list[tuple[n.Function, Runs]]:
    """Functions of several statements; `first` is the number of the first of them."""
    total, item, k = var("total"), var("item"), var("k")
    items, chosen = list_var("items"), set_var("chosen", 100)

    def function(name: str, *body: n.Stmt, params: tuple[n.Var, ...] = (A,), result: n.Type = n.INT) -> n.Function:
        return n.Function(name, params, result, body, pure=True)

    up = n.Let(total, add(get(total), get(item), 2))
    return [
        (
            function(
                "triangle", n.Let(total, c(0)), n.For(item, n.Span(c(1), get(A)), (up,), 0, 9), n.Return(get(total))
            ),
            [((4,), 10), ((0,), 0), ((200,), 20100)],
        ),
        (
            function(
                "sum of squares",
                n.Return(
                    n.Cond(
                        n.Compare("<=", get(A), c(0)),
                        c(0),
                        add(n.Arith("*", get(A), get(A), None), n.Call(first, (get(A),))),
                    )
                ),
            ),
            [((3,), 15), ((0,), 0)],
        ),
        (
            function(
                "calls within queries",
                n.Return(n.Query("sum", item, n.Span(c(0), get(A)), None, n.Call(first + 1, (get(item),)), site=9)),
            ),
            [((3,), 1 + 1 + 4 + 3 + 9 + 6)],
        ),
        (
            function(
                "weight of for",
                n.Let(total, c(0)),
                n.For(item, n.Span(c(1), get(A)), (up,), 10, 9),
                n.Return(get(total)),
            ),
            [((10,), 55), ((11,), Fault(9, 100))],
        ),
        (
            function(
                "weight of while",
                n.Let(total, c(0)),
                n.While(n.Compare("<", get(total), get(A)), (n.Let(total, add(get(total), c(1))),), 7, 9),
                n.Return(get(total)),
            ),
            [((0,), 0), ((14,), 14), ((15,), Fault(9, 100))],
        ),
        (
            function(
                "break",
                n.Let(total, c(0)),
                n.For(
                    item,
                    n.LoadSet(SETS, c(2), 4, 100, None),
                    (
                        n.If(n.Compare(">", get(item), get(A)), (n.Break(),)),
                        n.For(k, span(0, 5), (n.If(eq(get(k), c(2)), (n.Break(),)), up), 0, 9),
                    ),
                    0,
                    9,
                ),
                n.Return(get(total)),
            ),
            [((3,), 12), ((-1,), 0)],
        ),
        (
            function(
                "return from a loop",
                n.For(item, listed(4, 8, 15), (n.If(eq(get(item), get(A)), (n.Return(c(1)),)),), 0, 9),
                n.Return(c(0)),
            ),
            [((8,), 1), ((9,), 0)],
        ),
        (
            function(
                "loop over a frozen list",
                n.Let(items, n.ListOf((get(A), c(2)))),
                n.Let(total, c(0)),
                n.For(item, get(items), (n.Let(items, listed()), up), 0, 9),
                n.Return(n.Arith("*", get(total), add(n.Size(get(items)), c(1)), 2)),
            ),
            [((5,), 7)],
        ),
        (
            function(
                "loop over a frozen set",
                n.Let(chosen, members(3, 70, size=100)),
                n.Let(total, c(0)),
                n.For(item, get(chosen), (n.Let(chosen, members(1, size=100)), up), 0, 9),
                n.Return(add(get(total), n.First(get(chosen)))),
            ),
            [((0,), 74)],
        ),
        (
            function(
                "own variable changed",
                n.Let(total, c(0)),
                n.For(item, span(1, 3), (n.Let(item, n.Arith("*", get(item), get(A), 2)), up), 0, 9),
                n.Return(get(total)),
            ),
            [((10,), 60)],
        ),
        (
            function(
                "up to n - 1",
                n.Let(total, c(0)),
                n.For(item, n.Span(c(2), n.Arith("-", get(A), c(1), None)), (up,), 0, 9),
                n.Return(get(total)),
            ),
            [((5,), 9), ((3,), 2), ((2,), 0), ((-1,), 0)],
        ),
        (
            function(
                "a variable of two values, then an index",
                n.Let(total, get(A)),
                n.If(eq(get(A), c(5)), (n.Let(total, c(1)),)),
                n.Return(n.Table(0, get(total), 4)),
            ),
            [((0,), 4), ((5,), -1), ((7,), Fault(4, 7))],
        ),
        (
            function(
                "own variable changed, then an index",
                n.Let(total, c(0)),
                n.For(
                    item,
                    span(0, 2),
                    (n.Let(item, add(get(item), get(A))), n.Let(total, add(get(total), n.Table(0, get(item), 4)))),
                    0,
                    9,
                ),
                n.Return(get(total)),
            ),
            [((0,), 12), ((1,), Fault(4, 3)), ((-1,), Fault(4, -1))],
        ),
        (
            function(
                "if",
                n.If(
                    eq(get(A), c(0)),
                    (n.Return(c(10)),),
                    (
                        n.If(
                            n.Query("any", item, span(1, 3), eq(get(item), get(A)), None),
                            (n.Return(c(20)),),
                            (n.If(eq(get(A), c(4)), (n.Return(c(30)),)),),
                        ),
                    ),
                ),
                n.Return(c(40)),
            ),
            [((0,), 10), ((2,), 20), ((4,), 30), ((5,), 40)],
        ),
        (
            function(
                "fail",
                n.If(n.Compare(">", get(A), c(3)), (n.Fail(6, n.Arith("*", get(A), c(2), None)),)),
                n.If(eq(get(A), c(1)), (n.Fail(6),)),
                n.Return(get(A)),
            ),
            [((2,), 2), ((5,), Fault(6, 10)), ((1,), Fault(6))],
        ),
        (
            function(
                "set",
                n.Let(chosen, members(size=100)),
                n.For(
                    item,
                    span(0, 9),
                    (n.Let(chosen, n.SetOp("|", get(chosen), n.SetOf((n.Arith("*", get(item), get(A), 2),), 100, 5))),),
                    0,
                    9,
                ),
                n.Return(get(chosen)),
                result=SET,
            ),
            [((11,), tuple(range(0, 100, 11))), ((12,), Fault(5, 108))],
        ),
        (
            function("parameter changed", n.Let(A, add(get(A), c(1))), n.Return(n.Arith("*", get(A), get(A), 2))),
            [((4,), 25)],
        ),
    ]
