"""What a game says of how it is shown: panels of text for the terminal, and how its map is painted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from interpreter.source import Name, Span, Text

Form = Literal["text", "about", "sign", "words", "cells", "across", "lines", "boxes"]
Show = Literal["changed", "always", "asked"]


@dataclass(frozen=True, eq=False)
class PartDef:
    """A piece of a panel or picture; with `each` it is there once for every member, with `when` only while that holds.

    `text`: the template of a "text", the thing of an "about" (its printed text) or "sign" (its look). `parts`: what
    "words" are made of, the cells of a row or column, the lines of a group or box.
    """

    form: Form
    span: Span
    text: Text | None = None
    parts: tuple[PartDef, ...] = ()
    each: Text | None = None
    order: Text | None = None
    when: Text | None = None
    side: Text | None = None  # the player in whose colour it is
    style: str = ""
    join: str | None = None  # what stands between the members on a line
    closed: str | None = None  # how a member that the viewer can't tell from others reads
    title: PartDef | None = None
    brief: Text | None = None  # the members of which there is nothing to tell
    short: PartDef | None = None
    width: int = 0


@dataclass(frozen=True, eq=False)
class PanelDef:
    """A panel: a title and lines. `during`: a scene that must be open; `beside`: it stands to the right of the last."""

    name: Name
    span: Span
    lines: tuple[PartDef, ...]
    title: PartDef | None = None
    when: Text | None = None
    during: Name | None = None
    show: Show = "changed"
    beside: bool = False


@dataclass(frozen=True, eq=False)
class PaintDef:
    """How spaces, edges or areas are painted: the first of a list whose condition (about `self`) holds.

    `of`: the spaces of an area; `text`: what is written there.
    """

    me: Name  # `self`, for conditions
    span: Span
    when: Text | None = None
    each: Text | None = None
    of: Text | None = None
    text: PartDef | None = None
    legend: str = ""
    side: Text | None = None
    style: str = ""
    shape: str = ""
    ring: str = ""
    land: bool = False  # of an edge: land lies along it


@dataclass(frozen=True, eq=False)
class PictureDef:
    """The map as a picture. `unit`: pixels between two coordinates; `pieces`: by kind, how one is painted."""

    span: Span
    unit: int = 0
    sea: bool = False  # what is no land is water
    pieces: tuple[tuple[Name, PaintDef], ...] = ()
    spaces: tuple[PaintDef, ...] = ()
    edges: tuple[PaintDef, ...] = ()
    areas: tuple[PaintDef, ...] = ()


@dataclass(frozen=True, eq=False)
class DisplayDef:
    """The file display.yaml. `colours`: the style of each player."""

    span: Span
    panels: tuple[PanelDef, ...] = ()
    colours: tuple[tuple[Name, str], ...] = ()
    rules: Text | None = None
    picture: PictureDef | None = None
