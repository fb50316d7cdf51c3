"""Calls: of the game's functions, of built-ins, and what to say when an effect is called where nothing can wait."""

from __future__ import annotations

import re

from interpreter.diagnostics import Note, did_you_mean
from interpreter.lang import nodes as n
from interpreter.lang.builtins import BUILTINS, EFFECTS, Builtin, Parameter, place_arguments
from interpreter.lang.check_base import a, bind, condition, expect, maybe_unchecked
from interpreter.lang.check_chance import pile_argument
from interpreter.lang.check_pair import check_pair, pair_maker
from interpreter.lang.mending import mend_unknown_function, shown
from interpreter.lang.scene_fields import note_call
from interpreter.lang.scope import (
    Callable,
    PairMaker,
    Scope,
)
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
    SetT,
    Ty,
    ZoneT,
    element,
    maybe,
)


def check_apply(node: n.Apply, s: Scope) -> Ty:
    """The type of a call inside an expression: functions and built-ins only."""
    target = called(node, s)
    if not isinstance(node.func, n.NameRef):
        if target is None:
            return _no_hook(node, s)
        name = target.name
    else:
        name = node.func.name
    if name in s.names:
        notes = [Note(f"`{name}` is declared here", s.names[name].span)]
        s.bag.error("not-a-function", f"`{name}` is a variable and can't be called", node.func.span, notes=notes)
        return ERROR
    if target is not None:
        if target.is_effect:
            s.bag.error(
                "effect-in-expression",
                f"`{name}` is an effect, and an expression can't wait for one",
                node.span,
                notes=[Note("declared here", target.span)],
                help=f"put it on a line of its own before: `let x = {node.span.text}`"
                if target.result
                else "call it on a line of its own",
            )
            check_arguments(node, target, s)
            return target.result or ERROR
        return check_arguments(node, target, s)
    if name in BUILTINS:
        return _builtin(node, BUILTINS[name], s)
    if name in EFFECTS:
        message = f"`{name}` is an effect, and an expression can't wait for one"
        s.bag.error("effect-in-expression", message, node.span, help="call it on a line of its own")
        return ERROR
    maker = pair_maker(name, s)
    if maker is not None:
        return check_pair(node, maker, s)
    makers = [x for x, found in s.checked.symbols.items() if isinstance(found[0], PairMaker)]
    known = [*s.checked.callables, *BUILTINS, *makers]
    hint = mend_unknown_function(name, node, s) or did_you_mean(name, known)
    if s.checked.symbols.get(name):
        s.bag.error("not-a-function", f"`{name}` is no function", node.func.span, help=hint)
    elif not _misread(name, s):
        s.bag.error("unknown-name", f"there is no function `{name}`", node.func.span, help=hint)
    for argument in node.args:
        if isinstance(argument, n.Argument):
            s.expr(argument.value)
    return ERROR


def called(node: n.Expr, s: Scope) -> Callable | None:
    """The function or effect of the game that a call names: by itself, or as the hook of an entity, `y.do(p)`."""
    if not isinstance(node, n.Apply):
        return None
    if isinstance(node.func, n.NameRef):
        return None if node.func.name in s.names else s.checked.callables.get(node.func.name)
    if isinstance(node.func, n.Field) and s.checked.hooks:
        ty = s.expr(node.func.target)
        if isinstance(ty, KindT):
            return s.checked.hooks.get((ty.kind, node.func.name.text))
    return None


def _no_hook(node: n.Apply, s: Scope) -> Ty:
    """What to say of a call of something that is neither a function's name nor a hook."""
    if not isinstance(node.func, n.Field):
        s.expr(node.func)
        s.bag.error("not-a-function", "this can't be called", node.func.span)
        return ERROR
    ty = s.expr(node.func.target)
    name = node.func.name
    if isinstance(ty, MaybeT):
        maybe_unchecked(node.func.target, ty, s)
    elif isinstance(ty, KindT):
        hooks = [h.name.text for h in ty.kind.hooks]
        hint = did_you_mean(name.text, hooks)
        if name.text in s.checked.callables:
            hint = f"`{name.text}` is a function: write `{name.text}({node.func.target.span.text})`"
        s.bag.error("unknown-name", f"`{ty}` has no hook `{name.text}`", name.span, help=hint)
    elif not isinstance(ty, ErrorT):
        s.bag.error("not-a-function", f"{a(ty)} has no hooks", name.span)
    return ERROR


def _misread(name: str, s: Scope) -> bool:
    """Whether something that looks like its definition could not be read: what is wrong is told there."""
    head = re.compile(rf"^(open +)?\w+ +{re.escape(name)} *\(", re.MULTILINE)
    return s.bag.has_errors and any(head.search(text.value) for text in s.checked.game.rules)


def check_arguments(node: n.Apply, target: Callable, s: Scope) -> Ty:
    """Arguments of a function or effect of the game; notes the call for the search for cycles."""
    s.checked.refs[node] = target
    s.owner.calls.add(target.name)
    s.owner.call_spans.setdefault(target.name, node.span)
    note_call(target, node.span, s)
    params = (
        target.params[1:] if target.fillings is not None else target.params
    )  # a hook's entity stands before the dot
    rest = {p.name: p for p in params}
    for i, argument in enumerate(node.args):
        if isinstance(argument, n.Condition):
            mend = "only built-ins such as `reach` take conditions; give it a set, `those(x in … where …)`"
            s.bag.error("unexpected-condition", f"`{target.name}` takes no conditions", argument.span, help=mend)
            rest.pop(argument.name.text, None)
            continue
        if argument.name is not None:
            name = argument.name.text
        elif i < len(params):
            name = params[i].name
        else:
            name = ""
        parameter = rest.pop(name, None)
        if parameter is None:
            _wrong_argument(
                argument, name, target.name, [p.name for p in params], s, Note("declared here", target.span)
            )
            s.expr(argument.value)
        else:
            expect(argument.value, parameter.type, s, f"`{name}`", [Note("declared here", parameter.span)])
    if rest and not any(a.name is not None and a.name.text not in [p.name for p in params] for a in node.args):
        names = ", ".join(f"`{r}`" for r in rest)
        s.bag.error(
            "missing-argument",
            f"`{target.name}` needs {names} too",
            node.span,
            notes=[Note("declared here", target.span)],
            help=f"call it as `{target.name}({', '.join(p.name for p in params)})`",
        )
    return target.result or ERROR


def _wrong_argument(
    argument: n.Argument, name: str, function: str, names: list[str], s: Scope, note: Note | None = None
) -> None:
    notes = [note] if note else []
    if argument.name is None:
        count = f"{len(names)} argument{'' if len(names) == 1 else 's'}" if names else "no arguments"
        s.bag.error("extra-argument", f"`{function}` takes {count}", argument.span, label="one too many", notes=notes)
    elif name in names:
        s.bag.error("duplicate-argument", f"`{name}` is given twice", argument.span, label="given before already")
    else:
        s.bag.error(
            "unknown-argument",
            f"`{function}` has no argument `{name}`",
            argument.name.span,
            notes=notes,
            help=did_you_mean(name, names),
        )


def _builtin(node: n.Apply, builtin: Builtin, s: Scope) -> Ty:
    names = [p.name for p in builtin.params]
    placed = place_arguments(node, builtin)
    first: Ty = ERROR
    for argument in node.args:
        if all(argument is not p for p in placed.values()) or (argument.name and argument.name.text not in names):
            if isinstance(argument, n.Argument):
                _wrong_argument(argument, argument.name.text if argument.name else "", builtin.name, names, s)
            else:
                s.bag.error(
                    "unknown-argument",
                    f"`{builtin.name}` has no condition `{argument.name.text}`",
                    argument.name.span,
                    help=did_you_mean(argument.name.text, names),
                )
    if builtin.name in ("max", "min") and _most_of(node, builtin, s):
        return ERROR
    for parameter in builtin.params:
        given = placed.get(parameter.name)
        if given is None:
            if not parameter.optional and not any(a.name and a.name.text not in names for a in node.args):
                s.bag.error(
                    "missing-argument",
                    f"`{builtin.name}` needs `{parameter.name}` too",
                    node.span,
                    help=f"it is called as `{builtin.signature}`",
                )
            continue
        ty = _parameter(given, parameter, builtin, s)
        if parameter is builtin.params[0]:
            first = ty
    if builtin.name == "rival" and s.world.players.size != 2:
        s.bag.error(
            "rival-of-many",
            f"`rival` needs two players, and there are {s.world.players.size}",
            node.span,
            help="say which player you mean",
        )
    return _pattern(builtin.result, first, node, s) or ERROR


def _most_of(node: n.Apply, builtin: Builtin, s: Scope) -> bool:
    """`max(S)` of a whole set: says what is meant by it."""
    if len(node.args) != 1 or not isinstance(node.args[0], n.Argument):
        return False
    value = node.args[0].value
    if element(s.expr(value)) is None:
        return False
    word = "most" if builtin.name == "max" else "least"
    mend = f"of a set it is `{word}(x in {shown(value)} of …)`"
    s.bag.error("type-mismatch", f"`{builtin.name}` takes two numbers", value.span, label="a set", help=mend)
    return True


def _parameter(given: n.Argument | n.Condition, parameter: Parameter, builtin: Builtin, s: Scope) -> Ty:
    if parameter.where:
        of = _pattern(parameter.type, ERROR, given, s)
        if isinstance(given, n.Argument):
            s.bag.error(
                "missing-condition",
                f"`{parameter.name}` takes a condition",
                given.span,
                help=f"write `{parameter.name} = x where …`",
            )
            return ERROR
        inner = s.inner()
        bind(given.var, of or ERROR, inner)
        condition(given.where, inner)
        return ERROR
    if isinstance(given, n.Condition):
        s.bag.error("unexpected-condition", f"`{parameter.name}` takes a value, not a condition", given.span)
        return ERROR
    if parameter.type == "fraction":
        return _fraction(given.value, builtin, s)
    if parameter.type == "collection":
        ty = s.expr(given.value)
        if isinstance(ty, ZoneT) and ty.zone.of is not None:
            ty.zone.of.sought = True
        if element(ty) is None and not isinstance(ty, ZoneT | EmptyT):
            s.bag.error(
                "not-a-collection", f"`{builtin.name}` needs a set, list or zone, and this is {a(ty)}", given.span
            )
        return ty
    if parameter.type == "entity":
        return _entity(given.value, builtin, s)
    if parameter.type == "pile":
        ty = pile_argument(given.value, builtin.name, s)
        return SetT(KindT(ty.zone.of)) if isinstance(ty, ZoneT) and ty.zone.of is not None else ERROR
    want = _pattern(parameter.type, ERROR, given, s)
    return ERROR if want is None else expect(given.value, want, s, f"`{parameter.name}`")


def _entity(value: n.Expr, builtin: Builtin, s: Scope) -> Ty:
    ty = s.expr(value)
    if isinstance(ty, MaybeT):
        maybe_unchecked(value, ty, s)
    elif not isinstance(ty, KindT | ErrorT):
        s.bag.error(
            "type-mismatch",
            f"`{builtin.name}` is about an entity, and this is {a(ty)}",
            value.span,
            label="not an entity",
        )
    return ty


def _fraction(value: n.Expr, builtin: Builtin, s: Scope) -> Ty:
    if not (isinstance(value, n.Binary) and value.op == "/"):
        s.bag.error(
            "missing-division",
            f"`{builtin.name}` rounds a division, and this is none",
            value.span,
            help=f"write `{builtin.name}(a / b)`",
        )
        s.expr(value)
        return ERROR
    expect(value.left, INT, s, "what is divided")
    expect(value.right, INT, s, "the divisor")
    s.checked.types[value] = INT
    return INT


def _pattern(pattern: str, first: Ty, node: n.Apply | n.Argument | n.Condition, s: Scope) -> Ty | None:
    """The type that a pattern of the table means in this game; None (and an error) if the game has no such thing."""
    board = s.world.board
    for prefix, make in (("set of ", SetT), ("list of ", ListT), ("maybe ", maybe)):
        if pattern.startswith(prefix):
            inner = _pattern(pattern.removeprefix(prefix), first, node, s)
            return make(inner) if inner else None
    if pattern == "int":
        return INT
    if pattern == "bool":
        return BOOL
    if pattern == "player":
        return KindT(s.world.players)
    if pattern == "element":
        return element(first)
    if board is None:
        s.bag.error("no-map", "this game has no map", node.span, help="write one in map.yaml")
        return None
    if pattern == "space":
        return KindT(board.space)
    if pattern == "direction":
        if board.direction is None:
            s.bag.error("no-grid", "only a grid has directions", node.span, label="this map is made of edges")
            return None
        return EnumT(board.direction)
    if pattern == "edge":
        if board.edge is None:
            s.bag.error(
                "no-edges",
                "the edges of this map are no entities",
                node.span,
                help="declare a kind with `edge: true` and name it in map.yaml",
            )
            return None
        return KindT(board.edge)
    raise AssertionError(pattern)
