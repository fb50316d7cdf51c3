"""Checking display.yaml: every expression of a panel, with the names that are known where it stands."""

from __future__ import annotations

from interpreter.diagnostics import Bag, did_you_mean
from interpreter.lang import nodes as n
from interpreter.lang.check_base import a, condition, expect
from interpreter.lang.check_decide import check_binder, check_template
from interpreter.lang.check_text import RULES, snippet
from interpreter.lang.narrow import facts_if
from interpreter.lang.parse import parse_binder, parse_expression, parse_template
from interpreter.lang.scope import Checked, Local, Scope
from interpreter.lang.types import INT, EnumT, ErrorT, IntT, KindT, MaybeT, SetT, Ty
from interpreter.lang.world import Scene
from interpreter.reading.model_display import DisplayDef, PaintDef, PanelDef, PartDef, PictureDef
from interpreter.source import Name, Span, Text


def check_display(checked: Checked, bag: Bag) -> None:
    """Checks the display of a game, if it has one; the trees go to `checked.phases`."""
    d = checked.game.display
    if d is None:
        return
    _colours(d, checked, bag)
    checked.viewer = Local("viewer", KindT(checked.world.players), d.span)
    for panel in d.panels:
        _panel(panel, checked, bag)
    if d.picture is not None:
        _picture(d.picture, checked, bag)


def _colours(d: DisplayDef, checked: Checked, bag: Bag) -> None:
    players = [e.id for e in checked.world.players.entities]
    for name, _ in d.colours:
        if name.text not in players:
            mend = did_you_mean(name.text, players) or f"players: {', '.join(players)}"
            bag.error("unknown-name", f"there is no player `{name.text}`", name.span, help=mend)


def _scope(span: Span, checked: Checked, bag: Bag) -> Scope:
    owner = snippet(span, is_effect=False)
    owner.panel = True
    checked.callables.setdefault(owner.name, owner)
    assert checked.viewer is not None
    return Scope(RULES, checked, bag, {"viewer": checked.viewer}, {}, owner)


def _panel(panel: PanelDef, checked: Checked, bag: Bag) -> None:
    s = _scope(panel.span, checked, bag)
    if panel.during is not None:
        scene = checked.world.scenes.get(panel.during.text)
        if scene is None:
            _no_scene(panel.during, checked, bag)
            return
        s.scenes = frozenset(x.name for x in around(scene))
    if panel.when is not None:
        _condition(panel.when, s)
    for part in (panel.title, *panel.lines):
        _part(part, s)


def _no_scene(name: Name, checked: Checked, bag: Bag) -> None:
    known = checked.world.scenes
    mend = did_you_mean(name.text, known) or (f"scenes: {', '.join(known)}" if known else "")
    bag.error("unknown-name", f"there is no scene `{name.text}`", name.span, help=mend)


def around(scene: Scene) -> list[Scene]:
    """A scene and those that it is inside of, which are open whenever it is."""
    found = [scene]
    while found[-1].inside is not None:
        found.append(found[-1].inside)
    return found


def _part(part: PartDef | None, outer: Scope) -> None:
    """A part, with the names of its members and what its conditions tell."""
    if part is None:
        return
    s = outer.inner()
    if part.each is not None and not _each(part.each, s):
        return
    if part.when is not None:
        _condition(part.when, s)
    if part.order is not None:
        _value(part.order, INT, "the order", s)
    if part.side is not None:
        _value(part.side, MaybeT(KindT(s.world.players)), "whose colour it is", s)
    if part.brief is not None:
        _condition(part.brief, s.inner())
    if part.text is not None:
        if part.form == "text":
            _template(part.text, s)
        else:
            _thing(part.text, s)
    for inner in (part.title, part.short, *part.parts):
        _part(inner, s)


def _each(text: Text, s: Scope) -> bool:
    """Declares the variable that stands for each member; whether that went well."""
    binder = parse_binder(text, s.bag)
    if binder is None:
        return False
    if binder.quantity != "one":
        s.bag.error(
            "bad-binder", "a display goes through things one by one", binder.span, help="write `x in … where …`"
        )
    before = len(s.bag.items)
    check_binder(binder, s)
    s.checked.phases[text] = binder  # type: ignore[assignment]
    var = s.checked.locals.get(binder.var)
    if var is not None and not isinstance(var.type, KindT | EnumT | IntT | ErrorT):
        s.bag.error("bad-binder", f"a display can't go through {a(SetT(var.type))}", binder.span)
    return len(s.bag.items) == before


def _condition(text: Text, s: Scope) -> None:
    node = _parsed(text, s)
    if node is not None:
        condition(node, s)
        s.facts.update(facts_if(node, True, s.checked))


def _value(text: Text, want: Ty, what: str, s: Scope) -> None:
    node = _parsed(text, s)
    if node is not None:
        expect(node, want, s, what)


def _thing(text: Text, s: Scope) -> None:
    """What an `about` or `sign` shows: an entity."""
    node = _parsed(text, s)
    if node is not None:
        ty = s.expr(node)
        if not isinstance(ty, KindT | ErrorT):
            s.bag.error(
                "type-mismatch", f"this must be a thing, and this is {a(ty)}", node.span, label=f"this is {a(ty)}"
            )


def _parsed(text: Text, s: Scope) -> n.Expr | None:
    node = parse_expression(text, s.bag)
    if node is not None:
        s.checked.phases[text] = node
    return node


def _template(text: Text, s: Scope) -> None:
    template = parse_template(text, s.bag)
    if template is not None:
        check_template(template, s)
        s.checked.phases[text] = template  # type: ignore[assignment]


# ---- pictures -------------------------------------------------------------------------------------------------------


def _picture(d: PictureDef, checked: Checked, bag: Bag) -> None:
    board = checked.world.board
    if board is None:
        bag.error("no-map", "this game has no map that could be painted", d.span, help="remove `picture`")
        return
    edge = board.edge
    for paint in d.spaces:
        _paint(paint, KindT(board.space), checked, bag)
    for paint in d.edges:
        _paint(paint, None if edge is None else KindT(edge), checked, bag)
    for paint in d.areas:
        _paint(paint, None, checked, bag)
    kinds = {kind.name: kind for kind in checked.world.kinds.values() if kind.is_piece}
    for name, paint in d.pieces:
        if name.text in kinds:
            _paint(paint, KindT(kinds[name.text]), checked, bag)
        else:
            mend = did_you_mean(name.text, kinds) or f"kinds of pieces: {', '.join(kinds)}"
            bag.error("unknown-name", f"there is no kind of pieces `{name.text}`", name.span, help=mend)


def _paint(paint: PaintDef, me: KindT | None, checked: Checked, bag: Bag) -> None:
    s = _scope(paint.span, checked, bag)
    if me is not None:
        s.names["self"] = checked.locals[paint.me] = Local("self", me, paint.span)
    if paint.each is not None and not _each(paint.each, s):
        return
    if paint.when is not None:
        _condition(paint.when, s)
    if paint.of is not None:
        board = checked.world.board
        assert board is not None
        _value(paint.of, SetT(KindT(board.space)), "the spaces of an area", s)
    if paint.side is not None:
        _value(paint.side, MaybeT(KindT(checked.world.players)), "whose colour it is", s)
    _part(paint.text, s)
