"""A compiled display: what display.yaml says, with functions of the viewer and of the members around.

Its program is one of its own, made when a display is first wanted: it has these functions, no questions, and reads the
positions of the game.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter.core.compiled import Compiled, TextInfo
from interpreter.lang.types import Ty
from interpreter.reading.model_display import PaintDef, PanelDef, PartDef


@dataclass(frozen=True, eq=False)
class MembersInfo:
    """The members that something is there for: a function that gives their set, and the type of each.

    Of a range of numbers: functions of its ends, and one that tells whether a number is a member.
    """

    function: int
    type: Ty
    to: int | None = None
    where: int | None = None


@dataclass(frozen=True, eq=False)
class PieceInfo:
    """A part of a panel. Functions take the seat of the viewer and the members of all `each` around.

    Those behind `each` take its own member too.
    """

    definition: PartDef
    each: MembersInfo | None = None
    order: int | None = None
    when: int | None = None
    side: int | None = None
    brief: int | None = None
    text: TextInfo | None = None
    thing: tuple[int, Ty] | None = None
    title: PieceInfo | None = None
    short: PieceInfo | None = None
    parts: tuple[PieceInfo, ...] = ()


@dataclass(frozen=True, eq=False)
class PanelInfo:
    """A panel; `open`: the cells that are not 0 while the scene is open that it needs."""

    definition: PanelDef
    when: int | None
    open: tuple[int, ...]
    title: PieceInfo | None
    lines: tuple[PieceInfo, ...]


@dataclass(frozen=True, eq=False)
class PaintInfo:
    """How spaces, edges or areas are painted. Functions take the viewer and `self`, or the member of `each`."""

    definition: PaintDef
    each: MembersInfo | None
    when: int | None
    of: int | None
    side: int | None
    text: PieceInfo | None


@dataclass(eq=False)
class DisplayInfo:
    """All of a display. `colours`: the style of each player by seat."""

    compiled: Compiled
    panels: dict[str, PanelInfo] = field(default_factory=dict)
    colours: dict[int, str] = field(default_factory=dict)
    spaces: tuple[PaintInfo, ...] = ()
    edges: tuple[PaintInfo, ...] = ()
    areas: tuple[PaintInfo, ...] = ()
    painted: bool = False  # it says how the map is painted
    pieces: dict[str, PaintInfo] = field(default_factory=dict)  # by kind
