"""The core: the small typed tree that every game becomes, and that every backend takes. Its meaning is defined here, once.

**Values.** All integers are 32-bit signed. A bool is 0 or 1; an enum value, an entity and a face of a die are indices from
0; `none` is -1. A set of `size` members is that many bits (member i is bit i). A count per face (`Counts`) is a set type
too, of 16 bits a face: face f lies in bits 16f … 16f+15. A list holds integers, at most `size` of them; it never outlives
the block that made it, except that `For` keeps its own frozen copy.

**Position.** A block of 32-bit cells (see `layout`). `Load(base, index, count)` reads cell `base + index`. A set of
`size` bits in a position takes `2 * ceil(size / 64)` cells, little-endian, lowest bits first, starting at an even cell.

**Variables.** A `Var` lives in a local of the function or block; if `home` is not None it lives in the position at that cell
(sets: from that even cell on). Only variables of pausing effects have homes.

**Faults.** A node with a `site` may fault: the backend stops the whole `apply` with (site, a, b); the host restores the old bytes
and prints the site's place and message with {0} and {1} replaced by a and b. `site` None means: proved that it cannot
happen, no check needed. Reads of set members, `Has` and `SetOf` treat -1 as "nothing" (`Has` is false; `SetOf` skips it).

**Steps.** Cell STEPS is 0 between calls. `weight` is added to it at each iteration of a `While` or `For` and at each entry of a
`Block` with weight > 0; when it exceeds the program's budget that is a fault at the node's site (a = the budget). Loops with
weight 0 are leaves: bounded, and cheap. An iteration counts when its body is about to run (of a `While`: once `cond` holds). Steps count from the taking of an answer on (finding its candidates again is free), in `advance`
and `evaluate` from the call on.

**Order.** Expressions have no effects, so only faults make order visible: operands are evaluated left to right (as the fields stand in
the node), `Both`, `Either` and `Cond` evaluate what they need only; in queries `where` before `value`, members in rising order (lists: list
order). A check comes right after the last operand it concerns (`Store`: index, its check, value, its check; `SetOf`: item by item). `any`, `all`, `first` and `leading` stop as soon as
they know; all other queries look at every member. The player of a Decision is evaluated last, and only if the machine waits.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Union

from interpreter.graph import Graph as Graph

# ---- types ----------------------------------------------------------------------------------------------------------


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


# ---- expressions ----------------------------------------------------------------------------------------------------


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
    """Set of `size`: the cells from `base + index * width`, width = `2 * ceil(size / 64)`; fault unless 0 <= index < count."""

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
    """Int. `floor`, `ceil` divide, rounding down or up (exactly, also below zero); `site`: overflow (a, b = the operands) or a divisor of 0.

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
    """The set low … high, both included (empty if high < low); fault (a = low, b = high) if not within 0 … size-1 and not empty."""

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
    """A set over another universe: every member moved by `by` (which may be negative); members that leave 0 … size-1 are dropped."""

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
    """Int: item `index` of a list, from 0; a negative index counts from the end (-1 the last); fault (a = index, b = length) outside it."""

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
    """What the members of `domain` (a set, a list or a Span) come to, `var` being each in turn, those for which `where` fails left out.

    any      bool: there is one                     all      bool: `value` holds for each (true for none)
    count    int: how many                          sum      int: of `value`; fault (a = sum so far, b = value) on overflow
    first    int: the first, -1 if none             the      int: the only one; fault (a = how many) if not exactly one
    most     int: the greatest `value`;             least    int: the smallest `value`; fault (a = 0) on an empty
             with `absent` the result for nothing            domain unless `absent` is given
    those    set of `size`: of those members        highest, lowest   set of `size`: all that tie for the greatest / smallest `value`
    leading  list: the members before the first for which `where` fails (domain a list)
    map      set of `size`: of the `value`s (-1 skipped)

    `map`, and `those`, `highest`, `lowest` over lists and Spans, fault (a = the integer) outside -1 … size-1 if `site`, as SetOf does.
    """

    op: Literal["any", "all", "count", "sum", "first", "the", "most", "least", "those", "highest", "lowest", "leading", "map"]
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

    `through`: a set; every space strictly between start and end of a way must be in it. `along`: a set of edges; only these
    may be used. A negative `within` reaches nothing but the start.
    """

    graph: int
    start: Expr
    within: Expr | None
    through: Expr | None
    along: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """List of spaces from one of `start` (a set) to `goal`, both ends included; empty if there is none or goal is -1.

    Fewest edges in `costly` (a set of edges; None: none is) first, fewest edges second, then the start, and each next space in turn,
    that comes first in data order. `through` binds the spaces strictly between, `along` the edges used.
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

# ---- statements -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Let:
    """Gives a variable a value."""

    var: Var
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """Cell `base + index` = value. Fault at `index_site` (a = index) unless 0 <= index < count. With `clamp` the value is brought within
    low … high; otherwise fault at `site` (a = value) outside them (`site` None: proved within)."""

    base: int
    index: Expr
    count: int
    value: Expr
    low: int
    high: int
    clamp: bool
    site: int | None
    index_site: int | None


@dataclass(frozen=True, slots=True, eq=False)
class StoreSet:
    """The set at `base + index * width` = value; fault at `site` unless 0 <= index < count."""

    base: int
    index: Expr
    count: int
    value: Expr
    size: int
    site: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Clear:
    """Sets `count` cells from `base` on to 0."""

    base: int
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class If:
    cond: Expr
    then: Stmts
    other: Stmts = ()


@dataclass(frozen=True, slots=True, eq=False)
class While:
    cond: Expr
    body: Stmts
    weight: int
    site: int


@dataclass(frozen=True, slots=True, eq=False)
class For:
    """`body` for each member of `domain` (a set in rising order, a list, or a Span), which is evaluated once, before."""

    var: Var
    domain: Expr
    body: Stmts
    weight: int
    site: int


@dataclass(frozen=True, slots=True, eq=False)
class Break:
    """Leaves the innermost While or For."""


@dataclass(frozen=True, slots=True, eq=False)
class Return:
    """Ends a function, with a value of its result type or none. Never inside a Block."""

    value: Expr | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Do:
    """Calls function number `function` for what it does; `into` takes its result. If the function may end the game (`ends`), the caller
    returns at once (a block: stops) when cell STATUS is no longer 0."""

    function: int
    args: tuple[Expr, ...]
    into: Var | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RollDie:
    """One throw of die number `die`: `var` = the index of the face. Cell KNOWN rises by 1.

    Real throws are `rng.bounded` over the sum of the weights. Fault (a = what the script says) if a script names no face; likewise below."""

    var: Var
    die: int
    site: int


@dataclass(frozen=True, slots=True, eq=False)
class RollDice:
    """`times` throws of a die: `var` (Counts) = how often each face came. KNOWN rises by 1 unless `times` <= 0.
    Fault (a = times) above 1000. A script that runs out in the middle is followed by real throws."""

    var: Var
    die: int
    times: Expr
    site: int


@dataclass(frozen=True, slots=True, eq=False)
class PickOne:
    """A member of the set `pool` at random, all alike: `var`; -1, and no draw, if it is empty. KNOWN rises by 1 unless it is empty."""

    var: Var
    pool: Expr
    site: int


@dataclass(frozen=True, slots=True, eq=False)
class Scripted:
    """If a script says what is drawn next, `var` = that member of `pool` (fault at `site` if it is none), else -1. Draws nothing, records
    nothing."""

    var: Var
    pool: Expr
    site: int


@dataclass(frozen=True, slots=True, eq=False)
class Emit:
    """Records event number `event` with its arguments (ints, sets or lists), to be read by the players in the bit mask `to` (-1: all).
    Skipped altogether (arguments not evaluated) when nobody listens."""

    event: int
    args: tuple[Expr, ...]
    to: Expr


@dataclass(frozen=True, slots=True, eq=False)
class End:
    """Ends the game: cell STATUS = 1, WINNER = `winner` (-1: nobody), ENDING = event + 1 with its args (ints, at most 4) in the cells after it
    (unused ones 0). The function returns (any value), the block stops; so do all callers."""

    winner: Expr
    event: int
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Fail:
    """Always a fault at `site`, with a and b if given."""

    site: int
    a: Expr | None = None
    b: Expr | None = None


Stmt = Union[
    Let, Store, StoreSet, Clear, If, While, For, Break, Return, Do, RollDie, RollDice, PickOne, Scripted, Emit, End, Fail
]
Stmts = tuple[Stmt, ...]

# ---- blocks: what pauses --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Jump:
    """On to block `target`."""

    target: int


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    cond: Expr
    then: int
    other: int


@dataclass(frozen=True, slots=True, eq=False)
class Leave:
    """Ends a pausing effect: reads the block to go on with from cell `back`, sets the `count` cells from `base` on to 0 (the frame, `back`
    among them) and goes there."""

    back: int
    base: int
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Ask:
    """Waits for an answer to decision number `decision` (see Decision). The body of such a block is empty."""

    decision: int


@dataclass(frozen=True, slots=True, eq=False)
class Stop:
    """The end of the road: reached only after End (cell STATUS is 1)."""


Exit = Union[Jump, Branch, Leave, Ask, Stop]


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Statements, then where to go. Cell PC holds the number of the block that waits in an Ask (it is written only then). `weight` counts
    steps at entry."""

    name: str
    body: Stmts
    exit: Exit
    weight: int = 0
    site: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Binder:
    """`var` (with a home) takes each member of `values` (a set) in rising order."""

    var: Var
    values: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    """One alternative: its candidates are all tuples of its binders' members, the first binder outermost, later ones depending on earlier ones;
    none at all unless `guard` holds. `lets` are pure variables for use in guard and binders, evaluated before the guard. An option
    without binders is one candidate. When a candidate is taken, its values are written to the homes of the binders' variables and
    play goes on at block `target`. `final`: taking it completes the statement (cell PLIES rises by 1)."""

    name: str
    lets: Stmts
    guard: Expr | None
    binders: tuple[Binder, ...]
    target: int
    final: bool
    text: int  # number of the text shown for a candidate, -1 if there is none


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """A question. Candidates: those of all options in order, then, if `stop` is not None, one more (the word `stop`: "done", "no", "pass"),
    which leads to block `otherwise` and completes the statement.

    With no candidate at all play goes on at `otherwise` at once. With exactly one candidate it is taken at once if `silent` (PLIES rises
    by 1 as for any other if it is `final`; ANSWERS does not). Otherwise the machine waits; taking an answer raises ANSWERS by 1.
    Reaching `otherwise` without candidates raises nothing. `part`: this step goes on with the statement asked before.
    `player` is evaluated when asked: after the candidates, and only if the machine waits. In options, variables of `lets` and binders are locals
    even if they have homes; homes are written when a candidate is taken."""

    name: str
    player: Expr
    options: tuple[Option, ...]
    stop: str | None
    otherwise: int
    silent: bool
    part: bool
    text: int
    site: int


# ---- the whole ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A plain function or effect: never pauses. `result` None: none. `ends`: may end the game. `pure`: has no effects."""

    name: str
    params: tuple[Var, ...]
    result: Type | None
    body: Stmts
    pure: bool
    ends: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Die:
    """Faces with weights; `values[i]` is how face i is written in scripts and logs. A throw is one bounded draw below the sum of the weights: the face
    in whose share, in order, it falls."""

    name: str
    weights: tuple[int, ...]
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A place in the rules where a fault may happen: `code`, message with {0} and {1}; `place` is "file:line:column"."""

    code: str
    message: str
    place: str


@dataclass(slots=True, eq=False)
class Program:
    """A game compiled for one scenario and one set of options. `cells`: size of a position. `budget`: steps for one apply.

    The header cells (STATUS …) are those of `layout`. Numbers in nodes index these tuples.
    """

    cells: int = 0
    budget: int = 1_000_000
    start: int = 0
    tables: list[tuple[int, ...]] = field(default_factory=list)
    set_tables: list[tuple[int, ...]] = field(default_factory=list)  # bits
    set_sizes: list[int] = field(default_factory=list)
    list_tables: list[tuple[tuple[int, ...], ...]] = field(default_factory=list)
    graphs: list[Graph] = field(default_factory=list)
    dice: list[Die] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
