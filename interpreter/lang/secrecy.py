"""Who sees what: `seen_by` of zones, kinds and fields, checked and collected.

A piece is open to a player if its place lets him see which pieces are there and its kind lets him see which piece it
is. Where a closed piece is stays open, with the fields that its kind names; all else of it is hidden.
"""

from __future__ import annotations

from interpreter.diagnostics import Bag, Note, did_you_mean
from interpreter.lang import nodes as n
from interpreter.lang.check_base import expect
from interpreter.lang.check_text import RULES, snippet
from interpreter.lang.parse import parse_expression
from interpreter.lang.scope import Checked, Local, Scope, Seen
from interpreter.lang.types import BOOL, KindT, SetT, strip
from interpreter.lang.world import Field, Kind
from interpreter.reading.model import FieldDef
from interpreter.source import Text

WORDS = ("all", "owner", "nobody")


def check_secrecy(checked: Checked, bag: Bag) -> None:
    """Fills `checked.sight`."""
    world, game = checked.world, checked.game
    sight = checked.sight
    for zone_def in game.zones:
        zone = world.zones.get(zone_def.name.text)
        if zone is None or zone_def.seen_by is None:
            continue
        if zone_def.seen_by.value.strip() == "owner" and world.players not in zone.per:
            bag.error(
                "no-owner",
                f"`{zone.name}` belongs to nobody",
                zone_def.seen_by.whole,
                help="declare it `per: player`, or write a condition about `self` and `viewer`",
            )
        seen = _seen(zone_def.seen_by, zone.of, checked, bag)
        if seen is not None and seen.word != "all":
            sight.zones[zone] = seen
    for kind_def in game.kinds:
        kind = world.kinds.get(kind_def.name.text)
        if kind is None:
            continue
        for f in kind_def.fields:
            _field(f, kind.fields.get(f.name.text), kind, checked, bag)
        if kind_def.seen_by is None:
            continue
        if not kind.is_piece:
            bag.error(
                "seen-by-kind",
                f"`{kind.name}` is no piece, and everybody sees all of it",
                kind_def.seen_by.span,
                help="hide pieces, or fields of players and of the game: `{type: …, seen_by: owner}`",
            )
            continue
        for name in kind_def.seen_by.open:
            if name.text not in kind.fields:
                bag.error(
                    "unknown-name",
                    f"`{kind.name}` has no field `{name.text}`",
                    name.span,
                    help=did_you_mean(name.text, kind.fields),
                )
        if kind_def.seen_by.others.value.strip() == "owner" and "owner" not in kind.fields:
            bag.error(
                "no-owner",
                f"`{kind.name}` has no field `owner`",
                kind_def.seen_by.others.whole,
                help="write a condition about `self` and `viewer`",
            )
        seen = _seen(kind_def.seen_by.others, kind, checked, bag)
        if seen is not None:
            sight.kinds[kind] = seen
            sight.open[kind] = frozenset(x.text for x in kind_def.seen_by.open)
            sight.closed[kind] = kind_def.seen_by.closed
            sight.opened += kind_def.seen_by.open
    for f in game.globals:
        _field(f, world.globals.get(f.name.text), None, checked, bag)
    for scene_def in game.scenes:
        scene = world.scenes.get(scene_def.name.text)
        for f in (*scene_def.given, *scene_def.fields):
            _field(f, scene.fields.get(f.name.text) if scene else None, None, checked, bag)
    for kind in world.kinds.values():
        if kind in sight.kinds or any(z in sight.zones for z in kind.place_zones):
            sight.secretive.add(kind)
    _open_names(checked, bag)


def _open_names(checked: Checked, bag: Bag) -> None:
    """What is told of a closed piece must not name another that may be closed as well."""
    for kind, names in checked.sight.open.items():
        for name in sorted(names):
            f = kind.fields.get(name)
            inner = strip(f.type.of) if f and isinstance(f.type, SetT) else strip(f.type) if f else None
            if f is None or not isinstance(inner, KindT) or inner.kind not in checked.sight.secretive:
                continue
            bag.error(
                "open-names-closed",
                f"`{name}` names a {inner.kind.title or inner.kind.name}, which may be closed itself",
                next(x.span for x in checked.sight.opened if x.text == name),
                notes=[Note(f"`{name}` is declared here", f.span)],
                help=f"leave `{name}` out of `seen_by`, so that it is seen with the piece",
            )


def _field(d: FieldDef, made: Field | None, kind: Kind | None, checked: Checked, bag: Bag) -> None:
    world = checked.world
    if made is None or d.seen_by is None:
        return
    if kind is not None and kind is not world.players:
        bag.error(
            "seen-by-place",
            f"what is seen of a `{kind.name}` is said once for all of its fields",
            d.seen_by.whole,
            help=f"write `seen_by:` on the kind: `{{others: …, {d.name.text}: all}}`",
        )
        return
    if kind is None and d.seen_by.value.strip() == "owner":
        bag.error(
            "no-owner", f"`{d.name.text}` belongs to nobody", d.seen_by.whole, help="write a condition about `viewer`"
        )
        return
    seen = _seen(d.seen_by, kind, checked, bag)
    if seen is not None and seen.word != "all":
        checked.sight.fields[made] = seen


def _seen(text: Text, about: Kind | None, checked: Checked, bag: Bag) -> Seen | None:
    word = text.value.strip()
    if word in WORDS:
        return Seen(word, None, None, None, text.whole)
    node: n.Expr | None = parse_expression(text, bag)
    if node is None:
        return None
    if isinstance(node, n.NameRef) and not checked.symbols.get(word):
        known = ", ".join(f"`{x}`" for x in WORDS)
        mend = did_you_mean(word, WORDS) or f"write {known}, or a condition about `self` and `viewer`"
        bag.error("unknown-name", f"`{word}` does not say who sees it", text.whole, help=mend)
        return None
    viewer = Local("viewer", KindT(checked.world.players), text.whole)
    names = {"viewer": viewer}
    me: Local | None = None
    if about is not None:
        me = Local("self", KindT(about), text.whole)
        names["self"] = me
    owner = snippet(text.whole, is_effect=False)
    expect(node, BOOL, Scope(RULES, checked, bag, names, {}, owner), "`seen_by`")
    checked.callables[owner.name] = owner
    return Seen("", node, me, viewer, text.whole)
