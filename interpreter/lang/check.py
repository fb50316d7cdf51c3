"""Checking a game: from its files' trees to trees in which every name has a meaning and every expression a type."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.diagnostics import Bag, Note, did_you_mean
from interpreter.lang import nodes as n
from interpreter.lang.bend import check_bends, options_rules
from interpreter.lang.builtins import BUILTINS, EFFECTS
from interpreter.lang.campaigns import check_campaigns
from interpreter.lang.ceilings import check_ceilings
from interpreter.lang.check_base import expect
from interpreter.lang.check_bots import check_bots
from interpreter.lang.check_display import check_display
from interpreter.lang.check_invariants import check_invariants
from interpreter.lang.check_lists import check_lists
from interpreter.lang.check_scene import check_scenes
from interpreter.lang.check_scoring import check_scoring, check_scoring_asks
from interpreter.lang.check_secretly import check_secret_asks
from interpreter.lang.check_settling import check_settling
from interpreter.lang.check_stmt import check_body
from interpreter.lang.check_tests import check_tests
from interpreter.lang.check_text import RULES, check_block, check_condition, check_value
from interpreter.lang.citations import citations
from interpreter.lang.cited import check_citations
from interpreter.lang.declare import declare
from interpreter.lang.declare_names import resolve_type
from interpreter.lang.grounds import find_questions
from interpreter.lang.hooks import declare_hooks
from interpreter.lang.options import check_options
from interpreter.lang.parse import parse_file
from interpreter.lang.scope import (
    Callable,
    Checked,
    EntitySet,
    EnumValue,
    Local,
    PairMaker,
    Scope,
    Symbol,
    declared_at,
)
from interpreter.lang.secrecy import check_secrecy
from interpreter.lang.sums import sum_functions
from interpreter.lang.types import ERROR, KindT, Ty
from interpreter.lang.values import check_values
from interpreter.lang.world import plural
from interpreter.reading.model import AddDef, GameDef, PhaseDef
from interpreter.source import Name, Text


def check(game: GameDef, bag: Bag) -> Checked:
    """Checks all of a game. With errors in the bag the result must not be lowered."""
    world = declare(game, bag)
    checked = Checked(game, world)
    _collect_symbols(checked, bag)
    declare_hooks(checked, bag)
    shown = [game.display.rules] if game.display is not None and game.display.rules is not None else []
    for text in (*game.rules, *options_rules(checked), *(b.rules for b in game.bots if b.rules is not None), *shown):
        functions, effects = parse_file(text, bag)
        cited = citations(text, bag)
        definitions: list[n.Fun | n.Effect] = [*functions, *effects]
        for definition in definitions:
            _declare_callable(definition, checked, bag)
            target = checked.callables.get(definition.name.text)
            if target is not None and target.node is definition:
                target.citation = cited.get(target.name, target.citation)
    for function in sum_functions(checked, bag):
        _declare_callable(function, checked, bag)
    for target in [*checked.callables.values()]:
        if target.node is not None:
            _check_callable(target, checked, bag)
    check_options(game, bag)
    check_bends(checked, bag)
    check_settling(checked, bag)
    check_secrecy(checked, bag)
    for option in game.options:
        _check_adds(option.adds, checked, bag)
    for phase in game.phases:
        _check_phase(phase, False, checked, bag)
    if game.scoring is not None:
        check_scoring(game.scoring, checked, bag)
    for scenario in game.scenarios:
        if scenario.setup is not None:
            check_block(scenario.setup, checked, bag, everything=True)
        _check_adds(scenario.adds, checked, bag)
    for look in game.looks:
        if look.when is not None:
            _check_look(look.kind, look.when, checked, bag)
    sought = {kind for kind in world.kinds.values() if kind.sought}
    check_tests(checked, bag)
    unused = checked.uses_unused
    check_invariants(checked, bag)
    check_display(checked, bag)
    checked.uses_unused = unused
    for kind in world.kinds.values():
        kind.sought = kind in sought  # what only tests, invariants and displays ask must not change a game
    check_values(checked, bag)
    check_ceilings(checked, bag)
    check_campaigns(checked, bag)
    check_citations(checked, bag)
    check_cycles(checked, bag)
    check_scenes(checked, bag)
    infer_pauses(checked)
    check_secret_asks(checked, bag)
    check_scoring_asks(checked, bag)
    check_lists(checked, bag)
    check_bots(checked, bag)
    if not bag.has_errors:
        find_questions(checked, bag)
    return checked


def _collect_symbols(checked: Checked, bag: Bag) -> None:
    world = checked.world
    for kind in world.kinds.values():
        _add(checked, kind.plural, EntitySet(kind, None))
        for sort in kind.sorts.values():
            _add(checked, plural(sort.name), EntitySet(kind, sort))
        for entity in kind.entities:
            _add(checked, entity.id, entity)
    for enum in world.enums.values():
        _add(checked, enum.name, enum)
        for i, value in enumerate(enum.values):
            _add(checked, value, EnumValue(enum, i))
    for name, die in world.dice.items():
        if die.enum is None:
            _add(checked, name, die)
    for name, field in world.globals.items():
        _add(checked, name, field)
    for name, zone in world.zones.items():
        _add(checked, name, zone)
    for name, scene in world.scenes.items():
        _add(checked, name, scene)
    for name, table in world.tables.items():
        _add(checked, name, table)
    for name, kind in world.row_sets.items():
        _add(checked, name, EntitySet(kind, None))
    for kind in world.kinds.values():
        if kind.parts:
            _add(checked, f"{kind.name}_at", PairMaker(f"{kind.name}_at", kind, kind.span))


def _add(checked: Checked, name: str, symbol: Symbol) -> None:
    checked.symbols.setdefault(name, []).append(symbol)


def _declare_callable(node: n.Fun | n.Effect, checked: Checked, bag: Bag) -> None:
    name = node.name.text
    earlier = checked.symbols.get(name)
    built_in = name in BUILTINS or name in EFFECTS
    if earlier or built_in:
        span = declared_at(earlier[0]) if earlier else None
        bag.error(
            "duplicate-name",
            f"`{name}` is already {'a built-in function' if built_in else 'declared'}",
            node.name.span,
            notes=[Note("declared here", span)] if span else [],
            help="choose another name",
        )
        if name in checked.callables or built_in:
            return
    params: list[Local] = []
    for p in node.params:
        if any(p.name.text == q.name for q in params):
            message = f"there are two parameters `{p.name.text}`"
            bag.error("duplicate-name", message, p.name.span, help="give one of them another name")
        params.append(Local(p.name.text, resolve_type(p.type, checked.world, bag), p.name.span))
        checked.locals[p.name] = params[-1]
    result: Ty | None = resolve_type(node.result, checked.world, bag) if node.result else None
    target = Callable(name, tuple(params), result, isinstance(node, n.Effect), node.open, node.name.span, node)
    checked.callables[name] = target
    _add(checked, name, target)


def _check_callable(target: Callable, checked: Checked, bag: Bag) -> None:
    node = target.node
    assert node is not None
    names: dict[str, Local] = {}
    for p in target.params:
        if p.name in checked.symbols:
            span = declared_at(checked.symbols[p.name][0])
            bag.error(
                "hidden-name",
                f"`{p.name}` already means something here",
                p.span,
                label="a parameter can't hide another name",
                notes=[Note(f"`{p.name}` is declared here", span)] if span else [],
                help="choose another name for the parameter",
            )
        names[p.name] = p
    scope = Scope(RULES, checked, bag, names, {}, target)
    if isinstance(node, n.Fun) and node.value is not None:
        expect(node.value, target.result or ERROR, scope, "the result")
        return
    falls = check_body(node.body, scope)
    if falls and target.result is not None:
        bag.error(
            "missing-return",
            f"`{target.name}` can end without a result",
            node.name.span,
            help="end every way through it with `return`",
        )


def _check_adds(adds: tuple[AddDef, ...], checked: Checked, bag: Bag) -> None:
    phases = {p.name.text: mover for p, mover in _all_phases(checked.game.phases, False)}
    for add in adds:
        if add.phase.text not in phases:
            bag.error(
                "unknown-name",
                f"there is no phase `{add.phase.text}`",
                add.phase.span,
                help=did_you_mean(add.phase.text, phases),
            )
        check_block(add.do, checked, bag, mover=phases.get(add.phase.text, False))


def _all_phases(phases: tuple[PhaseDef, ...], mover: bool) -> Iterable[tuple[PhaseDef, bool]]:
    """Every phase, and whether somebody is on move around it."""
    for phase in phases:
        yield phase, mover
        yield from _all_phases(phase.phases, mover or phase.each is not None)


def _check_look(kind: Name, when: Text, checked: Checked, bag: Bag) -> None:
    owner = checked.world.kinds.get(kind.text)
    if owner is not None:
        me = Local("self", KindT(owner), kind.span)
        if check_condition(when, checked, bag, names={"self": me}):
            checked.locals[kind] = me


def _check_phase(phase: PhaseDef, mover: bool, checked: Checked, bag: Bag) -> None:
    mover = mover or phase.each is not None
    if phase.each is not None and phase.each.text != "player":
        mend = "write `each: player`; to go round other things, use `for each` in `do:`"
        bag.error("bad-phase", "a phase goes round the players", phase.each.span, help=mend)
    if phase.each_from is not None:
        check_value(phase.each_from, KindT(checked.world.players), "who begins", checked, bag, mover=mover)
    for text in (phase.while_, phase.skip_if):
        if text is not None:
            check_condition(text, checked, bag, mover=mover)
    if phase.do is not None:
        check_block(phase.do, checked, bag, mover=mover)
    for inner in phase.phases:
        _check_phase(inner, mover, checked, bag)


def check_cycles(checked: Checked, bag: Bag) -> None:
    """Calls must not come back to where they began; the first cycle found from each start is reported once."""
    state: dict[str, int] = {}
    stack: list[str] = []

    def visit(name: str) -> None:
        state[name] = 1
        stack.append(name)
        for called in sorted(checked.callables[name].calls):
            if state.get(called) == 1:
                ring = [*stack[stack.index(called) :], called]
                bag.error(
                    "call-cycle",
                    "these call each other in a circle: " + " -> ".join(f"`{r}`" for r in ring),
                    checked.callables[name].call_spans[called],
                    notes=[Note(f"`{called}` is declared here", checked.callables[called].span)],
                    help="use a loop (`while`, `for each`) in place of the last call",
                )
            elif called not in state:
                visit(called)
        stack.pop()
        state[name] = 2

    for name in sorted(checked.callables):
        if name not in state:
            visit(name)


def infer_pauses(checked: Checked) -> None:
    """Which effects ask somebody or end the game, themselves or through what they call."""
    changed = True
    while changed:
        changed = False
        for target in checked.callables.values():
            called = [checked.callables[c] for c in target.calls if c in checked.callables]
            pauses = target.asks is not None or any(c.pauses for c in called)
            ends = target.ends_game or any(c.ends_game for c in called)
            if (pauses, ends) != (target.pauses, target.ends_game):
                target.pauses, target.ends_game = pauses, ends
                changed = True
