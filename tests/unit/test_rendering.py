"""How diagnostics look."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.diagnostics import ERROR, INFO, WARNING, Bag, Diagnostic, Note
from interpreter.rendering import clean, concise, github, render, summary, to_json, width_of
from interpreter.source import Source, Span


def at(text: str, part: str, path: str = "games/x/rules/40_battle.effects") -> Span:
    start = text.index(part)
    return Span(Source(path, text), start, start + len(part))


def shown(text: str, part: str, label: str = "") -> list[str]:
    """The lines from the frame's first bar on."""
    return render(Diagnostic("code", "message", at(text, part), label)).split("\n")[2:]


def test_the_look_in_full() -> None:
    text = "\n" * 30 + "      let force = u.stenght + bonus(u)\n"
    d = Diagnostic(
        "unknown-name",
        "`unit` has no field `stenght`",
        at(text, "stenght"),
        "not a field of `unit`",
        (
            Note("fields of `unit` are declared here", at("\n\n\n\n\n  unit: {}\n", "unit", "games/x/game.yaml")),
            Note("bare"),
        ),
        "did you mean `strength`?",
        rule="9.2",
    )
    assert (
        render(d)
        == """\
error[unknown-name]: `unit` has no field `stenght`
  --> games/x/rules/40_battle.effects:31:21  (rule 9.2)
   |
31 |       let force = u.stenght + bonus(u)
   |                     ^^^^^^^ not a field of `unit`
note: fields of `unit` are declared here
  --> games/x/game.yaml:6:3
note: bare
help: did you mean `strength`?"""
    )


def test_the_frame_grows_with_the_line_number() -> None:
    assert render(Diagnostic("c", "m", at("\n" * 1233 + "abc", "b"))).split("\n")[1:] == [
        "    --> games/x/rules/40_battle.effects:1234:2",
        "     |",
        "1234 | abc",
        "     |  ^",
    ]


def test_wide_characters() -> None:
    assert shown("제목: 돌놀이 x", "놀이", "here") == ["   |", " 1 | 제목: 돌놀이 x", "   |         ^^^^ here"]
    assert shown("Ｆ: x", "x") == ["   |", " 1 | Ｆ: x", "   |     ^"]
    assert shown("e\u0301e\u0301 x", "x") == ["   |", " 1 | e\u0301e\u0301 x", "   |    ^"]


def test_tabs() -> None:
    assert shown("\ta\tb", "b") == ["   |", " 1 |     a    b", "   |          ^"]
    assert shown("\ta", "\t") == ["   |", " 1 |     a", "   | ^^^^"]


def test_line_ends_of_windows() -> None:
    assert shown("a: b\r\nc: d\r\n", "d") == ["   |", " 2 | c: d", "   |    ^"]
    assert shown("a: b\r\nc: d\r\n", "\r\nc") == ["   |", " 1 | a: b", "   |     ^", " 2 | c: d", "   | ^"]


def test_several_lines() -> None:
    text = "a: [b,\n    c,\n    d]\ne: f\n"
    assert shown(text, "[b,\n    c,\n    d]", "all this") == [
        "   |",
        " 1 | a: [b,",
        "   |    ^^^",
        "...",
        " 3 |     d]",
        "   |     ^^ all this",
    ]
    assert shown(text, "[b,\n    c", "all this") == [
        "   |",
        " 1 | a: [b,",
        "   |    ^^^",
        " 2 |     c,",
        "   |     ^ all this",
    ]


def test_the_end_of_a_file() -> None:
    source = Source("x", "a: b\n")
    assert render(Diagnostic("c", "m", Span(source, 5, 5))).split("\n") == [
        "error[c]: m",
        "  --> x:2:1",
        "   |",
        " 2 |",
        "   | ^",
    ]
    assert render(Diagnostic("c", "m", Span(source, 4, 4))).split("\n")[-2:] == [" 1 | a: b", "   |     ^"]


def test_without_a_place() -> None:
    assert render(Diagnostic("c", "m", None, help="h", rule="7")) == "error[c]: m\n  --> (rule 7)\nhelp: h"
    assert render(Diagnostic("c", "m", None)) == "error[c]: m"
    assert concise(Diagnostic("c", "m", None)) == "error[c]: m"


def test_a_file_as_a_whole() -> None:
    d = Diagnostic("c", "m", Span(Source("games/x/map.yaml", ""), 0, 0))
    assert render(d) == "error[c]: m\n  --> games/x/map.yaml"
    assert concise(d) == "games/x/map.yaml: error[c]: m"


def test_long_lines_are_cut() -> None:
    text = "a" * 5000 + "!" + "b" * 5000
    lines = shown(text, "!")
    assert all(len(line) < 140 for line in lines)
    assert lines[1][lines[2].index("^")] == "!"
    lines = shown(text, "a" * 3000)
    assert all(len(line) < 140 for line in lines)


def test_nothing_from_a_file_commands_the_terminal() -> None:
    evil = "\x1b[2J\x9b\u202e\x07\x00\u2028"
    d = Diagnostic("c", f"`{evil}`", at(f"a {evil} b", "b", f"games/{evil}.yaml"), evil, (Note(evil),), evil, rule=evil)
    for text in (render(d), concise(d)):
        assert not set(text) & set("\x1b\x9b\u202e\x07\x00\u2028")
    assert "\n" not in concise(Diagnostic("c", "a\nb", None, help="c\nd"))


def test_color() -> None:
    d = Diagnostic("c", "m", at("a: b", "b"), "label", severity=WARNING)
    colored = render(d, color=True)
    assert "\x1b[1;33mwarning[c]\x1b[0m" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == render(d)


def test_concise() -> None:
    d = Diagnostic("c", "m", at("a: b", "b", "x.yaml"), "label", help="do it")
    assert concise(d) == "x.yaml:1:4: error[c]: m (do it)"


def test_json() -> None:
    d = Diagnostic("c", "m", at("a: [b,\n  d]", "[b,\n  d]", "x.yaml"), "l", (Note("n"),), "h", INFO, "7")
    assert json.loads(json.dumps(to_json(d))) == {
        "code": "c",
        "message": "m",
        "label": "l",
        "help": "h",
        "severity": "info",
        "rule": "7",
        "span": {"path": "x.yaml", "line": 1, "column": 4, "end_line": 2, "end_column": 5},
        "notes": [{"text": "n", "span": None}],
    }
    assert to_json(Diagnostic("c", "m", None))["span"] is None


def test_github() -> None:
    d = Diagnostic("c", "100% \r\nwrong: a, b", at("a: bcd", "bcd", "g:1,2%.yaml"), help="mend\nit")
    assert github(d) == (
        "::error file=g%3A1%2C2%25.yaml,line=1,col=4,endLine=1,endColumn=6,title=c"
        "::100%25 %0D%0Awrong: a, b%0Ahelp: mend%0Ait"
    )
    assert github(Diagnostic("c", "m", None, severity=WARNING)) == "::warning title=c::m"
    assert github(Diagnostic("c", "m", None, severity=INFO)).startswith("::notice ")


@pytest.mark.parametrize(
    ("severities", "text"),
    [
        ([], "no errors"),
        ([ERROR], "1 error"),
        ([ERROR] * 3 + [WARNING], "3 errors, 1 warning"),
        ([WARNING, WARNING], "2 warnings"),
        ([INFO], "1 remark"),
    ],
)
def test_summary(severities: list[str], text: str) -> None:
    bag = Bag([Diagnostic(f"c{i}", "m", None, severity=s) for i, s in enumerate(severities)])
    assert summary(bag) == text


def test_widths() -> None:
    assert [width_of(t) for t in ("abc", "한글", "e\u0301", "😀", "")] == [3, 4, 1, 2, 0]


@given(st.text(alphabet="ab\t\n\r 한é\u0301😀\x1b", max_size=30), st.integers(0, 30), st.integers(0, 30))
def test_every_place_can_be_shown(text: str, a: int, b: int) -> None:
    start, end = sorted((min(a, len(text)), min(b, len(text))))
    d = Diagnostic("c", "m", Span(Source("x", text), start, end))
    lines = render(d).split("\n")
    assert "\x1b" not in render(d)
    if text:
        assert "^" in lines[-1]
        number = Source("x", text).place(start)[0]
        row = next(i for i, line in enumerate(lines) if line.startswith(f"{number:>2} |"))
        room = width_of(clean(Source("x", text).line(number)))
        assert width_of(lines[row + 1]) <= len("   | ") + max(room, 1) + 1, "carets stay below their line"
    assert github(d).count("\n") == 0
    assert clean(text).isprintable() or "\u0301" in text
