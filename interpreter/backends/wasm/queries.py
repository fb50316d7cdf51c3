"""Loops over members, and the queries built on them."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from interpreter.backends.wasm.bits import add_single, common, constant, without
from interpreter.backends.wasm.code import Code, Words
from interpreter.backends.wasm.integers import jump_if, jump_unless, lowest, population
from interpreter.backends.wasm.forms import everything, type_of
from interpreter.core import nodes as n

Body = Callable[[str, str], None]  # given the labels "done" and "next"

_CHAINED = 3  # sets of up to so many words are walked in locals, larger ones in memory


def each(code: Code, domain: n.Expr, item: str, body: Body) -> None:
    """Writes a loop over the members of a set, list or Span; each in turn lies in local `item`."""
    if isinstance(domain, n.Span):
        _each_number(code, domain, item, body)
    elif type_of(code.world.program, domain).form == "list":
        _each_item(code, domain, item, body)
    else:
        each_member(code, code.members(domain), item, body)


def each_member(code: Code, found: Words, item: str, body: Body) -> None:
    """Writes a loop over the members of a set in rising order."""
    if not found:
        return
    done, again = code.label("done"), code.label("next")
    if len(found) > _CHAINED:
        _each_in_memory(code, found, item, body, done, again)
        return
    left = code.frozen(found)
    code.put(f"block {done}", f"loop {again}")
    for i, name in enumerate(left):
        take = f"local.get {name} i64.ctz i32.wrap_i64" + (f" i32.const {64 * i} i32.or" if i else "")
        drop = f"local.get {name} local.get {name} i64.const 1 i64.sub i64.and local.set {name}"
        if i == len(left) - 1:
            code.put(f"local.get {name} i64.eqz br_if {done} {take} local.set {item} {drop}")
        else:
            code.put(f"local.get {name} i64.eqz i32.eqz", "if", f"{take} local.set {item} {drop}", "else")
    code.put(*["end"] * (len(left) - 1))
    body(done, again)
    code.put(f"br {again}", "end", "end")


def _each_in_memory(code: Code, found: Words, item: str, body: Body, done: str, again: str) -> None:
    address = code.world.memory.room(8 * len(found))
    code.write_words("i32.const 0", address, found)
    word, at = code.local("i64", "w"), code.local("i32", "at")
    have, scan = code.label("have"), code.label("scan")
    code.put(f"i32.const 0 local.tee {at} i64.load offset={address} local.set {word}", f"block {done}", f"loop {again}")
    code.put(f"block {have}", f"loop {scan}", f"local.get {word} i64.eqz i32.eqz br_if {have}")
    code.put(f"local.get {at} i32.const 8 i32.add local.tee {at} i32.const {8 * len(found)} i32.ge_u br_if {done}")
    code.put(f"local.get {at} i64.load offset={address} local.set {word} br {scan}", "end", "end")
    code.put(f"local.get {word} i64.ctz i32.wrap_i64 local.get {at} i32.const 3 i32.shl i32.or local.set {item}")
    code.put(f"local.get {word} local.get {word} i64.const 1 i64.sub i64.and local.set {word}")
    body(done, again)
    code.put(f"br {again}", "end", "end")


def _each_item(code: Code, domain: n.Expr, item: str, body: Body) -> None:
    row = code.row(domain)
    at, end = code.local("i32", "at"), code.local("i32", "end")
    done, again = code.label("done"), code.label("next")
    code.put(f"local.get {row.address} local.tee {at} local.get {row.length} i32.const 2 i32.shl i32.add local.set {end}")
    code.put(f"block {done}", f"loop {again}", f"local.get {at} local.get {end} i32.ge_u br_if {done}")
    code.put(f"local.get {at} i32.load local.set {item} local.get {at} i32.const 4 i32.add local.set {at}")
    body(done, again)
    code.put(f"br {again}", "end", "end")


def _each_number(code: Code, domain: n.Span, item: str, body: Body) -> None:
    """Counts down what is left in 64 bits: the last number may be the greatest there is."""
    low, high = code.kept(domain.low), code.kept(domain.high)
    left = code.local("i64", "left")
    done, again = code.label("done"), code.label("next")
    code.put(f"local.get {high} i64.extend_i32_s local.get {low} i64.extend_i32_s i64.sub local.set {left}")
    code.put(f"block {done}", f"loop {again}", f"local.get {left} i64.const 0 i64.lt_s br_if {done}")
    code.put(f"local.get {left} i64.const 1 i64.sub local.set {left}")
    code.put(f"local.get {low} local.set {item} local.get {low} i32.const 1 i32.add local.set {low}")
    body(done, again)
    code.put(f"br {again}", "end", "end")


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
    item = code.bind(expr.var)[0]

    def loop(body: Body) -> None:
        def tested(done: str, again: str) -> None:
            if where is not None:
                jump_unless(code, where, again)
            body(done, again)

        if found is None:
            each(code, domain, item, tested)
        else:
            each_member(code, found, item, tested)

    return _QUERIES[expr.op](code, expr, item, loop)


def _narrowed(code: Code, found: Words, var: n.Var, where: n.Expr | None) -> tuple[Words, n.Expr | None]:
    """Conditions at the front of `where` that only ask whether the member is in some set are met by one intersection."""
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
    """Whether a set is cheap, cannot fault, and does not depend on a variable: then it may be computed before a loop."""
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


Loop = Callable[[Body], None]


def _variable(code: Code, value: int) -> str:
    """A new local, set to a number here and now."""
    code.put(f"i32.const {value}")
    return code.keep()


def _any(code: Code, expr: n.Query, item: str, loop: Loop) -> Words:
    result = _variable(code, 0)
    loop(lambda done, again: code.put(f"i32.const 1 local.set {result} br {done}"))
    return [f"local.get {result}"]


def _all(code: Code, expr: n.Query, item: str, loop: Loop) -> Words:
    result = _variable(code, 1)

    def body(done: str, again: str) -> None:
        jump_if(code, expr.value or n.Const(1), again)
        code.put(f"i32.const 0 local.set {result} br {done}")

    loop(body)
    return [f"local.get {result}"]


def _count(code: Code, expr: n.Query, item: str, loop: Loop) -> Words:
    result = _variable(code, 0)
    loop(lambda done, again: code.put(f"local.get {result} i32.const 1 i32.add local.set {result}"))
    return [f"local.get {result}"]


def _sum(code: Code, expr: n.Query, item: str, loop: Loop) -> Words:
    total = _variable(code, 0)
    total_var = n.Var("total", n.INT)
    code.places[total_var] = (total,)

    def body(done: str, again: str) -> None:
        code.integer(n.Arith("+", n.Get(total_var), _value(expr), expr.site))
        code.put(f"local.set {total}")

    loop(body)
    return [f"local.get {total}"]


def _value(expr: n.Query) -> n.Expr:
    return n.Get(expr.var) if expr.value is None else expr.value


def _first(code: Code, expr: n.Query, item: str, loop: Loop) -> Words:
    result = _variable(code, -1)
    loop(lambda done, again: code.put(f"local.get {item} local.set {result} br {done}"))
    return [f"local.get {result}"]


def _the(code: Code, expr: n.Query, item: str, loop: Loop) -> Words:
    result, count = _variable(code, -1), _variable(code, 0)
    loop(
        lambda done, again: code.put(
            f"local.get {item} local.set {result} local.get {count} i32.const 1 i32.add local.set {count}"
        )
    )
    if expr.site is not None:
        code.put(f"local.get {count} i32.const 1 i32.ne")
        code.fault_if(expr.site, f"local.get {count}")
    return [f"local.get {result}"]


def _extreme(code: Code, expr: n.Query, item: str, loop: Loop) -> Words:
    """`most` and `least`. Without a member the extreme of all numbers stands, but then nobody looks at it."""
    better = "i32.gt_s" if expr.op == "most" else "i32.lt_s"
    result, some = _variable(code, n.MIN_INT if expr.op == "most" else n.MAX_INT), _variable(code, 0)

    def body(done: str, again: str) -> None:
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
        code.put(f"local.get {item} i32.const 1 i32.add i32.const {expr.size} i32.gt_u")
        code.fault_if(expr.site, f"local.get {item}")


def _is_set(code: Code, expr: n.Query) -> bool:
    return not isinstance(expr.domain, n.Span) and type_of(code.world.program, expr.domain).form == "set"


def _those(code: Code, expr: n.Query, item: str, loop: Loop) -> Words:
    result = code.frozen(constant(0, expr.size))
    proved = _is_set(code, expr)

    def body(done: str, again: str) -> None:
        if not proved:
            _check_member(code, expr, item)
        add_single(code, item, result, expr.size)

    loop(body)
    return [f"local.get {name}" for name in result]


def _map(code: Code, expr: n.Query, item: str, loop: Loop) -> Words:
    result = code.frozen(constant(0, expr.size))

    def body(done: str, again: str) -> None:
        value = code.kept(_value(expr))
        _check_member(code, expr, value)
        add_single(code, value, result, expr.size)

    loop(body)
    return [f"local.get {name}" for name in result]


def _tied(code: Code, expr: n.Query, item: str, loop: Loop) -> Words:
    """`highest` and `lowest`: a better value starts the set anew."""
    better = "i32.gt_s" if expr.op == "highest" else "i32.lt_s"
    result = code.frozen(constant(0, expr.size))
    best, some = _variable(code, 0), _variable(code, 0)
    proved = _is_set(code, expr)

    def body(done: str, again: str) -> None:
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


_QUERIES: dict[str, Callable[[Code, n.Query, str, Loop], Words]] = {
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
