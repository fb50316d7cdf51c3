"""From Lark's tree to the nodes of `nodes.py`: one small function for each rule of the grammar that has a shape."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics import Bag, did_you_mean
from interpreter.lang import nodes as n
from interpreter.lang.scan import Tok
from interpreter.lang.words import FOREIGN_STATEMENTS, FOREIGN_VALUES, SIMPLE_WORDS
from interpreter.source import Span, Text

if TYPE_CHECKING:
    from lark import Token, Tree

# The deepest tree of the grammar's rules. No rule of a game comes near it; the later stages may recurse over a tree.
MAX_DEPTH = 200

_LARGEST = 2**31 - 1  # positions are made of 32-bit integers


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tree comes from: Lark counts offsets from `base` in `text`, and `tokens` are those that it read."""

    text: Text
    base: int
    tokens: tuple[Tok, ...]
    starts: tuple[int, ...]
    bag: Bag
    template: Callable[[int, int], n.Template | None]

    def span(self, node: Tree[Any] | Token) -> Span:
        """What it covers, from its first token to its last; Lark counts the line end behind a body as part of it."""
        low, high = _offsets(node)
        first = bisect_left(self.starts, low + self.base)
        last = bisect_left(self.starts, high + self.base) - 1
        return self.text.span(self.tokens[first].start, self.tokens[last].end)


def _offsets(node: Tree[Any] | Token) -> tuple[int, int]:
    place: Any = getattr(node, "meta", node)  # a tree keeps its place apart, a token is one
    return place.start_pos, place.end_pos


class TooDeepError(Exception):
    """A tree deeper than `MAX_DEPTH`."""

    def __init__(self, span: Span) -> None:
        self.span = span
        super().__init__("too deep")


def build(root: Tree[Any], place: Place) -> Any:
    """Builds bottom-up without recursion, so that no input can exhaust the stack."""
    from lark import Tree

    frames = [(root, iter(root.children), list[Any]())]
    while True:
        tree, rest, made = frames[-1]
        for child in rest:
            if isinstance(child, Tree):
                if len(frames) == MAX_DEPTH:
                    raise TooDeepError(place.span(child))
                frames.append((child, iter(child.children), []))
                break
            made.append(child)
        else:
            frames.pop()
            value = _RULES[str(tree.data)](place, tree, made)
            if not frames:
                return value
            frames[-1][2].append(value)


# ---- pieces ---------------------------------------------------------------------------------------------------------


def _name(p: Place, token: Token) -> n.Name:
    return n.Name(str(token), p.span(token))


def _template(p: Place, token: Token | None) -> n.Template | None:
    """The text in a string; one that is wrong was reported, and the tree it stands in will be thrown away."""
    if token is None:
        return None
    start, end = _offsets(token)
    return p.template(p.base + start + 1, p.base + end - 1) or n.Template("", (), p.span(token))


def _written(_p: Place, _t: Tree[Any], kids: list[Any]) -> tuple[Any, ...]:
    """All that is there: lists of things, and optional parts that are missing come as None."""
    return tuple(kid for kid in kids if kid is not None)


def _type(form: Any) -> Callable[[Place, Tree[Any], list[Any]], n.TypeRef]:
    return lambda p, t, k: n.TypeRef(form, _name(p, k[0]), p.span(t))


# ---- expressions ----------------------------------------------------------------------------------------------------


def _number(p: Place, t: Tree[Any], k: list[Any]) -> n.Number:
    digits = str(k[0])
    if len(digits) > 10 or int(digits) > _LARGEST:
        p.bag.error("number-range", "this number is too large", p.span(t), label=f"the largest is {_LARGEST}")
        return n.Number(0, p.span(t))
    return n.Number(int(digits), p.span(t))


def _name_ref(p: Place, t: Tree[Any], k: list[Any]) -> n.NameRef:
    name = str(k[0])
    if name in FOREIGN_VALUES:
        p.bag.error(
            "foreign-word",
            f"`{name}` is no word of the language",
            p.span(t),
            label="not a value",
            help=f"write `{FOREIGN_VALUES[name]}`",
        )
    return n.NameRef(name, p.span(t))


def _bracketed(p: Place, t: Tree[Any], k: list[Any]) -> n.Expr:
    """Brackets leave no node. Only `and` and `or` remember them, and then the brackets belong to their span."""
    inner: n.Expr = k[0]
    return replace(inner, bracketed=True, span=p.span(t)) if isinstance(inner, n.Logic) else inner


def _args(_p: Place, _t: Tree[Any], kids: list[Any]) -> tuple[n.Argument | n.Condition, ...]:
    return tuple(k if isinstance(k, n.Argument | n.Condition) else n.Argument(None, k, k.span) for k in kids)


def _logic(op: Any) -> Callable[[Place, Tree[Any], list[Any]], n.Logic]:
    return lambda p, t, k: n.Logic(op, k[0], k[1], p.span(t))


def _binary(op: Any) -> Callable[[Place, Tree[Any], list[Any]], n.Binary]:
    return lambda p, t, k: n.Binary(op, k[0], k[1], p.span(t))


def _compare(p: Place, t: Tree[Any], k: list[Any]) -> n.Compare:
    op: Any = str(k[1])
    return n.Compare(op, k[0], k[2], p.span(t))


def _aggregate(p: Place, t: Tree[Any], k: list[Any]) -> n.Aggregate:
    op, var, domain, where, *of = k
    return n.Aggregate(str(op), _name(p, var), domain, where, of[0] if of else None, p.span(t))


# ---- statements -----------------------------------------------------------------------------------------------------


def _assign(p: Place, t: Tree[Any], k: list[Any]) -> n.Assign:
    op: Any = str(k[1])
    return n.Assign(k[0], op, k[2], p.span(t))


def _call(p: Place, t: Tree[Any], k: list[Any]) -> n.CallStmt:
    target = k[0]
    if isinstance(target, n.NameRef):  # no call at all: `continue`, `brek`
        mend = FOREIGN_STATEMENTS.get(target.name) or did_you_mean(target.name, SIMPLE_WORDS)
        p.bag.error(
            "unknown-statement",
            f"`{target.name}` begins no statement",
            target.span,
            label="unknown word",
            help=mend or "a call has brackets, even if they are empty",
        )
    return n.CallStmt(target, p.span(t))


def _move(p: Place, t: Tree[Any], k: list[Any]) -> n.Move:
    end: Any = None if k[1] is None else str(k[1])
    return n.Move(k[0], k[2], end, p.span(t))


def _if(p: Place, t: Tree[Any], k: list[Any]) -> n.If:
    *parts, other = k
    return n.If(tuple(zip(parts[::2], parts[1::2], strict=True)), other, p.span(t))


def _match(p: Place, t: Tree[Any], k: list[Any]) -> n.Match:
    subject, *cases, other = k
    return n.Match(subject, tuple(cases), other, p.span(t))


def _binder(p: Place, t: Tree[Any], k: list[Any]) -> n.Binder:
    var, domain, where = k
    return n.Binder(_name(p, var), domain, where, "one", None, None, None, p.span(t))


def _set_binder(p: Place, t: Tree[Any], k: list[Any]) -> n.Binder:
    (quantity, most), set_name, var, domain, where, limit = k
    return n.Binder(_name(p, var), domain, where, quantity, most, _name(p, set_name), limit, p.span(t))


def _say(p: Place, t: Tree[Any], k: list[Any]) -> n.Say:
    text = _template(p, k[1])
    assert text is not None
    return n.Say(None if k[0] is None else _name(p, k[0]), text, p.span(t))


def _plain_choice(mood: Any, p: Place, t: Tree[Any], parts: list[Any]) -> n.Choose:
    """A decision without options is one with a single nameless option."""
    binders, clauses, body, other = parts
    option = n.Option(None, binders, clauses, body, p.span(t))
    return n.Choose(mood, False, clauses, (option,), other, p.span(t))


def _keep_choosing(p: Place, t: Tree[Any], k: list[Any]) -> n.Choose:
    each, *parts = k
    return _plain_choice("keep" if each is None else "keep_each", p, t, [*parts, None])


def _menu_choice(mood: Any, p: Place, t: Tree[Any], parts: list[Any]) -> n.Choose:
    clauses, options, other = parts
    return n.Choose(mood, True, clauses, options, other, p.span(t))


def _option(p: Place, t: Tree[Any], k: list[Any]) -> n.Option:
    name, binders, clauses, body = k
    return n.Option(_name(p, name), binders or (), clauses, body, p.span(t))


# ---- definitions ----------------------------------------------------------------------------------------------------


def _fun(p: Place, t: Tree[Any], k: list[Any]) -> n.Fun:
    is_open, name, params, result, meaning = k
    value, body = (None, meaning) if isinstance(meaning, tuple) else (meaning, ())
    return n.Fun(_name(p, name), params or (), result, value, body, is_open is not None, p.span(t))


def _effect(p: Place, t: Tree[Any], k: list[Any]) -> n.Effect:
    is_open, name, params, result, body = k
    return n.Effect(_name(p, name), params or (), result, body, is_open is not None, p.span(t))


def _signature(p: Place, _t: Tree[Any], k: list[Any]) -> tuple[n.Name, tuple[n.Name, ...]]:
    name, *params = [_name(p, token) for token in k if token is not None]
    return name, tuple(params)


_RULES: dict[str, Callable[[Place, Tree[Any], list[Any]], Any]] = {
    # start symbols
    "file": _written,
    "block": _written,
    "expression": lambda p, t, k: k[0],
    "type_text": lambda p, t, k: k[0],
    "signature": _signature,
    "binder_text": lambda p, t, k: k[0],
    # definitions
    "fun": _fun,
    "effect": _effect,
    "params": _written,
    "param": lambda p, t, k: n.Param(_name(p, k[0]), k[1]),
    "plain_type": _type("plain"),
    "maybe_type": _type("maybe"),
    "set_type": _type("set"),
    "list_type": _type("list"),
    # statements
    "suite": _written,
    "let": lambda p, t, k: n.Let(_name(p, k[0]), k[1], p.span(t)),
    "assign": _assign,
    "call": _call,
    "return_": lambda p, t, k: n.Return(k[0], p.span(t)),
    "move": _move,
    "draw": lambda p, t, k: n.Draw(k[0], k[1], k[2], p.span(t)),
    "log": lambda p, t, k: n.Log(_template(p, k[0]), k[1], p.span(t)),  # type: ignore[arg-type]  # never None
    "win": lambda p, t, k: n.Win(k[0], _template(p, k[1]), p.span(t)),
    "finish": lambda p, t, k: n.Finish(_template(p, k[0]), p.span(t)),
    "pass_": lambda p, t, k: n.Pass(p.span(t)),
    "break_": lambda p, t, k: n.Break(p.span(t)),
    "roll": lambda p, t, k: n.Roll(k[0], k[1], p.span(t)),
    "disclose": lambda p, t, k: n.Disclose(k[0], k[1], p.span(t)),
    "if_": _if,
    "else_": lambda p, t, k: k[0],
    "match_": _match,
    "case": lambda p, t, k: n.Case(tuple(k[:-1]), k[-1], p.span(t)),
    "repeat": lambda p, t, k: n.Repeat(k[0], k[1], p.span(t)),
    "while_": lambda p, t, k: n.While(k[0], k[1], p.span(t)),
    "for_each": lambda p, t, k: n.ForEach(k[0], k[1], p.span(t)),
    "for_chosen": lambda p, t, k: n.ForChosen(k[0], k[1], k[2], k[3], p.span(t)),
    "alternate": lambda p, t, k: n.Alternate(_name(p, k[0]), k[1], k[2], p.span(t)),
    "secretly": lambda p, t, k: n.Secretly(k[0], k[1], p.span(t)),
    "scene": lambda p, t, k: n.Scene(_name(p, k[0]), k[1] or (), k[2], p.span(t)),
    "choose": lambda p, t, k: _plain_choice("choose", p, t, k),
    "may_choose": lambda p, t, k: _plain_choice("may", p, t, k),
    "may": lambda p, t, k: _plain_choice("may", p, t, [(), *k]),
    "keep_choosing": _keep_choosing,
    "choose_menu": lambda p, t, k: _menu_choice("choose", p, t, k),
    "keep_menu": lambda p, t, k: _menu_choice("keep", p, t, [*k, None]),
    "menu": _written,
    "option": _option,
    "binders": _written,
    "binder": _binder,
    "set_binder": _set_binder,
    "any_number": lambda p, t, k: ("any", None),
    "up_to": lambda p, t, k: ("up_to", k[0]),
    "clauses": lambda p, t, k: n.Clauses(*k),
    "say": _say,
    # expressions
    "conditional": lambda p, t, k: n.Conditional(k[1], k[0], k[2], p.span(t)),
    "bonus": lambda p, t, k: n.Conditional(k[1], k[0], None, p.span(t)),
    "or_": _logic("or"),
    "and_": _logic("and"),
    "negation": lambda p, t, k: n.Not(k[0], p.span(t)),
    "compare": _compare,
    "member": lambda p, t, k: n.Member(k[0], k[1], False, p.span(t)),
    "not_member": lambda p, t, k: n.Member(k[0], k[1], True, p.span(t)),
    "is_kind": lambda p, t, k: n.IsKind(k[0], _name(p, k[1]), False, p.span(t)),
    "is_not_kind": lambda p, t, k: n.IsKind(k[0], _name(p, k[1]), True, p.span(t)),
    "range_": lambda p, t, k: n.Range(k[0], k[1], p.span(t)),
    "add": _binary("+"),
    "sub": _binary("-"),
    "mul": _binary("*"),
    "div": _binary("/"),
    "negative": lambda p, t, k: n.Negative(k[0], p.span(t)),
    "number": _number,
    "name": _name_ref,
    "none": lambda p, t, k: n.NoneLit(p.span(t)),
    "true": lambda p, t, k: n.BoolLit(True, p.span(t)),
    "false": lambda p, t, k: n.BoolLit(False, p.span(t)),
    "bracketed": _bracketed,
    "field": lambda p, t, k: n.Field(k[0], _name(p, k[1]), p.span(t)),
    "apply": lambda p, t, k: n.Apply(k[0], k[1] or (), p.span(t)),
    "index": lambda p, t, k: n.Index(k[0], tuple(k[1:]), p.span(t)),
    "list_": lambda p, t, k: n.ListLit(_written(p, t, k), p.span(t)),
    "aggregate": _aggregate,
    "every": _aggregate,
    "some": _aggregate,
    "args": _args,
    "named": lambda p, t, k: n.Argument(_name(p, k[0]), k[2], p.span(t)),
    "condition": lambda p, t, k: n.Condition(_name(p, k[0]), _name(p, k[2]), k[3], p.span(t)),
}
