"""Labels: whether what rules read could tell one player what another must not know.

A value is OPEN if everybody may know it, and SECRET if it depends on what somebody may not see. What names pieces that
may be closed can be two things between: KNOWN, if everybody knows which piece it is, but perhaps not where it is (a
card by its name); CLOSED, if everybody sees which of those that lie about it is, but perhaps not which piece (a card of
a hidden hand). An OPEN piece is both seen and known.

`grounds` walks over statements with these labels.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from interpreter.lang import nodes as n
from interpreter.lang.scope import Callable, Checked, EntitySet, Local
from interpreter.lang.types import KindT, ListT, SetT, Ty, strip
from interpreter.lang.world import Entity, Field, Kind, Sort, Zone

OPEN, KNOWN, CLOSED, SECRET = 0, 1, 2, 3

SYMMETRIC = ("count", "any", "all", "sum", "most", "least", "chance")  # what they give names none of what they run over


class Calls(Protocol):
    """What a call gives, by the labels of what it is given.

    `unseen`: fields of pieces that are somewhere written where not everybody sees it.
    """

    unseen: set[Field]

    def result(self, target: Callable, given: tuple[int, ...], at: Frame) -> int:
        """The label of what a function or effect gives."""


@dataclass(eq=False)
class Frame:
    """The labels of the variables in force where an expression stands, and the flags of the game that are known to be
    set.
    """

    checked: Checked
    calls: Calls
    locals: dict[Local, int] = field(default_factory=dict)
    flags: frozenset[Field] = frozenset()

    def label(self, local: Local) -> int:
        """The label of a variable."""
        first = CLOSED if secretive_kind(local.type, self.checked) is not None else OPEN
        return self.locals.get(local, first)

    @contextmanager
    def knowing(self, opened: Iterator[Local]) -> Iterator[None]:
        """Where these pieces are known to be open."""
        before = dict(self.locals)
        self.locals.update(dict.fromkeys(opened, OPEN))
        yield
        self.locals = before


def by_kind(kind: Kind | None, checked: Checked) -> bool:
    """Whether pieces of a kind may be closed wherever they are."""
    seen = checked.sight.kinds.get(kind) if kind is not None else None
    return seen is not None and seen.word != "all"


def join(*labels: int) -> int:
    """The label of what may be either of several things."""
    found = set(labels)
    return SECRET if {KNOWN, CLOSED} <= found else max(found, default=OPEN)


def plain(label: int) -> int:
    """The label of what follows from something and names no piece itself."""
    return SECRET if label == SECRET else OPEN


def secretive_kind(ty: Ty | None, checked: Checked) -> Kind | None:
    """The kind of what a value names, if its members may be closed to somebody."""
    if ty is None:
        return None
    inner = strip(ty.of) if isinstance(ty, SetT | ListT) else strip(ty)
    return inner.kind if isinstance(inner, KindT) and inner.kind in checked.sight.secretive else None


def names_pieces(node: n.Expr, at: Frame) -> bool:
    """Whether an expression names pieces that may be closed."""
    ref = at.checked.refs.get(node)
    return isinstance(ref, Zone) or secretive_kind(at.checked.types.get(node), at.checked) is not None


# ---- expressions ----------------------------------------------------------------------------------------------------


def label_of(node: n.Expr, at: Frame) -> int:
    """The label of an expression's value."""
    refs = at.checked.refs
    match node:
        case n.NameRef():
            return _name(refs.get(node), at)
        case n.Field():
            return _field(node, at)
        case n.Index():
            return _index(node, at)
        case n.Apply():
            return _apply(node, at)
        case n.Aggregate():
            return _aggregate(node, at)
        case n.Member():
            found = {label_of(node.item, at), label_of(node.collection, at)}
            where = is_place(node.collection, at) and label_of(node.collection, at) == CLOSED
            return SECRET if where and KNOWN in found else plain(join(*found))
        case n.Compare():
            return _compare(node, at)
        case n.IsKind():
            known = _whereabouts(node.target, at)
            return (
                OPEN if known is not None and _is_open(refs.get(node), known, at) else plain(label_of(node.target, at))
            )
        case n.Logic():
            left = label_of(node.left, at)
            with at.knowing(opened_by(node.left, at) if node.op == "and" else iter(())):
                return join(left, label_of(node.right, at))
        case n.Conditional():
            cond = label_of(node.cond, at)
            with at.knowing(opened_by(node.cond, at)):
                then = label_of(node.then, at)
            other = OPEN if node.other is None else label_of(node.other, at)
            return SECRET if cond == SECRET else join(then, other)
        case n.Disclose():
            return min(label_of(node.value, at), CLOSED if names_pieces(node.value, at) else OPEN)
        case n.Roll():
            return OPEN if node.times is None else plain(label_of(node.times, at))
    return join(*(label_of(x, at) for x in parts(node)))


def parts(node: n.Expr) -> list[n.Expr]:
    """The expressions that an expression is made of."""
    found: list[n.Expr] = []
    for slot in getattr(type(node), "__slots__", ()):
        value = getattr(node, slot)
        for x in value if isinstance(value, tuple) else (value,):
            if isinstance(x, n.Argument | n.Condition):
                found.append(x.value if isinstance(x, n.Argument) else x.where)
            elif isinstance(x, n.Expr):
                found.append(x)
    return found


def _name(ref: object, at: Frame) -> int:
    sight = at.checked.sight
    match ref:
        case Local():
            return at.label(ref)
        case Entity():
            return KNOWN if ref.kind in sight.secretive else OPEN
        case Field():
            return SECRET if hides(ref, at) else _named(ref, at)
        case Zone():
            return _zone(ref, at)
        case EntitySet(kind, _):
            return CLOSED if kind in sight.secretive else OPEN
    return OPEN


def _named(f: Field, at: Frame) -> int:
    """The label of an open field: what it names may be closed for all that."""
    if secretive_kind(f.type, at.checked) is None:
        return OPEN
    return CLOSED if f.written else KNOWN


def _zone(zone: Zone, at: Frame) -> int:
    return CLOSED if zone in at.checked.sight.zones or by_kind(zone.of, at.checked) else OPEN


def _field(node: n.Field, at: Frame) -> int:
    ref = at.checked.refs.get(node)
    if isinstance(ref, Entity):
        return _name(ref, at)
    if isinstance(ref, Field) and ref.owner is None:
        return SECRET if hides(ref, at) else _named(ref, at)
    if not isinstance(ref, Field | str):
        return OPEN
    return _of_entity(ref, node.target, node.name.text, at)


def _of_entity(ref: Field | str, target: n.Expr, name: str, at: Frame) -> int:
    """The label of `target.name`."""
    sight = at.checked.sight
    base = label_of(target, at)
    kind = secretive_kind(at.checked.types.get(target), at.checked)
    if base == SECRET or (isinstance(ref, Field) and hides(ref, at)):
        return SECRET
    if isinstance(ref, str) and ref in ("holds", "inverse"):
        return _inverse(ref, at.checked.types.get(target), name, base, at)
    if isinstance(ref, str):  # `at` and `on`: where a certain piece is may be secret, where something closed is never
        return SECRET if base == KNOWN and kind is not None else OPEN
    if kind is None:
        return _named(ref, at)
    if base == KNOWN:
        return SECRET if ref in at.calls.unseen else _named(ref, at)  # others are written where all see it
    if base == OPEN or ref.name in sight.open.get(kind, frozenset()) or ref in openers(kind, at.checked):
        return _named(ref, at)
    return SECRET


def _inverse(ref: str, ty: Ty | None, name: str, base: int, at: Frame) -> int:
    """The label of who stands on a place, or whose fields name an entity."""
    sight = at.checked.sight
    inner = strip(ty) if ty is not None else None
    if not isinstance(inner, KindT):
        return OPEN
    if ref == "holds":
        return CLOSED if inner.kind.holds[name].piece in sight.secretive else OPEN
    f = inner.kind.inverses[name].field
    if f in sight.fields:
        return SECRET
    if f.owner is None or f.owner not in sight.secretive:
        return SECRET if base == CLOSED else OPEN
    return CLOSED if f.name in sight.open.get(f.owner, frozenset()) else SECRET


def _index(node: n.Index, at: Frame) -> int:
    keys = join(*(label_of(k, at) for k in node.keys))
    ref = at.checked.refs.get(node)
    if isinstance(ref, Zone):
        return SECRET if keys == SECRET else _zone(ref, at)
    if isinstance(ref, Field):
        closed = any(names_pieces(k, at) and label_of(k, at) != OPEN for k in node.keys)
        if hides(ref, at) or closed:
            return SECRET  # what is kept for each piece is hidden with it
        if isinstance(node.target, n.Field) and ref.owner is not None:
            return join(plain(keys), _of_entity(ref, node.target.target, ref.name, at))
        return join(plain(keys), _named(ref, at))
    if ref is not None:
        return keys if names_pieces(node, at) else plain(keys)
    found = join(keys, label_of(node.target, at))
    return SECRET if found == CLOSED and isinstance(at.checked.types.get(node.target), SetT) else found


def _compare(node: n.Compare, at: Frame) -> int:
    for side, other in ((node.left, node.right), (node.right, node.left)):
        known = _whereabouts(side, at)
        if known is not None and _is_open(at.checked.refs.get(other), known, at):
            return plain(label_of(other, at))  # whether it lies where all can see it
    return plain(join(label_of(node.left, at), label_of(node.right, at)))


def _whereabouts(node: n.Expr, at: Frame) -> Kind | None:
    """The kind of x in `x.at`, if everybody knows which piece x is."""
    if not isinstance(node, n.Field) or at.checked.refs.get(node) not in ("at", "on"):
        return None
    kind = secretive_kind(at.checked.types.get(node.target), at.checked)
    return kind if label_of(node.target, at) in (KNOWN, OPEN) else None


def _is_open(place: object, kind: Kind, at: Frame) -> bool:
    """Whether everybody sees which pieces of a kind are in a place."""
    if by_kind(kind, at.checked):
        return False
    return place not in at.checked.sight.zones if isinstance(place, Zone) else isinstance(place, Kind | Sort | Entity)


def is_place(node: n.Expr, at: Frame) -> bool:
    """Whether an expression stands for a zone."""
    return isinstance(at.checked.refs.get(node), Zone)


def _apply(node: n.Apply, at: Frame) -> int:
    target = at.checked.refs.get(node)
    if not isinstance(target, Callable):
        found = join(*(label_of(x, at) for x in parts(node) if x is not node.func))
        return found if names_pieces(node, at) else plain(found)
    found = at.calls.result(target, given_to(node, target, at), at)
    return found if names_pieces(node, at) else plain(found)


def given_to(node: n.Apply, target: Callable, at: Frame) -> tuple[int, ...]:
    """The labels of what is given to the parameters of a callable."""
    values = given_values(node, target)
    return tuple(OPEN if values[i] is None else label_of(values[i], at) for i in range(len(target.params)))  # type: ignore[arg-type]


def given_values(node: n.Apply, target: Callable) -> list[n.Expr | None]:
    """What is given to each parameter."""
    places = {p.name: i for i, p in enumerate(target.params)}
    values: list[n.Expr | None] = [None] * len(target.params)
    position = 0
    if isinstance(node.func, n.Field) and values:
        values[0], position = node.func.target, 1
    for argument in node.args:
        value = argument.value if isinstance(argument, n.Argument) else argument.where
        i = position if argument.name is None else places.get(argument.name.text, -1)
        position += argument.name is None
        if 0 <= i < len(values):
            values[i] = value
    return values


def _aggregate(node: n.Aggregate, at: Frame) -> int:
    domain = label_of(node.domain, at)
    local = at.checked.locals.get(node.var)
    before = dict(at.locals)
    if local is not None:
        at.locals[local] = element(node.domain, domain, at)
    where = OPEN if node.where is None else label_of(node.where, at)
    with at.knowing(iter(()) if node.where is None else opened_by(node.where, at)):
        of = OPEN if node.of is None else label_of(node.of, at)
        member = OPEN if local is None else at.label(local)
    at.locals = before
    if SECRET in (domain, where, of):
        return SECRET
    if node.op in SYMMETRIC or not names_pieces(node, at):
        return OPEN
    # which of several closed pieces comes first tells who they are
    return SECRET if node.op == "first" and member == CLOSED else member


def element(domain: n.Expr, label: int, at: Frame) -> int:
    """The label of a member of a set."""
    return label if names_pieces(domain, at) else plain(label)


# ---- what a condition opens -----------------------------------------------------------------------------------------


def opened_by(node: n.Expr, at: Frame) -> Iterator[Local]:
    """The variables whose pieces everybody sees if a condition holds."""
    if isinstance(node, n.Logic) and node.op == "and":
        yield from opened_by(node.left, at)
        yield from opened_by(node.right, at)
        return
    refs = at.checked.refs
    piece: n.Expr | None = None
    match node:
        case n.Field() if isinstance(refs.get(node), Field):
            kind = secretive_kind(at.checked.types.get(node.target), at.checked)
            if kind is not None and refs.get(node) in openers(kind, at.checked):
                piece = node.target
        case n.Member(negated=False) if is_place(node.collection, at) and label_of(node.collection, at) == OPEN:
            piece = node.item
        case n.Compare(op="==") if isinstance(node.left, n.Field) and refs.get(node.left) == "at":
            kind = secretive_kind(at.checked.types.get(node.left.target), at.checked)
            if kind is not None and _is_open(refs.get(node.right), kind, at):
                piece = node.left.target
        case n.IsKind(negated=False) if isinstance(node.target, n.Field) and refs.get(node.target) == "at":
            kind = secretive_kind(at.checked.types.get(node.target.target), at.checked)
            if kind is not None and _is_open(refs.get(node), kind, at):
                piece = node.target.target
    ref = refs.get(piece) if isinstance(piece, n.NameRef) else None
    if isinstance(ref, Local):
        yield ref


def hides(f: Field, at: Frame) -> bool:
    """Whether a field of the game, a scene or a player is hidden here: not if a flag is set that shows it to all."""
    seen = at.checked.sight.fields.get(f)
    if seen is None:
        return False
    return seen.condition is None or at.flags.isdisjoint(_either(seen.condition, None, at.checked))


def openers(kind: Kind, checked: Checked) -> frozenset[Field]:
    """The fields each of which alone opens a piece of a kind to everybody: `shown` of `self.shown or …`."""
    seen = checked.sight.kinds.get(kind)
    if seen is None or seen.condition is None:
        return frozenset()
    return frozenset(_either(seen.condition, seen.me, checked))


def _either(node: n.Expr, me: Local | None, checked: Checked) -> Iterator[Field]:
    if isinstance(node, n.Logic) and node.op == "or":
        yield from _either(node.left, me, checked)
        yield from _either(node.right, me, checked)
    ref = checked.refs.get(node)
    if isinstance(ref, Field) and (
        ref.owner is None if me is None else isinstance(node, n.Field) and checked.refs.get(node.target) is me
    ):
        yield ref
