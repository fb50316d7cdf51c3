"""What one player is told of a game in progress, and nothing else: the one way in which anything reaches him.

He is told what he sees, the lines of the log that are for him, his own questions, and of those of the others only whose
turn it is to decide: not what is asked, nor how often before something else shows. A question that is reached on
grounds which not everybody knows (it is "dark") is not told to the others at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from interpreter.core import rng
from interpreter.core.header import ANSWERS
from interpreter.runtime import readable
from interpreter.runtime.sightings import closed_to

if TYPE_CHECKING:  # the facade comes later than this module; callers hand its objects in
    from interpreter.game import Choice, Decision, Line, Outcome, Position

Message = dict[str, Any]


def is_secretive(position: Position) -> bool:
    """Whether anything is ever hidden from anybody in this game."""
    return position.compiled.secrecy.any


def state(position: Position, seat: int) -> Message:
    """What a player sees of a position, by names; closed pieces as counts by place and look."""
    return readable.seen(position.compiled, position.view(seat))


def lines_for(lines: Iterable[Line], seat: int) -> list[str]:
    """The lines of a log that a player may read, as he reads them."""
    found = (line.read_by(seat) for line in lines)
    return [text for text in found if text is not None]


def is_dark(decision: Decision) -> bool:
    """Whether others are not even told that this question is asked."""
    return decision.position.compiled.decisions[decision.pending.decision].dark


def question(decision: Decision) -> Message:
    """A question as the player who is asked is told it."""
    choices = [{"id": choice.id, "text": choice.text} for choice in decision.choices]
    return {"player": decision.player, "id": decision.id, "prompt": decision.prompt, "choices": choices}


def outcome_for(position: Position, seat: int) -> Outcome | None:
    """How a game ended, as a player is told it: what he can't see is not named."""
    return position.outcome_hiding(lambda value, ty: closed_to(position.compiled, position.evaluate, seat, value, ty))


def imagined(position: Position, seat: int, seed: int) -> Position:
    """A whole position for a bot to think about: what its side does not see is dealt anew, by (seed, seat, answers)."""
    if not is_secretive(position):
        return position.copy()
    return position.redealt(seat, rng.splitmix64(rng.stream(seed, seat) ^ position.cells[ANSWERS]))


def choice_for(decision: Decision, choice: Choice) -> Choice:
    """The choice of a question that has the written form of one of an imagined position. Raises UsageError."""
    return decision.find(choice.id)


@dataclass(eq=False)
class Stream:
    """Everything that the player in a seat is told, in order, as messages.

    `told`: what he was told so far, in the language of the position; `looks`: how he sees a position.
    """

    seat: int
    told: list[Message] = field(default_factory=list)
    looks: Callable[[Position, int], Message] = state
    _view: Message | None = None
    _waiting: str | None = None
    _held: list[Message] = field(default_factory=list)

    def after(self, position: Position) -> list[Message]:
        """What he is told when a game has begun, or a choice was carried out; also kept in `told`."""
        self._held += [{"type": "log", "text": text} for text in lines_for(position.lines, self.seat)]
        decision = position.decision
        if decision is not None and decision.seat != self.seat and is_dark(decision):
            return []  # that play has paused here must not show
        new, self._held = self._held, []
        seen = self.looks(position, self.seat)
        if seen != self._view:
            self._view = seen
            new.append({"type": "state", "state": seen})
        if new:
            self._waiting = None
        if decision is None:
            ended = outcome_for(position, self.seat)
            assert ended is not None
            new.append({"type": "outcome", "winner": ended.winner, "text": ended.text})
        elif decision.seat == self.seat:
            self._waiting = None
            new.append({"type": "decision", **question(decision)})
        elif self._waiting != decision.player:
            self._waiting = decision.player
            new.append({"type": "decides", "player": decision.player})
        self.told += new
        return new
