"""`secretly for each p in players`: one question, put to all before any answer takes effect."""

from __future__ import annotations

from interpreter.lang import nodes as n
from interpreter.lang.check_base import bind, condition, domain_element
from interpreter.lang.scope import EntitySet, Scope, forget_fields
from interpreter.lang.types import ErrorT, KindT


def check_secretly(node: n.Secretly, s: Scope) -> bool:
    """Checks the players, and that the body is a single question to the player whose turn it is."""
    if s.owner.asks is None:
        s.owner.asks = node.span
    of = domain_element(node.binder.domain, s)
    ref = s.checked.refs.get(node.binder.domain)
    if not isinstance(of, ErrorT) and not (isinstance(ref, EntitySet) and of == KindT(s.world.players)):
        s.bag.error(
            "secretly-players",
            f"`secretly` goes over `players`, and this is a set of {of}",
            node.binder.domain.span,
            help="write `secretly for each p in players`, with `where` if some are not asked",
        )
    inner = s.inner()
    local = bind(node.binder.var, of, inner)
    if node.binder.where is not None:
        condition(node.binder.where, inner)
    forget_fields(inner.facts)
    inner.body(node.body)
    forget_fields(s.facts)
    question = node.body[0] if len(node.body) == 1 else None
    if not isinstance(question, n.Choose) or question.mood not in ("choose", "may"):
        s.bag.error(
            "secretly-body",
            "`secretly` takes exactly one question",
            node.span,
            help="write one `choose` or `may` in it; what all answers lead to follows behind the block",
        )
        return True
    by = question.clauses.by
    if by is None or s.checked.refs.get(by) is not local:
        s.bag.error(
            "secretly-by",
            f"this question must be put to `{local.name}`",
            by.span if by is not None else question.span,
            help=f"write `by {local.name}`",
        )
    for option in question.options:
        for binder in option.binders:
            if binder.quantity != "one":
                s.bag.error("bad-binder", "a set can't be chosen secretly", binder.span, help="choose one thing at a time")
    return True

