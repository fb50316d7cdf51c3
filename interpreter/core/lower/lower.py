"""From a checked game to a compiled one, for one scenario and one set of options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter.core import header
from interpreter.core import nodes as c
from interpreter.core.cells import put_set
from interpreter.core.compiled import Compiled, LookInfo
from interpreter.core.drafts import Blocks
from interpreter.core.layout import Layout, lay_out
from interpreter.core.lower import campaign, stages
from interpreter.core.lower import expr as ex
from interpreter.core.lower import stmt as st
from interpreter.core.lower.asides import lower_bots
from interpreter.core.lower.context import Context, Env, Rules
from interpreter.core.lower.fold import fold
from interpreter.core.lower.invariants import lower_invariants
from interpreter.core.lower.reasons import lower_reasons
from interpreter.core.lower.relations import first_inverse
from interpreter.core.lower.secrecy import lower_secrecy, note_revealing
from interpreter.core.lower.sums import lower_sums
from interpreter.core.lower.trials import Trial, lower_trials
from interpreter.core.lower.weave import bends_in_force
from interpreter.core.suspend import finish
from interpreter.lang.scope import Checked, SetUp
from interpreter.lang.types import SetT


def lower(
    checked: Checked,
    scenario: str,
    options: Mapping[str, bool],
    trials: Sequence[Trial] = (),
    *,
    asides: bool = False,
) -> Compiled:
    """Compiles a game that was checked without errors. `scenario` "" stands for a game without scenarios.

    With `trials` (rule tests) the program has an entry for each of them in place of the game's own; with `asides` it
    has functions for bots, `why` and invariants too, and is the same otherwise.
    """
    ctx = context(checked, scenario, options)
    out, program, layout, world = ctx.out, ctx.program, ctx.out.layout, checked.world
    definition = next((s for s in checked.game.scenarios if s.name.text == ctx.plays[0]), None)
    setup_text = definition.setup if definition else None
    blocks = Blocks()
    if trials:
        lower_trials(trials, setup_text, blocks, ctx)
    else:
        campaign.lower_game(setup_text, blocks, ctx)
    _looks(ctx)
    lower_secrecy(ctx)
    lower_sums(ctx)
    fields = [*world.globals.values(), *(f for kind in world.kinds.values() for f in kind.fields.values())]
    fields += [f for scene in world.scenes.values() for f in scene.fields.values()]
    out.constants = {f: ctx.constant(f) for f in fields if f not in layout.fields}
    fold(blocks, ctx)
    out.frames = finish(blocks, program, layout, ctx.costs, ctx.var_types)
    out.first = first_cells(ctx, layout, checked.set_ups.get(scenario, SetUp()))
    if asides or trials:
        lower_invariants(ctx)
    if asides:
        lower_bots(ctx)
        lower_reasons(ctx)
    return out


def context(checked: Checked, scenario: str, options: Mapping[str, bool]) -> Context:
    """What any program for a scenario and options begins with: the layout of positions, and what is in force."""
    world = checked.world
    program = c.Program(budget=checked.game.budget)
    program.dice += [c.Die(d.name, d.weights, d.faces) for d in world.dice.values()]
    out = Compiled(world, lay_out(world), program, scenario, dict(options))
    set_up = checked.set_ups.get(scenario, SetUp())
    ctx = Context(Rules(ex.lower, st.function_number), checked, out, {**checked.values, **set_up.values}, dict(options))
    stages.prepare(scenario, ctx)
    ctx.bends = bends_in_force(checked, ctx.plays, options)
    note_revealing(ctx)
    for kind in world.kinds.values():
        placed = sum(1 for k, _ in set_up.places if k is kind)
        if kind.is_piece and (checked.uses_unused or placed < kind.size or len(ctx.plays) > 1):
            ctx.may_be_unused.add(kind)
    return ctx


def _looks(ctx: Context) -> None:
    for look in ctx.checked.game.looks:
        kind = ctx.checked.world.kinds.get(look.kind.text)
        if kind is None:
            continue
        function: int | None = None
        if look.when is not None:
            node = ctx.checked.phases[look.when]
            assert not isinstance(node, tuple)
            var = c.Var("self", c.INT)
            ctx.var_ranges[var] = (0, kind.size - 1)
            env = Env({ctx.checked.locals[look.kind]: var})
            value = ex.lower(node, env, ctx)
            function = ctx.add_function(c.Function(f"look {kind.name}", (var,), c.INT, (c.Return(value),), True))
        ctx.out.looks.setdefault(kind, []).append(LookInfo(function, look.text, look.style))


def first_cells(ctx: Context, layout: Layout, set_up: SetUp) -> list[int]:
    """The cells of a position before the set-up runs: header, first values, places and their inverses."""
    program, world = ctx.program, ctx.checked.world
    cells = [0] * program.cells
    cells[header.WINNER] = -1
    cells[header.MOVER] = -1
    cells[header.PC] = program.start
    for f, region in layout.fields.items():
        for i in range(region.count):
            value = ctx.first_value(f, i // f.cells_each, i % f.cells_each)
            if isinstance(f.type, SetT):
                put_set(cells, region.base + i * region.width, region.width, value)
            else:
                cells[region.base + i] = value
    for kind, region in layout.at.items():
        for i in range(region.count):
            cells[region.base + i] = set_up.places.get((kind, i), world.unused)
    for kind, region in layout.there.items():
        on = [0] * region.count
        for i in range(kind.size):
            on[set_up.places.get((kind, i), world.unused)] |= 1 << i
        for i, pieces in enumerate(on):
            put_set(cells, region.base + i * region.width, region.width, pieces)
    for h, region in layout.holds.items():
        bits = 0
        there = [0] * region.count
        for (kind, piece), place in set_up.places.items():
            at = place - h.place.place_base
            if kind is h.piece and 0 <= at < region.count and (h.sort is None or h.sort.low <= piece < h.sort.high):
                there[at] |= 1 << piece
                bits |= 1 << at
        for i, pieces in enumerate(there):
            if h.single:
                cells[region.base + i] = pieces.bit_length() - 1
            else:
                put_set(cells, region.base + i * region.width, region.width, pieces)
        occupied = layout.occupied[h]
        put_set(cells, occupied.base, occupied.width, bits)
    for inverse, region in layout.inverses.items():
        for i, names in enumerate(first_inverse(inverse, ctx)):
            put_set(cells, region.base + i * region.width, region.width, names)
    _put_piles(cells, layout, set_up)
    return cells


def _put_piles(cells: list[int], layout: Layout, set_up: SetUp) -> None:
    """The order of piles: pieces lie as the scenario names them, from the top down."""
    for region in (*layout.below.values(), *layout.top.values(), *layout.bottom.values()):
        for i in range(region.count):
            cells[region.base + i] = -1
    for zone, top in layout.top.items():
        bottom = layout.bottom[zone]
        for (kind, piece), place in set_up.places.items():
            index = place - zone.place_base
            if not 0 <= index < top.count:
                continue
            last = cells[bottom.base + index]
            cells[top.base + index if last < 0 else layout.below[kind].base + last] = piece
            cells[bottom.base + index] = piece
