"""Types, variables and expressions of the core."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Union


@dataclass(frozen=True, slots=True)
class Type:
    """`int`; `set` of `size` bits; `list` of at most `size` integers."""

    form: Literal["int", "set", "list"]
    size: int = 0


INT = Type("int")
MAX_INT = 2**31 - 1
MIN_INT = -(2**31)


@dataclass(slots=True, eq=False)
class Var:
    """A variable; `home` is its cell in the position, given by `suspend` when it must outlive a pause."""

    name: str
    type: Type
    home: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Const:
    """An integer."""

    value: int


@dataclass(frozen=True, slots=True, eq=False)
class Get:
    """The value of a variable, of its type."""

    var: Var


@dataclass(frozen=True, slots=True, eq=False)
class Load:
    """Int: cell `base + index`; fault (a = index) unless 0 <= index < count."""

    base: int
    index: Expr
    count: int
    site: int | None


@dataclass(frozen=True, slots=True, eq=False)
class LoadSet:
    """Set of `size`: the cells from `base + index * width`, width = `2 * ceil(size / 64)`; fault unless 0 <= index <
    count.
    """

    base: int
    index: Expr
    count: int
    size: int
    site: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Int: entry `index` of the constant table of integers number `table`; fault unless within it."""

    table: int
    index: Expr
    site: int | None


@dataclass(frozen=True, slots=True, eq=False)
class SetTable:
    """Set: entry `index` of constant table of sets number `table`; fault unless within it."""

    table: int
    index: Expr
    site: int | None


@dataclass(frozen=True, slots=True, eq=False)
class ListTable:
    """List: entry `index` of constant table of lists number `table`; fault unless within it."""

    table: int
    index: Expr
    site: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Arith:
    """Int.

    `floor`, `ceil` divide, rounding down or up (exactly, also below zero); `site`: overflow (a, b = the operands) or a
    divisor of 0.

    `min` and `max` cannot fault.
    """

    op: Literal["+", "-", "*", "floor", "ceil", "min", "max"]
    left: Expr
    right: Expr
    site: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Compare:
    """Bool: of two ints; `==` and `!=` also of two sets of equal size."""

    op: Literal["==", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Not:
    """Bool: 1 if `value` is 0."""

    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Both:
    """Bool: `left` and `right`; `right` is evaluated only if `left` holds."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Either:
    """Bool: `left` or `right`; `right` is evaluated only if `left` does not hold."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Cond:
    """`then` if `cond` else `other`; any type (sets of equal size)."""

    cond: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """The value of the pure function number `function`, of its result type."""

    function: int
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SetConst:
    """A constant set."""

    bits: int
    size: int


@dataclass(frozen=True, slots=True, eq=False)
class SetOf:
    """The set of these integers; -1 is skipped; fault (a = item) outside -1 … size-1 if `site`."""

    items: tuple[Expr, ...]
    size: int
    site: int | None


@dataclass(frozen=True, slots=True, eq=False)
class SetOfList:
    """The set of a list's members; -1 is skipped."""

    items: Expr
    size: int


@dataclass(frozen=True, slots=True, eq=False)
class RangeSet:
    """The set low … high, both included (empty if high < low); fault (a = low, b = high) if not within 0 … size-1 and
    not empty.
    """

    low: Expr
    high: Expr
    size: int
    site: int | None


@dataclass(frozen=True, slots=True, eq=False)
class SetOp:
    """Union `|`, intersection `&`, difference `-` of two sets of equal size."""

    op: Literal["|", "&", "-"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """A set over another universe: every member moved by `by` (which may be negative); members that leave 0 … size-1
    are dropped.
    """

    value: Expr
    by: int
    size: int


@dataclass(frozen=True, slots=True, eq=False)
class Size:
    """Int: number of members of a set, or length of a list."""

    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Has:
    """Bool: whether the int `item` is a member of a set or stands in a list; out of range is no member."""

    collection: Expr
    item: Expr


@dataclass(frozen=True, slots=True, eq=False)
class First:
    """Int: the lowest member of a set, or the first item of a list; -1 if empty."""

    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """Int: the count of face `face` in counts; 0 <= face < faces is proved."""

    counts: Expr
    face: Expr


@dataclass(frozen=True, slots=True, eq=False)
class ListOf:
    """A list of these integers."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ListOfSet:
    """A list of a set's members in rising order."""

    value: Expr
    size: int


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """Int: item `index` of a list, from 0; a negative index counts from the end (-1 the last); fault (a = index, b =
    length) outside it.
    """

    value: Expr
    index: Expr
    site: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """Only as a domain: the integers low … high, both included; nothing if high < low."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Query:
    """What the members of `domain` (a set, a list or a Span) come to, `var` being each in turn, those for which `where`
    fails left out.

    any      bool: there is one                     all      bool: `value` holds for each (true for none)
    count    int: how many                          sum      int: of `value`; fault (a = sum so far, b = it) on overflow
    first    int: the first, -1 if none             the      int: the only one; fault (a = how many) if not exactly one
    most     int: the greatest `value`;             least    int: the smallest `value`; fault (a = 0) on an empty
             with `absent` the result for nothing            domain unless `absent` is given
    those    set of `size`: of those members        highest  set of `size`: all that tie for the greatest `value`;
                                                    lowest   for the smallest
    leading  list: the members before the first for which `where` fails (domain a list)
    map      set of `size`: of the `value`s (-1 skipped)

    `map`, and `those`, `highest`, `lowest` over lists and Spans, fault (a = the integer) outside -1 … size-1 if `site`,
    as SetOf does.
    """

    op: Literal[
        "any", "all", "count", "sum", "first", "the", "most", "least", "those", "highest", "lowest", "leading", "map"
    ]
    var: Var
    domain: Expr
    where: Expr | None
    value: Expr | None
    size: int = 0
    absent: int | None = None
    site: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """Set of spaces: those reached from `start` in at most `within` steps (None: any number), the start included.

    `through`: a set; every space strictly between start and end of a way must be in it. `along`: a set of edges; only
    these may be used. A negative `within` reaches nothing but the start.
    """

    graph: int
    start: Expr
    within: Expr | None
    through: Expr | None
    along: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """List of spaces from one of `start` (a set) to `goal`, both ends included; empty if there is none or goal is -1.

    Fewest edges in `costly` (a set of edges; None: none is) first, fewest edges second, then the start, and each next
    space in turn, that comes first in data order. `through` binds the spaces strictly between, `along` the edges used.
    """

    graph: int
    start: Expr
    goal: Expr
    through: Expr | None
    along: Expr | None
    costly: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class EdgesOf:
    """Set of edges between neighbours in a list of spaces; pairs without an edge add nothing."""

    graph: int
    path: Expr


Expr = Union[
    Const,
    Get,
    Load,
    LoadSet,
    Table,
    SetTable,
    ListTable,
    Arith,
    Compare,
    Not,
    Both,
    Either,
    Cond,
    Call,
    SetConst,
    SetOf,
    SetOfList,
    RangeSet,
    SetOp,
    Shift,
    Size,
    Has,
    First,
    Face,
    ListOf,
    ListOfSet,
    Item,
    Span,
    Query,
    Reach,
    Path,
    EdgesOf,
]
