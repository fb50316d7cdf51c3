"""Declarations of scenes and their fields, and of when fields go back to their defaults."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.diagnostics import Bag, Note, did_you_mean
from interpreter.lang.declare_fields import make_field
from interpreter.lang.declare_names import is_new
from interpreter.lang.types import INT, MaybeT
from interpreter.lang.world import Field, Scene, World
from interpreter.reading.model import GameDef, PhaseDef, SceneDef


def declare_scenes(game: GameDef, world: World, bag: Bag) -> None:
    """The scenes of a game; then every `until` is checked, which may name one of them or a phase."""
    for d in game.scenes:
        if is_new(d.name, {**world.kinds, **world.enums, **world.zones, **world.scenes}, bag, "scene"):
            world.scenes[d.name.text] = _scene(d, world, bag)
    for d in game.scenes:
        if d.inside is not None:
            _inside(d, world, bag)
    phases = set(phase_names(game.phases))
    for f in all_fields(world):
        _until(f, phases, world, bag)


def _scene(d: SceneDef, world: World, bag: Bag) -> Scene:
    scene = Scene(d.name.text, d.span, Field("open", None, None, INT, d.span, 0, 1))
    scene.is_open.scene = scene
    scene.given = tuple(f.name.text for f in d.given)
    for f in (*d.given, *d.fields):
        if is_new(f.name, scene.fields, bag, "field"):
            made = make_field(f, None, world, bag)
            if made is not None:
                made.scene = scene
                scene.fields[f.name.text] = made
    return scene


def _inside(d: SceneDef, world: World, bag: Bag) -> None:
    assert d.inside is not None
    outer = world.scenes.get(d.inside.text)
    if outer is None:
        hint = did_you_mean(d.inside.text, world.scenes)
        bag.error("unknown-name", f"there is no scene `{d.inside.text}`", d.inside.span, help=hint)
        return
    seen = outer
    while seen.inside is not None and seen.name != d.name.text:
        seen = seen.inside
    if seen.name == d.name.text:
        bag.error(
            "scene-in-itself",
            f"the scene `{d.name.text}` would open inside itself",
            d.inside.span,
            notes=[Note(f"`{outer.name}` is declared here", outer.span)],
            help="remove `inside` from one of them",
        )
        return
    world.scenes[d.name.text].inside = outer


def phase_names(phases: tuple[PhaseDef, ...]) -> Iterator[str]:
    """The names of phases, of those inside others too."""
    for phase in phases:
        yield phase.name.text
        yield from phase_names(phase.phases)


def all_fields(world: World) -> Iterator[Field]:
    """All fields of a game: its own, those of kinds and of scenes."""
    yield from world.globals.values()
    for kind in world.kinds.values():
        yield from kind.fields.values()
    for scene in world.scenes.values():
        yield from scene.fields.values()


def _until(f: Field, phases: set[str], world: World, bag: Bag) -> None:
    if f.until is None:
        return
    name = f.until.text
    if name in world.scenes and name in phases:
        scene = world.scenes[name]
        bag.error(
            "ambiguous-name",
            f"`{name}` is a scene and a phase",
            f.until.span,
            notes=[Note("the scene is declared here", scene.span)],
            help="give one of them another name",
        )
    elif name not in world.scenes and name not in phases:
        known = [*world.scenes, *phases]
        some = ", ".join(f"`{k}`" for k in sorted(known)[:6])
        bag.error(
            "unknown-until",
            f"there is no scene or phase `{name}`",
            f.until.span,
            label="what should end here",
            help=did_you_mean(name, known) or (f"there are {some}" if some else "the game has no scenes and no phases"),
        )
    elif f.inverse is not None and not isinstance(f.type, MaybeT):
        bag.error(
            "bad-until",
            f"`{f.name}` always names something, so nothing can end with its default",
            f.until.span,
            help=f"make it optional: `maybe {f.type}`",
        )
