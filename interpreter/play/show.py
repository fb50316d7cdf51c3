"""`petteia show`: what is in a game, for reading. Every topic is a function; none runs more than the set-up."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.text import Text

from interpreter.core.listing import listing
from interpreter.diagnostics import Bag, UsageError, did_you_mean
from interpreter.game import Game, Position
from interpreter.lang import scope
from interpreter.play import (
    charts,
    looking,
    pages,
)
from interpreter.play.board import board
from interpreter.play.svg import svg as picture
from interpreter.play.tabletop import make_console
from interpreter.reading.load import load_folder
from interpreter.reading.model import CampaignDef, Citation, PhaseDef, ScenarioDef
from interpreter.rendering import clean
from interpreter.runtime import stream
from interpreter.runtime.texts import Language

EMITS = ("core", "python", "wasm", "wat")


def show(
    game: Game,
    what: str | None,
    svg: Path | None = None,
    scenario: str | None = None,
    options: Mapping[str, bool] | None = None,
    out: TextIO | None = None,
    language: Language | None = None,
    emit: str | None = None,
) -> int:
    """Prints a topic (None: an overview) to `out`; gives the exit code.

    `svg`: where to write the map as a picture. `emit`: form of the compiled game, for the topic `core`. Raises
    UsageError for topics that do not exist, RuleFault if the set-up fails, OSError if the picture cannot be written.
    """
    import sys

    target = out if out is not None else sys.stdout
    page = _Page(game, scenario, options or {}, make_console(target, False), language or Language(), target, emit)
    topic = what or ("map" if svg is not None else "overview")
    panels = [panel.name.text for panel in game.definition.display.panels] if game.definition.display else []
    if svg is None and topic in panels:
        _panel(page, topic)
        return 0
    if topic not in TOPICS:
        known = [*TOPICS, *panels]
        raise UsageError(f"there is no topic `{topic}`", did_you_mean(topic, known) or f"topics: {', '.join(known)}")
    if svg is not None:
        if topic != "map":
            raise UsageError("only the map can be written as a picture", f"petteia show {game.name} map --svg FILE")
        _write_picture(page, svg)
        return 0
    if emit is not None and topic != "core":
        raise UsageError("only the core can be emitted", f"petteia show {game.name} core --emit {emit}")
    TOPICS[topic](page)
    return 0


class _Page:
    """Where a topic is printed, and for which scenario and options."""

    def __init__(
        self,
        game: Game,
        scenario: str | None,
        options: Mapping[str, bool],
        console: Console,
        language: Language,
        out: TextIO,
        emit: str | None,
    ) -> None:
        self.game, self.scenario, self.options = game, scenario, options
        self.console, self.language, self.out, self.emit = console, language, out, emit

    def line(self, text: str = "", style: str = "", note: str = "") -> None:
        """A line of plain text, and a note in grey behind it."""
        self.console.print(Text.assemble((clean(text), style), (f"  {clean(note)}" if note else "", "dim")))

    def say(self, text: str) -> str:
        """A text of the game in the reader's language."""
        return clean(self.language.say(text))


def _cited(citation: Citation) -> str:
    """Where a thing comes from, in a few words: `rule 3, reconstructed`."""
    parts = [f"rule {citation.rule}"] if citation.rule else []
    parts += [source if not field else f"{field} {source}" for field, source in citation.sources]
    return ", ".join(parts)


def _overview(page: _Page) -> None:
    game, world = page.game, page.game.world
    page.line(page.say(game.title), "bold", game.name)
    if game.definition.text:
        page.line(page.say(game.definition.text))
    page.line()
    players = ", ".join(f"{page.say(e.title)} ({e.id})" for e in world.players.entities)
    page.line(f"players    {players}")
    if game.scenarios:
        page.line(f"scenarios  {', '.join(game.scenarios)}")
    if game.campaigns:
        page.line(f"campaigns  {', '.join(game.campaigns)}")
    if world.options:
        page.line(f"options    {', '.join(world.options)}")
    if game.definition.texts:
        page.line(f"languages  {', '.join(['en', *sorted(game.definition.texts)])}")
    counts = [f"{kind.size} {kind.plural if kind.size != 1 else kind.name}" for kind in world.kinds.values()]
    functions = [c for c in game.checked.callables.values() if c.node is not None and c.name.isidentifier()]
    effects = sum(c.is_effect for c in functions)
    page.line(f"things     {', '.join(counts).replace('_', ' ')}")
    page.line(f"rules      {len(functions) - effects} functions, {effects} effects")
    page.line(f"tests      {_tests(game)}")
    page.line()
    page.line(f"more: petteia show {game.name} " + "|".join(t for t in TOPICS if t != "overview"), "dim")


def _tests(game: Game) -> str:
    """How many rule tests there are. A game that is shown was loaded without them, so its files are read again."""
    whole = load_folder(game.folder, Bag())
    return str(len(whole.tests)) if whole is not None else f"not readable, as `petteia test {game.name}` tells"


def _map(page: _Page) -> None:
    position = page.game.start(page.scenario, page.options)
    position.language = page.language
    page.console.print(board(position, page.language, None, page.console.width))


def _panel(page: _Page, name: str) -> None:
    """A panel of the display as it is when the game begins, as the first player sees it."""
    position = _seen(page)
    pages.show(position, f"{name} {pages.FULL}", page.language, 0, page.console, {})


def _seen(page: _Page) -> Position:
    """The first position, of a game with secrets as the first player sees it."""
    position = page.game.start(page.scenario, page.options)
    position.language = page.language
    return position.as_seen_by(0) if stream.is_secretive(position) else position


def _write_picture(page: _Page, path: Path) -> None:
    position = _seen(page)
    text = picture(position, page.language)
    if not text:
        raise UsageError("this game has no map")
    path.write_text(text, encoding="utf-8", newline="\n")
    page.console.print(Text(f"written: {clean(str(path))}"), soft_wrap=True)


def _pieces(page: _Page) -> None:
    position = page.game.start(page.scenario, page.options)
    kinds = [k for k in page.game.world.kinds.values() if k.is_piece]
    if not kinds:
        page.line("this game has no pieces")
    for kind in kinds:
        page.console.print(looking.pieces(position, kind, page.language))


def _options(page: _Page) -> None:
    options = page.game.world.options
    if not options:
        page.line("this game has no options")
    for name, option in options.items():
        page.line(f"{name} = {'yes' if option.default else 'no'}", "bold", _cited(option.citation))
        for text in (option.title, option.text):
            if text:
                page.line(f"  {page.say(text)}")


def _scenarios(page: _Page) -> None:
    if not page.game.scenarios:
        page.line("this game has no scenarios: it begins as its files say")
    for scenario in page.game.definition.scenarios:
        _scenario(page, scenario, [])
        if scenario.without:
            page.line(f"  without {', '.join(n.text for n in scenario.without)}", "dim")
    for campaign in page.game.definition.campaigns:
        _scenario(page, campaign, [p.text for p in campaign.plays])


def _scenario(page: _Page, one: ScenarioDef | CampaignDef, plays: list[str]) -> None:
    """A scenario, or a campaign with the scenarios that it plays."""
    page.line(one.name.text, "bold", _cited(one.citation))
    for text in (one.title, one.text):
        if text:
            page.line(f"  {page.say(text)}")
    if plays:
        page.line(f"  plays {', then '.join(plays)}")
    if one.options:
        set_to = [f"{n.text}={'yes' if getattr(v, 'value', False) else 'no'}" for n, v in one.options]
        page.line(f"  with {', '.join(set_to)}", "dim")


def _phases(page: _Page) -> None:
    def tell(phase: PhaseDef, depth: int) -> None:
        conditions = [("each", phase.each.text if phase.each else "")]
        conditions += [("from", phase.each_from.value.strip() if phase.each_from else "")]
        conditions += [("while", phase.while_.value.strip() if phase.while_ else "")]
        conditions += [("skip if", phase.skip_if.value.strip() if phase.skip_if else "")]
        how = [f"{word} {text}" for word, text in conditions if text]
        if phase.repeat and not phase.while_:
            how.insert(0, "again and again")
        title = page.say(phase.title or phase.name.text.replace("_", " ").capitalize())
        note = _cited(phase.citation)
        page.line("  " * depth + title + (f" ({', '.join(how)})" if how else ""), "bold" if not depth else "", note)
        for line in phase.do.value.strip().splitlines() if phase.do else ():
            page.line("  " * (depth + 1) + line, "dim")
        for inner in phase.phases:
            tell(inner, depth + 1)

    if not page.game.definition.phases:
        page.line("this game has no phases")
    for phase in page.game.definition.phases:
        tell(phase, 0)


def _rules(page: _Page) -> None:
    """Signatures, and the comment that stands above each."""
    path = ""
    found = [c for c in page.game.checked.callables.values() if c.node is not None]
    for one in sorted(found, key=lambda c: (c.span.source.path, c.span.start)):
        if one.span.source.path != path:
            page.line() if path else None
            path = one.span.source.path
            page.line(path, "bold")
        page.line(f"  {signature(one)}", "", f"line {one.span.line}")
        for comment in _comment_above(one):
            page.line(f"      {comment}", "dim")
    sections = page.game.definition.sections
    if sections:
        page.line()
        page.line(page.say(page.game.definition.rulebook or "the rulebook"), "bold")
        for section in sections:
            page.line(f"  {section.id}  {page.say(section.title)}")


def signature(one: scope.Callable) -> str:
    """How a function or effect is called: `fun worth(p: piece) -> int`."""
    params = ", ".join(f"{p.name}: {p.type}" for p in one.params)
    result = f" -> {one.result}" if one.result is not None else ""
    return f"{'open ' if one.open else ''}{'effect' if one.is_effect else 'fun'} {one.name}({params}){result}"


def _comment_above(one: scope.Callable) -> list[str]:
    """The lines of comment right above a definition."""
    lines: list[str] = []
    number = one.span.line - 1
    while number >= 1 and (found := re.match(r"#\s*(.*)", one.span.source.line(number).strip())):
        lines.insert(0, found[1])
        number -= 1
    return lines


def _kinds(page: _Page) -> None:
    for kind in page.game.world.kinds.values():
        what = [w for w, yes in (("space", kind.is_space), ("piece", kind.is_piece), ("edge", kind.is_edge)) if yes]
        page.line(kind.name, "bold", ", ".join([*what, f"{kind.size} of them"]))
        if kind.sorts:
            page.line(f"  sorts: {', '.join(kind.sorts)}")
        if kind.is_piece:
            where = [k.name for k in kind.place_kinds] + [z.name for z in kind.place_zones]
            page.line(f"  can be at: {', '.join(where)}")
        for field in kind.fields.values():
            per = "".join(f" per {ty}" for ty, _ in field.per)
            page.line(f"  {field.name}: {field.type}{per}", "", "" if field.written else "never changes")
        for holds in kind.holds.values():
            of = holds.sort.name if holds.sort else holds.piece.name
            form = f"maybe {of}" if holds.single else f"set of {of}"
            page.line(f"  {holds.inverse}: {form}", "", "what stands there")
        for inverse in kind.inverses.values():
            owner = inverse.field.owner.name if inverse.field.owner else ""
            page.line(f"  {inverse.name}: set of {owner}", "", f"those whose {inverse.field.name} this is")


def _tables(page: _Page) -> None:
    charts.tell(page.game, page.language, page.line)


def _core(page: _Page) -> None:
    """The compiled game as text; WebAssembly as bytes where `out` takes them."""
    compiled = page.game.compiled(page.scenario, page.options)
    emit = page.emit or "core"
    if emit == "core":
        page.out.write(listing(compiled.program))
        page.out.write("".join(f"site {i} {s.place} {s.code}\n" for i, s in enumerate(compiled.program.sites)))
    elif emit == "python":
        from interpreter.backends.python import source

        page.out.write(source(compiled.program))
    elif emit in ("wat", "wasm"):
        _emit_wasm(page, emit)
    else:
        raise UsageError(f"there is no form `{emit}`", did_you_mean(emit, EMITS) or f"forms: {', '.join(EMITS)}")


def _emit_wasm(page: _Page, emit: str) -> None:
    from interpreter.backends import wasm

    text = wasm.wat(page.game.compiled(page.scenario, page.options).program)
    if emit == "wat":
        page.out.write(text)
        return
    if not wasm.available():
        raise UsageError("the binary form needs wasmtime", "pip install wasmtime, or use `--emit wat`")
    import wasmtime

    buffer = getattr(page.out, "buffer", None)
    if buffer is None or page.out.isatty():
        raise UsageError("the binary form is not for a terminal", "send it to a file: `… --emit wasm > game.wasm`")
    page.out.flush()
    buffer.write(bytes(wasmtime.wat2wasm(text)))
    buffer.flush()


TOPICS: dict[str, Callable[[_Page], None]] = {
    "overview": _overview,
    "map": _map,
    "pieces": _pieces,
    "options": _options,
    "scenarios": _scenarios,
    "phases": _phases,
    "rules": _rules,
    "kinds": _kinds,
    "tables": _tables,
    "core": _core,
}
