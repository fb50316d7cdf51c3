"""Chance and piles: throws, what is drawn and shuffled, and odds in texts."""

from __future__ import annotations

from interpreter.diagnostics import Note, did_you_mean
from interpreter.lang import nodes as n
from interpreter.lang.builtins import EFFECTS, Builtin, place_arguments
from interpreter.lang.check_base import a, bind, condition, expect
from interpreter.lang.scope import Scope, forget
from interpreter.lang.types import ERROR, INT, ErrorT, KindT, OddsT, PlaceT, RollT, Ty, ZoneT, face_type, fits
from interpreter.lang.world import Die, Zone

ORDER = "needs an order, and a roll only counts its faces"
LOOSE = {
    "first": (ORDER, "write `most` or `least`"),
    "leading": (ORDER, "write `those`"),
    "the": ("needs a single die, and several dice can show the same face", "write `any` or `those`, or roll one die"),
}


def check_roll(node: n.Roll, s: Scope) -> Ty:
    """What a roll alone behind `let x =`, `x =` or `return` gives: a face, or with a number of dice a roll."""
    die = die_named(node.die, s)
    if node.times is not None:
        expect(node.times, INT, s, "the number of dice")
    if die is None:
        return ERROR
    return face_type(die) if node.times is None else RollT(die)


def die_named(node: n.Expr, s: Scope) -> Die | None:
    """The die that an expression names; None, with an error, if it names none."""
    name = node.name if isinstance(node, n.NameRef) else ""
    if name in s.world.dice and name not in s.names:
        return s.world.dice[name]
    dice = list(s.world.dice)
    few = f"the dice are {', '.join(f'`{d}`' for d in dice)}" if dice else "declare it under `dice:` in game.yaml"
    if name and name not in s.names and name not in s.checked.symbols:
        s.bag.error("unknown-name", f"there is no die `{name}`", node.span, help=did_you_mean(name, dice) or few)
    else:
        shown = name or node.span.text
        s.bag.error("not-a-die", f"`{shown}` is no die", node.span, label="the name of a die stands here", help=few)
    return None


def no_roll_here(node: n.Roll | n.Disclose, s: Scope) -> Ty:
    """Says that a roll, or a disclosure, stands where nothing can happen."""
    rolls = isinstance(node, n.Roll)
    s.bag.error(
        "roll-place" if rolls else "disclose-place",
        f"a {'roll' if rolls else 'disclosure'} stands inside an expression",
        node.span,
        label=f"an expression can't {'roll' if rolls else 'disclose anything'}",
        help=f"write `let x = {node.span.text}` on a line of its own before, and use `x` here",
    )
    return ERROR


def fits_roll(op: str, domain: n.Expr, ty: Ty, s: Scope) -> bool:
    """Whether an aggregate can run over this: a roll has no order, and several of its dice may show one face."""
    if isinstance(ty, RollT) and op in LOOSE:
        why, mend = LOOSE[op]
        s.bag.error("roll-order", f"`{op}` {why}", domain.span, label="this is a roll", help=mend)
        return False
    return True


# ---- odds -----------------------------------------------------------------------------------------------------------


def check_odds(node: n.Aggregate, s: Scope) -> Ty:
    """`chance(d in d6 where C)`, which stands alone in a hole of a text."""
    die = die_named(node.domain, s)
    inner = s.inner()
    bind(node.var, face_type(die) if die else ERROR, inner)
    if node.where is None:
        s.bag.error("missing-where", "`chance` needs a condition", node.span, help="write `chance(d in … where …)`")
    else:
        condition(node.where, inner)
    ty: Ty = OddsT(die.total) if die else ERROR
    s.checked.types[node] = ty
    return ty


def no_odds_here(node: n.Aggregate, s: Scope) -> Ty:
    """Says that odds stand where nobody reads them."""
    s.bag.error(
        "chance-place",
        "`chance` stands only in texts",
        node.span,
        label="rules can't depend on odds",
        help="write it alone in a hole of a text: `{chance(d in … where …)}`; to roll, write `let d = roll …`",
    )
    return ERROR


# ---- piles and bags -------------------------------------------------------------------------------------------------


def check_draw(node: n.Draw, s: Scope) -> None:
    """`draw n from zone to place`"""
    expect(node.count, INT, s, "the number of pieces")
    source, to = s.expr(node.source), s.expr(node.to)
    s.owner.writes.add("at")
    forget(s.facts, {"at"})
    if isinstance(source, ErrorT) or isinstance(to, ErrorT):
        return
    if not isinstance(source, ZoneT) or source.zone.of is None:
        help_ = "write the zone" if isinstance(source, KindT) else ""
        s.bag.error(
            "not-a-zone", f"pieces are drawn from a zone, and this is {a(source)}", node.source.span, help=help_
        )
        return
    if source.zone.order == "set":
        s.bag.error(
            "no-order",
            f"`{source.zone.name}` has no order to draw by",
            node.source.span,
            notes=_declared(source.zone),
            help="choose what moves, or declare the zone with `order: pile` or, to draw at random, `order: bag`",
        )
    of = source.zone.of
    if not fits(to, PlaceT(of)) and not of.misplaced:
        places = [f"`{k.name}`" for k in of.place_kinds] + [f"`{z.name}`" for z in of.place_zones]
        message = f"a {of.name} can't be there: this is {a(to)}"
        s.bag.error("wrong-place", message, node.to.span, help="it can be at: " + ", ".join(places))


def check_end(node: n.Move, to: Ty, s: Scope) -> None:
    """`top of` and `bottom of` stand before a pile."""
    if node.end is None or isinstance(to, ErrorT) or (isinstance(to, ZoneT) and to.zone.is_pile):
        return
    notes = _declared(to.zone) if isinstance(to, ZoneT) else []
    mend = f"leave `{node.end} of` out" + (", or declare the zone with `order: pile`" if notes else "")
    s.bag.error(
        "not-a-pile", f"only a pile has a {node.end}, and this is {a(to)}", node.to.span, notes=notes, help=mend
    )


def built_in_effect(node: n.Expr, s: Scope) -> Builtin | None:
    """The built-in effect that a call names, unless a variable or an effect of the game hides it."""
    if isinstance(node, n.Apply) and isinstance(node.func, n.NameRef) and node.func.name not in s.names:
        return EFFECTS.get(node.func.name)
    return None


def check_shuffle(node: n.Apply, s: Scope) -> None:
    """`shuffle(zone)`"""
    placed = place_arguments(node, EFFECTS["shuffle"])
    given = placed.get("zone")
    if given is None or len(node.args) != 1 or not isinstance(given, n.Argument):
        s.bag.error(
            "missing-argument", "`shuffle` needs a pile and nothing else", node.span, help="write `shuffle(zone)`"
        )
        return
    s.checked.refs[node] = "shuffle"
    ty = pile_argument(given.value, "shuffle", s)
    s.checked.types[node] = ty


def pile_argument(value: n.Expr, name: str, s: Scope) -> Ty:
    """Checks an argument that must be a pile; its type."""
    ty = s.expr(value)
    if isinstance(ty, ErrorT) or (isinstance(ty, ZoneT) and ty.zone.is_pile):
        return ty
    notes = _declared(ty.zone) if isinstance(ty, ZoneT) else []
    mend = "write the name of a zone"
    if isinstance(ty, ZoneT):
        mend = (
            "a bag is drawn from at random as it is"
            if ty.zone.order == "bag"
            else "declare the zone with `order: pile`"
        )
    s.bag.error("not-a-pile", f"`{name}` needs a pile, and this is {a(ty)}", value.span, notes=notes, help=mend)
    return ERROR


def _declared(zone: Zone) -> list[Note]:
    return [Note(f"`{zone.name}` is declared here", zone.span)] if zone.span else []
