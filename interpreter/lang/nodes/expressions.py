"""Types as written, expressions, and texts with holes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from interpreter.source import Name as Name
from interpreter.source import Span

# ---- types ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class TypeRef:
    """`player`, `maybe player`, `set of player`, `list of player`."""

    form: Literal["plain", "maybe", "set", "list"]
    name: Name
    span: Span


# ---- expressions ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    value: int
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class NameRef:
    name: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class NoneLit:
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class BoolLit:
    value: bool
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """`target.name`"""

    target: Expr
    name: Name
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Argument:
    """A positional argument (`name` is None) or a named one, `within = 2`."""

    name: Name | None
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """A condition as argument, `through = s where C`: the only place where a piece of code is passed."""

    name: Name
    var: Name
    where: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Apply:
    """`func(args)`; `func` is a NameRef for functions, a Field for hooks (`y.do(p)`)."""

    func: Expr
    args: tuple[Argument | Condition, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """`target[key]` or `target[key, key]`"""

    target: Expr
    keys: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class ListLit:
    items: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Aggregate:
    """`op(var in domain where W of V)`; for `all`, `of` holds the expression after `have`; for `any` it is None."""

    op: str  # count sum most least first the those highest lowest leading any all chance
    var: Name
    domain: Expr
    where: Expr | None
    of: Expr | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Compare:
    op: Literal["==", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """`item in collection`, or `not in`."""

    item: Expr
    collection: Expr
    negated: bool
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class IsKind:
    """`target is town`, or `is not`."""

    target: Expr
    kind: Name
    negated: bool
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Range:
    """`low .. high`, both ends included."""

    low: Expr
    high: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Binary:
    op: Literal["+", "-", "*", "/"]
    left: Expr
    right: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Negative:
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Not:
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Logic:
    """`and` or `or` of two conditions, left to right."""

    op: Literal["and", "or"]
    left: Expr
    right: Expr
    span: Span
    bracketed: bool = False  # written inside brackets: mixing `and` with `or` is then clear


@dataclass(frozen=True, slots=True, eq=False)
class Conditional:
    """`then if cond else other`; `other` None is the bonus form `(1 if c)`, which is 0 otherwise."""

    cond: Expr
    then: Expr
    other: Expr | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Roll:
    """`roll n of die`, or `roll die` (`times` None): only behind `let x =` or an assignment."""

    times: Expr | None
    die: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Disclose:
    """`disclose E`, or `disclose E by p`: E, which everybody learns by that (from p, who knows it); stands where `Roll`
    does.
    """

    value: Expr
    by: Expr | None
    span: Span


Expr = (
    Number
    | NameRef
    | NoneLit
    | BoolLit
    | Field
    | Apply
    | Index
    | ListLit
    | Aggregate
    | Compare
    | Member
    | IsKind
    | Range
    | Binary
    | Negative
    | Not
    | Logic
    | Conditional
    | Roll
    | Disclose
)


# ---- texts with holes -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Hole:
    """`{value}`, `{value|one|many}` (forms by number), `{prefix|value}` (a list behind a prefix, nothing when empty).

    `key` is the text between the braces, by which a translation may name this hole again.
    """

    value: Expr
    prefix: str
    forms: tuple[str, ...]
    key: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """A text for people; `parts` alternate freely between plain text and holes.

    `text` is the source, the key of translations.
    """

    text: str
    parts: tuple[str | Hole, ...]
    span: Span
