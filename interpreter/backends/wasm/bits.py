"""Sets as words: unions, shifts and single members, as pieces of text (see `code`)."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.backends.wasm.code import Code, Words
from interpreter.backends.wasm.memory import split, words

ZERO = "i64.const 0"


def constant(bits: int, size: int) -> Words:
    """The words of a constant set."""
    return [f"i64.const {word}" for word in split(bits, size)]


def united(left: Words, right: Words) -> Words:
    """The union."""
    return [b if a == ZERO else a if b == ZERO else f"{a} {b} i64.or" for a, b in zip(left, right, strict=True)]


def common(left: Words, right: Words) -> Words:
    """The intersection."""
    return [ZERO if ZERO in (a, b) else f"{a} {b} i64.and" for a, b in zip(left, right, strict=True)]


def without(left: Words, right: Words) -> Words:
    """The difference."""
    return [a if b == ZERO or a == ZERO else f"{a} {_inverted(b)} i64.and" for a, b in zip(left, right, strict=True)]


def _inverted(word: str) -> str:
    kind, _, value = word.partition(" ")
    return (
        f"i64.const {int(value) ^ 2**64 - 1}"
        if kind == "i64.const" and " " not in value
        else f"{word} i64.const -1 i64.xor"
    )


def single(item: str, size: int, factor: str = "") -> Words:
    """The set of one integer, given as text that pushes it; empty if it is outside 0 … size-1, or if the condition that
    `factor` pushes fails."""
    kind, _, figure = item.partition(" ")
    if kind == "i32.const":
        member = int(figure)
        found = constant(1 << member if 0 <= member < size else 0, size)
        if not factor:
            return found
        bit = f"{factor} i64.extend_i32_u" + (f" i64.const {member % 64} i64.shl" if member % 64 else "")
        return [word if word == ZERO else bit for word in found]
    found = []
    for i in range(words(size)):
        index = item + (f" i32.const {64 * i} i32.sub" if i else "")
        inside = f"{index} i32.const {min(64, size - 64 * i)} i32.lt_u" + (f" {factor} i32.and" if factor else "")
        found.append(f"{inside} i64.extend_i32_u {item} i64.extend_i32_u i64.shl")
    return found


def add_single(code: Code, item: str, target: Sequence[str], size: int, factor: str = "") -> None:
    """Adds such a single to a set in locals."""
    for name, bit in zip(target, single(item, size, factor), strict=True):
        if bit != ZERO:
            code.put(f"local.get {name} {bit} i64.or local.set {name}")


def moved(found: Words, by: int, count: int) -> Words:
    """Every member moved by `by`, as `count` words; the given words must be cheap. Nothing is cut off at the top."""
    whole, rest = divmod(abs(by), 64)
    up = by >= 0

    def part(index: int, op: str, distance: int) -> str:
        if not 0 <= index < len(found) or distance == 64 or found[index] == ZERO:
            return ZERO
        return found[index] if distance == 0 else f"{found[index]} i64.const {distance} {op}"

    if up:
        return united(
            [part(i - whole, "i64.shl", rest) for i in range(count)],
            [part(i - whole - 1, "i64.shr_u", 64 - rest) for i in range(count)],
        )
    return united(
        [part(i + whole, "i64.shr_u", rest) for i in range(count)],
        [part(i + whole + 1, "i64.shl", 64 - rest) for i in range(count)],
    )
