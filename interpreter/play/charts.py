"""Tables and labelled sums as people read them: for `petteia show GAME tables`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from interpreter.game import Game
from interpreter.lang.types import MaybeT, SetT, Ty
from interpreter.lang.world import Field, Kind, Table
from interpreter.runtime.texts import Language, show

Row = list[str]
Line = Callable[[str, str, str], None]  # text, style, note


def tell(game: Game, language: Language, line: Line) -> None:
    """Prints all tables of a game, and what its labelled sums add up."""
    world = game.world
    if not world.tables and not world.row_sets and not game.checked.sums:
        line("this game has no tables", "", "")
    for table in world.tables.values():
        d = table.definition
        line(language.say(d.title) or table.name, "bold", _cited(d.citation.rule, d.citation.sources))
        for text in _aligned(list(lookup(table, game, language))):
            line(f"  {text}", "", "")
        for labels in d.doubtful:
            line(f"  {', '.join(x.raw for x in labels)}: {d.doubt}", "dim", "")
    for name, kind in world.row_sets.items():
        line(language.say(name), "bold", f"rows are of kind {kind.name}")
        for text in _aligned(list(rows(kind, game, language))):
            line(f"  {text}", "", "")
    for name, found in game.checked.sums.items():
        line(name, "bold", _cited(found.definition.citation.rule, found.definition.citation.sources))
        for term in found.terms:
            part = term.definition
            when = f" when {part.when.value.strip()}" if part.when else ""
            note = " · ".join(x for x in (language.say(part.text), part.citation.rule) if x)
            line(f"  {part.value.value.strip()}{when}", "", note)


def lookup(table: Table, game: Game, language: Language) -> Iterator[Row]:
    """The rows of a lookup table, headed by the entries of its keys."""
    first, last = table.keys[0], table.keys[-1]
    values = [_value(v, table.gives, game, language) for v in table.cells]
    if len(table.keys) == 1:
        yield [first.name, *first.titles]
        yield ["", *values]
        return
    yield [f"{first.name} \\ {last.name}", *last.titles]
    for i, title in enumerate(first.titles):
        yield [title, *values[i * last.size : (i + 1) * last.size]]


def rows(kind: Kind, game: Game, language: Language) -> Iterator[Row]:
    """The rows of a table with columns, headed by the columns' names."""
    fields = list(kind.fields.values())
    yield [kind.name, *(f.name for f in fields)]
    for entity in kind.entities:
        yield [language.say(entity.title), *(_stored(f, entity.index, game, language) for f in fields)]


def _stored(f: Field, owner: int, game: Game, language: Language) -> str:
    return _value(game.checked.values.get((f, owner, 0), f.default), f.type, game, language)


def _value(value: int, ty: Ty, game: Game, language: Language) -> str:
    if isinstance(ty, SetT):
        members = tuple(i for i in range(value.bit_length()) if value >> i & 1)
        return show(members, ty, game.world, language) or "-"
    if isinstance(ty, MaybeT) and value < 0:
        return "-"
    return show(value, ty, game.world, language)


def _aligned(found: list[Row]) -> Iterator[str]:
    """Rows with their columns below each other, numbers to the right."""
    widths = [max(len(row[i]) for row in found) for i in range(len(found[0]))]
    for first, *others in found:
        cells = [x.rjust(w) if x.lstrip("-").isdigit() else x.ljust(w) for x, w in zip(others, widths[1:], strict=True)]
        yield "  ".join([first.ljust(widths[0]), *cells]).rstrip()


def _cited(rule: str, sources: tuple[tuple[str, str], ...]) -> str:
    found = [f"rule {rule}"] if rule else []
    return " · ".join([*found, *(f"{name}: {how}" if name else how for name, how in sources)])
