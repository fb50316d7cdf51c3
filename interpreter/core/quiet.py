"""Expressions that nobody notices: they neither fault nor count steps, so they may be moved, repeated or left out."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any, TypeGuard, get_args

from interpreter.core import nodes as c

_EXPRESSIONS: tuple[type, ...] = get_args(c.Expr)
_SETS = (c.SetConst, c.SetTable, c.LoadSet, c.SetOp, c.Reach)


def is_expr(node: object) -> TypeGuard[c.Expr]:
    """Whether a part of a node is an expression."""
    return isinstance(node, _EXPRESSIONS)


def quiet(node: object) -> bool:
    """Whether an expression, or each of a tuple, can neither fault nor count steps, as far as can be told without
    looking into functions.
    """
    if isinstance(node, tuple):
        return all(quiet(x) for x in node)
    if not is_expr(node):
        return True
    if isinstance(node, c.Call) or getattr(node, "site", None) is not None:
        return False
    return all(quiet(getattr(node, name)) for name in parts(node))


def parts(node: Any) -> tuple[str, ...]:
    """The names of a node's fields."""
    return _names(node.__class__)


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind))


def peeled(values: c.Expr) -> tuple[c.Expr, list[tuple[c.Var, c.Expr]]]:
    """A set as a plainer one and tests (variable, condition) on its members, to be made while one goes through it."""
    tests: list[tuple[c.Var, c.Expr]] = []
    while isinstance(values, c.Query) and values.op == "those" and values.where is not None:
        inner = values.domain
        plain = isinstance(inner, _SETS) or (isinstance(inner, c.Query) and inner.op == "those")
        if not plain or not quiet(values.where):
            break
        tests.insert(0, (values.var, values.where))
        values = inner
    return values, tests
