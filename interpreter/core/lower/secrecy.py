"""Secrets in the core: who sees a piece, what the log may tell whom, and when somebody learns something."""

from __future__ import annotations

from interpreter.core import header
from interpreter.core import nodes as c
from interpreter.core.compiled import EventInfo
from interpreter.core.lower.context import Context, Env, header_load, header_store
from interpreter.core.lower.held import both, either, within
from interpreter.core.lower.places import place_of
from interpreter.lang import nodes as n
from interpreter.lang.scope import Callable, Local, Seen
from interpreter.lang.types import KindT, MaybeT, strip
from interpreter.lang.world import Field, Kind, Zone


def lower_secrecy(ctx: Context) -> None:
    """The functions by which the host makes views."""
    sight, out = ctx.checked.sight, ctx.out
    out.secrecy.unused_known = not ctx.checked.uses_unused
    for kind in ctx.checked.world.kinds.values():
        if kind in sight.secretive and kind.size:
            out.secrecy.sees[kind] = sees(kind, ctx)
            out.secrecy.seen[kind] = _seen(kind, ctx)
            out.secrecy.open[kind] = sight.open.get(kind, frozenset())
            out.secrecy.closed[kind] = sight.closed.get(kind) or f"a {kind.title}"
    for f, seen in sight.fields.items():
        out.secrecy.fields[f] = _field(f, seen, ctx)


def sees(kind: Kind, ctx: Context) -> int:
    """The function that says whether a piece (first argument) is open to a player (second)."""
    name = f"sees {kind.name}"
    if name in ctx.functions:
        return ctx.functions[name]
    piece, viewer = _var(kind.name, kind.size, ctx), _var("viewer", ctx.checked.world.players.size, ctx)
    test: c.Expr = c.Const(1)
    if kind.is_piece:
        test = _by_place(kind, piece, viewer, ctx)
    seen = ctx.checked.sight.kinds.get(kind)
    if seen is not None:
        test = both(test, _by_kind(kind, seen, piece, viewer, ctx))
    number = ctx.add_function(c.Function(name, (piece, viewer), c.INT, (c.Return(test),), True))
    ctx.functions[name] = number
    return number


def _seen(kind: Kind, ctx: Context) -> int:
    """The function that gives the set of all pieces that are open to a player."""
    piece, viewer = _var(kind.name, kind.size, ctx), _var("viewer", ctx.checked.world.players.size, ctx)
    test = c.Compare("!=", c.Call(sees(kind, ctx), (c.Get(piece), c.Get(viewer))), c.Const(0))
    every = c.SetConst((1 << kind.size) - 1, kind.size)
    found = c.Query("those", piece, every, test, None, kind.size)
    result = c.Type("set", kind.size)
    return ctx.add_function(c.Function(f"seen {kind.name}", (viewer,), result, (c.Return(found),), True))


def _var(name: str, size: int, ctx: Context) -> c.Var:
    var = c.Var(name, c.INT)
    ctx.var_ranges[var] = (0, max(size - 1, 0))
    return var


def _by_place(kind: Kind, piece: c.Var, viewer: c.Var, ctx: Context) -> c.Expr:
    span = kind.span or kind.entities[0].span
    players = ctx.checked.world.players.size
    row = ctx.arith("*", place_of(kind, c.Get(piece), span, ctx), c.Const(players), span)
    cell = ctx.arith("+", row, c.Get(viewer), span)
    test: c.Expr = c.Compare("!=", c.Table(ctx.table(_seen_places(ctx)), cell, None), c.Const(0))
    for zone, seen in ctx.checked.sight.zones.items():
        if zone in kind.place_zones and seen.condition is not None:
            here = within(place_of(kind, c.Get(piece), span, ctx), zone.place_base, zone.place_base + zone.size, ctx)
            test = both(test, c.Cond(here, _condition(seen, piece, viewer, ctx), c.Const(1)))
    return test


def _seen_places(ctx: Context) -> tuple[int, ...]:
    """For each place and player whether he sees which pieces are there, as far as that never changes."""
    world = ctx.checked.world
    players = world.players.size
    rows = [[1] * players for _ in range(world.places)]
    for zone, seen in ctx.checked.sight.zones.items():
        for i in range(zone.size):
            for p in range(players):
                if seen.word == "nobody" or (seen.word == "owner" and _key(zone, i, world.players) != p):
                    rows[zone.place_base + i][p] = 0
    return tuple(x for row in rows for x in row)


def _key(zone: Zone, index: int, of: Kind) -> int:
    """The player to whom one of a zone's instances belongs."""
    for kind in reversed(zone.per):
        index, key = divmod(index, kind.size)
        if kind is of:
            return key
    return -1


def _by_kind(kind: Kind, seen: Seen, piece: c.Var, viewer: c.Var, ctx: Context) -> c.Expr:
    if seen.word == "owner":
        span = kind.span or kind.entities[0].span
        owner = ctx.load(kind.fields["owner"], c.Get(piece), kind.size, span)
        return c.Compare("==", owner, c.Get(viewer))
    if seen.word:
        return c.Const(int(seen.word == "all"))
    return _condition(seen, piece, viewer, ctx)


def _condition(seen: Seen, piece: c.Var | None, viewer: c.Var, ctx: Context) -> c.Expr:
    assert seen.condition is not None and seen.viewer is not None
    env = Env({seen.viewer: viewer})
    if seen.me is not None and piece is not None:
        env.names[seen.me] = piece
    return ctx.expr(seen.condition, env)


def _field(f: Field, seen: Seen, ctx: Context) -> int:
    """The function that says whether a field (of the player that is the first argument) is open to a player
    (second).
    """
    owner, viewer = (
        _var("owner", ctx.checked.world.players.size, ctx),
        _var("viewer", ctx.checked.world.players.size, ctx),
    )
    test: c.Expr = c.Compare("==", c.Get(owner), c.Get(viewer)) if seen.word == "owner" else c.Const(0)
    if seen.condition is not None:
        test = _condition(seen, owner, viewer, ctx)
    return ctx.add_function(c.Function(f"sees {f.name}", (owner, viewer), c.INT, (c.Return(test),), True))


def watchers(kind: Kind, value: c.Expr, is_set: bool, ctx: Context) -> c.Expr:
    """The bit mask of the players to whom a piece is open (of those to whom all pieces of a set are)."""
    mask: c.Expr = c.Const(0)
    for p in range(ctx.checked.world.players.size):
        if is_set:
            var = _var(kind.name, kind.size, ctx)
            closed = c.Compare("==", c.Call(sees(kind, ctx), (c.Get(var), c.Const(p))), c.Const(0))
            test: c.Expr = c.Not(c.Query("any", var, value, closed, None))
        else:
            test = c.Call(sees(kind, ctx), (value, c.Const(p)))
            low, _ = ctx.range(value)
            if low < 0:
                test = c.Either(c.Compare("<", value, c.Const(0)), test)
        bit = c.Cond(test, c.Const(1 << p), c.Const(0))
        mask = ctx.arith("+", mask, ctx.ranged(bit, 0, 1 << p), kind.span or kind.entities[0].span)
    return mask


def disclosed(node: n.Disclose, env: Env, ctx: Context) -> tuple[list[c.Stmt], c.Expr]:
    """That everybody learns a value, and the value. Who tells it knows it already, so it is no news to who may undo."""
    ty = ctx.checked.types[node]
    held = ctx.var("disclosed", ty)
    number = ctx.add_event(EventInfo(None, (ty, MaybeT(KindT(ctx.checked.world.players))), "disclose"))
    teller = c.Const(-1) if node.by is None else ctx.expr(node.by, env)
    told = c.Emit(number, (c.Get(held), teller), c.Const(-1))
    news = [learned()] if node.by is None else []
    return [c.Let(held, ctx.expr(node.value, env, ty)), told, *news], c.Get(held)


def learned() -> c.Stmt:
    """Somebody learns something: undo stops here."""
    return header_store(header.KNOWN, c.Arith("+", header_load(header.KNOWN), c.Const(1), None))


def opens(kind: Kind, piece: c.Var, old: c.Var, to: c.Var, ctx: Context) -> tuple[list[c.Stmt], list[c.Stmt]]:
    """What stands before and behind the writing of a piece's place: if the move opens something, somebody learns it."""
    sight = ctx.checked.sight
    if kind in ctx.revealing_moves:
        return [], [learned()]
    if kind not in sight.secretive:
        return [], []
    players = range(ctx.checked.world.players.size)
    if kind in sight.kinds or any(sight.zones[z].condition for z in kind.place_zones if z in sight.zones):
        before = [_var(f"saw{p}", 2, ctx) for p in players]
        seen = [c.Call(sees(kind, ctx), (c.Get(piece), c.Const(p))) for p in players]
        found: c.Expr = c.Const(0)
        for p in players:
            found = either(found, both(c.Not(c.Get(before[p])), seen[p]))
        return [c.Let(before[p], seen[p]) for p in players], [c.If(found, (learned(),))]
    places = _seen_places(ctx)
    found = c.Const(0)
    for p in players:
        column = ctx.table(tuple(places[p :: len(players)]))
        now = c.Compare("!=", c.Table(column, c.Get(to), None), c.Const(0))
        was = c.Compare("==", c.Table(column, c.Get(old), None), c.Const(0))
        found = either(found, c.Both(now, was))
    return [], [c.If(found, (learned(),))]


def note_revealing(ctx: Context) -> None:
    """Notes the fields that conditions of `seen_by` read, and the kinds whose places they read (but for `self`'s): to
    write one may open something.
    """
    sight = ctx.checked.sight
    done: set[object] = set()
    for seen in (*sight.kinds.values(), *sight.zones.values(), *sight.fields.values()):
        if seen.condition is not None:
            _note(seen.condition, seen.me, ctx, done)


def _note(node: object, me: Local | None, ctx: Context, done: set[object]) -> None:
    if isinstance(node, tuple):
        for x in node:
            _note(x, me, ctx, done)
        return
    ref = ctx.checked.refs.get(node) if isinstance(node, n.NameRef | n.Field | n.Index | n.Apply) else None
    if isinstance(ref, Field):
        ctx.revealing.add(ref)
    elif isinstance(ref, Callable) and ref not in done:
        done.add(ref)
        _note(ref.node, None, ctx, done)
        for bend in ctx.bends.get(ref, ()):
            _note((*bend.conditions, bend.value), None, ctx, done)
    elif isinstance(ref, Zone) and ref.of is not None:
        ctx.revealing_moves.add(ref.of)
    elif (
        isinstance(node, n.Field)
        and isinstance(ref, str)
        and (me is None or ctx.checked.refs.get(node.target) is not me)
    ):
        ctx.revealing_moves |= _moved(node, ref, ctx)
    for slot in getattr(type(node), "__slots__", ()):
        if slot != "span":
            _note(getattr(node, slot), me, ctx, done)


def _moved(node: n.Field, ref: str, ctx: Context) -> set[Kind]:
    """The kinds whose moves may change `x.at`, `x.on` or who stands on x."""
    inner = strip(ctx.checked.types[node.target])
    if not isinstance(inner, KindT):
        return set()
    if ref == "holds":
        return {inner.kind.holds[node.name.text].piece}
    return {inner.kind} if ref in ("at", "on") else set()
