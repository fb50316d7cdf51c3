"""Questions and secrets: whether what there is to choose from could tell somebody what he must not know."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.lang import nodes as n
from interpreter.lang.labels import OPEN, SECRET, Frame, label_of, secretive_kind
from interpreter.lang.mending import header
from interpreter.lang.scope import Callable
from interpreter.lang.shows import Finding, Ground
from interpreter.lang.world import Entity, Field, Zone

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


# ---- what nobody can choose from ------------------------------------------------------------------------------------


def chosen_blindly(node: Question, at: Frame) -> Iterator[n.Binder]:
    """The binders of a question that offer pieces of a zone into which whoever is asked certainly does not see."""
    asked = node.by if isinstance(node, n.ForChosen) else node.clauses.by if isinstance(node, n.Choose) else None
    for binder in _asked(node)[0]:
        domain = binder.domain
        while isinstance(domain, n.Aggregate):
            domain = domain.domain
        zone = at.checked.refs.get(domain)
        seen = at.checked.sight.zones.get(zone) if isinstance(zone, Zone) else None
        if seen is None:
            continue
        key = domain.keys[0] if isinstance(domain, n.Index) and len(domain.keys) == 1 else None
        theirs = seen.word == "owner" and key is not None and asked is not None and _rivals(key, asked, at)
        if seen.word == "nobody" or theirs:
            yield binder


def asked_unawares(node: Question, ground: Ground, owner: Callable | None, at: Frame) -> Iterator[Finding]:
    """A question reached on a secret that whoever is asked certainly does not see: on what lies in a zone of another
    player, or on a hidden field of his. Only where both are written in one body do their names mean the same.
    """
    asked = node.by if isinstance(node, n.ForChosen) else node.clauses.by if isinstance(node, n.Choose) else None
    body = owner.node.span if owner is not None and owner.node is not None else None
    if asked is None or body is None or body.source is not ground.part.source:
        return
    if not body.start <= ground.part.start < body.end:
        return
    secret = _origin(ground.node, at)
    ref = at.checked.refs.get(secret)
    if isinstance(secret, n.Index) and isinstance(ref, Zone) and len(secret.keys) == 1:
        holder, seen = secret.keys[0], at.checked.sight.zones.get(ref)
    elif isinstance(secret, n.Field) and isinstance(ref, Field):
        holder, seen = secret.target, at.checked.sight.fields.get(ref)
    else:
        return
    if seen is not None and seen.word == "owner" and _rivals(holder, asked, at):
        yield Finding(header(node.span), ground, True, asks=True)


def _origin(node: n.Expr, at: Frame) -> n.Expr:
    """What a secret value was found in: of `any(c in hand[p] where …)` the hand."""
    while True:
        match node:
            case n.Aggregate():
                node = node.domain
            case n.Member():
                node = node.collection
            case n.Apply(args=(n.Argument() as first, *_)) if not isinstance(at.checked.refs.get(node), Callable):
                node = first.value
            case _:
                return node


def _rivals(a: n.Expr, b: n.Expr, at: Frame) -> bool:
    """Whether two players are certainly not the same one."""
    for one, other in ((a, b), (b, a)):
        if isinstance(one, n.Apply) and isinstance(one.func, n.NameRef) and one.func.name == "rival" and one.args:
            given = one.args[0]
            if isinstance(given, n.Argument) and given.value.span.text == other.span.text:
                return True
    first, second = at.checked.refs.get(a), at.checked.refs.get(b)
    return isinstance(first, Entity) and isinstance(second, Entity) and first is not second
