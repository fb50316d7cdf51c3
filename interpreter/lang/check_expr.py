"""Types of expressions. Every expression gets a type, every name a meaning, every mistake one message with a way to mend it."""

from __future__ import annotations

from interpreter.diagnostics import Note, did_you_mean
from interpreter.lang import nodes as n
from interpreter.lang.check_call import check_apply
from interpreter.lang.declare import known_fields
from interpreter.lang.narrow import facts_if
from interpreter.lang.scope import (
    Callable,
    EntitySet,
    EnumValue,
    Local,
    Mover,
    OptionRef,
    Scope,
    Symbol,
    declared_at,
    path_of,
)
from interpreter.lang.types import (
    BOOL,
    EMPTY,
    ERROR,
    INT,
    NONE,
    BoolT,
    EmptyT,
    EnumT,
    ErrorT,
    IntT,
    KindT,
    ListT,
    MaybeT,
    PlaceT,
    SetT,
    Ty,
    ZoneT,
    comparable,
    element,
    fits,
    join,
    maybe,
    strip,
)
from interpreter.lang.world import Entity, Enum, Field, Kind, Sort, Zone


def check_expr(node: n.Expr, s: Scope) -> Ty:
    """The type of an expression where it stands; recorded in `checked.types` (and `raw`, if a test before narrowed it)."""
    ty = _type(node, s)
    path = path_of(node, s.checked)
    if path is not None and path in s.facts:
        known = s.facts[path]
        if known != ty and not isinstance(ty, ErrorT):
            s.checked.raw[node] = ty
            ty = known
    s.checked.types[node] = ty
    return ty


def expect(node: n.Expr, want: Ty, s: Scope, what: str = "") -> Ty:
    """Checks an expression that must have a type; `what` says whose ("the cost", "argument `p`")."""
    have = check_expr(node, s)
    if not fits(have, want):
        _mismatch(node, have, want, s, what)
    return have


def _mismatch(node: n.Expr, have: Ty, want: Ty, s: Scope, what: str) -> None:
    subject = f"{what} must be" if what else "this must be"
    if isinstance(have, MaybeT) and fits(have.of, want):
        _maybe_unchecked(node, have, s)
        return
    hint = ""
    if isinstance(want, SetT) and fits(have, want.of):
        hint = f"put brackets around it: `[{node.span.text}]`"
    elif isinstance(have, PlaceT) and isinstance(want, KindT):
        hint = f"test it first: `{node.span.text} is {want}`"
    s.bag.error("type-mismatch", f"{subject} {a(want)}, and this is {a(have)}", node.span, label=f"this is {a(have)}", help=hint)


def _maybe_unchecked(node: n.Expr, have: MaybeT, s: Scope) -> None:
    text = node.span.text
    shown = text if "\n" not in text and len(text) < 40 else "this"
    s.bag.error(
        "maybe-unchecked",
        f"`{shown}` may be none here",
        node.span,
        label=f"this is {a(have)}",
        help=f"test it first: `{shown} != none`, with `if`, `and` or `where`",
    )


def a(ty: Ty) -> str:
    """A type with its article, for messages."""
    text = str(ty)
    if text.startswith(("none", "maybe", "set of", "list of", "place")):
        return {"n": text, "m": f"a `{text}`"}.get(text[0], f"a {text}")
    return f"{'an' if text[0] in 'aeiou' else 'a'} {text}"


def condition(node: n.Expr, s: Scope, what: str = "a condition") -> None:
    """Checks an expression that must be true or false."""
    expect(node, BOOL, s, what)


def then_facts(node: n.Expr, holds: bool, s: Scope) -> Scope:
    """A scope in which a checked condition is known to have come out as `holds`."""
    inner = s.inner()
    inner.facts.update(facts_if(node, holds, s.checked))
    return inner


def bind(name: n.Name, ty: Ty, s: Scope, *, assignable: bool = False) -> Local:
    """Declares a variable; hiding another name is an error."""
    local = Local(name.text, ty, name.span, assignable)
    other: Symbol | None = s.names.get(name.text)
    if other is None and name.text in s.checked.symbols:
        other = s.checked.symbols[name.text][0]
    if other is not None:
        span = declared_at(other)
        s.bag.error(
            "hidden-name",
            f"`{name.text}` already means something here",
            name.span,
            label="a variable can't hide another name",
            notes=[Note(f"`{name.text}` is declared here", span)] if span else [],
            help="choose another name for the variable",
        )
    s.names[name.text] = local
    s.checked.locals[name] = local
    return local


def domain_element(node: n.Expr, s: Scope) -> Ty:
    """Checks what a binder or aggregate runs over; gives the type of its members."""
    ty = check_expr(node, s)
    if isinstance(ty, ZoneT) and ty.zone.of is not None:
        return KindT(ty.zone.of)
    inner = element(ty)
    if isinstance(ty, EmptyT):
        return ERROR
    if inner is None:
        if isinstance(ty, MaybeT) and element(ty.of) is not None:
            _maybe_unchecked(node, ty, s)
        else:
            s.bag.error(
                "not-a-collection",
                f"this is {a(ty)}, not a set or list",
                node.span,
                help=_plural_hint(node, s),
            )
        return ERROR
    return inner


def _plural_hint(node: n.Expr, s: Scope) -> str:
    if isinstance(node, n.NameRef) and node.name in s.world.kinds:
        return f"did you mean `{s.world.kinds[node.name].plural}`, all of them?"
    return ""


def _type(node: n.Expr, s: Scope) -> Ty:
    match node:
        case n.Number():
            if node.value > 2**31 - 1:
                s.bag.error("big-number", "numbers go up to 2147483647", node.span)
            return INT
        case n.BoolLit():
            return BOOL
        case n.NoneLit():
            return NONE
        case n.NameRef():
            return _name(node, s)
        case n.Field():
            return _field(node, s)
        case n.Apply():
            return check_apply(node, s)
        case n.Index():
            return _index(node, s)
        case n.ListLit():
            return _list(node, s)
        case n.Aggregate():
            return _aggregate(node, s)
        case n.Compare():
            return _compare(node, s)
        case n.Member():
            return _member(node, s)
        case n.IsKind():
            return _is_kind(node, s)
        case n.Range():
            expect(node.low, INT, s, "the start of a range")
            expect(node.high, INT, s, "the end of a range")
            return SetT(INT)
        case n.Binary():
            return _binary(node, s)
        case n.Negative():
            expect(node.value, INT, s)
            return INT
        case n.Not():
            condition(node.value, s, "what follows `not`")
            return BOOL
        case n.Logic():
            return _logic(node, s)
        case n.Conditional():
            return _conditional(node, s)
        case n.Roll():
            s.bag.error(
                "not-yet", "dice are part of the language but are not supported yet", node.span
            )
            return ERROR


def symbol_type(symbol: Symbol) -> Ty | None:
    """The type of a symbol used as a value; None if it is no value."""
    match symbol:
        case Local():
            return symbol.type
        case Entity():
            sort = next((x for x in symbol.kind.sorts.values() if x.low <= symbol.index < x.high), None)
            return KindT(symbol.kind, sort)
        case EntitySet():
            return SetT(KindT(symbol.kind, symbol.sort))
        case EnumValue():
            return EnumT(symbol.enum)
        case Enum():
            return SetT(EnumT(symbol))
        case Field():
            return symbol.type if not symbol.per else None
        case Zone():
            return ZoneT(symbol) if not symbol.per else None
        case OptionRef():
            return BOOL
    return None


def _name(node: n.NameRef, s: Scope) -> Ty:
    name = node.name
    if name in s.names:
        s.checked.refs[node] = s.names[name]
        return s.names[name].type
    if name == "mover":
        s.checked.refs[node] = Mover()
        if not s.mover:
            s.bag.error(
                "no-mover",
                "`mover` is known only directly in a phase",
                node.span,
                help="give the player to this function or effect as a parameter",
            )
            return ERROR
        return KindT(s.world.players)
    found = s.checked.symbols.get(name, [])
    if len(found) > 1:
        words = [f"`{_owner_name(x)}.{name}`" for x in found]
        s.bag.error("ambiguous-name", f"`{name}` can mean {' or '.join(words)}", node.span, help="write the one you mean")
        return ERROR
    if not found:
        return _unknown_name(node, s)
    symbol = found[0]
    s.checked.refs[node] = symbol
    if isinstance(symbol, Zone) and symbol.unused:
        s.checked.uses_unused = True
    ty = symbol_type(symbol)
    if ty is not None:
        return ty
    match symbol:
        case Callable():
            s.bag.error(
                "missing-call",
                f"`{name}` is {'an effect' if symbol.is_effect else 'a function'}",
                node.span,
                help=f"call it: `{name}({', '.join(p.name for p in symbol.params)})`",
            )
        case Field() | Zone():
            s.bag.error("missing-index", f"`{name}` is indexed", node.span, help=f"write `{name}[…]`")
        case _:
            hint = f"`{symbol.plural}` is the set of all of them" if isinstance(symbol, Kind) else ""
            s.bag.error("not-a-value", f"`{name}` is a kind, not a value", node.span, help=hint)
    return ERROR


def _owner_name(symbol: Symbol) -> str:
    match symbol:
        case Entity():
            return symbol.kind.name
        case EnumValue():
            return symbol.enum.name
    return "global"


def _unknown_name(node: n.NameRef, s: Scope) -> Ty:
    known = [*s.names, *s.checked.symbols]
    s.bag.error(
        "unknown-name",
        f"nothing is called `{node.name}` here",
        node.span,
        label="not a variable, entity, value, field or set",
        help=did_you_mean(node.name, known),
    )
    return ERROR


def _field(node: n.Field, s: Scope) -> Ty:
    qualified = _qualified(node, s)
    if qualified is not None:
        return qualified
    target = check_expr(node.target, s)
    name = node.name.text
    if isinstance(target, ErrorT):
        return ERROR
    if isinstance(target, MaybeT) and isinstance(target.of, KindT):
        _maybe_unchecked(node.target, target, s)
        return ERROR
    if not isinstance(target, KindT):
        hint = ""
        if isinstance(target, PlaceT):
            hint = f"test first what it is: `{node.target.span.text} is {target.piece.place_kinds[0].name}`" if target.piece.place_kinds else ""
        s.bag.error("no-fields", f"{a(target)} has no fields", node.name.span, help=hint)
        return ERROR
    kind = target.kind
    if kind.is_piece and name == "at":
        s.checked.refs[node] = "at"
        return PlaceT(kind)
    if kind.is_piece and name == "on":
        s.checked.refs[node] = "on"
        return KindT(s.world.board.space) if s.world.board else ERROR
    if name in kind.holds:
        s.checked.refs[node] = "holds"
        return maybe(KindT(kind.holds[name].piece))
    field = kind.fields.get(name)
    if field is None:
        notes = [Note(f"fields of `{kind.name}` are declared here", kind.span)] if kind.span else []
        s.bag.error(
            "unknown-name",
            f"`{target}` has no field `{name}`",
            node.name.span,
            label=f"not a field of `{target}`",
            notes=notes,
            help=did_you_mean(name, known_fields(kind)) or _function_hint(name, node, s),
        )
        return ERROR
    s.checked.refs[node] = field
    if field.per:
        s.bag.error("missing-index", f"`{name}` is indexed", node.name.span, help=f"write `{node.span.text}[…]`")
        return ERROR
    return field.type


def _function_hint(name: str, node: n.Field, s: Scope) -> str:
    if name in s.checked.callables:
        return f"`{name}` is a function: write `{name}({node.target.span.text})`"
    return ""


def _qualified(node: n.Field, s: Scope) -> Ty | None:
    """`kind.id`, `enum.value` and `option.name`."""
    if not isinstance(node.target, n.NameRef) or node.target.name in s.names:
        return None
    owner, name = node.target.name, node.name.text
    if owner == "option":
        s.checked.refs[node] = OptionRef(name)
        if name in s.world.options:
            return BOOL
        s.bag.error(
            "unknown-name", f"there is no option `{name}`", node.name.span, help=did_you_mean(name, s.world.options)
        )
        return ERROR
    if owner in s.world.enums:
        enum = s.world.enums[owner]
        if name in enum.values:
            s.checked.refs[node] = EnumValue(enum, enum.values.index(name))
            return EnumT(enum)
        s.bag.error("unknown-name", f"`{owner}` has no value `{name}`", node.name.span, help=did_you_mean(name, enum.values))
        return ERROR
    if owner in s.world.kinds and owner not in s.checked.symbols:
        kind = s.world.kinds[owner]
        found = next((e for e in kind.entities if e.id == name), None)
        if found:
            s.checked.refs[node] = found
            return symbol_type(found) or ERROR
        ids = [e.id for e in kind.entities]
        s.bag.error("unknown-name", f"there is no {owner} `{name}`", node.name.span, help=did_you_mean(name, ids))
        return ERROR
    return None


def indexed(node: n.Index, s: Scope) -> Field | Zone | None:
    """The indexed field or zone behind `x.f[…]`, `g[…]` or `zone[…]`; None for a list."""
    target = node.target
    if isinstance(target, n.NameRef) and target.name not in s.names:
        found = s.checked.symbols.get(target.name, [])
        if len(found) == 1 and isinstance(found[0], Field | Zone) and found[0].per:
            s.checked.refs[target] = found[0]
            return found[0]
    if isinstance(target, n.Field) and _qualified_owner(target, s) is None:
        owner = check_expr(target.target, s)
        if isinstance(owner, KindT):
            field = owner.kind.fields.get(target.name.text)
            if field is not None and field.per:
                s.checked.refs[target] = field
                return field
    return None


def _qualified_owner(node: n.Field, s: Scope) -> str | None:
    if isinstance(node.target, n.NameRef) and node.target.name not in s.names:
        name = node.target.name
        if name == "option" or name in s.world.enums or (name in s.world.kinds and name not in s.checked.symbols):
            return name
    return None


def _index(node: n.Index, s: Scope) -> Ty:
    found = indexed(node, s)
    if found is not None:
        s.checked.refs[node] = found
        per = [KindT(k) for k in found.per] if isinstance(found, Zone) else [t for t, _ in found.per]
        if len(per) != len(node.keys):
            s.bag.error("wrong-index", f"`{found.name}` is indexed by {len(per)} things, not {len(node.keys)}", node.span)
        for key, want in zip(node.keys, per, strict=False):
            expect(key, want, s, "the index")
        return ZoneT(found) if isinstance(found, Zone) else found.type
    ty = check_expr(node.target, s)
    for key in node.keys:
        expect(key, INT, s, "the index")
    if isinstance(ty, ListT) and len(node.keys) == 1:
        return ty.of
    if not isinstance(ty, ErrorT):
        s.bag.error("no-index", f"{a(ty)} has no numbered items", node.span)
    return ERROR


def _list(node: n.ListLit, s: Scope) -> Ty:
    if not node.items:
        return EMPTY
    found: Ty | None = None
    for item in node.items:
        ty = check_expr(item, s)
        joined = ty if found is None else join(found, ty)
        if joined is None:
            s.bag.error("type-mismatch", f"a list can't hold both {a(found or ERROR)} and {a(ty)}", item.span)
            return ERROR
        found = joined
    if found is None or isinstance(found, ErrorT):
        return ERROR
    return ListT(strip(found))  # none is dropped: a list of what is there


def _aggregate(node: n.Aggregate, s: Scope) -> Ty:
    if node.op == "chance":
        s.bag.error("not-yet", "`chance` is part of the language but is not supported yet", node.span)
        return ERROR
    inner = s.inner()
    of = domain_element(node.domain, s)
    bind(node.var, of, inner)
    if node.where is not None:
        condition(node.where, inner)
        inner = then_facts(node.where, True, inner)
    narrowed = inner.facts.get((s.checked.locals[node.var],), of)
    value: Ty = ERROR
    op = node.op
    if op in ("sum", "most", "least", "highest", "lowest"):
        if node.of is None:
            if op == "sum" or not isinstance(of, IntT):
                s.bag.error("missing-of", f"`{op}` needs a value: `{op}({node.var.text} in … of …)`", node.span)
                return ERROR
            value = of
        else:
            value = check_expr(node.of, inner)
        if op == "sum":
            if not fits(value, INT):
                _mismatch(node.of or node, value, INT, s, "what is added up")
        elif not isinstance(value, IntT | ErrorT | BoolT) and not (isinstance(value, EnumT) and value.enum.ordered):
            s.bag.error("not-ordered", f"{a(value)} has no order, so there is no greatest", (node.of or node).span)
    elif op == "all" and node.of is not None:
        condition(node.of, inner, "what follows `have`")
    elif node.of is not None:
        s.bag.error("unexpected-of", f"`{op}` takes no `of`", node.of.span)
    domain = s.checked.types[node.domain]
    match op:
        case "count" | "sum":
            return INT
        case "any" | "all":
            return BOOL
        case "first":
            return maybe(narrowed)
        case "the":
            return narrowed
        case "most" | "least":
            return maybe(value)
        case "leading":
            if not isinstance(domain, ListT | ErrorT):
                s.bag.error("type-mismatch", f"`leading` needs a list, and this is {a(domain)}", node.domain.span)
            return ListT(of) if not isinstance(of, ErrorT) else ERROR
    return SetT(narrowed) if not isinstance(narrowed, ErrorT) else ERROR


def _compare(node: n.Compare, s: Scope) -> Ty:
    left, right = check_expr(node.left, s), check_expr(node.right, s)
    if isinstance(left, ErrorT) or isinstance(right, ErrorT):
        return BOOL
    if node.op in ("==", "!="):
        if not comparable(left, right):
            s.bag.error(
                "never-equal",
                f"{a(left)} and {a(right)} can't be compared",
                node.span,
                label=f"left is {a(left)}, right is {a(right)}",
            )
        return BOOL
    for side, ty in ((node.left, left), (node.right, right)):
        if isinstance(ty, MaybeT):
            _maybe_unchecked(side, ty, s)
            return BOOL
        if not isinstance(ty, IntT) and not (isinstance(ty, EnumT) and ty.enum.ordered):
            s.bag.error("not-ordered", f"{a(ty)} has no order", side.span, label="only numbers and ordered enums have")
            return BOOL
    if left != right:
        s.bag.error("type-mismatch", f"{a(left)} and {a(right)} can't be compared", node.span)
    return BOOL


def _member(node: n.Member, s: Scope) -> Ty:
    item = check_expr(node.item, s)
    inner = domain_element(node.collection, s)
    if isinstance(item, ErrorT) or isinstance(inner, ErrorT):
        return BOOL
    if not comparable(item, inner):
        s.bag.error("never-equal", f"{a(item)} is never in a set of {inner}", node.span)
    return BOOL


def _is_kind(node: n.IsKind, s: Scope) -> Ty:
    ty = strip(check_expr(node.target, s))
    name = node.kind.text
    found: Kind | Sort | Zone | None = s.world.kinds.get(name) or s.world.sort(name) or s.world.zones.get(name)
    if found is None:
        known = [*s.world.kinds, *s.world.zones, *(x for k in s.world.kinds.values() for x in k.sorts)]
        s.bag.error("unknown-kind", f"there is no kind, sort or zone `{name}`", node.kind.span, help=did_you_mean(name, known))
        return BOOL
    s.checked.refs[node] = found
    if isinstance(found, Zone) and found.unused:
        s.checked.uses_unused = True
    kind = found.kind if isinstance(found, Sort) else found
    if isinstance(ty, ErrorT):
        return BOOL
    possible = (isinstance(ty, KindT) and ty.kind is kind) or (
        isinstance(ty, PlaceT)
        and (kind in ty.piece.place_kinds or kind in ty.piece.place_zones or (isinstance(kind, Zone) and kind.unused))
    )
    if not possible:
        s.bag.error("never-equal", f"{a(ty)} is never a {name}", node.span)
    return BOOL


def _binary(node: n.Binary, s: Scope) -> Ty:
    if node.op == "/":
        s.bag.error(
            "bare-division",
            "a division must say how it is rounded",
            node.span,
            help=f"write `floor({node.span.text})` or `ceil({node.span.text})`",
        )
        return ERROR
    left, right = check_expr(node.left, s), check_expr(node.right, s)
    if isinstance(left, ErrorT) or isinstance(right, ErrorT):
        return ERROR
    if isinstance(left, IntT) and isinstance(right, IntT):
        return INT
    collections = SetT | ListT | EmptyT
    if node.op in ("+", "-") and isinstance(left, collections) and isinstance(right, collections):
        joined = join(left, right)
        if joined is None:
            s.bag.error("type-mismatch", f"{a(left)} and {a(right)} hold different things", node.span)
            return ERROR
        return SetT(joined.of) if isinstance(joined, SetT | ListT) else EMPTY
    side, ty = (node.left, left) if not isinstance(left, IntT | collections) else (node.right, right)
    if isinstance(ty, MaybeT):
        _maybe_unchecked(side, ty, s)
    elif isinstance(ty, BoolT):
        s.bag.error("type-mismatch", "a condition is no number", side.span, help=f"write `(1 if {side.span.text})`")
    elif isinstance(ty, KindT | EnumT) and isinstance(left, collections):
        s.bag.error("type-mismatch", f"a set and {a(ty)} can't be added", side.span, help=f"put brackets around it: `[{side.span.text}]`")
    else:
        s.bag.error("type-mismatch", f"`{node.op}` needs two numbers or two sets, and this is {a(ty)}", side.span)
    return ERROR


def _logic(node: n.Logic, s: Scope) -> Ty:
    for side in (node.left, node.right):
        if isinstance(side, n.Logic) and side.op != node.op and not side.bracketed:
            s.bag.error(
                "mixed-logic",
                "`and` mixed with `or` needs brackets",
                node.span,
                help=f"put brackets around `{side.span.text}` if that is what you mean",
            )
    condition(node.left, s, f"what stands before `{node.op}`")
    condition(node.right, then_facts(node.left, node.op == "and", s), f"what follows `{node.op}`")
    return BOOL


def _conditional(node: n.Conditional, s: Scope) -> Ty:
    condition(node.cond, s)
    then = check_expr(node.then, then_facts(node.cond, True, s))
    if node.other is None:
        if not fits(then, INT):
            s.bag.error("bonus-form", f"without `else` this must be a number (it is 0 otherwise), and it is {a(then)}", node.then.span)
            return ERROR
        return INT
    other = check_expr(node.other, then_facts(node.cond, False, s))
    joined = join(then, other)
    if joined is None:
        s.bag.error(
            "type-mismatch",
            f"the two values of this choice differ: {a(then)} and {a(other)}",
            node.span,
            label=f"{a(then)} or {a(other)}",
        )
        return ERROR
    return joined
