"""Statements, functions and effects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from interpreter.lang.nodes.expressions import Argument, Condition, Expr, Template, TypeRef
from interpreter.source import Name, Span

# ---- statements -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Let:
    name: Name
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    target: Expr
    op: Literal["=", "+=", "-="]
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CallStmt:
    call: Expr  # an Apply, else the checker complains
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Return:
    value: Expr | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """`move what to [top of|bottom of] place`"""

    what: Expr
    to: Expr
    end: Literal["top", "bottom"] | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Draw:
    count: Expr
    source: Expr
    to: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Log:
    text: Template
    to: Expr | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Win:
    who: Expr
    text: Template | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Finish:
    text: Template | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Pass:
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Break:
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class If:
    """Branches in order, each a condition and a body; `other` is the `else:` body."""

    branches: tuple[tuple[Expr, Body], ...]
    other: Body | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    values: tuple[Expr, ...]
    body: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    subject: Expr
    cases: tuple[Case, ...]
    other: Body | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Repeat:
    times: Expr
    body: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class While:
    cond: Expr
    body: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Binder:
    """`var in domain where W`; with a quantity, `any var of item in domain where W limit L`.

    `quantity`: "one" (no set name), "any", or "up_to" with `most` the bound. For quantities `set_name` is the set in
    the body and `var` a single candidate (for `where`).
    """

    var: Name
    domain: Expr
    where: Expr | None
    quantity: Literal["one", "any", "up_to"]
    most: Expr | None
    set_name: Name | None
    limit: Expr | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class ForEach:
    binder: Binder
    body: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Say:
    """`as id "text"`: the stable name of a decision or option, and its text; the id may be missing."""

    id: Name | None
    text: Template
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class ForChosen:
    """`for each x in S where C chosen by p as id "text":`"""

    binder: Binder
    by: Expr
    say: Say | None
    body: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Alternate:
    """`alternate p from x until all pass:`"""

    var: Name
    start: Expr
    body: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Secretly:
    """`secretly for each p in players:` around exactly one deciding statement."""

    binder: Binder
    body: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """`scene duel(space = d.on):`"""

    name: Name
    args: tuple[Argument | Condition, ...]
    body: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Clauses:
    """`by` who, `costs` price `from` where, `when` condition, `as` name and text; each may be missing."""

    by: Expr | None
    cost: Expr | None
    purse: Expr | None
    when: Expr | None
    say: Say | None


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    """One branch of a menu; a plain `choose` has a single option with `name` None."""

    name: Name | None
    binders: tuple[Binder, ...]
    clauses: Clauses
    body: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Choose:
    """All deciding forms but `for each … chosen by`, `alternate` and `secretly`.

    mood: "choose" (must), "may" (once or not; without binders it is yes or no), "keep" (as often as wanted),
    "keep_each" (no element twice). `menu`: written with `option`s; then `clauses` are those of the menu line, else they
    equal those of the only option.
    """

    mood: Literal["choose", "may", "keep", "keep_each"]
    menu: bool
    clauses: Clauses
    options: tuple[Option, ...]
    other: Body | None
    span: Span


Stmt = (
    Let
    | Assign
    | CallStmt
    | Return
    | Move
    | Draw
    | Log
    | Win
    | Finish
    | Pass
    | Break
    | If
    | Match
    | Repeat
    | While
    | ForEach
    | ForChosen
    | Alternate
    | Secretly
    | Scene
    | Choose
)
Body = tuple[Stmt, ...]


# ---- definitions ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Param:
    name: Name
    type: TypeRef


@dataclass(frozen=True, slots=True, eq=False)
class Fun:
    """`[open] fun name(params) -> type = expr`, or with a body. `value` for the short form, else `body`."""

    name: Name
    params: tuple[Param, ...]
    result: TypeRef
    value: Expr | None
    body: Body
    open: bool
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Effect:
    """`[open] effect name(params) [-> type]:` and a body."""

    name: Name
    params: tuple[Param, ...]
    result: TypeRef | None
    body: Body
    open: bool
    span: Span
