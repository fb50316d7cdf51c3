"""Lines of the log: from what a machine recorded to texts, and who may read what."""

from __future__ import annotations

from interpreter.backends.machine import Event
from interpreter.core.compiled import Compiled
from interpreter.runtime import texts
from interpreter.runtime.choices import Line
from interpreter.runtime.texts import Language


def line(event: Event, compiled: Compiled, language: Language) -> Line | None:
    """The line for an event; None if it is not for people."""
    seats = None if event.to == -1 else frozenset(i for i in range(32) if event.to >> i & 1)
    if event.event < -len(compiled.program.dice):
        return None  # a pick: what it picked shows in the position
    if event.event < 0:
        die = compiled.program.dice[-1 - event.event]
        titles = compiled.world.dice[die.name].enum
        faces = [titles.titles[a] if titles else die.values[a] for a in event.args if isinstance(a, int)]
        name = language.say(die.name.replace("_", " "))
        return Line(f"{name}: {', '.join(map(language.say, faces))}", seats)
    info = compiled.events[event.event]
    if info.template is None:
        return None
    count = len(info.types)
    values, masks = list(event.args[:count]), event.args[count:]
    text = texts.fill(info.template, values, info.types, compiled, language)
    closed = []
    for seat in range(compiled.world.players.size) if masks else ():
        hidden = {h for h, m in zip(info.secret, masks, strict=True) if isinstance(m, int) and not m >> seat & 1}
        if hidden:
            closed.append((seat, texts.fill(info.template, values, info.types, compiled, language, hidden)))
    return Line(text, seats, tuple(closed))
