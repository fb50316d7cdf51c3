"""Narrowing: what a condition tells about the values it names, when it holds and when it does not."""

from __future__ import annotations

from interpreter.lang import nodes as n
from interpreter.lang.scope import Checked, Facts, path_of
from interpreter.lang.types import KindT, MaybeT, PlaceT, Ty, element, strip
from interpreter.lang.world import Kind, Sort


def facts_if(node: n.Expr, holds: bool, checked: Checked) -> Facts:
    """What is known when a checked condition came out as `holds`."""
    match node:
        case n.Not(value=value):
            return facts_if(value, not holds, checked)
        case n.Logic(op=op, left=left, right=right):
            if (op == "and") == holds:  # both parts are known
                return {**facts_if(left, holds, checked), **facts_if(right, holds, checked)}
            a, b = facts_if(left, holds, checked), facts_if(right, holds, checked)
            return {path: a[path] for path in a if b.get(path) == a[path]}
        case n.Compare(op=op, left=left, right=right) if op in ("==", "!="):
            return _equal(left, right, (op == "==") == holds, checked)
        case n.IsKind(target=target, negated=negated):
            return _is(node, target, holds != negated, checked)
        case n.Member(item=item, collection=collection, negated=negated) if holds != negated:
            path = path_of(item, checked)
            inner = element(checked.types[collection])
            known = checked.types[item]
            if path and isinstance(known, MaybeT):
                return {path: strip(known)}
            if path and isinstance(inner, KindT) and isinstance(known, KindT | PlaceT):
                return {path: inner}
    return {}


def _equal(left: n.Expr, right: n.Expr, same: bool, checked: Checked) -> Facts:
    facts: Facts = {}
    for one, other in ((left, right), (right, left)):
        path = path_of(one, checked)
        known = checked.types[one]
        if path is None or not isinstance(known, MaybeT):
            continue
        if isinstance(other, n.NoneLit):
            if not same:
                facts[path] = known.of
        elif same and not isinstance(checked.types[other], MaybeT):
            facts[path] = known.of
    return facts


def _is(node: n.Expr, target: n.Expr, same: bool, checked: Checked) -> Facts:
    path = path_of(target, checked)
    ref = checked.refs.get(node)
    known = strip(checked.types[target])
    if path is None:
        return {}
    if same:
        narrowed = _as_kind(ref)
        return {path: narrowed} if narrowed else {}
    if isinstance(ref, Sort) and isinstance(known, KindT) and len(ref.kind.sorts) == 2:
        other = next(s for s in ref.kind.sorts.values() if s is not ref)
        return {path: KindT(ref.kind, other)}
    return {}


def _as_kind(ref: object) -> Ty | None:
    if isinstance(ref, Sort):
        return KindT(ref.kind, ref)
    return KindT(ref) if isinstance(ref, Kind) else None
