"""A whole program as Python text: one function for each core function and block, two for each decision.

A block's function returns the function to go on with, or None when play stops: at a question that waits (then
`X.found` holds it) or at the end of the game. The machine calls one after another.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from interpreter.backends.python import branches, expressions, queries, sets, spread
from interpreter.backends.python.queries import domain, each, member
from interpreter.backends.python.sets import bracketed
from interpreter.backends.python.statements import body, clear, count_steps, given_once
from interpreter.backends.python.writer import Rule, Value, Writer, function_name, plain
from interpreter.core.header import PC
from interpreter.core.nodes import Ask, Binder, Block, Branch, Decision, Function, Jump, Leave, Option, Program
from interpreter.core.quiet import peeled

RULES: Mapping[type, Rule] = {
    **expressions.RULES,
    **branches.RULES,
    **sets.RULES,
    **queries.RULES,
    **spread.RULES,
}


DEEPEST = 5000  # Python frames while generating: about five for each level of an expression


def generate(program: Program) -> str:
    """The source text; equal programs give equal text."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEPEST))  # long sums are deep trees
    try:
        parts = [_function(program, number, function) for number, function in enumerate(program.functions)]
        parts += [_decision(program, number, decision) for number, decision in enumerate(program.decisions)]
        parts += [_player(program, number, decision) for number, decision in enumerate(program.decisions)]
        parts += [_block(program, number, block) for number, block in enumerate(program.blocks)]
    finally:
        sys.setrecursionlimit(limit)
    return "\n\n".join(parts) + "\n"


def _text(w: Writer, head: str) -> str:
    lines = [head] + ["    " * (indent + 1) + text for indent, text in w.lines or [(0, "pass")]]
    return "\n".join(lines)


def _function(program: Program, number: int, function: Function) -> str:
    w = Writer(program, RULES, constant=given_once(function.body) - set(function.params))
    params = ["M", "Q", *map(w.local, function.params)]
    body(w, function.body)
    return _text(w, f"def {function_name(program, number)}({', '.join(params)}):  # {plain(function.name)}")


def _block(program: Program, number: int, block: Block) -> str:
    w = Writer(program, RULES, constant=given_once(block.body))
    count_steps(w, block.weight, block.site)
    body(w, block.body)
    goto = block.exit
    if isinstance(goto, Jump):
        w.line(f"return b{goto.target}")
    elif isinstance(goto, Branch):
        w.line(f"return b{goto.then} if {w.value(goto.cond)} else b{goto.other}")
    elif isinstance(goto, Leave):
        back = w.spill(Value(f"M[{goto.back}]"))
        clear(w, goto.base, goto.count)
        w.line(f"return BLOCKS[{back}]")
    elif isinstance(goto, Ask):
        _ask(w, number, goto.decision)
    return _text(w, f"def b{number}(M, Q):  # {plain(block.name)}")


def _ask(w: Writer, block: int, number: int) -> None:
    decision = w.program.decisions[number]
    w.line(f"n, S = d{number}(M, Q)")
    if decision.stop is None:
        w.line(f"if not n: return b{decision.otherwise}")
    if decision.silent:
        w.line(f"if n == 1: return take(M, TAKINGS[{number}], S, 0)")
    player = w.spill(w.value(decision.player))
    w.line(f"M[{PC}] = {block}")
    w.line(f"X.found = ({number}, {player}, n, S)")


def _decision(program: Program, number: int, decision: Decision) -> str:
    """The function that finds candidates: it returns their number and the segments (see `support.Segments`)."""
    w = Writer(program, RULES, all_local=True)
    w.line("S = []")
    w.line("n = 0")
    for index, option in enumerate(decision.options):
        w.line(f"# option {plain(option.name)}")
        # Variables with homes are local only within the option that binds them.
        w.scope = {var: value for var, value in w.scope.items() if var.home is None}
        w.constant = given_once(option.lets)
        body(w, option.lets)
        if option.guard is None:
            _candidates(w, index, option)
        else:
            with w.block(f"if {w.value(option.guard)}:"):
                _candidates(w, index, option)
    w.line("return n, S" if decision.stop is None else "return n + 1, S")
    return _text(w, f"def d{number}(M, Q):  # {plain(decision.name)}")


def _player(program: Program, number: int, decision: Decision) -> str:
    """The function that says who decides, for looking at a question again."""
    w = Writer(program, RULES)
    w.line(f"return {w.value(decision.player)}")
    return _text(w, f"def p{number}(M, Q):")


def _candidates(w: Writer, index: int, option: Option) -> None:
    if not option.binders:
        w.line("n += 1")
        w.line(f"S.append((1, {index}, (), None))")
    else:
        _binders(w, index, option.binders, [])


def _binders(w: Writer, index: int, binders: tuple[Binder, ...], outer: list[Value]) -> None:
    first, *others = binders
    if others:
        values, tests = peeled(first.values)
        over = domain(w, values)
        name = w.fresh("v", first.var.name or "_")
        item = member(over, name)
        with each(w, over, name), w.bound(first.var, item):
            for var, where in tests:
                with w.bound(var, item):
                    w.line(f"if not {w.value(where)}: continue")
            _binders(w, index, tuple(others), [*outer, item])
        return
    last = w.spill(w.value(first.values))
    with w.block(f"if {last}:"):
        count = w.fresh()
        w.line(f"{count} = {bracketed(last)}.bit_count()")
        w.line(f"n += {count}")
        w.line(f"S.append(({count}, {index}, ({''.join(f'{value}, ' for value in outer)}), {last}))")
