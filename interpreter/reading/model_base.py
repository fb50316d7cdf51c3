"""What a game declares: kinds, fields, zones, entities, and what bends its rules. See `model` for how a game runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from interpreter.reading.model_charts import Citation
from interpreter.reading.yamltree import Node
from interpreter.source import Name, Span, Text


@dataclass(frozen=True, eq=False)
class FieldDef:
    """A field of a kind, an option, or of the game itself (a global)."""

    name: Name
    type: Text
    span: Span
    minimum: int | None = None
    maximum: int | None = None
    ceiling: Name | None = None  # in place of `maximum`: the field of the same thing that holds it
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
    inside: Name | None = None  # the kind in whose entries those of this one are written
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
class SeenDef:
    """Who knows which piece of a kind is which: `others`, a word (`all`, `owner`, `nobody`) or a condition about `self`
    and `viewer`.

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
