"""Non-interference: whoever can't see something can't tell from anything whether it is so or otherwise.

At decisions of random games a twin is made from the live position: what one seat does not see is dealt anew. Both take
the same choices for as long as both offer them, and nothing else is disclosed in one than in the other. What the seat
is told must be the same, byte for byte. `python -m tests.contract.twins --games N [GAME …]` plays more games than the
tests do, and counts what became of the twins.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest

from interpreter import RuleFault
from interpreter.backends import wasm
from interpreter.backends.machine import Event
from interpreter.core import header
from interpreter.game import Decision, Position
from interpreter.lang.types import IntT, KindT, ListT, SetT, strip
from interpreter.lang.world import Kind
from interpreter.runtime import readable
from interpreter.runtime.invariants import broken
from interpreter.runtime.lines import line
from interpreter.runtime.numbers import Known
from interpreter.runtime.redeal import chance, renaming
from interpreter.runtime.sightings import sightings
from interpreter.runtime.stream import Message, Stream
from interpreter.runtime.texts import thing_id
from tests.contract import games
from tests.contract.games import FIXTURES, Case

LONGEST = 400  # answers after which a random game is left
MOST_STATES = 2000  # that are remembered
FURTHEST = 12  # answers after which a twin is left


class Leak(AssertionError):
    """A seat was told something that it must not know."""


@dataclass(eq=False)
class Step:
    """A question of a live game: the position before the answer, the answer, and what it led to."""

    before: Position
    choice: str
    after: Position
    events: list[Event]  # what happened, and what was disclosed
    picked: bool  # something was shuffled, or drawn from a bag
    named: frozenset[tuple[int, Known]]  # (seat, piece): named to that seat in the log


@dataclass(eq=False)
class Twin:
    """A position that a seat can't tell from the live one, and what it was told of both since."""

    seat: int
    position: Position
    live: Stream
    other: Stream
    names: dict[Kind, dict[int, int]]  # for each closed piece the one that stands in its place
    known: int = 0  # what `Position.known` was before the last step

    def compare(self, position: Position) -> bool:
        """Whether both can go on together. Raises Leak."""
        a, b = text(self.live), text(self.other)
        if a == b:
            return True
        shorter, waits = (a, position) if len(a) < len(b) else (b, self.position)
        decision = waits.decision
        if len(a) != len(b) and a[: len(shorter)] == b[: len(shorter)] and decision and decision.seat != self.seat:
            return False  # the other side has more to choose in one of them, and nothing of it shows
        first = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(shorter))
        raise Leak(f"seat {self.seat} is told\n{apart(a[first:], b[first:])}\nor\n{apart(b[first:], a[first:])}")

    def check_undo(self, step: Step) -> None:
        """Raises Leak if the seat may take back its choice in one of the two only."""
        learned = step.after.known != step.before.known
        decision = step.before.decision
        if decision and decision.seat == self.seat and (self.position.known != self.known) != learned:
            raise Leak(f"seat {self.seat} may undo `{step.choice}` in one of two positions only")

    def parted(self, step: Step) -> bool:
        """Whether something else was disclosed in one of the two than in the other.

        Raises Leak if the seat was told otherwise before that, or told it himself, or if only one has disclosed
        something though both went on.
        """
        events, others = step.events, self.position.machine.events
        for a, b in zip_longest(disclosures(step.after, events), disclosures(self.position, others)):
            if a is not None and b is not None and self.alike(events[a], others[b]):
                continue
            ours, theirs = self.lines(step.after, events[:a]), self.lines(self.position, others[:b])
            if ours != theirs:
                raise Leak(f"seat {self.seat} is told, before something is disclosed,\n  {ours}\nor\n  {theirs}")
            for position, found, at in ((step.after, events, a), (self.position, others, b)):
                if at is None and (position.decision is None or position.decision.seat == self.seat):
                    raise Leak(f"something is disclosed in one of two positions only, after {ours}")
                if at is not None and found[at].args[1] == self.seat:
                    raise Leak(f"seat {self.seat} discloses what it can't know, after {ours}")
            return True
        return False

    def alike(self, event: Event, other: Event) -> bool:
        """Whether two disclosures are of the same thing: of closed pieces those that stand in each other's places."""
        (ty, _), (value, teller) = self.position.compiled.events[event.event].types, event.args
        inner = strip(ty.of) if isinstance(ty, SetT | ListT) else strip(ty)
        names = self.names.get(inner.kind, {}) if isinstance(inner, KindT) else {}
        low = inner.sort.low if isinstance(ty, SetT) and isinstance(inner, KindT) and inner.sort else 0
        if isinstance(value, tuple):
            renamed = [names.get(v + low, v + low) - low for v in value]
            value = tuple(sorted(renamed) if isinstance(ty, SetT) else renamed)
        else:
            value = names.get(value, value)
        return (event.event, value, teller) == (other.event, *other.args)

    def lines(self, position: Position, events: list[Event]) -> list[str]:
        """What the seat reads of events."""
        found = [line(e, position.compiled, position.language) for e in events]
        return [t for t in (x.read_by(self.seat) for x in found if x is not None) if t is not None]


def disclosures(position: Position, events: list[Event]) -> list[int]:
    """Where among events something is disclosed."""
    infos = position.compiled.events
    return [i for i, e in enumerate(events) if e.event >= 0 and infos[e.event].what == "disclose"]


def apart(a: list[str], b: list[str]) -> str:
    """The first message, around where it differs from another."""
    one, other = (x[0] if x else "nothing" for x in (a, b))
    first = next((i for i, (x, y) in enumerate(zip(one, other, strict=False)) if x != y), 0)
    return f"  … {one[max(0, first - 300) : first + 300]} …"


def text(stream: Stream) -> list[str]:
    """What a stream has told, message by message."""
    return [json.dumps(message, ensure_ascii=False) for message in stream.told]


# ---- a live game ----------------------------------------------------------------------------------------------------


def record(case: Case, seed: int, backend: str, longest: int = LONGEST) -> list[Step]:
    """A random game, of at most so many answers."""
    position = case.start(seed, backend)
    pick = random.Random(f"{case} {seed}")
    steps: list[Step] = []
    for _ in range(longest):
        decision = position.decision
        if decision is None:
            break
        choice = decision.choices[pick.randrange(decision.count)].id
        before = position.copy()
        position.apply(choice)
        events = position.machine.events
        picked = any(e.event < -len(position.compiled.program.dice) for e in events)
        steps.append(Step(before, choice, position.copy(), events, picked, frozenset(named(position, events))))
    return steps


def named(position: Position, events: list[Event]) -> Iterator[tuple[int, Known]]:
    """The pieces that the log names, and to whom."""
    compiled = position.compiled
    for event in events:
        if event.event < 0 or compiled.events[event.event].what in ("draw", "disclose"):
            continue
        info = compiled.events[event.event]
        masks = dict(zip(info.secret, event.args[len(info.types) :], strict=False))
        for i, ty in enumerate(info.types):
            inner = strip(ty.of) if isinstance(ty, SetT | ListT) else strip(ty)
            if not isinstance(inner, KindT) or inner.kind not in compiled.secrecy.sees:
                continue
            value, mask = event.args[i], masks.get(i, -1)  # who looks sees all
            low = inner.sort.low if isinstance(ty, SetT) and inner.sort else 0
            pieces = [v + low for v in value] if isinstance(value, tuple) else [value]
            for seat in range(compiled.world.players.size):
                if isinstance(mask, int) and mask >> seat & 1 and (event.to == -1 or event.to >> seat & 1):
                    yield from ((seat, (inner.kind, piece)) for piece in pieces)


@cache
def states() -> dict[tuple[object, ...], Message]:
    """What was seen before, by what it follows from."""
    return {}


def state(position: Position, seat: int) -> Message:
    """What a seat sees, worked out once for all positions of which it has the same view, byte for byte."""
    view = position.view(seat)
    key = (position.compiled, seat, bytes(view.block), tuple(view.seen.closed.items()), view.seen.fields)
    known = states()
    if key not in known:
        if len(known) > MOST_STATES:
            known.clear()
        known[key] = readable.seen(position.compiled, view)
    return known[key]


def hidden(position: Position, seat: int) -> set[Known]:
    """Every piece and field that is closed to a seat."""
    seen = sightings(position.compiled, position.cells, seat, position.evaluate)
    return {(kind, i) for kind, pieces in seen.closed.items() for i in pieces} | set(seen.fields)


# ---- twins ----------------------------------------------------------------------------------------------------------


def play(case: Case, seed: int, counts: Counter[str] | None = None, most: int = 10_000, longest: int = LONGEST) -> None:
    """A random game, at whose decisions at most so many twins are made. Raises Leak."""
    counts = Counter() if counts is None else counts
    steps = record(case, seed, "python" if seed % 2 or not wasm.available() else "wasm", longest)
    pick = random.Random(f"twins {case} {seed}")
    starts = [(first, seat) for first in range(len(steps)) for seat in range(len(case.game.players))]
    for first, seat in sorted(pick.sample(starts, min(most, len(starts)))):
        counts["twins"] += 1
        far = pick.randint(1, FURTHEST)
        if pick.random() < 0.3:
            _blind(steps, first, seat, pick.getrandbits(60), counts)
        else:
            _informed(steps[first : first + far], seat, pick.getrandbits(60), counts)


def _blind(steps: list[Step], first: int, seat: int, seed: int, counts: Counter[str]) -> None:
    """A twin of which nothing is known, compared until somebody learns something."""
    twin = twin_of(steps[first].before, seat, seed, set(), counts, informed=False)
    for step in steps[first:]:
        known = twin.position.known
        if step.after.known != step.before.known:
            counts["ended: something was learned"] += 1
            return
        if not _goes_on(twin, step, counts):
            return
        if twin.position.known != known:
            counts["ended: something was learned"] += 1
            return
    counts["lasted"] += 1


def _informed(steps: list[Step], seat: int, seed: int, counts: Counter[str]) -> None:
    """A twin in which that is as in the live game what the seat will learn in the steps; chance brings the same."""
    closed = hidden(steps[0].before, seat)
    keep: set[Known] = set()
    for step in steps:
        keep |= closed - hidden(step.after, seat)
        keep |= {known for to, known in step.named if to == seat}
    twin = twin_of(steps[0].before, seat, seed, keep, counts, informed=True)
    random_cells = slice(header.RANDOM, header.RANDOM + 4)
    twin.position.cells[random_cells] = steps[0].before.cells[random_cells]
    for step in steps:
        opened = hidden(step.before, seat) - hidden(step.after, seat) or step.named
        if step.picked and opened:
            counts["ended: something was drawn"] += 1
            return
        if not _goes_on(twin, step, counts):
            return
        if step.picked:
            counts["ended: something was drawn"] += 1
            return
    counts["lasted"] += 1


def _goes_on(twin: Twin, step: Step, counts: Counter[str]) -> bool:
    """Takes a step in a twin; whether both go on together. Raises Leak."""
    if not follow(twin, step):
        counts["ended: a choice that only one of two offers"] += 1
        return False
    if twin.parted(step):
        counts["ended: something was disclosed"] += 1
        return False
    twin.check_undo(step)
    counts["steps"] += 1
    twin.live.after(step.after)
    twin.other.after(twin.position)
    if not twin.compare(step.after):
        counts["ended: one waits for the other side"] += 1
        return False
    return True


def other_numbers(position: Position, twin: Position) -> int:
    """How many numbers of pieces are others in a twin."""
    layout = position.compiled.layout
    numbers = [r for f, r in layout.fields.items() if f.owner in layout.at and isinstance(f.type, IntT)]
    cells = [cell for r in numbers for cell in range(r.base, r.base + r.count)]
    return sum(position.cells[cell] != twin.cells[cell] for cell in cells)


def twin_of(
    position: Position, seat: int, seed: int, keep: set[Known], counts: Counter[str], *, informed: bool
) -> Twin:
    """A twin made from a live position. Raises Leak if it can be told from it."""
    streams = Stream(seat, looks=state), Stream(seat, looks=state)
    made = Twin(seat, position.redealt(seat, seed, keep, answers=not informed), *streams, {})
    made.names = renaming(position.view(seat).seen, chance(seed), keep)
    counts["other numbers"] += other_numbers(position, made.position)
    counts["different"] += made.position.block[: 4 * header.RANDOM] != position.block[: 4 * header.RANDOM] or (
        made.position.block[4 * header.HEADER :] != position.block[4 * header.HEADER :]
    )
    wrong = list(broken(made.position.compiled, made.position.cells))
    if wrong:
        raise AssertionError(f"a re-dealt position is impossible: {wrong}")
    if made.position.view(seat).block != position.view(seat).block:
        raise Leak(f"seat {seat} sees another position")
    made.live.after(position)
    made.other.after(made.position)
    made.compare(position)
    return made


def _translated(twin: Twin, decision: Decision, written: str) -> str:
    """A choice as it is written in the twin: of closed pieces it names those that stand in their places."""
    choice = decision.find(written)
    if choice.option < 0:
        return written
    info = decision.position.compiled.decisions[decision.pending.decision].options[choice.option]
    words = [info.name]
    for value, ty in zip(choice.values, info.binders, strict=True):
        names = twin.names.get(ty.kind, {}) if isinstance(ty, KindT) else {}
        words.append(thing_id(names.get(value, value), ty))
    return " ".join(words)


def follow(twin: Twin, step: Step) -> bool:
    """Takes the same choice in a twin; whether it is offered."""
    mine, other = step.before.decision, twin.position.decision
    assert mine is not None
    if other is None or (mine.seat, mine.id) != (other.seat, other.id):
        return False
    choice = next((c for c in other.choices if c.id == _translated(twin, mine, step.choice)), None)
    if choice is None:
        if mine.seat == twin.seat:
            raise Leak(f"seat {twin.seat} is offered `{step.choice}` in one of two positions only")
        return False
    twin.known = twin.position.known
    try:
        twin.position.apply(choice)
    except RuleFault as fault:
        raise AssertionError(f"the rules fail in a re-dealt position: {fault}") from None
    return True


def secretive(*names: str) -> list[Case]:
    """Every scenario of a game for tests in which something is hidden, or of the games of these names."""
    folders = [f for f in games.folders() if f.name in names] if names else sorted(FIXTURES.iterdir())
    found = [Case(f, name, ()) for f in folders for name in games.loaded(f).scenarios or [None]]
    return [c for c in found if c.game.compiled(c.scenario, {}).secrecy.any]


def main(given: list[str]) -> int:
    """Plays many games; the exit code."""
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--games", dest="count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    found = parser.parse_args(given)
    for case in secretive(*found.games):
        counts: Counter[str] = Counter()
        for seed in range(found.seed, found.seed + found.count):
            try:
                play(case, seed, counts)
            except AssertionError as error:
                print(f"{case}, seed {seed}: {error}")
                return 1
        print(f"{case}: {found.count} games, {dict(counts)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
