"""`look(zone, p)`: a player is told what lies in a zone."""

from __future__ import annotations

from interpreter.lang import nodes as n
from interpreter.lang.builtins import EFFECTS, place_arguments
from interpreter.lang.check_base import a, expect
from interpreter.lang.scope import Scope
from interpreter.lang.types import ErrorT, KindT, ZoneT


def check_look(node: n.Apply, s: Scope) -> None:
    """A zone, and the player who looks."""
    placed = place_arguments(node, EFFECTS["look"])
    zone, player = placed.get("zone"), placed.get("p")
    whole = len(node.args) == len(placed) == 2
    if not whole or not isinstance(zone, n.Argument) or not isinstance(player, n.Argument):
        mend = "write `look(zone, p)`"
        s.bag.error("missing-argument", "`look` needs a zone and the player who looks into it", node.span, help=mend)
        return
    s.checked.refs[node] = "look"
    ty = s.expr(zone.value)
    expect(player.value, KindT(s.world.players), s, "who looks")
    s.checked.types[node] = ty
    if not isinstance(ty, ErrorT | ZoneT):
        mend = "write the name of a zone; what is on the map is shown by the `seen_by` of its kind"
        s.bag.error("not-a-zone", f"`look` needs a zone, and this is {a(ty)}", zone.value.span, help=mend)
