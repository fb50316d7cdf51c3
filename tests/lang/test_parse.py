"""The parser: what it accepts, the trees it makes, their places, and what it says about mistakes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter import resources
from interpreter.diagnostics import Bag
from interpreter.lang import lark_tables, parse
from interpreter.lang import nodes as n
from interpreter.source import Name, Source, Text
from tests.lang.trees import HERE, dump, expressions, stands_alone, text_of, walk, written

PARSERS: dict[str, Any] = {
    "file": parse.parse_file,
    "block": parse.parse_block,
    "expression": parse.parse_expression,
    "type": parse.parse_type,
    "signature": parse.parse_signature,
    "binder": parse.parse_binder,
    "template": parse.parse_template,
}
PASSAGES = sorted((HERE / "passages").glob("*.effects"))
EMBEDDED = (HERE / "passages" / "embedded.chunks").read_text(encoding="utf-8").split("---\n")


def good(kind: str, value: str) -> Any:
    """The tree of a text that must be right."""
    bag = Bag()
    tree = PARSERS[kind](text_of(value), bag)
    assert not bag.items, [f"{d.span}: {d.message}" for d in bag]
    return tree


def bad(kind: str, value: str) -> list[tuple[str, int, int, str]]:
    """Code, line, column and covered text of each error in a text."""
    bag = Bag()
    PARSERS[kind](text_of(value), bag)
    return [(d.code, d.span.line, d.span.column, d.span.text) for d in bag if d.span]


# ---- what the language is -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PASSAGES, ids=lambda path: path.stem)
def test_passages_parse_to_all_their_definitions(path: Path) -> None:
    value = path.read_text(encoding="utf-8")
    funs, effects = good("file", value)
    heads = re.findall(r"^(open )?(fun|effect) (\w+)", value, re.MULTILINE)
    assert [(f.open, f.name.text) for f in funs] == [(bool(o), name) for o, kind, name in heads if kind == "fun"]
    assert [(e.open, e.name.text) for e in effects] == [(bool(o), name) for o, kind, name in heads if kind == "effect"]


def test_there_are_passages() -> None:
    assert len(PASSAGES) == 25


@pytest.mark.parametrize("chunk", EMBEDDED)
def test_texts_embedded_in_data_parse(chunk: str) -> None:
    kind, _, value = chunk.partition("\n")
    assert good(kind, value) is not None


def test_grammar_has_no_conflicts() -> None:
    assert lark_tables.build(strict=True).parse("a + b", start="expression").data == "expression"


def test_every_word_of_the_grammar_is_reserved_and_no_other() -> None:
    grammar = re.sub(r"//.*", "", resources.grammar_text())
    listed = {word for group in re.findall(r"/\(?([a-z|]+)\)?\(\?", grammar) for word in group.split("|")}
    assert set(re.findall(r'"([a-z]+)"', grammar)) | listed == parse.RESERVED


OTHER_FORMS = {
    "choose ": ["any", "up", "by", "costs", "when", "as"],
    "for each ": ["any", "up"],
    "x is ": ["not"],
    "effect f(a: ": ["maybe", "set", "list"],
}


@pytest.mark.parametrize("word", sorted(parse.RESERVED))
@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        ("block", "let ", " = 3"),
        ("block", "f.", " = 3"),
        ("block", "f(x.", ")"),
        ("block", "choose ", " in s by p:\n    f()"),
        ("block", "for each ", " in s:\n    f()"),
        ("block", "choose x in s by p as ", ' "T":\n    f()'),
        ("block", "choose by p:\n    option ", ":\n        f()"),
        ("block", "scene ", "():\n    f()"),
        ("file", "fun ", "() -> int = 3"),
        ("file", "effect f(", ": int):\n    g()"),
        ("file", "effect f(a: ", "):\n    g()"),
        ("expression", "x is ", ""),
        ("expression", "those(", " in s)"),
        ("signature", "f(", ")"),
    ],
)
def test_a_reserved_word_names_nothing(word: str, kind: str, before: str, after: str) -> None:
    if word in OTHER_FORMS.get(before, ""):
        return  # the word goes on with another form of the statement
    found = bad(kind, before + word + after)
    assert [d for d in found if d[0] in ("reserved-word", "decision-place", "roll-place", "disclose-place")] == found
    assert [d[3] for d in found] == [word]


def test_words_that_only_look_like_keywords_are_names() -> None:
    for word in ["counts", "iff", "android", "notes", "order", "insert", "istrue", "topping", "allowed", "anything"]:
        tree = good("expression", f"{word}({word}.{word})")
        assert (tree.func.name, tree.args[0].value.target.name, tree.args[0].value.name.text) == (word, word, word)


def test_option_reads_an_option_but_names_nothing() -> None:
    tree = good("expression", "option.heroes or not a")
    assert (tree.left.target.name, tree.left.name.text) == ("option", "heroes")
    assert bad("block", "let option = 3") == [("reserved-word", 1, 5, "option")]


# ---- trees ----------------------------------------------------------------------------------------------------------


@settings(max_examples=300, deadline=None)
@given(expressions)
def test_a_printed_expression_parses_to_itself(tree: Any) -> None:
    assert dump(good("expression", written(tree)), brackets=False) == dump(tree, brackets=False)


@settings(max_examples=150, deadline=None)
@given(expressions)
def test_the_place_of_an_expression_is_all_of_it(tree: Any) -> None:
    for node in walk(good("expression", written(tree))):
        if stands_alone(node):
            assert dump(good("expression", node.span.text)) == dump(node)


@pytest.mark.parametrize("path", PASSAGES, ids=lambda path: path.stem)
def test_places_in_passages(path: Path) -> None:
    text = text_of(path.read_text(encoding="utf-8"))
    for node in walk(parse.parse_file(text, Bag())):
        if stands_alone(node):
            assert dump(good("expression", node.span.text)) == dump(node)
        elif isinstance(node, Name | n.Template):
            assert node.span.text == node.text
        elif isinstance(node, n.Hole):
            assert node.span.text == "{" + node.key + "}"
        elif isinstance(node, n.Fun | n.Effect):
            again = good("file", node.span.text)
            assert dump([d for group in again for d in group]) == dump([node])
        elif hasattr(node, "span"):
            assert node.span.text.strip() == node.span.text != ""


def test_and_and_or_know_their_brackets() -> None:
    tree = good("expression", "a and (b or c)")
    assert (tree.bracketed, tree.right.bracketed, tree.right.span.text) == (False, True, "(b or c)")
    assert not good("expression", "f(a or b)").args[0].value.bracketed


def test_a_bonus_has_no_other_value() -> None:
    tree = good("expression", "2 + (1 if a)")
    assert (dump(tree.right.then)[1], tree.right.other, tree.right.span.text) == (("value", 1), None, "1 if a")


def test_deciding_statements_are_one_node() -> None:
    forms = {
        'choose x in s by p as go "T":': ("choose", False),
        "may choose x in s by p:": ("may", False),
        "may by p costs 1 from p.gold when a:": ("may", False),
        "keep choosing x in s by p:": ("keep", False),
        "keep choosing each x in s by p:": ("keep_each", False),
    }
    for head, (mood, menu) in forms.items():
        [choose] = good("block", f"{head}\n    f(x)\n")
        [option] = choose.options
        assert (choose.mood, choose.menu, choose.other, option.name) == (mood, menu, None, None)
        assert choose.clauses is option.clauses
        assert len(option.binders) == (0 if head.startswith("may by") else 1)
    [menu_] = good(
        "block",
        "choose by p:\n    option a:\n        f()\n"
        "    option b for x in s, y in t costs 1 from g:\n        h()\nelse:\n    k()\n",
    )
    assert (menu_.mood, menu_.menu, [o.name.text for o in menu_.options], len(menu_.other)) == (
        "choose",
        True,
        ["a", "b"],
        1,
    )
    assert [b.var.text for b in menu_.options[1].binders] == ["x", "y"]
    [kept] = good("block", 'keep choosing by p as k "T":\n    option a:\n        f()\n')
    assert (kept.mood, kept.menu, kept.clauses.say.id.text) == ("keep", True, "k")


def test_binders_with_a_quantity_have_two_names() -> None:
    binder = good("binder", "any cargo of u in s - [h] where u.a limit load(cargo) <= 12")
    assert (binder.quantity, binder.set_name.text, binder.var.text, binder.most) == ("any", "cargo", "u", None)
    assert (binder.where.span.text, binder.limit.span.text) == ("u.a", "load(cargo) <= 12")
    binder = good("binder", "up to n + 1 gone of a in b")
    assert (binder.quantity, binder.most.span.text, binder.where, binder.limit) == ("up_to", "n + 1", None, None)
    binder = good("binder", "x in s")
    assert (binder.quantity, binder.set_name, binder.var.text) == ("one", None, "x")


def test_statements_keep_their_parts() -> None:
    move, draw, log, win, finish, roll, change = good(
        "block",
        'move a to bottom of z[p]\ndraw 2 from d to h\nlog "x" to p\nwin p as "w"\nfinish\n'
        "let r = roll n + 1 of d6\nx.y -= roll d6\n",
    )
    assert (move.end, move.to.span.text) == ("bottom", "z[p]")
    assert [part.span.text for part in (draw.count, draw.source, draw.to)] == ["2", "d", "h"]
    assert (log.text.text, log.to.span.text, win.text.text, finish.text) == ("x", "p", "w", None)
    assert (roll.value.times.span.text, roll.value.die.span.text) == ("n + 1", "d6")
    assert (change.op, change.value.times, change.target.span.text) == ("-=", None, "x.y")


def test_branches_keep_their_order() -> None:
    [tree] = good("block", "if a:\n    f()\nelif b:\n    g()\nelif c:\n    h()\nelse:\n    k()\n")
    assert [cond.span.text for cond, _ in tree.branches] == ["a", "b", "c"]
    assert tree.other[0].span.text == "k()"
    [tree] = good("block", "match d:\n    case a, b:\n        f()\n    case c:\n        g()\n")
    assert ([len(case.values) for case in tree.cases], tree.other) == ([2, 1], None)


def test_types_and_signatures() -> None:
    for value, form in [("a", "plain"), ("maybe a", "maybe"), ("set of a", "set"), ("list of a", "list")]:
        tree = good("type", value)
        assert (tree.form, tree.name.text, tree.span.text) == (form, "a", value)
    name, params = good("signature", "cost(f, p)")
    assert (name.text, [p.text for p in params]) == ("cost", ["f", "p"])
    assert good("signature", "cost()")[1] == ()


def test_chance_is_an_aggregate() -> None:
    tree = good("expression", "chance(d in d6 where d > 3)")
    assert (tree.op, tree.var.text, tree.of) == ("chance", "d", None)


# ---- templates ------------------------------------------------------------------------------------------------------


def test_holes() -> None:
    tree = good("template", "{{a}} {f.on}: {n(f)|die|dice}{ via |way(f, s)}}}")
    first, on, second, dice, way, last = tree.parts
    assert (first, second, last) == ("{a} ", ": ", "}")
    assert (on.prefix, on.forms, on.key) == ("", (), "f.on")
    assert (dice.forms, dice.value.span.text, dice.span.text) == (("die", "dice"), "n(f)", "{n(f)|die|dice}")
    assert (way.prefix, way.forms, way.value.span.text) == (" via ", (), "way(f, s)")


def test_plain_and_empty_templates() -> None:
    assert good("template", "Ἀθῆναι — “free”").parts == ("Ἀθῆναι — “free”",)
    assert good("template", "").parts == ()


# ---- lines ----------------------------------------------------------------------------------------------------------


def test_lines_go_on() -> None:
    one_line = good(
        "block", 'choose x in a + b where c and d by p costs 1 from g when w as i "T":\n    f(x)\nlet y = (1 + 2)\n'
    )
    many_lines = good(
        "block",
        """
# before
choose x in a +   # a remark with a bracket (

        # between "
        b where c and
            d
    by p          # more
    costs 1 from g
        when w
    as i "T":     # the end
    # inside
    f(x)

let y =
    (1
+ 2
    )
""",
    )
    assert dump(many_lines, brackets=True) == dump(one_line, brackets=True)
    assert many_lines[0].options[0].clauses.when.span.line == 10


def test_a_text_needs_no_last_line_end() -> None:
    assert dump(good("block", "if a:\n    f()")) == dump(good("block", "\n\nif a:\n  f()\n\n# end"))


def test_places_lead_back_into_the_host_file() -> None:
    source = Source("card.yaml", "do: |\r\n    if a ==\r\n        b:\r\n      mvoe x to y\r\n")
    text = Text("if a ==\n    b:\n  mvoe x to y\n", source, (11, 24, 36))
    bag = Bag()
    assert parse.parse_block(text, bag) is None
    [found] = bag
    assert found.span is not None
    assert (str(found.span), found.span.text, found.help) == ("card.yaml:4:7", "mvoe", "did you mean `move`?")


# ---- mistakes -------------------------------------------------------------------------------------------------------

_EXPECTED = re.compile(r'  ### ([a-z-]+) "(.*?)" at (\d+)(?=  ###|$)')


def _error_chunks() -> list[Any]:
    chunks = []
    for path in sorted((HERE / "errors").glob("*.chunks")):
        number = 1
        for chunk in path.read_text(encoding="utf-8").split("---\n"):
            chunks.append(pytest.param(path.stem, chunk, id=f"{path.stem}:{number}"))
            number += chunk.count("\n") + 1
    return chunks


@pytest.mark.parametrize(("kind", "chunk"), _error_chunks())
def test_mistakes(kind: str, chunk: str) -> None:
    """Each line says what must be reported on it: `### code "part of the message" at column`. No more, no less."""
    expected = []
    lines = chunk.split("\n")
    for row, line in enumerate(lines):
        head = line.find("  ### ")
        if head >= 0:
            expected += [(row + 1, code, part, int(column)) for code, part, column in _EXPECTED.findall(line, head)]
            lines[row] = line[:head]
    assert len(expected) == chunk.count("  ### ")
    bag = Bag()
    PARSERS[kind](text_of("\n".join(lines)), bag)
    found = [(d.span.line, d.code, d.message, d.span.column) for d in bag if d.span]
    assert [(row, code, column) for row, code, _, column in found] == [
        (r, code, column) for r, code, _, column in expected
    ]
    assert all(part in message for (*_, part, _), (*_, message, _) in zip(expected, found, strict=True)), found


def test_messages_keep_the_house_style() -> None:
    for param in _error_chunks():
        kind, chunk = param.values
        bag = Bag()
        PARSERS[kind](text_of(re.sub(r"  ### .*", "", chunk)), bag)
        for d in bag:
            assert d.label, d
            for part in (d.message, d.label, d.help):
                assert not part.endswith("."), d
                assert not part[:1].isupper() or part.startswith("U+"), d
                assert part.count("`") % 2 == 0, d


def test_good_definitions_come_back_beside_bad_ones() -> None:
    bag = Bag()
    value = (
        'fun a() -> int = 3\nfun b( -> int = 3\neffect c():\n    d(\neffect e():\n    log "{x +}"\nfun f() -> int = 1\n'
    )
    funs, effects = parse.parse_file(text_of(value), bag)
    assert ([f.name.text for f in funs], effects) == (["a", "f"], [])
    assert [d.span.line for d in bag if d.span] == [2, 4, 6]


def test_an_unclosed_bracket_shows_where_it_was_closed() -> None:
    bag = Bag()
    parse.parse_expression(text_of("f(a]"), bag)
    [found] = bag
    assert [(note.span.column, note.text) for note in found.notes if note.span] == [(4, "closed here")]


# ---- input that nobody would write ----------------------------------------------------------------------------------

_signs = [
    "(",
    ")",
    "[",
    "]",
    ",",
    ":",
    "=",
    "==",
    "+",
    "..",
    ".",
    "->",
    "{",
    "}",
    "|",
    "#",
    '"',
    "'",
    "\t",
    "\r",
    " ",
    "é",
]
_bits = st.sampled_from([*sorted(parse.RESERVED), "x", "f(", "3", '"t {x}"', "\n", "\n    ", "\n  ", "\n\n", *_signs])
_garbage = st.lists(_bits | st.characters(), max_size=40).map(" ".join) | st.lists(_bits, max_size=25).map("".join)


@settings(max_examples=400, deadline=5000)
@given(st.sampled_from(sorted(PARSERS)), _garbage)
def test_garbage_is_an_error_and_never_an_accident(kind: str, value: str) -> None:
    bag = Bag()
    result = PARSERS[kind](text_of(value), bag)
    if kind != "file":
        assert (result is None) == bag.has_errors
    for d in bag:
        assert d.span is not None
        assert 0 <= d.span.start <= d.span.end <= len(value)


@settings(max_examples=200, deadline=5000)
@given(st.sampled_from(PASSAGES), st.integers(0, 10**6), st.integers(0, 6), _bits)
def test_a_passage_with_a_slip_is_parsed_or_reported(path: Path, at: int, length: int, put: str) -> None:
    value = path.read_text(encoding="utf-8")
    at %= len(value)
    value = value[:at] + put + value[at + length :]
    bag = Bag()
    funs, effects = parse.parse_file(text_of(value), bag)
    heads = len(re.findall(r"^(?:fun|effect|open)\b", value, re.MULTILINE))
    assert bag.has_errors or len(funs) + len(effects) == heads


@pytest.mark.parametrize(
    ("kind", "value", "code"),
    [
        ("expression", "(" * 50_000, "unclosed-bracket"),
        ("expression", "(" * 5_000 + "a" + ")" * 5_000, "too-deep"),
        ("expression", "f(" * 5_000 + ")" * 5_000, "too-deep"),
        ("expression", " + ".join(["a"] * 5_000), "too-deep"),
        ("expression", "not " * 5_000 + "a", "too-deep"),
        ("expression", "-" * 5_000 + "a", "too-deep"),
        ("expression", "a if b else " * 5_000 + "c", "too-deep"),
        ("expression", "a" + ".b" * 5_000, "too-deep"),
        ("expression", "9" * 50_000, "number-range"),
        ("expression", "x" * 50_000 + " y", "syntax"),
        ("block", "".join(" " * i + "if a:\n" for i in range(400)) + " " * 400 + "f()\n", "too-deep"),
        ("block", '"' * 50_001, "unclosed-text"),
        ("block", "\n" * 50_000 + "x", "unknown-statement"),
        ("file", "fun f(\n" * 5_000, "unclosed-bracket"),
        ("template", "{" * 50_001, "brace"),
    ],
)
def test_excess_is_reported_quickly(kind: str, value: str, code: str) -> None:
    start = time.monotonic()
    found = bad(kind, value)
    assert {d[0] for d in found} == {code}
    assert time.monotonic() - start < 10


def test_what_a_game_may_need_is_not_too_deep() -> None:
    assert good("expression", "(" * 150 + "a" + ")" * 150).name == "a"
    assert len(good("expression", "[" + ", ".join(["a"] * 2_000) + "]").items) == 2_000
    assert len(good("block", "f()\n" * 2_000)) == 2_000


def test_numbers_have_32_bits() -> None:
    assert good("expression", "2147483647").value == 2**31 - 1
    assert bad("expression", "a + 2147483648") == [("number-range", 1, 5, "2147483648")]


# ---- how it is loaded -----------------------------------------------------------------------------------------------


def _run(code: str, **environment: str) -> str:
    env = {**os.environ, "PYTHONPATH": str(HERE.parent.parent), **environment}
    return subprocess.run([sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True).stdout


def test_importing_the_parser_does_not_import_lark() -> None:
    assert _run("import sys, interpreter.lang.parse; print('lark' in sys.modules)") == "False\n"


def test_trees_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    code = (
        "import hashlib\nfrom tests.lang.test_parse import *\n"
        "trees = [dump(good('file', p.read_text(encoding='utf-8'))) for p in PASSAGES]\n"
        "print(hashlib.sha256(repr(trees).encode()).hexdigest())"
    )
    seeds = [_run(code, PYTHONHASHSEED=str(seed), XDG_CACHE_HOME=str(tmp_path / str(seed))) for seed in range(3)]
    assert len(set(seeds)) == 1


@pytest.fixture
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    folder = tmp_path / "kept"
    monkeypatch.setattr(lark_tables, "_cache_folder", lambda: folder)
    lark_tables.parser.cache_clear()
    yield folder
    lark_tables.parser.cache_clear()


def _parses() -> bool:
    lark_tables.parser.cache_clear()
    return dump(good("expression", "a + 1")) == dump(good("expression", "(a) + 1"))


def test_kept_tables_are_read_again(cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _parses()
    before = {path.name: path.read_bytes() for path in cache_folder.iterdir()}
    assert len(before) == 2
    assert _parses()
    assert {path.name: path.read_bytes() for path in cache_folder.iterdir()} == before


@pytest.mark.parametrize("damage", [b"", b"nonsense", None])
@pytest.mark.parametrize("suffix", [".tables", ".sha256"])
def test_damaged_tables_are_built_anew(cache_folder: Path, damage: bytes | None, suffix: str) -> None:
    assert _parses()
    [path] = cache_folder.glob("*" + suffix)
    whole = path.read_bytes()
    if damage is None:
        path.unlink()
    else:
        path.write_bytes(damage or whole[:100] + b"?" + whole[101:])
    assert _parses()
    [tables] = cache_folder.glob("*.tables")
    assert tables.with_suffix(".sha256").read_bytes() == lark_tables._digest(tables)


def test_tables_need_no_folder(cache_folder: Path) -> None:
    cache_folder.write_text("a file where the folder should be")
    assert _parses()


def test_resources_of_a_checkout_and_of_a_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = HERE.parent.parent
    assert resources.games_folder() == root / "games"
    assert resources.schema_path("card.json") == root / "schemas" / "card.json"
    package = tmp_path / "interpreter"
    (package / "_data" / "games").mkdir(parents=True)
    (tmp_path / "games").mkdir()
    monkeypatch.setattr(resources, "_PACKAGE", package)
    assert resources.games_folder() == package / "_data" / "games"
