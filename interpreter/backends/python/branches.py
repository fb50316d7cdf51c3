"""Expressions that evaluate only what they need, and calls."""

from __future__ import annotations

from interpreter.backends.python.writer import Line, Rule, Value, Writer, function_name
from interpreter.core.nodes import INT, Both, Call, Cond, Either, Expr, Function, Let, Return

MOST_INLINED = 4  # functions put in place within one another
MOST_LETS = 3  # names that a function to be put in place may give
LONGEST_CHAIN = 20  # conditions within one conditional expression


def _short(w: Writer, e: Both | Either, word: str) -> Value:
    """`left and right` or `left or right`; a chain of them is written out flat, however long it is."""
    chain: list[Expr] = [e.left, e.right]
    while isinstance(chain[-1], type(e)):
        inner = chain.pop()
        assert isinstance(inner, (Both, Either))
        chain += [inner.left, inner.right]
    while isinstance(chain[0], type(e)):
        inner = chain.pop(0)
        assert isinstance(inner, (Both, Either))
        chain[:0] = [inner.left, inner.right]
    name = ""
    so_far: list[Value] = []
    for expr in chain:
        with w.aside() as lines:
            value = w.value(expr)
        if lines and so_far:
            name = _so_far(w, so_far, word, name)
            with w.block(f"if {name}:" if word == "and" else f"if not {name}:"):
                w.put(lines)
                w.line(f"{name} = {value}")
            so_far = [Value(name, simple=True)]
        else:
            w.put(lines)
            so_far.append(value)
    return w.build(f"({f' {word} '.join(map(str, so_far))})", so_far, low=0, high=1)


def _so_far(w: Writer, values: list[Value], word: str, name: str) -> str:
    """A variable that holds the first part of a chain."""
    if len(values) == 1 and values[0].text == name:
        return name
    name = name or w.fresh()
    w.line(f"{name} = {f' {word} '.join(map(str, values))}")
    return name


def _both(w: Writer, e: Both) -> Value:
    return _short(w, e, "and")


def _either(w: Writer, e: Either) -> Value:
    return _short(w, e, "or")


def _cond(w: Writer, e: Cond) -> Value:
    chain = [e]
    while isinstance(chain[-1].other, Cond) and len(chain) < LONGEST_CHAIN:
        chain.append(chain[-1].other)
    parts: list[tuple[list[Line], Value]] = []  # condition, value, condition, value … value
    for expr in [expr for link in chain for expr in (link.cond, link.then)] + [chain[-1].other]:
        with w.aside() as lines:
            value = w.value(expr)
        parts.append((lines, value))
    results = [value for _, value in parts[1::2]] + [parts[-1][1]]
    low, high = min(value.low for value in results), max(value.high for value in results)
    kind = results[0].type
    if not any(lines for lines, _ in parts[1:]):
        w.put(parts[0][0])
        texts = [f"{parts[i + 1][1]} if {parts[i][1]} else " for i in range(0, len(parts) - 1, 2)]
        values = [value for _, value in parts]
        return w.build(f"({''.join(texts)}{parts[-1][1]})", values, kind, low=low, high=high)
    name = w.fresh()
    # A loop that is left at once, rather than each `else` within the one before.
    with w.block("while True:"):
        for i in range(0, len(parts) - 1, 2):
            w.put(parts[i][0])
            with w.block(f"if {parts[i][1]}:"):
                w.put(parts[i + 1][0])
                w.line(f"{name} = {parts[i + 1][1]}")
                w.line("break")
        w.put(parts[-1][0])
        w.line(f"{name} = {parts[-1][1]}")
        w.line("break")
    return Value(name, kind, simple=True, low=low, high=high)


def _call(w: Writer, e: Call) -> Value:
    function = w.program.functions[e.function]
    args = w.values(*e.args)
    if e.function not in w.inlined and len(w.inlined) < MOST_INLINED and _is_short(function):
        return _in_place(w, e.function, args)
    name = function_name(w.program, e.function)
    text = f"{name}({', '.join(['M', 'Q', *map(str, args)])})"
    return w.build(text, args, function.result or INT, risky=True)


def _is_short(function: Function) -> bool:
    """Whether a function only gives names to a few values and returns an expression."""
    *lets, last = function.body or (None,)
    returns = isinstance(last, Return) and last.value is not None
    return function.pure and returns and len(lets) <= MOST_LETS and all(isinstance(stmt, Let) for stmt in lets)


def _in_place(w: Writer, number: int, args: list[Value]) -> Value:
    """The value of a short function without a call; its parameters stand for the arguments."""
    function, outer = w.program.functions[number], (w.scope, w.constant, w.all_local, w.inlined)
    w.scope = {param: w.spill(arg) for param, arg in zip(function.params, args, strict=True)}
    w.constant, w.all_local, w.inlined = frozenset(), True, (*w.inlined, number)
    result: Value | None = None
    for stmt in function.body:
        if isinstance(stmt, Let):
            # A variable is only another name for its value: it keeps it until the next Let.
            w.scope[stmt.var] = w.spill(w.value(stmt.value))
        elif isinstance(stmt, Return) and stmt.value is not None:
            result = w.value(stmt.value)
    w.scope, w.constant, w.all_local, w.inlined = outer
    assert result is not None
    return result


RULES: dict[type, Rule] = {Both: _both, Either: _either, Cond: _cond, Call: _call}
