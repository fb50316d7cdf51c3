"""Sets named at once: a set is asked for member by member, and this finds the answers that take a whole one.

A set is one answer in several steps. Between them nothing happens, so they can be tried on a copy of the position.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from interpreter.diagnostics import RuleFault, UsageError, did_you_mean
from interpreter.lang.types import KindT
from interpreter.runtime.choices import Choice

if TYPE_CHECKING:
    from interpreter.runtime.decision import Decision

_BRACES = re.compile(r"([^{}]*)\{([^{}]*)\}")


@dataclass(frozen=True)
class Member:
    """What a set could still take; `first`: what is written for the first of those that are like it."""

    choice: Choice
    first: str


def members(decision: Decision) -> list[Member]:
    """All that could still be taken, in the order of the questions.

    Of pieces that are alike a question offers only the first; the others are found by taking one after another.
    """
    found = {c.id: Member(c, c.id) for c in decision.choices if c.option >= 0}
    for first in list(found) if _of_alike(decision) else ():
        position, plies = decision.position.copy(), decision.position.plies
        taken: str | None = first
        while taken is not None:
            try:
                position.apply(taken)
            except RuleFault:  # the set is complete, and what comes of it cannot be carried out
                break
            asked = position.decision if position.plies == plies else None
            new = [c for c in asked.choices if c.option >= 0 and c.id not in found] if asked is not None else []
            found |= {c.id: Member(c, first) for c in new}
            taken = new[0].id if new else None
    return sorted(found.values(), key=lambda one: one.choice.values)


def steps(decision: Decision, wanted: Collection[str]) -> list[str]:
    """The answers that take a set, given by what is written for its members, and the word that stops if it is needed.

    Raises UsageError if that set cannot be taken.
    """
    position, plies = decision.position.copy(), decision.position.plies
    taken: list[str] = []
    for member in _in_order(decision, wanted):
        asked = position.decision
        if asked is None or position.plies != plies or member not in asked.ids:
            help = f"open then are: {', '.join(asked.ids)}" if asked is not None and position.plies == plies else ""
            raise UsageError(f"`{member}` cannot be taken together with the others", help)
        taken.append(member)
        try:
            position.apply(asked.ids.index(member))
        except RuleFault:
            return taken  # nothing is asked behind the last; that it cannot be carried out is told by taking it
    asked = position.decision
    if asked is not None and position.plies == plies and asked.stop is not None:
        taken.append(asked.stop)
    return taken


def spelt_out(decision: Decision, written: str) -> list[str]:
    """The steps of a choice as it is written: `load {a b}` takes a set at once. Raises UsageError."""
    match = _BRACES.fullmatch(written.strip())
    if match is None:
        return [decision.find(written).id]
    head, inside = match.group(1).strip(), match.group(2).split()
    if decision.element:
        if head not in ("", decision.id):
            raise UsageError(f"`{head}` is not asked here", f"write `{decision.id} {{{' '.join(inside)}}}`")
        return steps(decision, list(dict.fromkeys(_member(decision, word) for word in inside)))
    first = decision.find(head)
    position = decision.position.copy()
    plies = position.plies
    position.apply(first)
    asked = position.decision
    if asked is None or position.plies != plies or not asked.element:
        raise UsageError(f"`{first.id}` asks for no set", "leave out what stands in braces")
    return [first.id, *steps(asked, list(dict.fromkeys(_member(asked, word) for word in inside)))]


def _member(decision: Decision, word: str) -> str:
    known = {one.choice.id.partition(" ")[2]: one.choice.id for one in members(decision)}
    if word not in known:
        hint = did_you_mean(word, known) or f"open are: {', '.join(known)}"
        raise UsageError(f"`{word}` is not among the members of the set", hint)
    return known[word]


def _in_order(decision: Decision, wanted: Collection[str]) -> Iterator[str]:
    """What is written for the members, in the order of the questions; of those alike always the first ones."""
    known = members(decision)
    left = Counter(one.first for one in known if one.choice.id in wanted)
    for one in known:
        if left[one.first]:
            left[one.first] -= 1
            yield one.choice.id


def _of_alike(decision: Decision) -> bool:
    info = decision.position.compiled.decisions[decision.pending.decision]
    ty = info.options[0].binders[0]
    return isinstance(ty, KindT) and ty.kind.alike
