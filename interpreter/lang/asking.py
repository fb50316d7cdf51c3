"""Questions and secrets: whether what there is to choose from could tell somebody what he must not know."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.lang import nodes as n
from interpreter.lang.labels import OPEN, SECRET, Frame, label_of, secretive_kind
from interpreter.lang.world import Zone

Question = n.Choose | n.ForChosen | n.Secretly


def is_secret(node: Question, at: Frame) -> bool:
    """Whether what there is to choose from could tell somebody what he must not know."""
    binders, clauses = _asked(node)
    if any(_merges(b, at) for b in binders):
        return True  # how many are offered tells which of them agree
    return any(label_of(x, at) == SECRET for x in _tests(binders, clauses))


def _asked(node: Question) -> tuple[tuple[n.Binder, ...], list[n.Clauses]]:
    if isinstance(node, n.Choose):
        return tuple(b for o in node.options for b in o.binders), [node.clauses, *(o.clauses for o in node.options)]
    return (node.binder,), []


def _tests(binders: tuple[n.Binder, ...], clauses: list[n.Clauses]) -> Iterator[n.Expr]:
    tests = [x for b in binders for x in (b.domain, b.where, b.most, b.limit)]
    tests += [x for c in clauses for x in (c.cost, c.purse, c.when) if c.cost is not None or x is c.when]
    yield from (x for x in tests if x is not None)


def _merges(binder: n.Binder, at: Frame) -> bool:
    """Whether a binder offers closed pieces of which those that agree in everything are offered once."""
    kind = secretive_kind(at.checked.types.get(binder.domain), at.checked)
    if kind is None:
        ref = at.checked.refs.get(binder.domain)
        kind = ref.of if isinstance(ref, Zone) else None
    return kind is not None and kind.alike and label_of(binder.domain, at) != OPEN
