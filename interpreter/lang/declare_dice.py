"""Dice: what their faces are, and the enum that a die with named faces declares."""

from __future__ import annotations

from interpreter.diagnostics import Bag
from interpreter.lang.declare_names import is_new
from interpreter.lang.parse import RESERVED
from interpreter.lang.world import Die, Enum, World
from interpreter.reading.model import DieDef, GameDef


def declare_dice(game: GameDef, world: World, bag: Bag) -> None:
    """Fills `world.dice`; stands behind the enums, among which the named faces join as one more."""
    for d in game.dice:
        if not is_new(d.name, {**world.enums, **world.dice}, bag, "die"):
            continue
        weights = tuple(weight for _, weight in d.faces)
        enum = None if d.numbered else _enum(d, world, bag)
        values = tuple(int(face.text) for face, _ in d.faces) if d.numbered else ()
        names = tuple(face.text for face, _ in d.faces)
        world.dice[d.name.text] = Die(d.name.text, names, weights, enum, values, len(world.dice), d.span)


def _enum(d: DieDef, world: World, bag: Bag) -> Enum:
    """The faces as values of an enum of the die's name."""
    for face, _ in d.faces:
        if face.text in RESERVED:
            message = f"`{face.text}` is a word of the language and can't name a face"
            bag.error("reserved-word", message, face.span, help="choose another name")
    names = tuple(face.text for face, _ in d.faces)
    enum = Enum(d.name.text, names, tuple(n.replace("_", " ") for n in names), False, d.span)
    world.enums[d.name.text] = enum
    return enum
