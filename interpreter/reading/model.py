"""What a game's files say, as data with places. Nothing here is resolved: names are text, types and rules are `Text`.

`load` builds these from YAML; `lang.check` gives them meaning. An entry's own fields stay `Node`s, because only the
game's declared kinds tell what they should be.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter.reading.model_base import AddDef as AddDef
from interpreter.reading.model_base import DieDef as DieDef
from interpreter.reading.model_base import EntityDef as EntityDef
from interpreter.reading.model_base import EnumDef as EnumDef
from interpreter.reading.model_base import ExceptionDef as ExceptionDef
from interpreter.reading.model_base import FieldDef as FieldDef
from interpreter.reading.model_base import HoldsDef as HoldsDef
from interpreter.reading.model_base import HookDef as HookDef
from interpreter.reading.model_base import KindDef as KindDef
from interpreter.reading.model_base import SeenDef as SeenDef
from interpreter.reading.model_base import WheneverDef as WheneverDef
from interpreter.reading.model_base import ZoneDef as ZoneDef
from interpreter.reading.model_charts import Citation as Citation
from interpreter.reading.model_charts import Provenance as Provenance
from interpreter.reading.model_charts import RowsDef as RowsDef
from interpreter.reading.model_charts import SumDef as SumDef
from interpreter.reading.model_charts import SumPart as SumPart
from interpreter.reading.model_charts import TableDef as TableDef
from interpreter.reading.model_display import DisplayDef
from interpreter.reading.yamltree import Node
from interpreter.source import Name, Source, Span, Text


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
    citation: Citation = Citation()
    apart: bool = False  # that it falls into parts is meant


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
    brings: tuple[Name, ...] = ()  # entities that are in play only with it
    without: tuple[Name, ...] = ()  # entities that are not in play with it
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
class InvariantDef:
    """A condition that must hold in every position; with `during`, in those in which that scene is open."""

    that: Text
    span: Span
    text: str = ""
    during: Name | None = None
    citation: Citation = Citation()


@dataclass(frozen=True, eq=False)
class BotRule:
    """What a bot takes: option `take` (None: any, or the way to stop) where `when` holds, by the highest `rank`."""

    span: Span
    take: Name | None = None
    when: Text | None = None
    rank: tuple[Text, ...] = ()


@dataclass(frozen=True, eq=False)
class DecideDef:
    """A bot's rules for the question with this id, in order."""

    id: Name
    rules: tuple[BotRule, ...]


@dataclass(frozen=True, eq=False)
class BotOption:
    """An option that is on while a bot plays one of these players on one of these levels (none named: any)."""

    name: Name
    players: tuple[Name, ...]
    levels: tuple[Name, ...]


@dataclass(frozen=True, eq=False)
class BotDef:
    """A bot as data. `for_`: the players that it can play (none named: all); `levels`: numbers by name of the level."""

    name: Name
    span: Span
    decide: tuple[DecideDef, ...]
    knows: str  # `own_view`
    otherwise: str  # `random`
    title: str = ""
    text: str = ""
    for_: tuple[Name, ...] = ()
    levels: tuple[tuple[Name, tuple[tuple[Name, int], ...]], ...] = ()
    rules: Text | None = None  # functions for its conditions and ranks
    citation: Citation = Citation()
    options: tuple[BotOption, ...] = ()


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

    key: Name  # a player, or `dice`, `draws` or `then`
    values: tuple[Name, ...]
    span: Span
    holds: tuple[Text, ...] = ()  # of `then`: what must hold here


@dataclass(frozen=True, eq=False)
class TestDef:
    """A rule test."""

    name: str
    span: Span
    citation: Citation = Citation()
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
    example: bool = False  # tested by being played; there is nothing to implement


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
    bots: tuple[BotDef, ...] = ()
    looks: tuple[LookDef, ...] = ()
    display: DisplayDef | None = None
    budget: int = 1_000_000
    precedence: tuple[Name, ...] = ()
    whenever: tuple[WheneverDef, ...] = ()
    invariants: tuple[InvariantDef, ...] = ()
    tests: tuple[TestDef, ...] = ()
    rulebook: str = ""  # its title
    sections: tuple[SectionDef, ...] = ()
    texts: dict[str, dict[str, str]] = field(default_factory=dict)  # language -> source text -> translation
    text_places: dict[str, dict[str, Span]] = field(default_factory=dict)  # language -> source text -> where it stands
    sources: tuple[Source, ...] = ()
