"""Queries."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from interpreter.backends.wasm.bits import add_single, common, constant, without
from interpreter.backends.wasm.code import Code, Words
from interpreter.backends.wasm.forms import everything, type_of
from interpreter.backends.wasm.integers import jump_if, jump_unless, lowest, population
from interpreter.backends.wasm.loops import each, each_member
from interpreter.core import nodes as n

Body = Callable[[str, str, str], None]  # given text that pushes the member, and the labels "done" and "next"
Loop = Callable[[Body], None]

_MOST_COPIES = 16  # loops over so few plain members are written out, if they are simple: then every address is known
_MOST_WRITTEN = 240  # nodes in all copies
_FLAT = (n.Const, n.Get, n.Load, n.Table, n.Compare, n.Not, n.Has, n.Size, n.SetConst, n.SetTable, n.LoadSet, n.SetOp)
_MOST_FLAT = 8  # nodes of a condition that is rather computed than branched on


def query(code: Code, expr: n.Query) -> Words:
    """A query other than `leading`: text that pushes its integer, or the words of its set."""
    domain, where = expr.domain, expr.where
    found: Words | None = None
    if not isinstance(domain, n.Span) and type_of(code.world.program, domain).form == "set":
        found = code.members(domain)
        found, where = _narrowed(code, found, expr.var, where)
        if where is None:
            quick = _without_loop(code, expr, found)
            if quick is not None:
                return quick
    plain = _plain(expr, where)
    loop = _written_out(code, expr.var, plain) if plain is not None else _looped(code, expr, found)
    return _QUERIES[expr.op](code, expr, where, loop)


def _looped(code: Code, expr: n.Query, found: Words | None) -> Loop:
    def loop(body: Body) -> None:
        item = code.bind(expr.var)[0]
        if found is None:
            each(code, expr.domain, item, lambda done, again: body(f"local.get {item}", done, again))
        else:
            each_member(code, found, item, lambda done, again: body(f"local.get {item}", done, again))

    return loop


def _plain(expr: n.Query, where: n.Expr | None) -> list[int] | None:
    """The members of a query's domain if they are few and plain, and looking at one is simple."""
    if not isinstance(expr.domain, n.SetConst) or expr.domain.bits.bit_count() > _MOST_COPIES:
        return None
    if where is not expr.where:  # the domain is no longer the one that was written
        return None
    found = [i for i in range(expr.domain.size) if expr.domain.bits >> i & 1]
    costs = [
        24 if isinstance(node, (n.Call, n.Query, n.Reach, n.Path)) else 1 for node in everything((where, expr.value))
    ]
    return found if len(found) * sum(costs) <= _MOST_WRITTEN else None


def _written_out(code: Code, var: n.Var, found: list[int]) -> Loop:
    def loop(body: Body) -> None:
        done = code.label("done")
        code.put(f"block {done}")
        for member in found:
            code.figures[var] = member
            again = code.label("next")
            code.put(f"block {again}")
            body(f"i32.const {member}", done, again)
            code.put("end")
        code.figures.pop(var, None)
        code.put("end")

    return loop


def _factor(code: Code, where: n.Expr | None) -> str | None:
    """Text that pushes 1 or 0 if `where` is a few operations without a branch; "" if there is no condition; None if it
    is more."""
    if where is None:
        return ""
    nodes = list(everything(where))
    if len(nodes) > _MOST_FLAT or not all(isinstance(node, _FLAT) for node in nodes):
        return None
    code.integer(where)
    return f"local.get {code.keep()}"


def _test(code: Code, where: n.Expr | None, again: str) -> None:
    if where is not None:
        jump_unless(code, where, again)


def _narrowed(code: Code, found: Words, var: n.Var, where: n.Expr | None) -> tuple[Words, n.Expr | None]:
    """Conditions at the front of `where` that only ask whether the member is in some set are met by one
    intersection."""
    while where is not None:
        head, rest = (where.left, where.right) if isinstance(where, n.Both) else (where, None)
        inner = head.value if isinstance(head, n.Not) else head
        if not isinstance(inner, n.Has) or not isinstance(inner.item, n.Get) or inner.item.var is not var:
            break
        if type_of(code.world.program, inner.collection).form != "set" or not _quiet(inner.collection, var):
            break
        other = code.members(inner.collection)
        other = (other + ["i64.const 0"] * len(found))[: len(found)]
        found = without(found, other) if isinstance(head, n.Not) else common(found, other)
        where = rest
    return found, where


def _quiet(expr: n.Expr, var: n.Var) -> bool:
    """Whether a set is cheap, cannot fault, and does not depend on a variable: then it may be computed before a
    loop."""
    for node in everything(expr):
        if isinstance(node, (n.Call, n.Query, n.Reach, n.Path, n.EdgesOf)) or getattr(node, "site", None) is not None:
            return False
        if isinstance(node, n.Get) and node.var is var:
            return False
    return True


def _without_loop(code: Code, expr: n.Query, found: Words) -> Words | None:
    """Queries that only look at which members there are."""
    if expr.op == "any":
        if not found:
            return ["i32.const 0"]
        return [reduce(lambda a, b: f"{a} {b} i64.or", found) + " i64.const 0 i64.ne"]
    if expr.op == "count":
        return [population(found)]
    if expr.op == "first":
        return [lowest(code.cheap(found))]
    if expr.op == "those":
        size = len(constant(0, expr.size))
        return (found + ["i64.const 0"] * size)[:size]
    return None


def _variable(code: Code, value: int) -> str:
    """A new local, set to a number here and now."""
    code.put(f"i32.const {value}")
    return code.keep()


def _value(expr: n.Query) -> n.Expr:
    return n.Get(expr.var) if expr.value is None else expr.value


def _any(code: Code, expr: n.Query, where: n.Expr | None, loop: Loop) -> Words:
    result = _variable(code, 0)

    def body(item: str, done: str, again: str) -> None:
        _test(code, where, again)
        code.put(f"i32.const 1 local.set {result} br {done}")

    loop(body)
    return [f"local.get {result}"]


def _all(code: Code, expr: n.Query, where: n.Expr | None, loop: Loop) -> Words:
    result = _variable(code, 1)

    def body(item: str, done: str, again: str) -> None:
        _test(code, where, again)
        jump_if(code, _value(expr), again)
        code.put(f"i32.const 0 local.set {result} br {done}")

    loop(body)
    return [f"local.get {result}"]


def _count(code: Code, expr: n.Query, where: n.Expr | None, loop: Loop) -> Words:
    result = _variable(code, 0)

    def body(item: str, done: str, again: str) -> None:
        factor = _factor(code, where)
        if factor is None:
            _test(code, where, again)
        code.put(f"local.get {result} {factor or 'i32.const 1'} i32.add local.set {result}")

    loop(body)
    return [f"local.get {result}"]


def _sum(code: Code, expr: n.Query, where: n.Expr | None, loop: Loop) -> Words:
    total = _variable(code, 0)
    total_var = n.Var("total", n.INT)
    code.places[total_var] = (total,)

    def body(item: str, done: str, again: str) -> None:
        _test(code, where, again)
        code.integer(n.Arith("+", n.Get(total_var), _value(expr), expr.site))
        code.put(f"local.set {total}")

    loop(body)
    return [f"local.get {total}"]


def _first(code: Code, expr: n.Query, where: n.Expr | None, loop: Loop) -> Words:
    result = _variable(code, -1)

    def body(item: str, done: str, again: str) -> None:
        _test(code, where, again)
        code.put(f"{item} local.set {result} br {done}")

    loop(body)
    return [f"local.get {result}"]


def _the(code: Code, expr: n.Query, where: n.Expr | None, loop: Loop) -> Words:
    result, count = _variable(code, -1), _variable(code, 0)

    def body(item: str, done: str, again: str) -> None:
        _test(code, where, again)
        code.put(f"{item} local.set {result} local.get {count} i32.const 1 i32.add local.set {count}")

    loop(body)
    if expr.site is not None:
        code.put(f"local.get {count} i32.const 1 i32.ne")
        code.fault_if(expr.site, f"local.get {count}")
    return [f"local.get {result}"]


def _extreme(code: Code, expr: n.Query, where: n.Expr | None, loop: Loop) -> Words:
    """`most` and `least`. Without a member the extreme of all numbers stands, but then nobody looks at it."""
    better = "i32.gt_s" if expr.op == "most" else "i32.lt_s"
    result, some = _variable(code, n.MIN_INT if expr.op == "most" else n.MAX_INT), _variable(code, 0)

    def body(item: str, done: str, again: str) -> None:
        _test(code, where, again)
        code.integer(_value(expr))
        value = code.local("i32", "value")
        code.put(f"local.tee {value} local.get {result} local.get {value} local.get {result} {better} select")
        code.put(f"local.set {result} i32.const 1 local.set {some}")

    loop(body)
    if expr.absent is not None:
        return [f"local.get {result} i32.const {expr.absent} local.get {some} select"]
    if expr.site is not None:
        code.put(f"local.get {some} i32.eqz")
        code.fault_if(expr.site)
    return [f"local.get {result}"]


def _check_member(code: Code, expr: n.Query, item: str) -> None:
    """Members of lists and Spans, and values, may lie outside the set that is asked for."""
    if expr.site is not None:
        code.put(f"{item} i32.const 1 i32.add i32.const {expr.size} i32.gt_u")
        code.fault_if(expr.site, item)


def _is_set(code: Code, expr: n.Query) -> bool:
    return not isinstance(expr.domain, n.Span) and type_of(code.world.program, expr.domain).form == "set"


def _those(code: Code, expr: n.Query, where: n.Expr | None, loop: Loop) -> Words:
    result = code.frozen(constant(0, expr.size))
    proved = _is_set(code, expr)

    def body(item: str, done: str, again: str) -> None:
        factor = _factor(code, where) if proved else None
        if factor is None:
            _test(code, where, again)
        if not proved:
            _check_member(code, expr, item)
        add_single(code, item, result, expr.size, factor or "")

    loop(body)
    return [f"local.get {name}" for name in result]


def _map(code: Code, expr: n.Query, where: n.Expr | None, loop: Loop) -> Words:
    result = code.frozen(constant(0, expr.size))

    def body(item: str, done: str, again: str) -> None:
        _test(code, where, again)
        value = f"local.get {code.kept(_value(expr))}"
        _check_member(code, expr, value)
        add_single(code, value, result, expr.size)

    loop(body)
    return [f"local.get {name}" for name in result]


def _tied(code: Code, expr: n.Query, where: n.Expr | None, loop: Loop) -> Words:
    """`highest` and `lowest`: a better value starts the set anew."""
    better = "i32.gt_s" if expr.op == "highest" else "i32.lt_s"
    result = code.frozen(constant(0, expr.size))
    best, some = _variable(code, 0), _variable(code, 0)
    proved = _is_set(code, expr)

    def body(item: str, done: str, again: str) -> None:
        _test(code, where, again)
        if not proved:
            _check_member(code, expr, item)
        value = code.kept(_value(expr))
        code.put(f"local.get {value} local.get {best} {better} local.get {some} i32.eqz i32.or", "if")
        code.put(f"local.get {value} local.set {best} i32.const 1 local.set {some}")
        code.put(*(f"i64.const 0 local.set {name}" for name in result), "end")
        code.put(f"local.get {value} local.get {best} i32.ne br_if {again}")
        add_single(code, item, result, expr.size)

    loop(body)
    return [f"local.get {name}" for name in result]


_QUERIES: dict[str, Callable[[Code, n.Query, n.Expr | None, Loop], Words]] = {
    "any": _any,
    "all": _all,
    "count": _count,
    "sum": _sum,
    "first": _first,
    "the": _the,
    "most": _extreme,
    "least": _extreme,
    "those": _those,
    "highest": _tied,
    "lowest": _tied,
    "map": _map,
}
