"""`--protocol jsonl`: one JSON object a line on standard input and output, for other programs. Documented in
docs/protocol.md.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TextIO

from interpreter.diagnostics import RuleFault, UsageError, did_you_mean
from interpreter.game import Decision
from interpreter.play.bots import bot_choice
from interpreter.runtime import stream
from interpreter.runtime.journal import SaveError
from interpreter.runtime.record import Record, Stopped
from interpreter.runtime.sets import spelt_out

VERSION = 1
LONGEST = 1_000_000  # characters of a request

Message = dict[str, Any]

REQUESTS = ("choose", "undo", "state", "quit")
_FORMS = 'requests: {"choose": "ID"}, {"undo": true}, {"state": true}, {"quit": true}'


def serve(record: Record, bots: Mapping[str, str], seat: str | None, source: TextIO, out: TextIO) -> int:
    """Plays a game with a program at the other end until it ends, the program quits or its input ends; the exit code.

    With a `seat` the program is told what that side may know; bots must play all others. The record is left open.
    """
    players = record.game.players
    others = [p for p in players if p not in bots and p != seat]
    if seat is not None and seat not in players:
        raise UsageError(f"there is no side `{seat}`", did_you_mean(seat, players) or f"sides: {', '.join(players)}")
    if seat is not None and others:
        raise UsageError(f"nobody plays `{others[0]}`", f"let a bot do it: `--bot {others[0]}=random`")
    if seat is not None and seat in bots:
        raise UsageError(f"`{seat}` is played by a bot and has the seat", "leave `--seat` or the bot out")
    own = None if seat is None else players.index(seat)
    _send(out, _greeting(record, bots, seat))
    told = _tell(record, own, 0, out)
    decides: str | None = None
    asked: tuple[int, int] | None = None
    while (decision := record.position.decision) is not None:
        try:
            if decision.player in bots:
                decides = _decides(record, own, decides, out)
                name = bots[decision.player]
                record.apply(bot_choice(name, record.position, record.setup.seed))
                before, told = told, _tell(record, own, told, out)
                decides = decides if told == before or not _told(record, own, before) else None
                continue
            at = (record.choices, len(record.steps))
            if at != asked:
                _send(out, _question(record, decision, own))
                decides = None
                asked = at
            line = source.readline(LONGEST)
            if not line:
                return 0
            request = _request(line)
            if "quit" in request:
                return 0
            if "state" in request:
                _send(out, {"type": "state", "state": _state(record, own)})
            elif "undo" in request:
                record.undo(own, take_back=own is None)
                told = min(told, len(record.history))
                asked = None
                _send(out, {"type": "undone", "choices": _choices(record, own), "plies": _plies(record, own)})
            else:
                for step in spelt_out(decision, _choice(request["choose"])):
                    record.apply(step)
                told = _tell(record, own, told, out)
        except (UsageError, SaveError) as error:
            _send(out, {"type": "error", "message": error.message, "help": error.help})
            if decision.player in bots:
                return 1  # the bot would only choose the same again
        except RuleFault as fault:
            message, place = fault.diagnostic.message, {"code": fault.diagnostic.code, "place": fault.place}
            if own is not None and stream.is_secretive(record.position):  # its figures may be those of hidden things
                message, place = "the rules could not carry this out", {"code": "fault", "place": ""}
            _send(out, {"type": "error", "message": message, "help": "", **place})
            if decision.player in bots:
                return 1
        except Stopped as stopped:
            _send(
                out,
                {"type": "outcome", "finished": False, "winner": None, "text": str(stopped)}
                | {"plies": stopped.plies if own is None else _plies(record, own)},
            )
            return 0
    outcome = record.position.outcome if own is None else stream.outcome_for(record.position, own)
    assert outcome is not None  # there is either a question or an end
    end = {"type": "outcome", "finished": True, "winner": outcome.winner, "text": outcome.text}
    _send(out, end | {"plies": _plies(record, own)})
    return 0


def _greeting(record: Record, bots: Mapping[str, str], seat: str | None) -> Message:
    game, setup = record.game, record.setup
    message: Message = {"type": "game", "protocol": VERSION, "game": game.name, "title": game.title}
    message |= {
        "scenario": setup.scenario or None,
        "options": setup.options,
        "players": game.players,
        "bots": dict(bots),
    }
    message |= {"seat": seat, "backend": record.position.machine.name, "notes": record.notes}
    message["save"] = str(record.path) if record.path is not None else None
    if seat is None:
        message["seed"] = setup.seed  # it would tell a side what chance will bring
    return message


def _question(record: Record, decision: Decision, own: int | None) -> Message:
    message: Message = {"type": "decision", **stream.question(decision)}
    return message | {"steps": list(record.steps), "plies": _plies(record, own)}


def _choices(record: Record, own: int | None, number: int | None = None) -> int:
    """How many choices (of the first `number`) count for the reader: where there are secrets, a side counts its own."""
    answers = record.answers[:number]
    if own is None or not stream.is_secretive(record.position):
        return len(answers)
    return sum(1 for answer in answers if answer.seat == own)


def _told(record: Record, own: int | None, first: int) -> bool:
    """Whether a side was told anything of the answers number `first` and later."""
    return own is None or any(stream.lines_for(lines, own) for lines in record.history[first:])


def _plies(record: Record, own: int | None) -> int:
    secret = own is not None and stream.is_secretive(record.position)
    return _choices(record, own) if secret else record.position.plies


def _tell(record: Record, own: int | None, told: int, out: TextIO) -> int:
    """Sends the log of answers number `told` and later; how many there are now."""
    decision = record.position.decision
    if own is not None and decision is not None and decision.seat != own and stream.is_dark(decision):
        return told  # that play has paused here must not show
    for number in range(told, len(record.history)):
        lines = record.history[number]
        texts = [line.text for line in lines] if own is None else stream.lines_for(lines, own)
        for text in texts:
            _send(out, {"type": "log", "choice": _choices(record, own, number), "text": text})
    return len(record.history)


def _decides(record: Record, own: int | None, before: str | None, out: TextIO) -> str | None:
    """In a game with secrets, tells a side whose turn it is to decide, once; who it was that it was told."""
    decision = record.position.decision
    if own is None or decision is None or decision.seat == own or not stream.is_secretive(record.position):
        return None
    if not stream.is_dark(decision) and decision.player != before:
        _send(out, {"type": "decides", "player": decision.player})
        return decision.player
    return before


def _state(record: Record, own: int | None) -> Message:
    """The position by names; for a seat, what it sees, where `closed` counts the pieces that it can't tell apart."""
    if own is None:
        return record.position.to_json()
    return stream.state(record.position, own) | {"plies": _plies(record, own)}


def _request(line: str) -> Message:
    """What was asked for. Raises UsageError."""
    if len(line) >= LONGEST:
        raise UsageError("the line is too long", _FORMS)
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise UsageError("this is not JSON", _FORMS) from None
    if not isinstance(found, dict) or len(found) != 1 or next(iter(found)) not in REQUESTS:
        raise UsageError("this is no request", _FORMS)
    return found


def _choice(value: object) -> str:
    if not isinstance(value, str):
        raise UsageError("a choice is named by its id", '{"choose": "ID"}, with an `id` of the last decision')
    return value


def _send(out: TextIO, message: Message) -> None:
    out.write(json.dumps(message, ensure_ascii=False, separators=(",", ":")) + "\n")
    out.flush()
