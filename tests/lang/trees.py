"""Help for tests of the parser: texts, plain copies of trees that can be compared, and expressions at random."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from interpreter.lang import nodes as n
from interpreter.source import Name, Source, Span, Text

HERE = Path(__file__).parent


def text_of(value: str, path: str = "rules.effects") -> Text:
    """A text that is a whole file."""
    source = Source(path, value)
    return Text(value, source, source.line_starts)


def dump(node: Any, *, brackets: bool = True) -> Any:
    """A tree without its places; two trees are the same if their dumps are equal."""
    if isinstance(node, tuple | list):
        return tuple(dump(item, brackets=brackets) for item in node)
    if not is_dataclass(node):
        return node
    hidden = {"span"} if brackets else {"span", "bracketed"}
    kept = [f.name for f in fields(node) if f.name not in hidden]
    return (type(node).__name__, *((name, dump(getattr(node, name), brackets=brackets)) for name in kept))


def walk(node: Any) -> Iterator[Any]:
    """All nodes of a tree."""
    if isinstance(node, tuple | list):
        for item in node:
            yield from walk(item)
    elif is_dataclass(node) and not isinstance(node, Span):
        yield node
        for f in fields(node):
            yield from walk(getattr(node, f.name))


_EXPRESSIONS = tuple(kind for kind in n.Expr.__args__ if kind is not n.Roll)


def stands_alone(node: Any) -> bool:
    """Whether the text of a node is an expression by itself: a roll is none, and `option` is only half of one."""
    return isinstance(node, _EXPRESSIONS) and not (isinstance(node, n.NameRef) and node.name == "option")


# ---- expressions at random ------------------------------------------------------------------------------------------

_NOWHERE = Span(Source("", ""), 0, 0)
_name_text = st.sampled_from(["a", "b", "unit", "left", "play", "head", "run", "thecount", "android", "nothing", "if_"])
_names = st.builds(Name, _name_text, st.just(_NOWHERE))
_at = st.just(_NOWHERE)
_leaves = st.one_of(
    st.builds(n.Number, st.integers(0, 2**31 - 1), _at),
    st.builds(n.NameRef, _name_text | st.just("option"), _at).map(
        lambda ref: n.Field(ref, Name("x", _NOWHERE), _NOWHERE) if ref.name == "option" else ref
    ),
    st.builds(n.NoneLit, _at),
    st.builds(n.BoolLit, st.booleans(), _at),
)


def _branches(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    maybe = st.none() | inner
    arguments = st.builds(n.Argument, st.none() | _names, inner, _at) | st.builds(
        n.Condition, _names, _names, inner, _at
    )
    plain = st.sampled_from(["count", "sum", "most", "least", "first", "the", "those", "highest", "lowest", "leading"])
    return st.one_of(
        st.builds(n.Field, inner, _names, _at),
        st.builds(n.Apply, inner, st.lists(arguments, max_size=3).map(tuple), _at),
        st.builds(n.Index, inner, st.lists(inner, min_size=1, max_size=2).map(tuple), _at),
        st.builds(n.ListLit, st.lists(inner, max_size=3).map(tuple), _at),
        st.builds(n.Aggregate, plain, _names, inner, maybe, maybe, _at),
        st.builds(n.Aggregate, st.just("all"), _names, inner, maybe, inner, _at),
        st.builds(n.Aggregate, st.sampled_from(["any", "chance"]), _names, inner, maybe, st.none(), _at),
        st.builds(n.Compare, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), inner, inner, _at),
        st.builds(n.Member, inner, inner, st.booleans(), _at),
        st.builds(n.IsKind, inner, _names, st.booleans(), _at),
        st.builds(n.Range, inner, inner, _at),
        st.builds(n.Binary, st.sampled_from("+-*/"), inner, inner, _at),
        st.builds(n.Negative, inner, _at),
        st.builds(n.Not, inner, _at),
        st.builds(n.Logic, st.sampled_from(["and", "or"]), inner, inner, _at),
        st.builds(n.Conditional, inner, inner, maybe, _at),
    )


expressions = st.recursive(_leaves, _branches, max_leaves=25)

# How loosely each node binds, as the grammar has it; an operand that binds looser than its place stands in brackets.
_CONDITIONAL, _OR, _AND, _NOT, _COMPARISON, _RANGE, _SUM, _PRODUCT, _UNARY, _POSTFIX = range(10)


def written(node: Any) -> str:
    """An expression as text, with no more brackets than it needs."""
    return _write(node)[0]


def _write(node: Any) -> tuple[str, int]:
    def inner(child: Any, level: int) -> str:
        text, binds = _write(child)
        return text if binds >= level else f"({text})"

    def where(child: Any) -> str:
        return "" if child is None else f" where {inner(child, 0)}"

    match node:
        case n.Number(value):
            return str(value), _POSTFIX
        case n.NameRef(name):
            return name, _POSTFIX
        case n.NoneLit():
            return "none", _POSTFIX
        case n.BoolLit(value):
            return str(value).lower(), _POSTFIX
        case n.Field(target, name):
            return f"{inner(target, _POSTFIX)}.{name.text}", _POSTFIX
        case n.Apply(func, args):
            return f"{inner(func, _POSTFIX)}({', '.join(_argument(a) for a in args)})", _POSTFIX
        case n.Index(target, keys):
            return f"{inner(target, _POSTFIX)}[{', '.join(inner(k, 0) for k in keys)}]", _POSTFIX
        case n.ListLit(items):
            return f"[{', '.join(inner(i, 0) for i in items)}]", _POSTFIX
        case n.Aggregate(op, var, domain, cond, of):
            word = "have" if op == "all" else "of"
            last = "" if of is None else f" {word} {inner(of, 0)}"
            return f"{op}({var.text} in {inner(domain, 0)}{where(cond)}{last})", _POSTFIX
        case n.Compare(op, left, right):
            return f"{inner(left, _RANGE)} {op} {inner(right, _RANGE)}", _COMPARISON
        case n.Member(item, collection, negated):
            op = "not in" if negated else "in"
            return f"{inner(item, _RANGE)} {op} {inner(collection, _RANGE)}", _COMPARISON
        case n.IsKind(target, kind, negated):
            return f"{inner(target, _RANGE)} is {'not ' if negated else ''}{kind.text}", _COMPARISON
        case n.Range(low, high):
            return f"{inner(low, _SUM)} .. {inner(high, _SUM)}", _RANGE
        case n.Binary(op, left, right):
            level = _SUM if op in "+-" else _PRODUCT
            return f"{inner(left, level)} {op} {inner(right, level + 1)}", level
        case n.Negative(value):
            return f"-{inner(value, _UNARY)}", _UNARY
        case n.Not(value):
            return f"not {inner(value, _NOT)}", _NOT
        case n.Logic(op, left, right):
            level = _OR if op == "or" else _AND
            return f"{inner(left, level)} {op} {inner(right, level + 1)}", level
        case n.Conditional(cond, then, other):
            end = "" if other is None else f" else {inner(other, _CONDITIONAL)}"
            return f"{inner(then, _OR)} if {inner(cond, _OR)}{end}", _CONDITIONAL
    raise AssertionError(node)


def _argument(node: Any) -> str:
    if isinstance(node, n.Condition):
        return f"{node.name.text} = {node.var.text} where {written(node.where)}"
    return written(node.value) if node.name is None else f"{node.name.text} = {written(node.value)}"
