"""Naming a generated pair by its parts: `spot_at(3, left)`."""

from __future__ import annotations

from interpreter.diagnostics import Note, did_you_mean
from interpreter.lang import nodes as n
from interpreter.lang.check_base import expect
from interpreter.lang.scope import PairMaker, Scope
from interpreter.lang.types import KindT, Ty


def pair_maker(name: str, s: Scope) -> PairMaker | None:
    """What makes the pairs of a kind, by its name `kind_at`."""
    found = s.checked.symbols.get(name, [])
    return next((x for x in found if isinstance(x, PairMaker)), None)


def check_pair(node: n.Apply, maker: PairMaker, s: Scope) -> Ty:
    """The pair with these parts, which are given in order or by name."""
    s.checked.refs[node] = maker
    kind = maker.kind
    names = [name for name, _, _ in kind.parts]
    rest = dict(zip(names, (ty for _, ty, _ in kind.parts), strict=True))
    notes = [Note(f"`{kind.name}` is declared here", kind.span)] if kind.span else []
    for i, argument in enumerate(node.args):
        if isinstance(argument, n.Condition):
            mend = "give it a value, `name = value`"
            s.bag.error("unexpected-condition", f"`{maker.name}` takes no conditions", argument.span, help=mend)
            continue
        name = argument.name.text if argument.name else (names[i] if i < len(names) else "")
        want = rest.pop(name, None)
        if want is not None:
            expect(argument.value, want, s, f"`{name}`")
            continue
        s.expr(argument.value)
        if name in names:
            s.bag.error("duplicate-argument", f"`{name}` is given twice", argument.span)
        elif name:
            span = argument.name.span if argument.name else argument.span
            message = f"`{maker.name}` has no argument `{name}`"
            s.bag.error("unknown-argument", message, span, notes=notes, help=did_you_mean(name, names))
        else:
            count = f"{len(names)} argument{'' if len(names) == 1 else 's'}"
            s.bag.error("extra-argument", f"`{maker.name}` takes {count}", argument.span, notes=notes)
    if rest:
        missing = ", ".join(f"`{r}`" for r in rest)
        form = f"{maker.name}({', '.join(names)})"
        s.bag.error(
            "missing-argument",
            f"`{maker.name}` needs {missing} too",
            node.span,
            notes=notes,
            help=f"call it as `{form}`",
        )
    return KindT(kind)
