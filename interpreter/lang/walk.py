"""Walking over statements: what a loop may change, and whether it can be left early."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.lang import nodes as n
from interpreter.lang.scope import Local, Scope, forget_fields


def loop_writes(body: n.Body) -> bool:
    """Whether statements may change anything stored."""
    return any(
        isinstance(x, n.Assign | n.Move | n.Draw | n.CallStmt | n.Choose | n.ForChosen | n.Let)
        for x in statements(body)
    )


def forget_written(body: n.Body, s: Scope) -> None:
    """Drops what a loop's body may change: variables it assigns, and fields if it writes anything."""
    names = {x.target.name for x in statements(body) if isinstance(x, n.Assign) and isinstance(x.target, n.NameRef)}
    for path in list(s.facts):
        if isinstance(path[0], Local) and path[0].name in names:
            del s.facts[path]
    if loop_writes(body):
        forget_fields(s.facts)


def breaks(body: n.Body) -> bool:
    """Whether there is a `break` somewhere inside."""
    return any(isinstance(x, n.Break) for x in statements(body))


def statements(body: n.Body) -> Iterable[n.Stmt]:
    """All statements of a body, those inside others too."""
    for x in body:
        yield x
        match x:
            case n.If():
                for _, inner in x.branches:
                    yield from statements(inner)
                yield from statements(x.other or ())
            case n.Match():
                for case in x.cases:
                    yield from statements(case.body)
                yield from statements(x.other or ())
            case n.Choose():
                for option in x.options:
                    yield from statements(option.body)
                yield from statements(x.other or ())
            case n.Repeat() | n.While() | n.ForEach() | n.ForChosen() | n.Alternate() | n.Secretly() | n.Scene():
                yield from statements(x.body)
