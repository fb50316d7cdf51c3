"""What is not in play, by scenario or option: entities that searches skip, and spaces through which no way leads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from interpreter.diagnostics import Bag, Note
from interpreter.lang.placing import entity_named
from interpreter.lang.types import KindT
from interpreter.lang.world import Entity, Kind, World, plural
from interpreter.reading.model import OptionDef, ScenarioDef
from interpreter.source import Name, Span

Bits = dict[Kind, int]  # for each kind the set of those that are left out


def left_out(scenario: ScenarioDef, places: dict[tuple[Kind, int], int], world: World, bag: Bag) -> Bits:
    """What `without` names, with the edges at spaces that are left out and the pairs made of what is left out.

    `places`: where the scenario puts pieces; none of both may be left out.
    """
    out, named = _all_named(scenario.without, world, bag)
    for (kind, index), place in places.items():
        piece = kind.entities[index]
        if out.get(kind, 0) >> index & 1:
            _not_in_play(piece, scenario, named[kind, index], bag)
        for other, at in _touched(kind, index, place):
            if (other, at) != (kind, index) and out.get(other, 0) >> at & 1:
                span = named.get((other, at))
                bag.error(
                    "not-in-play",
                    f"`{piece.id}` is put on `{other.entities[at].id}`, which is not in play in `{scenario.name.text}`",
                    span or scenario.name.span,
                    help="put it somewhere else, or keep that in play",
                )
    return out


def switched(
    option: OptionDef, placed: Mapping[str, Mapping[tuple[Kind, int], int]], world: World, bag: Bag
) -> tuple[Bits, Bits]:
    """What goes, and what comes, with an option: nothing of where scenarios put pieces (`placed`), nor these pieces."""
    gone, come = (_all_named(names, world, bag) for names in (option.without, option.brings))
    for scenario, places in placed.items():
        for out, named in (gone, come):
            for (kind, index), place in places.items():
                found = next((t for t in _touched(kind, index, place) if out.get(t[0], 0) >> t[1] & 1), None)
                if found is not None:
                    bag.error(
                        "not-in-play",
                        f"`{scenario}` places `{kind.entities[index].id}`, and by `{option.name.text}` "
                        f"`{found[0].entities[found[1]].id}` may not be in play",
                        named.get(found, option.name.span),
                        help="let rules of the option place it, or keep that in play",
                    )
    return gone[0], come[0]


def _touched(kind: Kind, index: int, place: int) -> Iterator[tuple[Kind, int]]:
    """A piece, and the entity on which it is put."""
    yield kind, index
    for other in kind.place_kinds:
        if 0 <= place - other.place_base < other.size:
            yield other, place - other.place_base


def _all_named(names: Iterable[Name], world: World, bag: Bag) -> tuple[Bits, dict[tuple[Kind, int], Span]]:
    """What is named, with what hangs on it, and where each was named."""
    out: Bits = {}
    named: dict[tuple[Kind, int], Span] = {}
    for name in names:
        for entity in _named(name, world, bag):
            if entity.kind is world.players:
                bag.error(
                    "bad-without",
                    f"the player `{entity.id}` can't be left out: seats are those of the game",
                    name.span,
                    help="leave out what belongs to the player",
                )
                continue
            out[entity.kind] = out.get(entity.kind, 0) | 1 << entity.index
            named.setdefault((entity.kind, entity.index), name.span)
    _edges(out, world)
    _pairs(out, world)
    return out, named


def _not_in_play(piece: Entity, scenario: ScenarioDef, span: Span, bag: Bag) -> None:
    where = next((n.span for n, _ in scenario.place if n.text == piece.id), None)
    bag.error(
        "not-in-play",
        f"`{piece.id}` is left out, and is put somewhere",
        span,
        notes=[Note("it is put somewhere here", where)] if where else [],
        help="remove it from `without`, or from `place`",
    )


def _named(name: Name, world: World, bag: Bag) -> list[Entity]:
    """An entity, or all of a kind or sort by the name of their set."""
    for kind in world.kinds.values():
        if name.text == kind.plural:
            return list(kind.entities)
        for sort in kind.sorts.values():
            if name.text == plural(sort.name):
                return kind.entities[sort.low : sort.high]
    found = entity_named(name, list(world.kinds.values()), "entity", bag)
    return [found] if found else []


def _edges(out: Bits, world: World) -> None:
    board = world.board
    if board is None or board.edge is None:
        return
    spaces = out.get(board.space, 0)
    for s, row in enumerate(board.graph.around):
        for other, edge in row:
            if (spaces >> s | spaces >> other) & 1:
                out[board.edge] = out.get(board.edge, 0) | 1 << edge


def _pairs(out: Bits, world: World) -> None:
    for kind in world.kinds.values():
        if not kind.parts:
            continue
        masks = [out.get(ty.kind, 0) if isinstance(ty, KindT) else 0 for _, ty, _ in kind.parts]
        sizes = [size for _, _, size in kind.parts]
        for index in range(kind.size):
            rest, gone = index, False
            for mask, size in zip(reversed(masks), reversed(sizes), strict=True):
                rest, part = divmod(rest, size)
                gone = gone or bool(mask >> part & 1)
            if gone:
                out[kind] = out.get(kind, 0) | 1 << index
