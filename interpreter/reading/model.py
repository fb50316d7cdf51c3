"""What a game's files say, as data with places. Nothing here is resolved: names are text, types and rules are `Text`.

`load` builds these from YAML; `lang.check` gives them meaning. An entry's own fields stay `Node`s, because only the
game's declared kinds tell what they should be.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from interpreter.reading.model_charts import Citation as Citation
from interpreter.reading.model_charts import Provenance as Provenance
from interpreter.reading.model_charts import RowsDef as RowsDef
from interpreter.reading.model_charts import SumDef as SumDef
from interpreter.reading.model_charts import SumPart as SumPart
from interpreter.reading.model_charts import TableDef as TableDef
from interpreter.reading.yamltree import Node
from interpreter.source import Name, Source, Span, Text


@dataclass(frozen=True, eq=False)
class FieldDef:
    """A field of a kind, an option, or of the game itself (a global)."""

    name: Name
    type: Text
    span: Span
    minimum: int | None = None
    maximum: int | None = None
    track: bool = False  # writes beyond minimum and maximum stop there instead of being faults
    per: tuple[Name, ...] = ()
    until: Name | None = None
    set_by: tuple[Name, ...] = ()
    inverse: Name | None = None
    default: Node | None = None
    constant: bool = False  # never written: a column of a table
    seen_by: Text | None = None  # of a global or a player's field: who sees it
    faces: tuple[Name, ...] = ()  # of a bool or enum: what entries call the sides that it turns up


@dataclass(frozen=True, eq=False)
class HookDef:
    """A hook of a kind: single entities fill it with statements, or, with `gives`, with an expression of that type."""

    name: Name
    span: Span
    params: tuple[tuple[Name, Text], ...] = ()
    gives: Text | None = None
    default: Text | None = None  # for entities that do not fill it


@dataclass(frozen=True, eq=False)
class ExceptionDef:
    """What an entry, an option or a scenario bends: `to` an open function or effect, `verb` how, `value` an expression
    or statements.
    """

    to: Text
    verb: Name  # add result allow forbid instead before after
    value: Text
    span: Span
    when: Text | None = None
    citation: Citation = Citation()


@dataclass(frozen=True, eq=False)
class WheneverDef:
    """A settling rule: for each thing that a binder finds, or when a condition holds, statements put it right."""

    name: Name
    do: Text
    span: Span
    each: Text | None = None
    when: Text | None = None
    outside: Name | None = None  # a scene while which it waits
    citation: Citation = Citation()


@dataclass(frozen=True, eq=False)
class AddDef:
    """Statements that an option or scenario puts before or after a phase."""

    before: bool
    phase: Name
    do: Text
    span: Span


@dataclass(frozen=True, eq=False)
class HoldsDef:
    """A place that can hold at most `limit` pieces of `kind`; `inverse` is the field that names them."""

    kind: Name
    limit: int | None
    inverse: Name
    span: Span


@dataclass(frozen=True, eq=False)
class EnumDef:
    name: Name
    values: tuple[Name, ...]
    titles: dict[str, str]
    ordered: bool
    span: Span


@dataclass(frozen=True, eq=False)
class KindDef:
    """A kind of entity. `piece` lists the places its members can be (None: not a piece)."""

    name: Name
    span: Span
    title: str = ""
    sorts: tuple[Name, ...] = ()
    fields: tuple[FieldDef, ...] = ()
    piece: tuple[Name, ...] | None = None
    holds: tuple[HoldsDef, ...] = ()
    edge: bool = False
    alike: bool = False
    made_of: tuple[tuple[Name, Name], ...] = ()  # generated pairs: what each part is called, and what it runs over
    hooks: tuple[HookDef, ...] = ()
    active: Text | None = None  # when the exceptions of its entities hold
    seen_by: SeenDef | None = None


@dataclass(frozen=True, eq=False)
class DieDef:
    """A die: its faces, names or numbers, each with its weight. `numbered`: the faces are numbers."""

    name: Name
    faces: tuple[tuple[Name, int], ...]
    numbered: bool
    span: Span


@dataclass(frozen=True, eq=False)
class SceneDef:
    """A stretch of play with its own fields. `given`: those that get their values when it opens."""

    name: Name
    span: Span
    given: tuple[FieldDef, ...] = ()
    fields: tuple[FieldDef, ...] = ()
    inside: Name | None = None
    citation: Citation = Citation()


@dataclass(frozen=True, eq=False)
class SeenDef:
    """Who knows which piece of a kind is which: `others`, a word (`all`, `owner`, `nobody`) or a condition about `self` and `viewer`.

    `open`: fields that everybody sees all the same. `closed`: how a closed piece reads.
    """

    others: Text
    span: Span
    open: tuple[Name, ...] = ()
    closed: str = ""


@dataclass(frozen=True, eq=False)
class ZoneDef:
    """A place off the map.

    `order`: what is known of the order of the pieces in it; `when_empty`: the zone that refills it.
    """

    name: Name
    of: Name
    span: Span
    title: str = ""
    per: tuple[Name, ...] = ()
    order: Literal["set", "pile", "bag"] = "set"
    limit: int | None = None
    when_empty: Name | None = None
    seen_by: Text | None = None


@dataclass(frozen=True, eq=False)
class EntityDef:
    """One entry: `- leader: old_general` with its own fields as nodes. `copies` > 1 makes `id_1 … id_n`."""

    kind: Name  # a kind or one of its sorts
    id: Name
    span: Span
    title: str = ""
    text: str = ""
    copies: int = 1
    fields: tuple[tuple[Name, Node], ...] = ()
    citation: Citation = Citation()
    exceptions: tuple[ExceptionDef, ...] = ()
    at: tuple[int, int] | None = None  # where a picture draws a space: x to the right, y down


@dataclass(frozen=True, eq=False)
class GridDef:
    """A rectangular board: the spaces `a1 … ` are made from columns and rows."""

    kind: Name
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    neighbours: int  # 4, 6 (hexagons, odd rows shifted right) or 8
    span: Span


@dataclass(frozen=True, eq=False)
class EdgeDef:
    """An edge between two spaces; `kind` and `id` are None for plain edges, which are no entities."""

    ends: tuple[Name, Name]
    span: Span
    kind: Name | None = None
    id: Name | None = None
    title: str = ""
    fields: tuple[tuple[Name, Node], ...] = ()
    citation: Citation = Citation()


@dataclass(frozen=True, eq=False)
class MapDef:
    span: Span
    grid: GridDef | None = None
    edges: tuple[EdgeDef, ...] = ()


@dataclass(frozen=True, eq=False)
class OptionDef:
    """An optional rule or ruling, fixed when a game starts. All are yes or no."""

    name: Name
    span: Span
    default: bool
    title: str = ""
    text: str = ""
    citation: Citation = Citation()
    needs: tuple[Name, ...] = ()  # options that must be on too
    fields: tuple[tuple[Name | None, FieldDef], ...] = ()  # more fields of a kind, or (None) globals
    rules: Text | None = None  # more functions and effects
    adds: tuple[AddDef, ...] = ()
    exceptions: tuple[ExceptionDef, ...] = ()
    whenever: tuple[WheneverDef, ...] = ()


@dataclass(frozen=True, eq=False)
class PhaseDef:
    """A node of the turn's tree: either `do` or `phases`."""

    name: Name
    span: Span
    title: str = ""
    each: Name | None = None
    each_from: Text | None = None
    repeat: bool = False
    while_: Text | None = None
    skip_if: Text | None = None
    do: Text | None = None
    phases: tuple[PhaseDef, ...] = ()
    citation: Citation = Citation()


@dataclass(frozen=True, eq=False)
class ScenarioDef:
    """A set-up: `place` puts pieces, `set` gives fields of entities and globals values, `setup` is effect text."""

    name: Name
    span: Span
    title: str = ""
    text: str = ""
    place: tuple[tuple[Name, Node], ...] = ()
    set: tuple[tuple[Name, Node], ...] = ()  # entity id -> map of fields, or global -> value
    setup: Text | None = None
    citation: Citation = Citation()
    without: tuple[Name, ...] = ()  # entities that are not in play
    options: tuple[tuple[Name, Node], ...] = ()  # values of options unless a player says otherwise
    adds: tuple[AddDef, ...] = ()
    exceptions: tuple[ExceptionDef, ...] = ()
    whenever: tuple[WheneverDef, ...] = ()


@dataclass(frozen=True, eq=False)
class CampaignDef:
    """Several scenarios as one game: `interphase` runs between two of them; of the set-up of a later one only these
    parts (`place`, `set`, `setup`) are carried out.
    """

    name: Name
    span: Span
    plays: tuple[Name, ...]
    title: str = ""
    text: str = ""
    interphase: Text | None = None
    set_up: tuple[str, ...] = ("place", "set", "setup")
    set: tuple[tuple[Name, Node], ...] = ()  # first values besides those of the first scenario
    options: tuple[tuple[Name, Node], ...] = ()
    citation: Citation = Citation()


@dataclass(frozen=True, eq=False)
class LookDef:
    """How a space or piece is drawn on a text board: the first look whose condition (about `self`) holds."""

    kind: Name
    when: Text | None
    text: str
    style: str  # a colour or style word such as "red" or "bold blue"; "" for plain
    span: Span


@dataclass(frozen=True, eq=False)
class StepDef:
    """A step of a script: a player's choice (`player` is the seat, `value` the written choice) or scripted chance."""

    key: Name  # a player, or `dice` or `draws`
    values: tuple[Name, ...]
    span: Span


@dataclass(frozen=True, eq=False)
class TestDef:
    """A rule test."""

    name: str
    span: Span
    rule: str = ""
    scenario: Name | None = None
    options: tuple[tuple[Name, Node], ...] = ()
    seed: int = 1
    given: Text | None = None
    call: Text | None = None
    when: tuple[StepDef, ...] = ()
    then: tuple[Text, ...] = ()
    illegal: tuple[StepDef, ...] = ()  # choices that must be refused where the steps end
    outcome: Name | None = None  # how the game must stand then: the player who has won, `draw`, or `running`


@dataclass(frozen=True, eq=False)
class SectionDef:
    """A heading of the rulebook, for coverage. `ruling` is set where the text is silent and the game decides."""

    id: str
    title: str
    span: Span
    text: str = ""
    ruling: str = ""
    option: Name | None = None
    not_modelled: str = ""


@dataclass(frozen=True, eq=False)
class GameDef:
    """All of a game's files."""

    name: Name
    folder: str
    span: Span
    title: str = ""
    text: str = ""
    citation: Citation = Citation()
    players: tuple[EntityDef, ...] = ()
    enums: tuple[EnumDef, ...] = ()
    dice: tuple[DieDef, ...] = ()
    kinds: tuple[KindDef, ...] = ()
    zones: tuple[ZoneDef, ...] = ()
    scenes: tuple[SceneDef, ...] = ()
    tables: tuple[TableDef, ...] = ()
    row_sets: tuple[RowsDef, ...] = ()
    sums: tuple[SumDef, ...] = ()
    globals: tuple[FieldDef, ...] = ()
    map: MapDef | None = None
    entities: tuple[EntityDef, ...] = ()
    options: tuple[OptionDef, ...] = ()
    rules: tuple[Text, ...] = ()  # the `.effects` files in order of their names
    phases: tuple[PhaseDef, ...] = ()
    scoring: Text | None = None
    scenarios: tuple[ScenarioDef, ...] = ()
    campaigns: tuple[CampaignDef, ...] = ()
    looks: tuple[LookDef, ...] = ()
    budget: int = 1_000_000
    precedence: tuple[Name, ...] = ()
    whenever: tuple[WheneverDef, ...] = ()
    tests: tuple[TestDef, ...] = ()
    rulebook: str = ""  # its title
    sections: tuple[SectionDef, ...] = ()
    texts: dict[str, dict[str, str]] = field(default_factory=dict)  # language -> source text -> translation
    text_places: dict[str, dict[str, Span]] = field(default_factory=dict)  # language -> source text -> where it stands
    sources: tuple[Source, ...] = ()
