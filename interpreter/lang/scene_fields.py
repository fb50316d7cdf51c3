"""Fields of scenes in rule text: which one is meant, and that its scene must be open where they are read."""

from __future__ import annotations

from interpreter.diagnostics import Note, did_you_mean
from interpreter.lang import nodes as n
from interpreter.lang.scope import Callable, Scope
from interpreter.lang.types import ERROR, Ty
from interpreter.lang.world import Field, Scene
from interpreter.source import Span


def scene_of(node: n.Expr, s: Scope) -> Scene | None:
    """The scene that a name before a dot means; None if it means something else."""
    if isinstance(node, n.NameRef) and node.name not in s.names:
        return s.world.scenes.get(node.name)
    return None


def scene_field(node: n.Field, scene: Scene, s: Scope) -> Field | None:
    """The field of a scene behind `scene.field`; noted as something that needs the scene to be open.

    None if there is none.
    """
    name = node.name.text
    found = scene.fields.get(name)
    if found is None:
        s.bag.error(
            "unknown-name",
            f"the scene `{scene.name}` has no field `{name}`",
            node.name.span,
            label=f"not a field of `{scene.name}`",
            notes=[Note(f"`{scene.name}` is declared here", scene.span)],
            help=did_you_mean(name, scene.fields),
        )
        return None
    s.checked.refs[node] = found
    needs_scene(scene, node, s)
    return found


def needs_scene(scene: Scene, node: n.Expr | n.Scene, s: Scope) -> None:
    """Notes that what stands here works only while a scene is open, unless it stands in that scene."""
    if scene.name not in s.scenes:
        s.owner.needs.setdefault(scene.name, node.span)


def scene_field_type(node: n.Field, scene: Scene, s: Scope) -> Ty:
    """The type of `scene.field` as a value."""
    found = scene_field(node, scene, s)
    if found is None:
        return ERROR
    if found.per:
        message = f"`{found.name}` is indexed"
        s.bag.error("missing-index", message, node.name.span, help=f"write `{node.span.text}[…]`")
        return ERROR
    return found.type


def note_call(target: Callable, span: Span, s: Scope) -> None:
    """Remembers which scenes are open around the calls of a function or effect."""
    known = s.owner.covered.get(target.name)
    s.owner.covered[target.name] = s.scenes if known is None else known & s.scenes
    for scene in s.scenes:
        s.owner.inside.setdefault((scene, target.name), span)
