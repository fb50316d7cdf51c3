"""Steps on graphs: reach as shifts of whole sets, written out; the rest through `ways`."""

from __future__ import annotations

from functools import partial

from interpreter.backends.python.expressions import bit
from interpreter.backends.python.writer import Rule, Value, Writer
from interpreter.core.graphs import Stage, shift_plan
from interpreter.core.nodes import MAX_INT, Const, EdgesOf, Expr, Graph, Path, Reach, SetOf, Type

LONGEST_UNROLLED = 3  # steps written out one after another


def _optional(w: Writer, expr: Expr | None, missing: str) -> Value:
    return Value(missing, simple=True) if expr is None else w.value(expr)


def _reach(w: Writer, e: Reach) -> Value:
    graph = w.program.graphs[e.graph]
    kind = Type("set", graph.size)
    within_default = str(MAX_INT)
    if e.along is not None:
        parts = [
            partial(w.value, e.start),
            partial(_optional, w, e.within, within_default),
            partial(_optional, w, e.through, "-1"),
            partial(w.value, e.along),
        ]
        values = w.sequence(parts)
        return w.build(f"reach_along(AROUND{e.graph}, {', '.join(map(str, values))})", values, kind)
    plan = shift_plan(graph)
    steps = e.within.value if isinstance(e.within, Const) and e.within.value <= LONGEST_UNROLLED else None
    one = e.start.items[0] if isinstance(e.start, SetOf) and len(e.start.items) == 1 else None
    if plan is None or steps is None or steps <= 0:
        one = None
    start, within, through = w.sequence(
        [
            partial(_closed, w, e, e.start, one),
            partial(_optional, w, e.within, within_default),
            partial(_optional, w, e.through, "-1"),
        ]
    )
    if plan is None:
        text = f"reach_around(MASKS{e.graph}, {start}, {within}, {through})"
        return w.build(text, [start, within, through], kind)
    start, within, through = (w.spill(part) for part in (start, within, through))
    open_ways = "" if e.through is None else f" & {through}"
    if steps is not None:
        return start if steps <= 0 else _few_steps(w, graph, plan, start, open_ways, steps, one is not None)
    return _many_steps(w, e, plan, start, open_ways, within)


def _closed(w: Writer, e: Reach, start: Expr, one: Expr | None) -> Value:
    """Where to start: a set, or if it has just the space `one`, that space with its neighbours, from a table."""
    if one is None or not isinstance(start, SetOf):
        return w.value(start)
    return bit(w, w.value(one), Type("set", start.size), start.site, f"CLOSED{e.graph}")


def _few_steps(
    w: Writer, graph: Graph, plan: list[Stage], start: Value, open_ways: str, steps: int, first_done: bool
) -> Value:
    """A known number of steps, written out."""
    kind = Type("set", graph.size)
    reached = start.text if first_done else _dilate(w, graph, plan, start.text)
    for _ in range(steps - 1):
        # Those reached so far stay reached, whether a way may lead on through them or not.
        before = w.spill(Value(reached, kind, reached == start.text)).text
        if open_ways:
            reached = f"{before} | {_dilate(w, graph, plan, w.spill(Value(f'{before}{open_ways}', kind)).text)}"
        else:
            reached = _dilate(w, graph, plan, before)
    return w.spill(Value(reached, kind, reached == start.text))


def _many_steps(w: Writer, e: Reach, plan: list[Stage], start: Value, open_ways: str, within: Value) -> Value:
    """Steps until nothing new is reached."""
    graph = w.program.graphs[e.graph]
    reached = w.fresh()
    w.line(f"{reached} = {start}")
    with w.block("while True:" if e.within is None else f"for _ in range({within}):"):
        further = w.spill(Value(f"{reached}{open_ways} | {start}")).text if open_ways else reached
        found = w.spill(Value(_dilate(w, graph, plan, further)))
        w.line(f"if {found} == {reached}: break")
        w.line(f"{reached} = {found}")
    return Value(reached, Type("set", graph.size), simple=True)


def _dilate(w: Writer, graph: Graph, plan: list[Stage], name: str) -> str:
    """Text of the closed neighbourhood of the set `name`; lines are added for all stages but the last."""
    everywhere = (1 << graph.size) - 1
    text = name
    for number, stage in enumerate(plan):
        if number:
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
            partial(_optional, w, e.through, "-1"),
            partial(_optional, w, e.along, "-1"),
            partial(_optional, w, e.costly, "0"),
        ]
    )
    return w.build(f"way(AROUND{e.graph}, {', '.join(map(str, values))})", values, Type("list"))


def _edges_of(w: Writer, e: EdgesOf) -> Value:
    path = w.value(e.path)
    return w.build(f"edges_of(AROUND{e.graph}, {path})", [path], Type("set", w.program.graphs[e.graph].edges))


RULES: dict[type, Rule] = {Reach: _reach, Path: _path, EdgesOf: _edges_of}
