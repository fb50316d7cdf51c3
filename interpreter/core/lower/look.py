"""`look(zone, p)`: a line of the log for one player alone, that names what lies in a zone."""

from __future__ import annotations

from interpreter.core import nodes as c
from interpreter.core.compiled import EventInfo
from interpreter.core.lower import piles, secrecy
from interpreter.core.lower.context import Context, Env
from interpreter.core.lower.places import zone_place
from interpreter.lang import nodes as n
from interpreter.lang.builtins import EFFECTS, place_arguments
from interpreter.lang.types import KindT, PlaceT, SetT, ZoneT

SEEN, EMPTY = "{zone}: {pieces}", "{zone}: nothing is there"  # keys for translations, like every text


def lower_look(node: n.Apply, env: Env, ctx: Context) -> list[c.Stmt]:
    """The line, and that somebody has learned something."""
    placed = place_arguments(node, EFFECTS["look"])
    zone, player = placed["zone"], placed["p"]
    assert isinstance(zone, n.Argument) and isinstance(player, n.Argument)
    ty = ctx.checked.types[zone.value]
    assert isinstance(ty, ZoneT)
    kind = ty.zone.of
    if kind is None or not kind.size:
        return []
    place, found = c.Var("zone", c.INT), c.Var("pieces", c.Type("set", kind.size))
    ctx.var_ranges[place] = (ty.zone.place_base, ty.zone.place_base + ty.zone.size - 1)
    bits = ctx.table(tuple(1 << p for p in range(ctx.checked.world.players.size)))
    to = c.Var("to", c.INT)
    where, what = PlaceT(kind), SetT(KindT(kind))
    full = ctx.add_event(EventInfo(_template(SEEN, node), (where, what), "log"))
    empty = ctx.add_event(EventInfo(_template(EMPTY, node), (where,), "log"))
    return [
        c.Let(place, zone_place(zone.value, env, ctx)),
        c.Let(to, c.Table(bits, ctx.expr(player.value, env), None)),
        c.Let(found, piles.in_zone(ty.zone, c.Get(place), ctx)),
        c.If(
            c.Compare("==", c.Size(c.Get(found)), c.Const(0)),
            (c.Emit(empty, (c.Get(place),), c.Get(to)),),
            (c.Emit(full, (c.Get(place), c.Get(found)), c.Get(to)),),
        ),
        secrecy.learned(),
    ]


def _template(text: str, node: n.Apply) -> n.Template:
    """A text of the language's own, with holes of which only the names count."""
    parts: list[str | n.Hole] = []
    for piece in text.replace("}", "{").split("{"):
        if piece in ("zone", "pieces"):
            parts.append(n.Hole(n.NoneLit(node.span), "", (), piece, node.span))
        elif piece:
            parts.append(piece)
    return n.Template(text, tuple(parts), node.span)
