"""Aggregates: what they run over, and the shortcuts that turn a search into a few operations on sets.

A part of a `where` that a constant table, a kept inverse or a set can answer at once narrows the domain before the
search begins: `f.owner == p` with owners that never change becomes a table of sets, `s.man == none` the complement of a
set that `move` keeps.
"""

from __future__ import annotations

from interpreter.core import nodes as c
from interpreter.core.lower import chance
from interpreter.core.lower.context import Context, Env
from interpreter.core.lower.held import both, convert, negate, set_of, set_of_list
from interpreter.core.lower.places import place_of, zone_place
from interpreter.core.lower.there import pieces_on
from interpreter.lang import nodes as n
from interpreter.lang.types import EmptyT, IntT, KindT, SetT, Ty, ZoneT, bounds, element, strip, universe


def members(node: n.Expr, env: Env, ctx: Context) -> tuple[c.Expr, Ty]:
    """What a binder runs over, as a core domain whose members are values of the type given with it."""
    ty = ctx.checked.types[node]
    if isinstance(node, n.Range):
        return c.Span(ctx.expr(node.low, env), ctx.expr(node.high, env)), IntT()
    if isinstance(ty, ZoneT):
        kind = ty.zone.of
        assert kind is not None
        var = c.Var(kind.name, c.INT)
        ctx.var_ranges[var] = (0, kind.size - 1)
        place = zone_place(node, env, ctx)
        kept = pieces_on(kind, place, ctx)
        if kept is not None:
            return kept, KindT(kind)
        here = c.Compare("==", place_of(kind, c.Get(var), node.span, ctx), place)
        everything = c.SetConst((1 << kind.size) - 1, kind.size)
        return c.Query("those", var, everything, here, None, kind.size), KindT(kind)
    of = element(ty)
    if of is None or isinstance(ty, EmptyT):
        return c.SetConst(0, 1), IntT()
    if isinstance(ty, SetT) and isinstance(of, KindT) and of.sort:
        return ctx.expr(node, env, SetT(KindT(of.kind))), of  # members count within the kind
    return ctx.expr(node, env), of


def as_set(domain: c.Expr, of: Ty, ctx: Context) -> c.Expr:
    """A domain as a set over the whole kind."""
    size = universe(whole(of))
    if isinstance(domain, c.Span):
        site = ctx.site("set-range", f"sets of numbers hold 0 to {size - 1}, not {{0}} to {{1}}", None)
        return c.RangeSet(domain.low, domain.high, size, site)
    if isinstance(domain, c.ListOf):
        return set_of(domain.items, size, ctx)
    if is_list(domain, ctx):
        return set_of_list(domain, of, size, ctx)
    return domain


def is_list(e: c.Expr, ctx: Context) -> bool:
    """Whether an expression gives a list."""
    match e:
        case c.ListOf() | c.ListTable() | c.Path() | c.ListOfSet() | c.Query(op="leading"):
            return True
        case c.Get(var):
            return var.type.form == "list"
        case c.Cond(_, then, _):
            return is_list(then, ctx)
        case c.Call(function):
            result = ctx.program.functions[function].result
            return result is not None and result.form == "list"
    return False


def list_capacity(domain: c.Expr, ctx: Context) -> int:
    """How many items a list can have at most."""
    match domain:
        case c.ListOf(items):
            return len(items)
        case c.ListTable(table):
            return max((len(row) for row in ctx.program.list_tables[table]), default=0)
        case c.Path(graph):
            return ctx.program.graphs[graph].size
        case c.ListOfSet():
            return domain.size
        case c.Query(op="leading"):
            return list_capacity(domain.domain, ctx)
        case c.Get(var):
            return var.type.size
        case c.Cond(_, then, other):
            return max(list_capacity(then, ctx), list_capacity(other, ctx))
        case c.Call(function):
            result = ctx.program.functions[function].result
            return result.size if result else 0
    return 0


def whole(of: Ty) -> Ty:
    """A sort as its kind: members of sets that are searched count within the kind."""
    return KindT(of.kind) if isinstance(of, KindT) else of


def fresh(name: str, of: Ty, ctx: Context) -> c.Var:
    """A variable for a member of a domain."""
    var = c.Var(name, c.INT)
    ctx.var_types[var] = of
    ctx.var_ranges[var] = bounds(of)
    return var


def lower_aggregate(node: n.Aggregate, env: Env, ctx: Context) -> c.Expr:
    """An aggregate of any sort, held as its checked type."""
    if node.op == "chance":
        return chance.lower_odds(node, env, ctx)
    die = chance.die_of(node.domain, ctx)
    if die is not None:
        return chance.lower_over_roll(node, die, env, ctx)
    result = ctx.checked.types[node]
    domain, of = members(node.domain, env, ctx)
    var = fresh(node.var.text, of, ctx)
    inner = env.inner()
    inner.names[ctx.checked.locals[node.var]] = var
    where = None if node.where is None else ctx.expr(node.where, inner)
    value = None if node.of is None else ctx.expr(node.of, inner)
    op = node.op
    if op == "all" and value is not None:  # all have V: there is none without it
        without = negate(value)
        where, value = without if where is None else both(where, without), None
    if op != "leading":
        domain, where = narrowed(domain, var, where, ctx)
    size = universe(whole(of))
    if op in ("any", "all"):
        found = _any(domain, var, where)
        return found if op == "any" else negate(found)
    if op == "count" and where is None and not isinstance(domain, c.Span):
        return ctx.ranged(c.Size(domain), 0, size)
    if op == "first" and isinstance(of, IntT):
        return _first_number(domain, var, where, size, ctx)
    if op == "first" and where is None and not isinstance(domain, c.Span):
        return ctx.ranged(c.First(domain), min(-1, bounds(of)[0]), bounds(of)[1])
    if op == "those":
        return convert(those(domain, var, where, of, ctx), SetT(whole(of)), result, ctx)
    if op in ("highest", "lowest"):
        searched = as_set(domain, of, ctx)
        tied = c.Query(op, var, searched, where, value or c.Get(var), size)  # type: ignore[arg-type]
        return convert(tied, SetT(whole(of)), result, ctx)
    site: int | None = None
    absent: int | None = None
    if op == "the":
        site = ctx.site("not-one", "`the` needs exactly one, and there are {0}", node.span)
    elif op == "sum":
        site = ctx.site("overflow", "this sum is too large a number", node.span)
    elif op in ("most", "least"):
        value = value or c.Get(var)
        absent = -1
        if isinstance(strip(result), IntT):
            absent = c.MIN_INT
    e = c.Query(op, var, domain, where, value, size, absent, site)  # type: ignore[arg-type]
    if op in ("first", "the"):
        ctx.ranged(e, min(-1, bounds(of)[0]) if op == "first" else bounds(of)[0], bounds(of)[1])
    return e


def _first_number(domain: c.Expr, var: c.Var, where: c.Expr | None, size: int, ctx: Context) -> c.Expr:
    """The first number: as -1 may be one, none is told apart by another value. Ranges and sets go from the least up."""
    if not is_list(domain, ctx):
        return c.Query("least", var, domain, where, c.Get(var), size, c.MIN_INT)
    found = c.First(domain) if where is None else c.Query("first", var, domain, where, None, size)
    return c.Cond(_any(domain, var, where), found, c.Const(c.MIN_INT))


def _any(domain: c.Expr, var: c.Var, where: c.Expr | None) -> c.Expr:
    if where is not None:
        return c.Query("any", var, domain, where, None)
    if isinstance(domain, c.Span):
        return c.Compare("<=", domain.low, domain.high)
    return c.Compare("!=", c.Size(domain), c.Const(0))


def those(domain: c.Expr, var: c.Var, where: c.Expr | None, of: Ty, ctx: Context) -> c.Expr:
    """The set, over the whole kind, of a domain's members for which `where` holds."""
    searched = as_set(domain, of, ctx)
    if where is None:
        return searched
    return c.Query("those", var, searched, where, None, universe(whole(of)))


# ---- shortcuts ------------------------------------------------------------------------------------------------------


def narrowed(domain: c.Expr, var: c.Var, where: c.Expr | None, ctx: Context) -> tuple[c.Expr, c.Expr | None]:
    """Domain and rest of the condition after all that can be answered at once is taken into the domain."""
    if where is None or isinstance(domain, c.Span) or is_list(domain, ctx):
        return domain, where
    rest: list[c.Expr] = []
    for part in _parts(where):
        found = _shortcut(part, var, domain, ctx)
        if found is None:
            rest.append(part)
        else:
            domain = _fold(found)
    if not rest:
        return domain, None
    joined = rest[0]
    for part in rest[1:]:
        joined = both(joined, part)
    return domain, joined


def _fold(e: c.Expr) -> c.Expr:
    match e:
        case c.SetOp("&", c.SetConst(bits, size), c.SetConst(other, _)):
            return c.SetConst(bits & other, size)
        case c.SetOp("-", c.SetConst(bits, size), c.SetConst(other, _)):
            return c.SetConst(bits & ~other, size)
        case c.SetOp("&", c.SetConst(bits, size), other) if bits == (1 << size) - 1:
            return other
    return e


def _parts(e: c.Expr) -> list[c.Expr]:
    if isinstance(e, c.Both):
        return [*_parts(e.left), *_parts(e.right)]
    return [e]


def _shortcut(part: c.Expr, var: c.Var, domain: c.Expr, ctx: Context) -> c.Expr | None:
    size = _set_size(domain, ctx)
    if size is None:
        return None
    match part:
        case c.Compare(("==" | "!=") as op, left, right):
            for one, other in ((left, right), (right, left)):
                found = _equality(one, other, op == "==", var, domain, size, ctx)
                if found is not None:
                    return found
        case c.Has(collection, c.Get(v)) if v is var and quiet(collection, var):
            if _set_size(collection, ctx) == size:
                return c.SetOp("&", domain, collection)
        case c.Not(c.Has(collection, c.Get(v))) if v is var and quiet(collection, var):
            if _set_size(collection, ctx) == size:
                return c.SetOp("-", domain, collection)
        case c.Table(table, c.Get(v), None) if v is var:
            return c.SetOp("&", domain, _mask(table, lambda x: x != 0, size, ctx))
        case c.Not(c.Table(table, c.Get(v), None)) if v is var:
            return c.SetOp("-", domain, _mask(table, lambda x: x != 0, size, ctx))
    return None


def _equality(
    one: c.Expr, other: c.Expr, same: bool, var: c.Var, domain: c.Expr, size: int, ctx: Context
) -> c.Expr | None:
    op = "&" if same else "-"
    match one:
        case c.Table(table, c.Get(v), None) if v is var:
            values = ctx.program.tables[table]
            if isinstance(other, c.Const):
                return c.SetOp(op, domain, _mask(table, lambda x: x == other.value, size, ctx))  # type: ignore[arg-type]
            low, high = ctx.range(other)
            if quiet(other, var) and 0 <= low and high < 256:
                masks = tuple(sum(1 << i for i, x in enumerate(values) if x == k) for k in range(high + 1))
                return c.SetOp(op, domain, c.SetTable(ctx.set_table(masks, size), other, None))  # type: ignore[arg-type]
        case c.Load(base, c.Get(v), _, None) if v is var and isinstance(other, c.Const) and other.value == -1:
            for h, region in ctx.out.layout.holds.items():
                if region.base == base:
                    occupied = ctx.out.layout.occupied[h]
                    kept = c.LoadSet(occupied.base, c.Const(0), 1, size, None)
                    return c.SetOp("-" if same else "&", domain, kept)
        case c.Load(base, c.Get(v), _, None) if v is var and quiet(other, var):
            for kind, region in ctx.out.layout.at.items():
                there = pieces_on(kind, other, ctx) if region.base == base and kind.size == size else None
                if there is not None:
                    return c.SetOp(op, domain, there)  # type: ignore[arg-type]
            low, high = ctx.range(other)
            for inverse, region in ctx.out.layout.inverses.items():
                if ctx.out.layout.fields[inverse.field].base == base and 0 <= low and high < region.count:
                    return c.SetOp(op, domain, c.LoadSet(region.base, other, region.count, size, None))  # type: ignore[arg-type]
        case c.Get(v) if v is var and quiet(other, var) and -1 <= ctx.range(other)[0] and ctx.range(other)[1] < size:
            return c.SetOp(op, domain, c.SetOf((other,), size, None))  # type: ignore[arg-type]
    return None


def _mask(table: int, test: object, size: int, ctx: Context) -> c.Expr:
    assert callable(test)
    return c.SetConst(sum(1 << i for i, x in enumerate(ctx.program.tables[table]) if test(x)), size)


def _set_size(e: c.Expr, ctx: Context) -> int | None:
    match e:
        case (
            c.SetConst(_, size)
            | c.SetOf(_, size, _)
            | c.SetOfList(_, size)
            | c.RangeSet(_, _, size, _)
            | c.Shift(_, _, size)
        ):
            return size
        case c.LoadSet():
            return e.size
        case c.SetTable(table):
            return ctx.program.set_sizes[table]
        case c.SetOp(_, left, _):
            return _set_size(left, ctx)
        case c.Cond(_, then, _):
            return _set_size(then, ctx)
        case c.Get(var):
            return var.type.size if var.type.form == "set" else None
        case c.Query(op="those" | "highest" | "lowest" | "map"):
            return e.size
        case c.Reach(graph):
            return ctx.program.graphs[graph].size
        case c.EdgesOf(graph):
            return ctx.program.graphs[graph].edges
        case c.Call(function):
            result = ctx.program.functions[function].result
            return result.size if result is not None and result.form == "set" else None
    return None


def quiet(e: c.Expr, var: c.Var) -> bool:
    """Whether an expression is the same for every value of a variable, and can't fault: it may be moved out of a
    search.
    """
    match e:
        case c.Const() | c.SetConst():
            return True
        case c.Get(v):
            return v is not var
        case c.Load(_, index, _, None) | c.Table(_, index, None) | c.SetTable(_, index, None):
            return quiet(index, var)
        case c.LoadSet(_, index, _, _, None):
            return quiet(index, var)
        case c.SetOp(_, left, right) | c.Compare(_, left, right) | c.Both(left, right) | c.Either(left, right):
            return quiet(left, var) and quiet(right, var)
        case c.Arith(_, left, right, None):
            return quiet(left, var) and quiet(right, var)
        case c.SetOf(items, _, None):
            return all(quiet(i, var) for i in items)
        case c.Not(value) | c.Size(value) | c.First(value):
            return quiet(value, var)
    return False
