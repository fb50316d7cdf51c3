"""First values: what entries and scenarios say of fields and places, checked against the declared types."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.diagnostics import Bag, Note, did_you_mean
from interpreter.lang.cast import left_out, switched
from interpreter.lang.declare_names import known_fields
from interpreter.lang.placing import entity_named, place_pieces
from interpreter.lang.scope import Checked, SetUp, Values
from interpreter.lang.types import (
    BoolT,
    EnumT,
    IntT,
    KindT,
    MaybeT,
    RangeT,
    SetT,
    Ty,
    article,
    low_of,
)
from interpreter.lang.world import Entity, Field, Kind, World
from interpreter.reading.model import (
    FieldDef,
    GameDef,
    ScenarioDef,
)
from interpreter.reading.yamltree import Map, Node, Scalar, Seq
from interpreter.source import Name

PLAIN_KEYS = ("title", "text", "rule", "source", "copies")  # of entries of every kind


def check_values(checked: Checked, bag: Bag) -> None:
    """Fills `checked.values` and `checked.set_ups`."""
    world, game = checked.world, checked.game
    checked.values.update(world.made)
    for kind in world.kinds.values():
        for entity in kind.entities:
            for name, (span, node) in entity.fields.items():
                _set_field(entity, Name(name, span), node, checked.values, world, bag)
    for d, fields in defined_fields(game, world):
        field = fields.get(d.name.text)
        if field is not None and d.default is not None:
            value = value_of(d.default, field.type, field, world, bag)
            if value is not None:
                field.default = value
    for scenario in game.scenarios:
        if scenario.name.text in checked.set_ups:
            bag.error("duplicate-name", f"the scenario `{scenario.name.text}` is declared twice", scenario.name.span)
        checked.set_ups[scenario.name.text] = _set_up(scenario, checked, bag)
    placed = {name: made.places for name, made in checked.set_ups.items()}
    for option in game.options:
        if option.without or option.brings:
            checked.switched[option.name.text] = switched(option, placed, world, bag)


def defined_fields(game: GameDef, world: World) -> Iterator[tuple[FieldDef, dict[str, Field]]]:
    """All definitions of fields, each with the fields among which it stands."""
    none: dict[str, Field] = {}
    yield from ((d, world.globals) for d in game.globals)
    for kind in game.kinds:
        owner = world.kinds.get(kind.name.text)
        yield from ((d, owner.fields if owner else none) for d in kind.fields)
    for option in game.options:
        for name, d in option.fields:
            owner = world.kinds.get(name.text) if name else None
            yield d, owner.fields if owner else (none if name else world.globals)
    for definition in game.scenes:
        scene = world.scenes.get(definition.name.text)
        yield from ((d, scene.fields if scene else none) for d in (*definition.given, *definition.fields))


def _set_field(entity: Entity, name: Name, node: Node, values: Values, world: World, bag: Bag) -> None:
    kind = entity.kind
    field = kind.fields.get(name.text)
    if kind.own_key(name.text) and (field is None or isinstance(node, Map)):
        return  # a hook or a face, see `bend`
    if field is None and kind.misread(name.text):
        return
    if field is None:
        notes = [Note(f"fields of `{kind.name}` are declared here", kind.span)] if kind.span else []
        bag.error(
            "unknown-key",
            f"`{kind.name}` has no field `{name.text}`",
            name.span,
            label=f"not a field of `{kind.name}`",
            notes=notes,
            help=_mend_key(name.text, kind),
        )
        return
    for index, value in _indexed(node, field, world, bag):
        values[field, entity.index, index] = value


def _mend_key(name: str, kind: Kind) -> str:
    hooks = [h.name.text for h in kind.hooks]
    near = did_you_mean(name, [*known_fields(kind), *hooks, *kind.faces, "exceptions", *PLAIN_KEYS])
    return near or f"a field is declared under `{kind.name}:`, where the kinds are"


def _indexed(node: Node, field: Field, world: World, bag: Bag) -> list[tuple[int, int]]:
    """(index, value) pairs: one for a plain field; for an indexed one a map from index to value."""
    if not field.per:
        value = value_of(node, field.type, field, world, bag)
        return [] if value is None else [(0, value)]
    return _nested(node, field, list(field.per), 0, world, bag)


def _nested(
    node: Node, field: Field, per: list[tuple[Ty, int]], base: int, world: World, bag: Bag
) -> list[tuple[int, int]]:
    if not per:
        value = value_of(node, field.type, field, world, bag)
        return [] if value is None else [(base, value)]
    (ty, size), *rest = per
    if not isinstance(node, Map):
        bag.error(
            "type-mismatch",
            f"`{field.name}` needs a value for each {ty}",
            node.span,
            help="write a map, such as `{a: 1, b: 2}`",
        )
        return []
    found: list[tuple[int, int]] = []
    for key, inner in node.entries:
        index = _key(key, ty, world, bag)
        if index is not None:
            found += _nested(inner, field, rest, base * size + index, world, bag)
    return found


def _key(node: Node, ty: Ty, world: World, bag: Bag) -> int | None:
    """The number of a key: of a value of an enum, of an entity, or of a number in its range."""
    if not isinstance(ty, RangeT):
        return value_of(node, ty, None, world, bag)
    value = value_of(node, IntT(), None, world, bag)
    if value is None or ty.low <= value <= ty.high:
        return None if value is None else value - ty.low
    bag.error("out-of-range", f"the index lies between {ty.low} and {ty.high}", node.span, label="not one of them")
    return None


def value_of(node: Node, ty: Ty, field: Field | None, world: World, bag: Bag) -> int | None:
    """The stored integer for a YAML value of a type; None, and an error, if it is none."""
    if isinstance(ty, SetT):
        if not isinstance(node, Seq):
            bag.error("type-mismatch", f"expected a list of {ty.of}", node.span, help="write `[a, b]`")
            return None
        bits = 0
        for item in node.items:
            member = value_of(item, ty.of, None, world, bag)
            if member is not None:
                bits |= 1 << (member - low_of(ty.of))
        return bits
    if not isinstance(node, Scalar):
        bag.error(
            "type-mismatch",
            f"expected one value ({ty}), and this is a {'list' if isinstance(node, Seq) else 'map'}",
            node.span,
            label=f"not {article(str(ty))}",
        )
        return None
    if isinstance(ty, MaybeT):
        if node.value is None or node.raw == "none":
            return -1
        return value_of(node, ty.of, field, world, bag)
    match ty:
        case BoolT():
            if isinstance(node.value, bool):
                return int(node.value)
            hint = "write `true` or `false`"
        case IntT():
            if isinstance(node.value, int) and not isinstance(node.value, bool):
                low, high = (field.low, field.high) if field else (-(2**31), 2**31 - 1)
                if low <= node.value <= high:
                    return node.value
                bag.error(
                    "out-of-range",
                    f"`{field.name if field else 'this'}` lies between {low} and {high}",
                    node.span,
                    label="not between them",
                    notes=[Note("declared here", field.span)] if field else [],
                )
                return None
            hint = "write a whole number"
        case EnumT(enum):
            if node.raw in enum.values:
                return enum.values.index(node.raw)
            _unknown(node, enum.name, enum.values, bag)
            return None
        case KindT(kind, sort):
            found = next((e for e in kind.entities if e.id == node.raw), None)
            if found and (sort is None or sort.low <= found.index < sort.high):
                return found.index
            ids = [e.id for e in kind.entities if sort is None or sort.low <= e.index < sort.high]
            _unknown(node, str(ty), ids, bag)
            return None
        case _:
            hint = ""
    bag.error("type-mismatch", f"expected {ty}, and this is `{node.raw}`", node.span, help=hint)
    return None


def _unknown(node: Scalar, what: str, known: list[str] | tuple[str, ...], bag: Bag) -> None:
    few = f"it is one of {', '.join(f'`{k}`' for k in known)}" if 0 < len(known) <= 6 else ""
    bag.error(
        "unknown-name",
        f"there is no {what} `{node.raw}`",
        node.span,
        label=f"not {article(what)}",
        help=did_you_mean(node.raw, known) or few,
    )


def _set_up(scenario: ScenarioDef, checked: Checked, bag: Bag) -> SetUp:
    world = checked.world
    made = SetUp()
    place_pieces(scenario, made, world, bag)
    made.without = left_out(scenario, made.places, world, bag)
    set_values(scenario.set, made.values, checked, bag)
    return made


def set_values(given: tuple[tuple[Name, Node], ...], values: Values, checked: Checked, bag: Bag) -> None:
    """What a scenario or campaign sets: fields of entities, and globals."""
    world = checked.world
    for name, node in given:
        if name.text in world.globals:
            field = world.globals[name.text]
            for index, value in _indexed(node, field, world, bag):
                values[field, 0, index] = value
            continue
        entity = entity_named(name, list(world.kinds.values()), "entity or global", bag, list(world.globals))
        if entity is None:
            continue
        if not isinstance(node, Map):
            bag.error(
                "type-mismatch",
                f"expected the fields of `{name.text}`",
                node.span,
                help="write a map, such as `{field: value}`",
            )
            continue
        for key, value_node in node.entries:
            _set_field(entity, key.name, value_node, values, world, bag)
