"""Deciding: who is asked, among what, at what price; and the texts that players read."""

from __future__ import annotations

from interpreter.diagnostics import Note
from interpreter.lang import nodes as n
from interpreter.lang.check_assign import target_type
from interpreter.lang.check_base import a, bind, condition, domain_element, expect
from interpreter.lang.check_chance import check_odds
from interpreter.lang.mending import header
from interpreter.lang.narrow import facts_if
from interpreter.lang.scope import Scope, forget_fields
from interpreter.lang.types import (
    ERROR,
    INT,
    BoolT,
    EnumT,
    ErrorT,
    IntT,
    KindT,
    ListT,
    MaybeT,
    OddsT,
    PlaceT,
    RollT,
    SetT,
    Ty,
    ZoneT,
    fits,
)
from interpreter.lang.walk import forget_written
from interpreter.lang.world import Field
from interpreter.source import Span


def check_choose(node: n.Choose, s: Scope) -> bool:
    """All deciding forms with options; True if play can go on after it."""
    _note_ask(header(node.span), s)
    s.checked.around[node] = dict(s.names)
    loop = node.mood in ("keep", "keep_each")
    if loop:
        forget_written(tuple(x for o in node.options for x in o.body), s)
    forget = s.inner()
    _asked(node.clauses.by, header(node.span), s)
    if node.menu and node.clauses.when is not None:
        condition(node.clauses.when, s, "the condition")
    if node.menu and node.clauses.say is not None:
        check_template(node.clauses.say.text, s)
    falls = False
    names: dict[str, n.Name] = {}
    for option in node.options:
        if option.name is not None:
            if option.name.text in names:
                s.bag.error(
                    "duplicate-option",
                    f"there is an option `{option.name.text}` already",
                    option.name.span,
                    notes=[Note("the first is here", names[option.name.text].span)],
                )
            names.setdefault(option.name.text, option.name)
        falls = _option(option, node, s) or falls
    if node.mood == "keep_each" and node.options and len(node.options[0].binders) == 0:
        s.bag.error("bad-binder", "`each` needs something to choose", node.span)
    if node.other is not None:
        falls = s.inner().body(node.other) or falls
    elif node.mood != "choose" or not _plain_menu(node):
        falls = True
    s.facts = forget.facts
    forget_fields(s.facts)
    return falls or loop


def _plain_menu(node: n.Choose) -> bool:
    """Whether one option at least can always be taken, so that nothing falls past the menu."""
    return any(not o.binders and o.clauses.when is None and o.clauses.cost is None for o in node.options) and (
        not node.menu or node.clauses.when is None
    )


def _note_ask(span: Span, s: Scope) -> None:
    if s.owner.asks is None:
        s.owner.asks = span


def _asked(by: n.Expr | None, span: Span, s: Scope) -> None:
    if by is not None:
        expect(by, KindT(s.world.players), s, "who is asked")
    elif not s.mover:
        s.bag.error("nobody-asked", "this does not say who decides", span, help="add `by` and a player")


def _option(option: n.Option, node: n.Choose, s: Scope) -> bool:
    inner = s.inner(loop=True if node.mood in ("keep", "keep_each") else None)
    for i, binder in enumerate(option.binders):
        check_binder(binder, inner)
        if binder.quantity != "one" and i != len(option.binders) - 1:
            s.bag.error(
                "bad-binder",
                "a set is chosen last",
                binder.span,
                help="put this binder behind the others",
            )
    clauses = option.clauses
    if clauses.when is not None and not (node.menu and clauses is node.clauses):
        condition(clauses.when, inner, "the condition")
        inner.learn(facts_if(clauses.when, True, s.checked))
    if clauses.cost is not None and clauses.purse is not None:
        expect(clauses.cost, INT, inner, "the price")
        ty = target_type(clauses.purse, inner)
        stored = isinstance(ty, IntT) and isinstance(s.checked.refs.get(clauses.purse), Field)
        if not stored and not isinstance(ty, ErrorT):
            mend = "write a field that holds a number, such as `p.gold`"
            s.bag.error("bad-purse", "a price is paid from a number that is stored", clauses.purse.span, help=mend)
    if clauses.say is not None:
        check_template(clauses.say.text, inner)
    return inner.body(option.body)


def check_binder(binder: n.Binder, s: Scope) -> None:
    """Declares a binder's variables in `s`, with what its `where` tells about them."""
    of = domain_element(binder.domain, s)
    ty = s.checked.types[binder.domain]
    if isinstance(of, PlaceT):
        mend = "choose among spaces or pieces, such as `neighbours(u.on)`"
        s.bag.error("bad-binder", "a place can't be chosen", binder.domain.span, help=mend)
        of = ERROR
    if isinstance(ty, ListT):
        s.checked.types[binder.domain] = ty  # order and doubles of a list play no part in a choice
    if binder.quantity == "one":
        bind(binder.var, of, s)
        if binder.where is not None:
            condition(binder.where, s)
            s.learn(facts_if(binder.where, True, s.checked))
        return
    inner = s.inner()
    bind(binder.var, of, inner)
    if binder.where is not None:
        condition(binder.where, inner)
    if binder.most is not None:
        expect(binder.most, INT, s, "the greatest number")
    if binder.set_name is not None:
        bind(binder.set_name, SetT(of) if not isinstance(of, ErrorT) else ERROR, s)
    if binder.limit is not None:
        condition(binder.limit, s, "a limit")
        if not _monotone(binder.limit):
            s.bag.error(
                "bad-limit",
                "a limit must stay broken once it is broken",
                binder.limit.span,
                help="write `sum(…) <= n`, `size(…) <= n`, `count(…) <= n` or `all(…)`",
            )


def _monotone(node: n.Expr) -> bool:
    match node:
        case n.Compare(op="<=" | "<", left=n.Aggregate(op="sum" | "count")):
            return True
        case n.Compare(op="<=" | "<", left=n.Apply()):
            return True
        case n.Aggregate(op="all"):
            return True
        case n.Logic(op="and", left=left, right=right):
            return _monotone(left) and _monotone(right)
    return False


def check_for_chosen(node: n.ForChosen, s: Scope) -> bool:
    """`for each x in S where C chosen by p`"""
    _note_ask(header(node.span), s)
    s.checked.around[node] = dict(s.names)
    expect(node.by, KindT(s.world.players), s, "who chooses the order")
    inner = s.inner(loop=True)
    forget_written(node.body, inner)
    check_binder(node.binder, inner)
    if node.say is not None:
        check_template(node.say.text, inner)
    forget_fields(inner.facts)
    inner.body(node.body)
    forget_fields(s.facts)
    return True


def check_template(text: n.Template, s: Scope) -> None:
    """Holes of a text: values that can be shown."""
    for part in text.parts:
        if not isinstance(part, n.Hole):
            continue
        odds = isinstance(part.value, n.Aggregate) and part.value.op == "chance"
        ty = check_odds(part.value, s) if isinstance(part.value, n.Aggregate) and odds else s.expr(part.value)
        if part.forms and not fits(ty, INT):
            mend = "`{n|man|men}` shows the number n and the word that goes with it"
            s.bag.error("bad-hole", f"forms go by number, and this is {a(ty)}", part.span, help=mend)
        elif part.prefix and not isinstance(ty, SetT | ListT | RollT | ErrorT | MaybeT):
            mend = "`{ with |things}` shows a set or list, and nothing at all if it is empty"
            s.bag.error("bad-hole", f"a prefix stands before a list, and this is {a(ty)}", part.span, help=mend)
        elif not _shown(ty):
            s.bag.error("bad-hole", f"{a(ty)} can't be shown", part.span, help=_mend_hole(part, ty))


def _mend_hole(part: n.Hole, ty: Ty) -> str:
    if isinstance(ty, ZoneT):
        return f"show its pieces: `{{{part.key}}}` becomes `{{those(x in {part.key})}}`"
    return ""


def _shown(ty: Ty) -> bool:
    if isinstance(ty, SetT | ListT | MaybeT):
        return _shown(ty.of)
    return isinstance(ty, IntT | BoolT | EnumT | KindT | PlaceT | RollT | OddsT | ErrorT)
