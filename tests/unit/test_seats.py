"""What a person, a program or a reader with one seat is told of a game with secrets, through every door."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from interpreter.game import load
from interpreter.play import keyboard, seats, sittings, table
from interpreter.play.protocol import serve
from interpreter.play.tabletop import Leave, Table, make_console
from interpreter.runtime.record import Record
from interpreter.runtime.texts import PLAIN
from tests.contract.games import FIXTURES

DUEL = FIXTURES / "duel"


def record(seed: int = 3, path: Path | None = None, bots: dict[str, str] | None = None) -> Record:
    return Record.new(load(DUEL), seed=seed, path=path, bots=bots)


def held(game: Record, seat: int) -> set[str]:
    """Ids and titles of the cards in a hand."""
    cards = game.position.to_json()["fields"]["card"]  # type: ignore[index]
    ids = {i for i, card in cards.items() if card["at"] == f"hand[{game.game.players[seat]}]"}
    return ids | {i.replace("_", " ").capitalize() for i in ids}


def sit(game: Record, typed: list[str], bots: dict[str, str] | None = None) -> str:
    """Plays at a table; all that was printed."""
    out = io.StringIO()
    lines = iter(typed)
    prompts: list[str] = []

    def ask(prompt: str, complete: object) -> str:
        out.write(prompt + "\n")
        prompts.append(prompt)
        line = next(lines, None)
        if line is None:
            raise EOFError
        return line

    made = Table(game, bots or {}, PLAIN, make_console(out, False), ask)
    with pytest.raises(EOFError):
        table.sit(made)
    return out.getvalue()


def test_the_keyboard_is_handed_over() -> None:
    game = record()
    hands = [held(game, seat) for seat in (0, 1)]
    shown = sit(
        game, ["", "stance bold", "", "", "stance wary", "", "", "show pieces", "lay knight_1", "", "", "show pieces"]
    )
    parts = re.split(r"(\w+), press Enter\. \n", shown)
    assert parts[1::2] == ["North", "South", "North", "South"]
    for who, text in zip(parts[1::2], parts[2::2], strict=True):
        other = hands[1] if who == "North" else hands[0]
        assert not [card for card in other if re.search(rf"\b{card}\b", text)], f"{who} sees a card of the other hand"
    assert shown.count("Press Enter to clear the screen, then pass the keyboard to") == 3


@pytest.mark.parametrize(("typed", "choices"), [(["quit"], 0), (["", "stance bold", " Quit"], 1)])
def test_who_is_to_press_enter_may_stop_instead(typed: list[str], choices: int) -> None:
    game, lines = record(), iter(typed)
    made = Table(game, {}, PLAIN, make_console(io.StringIO(), False), lambda prompt, complete: next(lines))
    with pytest.raises(Leave):
        table.sit(made)
    assert game.choices == choices


def test_a_terminal_is_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    wiped: list[Table] = []
    monkeypatch.setattr(seats, "clear", wiped.append)
    sit(record(), ["", "stance bold", "", "", "stance wary"])
    assert len(wiped) == 3, "before and after the keyboard changes hands"


def test_against_a_bot_nothing_is_handed_over() -> None:
    game = record(bots={"south": "random"})
    hand = held(game, 1)
    shown = sit(game, ["stance bold", "show pieces", "show players", "log"], {"south": "random"})
    assert "press Enter" not in shown and "pass the keyboard" not in shown
    assert "South (random)" in shown
    assert not [card for card in hand if re.search(rf"\b{card}\b", shown)]
    assert "Take the stance" in shown and shown.count("stance: ") == 1, "one stance is seen, its own"


def test_a_program_with_a_seat_is_told_its_side_alone() -> None:
    game = record(bots={"south": "random"})
    hand = held(game, 1)
    requests = [{"choose": "stance bold"}, {"state": True}, {"undo": True}]
    out = io.StringIO()
    serve(game, {"south": "random"}, "north", io.StringIO("".join(json.dumps(r) + "\n" for r in requests)), out)
    messages = [json.loads(line) for line in out.getvalue().splitlines()]
    assert not [card for card in hand if re.search(rf"\b{card}\b", out.getvalue())]
    kinds = [m["type"] for m in messages]
    assert kinds == ["game", "decision", "decides", "decision", "state", "error"]
    assert messages[2] == {"type": "decides", "player": "south"}
    assert messages[3]["plies"] == 1, "its own choices alone are counted"
    assert {"kind": "card", "name": "a card", "at": "hand[south]", "count": 5} in messages[4]["state"]["closed"]
    assert "stance" not in messages[4]["state"]["fields"]["player"]["south"]
    assert messages[5]["message"] == "somebody has learned something since"


def test_a_replay_for_one_side(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    with record(path=path) as game:
        hand = held(game, 1)
        for choice in ("stance bold", "stance wary", "lay knight_1"):
            game.apply(choice)
        laid = next(c.id for c in game.position.decision.choices)  # type: ignore[union-attr]
        game.apply(laid)
        out = io.StringIO()
        sittings.tell_seat(game, 0, out)
    told = out.getvalue()
    assert "north: lay knight_1" in told and "south:" not in told
    assert "South lays a card" in told and "South shows" in told
    unseen = [c for c in hand if c not in laid and c.lower().replace(" ", "_") not in laid]
    assert not [card for card in unseen if re.search(rf"\b{card}\b", told)]


def test_without_secrets_everybody_looks() -> None:
    game = Record.new(load(FIXTURES / "muster"), seed=1)
    made = Table(game, {}, PLAIN, make_console(io.StringIO(), False), lambda prompt, complete: "")
    seats.take_seat(made)
    seats.hand_over(made, 1)
    assert made.viewer is None and seats.position(made) is game.position


def test_who_sits_down_does_not_find_what_the_other_has_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The arrow keys would bring it back."""
    up, lines = "\x1b[A", ["", "stance bold", "", ""]
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        terminal = keyboard.Terminal(False)
        made = Table(record(), {}, PLAIN, make_console(io.StringIO(), False), terminal)
        typed: list[str] = []

        def ask(self: keyboard.Terminal, prompt: str, complete: keyboard.Complete) -> str:
            keys.send_text((lines[len(typed)] if len(typed) < len(lines) else up) + "\r")
            typed.append(call(self, prompt, complete))
            if len(typed) > len(lines):
                raise EOFError
            return typed[-1]

        call = keyboard.Terminal.__call__
        monkeypatch.setattr(keyboard.Terminal, "__call__", ask)
        with pytest.raises(EOFError):
            table.sit(made)
    assert typed == ["", "stance bold", "", "", ""]
