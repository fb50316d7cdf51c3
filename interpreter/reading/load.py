"""A game's folder: which files it has, what each is, and all of them together as a `GameDef`.

A single file `cards.yaml` and a folder `cards/` mean the same; the place decides the schema. Files are read in the
order of their names, so that every machine numbers entities alike.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.diagnostics import ERROR, Bag, Note
from interpreter.reading import (
    bend,
    board,
    bots,
    build,
    campaigns,
    chance,
    charts,
    course,
    display,
    nested,
    parts,
    scenes,
)
from interpreter.reading import yamltree as tree
from interpreter.reading.files import inside, read_file, shown_path, whole_file
from interpreter.reading.model import EntityDef, GameDef, KindDef, MapDef, OptionDef, PhaseDef
from interpreter.reading.schema import validate
from interpreter.reading.yamltree import Map, Node
from interpreter.source import Source, Span, Text

MOST_FILES = 1000

# Where files stand, and by which schema each is checked.
SINGLE = {"game": "game", "map": "map", "phases": "phases", "rulebook": "rulebook", "display": "display"}
MANY = {
    "pieces": "entries",
    "cards": "entries",
    "options": "options",
    "scenarios": "scenarios",
    "tests": "tests",
    "tables": "tables",
    "campaigns": "campaigns",
    "bots": "bots",
    "invariants": "invariants",
}

_IGNORED = re.compile(r"\..*|README.*|LICEN[CS]E.*|.*\.md|.*\.markdown", re.IGNORECASE)
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]+)*")


@dataclass
class _Files:
    """What was found in a folder: trees by what they are (`pieces`, `texts/ko` …), and rule files."""

    root: Path
    bag: Bag
    trees: dict[str, list[Node]] = field(default_factory=dict)
    rules: list[Text] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    count: int = 0

    def all(self, what: str) -> list[Node]:
        return self.trees.get(what, [])

    def maps(self, what: str) -> list[Map]:
        return [node for node in self.all(what) if isinstance(node, Map)]

    def one(self, what: str) -> Node | None:
        return next(iter(self.all(what)), None)


def load_folder(folder: Path, bag: Bag, *, tests: bool = True) -> GameDef | None:
    """Everything that a game's folder says; None, with errors in `bag`, if any of its files is wrong.

    Without `tests` the rule tests are left unread, which saves time where a game is only played.
    """
    errors = _errors(bag)
    files = _Files(folder, bag)
    if not os.path.isdir(folder):
        here = whole_file(shown_path(folder, folder))
        bag.error("missing-folder", "the game's folder is not there", here, help="check how its name is spelt")
        return None
    _read_all(files, tests)
    game = files.one("game")
    if not isinstance(game, Map) or _errors(bag) > errors:
        return None
    made = _game(game, files, bag)
    return made if _errors(bag) == errors else None


def _errors(bag: Bag) -> int:
    return sum(1 for d in bag.items if d.severity == ERROR)


# ---- files --------------------------------------------------------------------------------------------------------


def _read_all(files: _Files, tests: bool) -> None:
    paths = list(_listing(files.root, files))
    if not os.path.lexists(files.root / "game.yaml"):
        paths = [path for path in paths if path.stem == "game"]  # of what is no game nothing more is said
        here = whole_file(shown_path(files.root / "game.yaml", files.root))
        files.bag.error("missing-file", "a game needs the file `game.yaml`", here, help="is this a game's folder?")
    for path in paths:
        stem, suffix = path.stem, path.suffix
        folder = os.path.isdir(path) and not suffix
        if suffix == ".yaml" and stem in SINGLE:
            _read_yaml(path, stem, SINGLE[stem], files)
        elif stem in MANY and (folder or suffix == ".yaml"):
            if tests or stem != "tests":
                for one in _of_kind(path, folder, ".yaml", files):
                    _read_yaml(one, stem, MANY[stem], files)
        elif folder and path.name == "texts":
            for one in _of_kind(path, folder, ".yaml", files):
                if _language(one, files):
                    _read_yaml(one, f"texts/{one.stem}", "texts", files)
        elif folder and path.name == "rules":
            for one in _listing(path, files):
                if one.suffix == ".effects":
                    _read_rules(one, files)
                elif one.suffix == ".yaml":
                    _read_yaml(one, "rules", "rules", files)
                else:
                    _unread(one, files)
        else:
            _unread(path, files)


def _listing(folder: Path, files: _Files) -> Iterator[Path]:
    """What a folder holds, by name; nothing that lies elsewhere, and no more than a game can need."""
    here = whole_file(shown_path(folder, files.root))
    if not inside(folder, files.root):
        mend = "a game reads only what lies in its own folder; copy the files there"
        files.bag.error("outside-folder", "the folder lies outside the game's folder", here, help=mend)
        return
    try:
        names = [name for name in os.listdir(folder) if not _IGNORED.fullmatch(name)]
    except OSError as error:
        files.bag.error("unreadable-file", f"the folder cannot be read ({error.strerror})", here)
        return
    files.count += len(names)
    if files.count > MOST_FILES:
        files.bag.error("too-many-files", f"the game has more than {MOST_FILES} files", here)
        return
    for name in sorted(names, key=lambda n: (unicodedata.normalize("NFC", n), n)):
        yield folder / name


def _of_kind(path: Path, folder: bool, suffix: str, files: _Files) -> Iterator[Path]:
    """The file itself, or those files of a folder that have the right ending."""
    if not folder:
        yield path
        return
    for one in _listing(path, files):
        if one.suffix == suffix:
            yield one
        else:
            _unread(one, files)


def _read_yaml(path: Path, what: str, schema: str, files: _Files) -> None:
    source = read_file(path, files.root, files.bag)
    if source is None:
        return
    files.sources.append(source)
    node = tree.read(source, files.bag)
    if node is not None and validate(node, schema, files.bag):
        files.trees.setdefault(what, []).append(node)


def _read_rules(path: Path, files: _Files) -> None:
    source = read_file(path, files.root, files.bag)
    if source is not None:
        files.sources.append(source)
        files.rules.append(_plain_text(source))


def _plain_text(source: Source) -> Text:
    """A whole file as effect text; its line ends become plain ones."""
    return Text(source.text.replace("\r\n", "\n"), source, source.line_starts)


def _language(path: Path, files: _Files) -> bool:
    if _LANGUAGE.fullmatch(path.stem):
        return True
    mend = "name it after the language, such as `ko.yaml`"
    files.bag.error("bad-name", f"`{path.stem}` is no code of a language", _here(path, files), help=mend)
    return False


def _unread(path: Path, files: _Files) -> None:
    here = _here(path, files)
    if path.suffix == ".yml":
        mend = f"name it `{path.stem}.yaml`"
    elif path.suffix == ".effects":
        mend = "files of rules stand in the folder `rules`"
    else:
        mend = "remove it, or check how its name is spelt"
    files.bag.warn("unread-file", f"nothing reads `{path.name}` here", here, help=mend)


def _here(path: Path, files: _Files) -> Span:
    return whole_file(shown_path(path, files.root))


# ---- the game -----------------------------------------------------------------------------------------------------


def _game(node: Map, files: _Files, bag: Bag) -> GameDef | None:
    name = parts.name(node, "game")
    if name is None:
        return None
    budget = parts.number(node, "budget")
    map_, spaces = _map(node, files, bag)
    players = board.players(tree.get(node, "players"), bag)
    entities = [*spaces]
    for one in (*files.all("pieces"), *files.all("cards")):
        entities.extend(board.entries(one, bag))
    optional = course.option_maps([tree.get(node, "options"), *files.all("options")])
    tables = [tree.get(node, "tables"), *files.all("tables"), *(tree.get(one, "tables") for one in optional)]
    row_sets, row_kinds, rows = charts.row_tables(tables, bag)
    entities.extend(rows)
    kinds = (*build.kinds(tree.get(node, "kinds"), bag), *row_kinds)
    entities = nested.flattened(entities, kinds, bag)
    _unique_entities([*players, *entities], map_, kinds, bag)
    scenarios = tuple(s for one in files.all("scenarios") for s in course.scenarios(one, bag))
    played = [*files.all("scenarios"), *files.all("campaigns")]
    several = tuple(x for one in played for x in campaigns.campaigns(one, bag))
    ids = [*(s.name for s in scenarios), *(c.name for c in several)]
    parts.unique((("the scenario", id_) for id_ in ids), bag)
    robots = bots.bots(files.all("bots"), bag)
    parts.unique((("the bot", b.name) for b in robots), bag)
    tests = tuple(t for one in files.all("tests") for t in course.tests(one, bag))
    parts.unique((("the test", id_) for id_, _ in tests), bag)
    rulebook = files.one("rulebook")
    sections = tree.get(rulebook, "sections") if isinstance(rulebook, Map) else None
    parts.unique((("the section", n) for one in parts.maps(sections) if (n := parts.name(one, "id"))), bag)
    translations, text_places = _texts(files)
    return GameDef(
        name,
        str(files.root),
        node.span,
        title=parts.string(node, "title"),
        text=parts.string(node, "text"),
        citation=parts.citation(node),
        players=players,
        enums=build.enums(tree.get(node, "enums"), bag),
        dice=chance.dice(tree.get(node, "dice"), bag),
        kinds=kinds,
        zones=build.zones(tree.get(node, "zones"), bag),
        scenes=scenes.scenes(tree.get(node, "scenes"), bag),
        tables=charts.tables(tables, bag),
        row_sets=row_sets,
        sums=charts.sums([tree.get(one, "functions") for one in (node, *files.maps("rules"), *optional)], bag),
        globals=build.fields(tree.get(node, "globals"), bag),
        map=map_,
        entities=tuple(entities),
        options=_options(node, files, bag),
        rules=tuple(files.rules),
        phases=_phases(node, files, bag),
        scoring=parts.effect(tree.get(node, "scoring"), bag),
        scenarios=scenarios,
        campaigns=several,
        bots=robots,
        looks=build.looks(tree.get(node, "looks"), bag),
        display=display.display(files.one("display"), bag),
        budget=1_000_000 if budget is None else budget,
        precedence=parts.names(tree.get(node, "precedence")),
        whenever=tuple(
            w for one in (node, *files.maps("rules")) for w in bend.whenever(tree.get(one, "whenever"), bag)
        ),
        invariants=tuple(
            i for one in (tree.get(node, "invariants"), *files.all("invariants")) for i in course.invariants(one, bag)
        ),
        tests=tuple(t for _, t in tests),
        rulebook=parts.string(rulebook, "title") if isinstance(rulebook, Map) else "",
        sections=course.sections(sections),
        texts=translations,
        text_places=text_places,
        sources=tuple(files.sources),
    )


def _either(node: Map, what: str, files: _Files, bag: Bag) -> Node | None:
    """What stands in game.yaml or in a file of its own, but not in both."""
    own, apart = tree.get(node, what), files.one(what)
    if own is not None and apart is not None:
        key = next(k for k, _ in node.entries if k.raw == what)
        bag.error(
            "given-twice",
            f"`{what}` stands in `game.yaml` and in `{what}.yaml`",
            key.span,
            notes=[Note("the other is here", apart.span)],
            help="keep one of the two",
        )
    return own if own is not None else apart


def _map(node: Map, files: _Files, bag: Bag) -> tuple[MapDef | None, tuple[EntityDef, ...]]:
    found = _either(node, "map", files, bag)
    return board.board(found, bag) if isinstance(found, Map) else (None, ())


def _phases(node: Map, files: _Files, bag: Bag) -> tuple[PhaseDef, ...]:
    return course.phases(_either(node, "phases", files, bag), bag)


def _options(node: Map, files: _Files, bag: Bag) -> tuple[OptionDef, ...]:
    found = [*course.options(tree.get(node, "options"), bag)]
    for one in files.all("options"):
        found.extend(course.options(one, bag))
    parts.unique((("the option", o.name) for o in found), bag)
    return tuple(found)


def _texts(files: _Files) -> tuple[dict[str, dict[str, str]], dict[str, dict[str, Span]]]:
    """Translations by language, and their places; texts and translations are compared without blanks around them."""
    found: dict[str, dict[str, str]] = {}
    places: dict[str, dict[str, Span]] = {}
    for what, trees in files.trees.items():
        if what.startswith("texts/"):
            language = what.removeprefix("texts/")
            pairs = [pair for one in trees for pair in parts.entries(one)]
            found[language] = {k.raw.strip(): v.raw.strip() for k, v in pairs if isinstance(v, tree.Scalar)}
            places[language] = {k.raw.strip(): k.span for k, _ in pairs}
    return found, places


def _unique_entities(found: Iterable[EntityDef], map_: MapDef | None, kinds: tuple[KindDef, ...], bag: Bag) -> None:
    """Two entities of one kind, also of two sorts of it, have different ids; those of two kinds may share one."""
    kind_of = {s.text: kind.name.text for kind in kinds for s in kind.sorts}
    pairs = [(e.kind.text, e.id) for e in found]
    if map_ is not None:
        pairs += [(e.kind.text, e.id) for e in map_.edges if e.kind is not None and e.id is not None]
    parts.unique(((f"the {kind_of.get(kind, kind)}", id_) for kind, id_ in pairs), bag)
