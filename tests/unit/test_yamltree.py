"""The YAML reader: values as typed, places exact, everything dangerous or doubtful refused."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.diagnostics import Bag
from interpreter.reading.yamltree import MOST_NODES, Map, Node, Scalar, Seq, bool_like, get, read
from interpreter.rendering import render
from interpreter.source import Source


def tree(text: str) -> Node:
    bag = Bag()
    node = read(Source("t.yaml", text), bag)
    assert not bag.items, [render(d) for d in bag]
    assert node is not None
    return node


def codes(text: str) -> list[str]:
    bag = Bag()
    read(Source("t.yaml", text), bag)
    return [d.code for d in bag]


def value(text: str) -> Scalar:
    """The value of the key `a`."""
    node = tree(text)
    assert isinstance(node, Map)
    found = get(node, "a")
    assert isinstance(found, Scalar)
    return found


def scalars(node: Node) -> list[Scalar]:
    if isinstance(node, Scalar):
        return [node]
    children = node.items if isinstance(node, Seq) else [n for pair in node.entries for n in pair]
    return [s for child in children for s in scalars(child)]


def check_places(scalar: Scalar) -> None:
    """Every character of the text stands in the file where its map says."""
    text = scalar.text
    assert text is not None
    assert text.value == scalar.raw
    for i, char in enumerate(text.value):
        at = text.offset(i)
        if char == "\n":
            assert at == len(text.source.text) or text.source.text[at] in "\r\n"
        else:
            assert text.source.text[at] == char, (i, char)


# ---- values -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "word",
    [
        "no",
        "on",
        "yes",
        "Off",
        "y",
        "NO",
        "True",
        "FALSE",
        "Null",
        "1:30",
        "012",
        "0x10",
        "0o7",
        "1_000",
        "1.5",
        "1e3",
        "+1",
        "-0x1",
        ".inf",
        "2024-01-01",
        "3:1",
        "=",
        "-",
    ],
)
def test_words_of_older_yaml_stay_text(word: str) -> None:
    found = value(f"a: {word}\nb: 1\n") if word != "-" else value("a: '-'\n")
    assert found.value == word
    assert found.raw == word
    assert scalars(tree(f"[{word}x]"))[0].value == word + "x"


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("true", True),
        ("false", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("0", 0),
        ("-0", 0),
        ("7", 7),
        ("-12", -12),
        ("2147483647", 2147483647),
    ],
)
def test_words_of_the_core(word: str, meant: object) -> None:
    found = value(f"a: {word}\n")
    assert found.value == meant
    assert type(found.value) is type(meant)
    assert found.raw == word
    quoted = value(f"a: '{word}'\n")
    assert quoted.value == word


def test_keys_stay_as_typed() -> None:
    node = tree("on: 1\nno: 2\n3: 4\ntrue: 5\n")
    assert isinstance(node, Map)
    assert [k.raw for k, _ in node.entries] == ["on", "no", "3", "true"]
    assert get(node, "no") is node.entries[1][1]
    assert get(node, "off") is None


@pytest.mark.parametrize(("word", "meant"), [("yes", True), ("Off", False), ("TRUE", True), ("n", False), ("x", None)])
def test_bool_like(word: str, meant: bool | None) -> None:
    assert bool_like(word) is meant


def test_a_byte_order_mark_shifts_nothing() -> None:
    node = tree("\ufeffa: b\n")
    assert isinstance(node, Map)
    assert node.entries[0][0].span.text == "a"
    assert node.entries[0][1].span.text == "b"


# ---- places -------------------------------------------------------------------------------------------------------

WORD = st.text(alphabet="abz_09 .()=+<>é한字😀", min_size=1, max_size=12)
LINE = st.text(alphabet="abz_09 .()=#:-'\"{[é한字😀\t", max_size=12)
EOL = st.sampled_from(["\n", "\r\n"])


@given(
    lines=st.lists(LINE, min_size=1, max_size=6),
    header=st.sampled_from(["|", "|-", "|+"]),
    indicated=st.booleans(),
    indent=st.integers(1, 5),
    eol=EOL,
    comment=st.sampled_from(["", " # a comment", "   "]),
    leading=st.integers(0, 2),
    trailing=st.integers(0, 2),
    last=st.booleans(),
    follows=st.sampled_from(["", "b: 1", "# a comment", "  # further right"]),
)
@settings(max_examples=600, deadline=None)
def test_places_in_blocks(
    lines: list[str],
    header: str,
    indicated: bool,
    indent: int,
    eol: str,
    comment: str,
    leading: int,
    trailing: int,
    last: bool,
    follows: str,
) -> None:
    first = lines[0].lstrip(" \t#") or "x"
    lines = [first if not indicated else lines[0] or "x", *lines[1:]]
    head = header[0] + (str(indent) if indicated else "") + header[1:]
    body = [""] * leading + [" " * indent + line if line.strip(" ") else line[:indent] for line in lines]
    body += [""] * trailing + ([follows] if follows and (not follows.startswith(" ") or indent > 2) else [])
    text = f"a: {head}{comment}{eol}" + eol.join(body) + (eol if last else "")
    found = value(text)
    assert found.text is not None
    check_places(found)
    wanted = [line for line in found.raw.split("\n") if line.strip()]
    assert wanted == [line for line in lines if line.strip(" ")] or "\t" in "".join(lines)


@given(word=WORD, key=WORD, before=st.integers(0, 3), quote=st.sampled_from(["", "'", '"']), eol=EOL)
@settings(max_examples=400, deadline=None)
def test_places_on_one_line(word: str, key: str, before: int, quote: str, eol: str) -> None:
    word = word.strip() or "x"
    plain = word if quote or word[0] not in "=<>" else "x" + word
    text = f"{eol * before}'{key}':  {quote}{plain}{quote}   # comment{eol}'a list': [1, {quote}{plain}{quote} ]{eol}"
    bag = Bag()
    node = read(Source("t.yaml", text), bag)
    assert not bag.items, [render(d) for d in bag]
    assert node is not None
    for scalar in scalars(node):
        check_places(scalar)
    assert isinstance(node, Map)
    found = node.entries[0][1]
    assert isinstance(found, Scalar)
    assert found.raw == plain
    assert found.span.text == f"{quote}{plain}{quote}"


@pytest.mark.parametrize(
    "text",
    [
        "a: >\n  b\n  c\n",
        "a: >-\n  b\n",
        "a: b\n  c\n",
        "a: 'b\n  c'\n",
        'a: "b\n  c"\n',
        "a: 'it''s'\n",
        'a: "b\\tc"\n',
        'a: "\\\n  b"\n',
    ],
)
def test_folded_text_has_no_places(text: str) -> None:
    assert value(text).text is None


def test_spans_of_blocks_end_with_their_last_value() -> None:
    node = tree("a:\n  - b\n  - c: d\n\n# comment\ne: {f: g}\n")
    assert isinstance(node, Map)
    assert node.entries[0][1].span.text == "- b\n  - c: d"
    assert node.entries[1][1].span.text == "{f: g}"
    assert value("a: |\n  x\n\n\n").span.text == "|\n  x"


# ---- refusals -----------------------------------------------------------------------------------------------------


def test_no_value_is_lost_to_a_duplicate_key() -> None:
    bag = Bag()
    read(Source("t.yaml", "card: 1\nb: 2\ncard: 3\n"), bag)
    (found,) = bag
    assert (found.code, found.span.line if found.span else 0) == ("duplicate-key", 3)
    assert "line 1" in found.message and "line 3" in found.message
    assert found.notes[0].span is not None and found.notes[0].span.line == 1


def test_all_refusals_of_one_file_are_found() -> None:
    assert codes("a: &x 1\nb: !t 2\na: 3\n<<: {c: d}\n? [e]\n: f\n") == [
        "anchor",
        "tag",
        "duplicate-key",
        "merge-key",
        "complex-key",
    ]


def test_a_quoted_merge_key_is_a_key() -> None:
    node = tree("'<<': 1\n")
    assert isinstance(node, Map)
    assert node.entries[0][0].raw == "<<"


def test_an_empty_key_is_refused() -> None:
    for text in ("{: a}", "{a: b, : c}", "?\n: a", ": a", "- : a", "a: 1\n: 2\n"):
        assert codes(text) == ["empty-key"], text


@pytest.mark.parametrize(
    "text",
    [
        "\x00",
        "a: \x1b[31m\n",
        "a: b\x85c: d\n",
        "a: \u2028b\n",
        "a: \u202eb\n",
        "a\rb\n",
        "a: b\ufeff\n",
        "\x7f",
        "a: \ud800\n",
    ],
)
def test_odd_characters(text: str) -> None:
    assert codes(text) == ["bad-character"]


def test_depth() -> None:
    assert codes("[" * 50 + "]" * 50) == []
    assert codes("[" * 51 + "]" * 51) == ["too-deep"]


@pytest.mark.parametrize(
    "text",
    [
        "[" * 2_000_000,
        "{a: " * 500_000,
        "- " * 1_000_000,
        "? " * 1_000_000,
        "&a [" * 500_000,
        "[]," * 600_000 + "[]",
        "'" * 1_999_999,
        "!" * 2_000_000,
        "a" * 2_000_000,
        "#" * 2_000_000,
        " " * 2_000_000,
        "\\" * 2_000_000,
        "[" + "[],".join([""] * 600_000),
        "a: b\n" * 400_000,
    ],
    ids=lambda text: str(text)[:6],
)
def test_the_largest_file_hangs_nothing(text: str) -> None:
    start = time.process_time()
    read(Source("t.yaml", text), Bag())
    assert time.process_time() - start < 30


def test_too_many_values() -> None:
    assert codes("[" + "1," * (MOST_NODES + 1) + "1]") == ["too-large"]


def test_billion_laughs() -> None:
    bomb = "a: &a [x, x]\n" + "".join(f"{c}: &{c} [*{p}, *{p}]\n" for p, c in zip("abcdefgh", "bcdefghi", strict=True))
    assert set(codes(bomb)) == {"anchor", "alias"}


@pytest.mark.parametrize(
    "text",
    [
        '"\\UFFFFFFFF"',
        '"\\xZZ"',
        "%YAML 99999999999999999999.1\n---\n",
        "!<",
        "&",
        "*",
        "a: |99\n",
        "%TAG ! x\n",
        "!!",
        "--- --- ---",
        "?",
        ":",
        "-",
        "[",
        "]",
        "{",
        "}",
        ",",
        "'",
        '"',
        "|",
        ">",
        "@",
        "`",
        "%",
        "- - - :",
        "9" * 5000,
    ],
)
def test_broken_texts_give_diagnostics(text: str) -> None:
    bag = Bag()
    node = read(Source("t.yaml", text), bag)
    assert bag.has_errors or node is not None
    for d in bag:
        assert d.span is not None
        assert 0 <= d.span.start <= d.span.end <= len(text)
        assert render(d)


@given(st.text(alphabet="ab01 \n\r\t:-?[]{},#&*!|>'\"%@`\\~<.=()…한\ufeff\x00", max_size=60))
@settings(max_examples=1500, deadline=None)
def test_no_text_whatever_raises(text: str) -> None:
    bag = Bag()
    node = read(Source("t.yaml", text), bag)
    assert node is not None or bag.has_errors
    for d in bag:
        assert d.span is not None
        assert 0 <= d.span.start <= d.span.end <= len(text)
        assert render(d)
    if node is not None:
        for scalar in scalars(node):
            assert 0 <= scalar.span.start <= scalar.span.end <= len(text)
            if scalar.text is not None and not bag.items:
                check_places(scalar)
