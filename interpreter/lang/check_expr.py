"""Types of expressions.

Every expression gets a type, every name a meaning, every mistake one message with a way to mend it.
"""

from __future__ import annotations

from interpreter.diagnostics import did_you_mean
from interpreter.lang import nodes as n
from interpreter.lang.check_base import (
    a,
    bind,
    condition,
    domain_element,
    expect,
    maybe_unchecked,
    mismatch,
    then_facts,
)
from interpreter.lang.check_call import check_apply
from interpreter.lang.check_chance import fits_roll, no_odds_here, no_roll_here
from interpreter.lang.check_name import check_field, check_index, check_name
from interpreter.lang.mending import shown
from interpreter.lang.scope import (
    Scope,
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
    NoneT,
    PlaceT,
    RollT,
    SetT,
    Ty,
    article,
    comparable,
    fits,
    join,
    maybe,
    strip,
)
from interpreter.lang.world import Kind, Sort, Zone


def check_expr(node: n.Expr, s: Scope) -> Ty:
    """The type of an expression where it stands; recorded in `types` (and in `raw`, if a test before narrowed it)."""
    ty = _type(node, s)
    path = path_of(node, s.checked)
    if path is not None and path in s.facts:
        known = s.facts[path]
        if known != ty and not isinstance(ty, ErrorT):
            s.checked.raw[node] = ty
            if path in s.proved:
                s.checked.proved.add(node)
            ty = known
    s.checked.types[node] = ty
    return ty


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
            return check_name(node, s)
        case n.Field():
            return check_field(node, s)
        case n.Apply():
            return check_apply(node, s)
        case n.Index():
            return check_index(node, s)
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
        case n.Roll() | n.Disclose():
            return no_roll_here(node, s)


def _list(node: n.ListLit, s: Scope) -> Ty:
    if not node.items:
        return EMPTY
    found: Ty | None = None
    for item in node.items:
        ty = s.expr(item)
        joined = ty if found is None else join(found, ty)
        if joined is None:
            message = f"a list can't hold both {a(found or ERROR)} and {a(ty)}"
            s.bag.error("type-mismatch", message, item.span, label=f"this is {a(ty)}")
            return ERROR
        found = joined
    if found is None or isinstance(found, ErrorT):
        return ERROR
    return ListT(strip(found))  # none is dropped: a list of what is there


def _aggregate(node: n.Aggregate, s: Scope) -> Ty:
    if node.op == "chance":
        return no_odds_here(node, s)
    inner = s.inner()
    of = domain_element(node.domain, s, roll=True)
    if not fits_roll(node.op, node.domain, s.checked.types[node.domain], s):
        return ERROR
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
                mend = f"say what of each: `{op}({node.var.text} in {shown(node.domain)} of …)`"
                s.bag.error("missing-of", f"`{op}` needs a value behind `of`", node.span, help=mend)
                return ERROR
            value = of
        else:
            value = inner.expr(node.of)
        if op == "sum":
            if not fits(value, INT):
                mismatch(node.of or node, value, INT, s, "what is added up")
        elif not isinstance(value, IntT | ErrorT | BoolT) and not (isinstance(value, EnumT) and value.enum.ordered):
            message = f"{a(value)} has no order, so there is no greatest"
            s.bag.error("not-ordered", message, (node.of or node).span, label="only numbers and ordered enums have")
    elif op == "all" and node.of is not None:
        condition(node.of, inner, "what follows `have`")
    elif node.of is not None:
        mend = f"write `sum({node.var.text} in … of …)` to add up, or `where` for a condition"
        s.bag.error("unexpected-of", f"`{op}` takes no `of`", node.of.span, help=mend)
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
                message = f"`leading` needs a list, and this is {a(domain)}"
                mend = f"`those({node.var.text} in {shown(node.domain)} where …)` is the set of all that fit"
                s.bag.error("type-mismatch", message, node.domain.span, label="a set has no order", help=mend)
            return ListT(of) if not isinstance(of, ErrorT) else ERROR
    return SetT(narrowed) if not isinstance(narrowed, ErrorT) else ERROR


def _compare(node: n.Compare, s: Scope) -> Ty:
    left, right = s.expr(node.left), s.expr(node.right)
    if isinstance(left, ErrorT) or isinstance(right, ErrorT):
        return BOOL
    if node.op in ("==", "!="):
        for side in (node.left, node.right):
            if isinstance(side, n.Field) and s.checked.refs.get(side) == "at":
                piece = strip(s.checked.types[side.target])
                if isinstance(piece, KindT):
                    piece.kind.sought = True
        if not comparable(left, right):
            s.bag.error(
                "never-equal",
                f"{a(left)} and {a(right)} can't be compared",
                node.span,
                label=f"left is {a(left)}, right is {a(right)}",
            )
        return BOOL
    for side, ty in ((node.left, left), (node.right, right)):
        plain = strip(ty)
        if isinstance(ty, MaybeT) and (isinstance(plain, IntT) or (isinstance(plain, EnumT) and plain.enum.ordered)):
            maybe_unchecked(side, ty, s)
            return BOOL
        if not isinstance(ty, IntT) and not (isinstance(ty, EnumT) and ty.enum.ordered):
            s.bag.error("not-ordered", f"{a(ty)} has no order", side.span, label="only numbers and ordered enums have")
            return BOOL
    if left != right:
        label = f"left is {a(left)}, right is {a(right)}"
        s.bag.error("type-mismatch", f"{a(left)} and {a(right)} can't be compared", node.span, label=label)
    return BOOL


def _member(node: n.Member, s: Scope) -> Ty:
    item = s.expr(node.item)
    inner = domain_element(node.collection, s, roll=True)
    if isinstance(item, ErrorT) or isinstance(inner, ErrorT):
        return BOOL
    if not comparable(item, inner):
        s.bag.error("never-equal", f"{a(item)} is never in a set of {inner}", node.span, label="is never so")
    return BOOL


def _is_kind(node: n.IsKind, s: Scope) -> Ty:
    ty = strip(s.expr(node.target))
    name = node.kind.text
    found: Kind | Sort | Zone | None = s.world.kinds.get(name) or s.world.sort(name) or s.world.zones.get(name)
    if found is None:
        known = [*s.world.kinds, *s.world.zones, *(x for k in s.world.kinds.values() for x in k.sorts)]
        mend = did_you_mean(name, known)
        if name in s.names or s.checked.symbols.get(name):
            sign = "!=" if node.negated else "=="
            mend = f"`is` asks of what kind a thing is; to compare, write `{shown(node.target)} {sign} {name}`"
        s.bag.error("unknown-kind", f"there is no kind, sort or zone `{name}`", node.kind.span, help=mend)
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
        s.bag.error("never-equal", f"{a(ty)} is never {article(name)}", node.span, label="is never so")
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
    left, right = s.expr(node.left), s.expr(node.right)
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
        maybe_unchecked(side, ty, s)
    elif isinstance(ty, BoolT):
        s.bag.error("type-mismatch", "a condition is no number", side.span, help=f"write `(1 if {side.span.text})`")
    elif isinstance(ty, KindT | EnumT) and isinstance(left, collections):
        s.bag.error(
            "type-mismatch",
            f"a set and {a(ty)} can't be added",
            side.span,
            help=f"put brackets around it: `[{side.span.text}]`",
        )
    else:
        hint = f"write what of it counts, such as `sum(d in {side.span.text} of d)`" if isinstance(ty, RollT) else ""
        message = f"`{node.op}` needs two numbers or two sets, and this is {a(ty)}"
        s.bag.error("type-mismatch", message, side.span, label=f"this is {a(ty)}", help=hint)
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
    behind = then_facts(node.left, node.op == "and", s)
    if not _half_comparison(node, behind):
        condition(node.right, behind, f"what follows `{node.op}`")
    return BOOL


def _half_comparison(node: n.Logic, s: Scope) -> bool:
    """`a == b or c`, where a comparison with `c` is meant: says so."""
    left = node.left.right if isinstance(node.left, n.Logic) and not node.left.bracketed else node.left
    if not isinstance(left, n.Compare) or isinstance(node.right, n.Compare | n.Logic):
        return False
    ty, other = s.expr(node.right), s.checked.types.get(left.left, ERROR)
    if isinstance(ty, BoolT | ErrorT | NoneT) or isinstance(other, ErrorT) or not comparable(ty, other):
        return False
    s.bag.error(
        "type-mismatch",
        f"what follows `{node.op}` is {a(ty)} alone, and not compared with anything",
        node.right.span,
        label=f"this is {a(ty)}",
        help=f"write `{shown(left)} {node.op} {shown(left.left)} {left.op} {shown(node.right)}`",
    )
    return True


def _conditional(node: n.Conditional, s: Scope) -> Ty:
    condition(node.cond, s)
    then = then_facts(node.cond, True, s).expr(node.then)
    if node.other is None:
        if not fits(then, INT):
            s.bag.error(
                "bonus-form",
                f"without `else` this must be a number (it is 0 otherwise), and it is {a(then)}",
                node.then.span,
                help=f"add `else` and what it is otherwise: `{shown(node.then)} if {shown(node.cond)} else …`",
            )
            return ERROR
        return INT
    other = then_facts(node.cond, False, s).expr(node.other)
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
