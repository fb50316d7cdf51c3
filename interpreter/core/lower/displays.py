"""A display as a program of its own, beside that of the game: pure functions that read the game's positions."""

from __future__ import annotations

from interpreter.core import nodes as c
from interpreter.core.compiled import Compiled, TextInfo
from interpreter.core.lower import queries as q
from interpreter.core.lower.context import Context, Env, core_type
from interpreter.core.lower.lower import context
from interpreter.core.screens import DisplayInfo, MembersInfo, PaintInfo, PanelInfo, PieceInfo
from interpreter.lang import nodes as n
from interpreter.lang.check_display import around
from interpreter.lang.scope import Checked, Local
from interpreter.lang.types import BoolT, IntT, KindT, Ty
from interpreter.reading.model_display import PaintDef, PanelDef, PartDef
from interpreter.source import Text

Names = tuple[tuple[Local, Ty], ...]


def lower_display(checked: Checked, main: Compiled) -> DisplayInfo | None:
    """The display of a game that is compiled as `main`; None if the game has none."""
    d = checked.game.display
    if d is None or checked.viewer is None:
        return None
    ctx = context(checked, main.scenario, main.options)
    ctx.program.cells = main.program.cells
    made = DisplayInfo(ctx.out)
    names: Names = ((checked.viewer, checked.viewer.type),)
    for panel in d.panels:
        made.panels[panel.name.text] = _panel(panel, names, ctx)
    seats = {e.id: e.index for e in checked.world.players.entities}
    made.colours = {seats[name.text]: style for name, style in d.colours}
    if d.picture is not None:
        board = checked.world.board
        made.painted = board is not None and all(point is not None for point in board.coordinates)
        made.pieces = {name.text: _paint(p, names, ctx) for name, p in d.picture.pieces}
        made.spaces = tuple(_paint(p, names, ctx) for p in d.picture.spaces)
        made.edges = tuple(_paint(p, names, ctx) for p in d.picture.edges)
        made.areas = tuple(_paint(p, names, ctx) for p in d.picture.areas)
    return made


def _panel(d: PanelDef, names: Names, ctx: Context) -> PanelInfo:
    scene = None if d.during is None else ctx.checked.world.scenes[d.during.text]
    open_ = () if scene is None else tuple(ctx.out.layout.fields[s.is_open].base for s in around(scene))
    title = None if d.title is None else _part(d.title, names, ctx)
    return PanelInfo(d, _value(d.when, names, ctx), open_, title, tuple(_part(p, names, ctx) for p in d.lines))


def _part(d: PartDef, outer: Names, ctx: Context) -> PieceInfo:
    each, names = _members(d.each, outer, ctx)
    return PieceInfo(
        d,
        each,
        _value(d.order, names, ctx),
        _value(d.when, names, ctx),
        _value(d.side, names, ctx),
        _value(d.brief, names, ctx),
        _template(d.text, names, ctx) if d.form == "text" and d.text is not None else None,
        _thing(d.text, names, ctx) if d.form != "text" and d.text is not None else None,
        None if d.title is None else _part(d.title, names, ctx),
        None if d.short is None else _part(d.short, names, ctx),
        tuple(_part(p, names, ctx) for p in d.parts),
    )


def _paint(d: PaintDef, outer: Names, ctx: Context) -> PaintInfo:
    each, names = _members(d.each, outer, ctx)
    me = ctx.checked.locals.get(d.me)
    if me is not None:
        names = (*names, (me, me.type))
    text = None if d.text is None else _part(d.text, names, ctx)
    return PaintInfo(d, each, _value(d.when, names, ctx), _value(d.of, names, ctx), _value(d.side, names, ctx), text)


def _members(text: Text | None, names: Names, ctx: Context) -> tuple[MembersInfo | None, Names]:
    """The members of an `each`, and the names that are known behind it."""
    if text is None:
        return None, names
    binder = ctx.checked.phases[text]
    assert isinstance(binder, n.Binder)
    env, params = _env(names, ctx)
    domain, of = q.members(binder.domain, env, ctx)
    var = q.fresh(binder.var.text, of, ctx)
    local = ctx.checked.locals[binder.var]
    inner = env.inner()
    inner.names[local] = var
    where = None if binder.where is None else ctx.expr(binder.where, inner)
    behind = (*names, (local, of))
    if isinstance(domain, c.Span):
        low, high = (ctx.add_function(_pure(binder, params, e)) for e in (domain.low, domain.high))
        test = None if where is None else ctx.add_function(_pure(binder, (*params, var), where))
        return MembersInfo(low, of, high, test), behind
    domain, where = q.narrowed(domain, var, where, ctx)
    of = q.whole(of)
    found = q.those(domain, var, where, of, ctx)
    size = q.universe(of)
    function = c.Function(f"each {binder.span}", params, c.Type("set", size), (c.Return(found),), True)
    return MembersInfo(ctx.add_function(function), of), behind


def _pure(binder: n.Binder, params: tuple[c.Var, ...], value: c.Expr) -> c.Function:
    return c.Function(f"range {binder.span}", params, c.INT, (c.Return(value),), True)


def _env(names: Names, ctx: Context) -> tuple[Env, tuple[c.Var, ...]]:
    env = Env()
    params = []
    for local, ty in names:
        var = q.fresh(local.name, ty, ctx)
        env.names[local] = var
        params.append(var)
    return env, tuple(params)


def _value(text: Text | None, names: Names, ctx: Context) -> int | None:
    """The function that computes an expression."""
    if text is None:
        return None
    node = ctx.checked.phases[text]
    assert not isinstance(node, tuple)
    return _function(node, names, ctx)


def _function(node: n.Expr, names: Names, ctx: Context) -> int:
    env, params = _env(names, ctx)
    ty = ctx.checked.types[node]
    result = c.INT if isinstance(ty, BoolT | IntT) else core_type(ty)
    value = ctx.expr(node, env)
    return ctx.add_function(c.Function(f"display {node.span}", params, result, (c.Return(value),), True))


def _thing(text: Text, names: Names, ctx: Context) -> tuple[int, Ty]:
    node = ctx.checked.phases[text]
    assert not isinstance(node, tuple)
    ty = ctx.checked.types[node]
    assert isinstance(ty, KindT)
    return _function(node, names, ctx), ty


def _template(text: Text, names: Names, ctx: Context) -> TextInfo:
    template = ctx.checked.phases[text]
    assert isinstance(template, n.Template)
    values = [p.value for p in template.parts if isinstance(p, n.Hole)]
    functions = tuple(_function(value, names, ctx) for value in values)
    return TextInfo(template, functions, tuple(ctx.checked.types[value] for value in values))
