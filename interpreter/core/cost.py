"""How much work a piece of core is at most, so that loops know their weight in steps (see the head of `nodes`)."""

from __future__ import annotations

from interpreter.core import nodes as c

CAP = 10**7
LEAF = 4096  # a loop with at most this many rounds and nothing costly inside is a leaf


def cost(node: object, program: c.Program, known: dict[int, int]) -> int:
    """Rounds of searches and loops at most, capped, as far as no step counts them; `known`: costs of functions by
    number.
    """
    match node:
        case tuple():
            return min(sum(cost(x, program, known) for x in node), CAP)
        case c.Query():
            inner = cost(node.where, program, known) + cost(node.value, program, known)
            return min(_rounds(node.domain, program) * (1 + inner) + cost(node.domain, program, known), CAP)
        case c.For(weight=weight) if weight:
            return cost(node.domain, program, known)  # its rounds are counted as they come
        case c.For():
            inner = cost(node.body, program, known)
            return min(_rounds(node.domain, program) * (1 + inner) + cost(node.domain, program, known), CAP)
        case c.While():
            return 0  # its rounds are counted as they come
        case c.Reach(graph):
            return 2 * program.graphs[graph].size + _inside(node, program, known)
        case c.Path(graph):
            return 8 * program.graphs[graph].size + _inside(node, program, known)
        case c.Call(function) | c.Do(function):
            if function not in known:
                known[function] = 0  # calls are acyclic; this only stops a broken program from running away
                known[function] = cost(program.functions[function].body, program, known)
            return min(known[function] + cost(node.args, program, known), CAP)
        case c.RollDice():
            return 16
    return _inside(node, program, known)


def _inside(node: object, program: c.Program, known: dict[int, int]) -> int:
    slots = getattr(type(node), "__slots__", None)
    if slots is None or isinstance(node, c.Var):
        return 0
    return min(sum(cost(getattr(node, s), program, known) for s in slots), CAP)


def _rounds(domain: c.Expr, program: c.Program) -> int:
    match domain:
        case c.SetConst(bits):
            return bits.bit_count()
        case c.Span():
            return 256
        case c.Query(size=size) if size:
            return size
        case c.Get(var):
            return max(var.type.size, 1)
        case c.LoadSet():
            return domain.size
        case c.Reach(graph):
            return program.graphs[graph].size
    return 64


def loop_weight(body: c.Stmts, domain: c.Expr, program: c.Program, known: dict[int, int]) -> int:
    """Steps that each round of a `For` counts: none for a leaf."""
    inner = cost(body, program, known)
    if inner == 0 and not isinstance(domain, c.Span):
        return 0
    return 1 + min(inner, CAP) // 64


def block_weight(body: c.Stmts, program: c.Program, known: dict[int, int]) -> int:
    """Steps that entering a block counts beyond its loops: only for blocks with very deep searches."""
    return min(cost(body, program, known) // 64, 1000)
