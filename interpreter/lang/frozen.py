"""A loop goes through what was there when it began: a warning where its body changes that for members still to come."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from interpreter.diagnostics import Note
from interpreter.lang import nodes as n
from interpreter.lang.scope import Local, Scope
from interpreter.lang.walk import statements
from interpreter.lang.world import Field


def check_frozen(node: n.ForEach, s: Scope) -> None:
    """Warns of `where x.field …` if the body writes that field of something else than x, and looks at it no more.

    Nothing is said where the loop may be left early, or where the body tests the field again.
    """
    var = s.checked.locals.get(node.binder.var)
    if node.binder.where is None or var is None:
        return
    body = list(statements(node.body))
    if any(isinstance(x, n.Break | n.Return | n.Win | n.Finish) for x in body):
        return
    asked = dict(_fields_of(node.binder.where, var, s))
    again = {f for x in body for f, _ in _read(x, var, s)}
    for statement in body:
        if not isinstance(statement, n.Assign):
            continue
        target = statement.target.target if isinstance(statement.target, n.Index) else statement.target
        if not isinstance(target, n.Field) or _is(target.target, var, s):
            continue
        written = s.checked.refs.get(target)
        if isinstance(written, Field) and written in asked and written not in again:
            name = f"{var.name}.{written.name}"
            s.bag.warn(
                "frozen-loop",
                f"this may change `{written.name}` of what the loop has still to come to",
                statement.span,
                label="the loop goes on with what was there when it began",
                notes=[Note(f"`{name}` is tested here, once, before the loop", asked[written].span)],
                help=f"test `{name}` again with `if` in the body, or search anew with `while`",
            )


def _is(node: n.Expr, var: Local, s: Scope) -> bool:
    return s.checked.refs.get(node) is var


def _fields_of(node: object, var: Local, s: Scope) -> Iterator[tuple[Field, n.Field]]:
    """The fields of a variable's value that an expression reads."""
    if isinstance(node, tuple):
        for one in node:
            yield from _fields_of(one, var, s)
    elif dataclasses.is_dataclass(node) and type(node).__module__.startswith("interpreter.lang.nodes"):
        if isinstance(node, n.Field) and _is(node.target, var, s):
            found = s.checked.refs.get(node)
            if isinstance(found, Field):
                yield found, node
        for field in dataclasses.fields(node):
            yield from _fields_of(getattr(node, field.name), var, s)


def _read(node: n.Stmt, var: Local, s: Scope) -> Iterator[tuple[Field, n.Field]]:
    """The fields of a variable's value that the conditions and values of a statement read."""
    for field in dataclasses.fields(node):
        if not (isinstance(node, n.Assign) and field.name == "target"):
            yield from _fields_of(getattr(node, field.name), var, s)
