"""Dice: throws, what is counted over a roll, and odds.

A roll is held as a count for each face, so whatever runs over it becomes a search over the faces in which each face
weighs as much as it came up.
"""

from __future__ import annotations

from interpreter.core import nodes as c
from interpreter.core.lower.context import Context, Env
from interpreter.core.lower.held import both, negate
from interpreter.lang import nodes as n
from interpreter.lang.types import IntT, RollT, SetT, strip, universe
from interpreter.lang.world import Die

MOST_DICE = 1000  # in one roll


def lower_roll(node: n.Roll, env: Env, ctx: Context) -> tuple[list[c.Stmt], c.Expr]:
    """The throw, and the value that it gives."""
    assert isinstance(node.die, n.NameRef)
    die = ctx.checked.world.dice[node.die.name]
    if node.times is None:
        face = c.Var(die.name, c.INT)
        ctx.var_ranges[face] = (0, len(die.faces) - 1)
        site = ctx.site("script-mismatch", f"the script names no face of `{die.name}`", node.span)
        return [c.RollDie(face, die.number, site)], face_value(die, c.Get(face), ctx)
    roll = c.Var("roll", c.Type("set", 16 * len(die.faces)))
    site = ctx.site("too-many-dice", f"{{0}} dice are too many: at most {MOST_DICE} are rolled at once", node.span)
    return [c.RollDice(roll, die.number, ctx.expr(node.times, env), site)], c.Get(roll)


def face_value(die: Die, face: c.Expr, ctx: Context) -> c.Expr:
    """The value that the face of a number stands for."""
    if die.enum is not None:
        return face
    low, high = die.values[0], die.values[-1]
    if high - low == len(die.values) - 1:  # without gaps
        return face if low == 0 else ctx.ranged(c.Arith("+", face, c.Const(low), None), low, high)
    return ctx.ranged(c.Table(ctx.table(die.values), face, None), low, high)


def _faces(die: Die) -> c.Expr:
    return c.SetConst((1 << len(die.faces)) - 1, len(die.faces))


def _face(die: Die, name: str, ctx: Context) -> c.Var:
    var = c.Var(name, c.INT)
    ctx.var_ranges[var] = (0, len(die.faces) - 1)
    return var


def _count(roll: c.Expr, face: c.Expr, ctx: Context) -> c.Expr:
    return ctx.ranged(c.Face(roll, face), 0, MOST_DICE)


def size_of(die: Die, roll: c.Expr, ctx: Context) -> c.Expr:
    """How many dice a roll has."""
    face = _face(die, "face", ctx)
    total = c.Query("sum", face, _faces(die), None, _count(roll, c.Get(face), ctx))
    return ctx.ranged(total, 0, MOST_DICE)


def shows(die: Die, roll: c.Expr, item: c.Expr, ctx: Context) -> c.Expr:
    """Whether some die of a roll shows a value."""
    if isinstance(item, c.Const):
        values = die.values if die.enum is None else tuple(range(len(die.faces)))
        if item.value not in values:
            return c.Const(0)
        return c.Compare(">", _count(roll, c.Const(values.index(item.value)), ctx), c.Const(0))
    face = _face(die, "face", ctx)
    same = c.Compare("==", face_value(die, c.Get(face), ctx), item)
    there = c.Compare(">", _count(roll, c.Get(face), ctx), c.Const(0))
    return c.Query("any", face, _faces(die), both(same, there), None)


def lower_over_roll(node: n.Aggregate, die: Die, env: Env, ctx: Context) -> c.Expr:
    """An aggregate over a roll."""
    roll = ctx.expr(node.domain, env)
    face = _face(die, node.var.text, ctx)
    inner = env.inner()
    own = face_value(die, c.Get(face), ctx)
    inner.names[ctx.checked.locals[node.var]] = own
    where = None if node.where is None else ctx.expr(node.where, inner)
    value = own if node.of is None else ctx.expr(node.of, inner)
    shown = _count(roll, c.Get(face), ctx)
    if node.op == "count":
        return ctx.ranged(c.Query("sum", face, _faces(die), where, shown), 0, MOST_DICE)
    if node.op == "sum":
        site = ctx.site("overflow", "this sum is too large a number", node.span)
        return c.Query("sum", face, _faces(die), where, ctx.arith("*", shown, value, node.span), site=site)
    there: c.Expr = c.Compare(">", shown, c.Const(0))
    there = there if where is None else both(there, where)
    match node.op:
        case "any":
            return c.Query("any", face, _faces(die), there, None)
        case "all":
            assert node.of is not None
            return negate(c.Query("any", face, _faces(die), both(there, negate(value)), None))
        case "most" | "least":
            absent = c.MIN_INT if isinstance(strip(ctx.checked.types[node]), IntT) else -1
            return c.Query(node.op, face, _faces(die), there, value, absent=absent)
        case "those":
            return _values(die, c.Query("those", face, _faces(die), there, None, len(die.faces)), node, ctx)
        case "highest" | "lowest":
            tied = c.Query(node.op, face, _faces(die), there, value, len(die.faces))
            return _values(die, tied, node, ctx)
    raise AssertionError(node.op)


def _values(die: Die, faces: c.Expr, node: n.Aggregate, ctx: Context) -> c.Expr:
    """A set of faces as a set of their values."""
    result = ctx.checked.types[node]
    assert isinstance(result, SetT)
    if die.enum is not None:
        return faces
    size = universe(result.of)
    face = _face(die, "face", ctx)
    site = None
    if die.values[0] < -1 or die.values[-1] >= size:
        site = ctx.site("set-range", f"sets of numbers hold 0 to {size - 1}, not {{0}}", node.span)
    return c.Query("map", face, faces, None, face_value(die, c.Get(face), ctx), size, site=site)


def lower_odds(node: n.Aggregate, env: Env, ctx: Context) -> c.Expr:
    """How much the faces weigh for which a condition holds."""
    assert isinstance(node.domain, n.NameRef) and node.where is not None
    die = ctx.checked.world.dice[node.domain.name]
    face = _face(die, node.var.text, ctx)
    inner = env.inner()
    inner.names[ctx.checked.locals[node.var]] = face_value(die, c.Get(face), ctx)
    where = ctx.expr(node.where, inner)
    weight: c.Expr = c.Table(ctx.table(die.weights), c.Get(face), None)
    return ctx.ranged(c.Query("sum", face, _faces(die), where, weight), 0, die.total)


def die_of(node: n.Expr, ctx: Context) -> Die | None:
    """The die of a roll; None if an expression is none."""
    ty = ctx.checked.types[node]
    return ty.die if isinstance(ty, RollT) else None
