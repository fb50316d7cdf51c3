"""The parts of labelled sums as they are in a position: what counts, by which rule, and how much."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from interpreter.core.compiled import Compiled
from interpreter.core.lower.sums import MOST_MEMBERS
from interpreter.diagnostics import UsageError, did_you_mean
from interpreter.lang.types import SetT, bounds, low_of

Argument = int | Iterable[int]


def parts(
    compiled: Compiled,
    evaluate: Callable[[int, tuple[int, ...]], int | tuple[int, ...]],
    name: str,
    args: Sequence[Argument],
) -> list[tuple[str, str, int]]:
    """(text, rule, value) of each part that counts.

    Raises UsageError for what is no labelled sum, and for wrong arguments.
    """
    if name not in compiled.sums:
        raise UsageError(f"there is no sum `{name}`", did_you_mean(name, compiled.sums))
    given = _flat(compiled, name, args)
    found = []
    for part in compiled.sums[name]:
        if part.when is None or evaluate(part.when, given):
            value = evaluate(part.value, given)
            assert isinstance(value, int)
            found.append((part.text, part.rule, value))
    return found


def _flat(compiled: Compiled, name: str, args: Sequence[Argument]) -> tuple[int, ...]:
    types = compiled.sum_params[name]
    if len(args) != len(types):
        raise UsageError(f"`{name}` takes {len(types)} arguments, not {len(args)}")
    flat: list[int] = []
    for arg, ty in zip(args, types, strict=True):
        if not isinstance(ty, SetT):
            if not isinstance(arg, int):
                raise UsageError(f"`{name}` takes a {ty} here")
            flat.append(arg)
            continue
        room = min(bounds(ty.of)[1] + 1 - low_of(ty.of), MOST_MEMBERS)
        members = [m - low_of(ty.of) for m in arg] if not isinstance(arg, int) else [arg - low_of(ty.of)]
        if len(members) > room:
            raise UsageError(f"at most {room} members can be handed in")
        flat += members + [-1] * (room - len(members))
    return tuple(flat)
