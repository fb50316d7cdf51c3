"""What everybody sees happen: statements whose effects show, and what of them follows from a secret."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from interpreter.diagnostics import Bag, Note
from interpreter.lang import nodes as n
from interpreter.lang.labels import (
    KNOWN,
    OPEN,
    SECRET,
    Frame,
    by_kind,
    hides,
    label_of,
    openers,
    parts,
    secretive_kind,
)
from interpreter.lang.mending import header
from interpreter.lang.scope import EntitySet, Local
from interpreter.lang.world import Field, Kind, Zone
from interpreter.source import Span


@dataclass(frozen=True)
class Ground:
    """A secret on which something depends: the whole of what is written, and the part that is secret in it."""

    whole: Span
    part: Span
    node: n.Expr = field(compare=False)  # the secret part

    @staticmethod
    def of(node: n.Expr, at: Frame) -> Ground | None:
        """The ground that an expression is, if its value is secret."""
        if label_of(node, at) != SECRET:
            return None
        part = node
        while True:
            inner = next((x for x in parts(part) if not _binds(part) and label_of(x, at) == SECRET), None)
            if inner is None:
                return Ground(node.span, part.span, part)
            part = inner


def _binds(node: n.Expr) -> bool:
    return isinstance(node, n.Aggregate | n.Apply)


@dataclass(frozen=True)
class Finding:
    """Something that all see, or a question: where it is written, and the secret that it follows from, or that decides
    on it.
    """

    span: Span
    ground: Ground
    decides: bool
    asks: bool = False


@dataclass(eq=False)
class Findings:
    """All that is found, each statement once."""

    found: dict[Span, Finding] = field(default_factory=dict)
    muted: bool = False

    @contextmanager
    def silent(self) -> Iterator[None]:
        """Where nothing is noted."""
        self.muted = True
        yield
        self.muted = False

    def add(self, findings: Iterable[Finding]) -> None:
        """Notes what shows."""
        for one in findings:
            if not self.muted:
                self.found.setdefault(one.span, one)

    def report(self, bag: Bag) -> None:
        """Says what is found, and how to mend it."""
        for one in self.found.values():
            whole, part = one.ground.whole, one.ground.part
            if one.asks:
                message = "whoever is asked learns from the question itself what he does not see"
                help_ = f"let all learn before what decides: `let x = disclose {whole.text}`, and test `x`"
            elif one.decides:
                message = "everybody sees this happen, and whether it does depends on a secret"
                help_ = f"let all learn before what decides: `let x = disclose {whole.text}`, and test `x`"
            else:
                message = "everybody sees what comes of this, and it depends on a secret"
                help_ = f"let all learn it before: `let x = disclose {whole.text}`, and use `x`"
            bag.error(
                "undisclosed",
                message,
                one.span,
                notes=[Note(f"not everybody knows `{part.text}`", part)],
                help=help_,
            )


# ---- statements -----------------------------------------------------------------------------------------------------


def seen_in(node: n.Stmt, dark: Ground | None, at: Frame) -> Iterator[Finding]:
    """What of a statement itself (not of others inside it) shows although it follows from a secret."""
    values = shown(node, at)
    if values is None:
        return
    here = header(node.span)
    if dark is not None:
        yield Finding(here, dark, True)
        return
    for value in values:
        ground = Ground.of(value, at)
        if ground is not None:
            yield Finding(here, ground, False)
            return


def shown(node: n.Stmt, at: Frame) -> list[n.Expr] | None:
    """The expressions on which what all see of a statement depends; None if nothing shows."""
    acts = _acts(node)
    match node:
        case n.Let() | n.Return() | n.Assign() if acts is not None and not _written(node, at):
            return acts
        case n.Assign():
            target = _written(node, at)
            return None if target is None else [*target, node.value, *(acts or ())]
        case n.Move():
            return [node.what, node.to]
        case n.Draw():
            return [node.count, node.source, node.to]
        case n.Log() if node.to is None:
            return _holes(node.text)
        case n.Win():
            return [node.who, *_holes(node.text)]
        case n.Finish():
            return _holes(node.text)
        case n.Scene():
            return [x.value for x in node.args if isinstance(x, n.Argument) and not _hidden_given(node, x, at)]
    return None


def _acts(node: n.Stmt) -> list[n.Expr] | None:
    """What is rolled, or disclosed, on a right side: that shows as well."""
    value = getattr(node, "value", None) if isinstance(node, n.Let | n.Return | n.Assign) else None
    if isinstance(value, n.Roll):
        return [] if value.times is None else [value.times]
    return [] if isinstance(value, n.Disclose) else None


def _holes(text: n.Template | None) -> list[n.Expr]:
    return [p.value for p in text.parts if isinstance(p, n.Hole)] if text is not None else []


def _hidden_given(node: n.Scene, given: n.Argument, at: Frame) -> bool:
    scene = at.checked.world.scenes.get(node.name.text)
    f = scene.fields.get(given.name.text) if scene is not None and given.name is not None else None
    return f in at.checked.sight.fields


def _written(node: n.Stmt, at: Frame) -> list[n.Expr] | None:
    """Which value of an open field an assignment writes; None if it writes none that all see."""
    if not isinstance(node, n.Assign):
        return None
    checked, target = at.checked, node.target
    ref = checked.refs.get(target)
    if not isinstance(ref, Field) or hides(ref, at):
        return None
    keys: tuple[n.Expr, ...] = ()
    if isinstance(target, n.Index):
        keys, target = target.keys, target.target
    if any(secretive_kind(checked.types.get(k), checked) and label_of(k, at) != OPEN for k in keys):
        return None  # kept for each piece, and hidden with it
    owner = target.target if isinstance(target, n.Field) and ref.owner is not None else None
    if owner is None:
        return [*keys]
    kind = secretive_kind(checked.types.get(owner), checked)
    hidden = ref.name not in checked.sight.open.get(kind, frozenset()) if kind is not None else False
    if kind is not None and hidden and ref not in openers(kind, checked) and label_of(owner, at) != OPEN:
        return None  # hidden with the piece
    return [owner, *keys]


def unseen_write(node: n.Stmt, dark: Ground | None, at: Frame) -> Field | None:
    """The field of pieces that an assignment writes so that not everybody sees which value of which piece."""
    if not isinstance(node, n.Assign):
        return None
    ref = at.checked.refs.get(node.target)
    target = node.target.target if isinstance(node.target, n.Index) else node.target
    if not isinstance(ref, Field) or not isinstance(target, n.Field):
        return None
    kind = secretive_kind(at.checked.types.get(target.target), at.checked)
    if kind is None or ref.owner is not kind:
        return None
    seen = dark is None and label_of(target.target, at) in (OPEN, KNOWN) and label_of(node.value, at) in (OPEN, KNOWN)
    return None if seen and not by_kind(kind, at.checked) else ref


def moved_label(node: n.Move, at: Frame) -> int:
    """The label of a variable whose piece has moved."""
    checked = at.checked
    ref = checked.refs.get(node.what)
    assert isinstance(ref, Local)
    before = at.label(ref)
    kind = secretive_kind(checked.types.get(node.what), checked)
    if kind is None or by_kind(kind, checked) or before == SECRET:
        return before
    to = checked.refs.get(node.to)
    if isinstance(to, Zone):
        return OPEN if to not in checked.sight.zones else (KNOWN if before == OPEN else before)
    return OPEN if isinstance(to, Kind | EntitySet) or checked.types.get(node.to) is not None else before
