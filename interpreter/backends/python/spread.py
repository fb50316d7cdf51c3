"""Steps on graphs: reach as shifts of whole sets, written out; the rest through `ways`."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from interpreter.backends.python.expressions import number
from interpreter.backends.python.sets import bit
from interpreter.backends.python.writer import Rule, Value, Writer
from interpreter.core.graphs import Stage, shift_plan
from interpreter.core.nodes import EdgesOf, Expr, Graph, Path, Reach, SetOf, Type

MOST_UNROLLED = 3  # steps written out one after another, or repeated without looking whether anything new came


def _optional(w: Writer, expr: Expr | None, missing: Value) -> Value:
    return missing if expr is None else w.value(expr)


def _reach(w: Writer, e: Reach) -> Value:
    graph = w.program.graphs[e.graph]
    kind = Type("set", graph.size)
    plan = shift_plan(graph) if e.along is None else None
    one = e.start.items[0] if plan is not None and isinstance(e.start, SetOf) and len(e.start.items) == 1 else None
    start, within, through, along = w.sequence(
        [
            partial(w.value, e.start) if one is None else partial(_single, w, one, graph.size, e.start),
            partial(_optional, w, e.within, number(graph.size)),
            partial(_optional, w, e.through, number(-1)),
            partial(_optional, w, e.along, number(-1)),
        ]
    )
    if e.along is not None:
        text = f"reach_along(AROUND{e.graph}, {start}, {within}, {through}, {along})"
        return w.build(text, [start, within, through, along], kind)
    if plan is None:
        text = f"reach_around(WIDE{e.graph}, {start}, {within}, {through})"
        return w.build(text, [start, within, through], kind)
    start, within, through = (w.spill(part) for part in (start, within, through))
    if one is None:
        return _steps(w, e, plan, start.text, within, through, anchor="" if e.through is None else f" | {start}")
    return _steps_from_one(w, e, plan, start, within, through)


def _steps_from_one(w: Writer, e: Reach, plan: list[Stage], start: Value, within: Value, through: Value) -> Value:
    """Steps from a single space, -1 for none. The first is a look into a table, the second into what is remembered: not
    many different sets can be left of one space's neighbours."""
    kind = Type("set", w.program.graphs[e.graph].size)
    first = bit(w, start, kind, None, f"CLOSED{e.graph}")
    if within.low < 1:
        first = Value(f"{first} if {within} > 0 else {bit(w, start, kind, None)}", kind)
    reached = w.spill(first)
    if within.high < 2:
        return reached
    second = f"WIDE{e.graph}[{reached}]" if e.through is None else f"{reached} | WIDE{e.graph}[{reached} & {through}]"
    if within.low < 2:
        second = f"{second} if {within} > 1 else {reached}"
    reached = w.spill(Value(second, kind))
    rest = number(within.low - 2) if within.low == within.high else replace(within, text=f"{within} - 2", simple=False)
    rest = replace(rest, low=within.low - 2, high=within.high - 2)
    return _steps(w, e, plan, reached.text, rest, through, anchor="")


def _single(w: Writer, item: Expr, size: int, start: Expr) -> Value:
    """The only space of a start, checked as `start`, a SetOf, wants it."""
    value = w.value(item)
    site = start.site if isinstance(start, SetOf) else None
    if site is None or value.within(-1, size - 1):
        return value
    value = w.spill(value)
    w.line(f"if not -1 <= {value} < {size}: fault({site}, {value})")
    return replace(value, low=max(value.low, -1), high=min(value.high, size - 1))


def _steps(w: Writer, e: Reach, plan: list[Stage], start: str, within: Value, through: Value, *, anchor: str) -> Value:
    """Further steps. With `anchor` the start itself, which may lie outside `through`, is stepped from each time;
    without it what was reached so far is kept."""
    graph = w.program.graphs[e.graph]
    kind = Type("set", graph.size)

    def step(before: str) -> str:
        if e.through is None:
            return _dilate(w, graph, plan, before)
        further = w.spill(Value(f"{before} & {through}{anchor}", kind)).text
        return _dilate(w, graph, plan, further) if anchor else f"{before} | {_dilate(w, graph, plan, further)}"

    if within.low == within.high and within.high <= MOST_UNROLLED:
        reached = Value(start, kind, simple=True)
        for _ in range(max(within.high, 0)):
            reached = w.spill(Value(step(reached.text), kind))
        return reached
    name = w.fresh()
    w.line(f"{name} = {start}")
    head = f"if {within} > 0:" if within.high == 1 else f"for _ in range({within}):"
    with w.block(head):
        found = w.spill(Value(step(name), kind)).text
        if within.high > MOST_UNROLLED:
            w.line(f"if {found} == {name}: break")
        w.line(f"{name} = {found}")
    return Value(name, kind, simple=True)


def _dilate(w: Writer, graph: Graph, plan: list[Stage], name: str) -> str:
    """Text of the closed neighbourhood of the set `name`; lines are added for all stages but the last."""
    everywhere = (1 << graph.size) - 1
    text = name
    for place, stage in enumerate(plan):
        if place:
            name = w.spill(Value(text)).text
        parts = [name]
        for shift, mask in stage:
            if shift > 0:
                parts.append(f"({name} & {mask:#x}) << {shift}")
            elif mask == everywhere >> -shift << -shift:
                parts.append(f"{name} >> {-shift}")  # what else there is falls out at the bottom
            else:
                parts.append(f"({name} & {mask:#x}) >> {-shift}")
        text = " | ".join(parts)
    return text


def _path(w: Writer, e: Path) -> Value:
    values = w.sequence(
        [
            partial(w.value, e.start),
            partial(w.value, e.goal),
            partial(_optional, w, e.through, number(-1)),
            partial(_optional, w, e.along, number(-1)),
            partial(_optional, w, e.costly, number(0)),
        ]
    )
    text = f"way(AROUND{e.graph}, {', '.join(map(str, values))})"
    return w.build(text, values, Type("list"), low=0, high=w.program.graphs[e.graph].size - 1)


def _edges_of(w: Writer, e: EdgesOf) -> Value:
    path = w.value(e.path)
    return w.build(f"edges_of(AROUND{e.graph}, {path})", [path], Type("set", w.program.graphs[e.graph].edges))


RULES: dict[type, Rule] = {Reach: _reach, Path: _path, EdgesOf: _edges_of}
