"""The verbs about a game's files: `list`, `validate`, `test` and `show`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from interpreter.diagnostics import ERROR, WARNING, Diagnostic, UsageError
from interpreter.play import arguments as args

if TYPE_CHECKING:
    from interpreter.play.index import Entry

FORMATS = ("text", "json", "github")


def run_list(given: argparse.Namespace, out: TextIO) -> int:
    """Lists the shipped games."""
    from interpreter.play import index

    found = index.entries(index.shipped())
    if given.json:
        out.write(json.dumps({"games": found}, indent=2, ensure_ascii=False) + "\n")
    else:
        out.write("\n".join(_told(entry) for entry in found) or "there are no games\n")
    return 0


def _told(entry: Entry) -> str:
    from interpreter.rendering import clean

    lines = [f"{entry['game']}: {clean(entry['title'] or entry['game'])}"]
    if entry["errors"]:
        lines.append(f"  its files have errors ({entry['errors']}): `petteia validate {entry['game']}` shows them")
    if entry["players"]:
        lines.append("  sides: " + ", ".join(one["id"] for one in entry["players"]))
    for word, key in (("scenario", "scenarios"), ("campaign", "campaigns")):
        for one in entry[key]:
            lines.append(f"  {word} {one['id']}: {clean(one['title'])}".rstrip(": ") + _with(one["options"]))
    for one in entry["options"]:
        lines.append(f"  option {one['id']}={'yes' if one['default'] else 'no'}: {clean(one['title'])}".rstrip(": "))
    for one in entry["bots"]:
        sides = [f"--bot {side}={one['id']}" for side in one["plays"] or [p["id"] for p in entry["players"]]]
        levels = f" (levels: {', '.join(one['levels'])})" if len(one["levels"]) > 1 else ""
        lines.append(f"  bot {one['id']}: {' or '.join(sides)}{levels}")
    if len(entry["languages"]) > 1:
        lines.append("  languages: " + ", ".join(entry["languages"]))
    total = sum(entry["sources"].values())
    if total:
        share = 100 * entry["sources"].get("reconstructed", 0) / total
        lines.append(f"  {share:.0f} % reconstructed ({total} facts say where they come from)")
    return "\n".join(lines) + "\n"


def _with(options: dict[str, bool]) -> str:
    """The options that a scenario sets."""
    told = ", ".join(f"{name}={'yes' if value else 'no'}" for name, value in options.items())
    return f" (with {told})" if told else ""


def run_validate(given: argparse.Namespace, out: TextIO) -> int:
    """Shows every error and warning of games."""
    from interpreter import rendering
    from interpreter.play.index import shipped

    folders = [_folder(name) for name in given.games] or shipped()
    found = [one for folder in dict.fromkeys(folders) for one in _findings(folder)]
    errors = sum(1 for one in found if one.severity == ERROR)
    if given.format == "json":
        warnings = sum(1 for one in found if one.severity == WARNING)
        shown = {"errors": errors, "warnings": warnings, "diagnostics": [rendering.to_json(one) for one in found]}
        out.write(json.dumps(shown, indent=2, ensure_ascii=False) + "\n")
    elif given.format == "github":
        out.write("".join(rendering.github(one) + "\n" for one in found))
    else:
        color = args.color(out)
        out.write("".join(rendering.render(one, color) + "\n\n" for one in found))
        names = ", ".join(folder.name or str(folder) for folder in dict.fromkeys(folders))
        out.write(f"{names}: {rendering.summary(found)}\n")
    return 1 if errors else 0


def _findings(folder: Path) -> list[Diagnostic]:
    """What is wrong with a game's files and, if nothing is, with its set-ups."""
    from interpreter.diagnostics import RuleFault
    from interpreter.game import load
    from interpreter.play.checkup import findings

    found = findings(folder)
    if any(one.severity == ERROR for one in found):
        return found
    game = load(folder)
    for scenario in [*game.scenarios, *game.campaigns] or [""]:
        try:
            game.start(scenario or None)
        except RuleFault as fault:
            what = f"the set-up `{scenario}`" if scenario else "the set-up"
            message = f"{what} cannot be made: {fault.diagnostic.message} ({fault.place})"
            found.append(Diagnostic(fault.diagnostic.code, message, game.definition.span))
    return found


def _folder(name: str) -> Path:
    """The folder of a game's name, of a folder, or of a file in a game's folder. Raises UsageError."""
    from interpreter.game import find

    path = Path(name)
    if path.is_file():
        for folder in path.absolute().parents:
            if (folder / "game.yaml").is_file():
                return folder
        raise UsageError(f"`{name}` lies in no game's folder", "a game's folder holds a `game.yaml`")
    return find(name)


def run_tests(given: argparse.Namespace, out: TextIO) -> int:
    """Runs rule tests."""
    from interpreter.play import ruletests

    return ruletests.run(given.games, given.backend or "python", out)


def run_show(given: argparse.Namespace, out: TextIO) -> int:
    """Shows what is in a game."""
    from interpreter.game import load
    from interpreter.play.show import show

    game = load(given.game)
    options = args.settings(given.option)
    language = game.language(given.lang)
    return show(game, given.what, given.svg, given.scenario, options, out, language, emit=given.emit)


# ---- arguments ------------------------------------------------------------------------------------------------------


def add_list(parser: argparse.ArgumentParser) -> None:
    """`list`."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_validate(parser: argparse.ArgumentParser) -> None:
    """`validate`."""
    parser.add_argument(
        "games", metavar="GAME|PATH", nargs="*", help="games, folders or files; all shipped games if none"
    )
    text = "how to print it: text, json, or github for annotations"
    parser.add_argument("--format", metavar="F", type=args.one_of(*FORMATS), default="text", help=text)


def add_tests(parser: argparse.ArgumentParser) -> None:
    """`test`."""
    text = "games, folders, or files of tests; all shipped games if none"
    parser.add_argument("games", metavar="GAME|PATH", nargs="*", help=text)
    args.add_backend(parser, "python")


def add_show(parser: argparse.ArgumentParser) -> None:
    """`show`."""
    args.add_game(parser)
    parser.add_argument(
        "what", metavar="TOPIC", nargs="?", help="map, pieces, phases, core …; an overview if not given"
    )
    parser.add_argument("--svg", metavar="FILE", type=args.path, help="write the map as a picture")
    parser.add_argument("--emit", metavar="FORM", help="with the topic `core`: its form, wat, wasm or python")
    parser.add_argument("--lang", metavar="L", help="language of texts, such as `ko`")
