"""Names, fields and indices: what they refer to."""

from __future__ import annotations

from interpreter.diagnostics import Note, did_you_mean
from interpreter.lang import nodes as n
from interpreter.lang.check_base import a, expect, maybe_unchecked
from interpreter.lang.declare_names import known_fields
from interpreter.lang.mending import mend_entity, mend_field_of_many, mend_unknown_name
from interpreter.lang.scene_fields import scene_field, scene_field_type, scene_of
from interpreter.lang.scope import Callable, EntitySet, EnumValue, Local, Mover, OptionRef, Scope, Symbol
from interpreter.lang.types import (
    BOOL,
    ERROR,
    INT,
    EmptyT,
    EnumT,
    ErrorT,
    KindT,
    ListT,
    MaybeT,
    PlaceT,
    SetT,
    Ty,
    ZoneT,
    maybe,
)
from interpreter.lang.world import (
    Die,
    Entity,
    Enum,
    Field,
    Kind,
    Scene,
    Table,
    Zone,
)


def symbol_type(symbol: Symbol) -> Ty | None:
    """The type of a symbol used as a value; None if it is no value."""
    match symbol:
        case Local():
            return symbol.type
        case Entity():
            sort = next((x for x in symbol.kind.sorts.values() if x.low <= symbol.index < x.high), None)
            return KindT(symbol.kind, sort)
        case EntitySet():
            return SetT(KindT(symbol.kind, symbol.sort))
        case EnumValue():
            return EnumT(symbol.enum)
        case Enum():
            return SetT(EnumT(symbol))
        case Field():
            return symbol.type if not symbol.per else None
        case Zone():
            return ZoneT(symbol) if not symbol.per else None
        case OptionRef():
            return BOOL
    return None


def check_name(node: n.NameRef, s: Scope) -> Ty:
    """The type of a name: a variable, an entity, a set of all of a kind, a field of the game …"""
    name = node.name
    if name in s.names:
        local = s.names[name]
        s.checked.refs[node] = local
        if isinstance(local.type, EmptyT):  # a loop may come back here when it holds something
            s.bag.error(
                "no-type",
                f"nothing has said yet what `{name}` holds",
                node.span,
                notes=[Note("it is declared here", local.span)],
                help=f"add something to it before, or begin with a set: `let {name} = those(x in … where false)`",
            )
            return ERROR
        return local.type
    if name == "mover":
        s.checked.refs[node] = Mover()
        if not s.mover:
            s.bag.error(
                "no-mover",
                "`mover` is known only directly in a phase",
                node.span,
                help="give the player to this function or effect as a parameter",
            )
            return ERROR
        return KindT(s.world.players)
    found = s.checked.symbols.get(name, [])
    if len(found) > 1:
        words = [f"`{_owner_name(x)}.{name}`" for x in found]
        if len(set(words)) == len(words):  # else it is declared twice, which is told there
            s.bag.error(
                "ambiguous-name", f"`{name}` can mean {' or '.join(words)}", node.span, help="write the one you mean"
            )
        return ERROR
    if not found:
        return _unknown_name(node, s)
    symbol = found[0]
    s.checked.refs[node] = symbol
    if isinstance(symbol, Zone) and symbol.unused:
        s.checked.uses_unused = True
    ty = symbol_type(symbol)
    if ty is not None:
        return ty
    match symbol:
        case Callable():
            s.bag.error(
                "missing-call",
                f"`{name}` is {'an effect' if symbol.is_effect else 'a function'}",
                node.span,
                help=f"call it: `{name}({', '.join(p.name for p in symbol.params)})`",
            )
        case Die():
            s.bag.error(
                "not-a-value",
                f"`{name}` is a die, not a value",
                node.span,
                help=f"roll it first: `let x = roll {name}`",
            )
        case Field() | Zone() | Table():
            s.bag.error("missing-index", f"`{name}` is indexed", node.span, help=f"write `{name}[…]`")
        case Scene():
            fields = ", ".join(f"`{name}.{f}`" for f in [*symbol.fields][:4])
            message = f"`{name}` is a scene, not a value"
            s.bag.error("not-a-value", message, node.span, help=f"its fields are {fields}" if fields else "")
        case _:
            hint = f"`{symbol.plural}` is the set of all of them" if isinstance(symbol, Kind) else ""
            s.bag.error("not-a-value", f"`{name}` is a kind, not a value", node.span, help=hint)
    return ERROR


def _owner_name(symbol: Symbol) -> str:
    match symbol:
        case Entity():
            return symbol.kind.name
        case EnumValue():
            return symbol.enum.name
    return "global"


def _unknown_name(node: n.NameRef, s: Scope) -> Ty:
    if any(f.name.text == node.name for f in s.checked.game.globals):
        return ERROR  # what is wrong with it is told where it is declared
    known = [*s.names, *s.checked.symbols]
    s.bag.error(
        "unknown-name",
        f"nothing is called `{node.name}` here",
        node.span,
        label="not a variable, entity, value, field or set",
        help=mend_unknown_name(node.name, s) or did_you_mean(node.name, known),
    )
    return ERROR


def check_field(node: n.Field, s: Scope) -> Ty:
    """The type of `x.field`, or of a name written out with its kind, `player.north`."""
    qualified = _qualified(node, s)
    if qualified is not None:
        return qualified
    target = s.expr(node.target)
    name = node.name.text
    if isinstance(target, ErrorT):
        return ERROR
    if isinstance(target, MaybeT) and isinstance(target.of, KindT):
        maybe_unchecked(node.target, target, s)
        return ERROR
    if not isinstance(target, KindT):
        hint = ""
        if isinstance(target, PlaceT):
            hint = (
                f"test first what it is: `{node.target.span.text} is {target.piece.place_kinds[0].name}`"
                if target.piece.place_kinds
                else ""
            )
        elif isinstance(target, SetT | ListT):
            hint = mend_field_of_many(node, s)
        s.bag.error("no-fields", f"{a(target)} has no fields", node.name.span, help=hint)
        return ERROR
    kind = target.kind
    if kind.is_piece and name == "at":
        s.checked.refs[node] = "at"
        return PlaceT(kind)
    if kind.is_piece and name == "on":
        s.checked.refs[node] = "on"
        return KindT(s.world.board.space) if s.world.board else ERROR
    if name in kind.holds:
        s.checked.refs[node] = "holds"
        held = kind.holds[name]
        of = KindT(held.piece, held.sort)
        return maybe(of) if held.single else SetT(of)
    if name in kind.inverses:
        s.checked.refs[node] = "inverse"
        return SetT(KindT(kind.inverses[name].field.owner or kind))
    field = kind.fields.get(name)
    if field is None and kind.misread(name):
        return ERROR
    if field is None:
        notes = [Note(f"fields of `{kind.name}` are declared here", kind.span)] if kind.span else []
        s.bag.error(
            "unknown-name",
            f"`{target}` has no field `{name}`",
            node.name.span,
            label=f"not a field of `{target}`",
            notes=notes,
            help=did_you_mean(name, known_fields(kind)) or _function_hint(name, node, s),
        )
        return ERROR
    s.checked.refs[node] = field
    if field.per:
        s.bag.error("missing-index", f"`{name}` is indexed", node.name.span, help=f"write `{node.span.text}[…]`")
        return ERROR
    return field.type


def _function_hint(name: str, node: n.Field, s: Scope) -> str:
    if name in s.checked.callables:
        return f"`{name}` is a function: write `{name}({node.target.span.text})`"
    return ""


def _qualified(node: n.Field, s: Scope) -> Ty | None:
    """`kind.id`, `enum.value` and `option.name`."""
    if not isinstance(node.target, n.NameRef) or node.target.name in s.names:
        return None
    owner, name = node.target.name, node.name.text
    scene = scene_of(node.target, s)
    if scene is not None:
        return scene_field_type(node, scene, s)
    if owner == "option":
        s.checked.refs[node] = OptionRef(name)
        if name in s.world.options:
            return BOOL
        s.bag.error(
            "unknown-name", f"there is no option `{name}`", node.name.span, help=did_you_mean(name, s.world.options)
        )
        return ERROR
    if owner in s.world.enums:
        enum = s.world.enums[owner]
        if name in enum.values:
            s.checked.refs[node] = EnumValue(enum, enum.values.index(name))
            return EnumT(enum)
        s.bag.error(
            "unknown-name", f"`{owner}` has no value `{name}`", node.name.span, help=did_you_mean(name, enum.values)
        )
        return ERROR
    if owner in s.world.kinds and owner not in s.checked.symbols:
        kind = s.world.kinds[owner]
        found = next((e for e in kind.entities if e.id == name), None)
        if found:
            s.checked.refs[node] = found
            return symbol_type(found) or ERROR
        ids = [e.id for e in kind.entities]
        s.bag.error(
            "unknown-name",
            f"there is no {owner} `{name}`",
            node.name.span,
            help=mend_entity(name, s.checked.symbols.get(name, [])) or did_you_mean(name, ids),
        )
        return ERROR
    return None


def indexed(node: n.Index, s: Scope) -> Field | Zone | Table | None:
    """The indexed field or zone behind `x.f[…]`, `g[…]` or `zone[…]`; None for a list."""
    target = node.target
    if isinstance(target, n.NameRef) and target.name not in s.names:
        found = s.checked.symbols.get(target.name, [])
        if len(found) == 1 and isinstance(found[0], Table):
            return found[0]
        if len(found) == 1 and isinstance(found[0], Field | Zone) and found[0].per:
            s.checked.refs[target] = found[0]
            return found[0]
    if isinstance(target, n.Field) and (scene := scene_of(target.target, s)) is not None:
        own = scene.fields.get(target.name.text)
        return scene_field(target, scene, s) if own is not None and own.per else None
    if isinstance(target, n.Field) and _qualified_owner(target, s) is None:
        owner = s.expr(target.target)
        if isinstance(owner, KindT):
            field = owner.kind.fields.get(target.name.text)
            if field is not None and field.per:
                s.checked.refs[target] = field
                return field
    return None


def _qualified_owner(node: n.Field, s: Scope) -> str | None:
    if isinstance(node.target, n.NameRef) and node.target.name not in s.names:
        name = node.target.name
        if name == "option" or name in s.world.enums or (name in s.world.kinds and name not in s.checked.symbols):
            return name
    return None


def check_index(node: n.Index, s: Scope) -> Ty:
    """The type of `x[key]`: of a field by keys, a zone of somebody, an item of a list."""
    found = indexed(node, s)
    if found is not None:
        s.checked.refs[node] = found
        per: list[Ty]
        match found:
            case Table():
                per = [key.type for key in found.keys]
            case Zone():
                per = [KindT(k) for k in found.per]
            case _:
                per = [t for t, _ in found.per]
        if len(per) != len(node.keys):
            things = "thing" if len(per) == 1 else "things"
            message = f"`{found.name}` is indexed by {len(per)} {things}, not {len(node.keys)}"
            names = ", ".join(key.name for key in found.keys) if isinstance(found, Table) else ", ".join(map(str, per))
            s.bag.error("wrong-index", message, node.span, help=f"write `{found.name}[{names}]`")
        for key, want in zip(node.keys, per, strict=False):
            notes = [Note(f"`{found.name}` is declared here", found.span)] if found.span else []
            expect(key, want, s, "the index", notes)
        if isinstance(found, Table):
            return found.gives
        return ZoneT(found) if isinstance(found, Zone) else found.type
    ty = s.expr(node.target)
    for key in node.keys:
        expect(key, INT, s, "the index")
    if isinstance(ty, ListT) and len(node.keys) == 1:
        return ty.of
    if not isinstance(ty, ErrorT):
        hint = "a set has no order; `first(x in … where …)` takes one of it" if isinstance(ty, SetT) else ""
        s.bag.error("no-index", f"{a(ty)} has no numbered items", node.span, label="only lists have", help=hint)
    return ERROR
