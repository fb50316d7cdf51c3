"""Labels: whether what rules read could tell one player what another must not know.

A value is PUBLIC if everybody may know it. It is CLOSED if everybody sees what it is about, but perhaps not which
piece: the cards of a hidden hand can be counted, and where a closed piece lies is open. It is SECRET if it depends on
what somebody may not see.

`grounds` finds the labels of variables, and how questions are reached.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter.lang import nodes as n
from interpreter.lang.scope import Callable, Checked, EntitySet, Local
from interpreter.lang.types import KindT, ListT, SetT, Ty, strip
from interpreter.lang.world import Entity, Field, Kind, Zone

PUBLIC, CLOSED, SECRET = 0, 1, 2
Question = n.Choose | n.ForChosen | n.Secretly

SYMMETRIC = ("count", "any", "all", "sum", "most", "least", "chance")  # what they give names none of what they run over


@dataclass(eq=False)
class Labels:
    """What is found out; it only rises, until nothing changes any more."""

    checked: Checked
    locals: dict[Local, int] = field(default_factory=dict)
    results: dict[Callable, int] = field(default_factory=dict)
    dark_calls: set[Callable] = field(default_factory=set)  # called on secret grounds
    questions: set[Question] = field(default_factory=set)
    dark: set[Question] = field(default_factory=set)
    changed: bool = False

    def raise_local(self, local: Local, label: int) -> None:
        """A variable may hold something of this label."""
        if label > self.locals.get(local, PUBLIC):
            self.locals[local] = label
            self.changed = True


# ---- expressions ----------------------------------------------------------------------------------------------------


def label_of(node: n.Expr, labels: Labels) -> int:
    """The label of an expression's value."""
    refs = labels.checked.refs
    match node:
        case n.NameRef():
            return _name(refs.get(node), labels)
        case n.Field():
            return _field(node, labels)
        case n.Index():
            return _index(node, labels)
        case n.Apply():
            return _apply(node, labels)
        case n.Aggregate():
            return _aggregate(node, labels)
        case n.Member():
            item, things = label_of(node.item, labels), label_of(node.collection, labels)
            if things == CLOSED and item == PUBLIC and _about_pieces(node.item, labels):
                return SECRET  # whether a certain piece is among closed ones
            return _plain(max(item, things))
        case n.Compare():
            left, right = label_of(node.left, labels), label_of(node.right, labels)
            if left != right and _about_pieces(node.left, labels) and not isinstance(node.right, n.NoneLit):
                return SECRET  # whether a closed piece is a certain one
            return _plain(max(left, right))
        case n.IsKind():
            return _plain(label_of(node.target, labels))
    return max((label_of(x, labels) for x in _parts(node)), default=PUBLIC)


def _plain(label: int) -> int:
    """The label of what names no piece."""
    return SECRET if label == SECRET else PUBLIC


def _parts(node: n.Expr) -> list[n.Expr]:
    found: list[n.Expr] = []
    for slot in getattr(type(node), "__slots__", ()):
        value = getattr(node, slot)
        for x in value if isinstance(value, tuple) else (value,):
            if isinstance(x, n.Expr):
                found.append(x)
    return found


def secretive_kind(ty: Ty | None, checked: Checked) -> Kind | None:
    """The kind of what a value names, if its members may be closed to somebody."""
    if ty is None:
        return None
    inner = strip(ty.of) if isinstance(ty, SetT | ListT) else strip(ty)
    return inner.kind if isinstance(inner, KindT) and inner.kind in checked.sight.secretive else None


def _about_pieces(node: n.Expr, labels: Labels) -> bool:
    return secretive_kind(labels.checked.types.get(node), labels.checked) is not None


def _name(ref: object, labels: Labels) -> int:
    sight = labels.checked.sight
    match ref:
        case Local():
            return labels.locals.get(ref, PUBLIC)
        case Field():
            return SECRET if ref in sight.fields else PUBLIC
        case Zone():
            return _zone(ref, labels)
        case EntitySet(kind, _):
            return CLOSED if kind in sight.secretive else PUBLIC
    return PUBLIC


def _zone(zone: Zone, labels: Labels) -> int:
    sight = labels.checked.sight
    return CLOSED if zone in sight.zones or zone.of in sight.kinds else PUBLIC


def _field(node: n.Field, labels: Labels) -> int:
    ref = labels.checked.refs.get(node)
    if isinstance(ref, Field) and ref.owner is None:
        return SECRET if ref in labels.checked.sight.fields else PUBLIC
    if not isinstance(ref, Field | str):
        return PUBLIC  # a name written out with its kind
    return _of_entity(ref, node.target, node.name.text, labels)


def _of_entity(ref: Field | str, target: n.Expr, name: str, labels: Labels) -> int:
    """The label of `target.name`."""
    sight = labels.checked.sight
    base = label_of(target, labels)
    kind = secretive_kind(labels.checked.types.get(target), labels.checked)
    if base == SECRET or (isinstance(ref, Field) and ref in sight.fields):
        return SECRET
    if isinstance(ref, str) and ref in ("holds", "inverse"):
        here = labels.checked.types.get(target)
        return _inverse(ref, here, name, labels)
    if kind is None:
        return PUBLIC
    certain = isinstance(labels.checked.refs.get(target), Entity)
    if isinstance(ref, str):  # `at` and `on`: where a certain piece is may be secret, where something closed is never
        return SECRET if certain else PUBLIC
    if ref.name in sight.open.get(kind, frozenset()) and not certain:
        return PUBLIC
    if kind in sight.kinds or base == CLOSED:
        return SECRET if not (certain and not ref.written) else PUBLIC
    return SECRET if certain and ref.written else PUBLIC


def _inverse(ref: str, ty: Ty | None, name: str, labels: Labels) -> int:
    """The label of who stands on a place, or whose fields name an entity."""
    sight = labels.checked.sight
    inner = strip(ty) if ty is not None else None
    if not isinstance(inner, KindT):
        return PUBLIC
    if ref == "holds":
        return CLOSED if inner.kind.holds[name].piece in sight.secretive else PUBLIC
    f = inner.kind.inverses[name].field
    if f in sight.fields:
        return SECRET
    if f.owner not in sight.secretive or f.owner is None:
        return PUBLIC
    return CLOSED if f.name in sight.open.get(f.owner, frozenset()) else SECRET


def _index(node: n.Index, labels: Labels) -> int:
    keys = max(label_of(k, labels) for k in node.keys)
    ref = labels.checked.refs.get(node)
    if isinstance(ref, Zone):
        return SECRET if keys == SECRET else _zone(ref, labels)
    if isinstance(ref, Field):
        if ref in labels.checked.sight.fields or any(_about_pieces(k, labels) for k in node.keys):
            return SECRET  # what is kept for each piece is hidden with it
        if isinstance(node.target, n.Field) and ref.owner is not None:
            return max(_plain(keys), _of_entity(ref, node.target.target, ref.name, labels))
        return _plain(keys)
    return max(keys, PUBLIC if ref is not None else label_of(node.target, labels))


def _apply(node: n.Apply, labels: Labels) -> int:
    target = labels.checked.refs.get(node)
    given = [x.value if isinstance(x, n.Argument) else x.where for x in node.args]
    most = max((label_of(x, labels) for x in given), default=PUBLIC)
    if not isinstance(target, Callable):
        return most if _about_pieces(node, labels) else _plain(most)
    receiver = [node.func.target] if isinstance(node.func, n.Field) else []
    params = target.params
    places = {p.name: i for i, p in enumerate(params)}
    position = len(receiver)
    if receiver and params:
        labels.raise_local(params[0], label_of(receiver[0], labels))
    for argument, value in zip(node.args, given, strict=True):
        name = argument.name.text if argument.name is not None else None
        i = places.get(name, -1) if name is not None else position
        position += name is None
        if 0 <= i < len(params):
            labels.raise_local(params[i], label_of(value, labels))
            for filling in target.fillings or ():
                for p in filling.body.params:
                    if p.name == params[i].name:
                        labels.raise_local(p, label_of(value, labels))
    bodies = [labels.results.get(f.body, PUBLIC) for f in target.fillings or ()]
    found = max([labels.results.get(target, PUBLIC), *bodies, *(label_of(x, labels) for x in receiver if bodies)])
    return found if _about_pieces(node, labels) else _plain(found)


def _aggregate(node: n.Aggregate, labels: Labels) -> int:
    domain = label_of(node.domain, labels)
    local = labels.checked.locals.get(node.var)
    if local is not None:
        labels.raise_local(local, _element(node.domain, domain, labels))
    found = max(domain, *(label_of(x, labels) for x in (node.where, node.of) if x is not None), PUBLIC)
    if found == SECRET:
        return SECRET
    if node.op in SYMMETRIC or not _about_pieces(node, labels):
        return PUBLIC
    return domain


def _element(domain: n.Expr, label: int, labels: Labels) -> int:
    """The label of a member of a set."""
    if secretive_kind(labels.checked.types.get(domain), labels.checked) is None and not _is_zone(domain, labels):
        return SECRET if label == SECRET else PUBLIC
    return label


def _is_zone(node: n.Expr, labels: Labels) -> bool:
    return isinstance(labels.checked.refs.get(node), Zone)


def bind(binder: n.Binder, labels: Labels, *, chosen: bool = False) -> int:
    """Labels a binder's variable by its domain; the label of which and how many there are."""
    domain = label_of(binder.domain, labels)
    local = labels.checked.locals.get(binder.var)
    element = _element(binder.domain, domain, labels)
    if local is not None:
        labels.raise_local(local, min(element, CLOSED) if chosen else element)
    tests = [label_of(x, labels) for x in (binder.where, binder.most, binder.limit) if x is not None]
    found = max([domain, *tests])
    if local is not None and found == SECRET and not chosen and secretive_kind(local.type, labels.checked) is not None:
        labels.raise_local(local, SECRET)
    return found


# ---- questions ------------------------------------------------------------------------------------------------------


def is_secret(node: Question, labels: Labels) -> bool:
    """Whether what there is to choose from could tell somebody what he must not know."""
    match node:
        case n.Choose():
            binders = tuple(b for o in node.options for b in o.binders)
            clauses = [node.clauses, *(o.clauses for o in node.options)]
        case _:
            binders, clauses = (node.binder,), []
    if any(_merges(b, labels) for b in binders):
        return True  # how many are offered tells which of them agree
    tests = [x for b in binders for x in (b.domain, b.where, b.most, b.limit)]
    tests += [x for c in clauses for x in (c.cost, c.purse, c.when) if c.cost is not None or x is c.when]
    return any(x is not None and label_of(x, labels) == SECRET for x in tests)


def _merges(binder: n.Binder, labels: Labels) -> bool:
    """Whether a binder offers closed pieces of which those that agree in everything are offered once."""
    kind = secretive_kind(labels.checked.types.get(binder.domain), labels.checked)
    if kind is None:
        ref = labels.checked.refs.get(binder.domain)
        kind = ref.of if isinstance(ref, Zone) else None
    return kind is not None and kind.alike and label_of(binder.domain, labels) != PUBLIC
