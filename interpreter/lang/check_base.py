"""What all checking of expressions shares: demands on a type, narrowing, declaring variables, and the words of the
messages.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.diagnostics import Note
from interpreter.lang import nodes as n
from interpreter.lang.mending import mend, shown
from interpreter.lang.narrow import facts_if
from interpreter.lang.scope import Local, Scope, Symbol, declared_at
from interpreter.lang.types import (
    BOOL,
    ERROR,
    EmptyT,
    IntT,
    KindT,
    MaybeT,
    RollT,
    Ty,
    ZoneT,
    element,
    fits,
)


def expect(node: n.Expr, want: Ty, s: Scope, what: str = "", notes: Iterable[Note] = ()) -> Ty:
    """Checks an expression that must have a type.

    `what` says whose ("the cost", "argument `p`"), `notes` where that is declared.
    """
    have = s.expr(node)
    if not fits(have, want):
        mismatch(node, have, want, s, what, notes)
    return have


def mismatch(node: n.Expr, have: Ty, want: Ty, s: Scope, what: str, notes: Iterable[Note] = ()) -> None:
    """Says that a type is not what is asked for, and how to mend it."""
    subject = f"{what} must be" if what else "this must be"
    if isinstance(have, MaybeT) and fits(have.of, want):
        maybe_unchecked(node, have, s)
        return
    message = f"{subject} {a(want)}, and this is {a(have)}"
    hint = mend(node, have, want, s)
    s.bag.error("type-mismatch", message, node.span, label=f"this is {a(have)}", notes=notes, help=hint)


def maybe_unchecked(node: n.Expr, have: MaybeT, s: Scope) -> None:
    """Says that a value may be none where it must not be."""
    text = shown(node)
    if isinstance(node, n.NameRef):
        hint = f"test it first: `{text} != none`, with `if`, `and` or `where`"
    elif isinstance(node, n.Field):
        hint = (
            f"test it first: `{text} != none`, with `if`, `and` or `where`; what later statements may change "
            f"is kept by `let x = {text}` before the test"
        )
    else:
        hint = f"keep it with `let x = {text}` and test `x != none` first"
    message = f"`{text}` may be none here" if text != "x" else "this may be none here"
    s.bag.error("maybe-unchecked", message, node.span, label=f"this is {a(have)}", help=hint)


def a(ty: Ty) -> str:
    """A type with its article, for messages."""
    text = str(ty)
    if text.startswith(("none", "maybe", "set of", "list of", "place")):
        return {"n": text, "m": f"a `{text}`"}.get(text[0], f"a {text}")
    return f"{'an' if text[0] in 'aeiou' else 'a'} {text}"


def condition(node: n.Expr, s: Scope, what: str = "a condition") -> None:
    """Checks an expression that must be true or false."""
    expect(node, BOOL, s, what)


def then_facts(node: n.Expr, holds: bool, s: Scope) -> Scope:
    """A scope in which a checked condition is known to have come out as `holds`."""
    inner = s.inner()
    inner.learn(facts_if(node, holds, s.checked))
    return inner


def bind(name: n.Name, ty: Ty, s: Scope, *, assignable: bool = False) -> Local:
    """Declares a variable; hiding another name is an error."""
    local = Local(name.text, ty, name.span, assignable)
    other: Symbol | None = s.names.get(name.text)
    if other is None and name.text in s.checked.symbols:
        other = s.checked.symbols[name.text][0]
    if other is not None:
        span = declared_at(other)
        s.bag.error(
            "hidden-name",
            f"`{name.text}` already means something here",
            name.span,
            label="a variable can't hide another name",
            notes=[Note(f"`{name.text}` is declared here", span)] if span else [],
            help="choose another name for the variable",
        )
    s.names[name.text] = local
    s.checked.locals[name] = local
    return local


def domain_element(node: n.Expr, s: Scope, *, roll: bool = False) -> Ty:
    """Checks what a binder or aggregate runs over; gives the type of its members. `roll`: it may be a roll of dice."""
    if isinstance(node, n.Conditional) and node.other is None:
        s.bag.error(
            "bonus-form",
            "`if` does not say which things are meant",
            node.span,
            label="a number, or 0",
            help=f"write `where` in place of `if`: `{shown(node.then)} where {shown(node.cond)}`",
        )
        then = domain_element(node.then, s, roll=roll)
        s.checked.types[node] = ERROR
        return then
    ty = s.expr(node)
    if isinstance(ty, RollT) and not roll:
        s.bag.error(
            "roll-domain",
            "a roll only counts its faces: its dice can't be taken one by one",
            node.span,
            help=f"write `repeat count(d in {node.span.text} where …):`, "
            f"or take the set of its faces: `those(d in {node.span.text})`",
        )
        return ERROR
    if isinstance(ty, ZoneT) and ty.zone.of is not None:
        ty.zone.of.sought = True
        return KindT(ty.zone.of)
    inner = element(ty)
    if isinstance(ty, EmptyT):
        s.bag.error("empty-domain", "there is never anything in `[]`", node.span, label="always empty")
        return ERROR
    if inner is None:
        if isinstance(ty, MaybeT) and element(ty.of) is not None:
            maybe_unchecked(node, ty, s)
        else:
            s.bag.error(
                "not-a-collection",
                f"this is {a(ty)}, not a set or list",
                node.span,
                label=f"this is {a(ty)}",
                help=_plural_hint(node, ty, s),
            )
        return ERROR
    return inner


def _plural_hint(node: n.Expr, ty: Ty, s: Scope) -> str:
    if isinstance(ty, IntT):
        return f"`1..{shown(node)}` are the numbers up to it, `repeat {shown(node)}:` does something so often"
    if isinstance(ty, KindT):
        return f"`[{shown(node)}]` is the set of it alone, `{ty.kind.plural}` are all of them"
    if isinstance(node, n.NameRef) and node.name in s.world.kinds:
        return f"did you mean `{s.world.kinds[node.name].plural}`, all of them?"
    return ""
