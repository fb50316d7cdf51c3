"""How a game runs and is tried: options, phases, scenarios, tests, invariants, and the sections of its rulebook."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.diagnostics import Bag
from interpreter.reading import bend, parts
from interpreter.reading import yamltree as tree
from interpreter.reading.model import InvariantDef, OptionDef, PhaseDef, ScenarioDef, SectionDef, StepDef, TestDef
from interpreter.reading.yamltree import Map, Node, Scalar
from interpreter.source import Name


def options(node: Node | None, bag: Bag) -> tuple[OptionDef, ...]:
    """Options from any of their three forms: a map from names, one that names itself, or a list of those."""
    if isinstance(node, Map) and tree.get(node, "option") is None:
        return tuple(_option(k.name, v, bag) for k, v in node.entries if isinstance(v, Map))
    return tuple(_option(id_, one, bag) for one in parts.maps(node) if (id_ := parts.name(one, "option")))


def option_maps(nodes: Iterable[Node | None]) -> tuple[Map, ...]:
    """The maps that say what each option is, whatever the form of the files."""
    found: list[Map] = []
    for node in nodes:
        if isinstance(node, Map) and tree.get(node, "option") is None:
            found += [v for _, v in node.entries if isinstance(v, Map)]
        else:
            found += parts.maps(node)
    return tuple(found)


def _option(id_: Name, node: Map, bag: Bag) -> OptionDef:
    return OptionDef(
        id_,
        node.span,
        parts.flag(node, "default"),
        parts.string(node, "title"),
        parts.string(node, "text"),
        parts.citation(node),
        needs=parts.names(tree.get(node, "needs")),
        brings=parts.names(tree.get(node, "brings")),
        without=parts.names(tree.get(node, "without")),
        fields=bend.more_fields(tree.get(node, "fields"), bag),
        rules=parts.effect(tree.get(node, "rules"), bag),
        adds=bend.adds(tree.get(node, "adds"), bag),
        exceptions=bend.exceptions(tree.get(node, "exceptions"), bag),
        whenever=bend.whenever(tree.get(node, "whenever"), bag),
    )


def phases(node: Node | None, bag: Bag) -> tuple[PhaseDef, ...]:
    """Phases in the order in which they are played."""
    return tuple(_phase(k, v, bag) for k, v in parts.entries(node) if isinstance(v, Map))


def _phase(key: Scalar, node: Map, bag: Bag) -> PhaseDef:
    do, inner = tree.get(node, "do"), tree.get(node, "phases")
    if (do is None) == (inner is None):
        has = "neither `do` nor `phases`" if do is None else "both `do` and `phases`"
        mend = "write its statements as `do`" if do is None else "move the statements of `do` into a phase of their own"
        bag.error("phase-body", f"the phase `{key.raw}` has {has}", key.span, help=mend)
    return PhaseDef(
        key.name,
        parts.reach(key, node),
        title=parts.string(node, "title"),
        each=parts.name(node, "each"),
        each_from=parts.effect(tree.get(node, "from"), bag),
        repeat=parts.flag(node, "repeat"),
        while_=parts.effect(tree.get(node, "while"), bag),
        skip_if=parts.effect(tree.get(node, "skip_if"), bag),
        do=parts.effect(do, bag),
        phases=phases(inner, bag),
        citation=parts.citation(node),
    )


def scenarios(node: Node | None, bag: Bag) -> tuple[ScenarioDef, ...]:
    """The set-ups of a file, one or a list."""
    return tuple(_scenario(id_, one, bag) for one in parts.maps(node) if (id_ := parts.name(one, "scenario")))


def _scenario(id_: Name, node: Map, bag: Bag) -> ScenarioDef:
    return ScenarioDef(
        id_,
        node.span,
        title=parts.string(node, "title"),
        text=parts.string(node, "text"),
        place=tuple((k.name, v) for k, v in parts.entries(tree.get(node, "place"))),
        set=tuple((k.name, v) for k, v in parts.entries(tree.get(node, "set"))),
        setup=parts.effect(tree.get(node, "setup"), bag),
        citation=parts.citation(node),
        without=parts.names(tree.get(node, "without")),
        options=tuple((k.name, v) for k, v in parts.entries(tree.get(node, "options"))),
        adds=bend.adds(tree.get(node, "adds"), bag),
        exceptions=bend.exceptions(tree.get(node, "exceptions"), bag),
        whenever=bend.whenever(tree.get(node, "whenever"), bag),
    )


def tests(node: Node | None, bag: Bag) -> tuple[tuple[Name, TestDef], ...]:
    """The rule tests of a file, each with the place of its name."""
    return tuple((id_, _test(one, bag)) for one in parts.maps(node) if (id_ := parts.name(one, "test")))


def _test(node: Map, bag: Bag) -> TestDef:
    seed = parts.number(node, "seed")
    return TestDef(
        parts.string(node, "test"),
        node.span,
        citation=parts.citation(node),
        scenario=parts.name(node, "scenario"),
        options=tuple((k.name, v) for k, v in parts.entries(tree.get(node, "options"))),
        seed=1 if seed is None else seed,
        given=parts.effect(tree.get(node, "given"), bag),
        call=parts.effect(tree.get(node, "call"), bag),
        when=_steps(tree.get(node, "when"), bag),
        then=tuple(t for one in parts.items(tree.get(node, "then")) if (t := parts.effect(one, bag))),
        illegal=_steps(tree.get(node, "illegal"), bag),
        outcome=parts.name(node, "outcome"),
    )


def _steps(node: Node | None, bag: Bag) -> tuple[StepDef, ...]:
    found = []
    for one in parts.maps(node):
        key, value = one.entries[0]
        if key.name.text == "then":
            holds = tuple(t for part in parts.items(value) or (value,) if (t := parts.effect(part, bag)))
            found.append(StepDef(key.name, (), one.span, holds))
        else:
            found.append(StepDef(key.name, parts.names(value), one.span))
    return tuple(found)


def invariants(node: Node | None, bag: Bag) -> tuple[InvariantDef, ...]:
    """What must hold in every position, in order."""
    found = []
    for one in parts.maps(node):
        that = parts.effect(tree.get(one, "that"), bag)
        if that is not None:
            text, during = parts.string(one, "text"), parts.name(one, "during")
            found.append(InvariantDef(that, one.span, text, during, parts.citation(one)))
    return tuple(found)


def sections(node: Node | None) -> tuple[SectionDef, ...]:
    """The sections of the rulebook, in its order."""
    return tuple(
        SectionDef(
            parts.string(one, "id"),
            parts.string(one, "title"),
            one.span,
            parts.string(one, "text"),
            parts.string(one, "ruling"),
            parts.name(one, "option"),
            parts.string(one, "not_modelled"),
            parts.flag(one, "example"),
        )
        for one in parts.maps(node)
    )
