"""The shape of files: what the schemas accept, and one error a mistake."""

from __future__ import annotations

import subprocess
import sys

import pytest

from interpreter.diagnostics import Bag, Diagnostic
from interpreter.reading.schema import snake, validate
from interpreter.reading.yamltree import read
from interpreter.source import Source

GAME = "game: x\nplayers: [a]\n"


def check(schema: str, text: str) -> list[Diagnostic]:
    bag = Bag()
    node = read(Source("t.yaml", text), bag)
    assert node is not None and not bag.items
    good = validate(node, schema, bag)
    assert good == (not bag.items)
    return list(bag)


def told(schema: str, text: str) -> list[tuple[str, str]]:
    """Codes, and what is underlined."""
    return [(d.code, d.span.text if d.span else "") for d in check(schema, text)]


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ("game", GAME),
        ("game", GAME + "kinds: {a: , b: {}, c: {f: int}}\n"),
        ("game", GAME + "enums: {a: [b], c: {of: [d], ordered: true}, e: {of: {f: F}}}\n"),
        ("game", GAME + "map: {edges: [[a, b]]}\nphases: {p: {do: go()}}\noptions: {o: {default: true}}\n"),
        ("game", "game: x\nplayers:\n  - {id: a, title: 8, gold: [1, {b: c}]}\n  - b\n"),
        ("game", GAME + "looks: {a: [{text: o, style: bold bright_red on blue}]}\n"),
        ("map", "grid: {kind: a, columns: [a, b], rows: [1, x, 3], neighbours: 6}\n"),
        ("map", "edges: [{road: , between: [a, b], cost: 1}, {between: [a, b]}]\n"),
        ("entries", "[]\n"),
        ("entries", "- card: a\n  anything: [1, {b: null}]\n  source: {anything: public}\n"),
        ("options", "a: {default: false}\n"),
        ("options", "option: a\ndefault: true\n"),
        ("options", "- {option: a, default: true}\n"),
        ("phases", "a: {each: player, from: x, while: true, phases: {b: {phases: {c: {do: go()}}}}}\n"),
        ("scenarios", "scenario: a\nset: {b: {c: 1}, d: 3}\nplace: {e: 'f[g]'}\n"),
        ("scenarios", "- scenario: a\n- scenario: b\n"),
        ("tests", "- test: 1\n  when: [{a: yes}, {dice: [1, x]}, {b: 3}]\n  then: [true, a == b]\n"),
        ("texts", "A text: 다른 글\n1: 2\n"),
        ("rulebook", "sections: [{id: 1.2, title: A}]\n"),
    ],
)
def test_good_files(schema: str, text: str) -> None:
    assert check(schema, text) == []


@pytest.mark.parametrize(
    ("schema", "text", "expected"),
    [
        ("game", GAME + "enums: {a: b}\n", ("wrong-type", "b")),
        ("game", GAME + "enums: {a: {of: 3}}\n", ("wrong-type", "3")),
        ("game", GAME + "kinds: {a: {f: {type: int, mni: 3}}}\n", ("unknown-key", "mni")),
        ("game", GAME + "kinds: {a: {f: {type: int, min: x}}}\n", ("wrong-type", "x")),
        ("game", GAME + "kinds: {a: {holds: {b: 1}}}\n", ("missing-key", "b")),
        ("game", GAME + "kinds: {a: {holds: [{b: many, inverse: c}]}}\n", ("bad-value", "many")),
        ("game", GAME + "kinds: {a: {holds: [{b: 0, inverse: c}]}}\n", ("bad-value", "0")),
        ("game", GAME + "kinds: {a: {f: [int]}}\n", ("wrong-type", "[int]")),
        ("game", GAME + "zones: {a: {of: b, per: [c, d, e]}}\n", ("bad-size", "per")),
        ("game", "game: x\nplayers: [{title: A}]\n", ("missing-key", "title")),
        ("game", "game: x\nplayers: [[a]]\n", ("wrong-type", "[a]")),
        (
            "game",
            GAME + "map: {grid: {kind: a, columns: a..c, rows: 1..3, neighbour: 4}}\n",
            ("unknown-key", "neighbour"),
        ),
        ("map", "edges: [[a, b], [a, 3]]\n", ("wrong-type", "3")),
        ("map", "edges: [{road: x, between: a}]\n", ("wrong-type", "a")),
        ("options", "option: a\ndefault: true\ntitel: b\n", ("unknown-key", "titel")),
        ("options", "a: {default: true, hooks: []}\n", ("unknown-key", "hooks")),
        ("options", "- {option: A, default: true}\n", ("bad-name", "A")),
        ("phases", "a: {phases: {b: {phases: {c: {doo: go()}}}}}\n", ("unknown-key", "doo")),
        ("scenarios", "- scenario: a\n  places: {}\n", ("unknown-key", "places")),
        ("scenarios", "scenario: a\nsource: {b: sure}\n", ("bad-value", "sure")),
        ("tests", "- test: a\n  options: {b: 'on'}\n", ("looks-like-bool", "'on'")),
        ("tests", "- test: a\n  when: [{b: {c: d}}]\n", ("wrong-type", "{c: d}")),
        ("rulebook", "sections: [{id: a}]\n", ("missing-key", "id")),
        ("game", "game: |\n  x\nplayers: [a]\n", ("bad-name", "|\n  x")),
        ("game", "game: été\nplayers: [a]\n", ("bad-name", "été")),
    ],
)
def test_one_error_about_the_branch_that_was_meant(schema: str, text: str, expected: tuple[str, str]) -> None:
    found = told(schema, text)
    if text.count("neighbour:"):
        found.remove(("missing-key", "kind"))  # the misspelt key is also missing
    assert found == [expected]


def test_bad_names_hide_what_stands_below_them() -> None:
    assert told("game", GAME + "kinds: {B: {c: {d: e}}}\n") == [("bad-name", "B")]


def test_cut_expressions() -> None:
    assert told("phases", "p: {skip_if: f(a, g(b), c), do: x}\n") == [("half-expression", "f(a, g(b), c)")]
    assert told("phases", "p: {skip_if: f(a, k: b), do: x}\n") == [("half-expression", "f(a, k: b)")]
    assert told("entries", "- {a: b, c: f(a, b)}\n") == [("half-expression", "f(a, b)")]
    assert told("tests", "- test: a\n  then: [f(a, b), 'g(a, b)']\n") == [("half-expression", "f(a, b)")]
    assert told("entries", "- {a: b, c: f(a), d: 'g(a, b)', e: (}\n") == []
    assert told("tests", "- test: a\n  then:\n    - f(a, b)\n    - (x\n    - y)\n") == []


def test_what_was_expected_is_said_in_words() -> None:
    (found,) = check("game", GAME + "kinds: {a: {f: [int]}}\n")
    assert found.message == "expected text or a map for `f`, got a list"
    (found,) = check("game", GAME + "title: null\n")
    assert found.message == "expected text for `title`, got `null`"
    (found,) = check("map", "edges: [3]\n")
    assert found.message == "expected a list or a map, got the number `3`"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Große Stadt", "grosse_stadt"),
        ("takeTurn", "take_turn"),
        ("a-b c", "a_b_c"),
        ("King's Guard", "kings_guard"),
        ("3rd", "rd"),
        ("한", ""),
        ("Séance", "seance"),
    ],
)
def test_names_in_their_right_form(text: str, name: str) -> None:
    assert snake(text) == name


def test_jsonschema_is_imported_only_when_a_file_is_checked() -> None:
    code = "import sys, interpreter.reading.load; sys.exit('jsonschema' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
