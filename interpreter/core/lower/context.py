"""What lowering keeps at hand: the program under construction, tables, sites, and where a name's value comes from."""

from __future__ import annotations

from collections.abc import Callable as Maker
from dataclasses import dataclass, field

from interpreter.core import header
from interpreter.core import nodes as c
from interpreter.core.compiled import Compiled, EventInfo, TextInfo
from interpreter.core.layout import Region
from interpreter.lang import nodes as n
from interpreter.lang.scope import Bend, Callable, Checked, Local, Values
from interpreter.lang.types import EmptyT, ListT, RollT, SetT, Ty, universe
from interpreter.lang.types import bounds as type_bounds
from interpreter.lang.world import Field, Kind
from interpreter.source import Span

LIST_SIZE = 64  # items that a list literal of unknown origin may hold


def core_type(ty: Ty) -> c.Type:
    """How values of a type are held."""
    match ty:
        case SetT(of):
            return c.Type("set", universe(of))
        case RollT(die):
            return c.Type("set", 16 * len(die.faces))
        case ListT(of):
            return c.Type("list", universe(of) + 1)
        case EmptyT():
            return c.Type("set", 1)
    return c.INT


@dataclass(eq=False)
class Env:
    """Names in force: a variable, or the expression that a parameter of an inlined function stands for."""

    names: dict[Local, c.Var | c.Expr] = field(default_factory=dict)

    def inner(self) -> Env:
        return Env(dict(self.names))


@dataclass(frozen=True, eq=False)
class Asked:
    """A question as it was lowered: the names in force around it (`env`) and in each of its alternatives.

    `words`: what the choices of these begin with; `seen`: those that are not offered again; `element`: the binder of
    the set to which a step adds a member, `chosen` that set and the last member added.
    """

    decision: int
    node: n.Choose | n.ForChosen
    words: tuple[str, ...]
    envs: tuple[Env, ...]
    env: Env
    seen: c.Var | None = None
    element: n.Binder | None = None
    chosen: tuple[c.Var, c.Var] | None = None


@dataclass(frozen=True)
class Rules:
    """The makers of expressions and functions, which need each other: `lower` ties them together."""

    expr: Maker[[n.Expr, Env, Context, Ty | None], c.Expr]
    function: Maker[[Callable, Context], int]


@dataclass(eq=False)
class Context:
    """The state of one lowering."""

    rules: Rules
    checked: Checked
    out: Compiled
    values: Values  # first values in this scenario
    options: dict[str, bool]
    functions: dict[str, int] = field(default_factory=dict)  # plain functions and effects by name
    field_tables: dict[Field, int] = field(default_factory=dict)
    set_masks: dict[tuple[Field, int], int] = field(default_factory=dict)
    table_numbers: dict[tuple[int, ...], int] = field(default_factory=dict)
    ranges: dict[c.Expr, tuple[int, int]] = field(default_factory=dict)
    var_ranges: dict[c.Var, tuple[int, int]] = field(default_factory=dict)
    site_numbers: dict[tuple[str, str, str], int] = field(default_factory=dict)
    movers: dict[object, int] = field(default_factory=dict)  # piece kind -> its move function
    firsts: dict[Kind, int] = field(default_factory=dict)  # piece kind -> the function that leaves out alike ones
    draw_events: dict[object, int] = field(default_factory=dict)  # piece kind -> the event that one is drawn next
    bends: dict[Callable, list[Bend]] = field(default_factory=dict)  # exceptions in force, by what they bend
    var_types: dict[c.Var, Ty] = field(default_factory=dict)  # what variables hold that may name an entity
    revealing: set[Field] = field(default_factory=set)  # fields whose change may open something to somebody
    revealing_moves: set[Kind] = field(default_factory=set)  # kinds whose moves may open something else
    may_be_unused: set[object] = field(default_factory=set)  # kinds with members out of play
    asked: list[Asked] = field(default_factory=list)  # all questions
    plays: tuple[str, ...] = ("",)  # the scenarios that are played, see `stages`
    left_out: tuple[dict[Kind, int], ...] = ({},)  # what is not in play in each of them
    graph_of: tuple[int, ...] = (0,)  # the map's graph in each of them
    costs: dict[int, int] = field(default_factory=dict)  # of functions, see `cost`
    inlining: int = 0
    here: Span | None = None  # the expression that is being lowered

    @property
    def program(self) -> c.Program:
        return self.out.program

    def expr(self, node: n.Expr, env: Env, want: Ty | None = None) -> c.Expr:
        """The core expression for a checked one, held as `want` demands (its own type if None)."""
        return self.rules.expr(node, env, self, want)

    def function_number(self, target: Callable) -> int:
        """The number of the core function for a plain function or effect of the game."""
        return self.rules.function(target, self)

    def site(self, code: str, message: str, span: Span | None) -> int:
        """The number of a place where a fault may happen."""
        span = span or self.here
        place = str(span) if span else ""
        key = (code, message, place)
        if key not in self.site_numbers:
            self.site_numbers[key] = len(self.program.sites)
            self.program.sites.append(c.Site(code, message, place))
            self.out.site_spans.append(span)
        return self.site_numbers[key]

    # ---- ranges -----------------------------------------------------------------------------------------------------

    def range(self, e: c.Expr) -> tuple[int, int]:
        """Between what an int expression lies, as far as is known."""
        if e in self.ranges:
            return self.ranges[e]
        match e:
            case c.Const(value):
                return value, value
            case c.Get(var):
                return self.var_ranges.get(var, (c.MIN_INT, c.MAX_INT))
            case c.Compare() | c.Not() | c.Both() | c.Either() | c.Has():
                return 0, 1
            case c.Query(op="any" | "all"):
                return 0, 1
            case c.Query(op="count", domain=c.Span()):
                return 0, c.MAX_INT
            case c.Query(op="count") | c.Size():
                return 0, 4096
            case c.Cond(_, then, other):
                (a, b), (x, y) = self.range(then), self.range(other)
                return min(a, x), max(b, y)
        return c.MIN_INT, c.MAX_INT

    def ranged(self, e: c.Expr, low: int, high: int) -> c.Expr:
        """Notes between what an expression lies."""
        self.ranges[e] = (low, high)
        return e

    def var(self, name: str, ty: Ty) -> c.Var:
        """A fresh variable for values of a type."""
        var = c.Var(name, core_type(ty))
        self.var_types[var] = ty
        if var.type.form == "int":
            self.var_ranges[var] = type_bounds(ty)
        return var

    # ---- constants --------------------------------------------------------------------------------------------------

    def table(self, values: tuple[int, ...]) -> int:
        """The number of a constant table of ints."""
        if values not in self.table_numbers:
            self.table_numbers[values] = len(self.program.tables)
            self.program.tables.append(values)
        return self.table_numbers[values]

    def set_table(self, bits: tuple[int, ...], size: int) -> int:
        """The number of a constant table of sets."""
        for i, known in enumerate(self.program.set_tables):
            if known == bits and self.program.set_sizes[i] == size:
                return i
        self.program.set_tables.append(bits)
        self.program.set_sizes.append(size)
        return len(self.program.set_tables) - 1

    def first_value(self, f: Field, owner: int, index: int) -> int:
        """What a field holds when the scenario begins."""
        return self.values.get((f, owner, index), f.default)

    def constant(self, f: Field) -> tuple[int, ...]:
        """All values of a field that never changes."""
        owners = f.owner.size if f.owner else 1
        return tuple(self.first_value(f, o, i) for o in range(owners) for i in range(f.cells_each))

    # ---- reading and writing fields ---------------------------------------------------------------------------------

    def region(self, f: Field) -> Region | None:
        """Where a field lies in the position; None for a constant one."""
        return self.out.layout.fields.get(f)

    def load(self, f: Field, index: c.Expr, count: int, span: Span) -> c.Expr:
        """The value of field number `index` (owner and keys together, of `count`)."""
        low, high = self.range(index)
        site = None if 0 <= low and high < count else self.site("no-such-thing", "this is none", span)
        region = self.region(f)
        if isinstance(f.type, SetT):
            size = universe(f.type.of)
            if region is None:
                return c.SetTable(self.set_table(self.constant(f), size), index, site)
            return c.LoadSet(region.base, index, count, size, site)
        if region is None:
            values = self.constant(f)
            if isinstance(index, c.Const) and site is None:
                return c.Const(values[index.value])
            if len(set(values)) == 1 and site is None and isinstance(index, c.Get | c.Const):  # its faults must stay
                return c.Const(values[0])
            e: c.Expr = c.Table(self.table(values), index, site)
            return self.ranged(e, min(values, default=0), max(values, default=0))
        return self.ranged(c.Load(region.base, index, count, site), f.low, f.high)

    def store(self, f: Field, index: c.Expr, count: int, value: c.Expr, span: Span) -> c.Stmt:
        """Writes a field, with what its declaration demands."""
        region = self.region(f)
        assert region is not None, f"{f.name} is written but has no cells"
        low, high = self.range(index)
        index_site = None if 0 <= low and high < count else self.site("no-such-thing", "this is none", span)
        if isinstance(f.type, SetT):
            return c.StoreSet(region.base, index, count, value, universe(f.type.of), index_site)
        a, b = self.range(value)
        within = f.low <= a and b <= f.high
        message = f"`{f.name}` lies between {f.low} and {f.high}, and this would make it {{0}}"
        site = None if within or f.track else self.site("out-of-range", message, span)
        made: list[c.Stmt] = []
        if f.ceiling is not None:
            index, value = self._held(index, made), self._held(value, made)
            owner = self.arith("floor", index, c.Const(f.cells_each), span) if f.per else index
            most = self.load(f.ceiling, owner, count // f.cells_each, span)
            if self.range(value)[1] > self.range(most)[0]:
                message = f"`{f.name}` is at most its `{f.ceiling.name}`, {{1}}, and this would make it {{0}}"
                above = self.site("out-of-range", message, span)
                made.append(c.If(c.Compare(">", value, most), (c.Fail(above, value, most),)))
        clamp = f.track and not within
        made.append(c.Store(region.base, index, count, value, f.low, f.high, clamp, site, index_site))
        if f in self.revealing:
            known = c.Arith("+", header_load(header.KNOWN), c.Const(1), None)
            made.append(header_store(header.KNOWN, known))
        return made[0] if len(made) == 1 else c.If(c.Const(1), tuple(made))

    def _held(self, e: c.Expr, before: list[c.Stmt]) -> c.Expr:
        """A value that is used more than once, worked out before."""
        if isinstance(e, c.Get | c.Const):
            return e
        var = c.Var("held", c.INT)
        self.var_ranges[var] = self.range(e)
        before.append(c.Let(var, e))
        return c.Get(var)

    def arith(self, op: str, left: c.Expr, right: c.Expr, span: Span) -> c.Expr:
        """Arithmetic, folded if constant, checked only where it may overflow."""
        (a, b), (x, y) = self.range(left), self.range(right)
        match op:
            case "+":
                low, high = a + x, b + y
            case "-":
                low, high = a - y, b - x
            case "*":
                ends = (a * x, a * y, b * x, b * y)
                low, high = min(ends), max(ends)
            case "min":
                low, high = min(a, x), min(b, y)
            case "max":
                low, high = max(a, x), max(b, y)
            case _:
                largest = max(abs(a), abs(b))
                low, high = -largest, largest
        constant = isinstance(left, c.Const) and isinstance(right, c.Const) and op in ("+", "-", "*", "min", "max")
        if constant and low == high and c.MIN_INT <= low <= c.MAX_INT:
            return c.Const(low)
        site: int | None = None
        if op in ("floor", "ceil"):
            if x <= 0 <= y:
                site = self.site("division-by-zero", "division of {0} by zero", span)
            elif high > c.MAX_INT:
                site = self.site("overflow", "{0} divided by {1} is too large a number", span)
        elif op in ("+", "-", "*") and not (c.MIN_INT <= low and high <= c.MAX_INT):
            site = self.site("overflow", f"{{0}} {op} {{1}} is too large a number", span)
        e = c.Arith(op, left, right, site)  # type: ignore[arg-type]
        return self.ranged(e, max(low, c.MIN_INT), min(high, c.MAX_INT))

    # ---- texts ------------------------------------------------------------------------------------------------------

    def add_text(self, info: TextInfo) -> int:
        self.out.texts.append(info)
        return len(self.out.texts) - 1

    def add_event(self, info: EventInfo) -> int:
        self.out.events.append(info)
        return len(self.out.events) - 1

    def add_function(self, function: c.Function) -> int:
        self.program.functions.append(function)
        return len(self.program.functions) - 1


def loop_site(span: Span, ctx: Context) -> int:
    """The fault of a loop that never ends."""
    return ctx.site("endless", "this goes on for ever: more than {0} steps without an answer from a player", span)


def header_load(cell: int) -> c.Expr:
    """A cell of the header."""
    return c.Load(cell, c.Const(0), 1, None)


def header_store(cell: int, value: c.Expr) -> c.Stmt:
    """Writes a cell of the header."""
    return c.Store(cell, c.Const(0), 1, value, c.MIN_INT, c.MAX_INT, False, None, None)
