"""Scenes and alternating play; and where what needs an open scene may be called."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.diagnostics import Bag, Note, did_you_mean
from interpreter.lang import nodes as n
from interpreter.lang.check_base import bind, expect
from interpreter.lang.scene_fields import needs_scene
from interpreter.lang.scope import Callable, Checked, Scope, forget_fields
from interpreter.lang.types import KindT
from interpreter.lang.walk import forget_written
from interpreter.lang.world import Scene
from interpreter.source import Span


def check_scene_stmt(node: n.Scene, s: Scope) -> bool:
    """`scene battle(space = x):` and its body; True if play can go on behind it."""
    name = node.name.text
    scene = s.world.scenes.get(name)
    if scene is None:
        s.bag.error(
            "unknown-name",
            f"there is no scene `{name}`",
            node.name.span,
            help=did_you_mean(name, s.world.scenes) or "declare it under `scenes:` in game.yaml",
        )
        for argument in node.args:
            if isinstance(argument, n.Argument):
                s.expr(argument.value)
        return s.inner().body(node.body)
    _given(node, scene, s)
    if scene.inside is not None:
        needs_scene(scene.inside, node, s)
    if name in s.scenes:
        s.bag.error(
            "scene-in-itself",
            f"the scene `{name}` is open here already",
            node.name.span,
            label="this would open it a second time",
            help="close it first, or write the second as a scene of another name",
        )
    s.owner.opens.setdefault(name, node.name.span)
    scene.is_open.written = True
    inner = s.inner()
    inner.scenes = s.scenes | {name}
    falls = inner.body(node.body)
    s.facts = inner.facts
    forget_fields(s.facts)
    return falls


def _given(node: n.Scene, scene: Scene, s: Scope) -> None:
    """The values with which a scene opens."""
    rest = list(scene.given)
    for i, argument in enumerate(node.args):
        if isinstance(argument, n.Condition):
            mend = "give it a value, `name = value`"
            s.bag.error(
                "unexpected-condition", f"the scene `{scene.name}` takes no conditions", argument.span, help=mend
            )
            continue
        name = argument.name.text if argument.name else (scene.given[i] if i < len(scene.given) else "")
        field = scene.fields.get(name)
        if name not in rest or field is None:
            _wrong(argument, name, scene, s)
            s.expr(argument.value)
            continue
        rest.remove(name)
        expect(argument.value, field.type, s, f"`{name}`")
        field.written = True
    if rest:
        names = ", ".join(f"`{r}`" for r in rest)
        form = ", ".join(f"{g} = …" for g in scene.given)
        s.bag.error(
            "missing-argument",
            f"the scene `{scene.name}` needs {names} too",
            node.name.span,
            notes=[Note("declared here", scene.span)],
            help=f"open it as `scene {scene.name}({form}):`",
        )


def _wrong(argument: n.Argument, name: str, scene: Scene, s: Scope) -> None:
    notes = [Note("declared here", scene.span)]
    if not name:
        count = len(scene.given)
        given = f"{count} value{'' if count == 1 else 's'}" if count else "no values"
        s.bag.error("extra-argument", f"the scene `{scene.name}` opens with {given}", argument.span, notes=notes)
    elif name in scene.given:
        s.bag.error("duplicate-argument", f"`{name}` is given twice", argument.span)
    else:
        span = argument.name.span if argument.name else argument.span
        mend = did_you_mean(name, scene.given)
        if name in scene.fields:
            mend = f"write `{scene.name}.{name} = …` inside it"
        s.bag.error(
            "unknown-argument", f"the scene `{scene.name}` does not open with `{name}`", span, notes=notes, help=mend
        )


# ---- alternating play -----------------------------------------------------------------------------------------------


def check_alternate(node: n.Alternate, s: Scope) -> bool:
    """`alternate p from x until all pass:`"""
    player = KindT(s.world.players)
    if s.owner.asks is None:
        s.owner.asks = node.span
    expect(node.start, player, s, "who begins")
    forget_written(node.body, s)
    inner = s.inner(loop=True)
    inner.passes = True
    bind(node.var, player, inner)
    inner.body(node.body)
    forget_fields(s.facts)
    return True


def check_pass(node: n.Pass, s: Scope) -> bool:
    """`pass`: the player whose turn it is in `alternate` does nothing more; nothing behind it is reached."""
    if not s.passes:
        s.bag.error(
            "pass-outside",
            "`pass` stands in no `alternate`",
            node.span,
            help="a statement that does nothing is left out; to leave a loop, write `break`",
        )
    return False


# ---- what needs an open scene ---------------------------------------------------------------------------------------


def check_scenes(checked: Checked, bag: Bag) -> None:
    """Says where something is called that needs a scene which is not open there, or that opens one which is."""
    needs = _needs(checked)
    called = {name for c in checked.callables.values() for name in c.calls}
    for target in checked.callables.values():
        if target.node is None and target.name not in called:
            for scene in needs[target.name]:
                _report(target, scene, needs, checked, bag)
    opens = _opens(checked)
    for target in checked.callables.values():
        for (scene, name), span in target.inside.items():
            if name in opens and scene in opens[name]:
                _report_nested(name, scene, span, opens, checked, bag)


def _needs(checked: Checked) -> dict[str, dict[str, str]]:
    """For each callable the scenes that must be open around it, with the name of the one it calls that needs it ("":
    itself).
    """
    found: dict[str, dict[str, str]] = {name: dict.fromkeys(c.needs, "") for name, c in checked.callables.items()}
    changed = True
    while changed:
        changed = False
        for name, target in checked.callables.items():
            for callee in sorted(target.calls):
                for scene in found.get(callee, {}):
                    if scene not in target.covered.get(callee, frozenset()) and scene not in found[name]:
                        found[name][scene] = callee
                        changed = True
    for name, target in checked.callables.items():
        target.scenes = frozenset(found[name])
    return found


def _opens(checked: Checked) -> dict[str, dict[str, str]]:
    """For each callable the scenes that it opens, itself or through what it calls."""
    found: dict[str, dict[str, str]] = {name: dict.fromkeys(c.opens, "") for name, c in checked.callables.items()}
    changed = True
    while changed:
        changed = False
        for name, target in checked.callables.items():
            for callee in sorted(target.calls):
                for scene in found.get(callee, {}):
                    if scene not in found[name]:
                        found[name][scene] = callee
                        changed = True
    return found


def _chain(name: str, scene: str, found: dict[str, dict[str, str]]) -> Iterator[str]:
    """From a callable to the one that itself needs or opens a scene."""
    while name:
        yield name
        name = found[name][scene]


def _report(root: Callable, scene: str, needs: dict[str, dict[str, str]], checked: Checked, bag: Bag) -> None:
    way = list(_chain(root.name, scene, needs))
    last = checked.callables[way[-1]]
    span = root.needs.get(scene) or root.call_spans.get(way[1] if len(way) > 1 else "") or root.span
    notes = [Note(f"the scene `{scene}` is declared here", checked.world.scenes[scene].span)]
    if len(way) == 1:
        message = f"no scene `{scene}` is open here"
    else:
        names = " -> ".join(f"`{w}`" for w in way[1:])
        message = f"{names} {'needs' if len(way) == 2 else 'need'} the scene `{scene}`, and none is open here"
        notes.insert(0, Note(f"`{last.name}` needs it here", last.needs.get(scene)))
    bag.error(
        "scene-not-open",
        message,
        span,
        notes=notes,
        help=f"write `during: {scene}` in the panel" if root.panel else f"put it into `scene {scene}(…):`",
    )


def _report_nested(
    name: str, scene: str, span: Span, opens: dict[str, dict[str, str]], checked: Checked, bag: Bag
) -> None:
    way = list(_chain(name, scene, opens))
    names = " -> ".join(f"`{w}`" for w in way)
    last = checked.callables[way[-1]]
    bag.error(
        "scene-in-itself",
        f"{names} {'opens' if len(way) == 1 else 'open'} the scene `{scene}`, which is open here already",
        span,
        notes=[Note("it is opened here", last.opens.get(scene))],
        help="close it first, or write the second as a scene of another name",
    )
