"""What needs the map: everything within reach, paths, edges along a path."""

from __future__ import annotations

from itertools import pairwise

from interpreter.backends.wasm.bits import add_single, common, constant, moved, united, without
from interpreter.backends.wasm.code import Code, Row, Words
from interpreter.backends.wasm.loops import each_member
from interpreter.backends.wasm.memory import words
from interpreter.core import nodes as n
from interpreter.core.graphs import Stage, shift_plan

_UNROLLED = 4  # steps that are written out, if there can be no more


def reach(code: Code, expr: n.Reach) -> Words:
    """Breadth first, a whole frontier at a time. The first step from a single space is a look into a table."""
    graph = code.world.program.graphs[expr.graph]
    fewest, most = (0, None) if expr.within is None else _bounds(expr.within)
    one = _single(expr) if fewest > 0 or (expr.within is None and graph.size) else None
    seen = code.frozen(code.members(expr.start) if one is None else _closed(code, expr.graph, one))
    left = None if expr.within is None else code.kept(expr.within)
    through = None if expr.through is None else code.cheap(code.members(expr.through))
    along = None if expr.along is None else spilled(code, code.members(expr.along))
    frontier = code.frozen([f"local.get {name}" for name in seen])
    short = most is not None and most <= _UNROLLED

    def pass_through() -> None:
        if through is not None:
            for name, word in zip(frontier, through, strict=True):
                code.put(f"local.get {name} {word} i64.and local.set {name}")

    def step(last: bool) -> None:
        """A step on. In few steps it does no harm to go on from where one was before."""
        found = _neighbours(code, expr.graph, frontier, along)
        fresh = found if short else without(found, [f"local.get {name}" for name in seen])
        if not last:
            for name, word in zip(frontier, fresh, strict=True):
                code.put(f"{word} local.set {name}")
        for name, word in zip(seen, found if last else frontier, strict=True):
            code.put(f"local.get {name} {word if last else f'local.get {word}'} i64.or local.set {name}")
        if not last:
            pass_through()

    done, again = code.label("reached"), code.label("step")
    code.put(f"block {done}")
    if one is not None:
        pass_through()
    if short and most is not None:
        for number in range(0 if one is None else 1, most):
            if number >= fewest:
                code.put(f"local.get {left} i32.const {number} i32.le_s br_if {done}")
            step(number == most - 1)
    elif graph.size:
        if left is not None and one is not None:
            code.put(f"local.get {left} i32.const 1 i32.sub local.set {left}")
        code.put(f"loop {again}")
        if left is not None:
            code.put(f"local.get {left} i32.const 0 i32.le_s br_if {done}")
            code.put(f"local.get {left} i32.const 1 i32.sub local.set {left}")
        code.put(_none(frontier) + f" br_if {done}")
        step(False)
        code.put(f"br {again}", "end")
    code.put("end")
    return [f"local.get {name}" for name in seen]


def _single(expr: n.Reach) -> n.Expr | None:
    """The space of a start that is surely one or none, if the first step from it may be taken at once."""
    start = expr.start
    if isinstance(start, n.SetOf) and len(start.items) == 1 and start.site is None and expr.along is None:
        return start.items[0]
    return None


def _closed(code: Code, number: int, space: n.Expr) -> Words:
    """A space and its neighbours, from a table whose first entry is for none."""
    key = ("closed", number)
    graph = code.world.program.graphs[number]
    count = words(graph.size)
    if key not in code.world.tables:
        rows = [0, *(mask | 1 << at for at, mask in enumerate(graph.masks))]
        content = [row >> 64 * i & 2**64 - 1 for row in rows for i in range(count)]
        code.world.tables[key] = (code.world.memory.longs(content), graph.size)
    address = code.world.tables[key][0]
    code.integer(space)
    code.put(f"i32.const 1 i32.add i32.const {8 * count} i32.mul")
    entry = code.keep(name="a")
    return [f"local.get {entry} i64.load offset={address + 8 * i}" for i in range(count)]


def _bounds(steps: n.Expr) -> tuple[int, int | None]:
    """Between which numbers a number of steps lies, as far as that is plain to see."""
    if isinstance(steps, n.Const):
        return steps.value, steps.value
    if isinstance(steps, n.Cond):
        (low, high), (other_low, other_high) = _bounds(steps.then), _bounds(steps.other)
        return min(low, other_low), None if high is None or other_high is None else max(high, other_high)
    return 0, None


def _none(names: list[str]) -> str:
    return f"local.get {names[0]}" + "".join(f" local.get {name} i64.or" for name in names[1:]) + " i64.eqz"


def _neighbours(code: Code, number: int, frontier: list[str], along: str | None) -> Words:
    """All neighbours of a set in locals; members of it may or may not be among them."""
    graph = code.world.program.graphs[number]
    if number not in code.world.plans:
        code.world.plans[number] = shift_plan(graph)
    plan = code.world.plans[number] if along is None else None
    if plan is not None:
        return _dilated(code, plan, frontier, graph.size)
    found = code.frozen(constant(0, graph.size))
    space = code.local("i32", "space")

    def visit(_done: str, _next: str) -> None:
        if along is None:
            address = _masks(code, number)
            code.put(f"local.get {space} i32.const {8 * words(graph.size)} i32.mul")
            entry = code.keep(name="a")
            for i, name in enumerate(found):
                code.put(
                    f"local.get {name} local.get {entry} i64.load offset={address + 8 * i} i64.or local.set {name}"
                )
            return
        here, end, other = code.local("i32", "link"), code.local("i32", "end"), code.local("i32", "other")
        code.put(f"local.get {space} i32.const 3 i32.shl i32.load offset={links(code, number)} local.set {here}")
        code.put(f"local.get {space} i32.const 3 i32.shl i32.load offset={links(code, number) + 4} local.set {end}")
        done, again = code.label("linked"), code.label("link")
        code.put(f"block {done}", f"loop {again}", f"local.get {here} local.get {end} i32.eq br_if {done}")
        code.put(f"local.get {here} i32.load offset=4 local.set {other} {in_memory(along, other)}", "if")
        code.put(f"local.get {here} i32.load local.set {other}")
        add_single(code, f"local.get {other}", found, graph.size)
        code.put("end", f"local.get {here} i32.const 8 i32.add local.set {here}", f"br {again}", "end", "end")

    each_member(code, [f"local.get {name}" for name in frontier], space, visit)
    return [f"local.get {name}" for name in found]


def _dilated(code: Code, plan: list[Stage], frontier: list[str], size: int) -> Words:
    """What `graphs.dilate` says, word by word. Masks that hide nothing that a shift would not lose anyway are left
    out."""
    count = words(size)
    found: Words = [f"local.get {name}" for name in frontier]
    for stage in plan:
        start = code.cheap(found)
        found = start
        for shift, mask in stage:
            sure = sum(1 << space for space in range(size) if 0 <= space + shift < 64 * count)
            masked = start if sure & ~mask == 0 else code.cheap(common(start, constant(mask, size)))
            found = united(found, moved(masked, shift, count))
    return code.cheap(found)


def in_memory(address: str, item: str) -> str:
    """Text that pushes 1 if the member in a local is in the set that lies at a constant address."""
    byte = f"local.get {item} i32.const 3 i32.shr_u i32.load8_u offset={address}"
    return f"{byte} local.get {item} i32.const 7 i32.and i32.shr_u i32.const 1 i32.and"


def spilled(code: Code, found: Words) -> str:
    """Writes a set to scratch; its address."""
    address = code.world.memory.room(8 * len(found))
    code.write_words("i32.const 0", address, found)
    return str(address)


def _masks(code: Code, number: int) -> int:
    key = ("masks", number)
    graph = code.world.program.graphs[number]
    if key not in code.world.tables:
        count = words(graph.size)
        content = [mask >> 64 * i & 2**64 - 1 for mask in graph.masks for i in range(count)]
        code.world.tables[key] = (code.world.memory.longs(content), graph.size)
    return code.world.tables[key][0]


def links(code: Code, number: int) -> int:
    """The address of a graph as pairs (first, end) of addresses, one for each space, of pairs (neighbour, edge)."""
    key = ("links", number)
    if key not in code.world.tables:
        graph = code.world.program.graphs[number]
        pairs = code.world.memory.integers([figure for row in graph.around for pair in row for figure in pair])
        ends = [pairs]
        for row in graph.around:
            ends.append(ends[-1] + 8 * len(row))
        content = [address for both in pairwise(ends) for address in both]
        code.world.tables[key] = (code.world.memory.integers(content), graph.size)
    return code.world.tables[key][0]


def path(code: Code, expr: n.Path) -> Row:
    """A cheapest path, found by `$path` of `support`."""
    graph = code.world.program.graphs[expr.graph]
    code.world.uses.add("path")
    start = spilled(code, code.members(expr.start))
    goal = code.kept(expr.goal)
    sets = [
        "0" if given is None else spilled(code, code.members(given))
        for given in (expr.through, expr.along, expr.costly)
    ]
    out = code.world.memory.room(4 * graph.size)
    work = code.world.memory.room(12 * graph.size + 8)
    figures = [str(links(code, expr.graph)), str(graph.size), start, *sets, str(work), str(out)]
    length = code.local("i32", "length")
    address = code.local("i32", "path")
    code.put(
        f"local.get {goal} " + " ".join(f"i32.const {figure}" for figure in figures) + f" call $path local.set {length}"
    )
    code.put(f"i32.const {out} local.set {address}")
    return Row(address, length, graph.size, True)


def edges_of(code: Code, expr: n.EdgesOf) -> Words:
    """The edges between each item of a list and the next."""
    graph = code.world.program.graphs[expr.graph]
    row = code.row(expr.path)
    found = code.frozen(constant(0, graph.edges))
    at, left, link, end, edge = (code.local("i32", name) for name in ("at", "left", "link", "end", "edge"))
    done, again, searched, search = (code.label(name) for name in ("done", "pair", "searched", "search"))
    code.put(f"local.get {row.address} local.set {at} local.get {row.length} local.set {left}")
    code.put(f"block {done}", f"loop {again}", f"local.get {left} i32.const 2 i32.lt_s br_if {done}")
    table = links(code, expr.graph)
    code.put(
        f"block {searched}", f"local.get {at} i32.load local.tee {end} i32.const {graph.size} i32.ge_u br_if {searched}"
    )
    code.put(f"local.get {end} i32.const 3 i32.shl local.tee {end} i32.load offset={table} local.set {link}")
    code.put(f"local.get {end} i32.load offset={table + 4} local.set {end}")
    code.put(f"loop {search}", f"local.get {link} local.get {end} i32.eq br_if {searched}")
    code.put(f"local.get {link} i32.load local.get {at} i32.load offset=4 i32.eq", "if")
    code.put(f"local.get {link} i32.load offset=4 local.set {edge}")
    add_single(code, f"local.get {edge}", found, graph.edges)
    code.put("end", f"local.get {link} i32.const 8 i32.add local.set {link}", f"br {search}", "end", "end")
    code.put(f"local.get {at} i32.const 4 i32.add local.set {at} local.get {left} i32.const 1 i32.sub local.set {left}")
    code.put(f"br {again}", "end", "end")
    return [f"local.get {name}" for name in found]
