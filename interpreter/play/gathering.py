"""Several things at once: `all`, `none`, `all but X`, lists of names and numbers, `3 militia`.

Of a question that gathers a set, what is typed names the whole set; a single name adds one member, and the question
goes on. A question that comes again until it is stopped takes lists too: each thing is then an answer of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from interpreter.diagnostics import UsageError
from interpreter.game import Choice, Decision, Position
from interpreter.lang.types import EnumT, KindT
from interpreter.play.answers import abbreviates, items, near, plain, spellings, types_of
from interpreter.play.sight import value_of
from interpreter.play.words import SET_WORDS, say
from interpreter.rendering import clean
from interpreter.runtime.sets import Member, members, steps
from interpreter.runtime.texts import Language

_NUMBERS = re.compile(r"\d+(?:\s*[-\u2013]\s*\d+)?(?:\s+\d+(?:\s*[-\u2013]\s*\d+)?)*")
_RANGE = re.compile(r"(\d+)(?:\s*[-\u2013]\s*(\d+))?")
_COUNT = re.compile(r"(\d+)\s+(\D.*)")
_SHOWN = 6  # names of what a word could mean, in a message


@dataclass
class _Question:
    """A question that gathers a set, all that it could still take, and what each member is called."""

    decision: Decision
    language: Language
    known: tuple[Member, ...]

    @cached_property
    def seen(self) -> Position:
        """The position as the player who is asked may see it."""
        return self.decision.position.as_seen_by(self.decision.seat)

    def fitting(self, name: str, fits: Callable[[list[str], list[str]], bool]) -> list[Member]:
        words = plain(name).split()
        return [one for one in self.known if words and any(fits(words, way.split()) for way in self.ways(one))]

    def ways(self, one: Member) -> set[str]:
        return spellings(self.decision, one.choice) | self._sorts(one.choice)

    def _sorts(self, choice: Choice) -> set[str]:
        """What sort of thing a member is: its fields that hold a word of a list, as far as its player sees them."""
        found = set[str]()
        ty = types_of(self.decision, choice)[-1] if choice.values else None
        if not isinstance(ty, KindT):
            return found
        number = choice.values[-1]
        for field in ty.kind.fields.values():
            closed = self.seen.seen is not None and self.seen.seen.hides(field, number)
            if isinstance(field.type, EnumT) and not field.per and not closed:
                value, enum = value_of(self.seen, field, ty.kind.entities[number]), field.type.enum
                if isinstance(value, int):
                    found |= {plain(enum.values[value]), plain(self.language.say(enum.titles[value]))}
        return found

    def titled(self, found: Iterable[Member]) -> str:
        names = [f"`{clean(one.choice.id.partition(' ')[2])}`" for one in found]
        return ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")


def whole_set(decision: Decision, typed: str, language: Language) -> list[str] | None:
    """The answers that take what a text names: a whole set, or a member by its sort alone.

    None for the name or number of a single one. Raises UsageError.
    """
    asked = _Question(decision, language, tuple(members(decision)))
    if any(plain(typed) in spellings(decision, one.choice) for one in asked.known):
        return None
    if plain(typed) in _words(language, "none"):
        return steps(decision, ())
    found = _all(asked, typed)
    if found is None:
        parts = _parts(typed)
        if len(parts) == 1 and not _NUMBERS.fullmatch(parts[0]) and not _COUNT.fullmatch(parts[0]):
            found = asked.fitting(parts[0], _holds)
            if len(found) < 2:
                return [one.choice.id for one in found] or None
        elif not parts or (parts[0].isdecimal() and len(parts) == 1):
            return None
        else:
            found = [one for part in parts for one in _picked(asked, part)]
    return steps(decision, {one.choice.id for one in found})


def several(decision: Decision, typed: str, language: Language) -> list[str] | None:
    """The answers, one after another, that a list means of a question that comes again; None if it is no list.

    Raises UsageError.
    """
    asked = _Question(decision, language, tuple(Member(c, c.id) for c in decision.choices if c.option >= 0))
    parts = _parts(typed)
    if any(plain(typed) in spellings(decision, one.choice) for one in asked.known):
        return None
    if len(parts) < 2 and not any((_NUMBERS.fullmatch(p) and not p.isdecimal()) or _COUNT.fullmatch(p) for p in parts):
        return None
    found: list[str] = []
    for part in parts:
        picked = _picked(asked, part)
        if not _NUMBERS.fullmatch(part) and len(picked) > 1 and any(len(one.choice.values) > 1 for one in picked):
            said = say(language, "many", typed=clean(part[:60]), n=len(picked))
            raise UsageError(said, asked.titled(picked))  # such as the ways that one thing can go
        found += [one.choice.id for one in picked]
    return list(dict.fromkeys(found))


def _all(asked: _Question, typed: str) -> list[Member] | None:
    """What `all` and `all but …` mean."""
    if plain(typed) in _words(asked.language, "all"):
        return list(asked.known)
    for word in _words(asked.language, "all but"):
        head = re.match(r"\s+".join(map(re.escape, word.split())) + r"\s+(.+)", typed.strip(), re.IGNORECASE)
        if head is not None:
            left_out = [one for part in _parts(head.group(1)) for one in _picked(asked, part)]
            return [one for one in asked.known if one not in left_out]
    return None


def _parts(typed: str) -> list[str]:
    return [part.strip() for part in typed.split(",") if part.strip()]


def _picked(asked: _Question, part: str) -> list[Member]:
    """What a part of a list means. Raises UsageError."""
    exact = [one for one in asked.known if plain(part) in spellings(asked.decision, one.choice)]
    if exact:
        return exact
    if _NUMBERS.fullmatch(part):
        return [
            one for low, high in _RANGE.findall(part) for one in _numbered(asked, int(low[:6]), int((high or low)[:6]))
        ]
    count = _COUNT.fullmatch(part)
    name = count.group(2) if count else part
    found = asked.fitting(name, _holds) or asked.fitting(name, abbreviates)
    if not found:
        close = near(asked.decision, [one.choice for one in asked.known], name)
        hint = ", ".join(f"`{c}`" for c in close)
        hint = say(asked.language, "did_you_mean", names=hint) if hint else say(asked.language, "try_choices")
        raise UsageError(say(asked.language, "not_understood", typed=clean(name[:60])), hint)
    return _counted(asked, int(count.group(1)[:6]), name, found) if count else found


def _counted(asked: _Question, number: int, name: str, found: list[Member]) -> list[Member]:
    """So many of those that a name fits: all of them, or alike ones, so that it does not matter which."""
    if number > len(found):
        raise UsageError(say(asked.language, "too_few", typed=clean(name[:60]), n=len(found)), asked.titled(found))
    if number < len(found) and len({one.first for one in found}) > 1:
        raise UsageError(say(asked.language, "many", typed=clean(name[:60]), n=len(found)), asked.titled(found))
    return found[:number]


def _numbered(asked: _Question, low: int, high: int) -> list[Member]:
    """The members with these numbers: places in the list, or what is chosen where that is itself a number."""
    listed = items(asked.decision, asked.decision.choices)
    if any(item.number for item in listed):
        found = {c.id for item in listed if low <= int(item.typed) <= high for c in item.choices}
    elif 1 <= low <= high <= len(listed):
        meant = listed[low - 1 : high]
        wide = next((low + i for i, item in enumerate(meant) if len(item.choices) > 1), 0)
        if wide:
            raise UsageError(say(asked.language, "many", typed=wide, n=len(listed[wide - 1].choices)))
        found = {c.id for item in meant for c in item.choices}
    else:
        found = set()
    if not found:
        raise UsageError(say(asked.language, "no_number", typed=high, n=len(listed)))
    return [one for one in asked.known if one.choice.id in found]


def _holds(words: list[str], way: list[str]) -> bool:
    """Whether whole words stand in a name, in order; one and several, `guard` and `guards`, are the same word."""
    rest = iter(way)
    return all(any(word in (other, other + "s") or word + "s" == other for other in rest) for word in words)


def _words(language: Language, key: str) -> set[str]:
    """A word of sets as the program and the language of the table have it."""
    return {SET_WORDS[key], plain(language.say(SET_WORDS[key]))}
