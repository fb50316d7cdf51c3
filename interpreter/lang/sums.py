"""Sums of labelled parts: open functions whose parts can be told one by one."""

from __future__ import annotations

from interpreter.diagnostics import Bag
from interpreter.lang import nodes as n
from interpreter.lang.parse import parse_expression, parse_type
from interpreter.lang.scope import Checked, Sum, SumTerm
from interpreter.reading.model import SumDef
from interpreter.source import Name


def sum_functions(checked: Checked, bag: Bag) -> list[n.Fun]:
    """The functions that the labelled sums of a game are; their parts go to `checked.sums`."""
    made = []
    for d in checked.game.sums:
        function = _function(d, checked, bag)
        if function is not None:
            made.append(function)
    return made


def _function(d: SumDef, checked: Checked, bag: Bag) -> n.Fun | None:
    params = []
    for name, text in d.takes:
        ref = parse_type(text, bag)
        if ref is None:
            return None
        params.append(n.Param(name, ref))
    terms: list[SumTerm] = []
    total: n.Expr | None = None
    for part in d.parts:
        value = parse_expression(part.value, bag)
        when = parse_expression(part.when, bag) if part.when is not None else None
        if value is None or (part.when is not None and when is None):
            return None
        terms.append(SumTerm(part, value, when))
        term: n.Expr = value if when is None else n.Conditional(when, value, None, part.value.whole)
        total = term if total is None else n.Binary("+", total, term, part.value.whole)
    checked.sums[d.name.text] = Sum(d, tuple(terms))
    result = n.TypeRef("plain", Name("int", d.name.span), d.name.span)
    return n.Fun(d.name, tuple(params), result, total, (), True, d.span)
