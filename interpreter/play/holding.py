"""Conditions that must hold in a position, those of rule tests and invariants: what is told if one does not."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace

from interpreter.core.compiled import Compiled, InvariantInfo, PartInfo, ThenInfo
from interpreter.diagnostics import Diagnostic, Note, RuleFault
from interpreter.game import Position
from interpreter.lang.types import BoolT, EnumT, KindT, ListT, MaybeT, PlaceT, SetT, Ty, ZoneT
from interpreter.lang.world import World
from interpreter.runtime import texts
from interpreter.runtime.invariants import Watch

OUR_FAULT = "this is a fault of the interpreter"


def breach(position: Position, aside: Container[InvariantInfo] = (), watch: Watch | None = None) -> Diagnostic | None:
    """The first thing that is wrong in a position of a program with invariants, or None. What holds in every game comes
    before what this one says. `aside`: invariants that are left aside. `watch`: who looked at the positions before.
    """
    for problem in (watch or Watch(position.compiled)).broken(position.cells):
        return Diagnostic("broken-position", problem, None, help=OUR_FAULT)
    if _sound(position):
        return None
    for one in position.compiled.invariants:
        failed = None if one in aside else unmet(one.check, position)
        if failed is not None:
            return _named(failed, one, position)
    return None


def _sound(position: Position) -> bool:
    """Whether all invariants hold: one call tells it far sooner than one for each."""
    function = position.compiled.sound
    try:
        return function is not None and bool(position.evaluate(function))
    except RuleFault:
        return False


def _named(failed: Diagnostic, one: InvariantInfo, position: Position) -> Diagnostic:
    """A condition that does not hold, told as an invariant."""
    if failed.code != "does-not-hold":
        return failed  # a fault on the way to it
    culprits = [] if one.culprits is None else [Note(line) for line in _values((one.culprits,), position)]
    message = f"this must always hold: {one.text}" if one.text else "this must always hold"
    notes = (*culprits, *failed.notes)
    return Diagnostic("broken-invariant", message, failed.span, failed.label, notes, rule=one.rule)


def unmet(check: ThenInfo, position: Position) -> Diagnostic | None:
    """None if a condition holds, else why not."""
    try:
        if position.evaluate(check.function):
            return None
    except RuleFault as fault:
        where = Note("for this condition", check.span)
        return replace(fault.diagnostic, span=fault.diagnostic.span or check.span, notes=(where,))
    notes = tuple(Note(line) for line in _values(check.parts, position))
    return Diagnostic("does-not-hold", "this does not hold", check.span, label="is false", notes=notes)


def _values(parts: tuple[PartInfo, ...], position: Position) -> Iterator[str]:
    """The values in a condition, one a line."""
    for part in parts:
        try:
            value = position.evaluate(part.function)
        except RuleFault:
            continue  # a part that the condition itself would not have come to
        shown = written(value, part.type, position.compiled)
        text = " ".join(part.span.text.split())
        if shown != text:
            yield f"`{text}` is {shown}"


def written(value: int | tuple[int, ...], ty: Ty, compiled: Compiled) -> str:
    """A value as it is written in rule text."""
    if isinstance(value, tuple):
        inner = ty.of if isinstance(ty, SetT | ListT) else ty
        low = inner.sort.low if isinstance(ty, SetT) and isinstance(inner, KindT) and inner.sort else 0
        return "[" + ", ".join(written(v + low, inner, compiled) for v in value) + "]"
    world: World = compiled.world
    match ty:
        case MaybeT(of):
            return "none" if value < 0 else written(value, of, compiled)
        case BoolT():
            return "true" if value else "false"
        case PlaceT() | ZoneT():
            return f"`{texts.place_id(value, world)}`"
        case KindT() | EnumT():
            return f"`{texts.thing_id(value, ty)}`"
    return str(value)
