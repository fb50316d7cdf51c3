"""The core as text: for `show core`, for bug reports, and as what the rules hash is taken of.

One node a line or a bracket, no places.
"""

from __future__ import annotations

from interpreter.core import nodes as c


def listing(program: c.Program) -> str:
    """All of a program, in order.

    Equal programs have equal listings, whatever their comments, texts and places were.
    """
    names = _Names()
    lines = [f"cells {program.cells} budget {program.budget} start {program.start}"]
    lines += [f"table {i} {list(t)}" for i, t in enumerate(program.tables)]
    lines += [f"sets {i} of {program.set_sizes[i]} {[hex(b) for b in t]}" for i, t in enumerate(program.set_tables)]
    lines += [f"lists {i} {[list(r) for r in t]}" for i, t in enumerate(program.list_tables)]
    lines += [f"graph {g.name} {g.size} {[list(a) for a in g.around]}" for g in program.graphs]
    lines += [f"die {d.name} {list(d.weights)} {list(d.values)}" for d in program.dice]
    for i, f in enumerate(program.functions):
        params = ", ".join(names.show(p) for p in f.params)
        marks = (" pure" if f.pure else "") + (" ends" if f.ends else "")
        lines.append(f"function {i} {f.name}({params}) -> {names.show(f.result)}{marks}")
        lines += [f"  {line}" for s in f.body for line in _statement(s, names)]
    for i, b in enumerate(program.blocks):
        lines.append(f"block {i} {b.name} weight {b.weight}")
        lines += [f"  {line}" for s in b.body for line in _statement(s, names)]
        lines.append(f"  {names.show(b.exit)}")
    for i, d in enumerate(program.decisions):
        flags = f"stop {d.stop} otherwise {d.otherwise} silent {d.silent} part {d.part}"
        lines.append(f"decision {i} {d.name} player {names.show(d.player)} {flags}")
        for o in d.options:
            lines.append(f"  option {o.name} guard {names.show(o.guard)} target {o.target} final {o.final}")
            lines += [f"    {names.show(b.var)} in {names.show(b.values)}" for b in o.binders]
    return "\n".join(lines) + "\n"


def _statement(node: c.Stmt, names: _Names) -> list[str]:
    """A statement, those inside it indented."""
    match node:
        case c.If(cond, then, other):
            lines = [f"if {names.show(cond)}", *_inside(then, names)]
            return [*lines, "else", *_inside(other, names)] if other else lines
        case c.While(cond, body, weight):
            return [f"while {names.show(cond)} weight {weight}", *_inside(body, names)]
        case c.For(var, domain, body, weight):
            return [f"for {names.show(var)} in {names.show(domain)} weight {weight}", *_inside(body, names)]
    return [names.show(node)]


def _inside(body: c.Stmts, names: _Names) -> list[str]:
    return [f"  {line}" for s in body for line in _statement(s, names)]


class _Names:
    """Variables numbered by their first appearance, so that listings do not depend on addresses in memory."""

    def __init__(self) -> None:
        self.numbers: dict[c.Var, int] = {}

    def show(self, node: object) -> str:
        """A node on one line; sites and texts are left out, they are no part of the meaning."""
        if isinstance(node, c.Var):
            number = self.numbers.setdefault(node, len(self.numbers))
            home = "" if node.home is None else f"@{node.home}"
            return f"{node.name}#{number}{home}"
        if isinstance(node, tuple):
            return "[" + ", ".join(self.show(x) for x in node) + "]"
        if isinstance(node, c.Type):
            return node.form if node.form == "int" else f"{node.form} {node.size}"
        slots = getattr(type(node), "__slots__", None)
        if slots is None:
            return repr(node)
        parts = [self.show(getattr(node, s)) for s in slots if s not in ("site", "index_site", "text", "event")]
        return f"({' '.join([type(node).__name__.lower(), *parts])})"
