"""Core statements as Python statements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from interpreter.backends.python.expressions import checked_index, set_cell
from interpreter.backends.python.queries import domain, each, member
from interpreter.backends.python.sets import members
from interpreter.backends.python.writer import Line, Value, Writer, function_name
from interpreter.core.header import ENDING, ENDING_ARGS, STATUS, STEPS, WINNER
from interpreter.core.nodes import (
    Break,
    Clear,
    Do,
    Emit,
    End,
    Fail,
    For,
    If,
    Let,
    PickOne,
    Return,
    RollDice,
    RollDie,
    Scripted,
    Stmt,
    Stmts,
    Store,
    StoreSet,
    Var,
    While,
)

MOST_NESTED = 8  # conditions below one another
FEW_CELLS = 8  # up to so many are cleared one by one


def body(w: Writer, stmts: Stmts) -> None:
    """Compiles statements one after another."""
    for stmt in stmts:
        _STATEMENTS[type(stmt)](w, stmt)


def given(stmts: Stmts) -> Iterator[Var]:
    """The variables that statements give values to, as often as they stand there."""
    for s in stmts:
        if isinstance(s, (Let, RollDie, RollDice, PickOne, Scripted, For)):
            yield s.var
        elif isinstance(s, Do) and s.into is not None:
            yield s.into
        if isinstance(s, If):
            yield from given(s.then)
            yield from given(s.other)
        elif isinstance(s, (While, For)):
            yield from given(s.body)


def given_once(stmts: Stmts) -> frozenset[Var]:
    """The variables given a value at one place only: what is known of it holds for all reads."""
    counts = Counter(given(stmts))
    return frozenset(var for var, count in counts.items() if count == 1)


def count_steps(w: Writer, weight: int, site: int) -> None:
    """Adds to the steps of the call under way."""
    if weight:
        name = w.fresh()
        w.line(f"{name} = M[{STEPS}] + {weight}")
        w.line(f"if {name} > {w.program.budget}: fault({site}, {w.program.budget})")
        w.line(f"M[{STEPS}] = {name}")


def clear(w: Writer, base: int, count: int) -> None:
    """Sets cells to 0, in pairs where that is possible."""
    if count > FEW_CELLS:
        w.line(f"M[{base} : {base + count}] = zeros({count})")
        return
    targets, end = [], base + count
    while base < end:
        pair = base % 2 == 0 and base + 1 < end
        targets.append(f"Q[{base // 2}]" if pair else f"M[{base}]")
        base += 2 if pair else 1
    if targets:
        w.line(f"{' = '.join(targets)} = 0")


def _let(w: Writer, s: Let) -> None:
    value = w.value(s.value)
    w.assign(s.var, value.text)
    if s.var in w.scope and s.var in w.constant:
        w.scope[s.var] = replace(w.scope[s.var], low=value.low, high=value.high)


def _store(w: Writer, s: Store) -> None:
    index, value = w.sequence(
        [lambda: checked_index(w, w.value(s.index), s.count, s.index_site), lambda: _bounded(w, s)]
    )
    if index.text.isdecimal():
        at = str(s.base + int(index.text))
    else:
        # Python evaluates the value first, the index after it.
        index = w.spill(index) if index.risky and value.risky else index
        at = f"{s.base} + {index}" if s.base else index.text
    w.line(f"M[{at}] = {value}")


def _bounded(w: Writer, s: Store) -> Value:
    """The value to store, within its bounds."""
    value = w.value(s.value)
    if value.within(s.low, s.high) or (not s.clamp and s.site is None):
        return value
    first, name = w.once(value)
    if s.clamp:
        # Bounds in brackets: they may be negative.
        return w.build(f"({s.low} if {first} < {s.low} else {s.high} if {name} > {s.high} else {name})", [value])
    return w.build(f"({name} if {s.low} <= {first} <= {s.high} else fault({s.site}, {name}))", [value], risky=True)


def _store_set(w: Writer, s: StoreSet) -> None:
    index, value = w.sequence([lambda: checked_index(w, w.value(s.index), s.count, s.site), lambda: w.value(s.value)])
    index = w.spill(index) if index.risky and value.risky else index
    w.store_set(set_cell(w, s.base, index, s.size), s.size, value.text)


def _clear(w: Writer, s: Clear) -> None:
    clear(w, s.base, s.count)


def _if(w: Writer, s: If) -> None:
    chain = [s]
    while len(chain[-1].other) == 1 and isinstance(chain[-1].other[0], If):
        chain.append(chain[-1].other[0])
    conds: list[tuple[list[Line], Value]] = []
    for link in chain:
        with w.aside() as lines:
            cond = w.value(link.cond)
        conds.append((lines, cond))
    w.put(conds[0][0])
    if sum(bool(lines) for lines, _ in conds[1:]) > MOST_NESTED:
        _flat_branches(w, chain, conds)
    else:
        _branches(w, chain, conds)


def _branches(w: Writer, chain: list[If], conds: list[tuple[list[Line], Value]]) -> None:
    """`if`, `elif`, `else`; a condition that needs lines before it goes below an `else` of its own."""
    indent = w.indent
    word = "if"
    for link, (lines, cond) in zip(chain, conds, strict=True):
        if lines and link is not chain[0]:
            w.line("else:")
            w.indent += 1
            w.put(lines)
            word = "if"
        with w.block(f"{word} {cond}:"):
            body(w, link.then)
        word = "elif"
    if chain[-1].other:
        with w.block("else:"):
            body(w, chain[-1].other)
    w.indent = indent


def _flat_branches(w: Writer, chain: list[If], conds: list[tuple[list[Line], Value]]) -> None:
    """The same for a long chain, whose levels would be too many for Python: a variable says whether to look further."""
    further = w.fresh()
    w.line(f"{further} = 1")
    for link, (lines, cond) in zip(chain, conds, strict=True):
        with w.block(f"if {further}:"):
            if link is not chain[0]:
                w.put(lines)
            with w.block(f"if {cond}:"):
                w.line(f"{further} = 0")
                body(w, link.then)
    if chain[-1].other:
        with w.block(f"if {further}:"):
            body(w, chain[-1].other)


def _while(w: Writer, s: While) -> None:
    with w.aside() as lines:
        cond = w.value(s.cond)
    with w.block("while True:" if lines else f"while {cond}:"):
        if lines:
            w.put(lines)
            w.line(f"if not {cond}: break")
        count_steps(w, s.weight, s.site)
        body(w, s.body)


def _for(w: Writer, s: For) -> None:
    over = domain(w, s.domain)
    at_home = s.var not in w.scope and s.var.home is not None and not w.all_local
    name = w.fresh() if at_home else w.local(s.var)
    with each(w, over, name):
        if at_home:
            w.assign(s.var, name)
        count_steps(w, s.weight, s.site)
        if s.var in given(s.body):
            body(w, s.body)
        else:
            with w.bound(s.var, member(over, name)):
                body(w, s.body)


def _break(w: Writer, s: Break) -> None:
    w.line("break")


def _return(w: Writer, s: Return) -> None:
    w.line("return" if s.value is None else f"return {w.value(s.value)}")


def _do(w: Writer, s: Do) -> None:
    args = w.values(*s.args)
    call = f"{function_name(w.program, s.function)}({', '.join(['M', 'Q', *map(str, args)])})"
    if not w.program.functions[s.function].ends:
        if s.into is None:
            w.line(call)
        else:
            w.assign(s.into, call)
        return
    result = w.fresh()
    w.line(call if s.into is None else f"{result} = {call}")
    w.line(f"if M[{STATUS}]: return")
    if s.into is not None:
        w.assign(s.into, result)


def _roll_die(w: Writer, s: RollDie) -> None:
    w.assign(s.var, f"roll_die(X, M, Q, {s.die}, SHARES{s.die}, {s.site})")


def _roll_dice(w: Writer, s: RollDice) -> None:
    w.assign(s.var, f"roll_dice(X, M, Q, {s.die}, SHARES{s.die}, {w.value(s.times)}, {s.site})")


def _pick_one(w: Writer, s: PickOne) -> None:
    w.assign(s.var, f"pick_one(X, M, Q, {len(w.program.dice)}, {w.value(s.pool)}, {s.site})")


def _scripted(w: Writer, s: Scripted) -> None:
    w.assign(s.var, f"scripted(X, {w.value(s.pool)}, {s.site})")


def _emit(w: Writer, s: Emit) -> None:
    with w.block("if X.listening:"):
        *args, to = w.values(*s.args, s.to)
        shown = "".join(f"{_shown(w, arg)}, " for arg in args)
        w.line(f"X.events.append(Event({s.event}, ({shown}), {to}))")


def _shown(w: Writer, arg: Value) -> str:
    """An argument as events hold it; truth values become integers."""
    if arg.type.form == "set":
        return members(w, arg).text
    return f"tuple({arg})" if arg.type.form == "list" else f"int({arg})"


def _end(w: Writer, s: End) -> None:
    values = [w.spill(value).text for value in w.values(s.winner, *s.args)]
    w.line(f"M[{WINNER}] = {values[0]}")
    w.line(f"M[{ENDING}] = {s.event + 1}")
    for place, value in enumerate(values[1:]):
        w.line(f"M[{ENDING_ARGS + place}] = {value}")
    clear(w, ENDING_ARGS + len(s.args), 4 - len(s.args))
    w.line(f"M[{STATUS}] = 1")
    w.line("return")


def _fail(w: Writer, s: Fail) -> None:
    figures = [figure for figure in (s.a, s.b) if figure is not None]  # b only beside a
    w.line(f"fault({', '.join([str(s.site), *map(str, w.values(*figures))])})")


_STATEMENTS: dict[type[Stmt], Callable[[Writer, Any], None]] = {
    Let: _let,
    Store: _store,
    StoreSet: _store_set,
    Clear: _clear,
    If: _if,
    While: _while,
    For: _for,
    Break: _break,
    Return: _return,
    Do: _do,
    RollDie: _roll_die,
    RollDice: _roll_dice,
    PickOne: _pick_one,
    Scripted: _scripted,
    Emit: _emit,
    End: _end,
    Fail: _fail,
}
