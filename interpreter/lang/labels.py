"""Labels: whether what a question is about could tell one player what another must not know.

An expression is private if it reads a field of a closed piece that is not open, looks into a zone that not everybody sees into, or calls
a function that does. A question with private candidates is always asked, even if there is only one, or none.
"""

from __future__ import annotations

from interpreter.lang import nodes as n
from interpreter.lang.scope import Callable, Checked
from interpreter.lang.types import KindT, strip
from interpreter.lang.world import Field, Zone


def is_private(node: object, checked: Checked, known: dict[Callable, bool]) -> bool:
    """Whether a tree (or a tuple of trees) reads anything that somebody may not see. `known`: answers for functions so far."""
    if not checked.sight.secretive and not checked.sight.fields:
        return False
    return _reads(node, checked, known)


def _reads(node: object, checked: Checked, known: dict[Callable, bool]) -> bool:
    if node is None or isinstance(node, str | int | n.Name):
        return False
    if isinstance(node, tuple):
        return any(_reads(x, checked, known) for x in node)
    sight = checked.sight
    ref = checked.refs.get(node) if isinstance(node, n.NameRef | n.Field | n.Index | n.Apply) else None
    if isinstance(ref, Zone) and ref in sight.zones:
        return True
    if isinstance(ref, Field):
        if ref in sight.fields:
            return True
        if isinstance(node, n.Field | n.Index) and _hidden(ref, checked):
            return True
    if isinstance(ref, Callable):
        if ref not in known:
            known[ref] = False
            body = ref.node
            known[ref] = body is not None and _reads(body, checked, known)
            known[ref] = known[ref] or any(
                _reads((b.conditions, b.value), checked, known) for b in checked.bends if b.target is ref
            )
        if known[ref]:
            return True
    slots = getattr(type(node), "__slots__", ())
    return any(_reads(getattr(node, s), checked, known) for s in slots if s != "span")


def _hidden(f: Field, checked: Checked) -> bool:
    kind = f.owner
    return kind is not None and kind in checked.sight.secretive and f.name not in checked.sight.open.get(kind, frozenset())


def shown_types(node: n.Expr, checked: Checked) -> KindT | None:
    """The kind of thing that a hole of a text shows, if it may be closed to somebody."""
    ty = strip(checked.types[node])
    return ty if isinstance(ty, KindT) and ty.kind in checked.sight.secretive else None
