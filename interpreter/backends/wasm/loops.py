"""Loops over the members of sets, lists and Spans."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.backends.wasm.code import Code, Words
from interpreter.backends.wasm.forms import type_of
from interpreter.core import nodes as n

Body = Callable[[str, str], None]  # given the labels "done" and "next"

_CHAINED = 3  # sets of up to so many words are walked in locals, larger ones in memory


def each(code: Code, domain: n.Expr, item: str, body: Body) -> None:
    """Writes a loop over the members of a set, list or Span; each in turn lies in local `item`."""
    if isinstance(domain, n.Span):
        _each_number(code, domain, item, body)
    elif type_of(code.world.program, domain).form == "list":
        _each_item(code, domain, item, body)
    else:
        each_member(code, code.members(domain), item, body)


def each_member(code: Code, found: Words, item: str, body: Body) -> None:
    """Writes a loop over the members of a set in rising order."""
    if not found:
        return
    done, again = code.label("done"), code.label("next")
    if len(found) > _CHAINED:
        _each_in_memory(code, found, item, body, done, again)
        return
    left = code.frozen(found)
    code.put(f"block {done}", f"loop {again}")
    for i, name in enumerate(left):
        take = f"local.get {name} i64.ctz i32.wrap_i64" + (f" i32.const {64 * i} i32.or" if i else "")
        drop = f"local.get {name} local.get {name} i64.const 1 i64.sub i64.and local.set {name}"
        if i == len(left) - 1:
            code.put(f"local.get {name} i64.eqz br_if {done} {take} local.set {item} {drop}")
        else:
            code.put(f"local.get {name} i64.eqz i32.eqz", "if", f"{take} local.set {item} {drop}", "else")
    code.put(*["end"] * (len(left) - 1))
    body(done, again)
    code.put(f"br {again}", "end", "end")


def _each_in_memory(code: Code, found: Words, item: str, body: Body, done: str, again: str) -> None:
    address = code.world.memory.room(8 * len(found))
    code.write_words("i32.const 0", address, found)
    word, at = code.local("i64", "w"), code.local("i32", "at")
    have, scan = code.label("have"), code.label("scan")
    code.put(f"i32.const 0 local.tee {at} i64.load offset={address} local.set {word}", f"block {done}", f"loop {again}")
    code.put(f"block {have}", f"loop {scan}", f"local.get {word} i64.eqz i32.eqz br_if {have}")
    code.put(f"local.get {at} i32.const 8 i32.add local.tee {at} i32.const {8 * len(found)} i32.ge_u br_if {done}")
    code.put(f"local.get {at} i64.load offset={address} local.set {word} br {scan}", "end", "end")
    code.put(f"local.get {word} i64.ctz i32.wrap_i64 local.get {at} i32.const 3 i32.shl i32.or local.set {item}")
    code.put(f"local.get {word} local.get {word} i64.const 1 i64.sub i64.and local.set {word}")
    body(done, again)
    code.put(f"br {again}", "end", "end")


def _each_item(code: Code, domain: n.Expr, item: str, body: Body) -> None:
    row = code.row(domain)
    at, end = code.local("i32", "at"), code.local("i32", "end")
    done, again = code.label("done"), code.label("next")
    code.put(
        f"local.get {row.address} local.tee {at} local.get {row.length} i32.const 2 i32.shl i32.add local.set {end}"
    )
    code.put(f"block {done}", f"loop {again}", f"local.get {at} local.get {end} i32.ge_u br_if {done}")
    code.put(f"local.get {at} i32.load local.set {item} local.get {at} i32.const 4 i32.add local.set {at}")
    body(done, again)
    code.put(f"br {again}", "end", "end")


def _each_number(code: Code, domain: n.Span, item: str, body: Body) -> None:
    """Counts down what is left in 64 bits: the last number may be the greatest there is."""
    low, high = code.kept(domain.low), code.kept(domain.high)
    left = code.local("i64", "left")
    done, again = code.label("done"), code.label("next")
    code.put(f"local.get {high} i64.extend_i32_s local.get {low} i64.extend_i32_s i64.sub local.set {left}")
    code.put(f"block {done}", f"loop {again}", f"local.get {left} i64.const 0 i64.lt_s br_if {done}")
    code.put(f"local.get {left} i64.const 1 i64.sub local.set {left}")
    code.put(f"local.get {low} local.set {item} local.get {low} i32.const 1 i32.add local.set {low}")
    body(done, again)
    code.put(f"br {again}", "end", "end")
