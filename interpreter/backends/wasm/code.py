"""Writing one WebAssembly function: text, locals, labels, faults, and how values of the core are held.

An integer lies on the stack. A set is `ceil(size / 64)` *words*: pieces of text, each of which pushes one i64; what
they need is written before them, so they must be used before the next statement. A list is a `Row`: locals that hold
address and length. Reading a row twice is cheap, and no list is ever changed in place, so a part of a list is the same
address with another length.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from interpreter.backends.wasm.memory import Memory, words
from interpreter.core.graphs import Stage
from interpreter.core.nodes import Const, Expr, Get, Program, Query, Stmts, Type, Var

Words = list[str]


@dataclass(frozen=True, slots=True)
class Row:
    """A list: locals with address and length, and how long it can be. `steady`: nothing writes its buffer while the
    value may be in use."""

    address: str
    length: str
    most: int
    steady: bool


@dataclass(frozen=True, slots=True)
class Writers:
    """The code generators that call each other, handed round so that modules need not import in circles."""

    integer: Callable[[Code, Expr], None]
    members: Callable[[Code, Expr], Words]
    row: Callable[[Code, Expr], Row]
    statements: Callable[[Code, Stmts], None]
    query: Callable[[Code, Query], Words]
    call: Callable[[Code, int, Sequence[Expr]], list[str]]


@dataclass(slots=True)
class World:
    """What all functions of a module share."""

    program: Program
    writers: Writers
    comments: bool
    longest: int  # no list has more items
    memory: Memory = field(default_factory=Memory)
    inlined: frozenset[int] = frozenset()  # functions written into their callers
    wanted: list[int] = field(default_factory=list)  # functions that are called, in order of first call
    tables: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)  # constants already laid out
    plans: dict[int, list[Stage] | None] = field(default_factory=dict)  # shift plans by number of the graph
    uses: set[str] = field(default_factory=set)  # helpers of `support` that are called


@dataclass(frozen=True, slots=True)
class Frame:
    """How `Return` and the end of the game leave: `label` to branch to (None: the wasm function's own return), with the
    result in `into` or, at the function's own return, on the stack. `early`: what to push when the game has ended."""

    label: str | None
    result: Type | None
    into: tuple[str, ...]
    early: str


@dataclass(slots=True)
class Code:
    """One wasm function in the making."""

    world: World
    frame: Frame
    out: list[str] = field(default_factory=list)
    locals: list[str] = field(default_factory=list)
    places: dict[Var, tuple[str, ...]] = field(default_factory=dict)
    figures: dict[Var, int] = field(default_factory=dict)  # variables of loops written out, in the copy at hand
    steady: set[Var] = field(default_factory=set)  # list variables whose buffer stays as it is
    breaks: list[str] = field(default_factory=list)
    count: int = 0

    def put(self, *lines: str) -> None:
        """Writes instructions."""
        self.out.extend(lines)

    def note(self, text: str) -> None:
        """Writes a comment, if comments are wanted."""
        if self.world.comments:
            self.out.append(";; " + text.replace("\n", " "))

    def local(self, kind: str, name: str = "t") -> str:
        """A new local of this wasm type."""
        self.count += 1
        found = f"${name}_{self.count}"
        self.locals.append(f"(local {found} {kind})")
        return found

    def label(self, name: str) -> str:
        """A new label."""
        self.count += 1
        return f"${name}.{self.count}"

    def keep(self, kind: str = "i32", name: str = "t") -> str:
        """Moves the top of the stack to a new local."""
        found = self.local(kind, name)
        self.put(f"local.set {found}")
        return found

    # ---- values by form; see the module's docstring

    def integer(self, expr: Expr) -> None:
        """Pushes an integer or bool."""
        self.world.writers.integer(self, expr)

    def kept(self, expr: Expr) -> str:
        """An integer in a new local."""
        self.integer(expr)
        return self.keep()

    def members(self, expr: Expr) -> Words:
        """The words of a set."""
        return self.world.writers.members(self, expr)

    def row(self, expr: Expr) -> Row:
        """A list."""
        return self.world.writers.row(self, expr)

    def statements(self, body: Stmts) -> None:
        """Writes statements."""
        self.world.writers.statements(self, body)

    def known(self, expr: Expr) -> int | None:
        """The value of an integer expression if it is plain while code is written."""
        if isinstance(expr, Const):
            return expr.value
        return self.figures.get(expr.var) if isinstance(expr, Get) else None

    def known_within(self, expr: Expr, count: int) -> int | None:
        """The same for an index that needs no check."""
        value = self.known(expr)
        return value if value is not None and 0 <= value < count else None

    # ---- sets

    def frozen(self, found: Words) -> list[str]:
        """New locals with the words of a set."""
        kept = [self.local("i64", "w") for _ in found]
        for word in found:
            self.put(word)
        for name in reversed(kept):
            self.put(f"local.set {name}")
        return kept

    def cheap(self, found: Words) -> Words:
        """The same words, fit to be used more than once."""
        if all(word.count(".") == 1 for word in found):  # a single instruction: a local or a constant
            return found
        return [f"local.get {name}" for name in self.frozen(found)]

    # ---- variables

    def place(self, var: Var) -> tuple[str, ...]:
        """The locals of a variable."""
        if var not in self.places:
            self.bind(var)
        return self.places[var]

    def bind(self, var: Var) -> tuple[str, ...]:
        """New locals for a variable, from here on."""
        name = re.sub(r"[^A-Za-z0-9_]", "_", var.name) or "v"
        kinds = {"int": ["i32"], "set": ["i64"] * words(var.type.size), "list": ["i32", "i32"]}[var.type.form]
        self.places[var] = tuple(self.local(kind, name) for kind in kinds)
        return self.places[var]

    def home(self, var: Var) -> int | None:
        """Where in the position a variable lives, in bytes; None if in locals."""
        return None if var.home is None or var in self.places else 4 * var.home

    def store_integer(self, var: Var) -> None:
        """Pops an integer into a variable."""
        home = self.home(var)
        if home is None:
            self.put(f"local.set {self.place(var)[0]}")
        else:
            value = self.keep()
            self.put(f"local.get $b local.get {value} i32.store offset={home}")

    def store_members(self, var: Var, found: Words) -> None:
        """Gives a set variable its words."""
        home = self.home(var)
        if home is None:
            self.put(*found)
            self.put(*(f"local.set {name}" for name in reversed(self.place(var))))
        else:
            self.write_words("local.get $b", home, found)

    def write_words(self, address: str, offset: int, found: Words) -> None:
        """Writes a set to memory; all words are computed before the first is written."""
        for i, word in enumerate(self.cheap(found)):
            self.put(f"{address} {word} i64.store offset={offset + 8 * i}")

    # ---- faults

    def fault(self, site: int, a: str = "i32.const 0", b: str = "i32.const 0") -> None:
        """Stops with a fault."""
        if self.world.comments:
            self.note(f"{self.world.program.sites[site].code} at {self.world.program.sites[site].place}")
        self.put(f"i32.const {site} {a} {b} call $fault unreachable")

    def fault_if(self, site: int, a: str = "i32.const 0", b: str = "i32.const 0") -> None:
        """Pops a condition and stops with a fault if it holds."""
        self.put("if")
        self.fault(site, a, b)
        self.put("end")

    def within(self, expr: Expr, count: int, site: int | None) -> None:
        """Pushes an index, checked against 0 … count-1."""
        self.integer(expr)
        if site is not None:
            index = self.local("i32", "i")
            self.put(f"local.tee {index} i32.const {count} i32.ge_u")
            self.fault_if(site, f"local.get {index}")
            self.put(f"local.get {index}")

    def tick(self, weight: int, site: int) -> None:
        """Counts steps."""
        if weight:
            budget = self.world.program.budget
            steps = self.local("i32", "steps")
            self.put(f"global.get $steps i32.const {weight} i32.add local.tee {steps} global.set $steps")
            self.put(f"local.get {steps} i32.const {budget} i32.gt_s")
            self.fault_if(site, f"i32.const {budget}")

    def quit(self) -> None:
        """Leaves because the game has ended."""
        self.put(self.frame.early)
        self.put("return" if self.frame.label is None else f"br {self.frame.label}")


def written(name: str, header: str, code: Code, tail: Sequence[str] = ()) -> str:
    """The text of a finished function."""
    return "\n".join([f"(func ${name} {header}", *code.locals, *code.out, *tail, ")"])
