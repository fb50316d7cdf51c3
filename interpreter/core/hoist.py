"""Moving out of a question's loops what is the same for all candidates: sets that depend on no binder are computed
once.
"""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache

from interpreter.core import nodes as c


def hoisted(option: c.Option) -> c.Option:
    """The option with common sets of its later binders computed in `lets`."""
    if len(option.binders) < 2:
        return option
    bound = {b.var for b in option.binders}
    lets: list[c.Let] = []
    known: dict[str, c.Var] = {}
    binders = [option.binders[0]]
    for binder in option.binders[1:]:
        values = _replace(binder.values, frozenset(bound), lets, known)
        binders.append(c.Binder(binder.var, values))
    if not lets:
        return option
    return replace(option, lets=(*option.lets, *lets), binders=tuple(binders))


def _replace(e: c.Expr, bound: frozenset[c.Var], lets: list[c.Let], known: dict[str, c.Var]) -> c.Expr:
    size = _free_set(e, bound)
    if size is not None:
        key = _key(e)
        if key not in known:
            known[key] = c.Var("common", c.Type("set", size))
            lets.append(c.Let(known[key], e))
        return c.Get(known[key])
    inner = bound | {e.var} if isinstance(e, c.Query) else bound
    changes: dict[str, object] = {}
    for name in _expr_fields(type(e).__name__):
        value = getattr(e, name)
        if isinstance(value, tuple):
            made = tuple(_replace(x, inner, lets, known) if _is_expr(x) else x for x in value)
            if any(a is not b for a, b in zip(made, value, strict=True)):
                changes[name] = made
        elif _is_expr(value):
            new = _replace(value, inner, lets, known)
            if new is not value:
                changes[name] = new
    return replace(e, **changes) if changes else e  # type: ignore[arg-type]


@cache
def _expr_fields(kind: str) -> tuple[str, ...]:
    """Names of a node's fields that may hold expressions."""
    return tuple(f.name for f in fields(getattr(c, kind)) if f.name not in ("var", "op", "site", "index_site", "size"))


def _is_expr(value: object) -> bool:
    return type(value).__module__.startswith(c.__name__) and not isinstance(value, c.Var | c.Type)


def _free_set(e: c.Expr, bound: frozenset[c.Var]) -> int | None:
    """The size of a set worth keeping: it can't fault, reads the position and depends on no binder.

    None for all else.
    """
    match e:
        case c.SetOp(_, left, right) if _still(left, bound) and _still(right, bound):
            return _size(left) or _size(right)
        case c.LoadSet(_, index, _, _, None) if _still(index, bound):
            return e.size
    return None


def _still(e: c.Expr, bound: frozenset[c.Var]) -> bool:
    match e:
        case c.SetConst() | c.Const():
            return True
        case c.Get(var):
            return var not in bound
        case c.LoadSet(_, index, _, _, None) | c.SetTable(_, index, None) | c.Load(_, index, _, None):
            return _still(index, bound)
        case c.SetOp(_, left, right):
            return _still(left, bound) and _still(right, bound)
    return False


def _size(e: c.Expr) -> int | None:
    match e:
        case c.SetConst(_, size):
            return size
        case c.LoadSet():
            return e.size
        case c.Get(var):
            return var.type.size
        case c.SetOp(_, left, right):
            return _size(left) or _size(right)
    return None


def _key(e: object) -> str:
    """Equal expressions have equal keys."""
    if isinstance(e, c.Var):
        return f"v{id(e)}"
    slots = getattr(type(e), "__slots__", None)
    if slots is None:
        return repr(e)
    if isinstance(e, tuple):
        return ",".join(_key(x) for x in e)
    return f"{type(e).__name__}({','.join(_key(getattr(e, s)) for s in slots if s != 'site')})"


def replaced(e: c.Expr, old: c.Var, new: c.Var | c.Expr) -> c.Expr:
    """An expression with another variable, or an expression, in place of a variable."""
    if isinstance(e, c.Get):
        if e.var is not old:
            return e
        return c.Get(new) if isinstance(new, c.Var) else new
    changes: dict[str, object] = {}
    for name in _expr_fields(type(e).__name__):
        value = getattr(e, name)
        if isinstance(value, tuple):
            changes[name] = tuple(replaced(x, old, new) if _is_expr(x) else x for x in value)
        elif _is_expr(value):
            changes[name] = replaced(value, old, new)
    return replace(e, **changes) if changes else e  # type: ignore[arg-type]
