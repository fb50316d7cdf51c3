"""Pausing effects as state machines: blocks under construction, frames, and where variables live that must outlive a question.

Calls are acyclic, so at most one call of an effect is under way at a time: each pausing effect has one frame at a fixed place, behind the
frames of all its callers. Effects that never call each other share cells.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter.core import nodes as c
from interpreter.core.cost import block_weight
from interpreter.core.layout import Layout, Region, set_cells


@dataclass(eq=False)
class Frame:
    """The frame of one pausing effect. `back`: the block to go on with when it ends. `callers`: frames that call it."""

    name: str
    params: list[c.Var] = field(default_factory=list)
    back: c.Var = field(default_factory=lambda: c.Var("back", c.INT))
    callers: list[Frame] = field(default_factory=list)
    entry: int = -1
    base: int = -1
    end: int = -1


@dataclass(eq=False)
class Draft:
    """A block under construction. `leave`: it ends its effect."""

    name: str
    frame: Frame
    body: list[c.Stmt] = field(default_factory=list)
    exit: c.Exit | None = None
    leave: bool = False
    weight: int = 0
    site: int = 0


@dataclass(eq=False)
class Blocks:
    """All blocks of a program under construction; `here` is the one that statements are added to."""

    drafts: list[Draft] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    here: int = -1

    def new(self, name: str, frame: Frame) -> int:
        """A new empty block; its number."""
        self.drafts.append(Draft(name, frame))
        return len(self.drafts) - 1

    @property
    def draft(self) -> Draft:
        return self.drafts[self.here]

    @property
    def open(self) -> bool:
        """Whether play can still come to the end of the current block."""
        return self.draft.exit is None and not self.draft.leave

    def add(self, *statements: c.Stmt) -> None:
        """Adds statements to the current block, unless it has ended."""
        if self.open:
            self.draft.body += statements

    def go(self, target: int) -> None:
        """Ends the current block with a jump."""
        self.end(c.Jump(target))

    def end(self, exit: c.Exit) -> None:
        """Ends the current block."""
        if self.open:
            self.draft.exit = exit

    def leave(self) -> None:
        """Ends the effect in the current block."""
        if self.open:
            self.draft.leave = True

    def enter(self, number: int) -> None:
        """Goes on with another block."""
        self.here = number


def finish(blocks: Blocks, program: c.Program, layout: Layout, costs: dict[int, int]) -> None:
    """Gives homes to variables, places the frames and puts the finished blocks into the program."""
    homeless = _outliving(blocks, program)
    by_frame: dict[Frame, list[c.Var]] = {f: [f.back, *f.params] for f in blocks.frames}
    for var, frame in homeless.items():
        if var not in by_frame[frame]:
            by_frame[frame].append(var)
    for frame in _callers_first(blocks.frames):
        start = max((caller.end for caller in frame.callers), default=layout.end)
        frame.base = start + (start & 1)
        _place(frame, by_frame[frame], layout)
    program.cells = max([layout.end, *(f.end for f in blocks.frames)])
    program.cells += program.cells & 1
    for draft in blocks.drafts:
        program.blocks.append(_finished(draft, program, costs))


def _finished(draft: Draft, program: c.Program, costs: dict[int, int]) -> c.Block:
    body = tuple(draft.body)
    exit: c.Exit
    if draft.leave:
        home = draft.frame.back.home
        assert home is not None
        exit = c.Leave(home, draft.frame.base, draft.frame.end - draft.frame.base)
    else:
        exit = draft.exit or c.Stop()
    weight = draft.weight + (block_weight(body, program, costs) if body else 0)
    return c.Block(draft.name, body, exit, weight, draft.site)


def _place(frame: Frame, variables: list[c.Var], layout: Layout) -> None:
    """Cells for a frame's variables, sets (which begin at even cells) last."""
    at = frame.base
    for var in sorted(variables, key=lambda v: v.type.form == "set"):
        width = set_cells(var.type.size) if var.type.form == "set" else 1
        at += at & 1 if width > 1 else 0
        var.home = at
        layout.regions.append(Region("frame", f"{frame.name}.{var.name}", at, 1, width))
        at += width
    frame.end = at


def _callers_first(frames: list[Frame]) -> list[Frame]:
    order: list[Frame] = []
    done: set[Frame] = set()

    def visit(frame: Frame) -> None:
        if frame in done:
            return
        done.add(frame)
        for caller in frame.callers:
            visit(caller)
        order.append(frame)

    for frame in frames:
        visit(frame)
    return order


def _outliving(blocks: Blocks, program: c.Program) -> dict[c.Var, Frame]:
    """Variables that are used in more than one block, or by a question: these live in the position."""
    used_in: dict[c.Var, set[int]] = {}
    owner: dict[c.Var, Frame] = {}
    for number, draft in enumerate(blocks.drafts):
        found: set[c.Var] = set()
        variables(tuple(draft.body), found)
        if draft.exit is not None:
            variables(draft.exit, found)
        for var in found:
            used_in.setdefault(var, set()).add(number)
            owner.setdefault(var, draft.frame)
        if isinstance(draft.exit, c.Ask):
            asked: set[c.Var] = set()
            inner: set[c.Var] = set()
            decision = program.decisions[draft.exit.decision]
            variables(decision, asked)
            bound_inside(decision, inner)
            for var in asked - inner:
                used_in.setdefault(var, set()).update((number, -1))
                owner.setdefault(var, draft.frame)
    for text_function in program.functions:
        found = set()
        variables(text_function.body, found)
        for var in found:
            if var in owner and var not in text_function.params:
                used_in[var].add(-2)
    known = {v for f in blocks.frames for v in (f.back, *f.params)}
    return {v: owner[v] for v, where in used_in.items() if len(where) > 1 and v not in known and v.home is None}


def variables(node: object, found: set[c.Var]) -> None:
    """All variables in a piece of core."""
    if isinstance(node, c.Var):
        found.add(node)
    elif isinstance(node, tuple):
        for x in node:
            variables(x, found)
    else:
        for slot in getattr(type(node), "__slots__", ()):
            variables(getattr(node, slot), found)


def bound_inside(node: object, found: set[c.Var]) -> None:
    """Variables that searches and `lets` bind for themselves."""
    if isinstance(node, c.Query):
        found.add(node.var)
    if isinstance(node, c.Let):
        found.add(node.var)
    if isinstance(node, tuple):
        for x in node:
            bound_inside(x, found)
    elif not isinstance(node, c.Var):
        for slot in getattr(type(node), "__slots__", ()):
            bound_inside(getattr(node, slot), found)
