"""`secretly for each p in players`: one question, put to all before any answer takes effect."""

from __future__ import annotations

from interpreter.diagnostics import Bag
from interpreter.lang import nodes as n
from interpreter.lang.check_base import bind, condition, domain_element
from interpreter.lang.mending import header
from interpreter.lang.scope import Callable, Checked, EntitySet, Scope, forget_fields
from interpreter.lang.types import ErrorT, KindT
from interpreter.lang.walk import statements


def check_secret_asks(checked: Checked, bag: Bag) -> None:
    """What follows from an answer in secret must not ask again, before all answers have taken effect."""
    for target in checked.callables.values():
        if target.node is None or not isinstance(target.node, n.Effect):
            continue
        for secret in statements(target.node.body):
            if isinstance(secret, n.Secretly):
                for question in secret.body[:1]:
                    if isinstance(question, n.Choose):
                        _asks_again(question, checked, bag)


def _asks_again(question: n.Choose, checked: Checked, bag: Bag) -> None:
    bodies = [*(o.body for o in question.options), question.other or ()]
    for node in (x for body in bodies for x in statements(body)):
        call = node.call if isinstance(node, n.CallStmt) else getattr(node, "value", None)
        target = checked.refs.get(call) if isinstance(call, n.Apply) else None
        asks = isinstance(node, n.Choose | n.ForChosen | n.Secretly | n.Alternate)
        if asks or (isinstance(target, Callable) and target.pauses):
            bag.error(
                "secretly-asks",
                "this asks again before all answers given in secret have taken effect",
                header(node.span),
                help="note the answer in a field, and ask behind the block",
            )


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
                s.bag.error(
                    "bad-binder", "a set can't be chosen secretly", binder.span, help="choose one thing at a time"
                )
    return True
