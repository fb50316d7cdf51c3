"""`petteia why`: for a choice, listed or refused, the conditions of the rules with their values and places.

The conditions are those by which candidates are found. They are told in order, up to the first that does not hold:
what stands behind it may make no sense without it. What hangs on something that the player asked cannot see stays
untold.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TextIO

from interpreter.backends.machine import Fault, Machine
from interpreter.core.compiled import BinderReason, Compiled, OptionReason, PartInfo, SharesInfo, ThenInfo
from interpreter.diagnostics import UsageError, did_you_mean
from interpreter.game import Decision, Position, load
from interpreter.lang.types import EnumT, IntT, KindT, RangeT, Ty, strip
from interpreter.play import arguments as args
from interpreter.play.holding import written
from interpreter.rendering import clean
from interpreter.runtime.record import Record
from interpreter.source import Span

MOST_SHARES = 6  # members of a sum that are named
REDEALS = 4  # positions that the player asked cannot tell from the real one, by which hidden values are found

Value = int | tuple[int, ...]
Step = Callable[[], "Line"]  # a condition, tried only when those before it hold
MARKS = {True: "yes", False: "no", None: "?"}


@dataclass(frozen=True)
class Line:
    """A condition: whether it holds (None: that hangs on what the player cannot see), its words, place and values."""

    holds: bool | None
    text: str
    place: str
    values: tuple[str, ...] = ()


@dataclass
class Told:
    """What is to say of one alternative: its conditions in order, and how many of them were not come to."""

    word: str
    lines: list[Line] = field(default_factory=list)
    left: int = 0

    @property
    def refused(self) -> bool:
        """Whether some condition does not hold."""
        return any(line.holds is False for line in self.lines)


@dataclass(frozen=True)
class Answer:
    """The choice as it is written in full, whether it is among the choices, and why."""

    choice: str
    listed: bool
    told: list[Told]
    remark: str = ""


# ---- finding out ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Here:
    """Where conditions are tried: the position, and others that the player asked cannot tell from it."""

    compiled: Compiled
    machine: Machine
    blocks: list[bytearray]
    names: frozenset[str] = frozenset()  # what speaks for itself: the names of the things that a choice names

    def value(self, function: int, values: Sequence[int]) -> Value | None:
        """What a function comes to; None if that cannot be told."""
        found: set[Value] = set()
        for block in self.blocks:
            try:
                found.add(self.machine.evaluate(block, function, tuple(values)))
            except Fault:
                return None
        return found.pop() if len(found) == 1 else None


def why(position: Position, typed: str) -> Answer:
    """Why a choice can, or cannot, be taken where a question waits. Raises UsageError if it means nothing here."""
    decision = position.decision
    if decision is None:
        raise UsageError("the game is over", "no question waits")
    words = typed.split()
    if not words:
        raise UsageError("this names no choice", f"for example `{decision.ids[0]}`")
    if decision.stop is not None and words in ([decision.stop], [decision.id, decision.stop]):
        return Answer(decision.stop, True, [], "one may stop here")
    here = _here(position, decision)
    reasons = here.compiled.reasons.get(decision.pending.decision, ())
    meant = _meant(decision, reasons, words)
    told: list[Told] = []
    full = ""
    listed = False
    for option, rest in meant:
        values = [_thing(word, binder, here.compiled) for word, binder in zip(rest, option.binders, strict=False)]
        told.append(_tell(option, values, here))
        full = full or " ".join([option.word, *rest])
        complete = " ".join([option.word, *rest])
        if complete in decision.ids:
            full, listed = complete, True
        elif len(rest) < len(option.binders):
            listed = listed or any(f"{x} ".startswith(f"{complete} ") for x in decision.ids)
    remark = ""
    if not listed and not any(t.refused for t in told):
        remark = (
            "no condition speaks against it; another thing like it is offered in its place, or it hangs on what cannot "
            "be seen"
        )
    return Answer(full, listed, told, remark)


def _here(position: Position, decision: Decision) -> _Here:
    compiled = position.game.asides(position.compiled)
    machine = position.game.machine(compiled, getattr(position.machine, "name", "python"))
    blocks = [position.block]
    if compiled.secrecy.any:
        blocks += [position.redealt(decision.seat, seed).block for seed in range(REDEALS)]
    return _Here(compiled, machine, blocks)


def _meant(
    decision: Decision, reasons: Sequence[OptionReason], words: list[str]
) -> list[tuple[OptionReason, list[str]]]:
    """The alternatives that are meant, each with the words for its things."""
    found = [(r, words[1:]) for r in reasons if r.word == words[0] and len(words) - 1 <= len(r.binders)]
    found = found or [(r, words) for r in reasons if len(words) <= len(r.binders) and _names(words[0], r.binders[0])]
    if found:
        return found
    known = list(dict.fromkeys(r.word for r in reasons))
    named = next((r for r in reasons if r.word == words[0]), None)
    if named is not None:
        things = ", ".join(b.name for b in named.binders) or "nothing"
        raise UsageError(f"`{named.word}` is not followed by so many words", f"it names: {things}")
    offers = ", ".join(f"`{k}`" for k in known)
    hint = did_you_mean(words[0], known) or f"the question that waits is `{decision.id}`, which offers {offers}"
    raise UsageError(f"`{words[0]}` is no choice of the question that waits", hint)


def _names(word: str, binder: BinderReason) -> bool:
    """Whether a word names something that a thing could be."""
    ty: Ty = strip(binder.type)
    if isinstance(ty, KindT):
        return any(e.id == word for e in ty.kind.entities)
    return word in ty.enum.values if isinstance(ty, EnumT) else word.lstrip("-").isdecimal()


def _thing(word: str, binder: BinderReason, compiled: Compiled) -> int:
    """The value that a word names."""
    ty: Ty = strip(binder.type)
    known: Sequence[str] = ()
    match ty:
        case KindT(kind):
            known = [e.id for e in kind.entities]
        case EnumT(enum):
            known = enum.values
        case RangeT() | IntT() if word.lstrip("-").isdecimal():
            return int(word) - (ty.low if isinstance(ty, RangeT) else 0)
    if word in known:
        return known.index(word)
    raise UsageError(f"there is no {ty} `{word}`", did_you_mean(word, known))


def _tell(option: OptionReason, values: list[int], here: _Here) -> Told:
    """The conditions of an alternative for some of its things, up to the first that does not hold."""
    made = Told(option.word)
    here = replace(here, names=frozenset(b.name for b in option.binders))
    steps = list(_steps(option, values, here))
    for number, step in enumerate(steps):
        line = step()
        made.lines.append(line)
        if line.holds is False:
            made.left = len(steps) - number - 1
            break
    return made


def _steps(option: OptionReason, values: list[int], here: _Here) -> Iterator[Step]:
    for guard in option.guards:
        yield _condition(guard, [], here)
    for i, value in enumerate(values):
        binder = option.binders[i]
        before, upto = values[:i], values[: i + 1]
        if binder.domain is not None:
            yield _member(binder, binder.domain, before, value, here)
        if i == 0 and option.seen is not None:
            yield _unseen(option.seen, binder, value, here)
        for condition in binder.conditions:
            yield _condition(condition, upto, here)
        if option.limit is not None:
            yield _behind(option.limit.last, binder, value, here)
            for condition in option.limit.limit:
                yield _condition(condition, upto, here)
    if option.price is not None and len(values) == len(option.binders):
        yield _price(option, values, here)


def _condition(info: ThenInfo, values: list[int], here: _Here) -> Step:
    def line() -> Line:
        found = here.value(info.function, values)
        told = _values(info.parts, values, here)
        return Line(None if found is None else bool(found), f"`{_words(info.span)}`", str(info.span), told)

    return line


def _values(parts: Sequence[PartInfo], values: list[int], here: _Here) -> tuple[str, ...]:
    """The values in a condition, as far as they can be told."""
    told: list[str] = []
    for part in parts:
        value = here.value(part.function, values)
        text = _words(part.span)
        if text in here.names:
            continue
        shown = "" if value is None else written(value, part.type, here.compiled)
        if value is not None and shown not in (text, f"`{text}`"):
            told.append(f"`{text}` is {shown}")
            if part.shares is not None:
                told += _shares(part.shares, values, here)
    return tuple(told)


def _shares(info: SharesInfo, values: list[int], here: _Here) -> Iterator[str]:
    """Who makes up a sum or count, the greatest shares first; nothing if that hangs on what cannot be seen."""
    members = here.value(info.members, values)
    if not isinstance(members, tuple) or not members:
        return
    if info.each is None:
        named = [_member_named(x, info.of, here) for x in members[:MOST_SHARES]]
        more = len(members) - len(named)
        yield f"  counted: {', '.join(named)}" + (f" and {more} more" if more else "")
        return
    shares: list[tuple[int, int]] = []
    for x in members:
        share = here.value(info.each, [*values, x])
        if not isinstance(share, int):
            return
        if share:
            shares.append((share, x))
    shares.sort(key=lambda one: -abs(one[0]))
    for share, x in shares[:MOST_SHARES]:
        yield f"  {share} from {_member_named(x, info.of, here)}"
    rest = shares[MOST_SHARES:]
    if rest:
        yield f"  {sum(share for share, _ in rest)} from {len(rest)} more"


def _member_named(value: int, of: Ty, here: _Here) -> str:
    """A member of a set that is searched: such count within their kind."""
    return written(value, KindT(of.kind) if isinstance(of, KindT) else of, here.compiled)


def _member(binder: BinderReason, domain: int, before: list[int], value: int, here: _Here) -> Step:
    def line() -> Line:
        found = here.value(domain, before)
        holds = None if not isinstance(found, tuple) else value in found
        told = () if holds else _values(binder.parts, before, here)
        return Line(holds, f"{_named(binder, value, here)} is one of `{_words(binder.span)}`", str(binder.span), told)

    return line


def _unseen(seen: int, binder: BinderReason, value: int, here: _Here) -> Step:
    def line() -> Line:
        found = here.value(seen, [])
        holds = None if not isinstance(found, tuple) else value not in found
        return Line(holds, f"{_named(binder, value, here)} was not taken before", str(binder.span))

    return line


def _behind(last: int, binder: BinderReason, value: int, here: _Here) -> Step:
    def line() -> Line:
        found = here.value(last, [])
        holds = value > found if isinstance(found, int) else None
        text = f"{_named(binder, value, here)} comes behind what is chosen already, for sets are chosen in data order"
        return Line(holds, text, str(binder.span))

    return line


def _price(option: OptionReason, values: list[int], here: _Here) -> Step:
    def line() -> Line:
        assert option.price is not None
        price, purse = here.value(option.price.price, values), here.value(option.price.purse, values)
        holds = price <= purse if isinstance(price, int) and isinstance(purse, int) else None
        text = f"`{_words(option.price.price_span)}` can be paid from `{_words(option.price.purse_span)}`"
        told = () if holds is None else (f"it costs {price}", f"there are {purse}")
        return Line(holds, text, str(option.price.price_span), told)

    return line


def _named(binder: BinderReason, value: int, here: _Here) -> str:
    return written(value, binder.type, here.compiled)


def _words(span: Span) -> str:
    return " ".join(span.text.split())


# ---- telling --------------------------------------------------------------------------------------------------------


def lines(answer: Answer) -> list[str]:
    """An explanation in lines of text."""
    made = [f"`{answer.choice}` {'can be chosen' if answer.listed else 'cannot be chosen'}"]
    if answer.remark:
        made[0] += f": {answer.remark}"
    for told in answer.told:
        if len(answer.told) > 1:
            made.append(f"as `{told.word}`:")
        for line in told.lines:
            made.append(f"  {MARKS[line.holds]:<4}{line.text}   {line.place}")
            made += [f"        {value}" for value in line.values]
        if told.left:
            made.append(f"      ({told.left} more not looked at)")
        if not told.lines:
            made.append("  nothing stands in its way")
    return made


def run(given: argparse.Namespace, out: TextIO) -> int:
    """Explains a choice at the start of a game, or where a saved one stands."""
    path = Path(given.game)
    if path.is_file():
        record = Record.open(path, load, write=False)
        position = record.position
    else:
        game = load(given.game)
        position = game.start(given.scenario, args.settings(given.option), given.seed)
    out.write("\n".join(map(clean, lines(why(position, given.choice)))) + "\n")
    return 0


def add(parser: argparse.ArgumentParser) -> None:
    """`why`."""
    parser.add_argument("game", metavar="FILE|GAME", help="a saved game, or a game, which then stands at its start")
    parser.add_argument("choice", metavar="CHOICE", help="a choice as it is written, such as `go guard b4`")
    parser.add_argument("--scenario", metavar="S", help="of a game: the scenario; its first if not given")
    args.add_options(parser)
    parser.add_argument("--seed", metavar="N", type=args.whole(0, 2**64 - 1), default=1, help="of a game: its seed")
