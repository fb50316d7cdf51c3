"""Pausing effects as state machines: blocks under construction, frames, and where variables live that must outlive a
question.

Calls are acyclic, so at most one call of an effect is under way at a time: each pausing effect has one frame at a fixed
place, behind the frames of all its callers. Effects that never call each other share cells.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from interpreter.core import nodes as c
from interpreter.core.cost import block_weight
from interpreter.core.drafts import Blocks, ClearFrame, Draft, DraftStmt, Frame, ReturnTo, simplify
from interpreter.core.layout import FrameInfo, Frames, Layout, Region, set_cells
from interpreter.lang.types import Ty


def finish(
    blocks: Blocks, program: c.Program, layout: Layout, costs: dict[int, int], types: Mapping[c.Var, Ty]
) -> Frames:
    """Gives homes to variables, places the frames and puts the finished blocks into the program; gives the frames.

    `types`: what variables hold, as far as it is an entity or a set of some.
    """
    owner = _owners(blocks, program)
    returns = _tie_calls(blocks)
    kept = simplify(blocks, program)
    by_frame: dict[Frame, list[c.Var]] = {f: [] for f in blocks.frames}
    for frame in blocks.frames:
        if frame in returns:
            by_frame[frame] = [frame.back, *frame.params]
    for var in _outliving(kept, program):
        if var.home is None and var in owner and var not in by_frame[owner[var]]:
            by_frame[owner[var]].append(var)
    for frame in _callers_first(blocks.frames):
        start = max((caller.end for caller in frame.callers), default=layout.end)
        frame.base = start + (start & 1)
        _place(frame, by_frame[frame], layout, types)
    program.cells = max([layout.end, *(f.end for f in blocks.frames)])
    program.cells += program.cells & 1
    for draft in kept:
        program.blocks.append(_finished(draft, program, costs))
    return _told(blocks.frames, kept, returns, layout)


def _told(frames: list[Frame], kept: list[Draft], returns: set[Frame], layout: Layout) -> Frames:
    """What is to be known of frames when play has paused."""
    number = {frame: i for i, frame in enumerate(frames)}
    infos = []
    for frame in frames:
        regions = tuple(r for r in layout.regions if r.what == "frame" and r.frame is frame)
        caller = number[frame.callers[0]] if frame.callers else -1
        back = frame.back.home if frame in returns and frame.back.home is not None else -1
        infos.append(FrameInfo(frame.name, regions, caller, back))
    return Frames(tuple(infos), tuple(number[draft.frame] for draft in kept))


def _tie_calls(blocks: Blocks) -> set[Frame]:
    """Turns calls and returns into jumps.

    An effect that is called in one place knows where to return; the others, which are given back, keep it in their
    frame.
    """
    calls: dict[Frame, list[Draft]] = {}
    for draft in blocks.drafts:
        if draft.call is not None:
            calls.setdefault(draft.call[0], []).append(draft)
    several = {frame for frame, where in calls.items() if len(where) > 1}
    for frame, where in calls.items():
        for draft in where:
            assert draft.call is not None
            if frame in several:
                draft.body.append(ReturnTo(frame.back, draft.call[1]))
            draft.exit = c.Jump(frame.entry)
    for draft in blocks.drafts:
        if draft.leave and draft.frame not in several and draft.frame in calls:
            call = calls[draft.frame][0].call
            assert call is not None
            draft.body.append(ClearFrame(draft.frame))
            draft.exit = c.Jump(call[1])
            draft.leave = False
    return several


def _finished(draft: Draft, program: c.Program, costs: dict[int, int]) -> c.Block:
    body = tuple(_placed(x) for x in draft.body if not (isinstance(x, ClearFrame) and x.frame.end == x.frame.base))
    exit: c.Exit
    if draft.leave:
        home = draft.frame.back.home
        assert home is not None
        exit = c.Leave(home, draft.frame.base, draft.frame.end - draft.frame.base)
    else:
        exit = draft.exit or c.Stop()
    weight = draft.weight + (block_weight(body, program, costs) if body else 0)
    return c.Block(draft.name, body, exit, weight, draft.site)


def _placed(node: DraftStmt) -> c.Stmt:
    if isinstance(node, ClearFrame):
        return c.Clear(node.frame.base, node.frame.end - node.frame.base)
    if isinstance(node, ReturnTo):
        return c.Let(node.back, c.Const(node.block))
    return node


def _place(frame: Frame, variables: list[c.Var], layout: Layout, types: Mapping[c.Var, Ty]) -> None:
    """Cells for a frame's variables, sets (which begin at even cells) last."""
    at = frame.base
    for var in sorted(variables, key=lambda v: v.type.form == "set"):
        width = set_cells(var.type.size) if var.type.form == "set" else 1
        at += at & 1 if width > 1 else 0
        var.home = at
        layout.regions.append(Region("frame", f"{frame.name}.{var.name}", at, 1, width, of=types.get(var), frame=frame))
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


def _owners(blocks: Blocks, program: c.Program) -> dict[c.Var, Frame]:
    """The frame of the effect that each variable belongs to."""
    owner: dict[c.Var, Frame] = {}
    for frame in blocks.frames:
        owner.update(dict.fromkeys((frame.back, *frame.params), frame))
    for draft in blocks.drafts:
        found: dict[c.Var, None] = {}
        variables(tuple(draft.body), found)
        if draft.exit is not None:
            variables(draft.exit, found)
        if isinstance(draft.exit, c.Ask):
            variables(program.decisions[draft.exit.decision], found)
        for var in found:
            owner.setdefault(var, draft.frame)
    return owner


def _outliving(kept: list[Draft], program: c.Program) -> list[c.Var]:
    """Variables that are used in more than one block, or by a question: these live in the position."""
    used_in: dict[c.Var, set[int]] = {}
    for number, draft in enumerate(kept):
        found: dict[c.Var, None] = {}
        variables(tuple(draft.body), found)
        if draft.exit is not None:
            variables(draft.exit, found)
        for var in found:
            used_in.setdefault(var, set()).add(number)
        if isinstance(draft.exit, c.Ask):
            asked: dict[c.Var, None] = {}
            inner: dict[c.Var, None] = {}
            decision = program.decisions[draft.exit.decision]
            variables(decision, asked)
            bound_inside(decision, inner)
            for var in (v for v in asked if v not in inner):
                used_in.setdefault(var, set()).update((number, -1))
    for text_function in program.functions:
        found = {}
        variables(text_function.body, found)
        for var in found:
            if var in used_in and var not in text_function.params:
                used_in[var].add(-2)
    return [v for v, where in used_in.items() if len(where) > 1]


def variables(node: object, found: dict[c.Var, None]) -> None:
    """All variables in a piece of core, in the order of their first use: places in the position depend on it."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        kind = here.__class__
        if kind is c.Var:
            found.setdefault(cast(c.Var, here))
        elif kind is tuple:
            waiting.extend(reversed(cast(tuple[object, ...], here)))
        else:
            waiting.extend([getattr(here, slot) for slot in getattr(kind, "__slots__", ())[::-1]])


def bound_inside(node: object, found: dict[c.Var, None]) -> None:
    """Variables that searches and `lets` bind for themselves."""
    if isinstance(node, c.Query):
        found.setdefault(node.var)
    if isinstance(node, c.Let):
        found.setdefault(node.var)
    if isinstance(node, tuple):
        for x in node:
            bound_inside(x, found)
    elif not isinstance(node, c.Var):
        for slot in getattr(type(node), "__slots__", ()):
            bound_inside(getattr(node, slot), found)
