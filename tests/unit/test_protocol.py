"""Play by other programs: one JSON object a line, both ways."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from interpreter.diagnostics import UsageError
from interpreter.game import Line, load
from interpreter.play.protocol import serve
from interpreter.runtime.record import Record

ROOT = Path(__file__).resolve().parents[2]
MUSTER = ROOT / "tests" / "games" / "muster"
DROPPING = ROOT / "tests" / "data" / "dropping"
FORMS = {  # every kind of message, with its keys
    "game": "type protocol game title scenario options players bots seat backend notes save",
    "decision": "type player id prompt choices steps plies",
    "log": "type choice text",
    "error": "type message help",
    "state": "type state",
    "undone": "type choices plies",
    "outcome": "type finished winner text plies",
}


def talk(record: Record, *requests: object, bots: dict[str, str] | None = None, seat: str | None = None) -> list[Any]:
    """All messages for some requests; strings are sent as they are."""
    lines = [one if isinstance(one, str) else json.dumps(one) for one in requests]
    out = io.StringIO()
    assert serve(record, bots or {}, seat, io.StringIO("".join(line + "\n" for line in lines)), out) == 0
    messages = [json.loads(line) for line in out.getvalue().splitlines()]
    for message in messages:
        assert set(FORMS[message["type"]].split()) <= set(message)
        assert set(message) <= {*FORMS[message["type"]].split(), "seed", "code", "place"}
    return messages


def kinds(messages: list[Any]) -> list[str]:
    return [message["type"] for message in messages]


def test_a_whole_game() -> None:
    """A program that always takes the last choice comes to the end; the game is that of the engine."""
    record = Record.new(load(MUSTER), seed=2)
    other = load(MUSTER).start(seed=2)
    requests = []
    while (decision := other.decision) is not None:
        requests.append({"choose": decision.choices[-1].id})
        other.apply(decision.choices[-1])
    messages = talk(record, *requests)
    assert messages[0]["seed"] == 2
    assert messages[-1]["type"] == "outcome"
    assert other.outcome is not None
    assert (messages[-1]["winner"], messages[-1]["text"]) == (other.outcome.winner, other.outcome.text)
    assert kinds(messages).count("decision") == len(requests)
    assert record.position.to_bytes() == other.to_bytes()


def test_steps_and_undo() -> None:
    record = Record.new(load(DROPPING))
    start = record.position.to_bytes()
    messages = talk(
        record, {"choose": "red_stone_1"}, {"undo": True}, {"choose": "red_stone_3"}, {"choose": "done"}, {"undo": True}
    )
    assert kinds(messages) == [
        *("game", "decision", "decision", "undone", "decision", "decision"),
        *("log", "decision", "undone", "decision"),
    ]
    assert messages[2]["steps"] == ["drop red_stone_1"]
    assert messages[1] == messages[4] == messages[9]
    assert record.position.to_bytes() == start
    assert talk(record, {"undo": True})[-1]["message"] == "there is nothing to undo"


def test_a_set_is_named_at_once() -> None:
    record = Record.new(load(DROPPING))
    messages = talk(
        record, {"choose": "drop {red_stone_3 red_stone_1}"}, {"undo": True}, {"choose": "drop {red_stone_9}"}
    )
    assert kinds(messages)[1:] == ["decision", "log", "decision", "undone", "decision", "error"]
    assert messages[-1]["message"] == "`red_stone_9` is not among the members of the set"
    talk(record, {"choose": "{red_stone_3}"})
    assert [answer.choose for answer in record.answers] == [("drop red_stone_3", "done")]


def test_mistakes_change_nothing() -> None:
    record = Record.new(load(MUSTER))
    start = record.position.to_bytes()
    wrong = [
        "",
        "x",
        "[]",
        "{}",
        "3",
        "null",
        '{"chose": "x"}',
        '{"choose": "a", "undo": true}',
        '{"choose": 3}',
        "[" * 9999,
    ]
    wrong += ['{"choose": "go northern_1 nowhere"}', '{"choose": ""}', '{"choose": null}', '{"undo": true}']
    messages = talk(record, *wrong)
    assert kinds(messages) == ["game", "decision", *["error"] * len(wrong)]
    assert all(message["message"] for message in messages[2:])
    assert record.position.to_bytes() == start
    messages = talk(record, "x" * 2_000_000, {"quit": True}, "not read")
    assert "too long" in messages[2]["message"]


def test_state_and_bots() -> None:
    record = Record.new(load(MUSTER), bots={"south": "random"}, seed=6)
    messages = talk(record, {"choose": "go northern_1 ford"}, {"state": True}, bots={"south": "random"})
    assert [m["player"] for m in messages if m["type"] == "decision"] == ["north", "north"]
    assert messages[-1]["state"] == record.position.to_json()
    assert messages[-1]["state"]["fields"]["army"]["northern_1"]["at"] == "ford"


def test_a_seat_is_told_what_its_side_may_know() -> None:
    record = Record.new(load(MUSTER), bots={"south": "random"}, seed=6)
    record.history[0] = [Line("for all"), Line("for north", frozenset({0})), Line("for south", frozenset({1}))]
    messages = talk(record, {"state": True}, bots={"south": "random"}, seat="north")
    assert "seed" not in messages[0]
    assert [m["text"] for m in messages if m["type"] == "log"] == ["for all", "for north"]
    assert not {"generator", "frames", "block", "answers", "known"} & set(messages[-1]["state"])
    assert messages[-1]["state"]["fields"] == record.position.to_json()["fields"], "nothing is closed in this game"
    assert messages[-1]["state"]["closed"] == []
    assert len([m for m in talk(record, {"quit": True}) if m["type"] == "log"]) == 3


def test_every_side_is_played() -> None:
    record = Record.new(load(MUSTER))
    with pytest.raises(UsageError, match="nobody plays `south`"):
        serve(record, {}, "north", io.StringIO(), io.StringIO())
    with pytest.raises(UsageError, match="played by a bot"):
        serve(record, {"north": "random", "south": "random"}, "north", io.StringIO(), io.StringIO())
    with pytest.raises(UsageError, match="no side `nobody`"):
        serve(record, {}, "nobody", io.StringIO(), io.StringIO())


def test_cap() -> None:
    record = Record.new(load(MUSTER), bots={"north": "random", "south": "random"})
    record.max_plies = 4
    messages = talk(record, bots=record.bots)
    assert messages[-1] == {
        "type": "outcome",
        "finished": False,
        "winner": None,
        "text": "stopped after 4 plies",
        "plies": 4,
    }


def test_as_a_process(tmp_path: Path) -> None:
    """Answers come at once, line by line; what was chosen is in the save when the process goes away."""
    save = tmp_path / "save.jsonl"
    command = [sys.executable, "-m", "interpreter", "play", "grid_sparta", "--protocol", "jsonl", "--save", str(save)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True, encoding="utf-8") as program:
        assert program.stdin is not None
        assert program.stdout is not None
        greeting = json.loads(program.stdout.readline())
        assert greeting["save"] == str(save)
        question = json.loads(program.stdout.readline())
        assert len(question["choices"]) == 80
        program.stdin.write(json.dumps({"choose": question["choices"][7]["id"]}) + "\n")
        program.stdin.flush()
        assert json.loads(program.stdout.readline())["type"] == "log"
        assert json.loads(program.stdout.readline())["player"] == "achaea"
        program.kill()
    record = Record.open(save, load, write=False)
    assert record.answers[0].choose == (question["choices"][7]["id"],)


def test_the_page_is_true() -> None:
    """docs/protocol.md: its examples are JSON, its messages have the keys that are sent, its session can be played."""
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    for block in re.findall(r"```jsonl\n(.*?)```", page, re.DOTALL):
        for line in block.splitlines():
            json.loads(line.removeprefix("< ").removeprefix("> "))
    for kind, keys in FORMS.items():
        row = next(line for line in page.splitlines() if line.startswith(f"| `{kind}` |"))
        for key in keys.split()[1:]:
            assert f"`{key}`" in row, (kind, key)
    session = re.search(r"<!-- session -->\n```jsonl\n(.*?)```", page, re.DOTALL)
    assert session is not None
    said = session.group(1).splitlines()
    record = Record.new(load("grid_sparta"), seed=1)
    messages = talk(record, *(line[2:] for line in said if line.startswith("> ")))
    wanted = [json.loads(line[2:]) for line in said if line.startswith("< ")]
    for message, want in zip(messages[1:], wanted, strict=True):
        shortened = (
            {**message, "choices": message["choices"][:2]} if isinstance(message.get("choices"), list) else message
        )
        assert shortened == want
