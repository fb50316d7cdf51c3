"""What games there are, for `petteia list`: kept in the user's cache folder, so that listing them again reads no game.

An entry holds as long as no file of its game, and none of the program, has another time or size. A damaged index is
made anew.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import interpreter
from interpreter.caches import stamp
from interpreter.resources import games_folder

if TYPE_CHECKING:
    from interpreter.reading.model import BotDef, Citation, GameDef, ScenarioDef
    from interpreter.reading.yamltree import Node
    from interpreter.source import Name

Entry = dict[str, Any]  # as `petteia list --json` prints it; documented in docs/protocol.md

_KEYS = {
    "game",
    "title",
    "text",
    "players",
    "languages",
    "scenarios",
    "campaigns",
    "options",
    "bots",
    "sources",
    "errors",
}


def shipped() -> list[Path]:
    """The folders of the games that come with the program, by name."""
    try:
        return sorted(p for p in games_folder().iterdir() if (p / "game.yaml").is_file())
    except OSError:
        return []


def entries(folders: Iterable[Path]) -> list[Entry]:
    """An entry for each game, out of the index where it holds."""
    place = _place()
    known = _read(place)
    data = games_folder().parent
    code = stamp([Path(interpreter.__file__).parent, data / "grammar", data / "schemas"])
    found: list[Entry] = []
    fresh: dict[str, Any] = {}
    for folder in folders:
        seal = hashlib.sha256((code + stamp([folder])).encode()).hexdigest()
        old = known.get(str(folder))
        if isinstance(old, dict) and old.get("stamp") == seal and _sound(old.get("entry")):
            entry: Entry = old["entry"]
        else:
            entry = describe(folder)
        fresh[str(folder)] = {"stamp": seal, "entry": entry}
        found.append(entry)
    if fresh != known:
        _write(place, fresh)
    return found


def describe(folder: Path) -> Entry:
    """The entry of a game, from its files."""
    game, errors = _definition(folder)
    return {
        "game": folder.name,
        "title": game.title if game else "",
        "text": game.text if game else "",
        "players": [{"id": p.id.text, "title": p.title} for p in game.players] if game else [],
        "languages": ["en", *sorted(game.texts)] if game else [],
        "scenarios": [_scenario(s) for s in game.scenarios] if game else [],
        "campaigns": [
            {"id": c.name.text, "title": c.title, "plays": [p.text for p in c.plays], "options": _values(c.options)}
            for c in (game.campaigns if game else ())
        ],
        "options": [{"id": o.name.text, "title": o.title, "default": o.default} for o in game.options] if game else [],
        "bots": [_bot(b) for b in game.bots] if game else [],
        "sources": _sources(game) if game else {},
        "errors": errors,
    }


def _definition(folder: Path) -> tuple[GameDef | None, int]:
    """What a game's files say, as far as they can be read, and how many errors they have."""
    from interpreter.diagnostics import ERROR, Bag, GameError
    from interpreter.game import load
    from interpreter.reading.load import load_folder

    try:
        return load(folder).definition, 0
    except GameError as error:
        return load_folder(folder, Bag(), tests=False), sum(1 for d in error.diagnostics if d.severity == ERROR)


def _scenario(scenario: ScenarioDef) -> dict[str, Any]:
    return {"id": scenario.name.text, "title": scenario.title, "options": _values(scenario.options)}


def _bot(bot: BotDef) -> dict[str, Any]:
    levels = [name.text for name, _ in bot.levels]
    return {"id": bot.name.text, "title": bot.title, "plays": [n.text for n in bot.for_], "levels": levels}


def _values(options: tuple[tuple[Name, Node], ...]) -> dict[str, bool]:
    """The options that a scenario or campaign sets unless a player says otherwise."""
    return {name.text: bool(getattr(node, "value", False)) for name, node in options}


def _sources(game: GameDef) -> dict[str, int]:
    """How many facts of a game come from where; entries that do not say it are not counted."""
    found: dict[str, int] = {}
    for citation in _citations(game):
        for _, source in citation.sources:
            found[source] = found.get(source, 0) + 1
    return dict(sorted(found.items()))


def _citations(game: GameDef) -> Iterator[Citation]:
    yield game.citation
    for one in (*game.players, *game.entities):
        for _ in range(one.copies):
            yield one.citation
    for edge in game.map.edges if game.map else ():
        yield edge.citation
    for option in game.options:
        yield option.citation
    yield from (scenario.citation for scenario in game.scenarios)
    yield from (campaign.citation for campaign in game.campaigns)
    yield from (bot.citation for bot in game.bots)
    phases = list(game.phases)
    while phases:
        phase = phases.pop()
        yield phase.citation
        phases += phase.phases


# ---- the file -------------------------------------------------------------------------------------------------------


def _place() -> Path | None:
    """Where the index lies; None where the user has no cache folder."""
    import platformdirs

    try:
        return platformdirs.user_cache_path("petteia", appauthor=False) / "index.json"
    except (OSError, RuntimeError):
        return None


def _read(place: Path | None) -> dict[str, Any]:
    """What the index says; nothing if it is damaged in any way. Its first line is a checksum of the rest."""
    if place is None:
        return {}
    try:
        total, _, body = place.read_bytes().partition(b"\n")
        if hashlib.sha256(body).hexdigest().encode() != total:
            return {}
        found = json.loads(body)
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _write(place: Path | None, index: dict[str, Any]) -> None:
    """Replaces the index; where that cannot be done, there is none, which only costs time."""
    if place is None:
        return
    body = json.dumps(index, separators=(",", ":")).encode()
    temporary = place.with_name(f"{place.name}.{os.getpid()}")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
        os.replace(temporary, place)
    except OSError:
        return


def _sound(entry: object) -> bool:
    return isinstance(entry, dict) and set(entry) == _KEYS
