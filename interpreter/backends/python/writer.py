"""The pen of the Python backend: lines of generated text, names for variables, and what is known about a piece of text.

A core expression becomes a Python expression (`Value`), possibly preceded by lines that have to run before it. Since
expressions have no effects, text may wait while later operands put their lines down first, unless it may fault: then it
is moved into a variable, so that faults keep their order.

Names in the text: `M` and `Q` are the position as cells of 32 and of 64 bits, `X` the machine; `v7_name` is a
variable of the author, `t7` one of ours; `f7_name`, `b7`, `d7` are function, block and decision number 7, `p7` says
whose decision it is; all else comes from `support`, `ways` and `assemble`. As the authors' names only ever follow a
number, they cannot collide with anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from interpreter.core.nodes import INT, MAX_INT, MIN_INT, Expr, Program, Type, Var

DEEPEST = 24  # brackets within brackets before a part moves into a variable; Python's parser gives up at about 90
WORD = 0xFFFFFFFFFFFFFFFF

_FAULT = re.compile(r"(?:fault|_div)\((\d+)")  # the calls that begin with the number of a site


@dataclass(frozen=True, slots=True)
class Value:
    """Python text of a core expression, safe to stand next to any operator."""

    text: str
    type: Type = INT
    simple: bool = False  # a name or a constant: free to repeat
    risky: bool = False  # may fault, or count steps
    low: int = MIN_INT  # what an integer, or each item of a list, is known to lie between
    high: int = MAX_INT
    depth: int = 1

    def __str__(self) -> str:
        return self.text

    def within(self, low: int, high: int) -> bool:
        """Whether the integer is known to lie in low … high."""
        return low <= self.low and self.high <= high


Line = tuple[int, str]
Rule = Callable[["Writer", Any], Value]


@dataclass(slots=True)
class Writer:
    """The text of one function under way. `rules` says how to compile each type of expression."""

    program: Program
    rules: Mapping[type, Rule]
    lines: list[Line] = field(default_factory=list)
    indent: int = 0
    used: int = 0  # names given so far
    scope: dict[Var, Value] = field(default_factory=dict)
    constant: frozenset[Var] = frozenset()  # variables given a value at one place only
    all_local: bool = False  # variables get values here without being written to their homes
    inlined: tuple[int, ...] = ()  # functions whose bodies are being put in place

    def line(self, text: str) -> None:
        """Adds a line, with the places of the faults in it as a comment."""
        numbers = dict.fromkeys(int(number) for number in _FAULT.findall(text))
        if numbers:
            sites = self.program.sites
            text += "  # " + ", ".join(plain(sites[n].place) if n < len(sites) else f"site {n}" for n in numbers)
        self.lines.append((self.indent, text))

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """A line that ends in a colon, and what is written meanwhile below it."""
        self.line(head)
        start = len(self.lines)
        self.indent += 1
        yield
        if len(self.lines) == start:
            self.line("pass")
        self.indent -= 1

    @contextmanager
    def aside(self) -> Iterator[list[Line]]:
        """Lines written meanwhile go to a list of their own, for `put`."""
        kept, self.lines = self.lines, []
        indent, self.indent = self.indent, 0
        yield self.lines
        self.lines, self.indent = kept, indent

    def put(self, lines: Sequence[Line]) -> None:
        """Adds lines that were written aside."""
        self.lines.extend((self.indent + indent, text) for indent, text in lines)

    @contextmanager
    def bound(self, var: Var, value: Value) -> Iterator[None]:
        """Reads of a variable give `value` meanwhile."""
        missing = var not in self.scope
        old = self.scope.get(var, value)
        self.scope[var] = value
        yield
        if missing:
            del self.scope[var]
        else:
            self.scope[var] = old

    def fresh(self, prefix: str = "t", name: str = "") -> str:
        """A name not yet used in this function."""
        self.used += 1
        return f"{prefix}{self.used}_{identifier(name)}" if name else f"{prefix}{self.used}"

    def value(self, expr: Expr) -> Value:
        """Compiles an expression; lines that it needs before it are added."""
        return self.rules[type(expr)](self, expr)

    def values(self, *exprs: Expr) -> list[Value]:
        """Compiles operands, keeping the order of their faults."""
        return self.sequence([partial(self.value, expr) for expr in exprs])

    def sequence(self, makers: Sequence[Callable[[], Value]]) -> list[Value]:
        """What the makers give, in order: what may fault is moved out of the way of later lines."""
        found: list[Value] = []
        for make in makers:
            with self.aside() as lines:
                value = make()
            if lines:
                found = [self.spill(earlier) if earlier.risky else earlier for earlier in found]
                self.put(lines)
            found.append(value)
        return found

    def spill(self, value: Value) -> Value:
        """The same value as a name, assigned by a line of its own."""
        if value.simple:
            return value
        name = self.fresh()
        self.line(f"{name} = {value.text}")
        return replace(value, text=name, simple=True, risky=False, depth=1)

    def build(
        self,
        text: str,
        parts: Sequence[Value],
        kind: Type = INT,
        *,
        risky: bool = False,
        low: int = MIN_INT,
        high: int = MAX_INT,
    ) -> Value:
        """A value made of others, which appear in `text` in the order of `parts`."""
        depth = 1 + max((part.depth for part in parts), default=0)
        risky = risky or any(part.risky for part in parts)
        value = Value(text, kind, False, risky, low, high, depth)
        return self.spill(value) if depth > DEEPEST else value

    def once(self, value: Value) -> tuple[str, str]:
        """Texts for a value needed more than once within one expression: for the first time, and for all later ones."""
        if value.simple:
            return value.text, value.text
        name = self.fresh()
        return f"({name} := {value.text})", name

    def local(self, var: Var) -> str:
        """The local name of a variable without a home."""
        if var not in self.scope:
            self.scope[var] = Value(self.fresh("v", var.name or "_"), var.type, simple=True)
        return self.scope[var].text

    def read(self, var: Var) -> Value:
        """A variable's value."""
        if var in self.scope or var.home is None:
            self.local(var)
            return self.scope[var]
        return self.load_set(str(var.home // 2), var.type) if var.type.form == "set" else Value(f"M[{var.home}]")

    def assign(self, var: Var, text: str) -> None:
        """Gives a variable a value."""
        if var in self.scope or var.home is None or self.all_local:
            self.line(f"{self.local(var)} = {text}")
        elif var.type.form == "set":
            self.store_set(str(var.home // 2), var.type.size, text)
        elif var.type.form == "int":
            self.line(f"M[{var.home}] = {text}")
        else:
            raise ValueError(f"a list cannot live in the position: {var.name}")

    def load_set(self, at: str, kind: Type) -> Value:
        """A set in the position; `at` is its first 64-bit cell, a number or a name."""
        words = (kind.size + 63) // 64
        if words == 0:
            return Value("0", kind, simple=True)
        if words > 4:
            return Value(f"from_bytes(Q[{at} : {plus(at, words)}], 'little')", kind)
        parts = [f"Q[{plus(at, word)}]" + (f" << {64 * word}" if word else "") for word in range(words)]
        return Value(parts[0] if words == 1 else f"({' | '.join(parts)})", kind)

    def store_set(self, at: str, size: int, text: str) -> None:
        """Writes a set to the position; `at` is its first 64-bit cell, a number or a name."""
        words = (size + 63) // 64
        if words <= 1:
            if words:
                self.line(f"Q[{at}] = {text}")
            return
        name = text
        if not text.isidentifier():
            name = self.fresh()
            self.line(f"{name} = {text}")
        self.line(f"Q[{at}] = {name} & {WORD:#x}")
        for word in range(1, words):
            shifted = f"{name} >> {64 * word}"
            self.line(f"Q[{plus(at, word)}] = {shifted if word == words - 1 else f'{shifted} & {WORD:#x}'}")


def plus(text: str, number: int) -> str:
    """The sum of a text (a number or a name) and a number."""
    if number == 0:
        return text
    return str(int(text) + number) if text.isdecimal() else f"{text} + {number}"


def plain(text: str) -> str:
    """Author's text made safe for a comment: it stays on its line."""
    return "".join(char if char.isprintable() else "?" for char in text)


def identifier(text: str) -> str:
    """What of a name may stand in a Python identifier, after a prefix."""
    return "".join(char if char.isascii() and (char.isalnum() or char == "_") else "_" for char in text)


def function_name(program: Program, number: int) -> str:
    """The Python name of a core function."""
    return f"f{number}_{identifier(program.functions[number].name)}"
