"""How to mend a value of the wrong type: what the author probably meant, as a sentence for `help`.

A sentence is empty if nothing is likely.
"""

from __future__ import annotations

from interpreter.lang import nodes as n
from interpreter.lang.scope import EntitySet, Local, Scope, Symbol
from interpreter.lang.types import (
    BoolT,
    EmptyT,
    EnumT,
    IntT,
    KindT,
    ListT,
    MaybeT,
    NoneT,
    PlaceT,
    SetT,
    Ty,
    ZoneT,
    article,
    fits,
)
from interpreter.lang.words import FOREIGN_FUNCTIONS
from interpreter.lang.world import Field, Kind, Table, Zone, plural
from interpreter.source import Span


def shown(node: n.Expr, limit: int = 40) -> str:
    """An expression as it is written, or `x` if that is long."""
    text = node.span.text
    return text if "\n" not in text and len(text) < limit else "x"


def header(span: Span) -> Span:
    """The first line of what is written over several lines."""
    end = span.text.find("\n")
    return span if end < 0 else Span(span.source, span.start, span.start + len(span.text[:end].rstrip()))


def mend(node: n.Expr, have: Ty, want: Ty, s: Scope) -> str:
    """How a value of type `have` could become one of type `want`."""
    text = shown(node)
    match want, have:
        case BoolT(), IntT():
            return (
                "write `true` or `false`" if isinstance(node, n.Number) else f"compare it with something: `{text} > 0`"
            )
        case BoolT(), SetT() | ListT() | ZoneT() | EmptyT():
            return f"`size({text}) > 0` asks whether there are any"
        case BoolT(), MaybeT() | NoneT():
            return f"`{text} != none` asks whether there is one"
        case IntT(), BoolT():
            return f"`(1 if {text})` is 1 or 0"
        case IntT(), SetT() | ListT() | ZoneT():
            return f"`size({text})` is how many there are"
        case SetT(of), _ if fits(have, of):
            return f"put brackets around it: `[{text}]`"
        case KindT(), PlaceT():
            return f"test it first: `{text} is {want}`"
        case KindT(), SetT(of) if fits(of, want):
            return f"take one of them: `first(x in {text} where …)` or `for each x in {text}:`"
        case KindT() | EnumT() | IntT() | BoolT(), NoneT():
            return f"only what is declared as `maybe {want}` can be none"
        case _, KindT(kind):
            fields = [f"`{text}.{f.name}`" for f in kind.fields.values() if not f.per and fits(f.type, want)]
            return f"did you mean {' or '.join(fields[:3])}?" if fields else ""
    return ""


def mend_unknown_name(name: str, s: Scope) -> str:
    """What may be meant by a name that nothing has: a variable of that kind, or a field of one."""
    kind = s.world.kinds.get(name) or s.world.sort(name)
    if kind is not None:
        of = kind if isinstance(kind, Kind) else kind.kind
        near = [f"`{x.name}`" for x in _variables(s) if isinstance(x.type, KindT) and x.type.kind is of]
        if near:
            return f"did you mean {' or '.join(near[:3])}, {article(name)}?"
        return f"`{name}` is a kind, and `{plural(name) if kind is not of else of.plural}` the set of all of them"
    owners = [k for k in s.world.kinds.values() if name in k.fields or name in k.holds or name in k.inverses]
    if not owners:
        return ""
    near = [f"`{x.name}.{name}`" for x in _variables(s) if isinstance(x.type, KindT) and x.type.kind in owners]
    if near:
        return f"did you mean {' or '.join(near[:3])}?"
    return f"it is a field: write of which {owners[0].name}, `x.{name}`"


def _keys(symbol: Zone | Field | Table) -> bool:
    return bool(symbol.keys if isinstance(symbol, Table) else symbol.per)


def _variables(s: Scope) -> list[Local]:
    return [x for x in s.names.values() if isinstance(x, Local)]


def mend_unknown_function(name: str, node: n.Apply, s: Scope) -> str:
    """Why a function that does not exist was called: it may be a field, a set, or a word of another language."""
    given = ", ".join(shown(x.value) if isinstance(x, n.Argument) else "…" for x in node.args)
    for symbol in s.checked.symbols.get(name, []):
        if isinstance(symbol, Zone | Field | Table) and symbol.name == name:
            return f"write `{name}[{given}]`" if given and _keys(symbol) else f"`{name}` takes no brackets"
    owners = [k for k in s.world.kinds.values() if name in k.fields or name in k.holds]
    if owners and len(node.args) == 1 and isinstance(node.args[0], n.Argument):
        return f"`{name}` is a field: write `{shown(node.args[0].value)}.{name}`"
    return FOREIGN_FUNCTIONS.get(name, "").replace("(…)", f"({given})")


def mend_field_of_many(node: n.Field, s: Scope) -> str:
    """What to write in place of a field of a whole set."""
    text, name = shown(node.target), node.name.text
    return f"a field belongs to one thing: `any(x in {text} where x.{name} …)`, `sum(x in {text} of x.{name})` …"


def mend_entity(name: str, symbols: list[Symbol]) -> str:
    """What else is called like an entity that was sought in the wrong kind."""
    for symbol in symbols:
        kind = getattr(symbol, "kind", None)
        if kind is not None and not isinstance(symbol, EntitySet):
            return f"`{name}` is {article(kind.name)}"
    return ""
