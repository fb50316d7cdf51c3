"""What a player types, against what there is to choose: lists are asked step by step, and names may be cut short.

A focus is the part of a decision's choices that is still meant; each answer narrows it until one is left.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.core.nodes.program import Option
from interpreter.game import Choice, Decision
from interpreter.lang.nodes import Hole
from interpreter.lang.types import IntT, KindT, Ty
from interpreter.lang.world import Kind
from interpreter.rendering import clean
from interpreter.runtime import texts

FLAT = 12  # so many choices are listed whole; more are asked step by step


@dataclass(frozen=True)
class Item:
    """A line of a list: the choices behind it, what it is called, and what may be typed for it."""

    choices: tuple[Choice, ...]
    label: str
    typed: str
    number: bool = False  # what is typed is itself a number, and no place in the list


def items(decision: Decision, focus: Sequence[Choice]) -> list[Item]:
    """The next list for a focus: whole choices if they are few, else the first thing in which they differ.

    Beside a single option with many choices the way to stop stands in the same list.
    """
    level = _level(decision, focus)
    if level == 0 and len(focus) > FLAT and len({c.option for c in focus if c.option >= 0}) == 1:
        chosen, stops = [c for c in focus if c.option >= 0], [c for c in focus if c.option < 0]
        return [*items(decision, chosen), *(Item((c,), clean(c.text), c.id) for c in stops)]
    if level < 0:
        return [Item((c,), clean(c.text), c.id) for c in focus]
    groups: dict[str, list[Choice]] = {}
    for choice in focus:
        groups.setdefault(" ".join(choice.id.split()[: level + 1]), []).append(choice)
    if len(focus) <= FLAT and level == 0:
        return [Item((c,), clean(c.text), c.id) for c in focus]
    if len(focus) <= FLAT and _says_more(decision, focus, level):
        return [Item((c,), clean(c.text), " ".join(c.id.split()[level:])) for c in focus]
    last = all(len(g) == 1 for g in groups.values())
    if len(focus) <= FLAT and not last:
        return [Item((c,), _rest(decision, c, level), " ".join(c.id.split()[level:])) for c in focus]
    return [_item(decision, tuple(group), level) for group in groups.values()]


def question(decision: Decision, focus: Sequence[Choice]) -> str:
    """What is asked, in words: the decision's own text, or that of the only option, `…` for what is still open.

    As soon as a list leaves out what its choices have in common, the heading tells it.
    """
    prompt = clean(decision.prompt)
    chosen = [c for c in focus if c.option >= 0]
    if not chosen and not prompt and len(_options(decision)) == 1:
        return _open_text(decision, ())[0]  # one can only stop
    if len({c.option for c in chosen}) != 1:
        return prompt
    told = _open_text(decision, chosen)[0]
    if not prompt or (told and len(focus) < decision.count):
        return told
    short = len(chosen) == len(focus) > 1 and _level(decision, focus) > 0
    return f"{prompt}: {told}" if told and short and items(decision, focus)[0].label not in _texts(focus) else prompt


def _options(decision: Decision) -> Sequence[Option]:
    return decision.position.compiled.program.decisions[decision.pending.decision].options


def _texts(focus: Sequence[Choice]) -> set[str]:
    return {clean(c.text) for c in focus}


def _says_more(decision: Decision, focus: Sequence[Choice], level: int) -> bool:
    """Whether the texts of these choices of one option differ in more than what the player chooses."""
    if len({c.option for c in focus}) != 1 or isinstance(types_of(decision, focus[0])[level - 1], IntT):
        return False
    rows = zip(*(c.id.split() for c in focus), strict=False)
    return _open_text(decision, focus)[1] > sum(1 for row in rows if len(set(row)) > 1)


def _open_text(decision: Decision, chosen: Sequence[Choice]) -> tuple[str, int]:
    """The text of choices of one option, `…` for that in which they differ, and in how many places they do; the text is
    empty if they have none.
    """
    position = decision.position
    number = _options(decision)[chosen[0].option if chosen else 0].text
    if number < 0:
        return "", 0
    info = position.compiled.texts[number]
    holes = [p for p in info.template.parts if isinstance(p, Hole)]
    text, open_ = position.language.say(info.template.text), 0
    for hole, function, ty in zip(holes, info.functions, info.types, strict=True):
        values = {position.evaluate(function, c.values) for c in chosen}
        shown = f"{hole.prefix}…"
        open_ += len(values) > 1
        if len(values) == 1:
            shown = texts.in_hole(hole, values.pop(), ty, position.compiled.world, position.language)
        text = text.replace("{" + hole.key + "}", shown)
    return clean(text), open_


def _level(decision: Decision, focus: Sequence[Choice]) -> int:
    """The first word of the written choices in which they differ; -1 if that cannot be told."""
    words = [c.id.split() for c in focus]
    for level in range(min(map(len, words), default=0)):
        if len({w[level] for w in words}) > 1:
            return level
    return -1


def _item(decision: Decision, group: tuple[Choice, ...], level: int) -> Item:
    first = group[0]
    typed = first.id.split()[level]
    if level == 0:
        return Item(group, _option_label(decision, group), typed)
    ty = types_of(decision, first)[level - 1]
    label = _thing(decision, first.values[level - 1], ty)
    if len(group) == 1 and len(first.values) > level:
        label = f"{label} → {_rest(decision, first, level + 1)}"
    return Item(group, label, typed, isinstance(ty, IntT))


def _option_label(decision: Decision, group: tuple[Choice, ...]) -> str:
    if len(group) == 1:
        return clean(group[0].text)
    told = _open_text(decision, group)[0] if group[0].option >= 0 and len({c.option for c in group}) == 1 else ""
    if told:
        return told
    name = group[0].id.split()[0]
    return clean(decision.position.language.say(name.replace("_", " ")))


def _rest(decision: Decision, choice: Choice, level: int) -> str:
    """What a choice names from a level on, as people read it."""
    types = types_of(decision, choice)
    if level == 0 or choice.option < 0:
        return clean(choice.text)
    shown = [_thing(decision, v, ty) for v, ty in zip(choice.values, types, strict=True)][level - 1 :]
    return " → ".join(shown)


def types_of(decision: Decision, choice: Choice) -> tuple[Ty, ...]:
    """The types of what a choice names, in order."""
    if choice.option < 0:
        return ()
    return decision.position.compiled.decisions[decision.pending.decision].options[choice.option].binders


def _thing(decision: Decision, value: int, ty: Ty) -> str:
    """A value as people read it; a piece on the map with the place where it is."""
    position = decision.position
    shown = clean(texts.show(value, ty, position.compiled.world, position.language))
    if isinstance(ty, KindT) and ty.kind in position.compiled.layout.at:
        place = position.cells[position.compiled.layout.at[ty.kind].base + value]
        zones = position.compiled.world.zones.values()
        if any(0 <= place - zone.place_base < zone.size for zone in zones):
            return shown
        where = clean(texts.place_title(place, position.compiled.world, position.language))
        return f"{shown} ({where})"
    return shown


def last_values(decision: Decision, focus: Sequence[Choice], kind: Kind) -> list[int]:
    """Members of a kind that the choices of a focus name last."""
    found: dict[int, None] = {}
    for choice in focus:
        types = types_of(decision, choice)
        if types and isinstance(types[-1], KindT) and types[-1].kind is kind:
            found.setdefault(choice.values[-1], None)
    return list(found)


# ---- typing ---------------------------------------------------------------------------------------------------------

_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00b4": "'"})


def plain(text: str) -> str:
    """A text as it is compared: no accents, capitals, curly quotes or joining marks; words apart by one space."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text.translate(_QUOTES)) if not unicodedata.combining(c))
    bare = unicodedata.normalize("NFC", bare).casefold()
    return " ".join(re.sub(r"[_\-,>→\s]+", " ", bare).split())


def spellings(decision: Decision, choice: Choice) -> set[str]:
    """All full ways to type a choice: ids or titles of what it names, the leading word or not, or its sentence."""
    position = decision.position
    made = {plain(choice.text)}
    words = choice.id.split()
    rows = [""]
    for word, value, ty in zip(words[1:], choice.values, types_of(decision, choice), strict=False):
        names = {plain(word), plain(texts.show(value, ty, position.compiled.world, position.language))}
        rows = [f"{row} {name}".strip() for row in rows for name in sorted(names)]
    if not choice.values:
        return made | {plain(choice.id)}
    return made | set(rows) | {f"{plain(words[0])} {row}" for row in rows}


def narrow(decision: Decision, focus: Sequence[Choice], typed: str) -> list[Choice]:
    """The choices of a focus that a typed text can mean; the plainest reading that means any wins."""
    wanted = plain(typed)
    if not wanted:
        return []
    for item in items(decision, focus):
        names = {plain(item.typed)} | ({plain(item.choices[0].text)} if len(item.choices) == 1 else set())
        if wanted in names or wanted == plain(re.sub(r" \(.*\)$", "", item.label)):
            return list(item.choices)
    spelt = [(c, spellings(decision, c)) for c in focus]
    exact = [c for c, ways in spelt if wanted in ways]
    if exact:
        return exact
    started = [c for c, ways in spelt if any(way.startswith(wanted + " ") for way in ways)]
    if started:
        return started
    words = wanted.split()
    return [c for c, ways in spelt if any(abbreviates(words, way.split()) for way in ways)]


def abbreviates(words: list[str], full: list[str]) -> bool:
    """Whether the words begin words of the full text, in order; a word that ends in a figure must be whole."""
    rest = iter(full)
    return all(any(f == w or (not w[-1].isdigit() and f.startswith(w)) for f in rest) for w in words)


def as_written(decision: Decision, typed: str) -> str:
    """A choice as it is written in full, from anything that a player types for it, whether it can be taken or not."""
    found = narrow(decision, decision.choices, typed)
    if len(found) == 1:
        return found[0].id
    words, made = plain(typed).split(), list[str]()
    kinds = decision.position.compiled.world.kinds.values()
    known = {tuple(plain(e.id).split()): e.id for kind in kinds for e in kind.entities}
    language = decision.position.language
    known |= {tuple(plain(language.say(e.title)).split()): e.id for kind in kinds for e in kind.entities}
    while words:
        longest = next((n for n in range(len(words), 0, -1) if tuple(words[:n]) in known), 0)
        made.append(known[tuple(words[:longest])] if longest else words[0])
        del words[: longest or 1]
    return " ".join(made)


def near(decision: Decision, focus: Sequence[Choice], typed: str, limit: int = 3) -> list[str]:
    """Written choices, or names in the list, that look like what was typed."""
    known: dict[str, str] = {}
    for item in items(decision, focus):
        known.setdefault(plain(item.typed), item.typed)
        known.setdefault(plain(re.sub(r" \(.*\)$", "", item.label)), item.typed)
    for choice in focus:
        for way in spellings(decision, choice):
            known.setdefault(way, choice.id)
    close = difflib.get_close_matches(plain(typed), known, n=limit * 2, cutoff=0.6)
    return list(dict.fromkeys(known[c] for c in close))[:limit]


def completions(decision: Decision, focus: Sequence[Choice], text: str) -> list[str]:
    """What the tab key offers behind a text: the next word of the written choices that go on from it."""
    before, _, last = text.rpartition(" ")
    done = plain(before).split()
    offered: dict[str, None] = {}
    for choice in focus:
        words = choice.id.split()
        starts = [words, words[1:]] if choice.values else [words]
        starts += [words[level:] for level in (_level(decision, focus),) if level > 1]
        for row in starts:
            head, rest = row[: len(before.split())], row[len(before.split()) :]
            if rest and plain(" ".join(head)).split() == done and plain(rest[0]).startswith(plain(last)):
                offered.setdefault(rest[0], None)
    return list(offered)
