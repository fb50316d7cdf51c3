"""Scenes: opening them, and setting all that ends with them, or with a phase, back to its default."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.core import header
from interpreter.core import nodes as c
from interpreter.core.layout import Region
from interpreter.core.lower.context import Context, Env, header_load, header_store
from interpreter.lang import nodes as n
from interpreter.lang.types import SetT
from interpreter.lang.world import Field, Scene, World

Cells = tuple[int, int, int]  # first cell, number of cells, value


def scene_of(node: n.Scene, ctx: Context) -> Scene:
    """The scene that a statement opens."""
    return ctx.checked.world.scenes[node.name.text]


def opening(node: n.Scene, env: Env, ctx: Context) -> list[c.Stmt]:
    """Gives a scene's fields their values and opens it."""
    scene = scene_of(node, ctx)
    made: list[c.Stmt] = []
    for i, argument in enumerate(node.args):
        assert isinstance(argument, n.Argument)
        field = scene.fields[argument.name.text if argument.name else scene.given[i]]
        value = ctx.expr(argument.value, env, field.type)
        made.append(ctx.store(field, c.Const(0), 1, value, argument.span))
    return [*made, ctx.store(scene.is_open, c.Const(0), 1, c.Const(1), node.span)]


def closing(scenes: Iterable[Scene], ctx: Context) -> list[c.Stmt]:
    """Closes scenes, the innermost last in the list first."""
    made: list[c.Stmt] = []
    for scene in reversed(tuple(scenes)):
        fields = [scene.is_open, *scene.fields.values(), *ending(scene.name, ctx.checked.world)]
        made += _reset(fields, ctx)
    return made


def resets(name: str, ctx: Context) -> list[c.Stmt]:
    """Sets the fields that last until the end of a phase back to their defaults."""
    return _reset(ending(name, ctx.checked.world), ctx)


def ending(name: str, world: World) -> list[Field]:
    """The fields that are declared `until` a scene or phase."""
    found = [*world.globals.values()]
    for kind in world.kinds.values():
        found += kind.fields.values()
    for scene in world.scenes.values():
        found += scene.fields.values()
    return [f for f in found if f.until is not None and f.until.text == name]


def _reset(fields: Iterable[Field], ctx: Context) -> list[c.Stmt]:
    layout = ctx.out.layout
    fields = [*fields]
    cells: list[Cells] = []
    for f in fields:
        region = layout.fields.get(f)
        if region is None or not region.count:
            continue
        if isinstance(f.type, SetT) and f.default:
            cells += _default_sets(region, f)
        else:
            cells.append((region.base, region.count * region.width, f.default))
        if f.inverse is not None:
            inverse = layout.inverses[f.inverse]
            cells.append((inverse.base, inverse.count * inverse.width, 0))
    made = [_fill(*run) for run in _runs(cells)]
    if any(f in ctx.revealing for f in fields):  # what closes may open something as well
        made.append(header_store(header.KNOWN, c.Arith("+", header_load(header.KNOWN), c.Const(1), None)))
    return made


def _default_sets(region: Region, f: Field) -> list[Cells]:
    """The cells of sets that are not empty by default, one by one."""
    found: list[Cells] = []
    for i in range(region.count * region.width):
        word = f.default >> (32 * (i % region.width)) & 0xFFFFFFFF
        found.append((region.base + i, 1, word - 2**32 if word >= 2**31 else word))
    return found


def _runs(cells: list[Cells]) -> list[Cells]:
    """Cells side by side that get the same value, joined."""
    made: list[Cells] = []
    for base, count, value in sorted(cells):
        if made and made[-1][2] == value and made[-1][0] + made[-1][1] == base:
            made[-1] = (made[-1][0], made[-1][1] + count, value)
        else:
            made.append((base, count, value))
    return made


def _fill(base: int, count: int, value: int) -> c.Stmt:
    if value == 0:
        return c.Clear(base, count)
    if count == 1:
        return _put(base, c.Const(0), 1, value)
    var = c.Var("cell", c.INT)
    body = (_put(base, c.Get(var), count, value),)
    return c.For(var, c.Span(c.Const(0), c.Const(count - 1)), body, 0, 0)


def _put(base: int, index: c.Expr, count: int, value: int) -> c.Stmt:
    return c.Store(base, index, count, c.Const(value), c.MIN_INT, c.MAX_INT, False, None, None)
