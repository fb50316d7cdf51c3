"""Statements of the core."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from interpreter.core.nodes.expressions import Expr, Var


@dataclass(frozen=True, slots=True, eq=False)
class Let:
    """Gives a variable a value."""

    var: Var
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """Cell `base + index` = value.

    Fault at `index_site` (a = index) unless 0 <= index < count. With `clamp` the value is brought within low … high;
    otherwise fault at `site` (a = value) outside them (`site` None: proved within).
    """

    base: int
    index: Expr
    count: int
    value: Expr
    low: int
    high: int
    clamp: bool
    site: int | None
    index_site: int | None


@dataclass(frozen=True, slots=True, eq=False)
class StoreSet:
    """The set at `base + index * width` = value; fault at `site` unless 0 <= index < count."""

    base: int
    index: Expr
    count: int
    value: Expr
    size: int
    site: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Clear:
    """Sets `count` cells from `base` on to 0."""

    base: int
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class If:
    cond: Expr
    then: Stmts
    other: Stmts = ()


@dataclass(frozen=True, slots=True, eq=False)
class While:
    cond: Expr
    body: Stmts
    weight: int
    site: int


@dataclass(frozen=True, slots=True, eq=False)
class For:
    """`body` for each member of `domain` (a set in rising order, a list, or a Span), evaluated once, before."""

    var: Var
    domain: Expr
    body: Stmts
    weight: int
    site: int


@dataclass(frozen=True, slots=True, eq=False)
class Break:
    """Leaves the innermost While or For."""


@dataclass(frozen=True, slots=True, eq=False)
class Return:
    """Ends a function, with a value of its result type or none. Never inside a Block."""

    value: Expr | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Do:
    """Calls function number `function` for what it does; `into` takes its result.

    If the function may end the game (`ends`), the caller returns at once (a block: stops) when cell STATUS is no longer
    0.
    """

    function: int
    args: tuple[Expr, ...]
    into: Var | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RollDie:
    """One throw of die number `die`: `var` = the index of the face. Cell KNOWN rises by 1.

    Real throws are `rng.bounded` over the sum of the weights. Fault (a = what the script says) if a script names no
    face; likewise below.
    """

    var: Var
    die: int
    site: int


@dataclass(frozen=True, slots=True, eq=False)
class RollDice:
    """`times` throws of a die: `var` (Counts) = how often each face came. KNOWN rises by 1 unless `times` <= 0.
    Fault (a = times) above 1000. A script that runs out in the middle is followed by real throws."""

    var: Var
    die: int
    times: Expr
    site: int


@dataclass(frozen=True, slots=True, eq=False)
class PickOne:
    """A member of the set `pool` at random, all alike: `var`; -1, and no draw, if it is empty.

    KNOWN rises by 1 unless it is empty.
    """

    var: Var
    pool: Expr
    site: int


@dataclass(frozen=True, slots=True, eq=False)
class Scripted:
    """If a script says what is drawn next, `var` = that member of `pool` (fault at `site` if it is none), else -1.

    Draws nothing, records nothing.
    """

    var: Var
    pool: Expr
    site: int


@dataclass(frozen=True, slots=True, eq=False)
class Emit:
    """Records event number `event` with its arguments (ints, sets or lists), to be read by the players in the bit mask
    `to` (-1: all). Skipped altogether (arguments not evaluated) when nobody listens.
    """

    event: int
    args: tuple[Expr, ...]
    to: Expr


@dataclass(frozen=True, slots=True, eq=False)
class End:
    """Ends the game: cell STATUS = 1, WINNER = `winner` (-1: nobody), ENDING = event + 1 with its args (ints, at most
    4) in the cells after it (unused ones 0). The function returns (any value), the block stops; so do all callers.
    """

    winner: Expr
    event: int
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Fail:
    """Always a fault at `site`, with a and b if given."""

    site: int
    a: Expr | None = None
    b: Expr | None = None


Stmt = Union[
    Let,
    Store,
    StoreSet,
    Clear,
    If,
    While,
    For,
    Break,
    Return,
    Do,
    RollDie,
    RollDice,
    PickOne,
    Scripted,
    Emit,
    End,
    Fail,
]
Stmts = tuple[Stmt, ...]
