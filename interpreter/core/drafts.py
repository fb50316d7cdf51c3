"""Blocks under construction: what statements of pausing effects are added to, and how the finished ones are made few
and long.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from interpreter.core import nodes as c

Renumber = Callable[[int], int]


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


@dataclass(frozen=True, slots=True, eq=False)
class ReturnTo:
    """Stands in a draft for noting the block to return to, until blocks have their last numbers."""

    back: c.Var
    block: int


@dataclass(frozen=True, slots=True, eq=False)
class ClearFrame:
    """Stands in a draft for the clearing of a frame whose place is not known yet."""

    frame: Frame


DraftStmt = c.Stmt | ReturnTo | ClearFrame


@dataclass(eq=False)
class Draft:
    """A block under construction. `leave`: it ends its effect."""

    name: str
    frame: Frame
    body: list[DraftStmt] = field(default_factory=list)
    exit: c.Exit | None = None
    leave: bool = False
    call: tuple[Frame, int] | None = None  # it calls an effect, and play goes on in that block
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
        return self.draft.exit is None and not self.draft.leave and self.draft.call is None

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

    def call(self, frame: Frame, after: int) -> None:
        """Ends the current block with the call of an effect; play goes on in block `after`."""
        if self.open:
            self.draft.call = (frame, after)

    def enter(self, number: int) -> None:
        """Goes on with another block."""
        self.here = number


def simplify(blocks: Blocks, program: c.Program) -> list[Draft]:
    """The blocks that are needed, in order, with their last numbers: empty ones are jumped over, a block that only one
    other jumps to is joined to it. Decisions and the program's start are renumbered too.
    """
    drafts = blocks.drafts
    for draft in drafts:
        if isinstance(draft.exit, c.Branch) and isinstance(draft.exit.cond, c.Const):
            draft.exit = c.Jump(draft.exit.then if draft.exit.cond.value else draft.exit.other)
    final = [_over(i, drafts) for i in range(len(drafts))]
    for draft in drafts:
        _retarget(draft, lambda n: final[n])
    _renumber_decisions(program, lambda n: final[n])
    program.start = final[program.start]
    _join(drafts, program)
    reached = sorted(_reached(drafts, program))
    number = {old: new for new, old in enumerate(reached)}
    for old in reached:
        _retarget(drafts[old], lambda n: number[n])
    _drop_decisions([drafts[old] for old in reached], program)
    _renumber_decisions(program, lambda n: number[n])
    program.start = number[program.start]
    return [drafts[old] for old in reached]


def _over(number: int, drafts: list[Draft]) -> int:
    """The block that play comes to from a block, over those that do nothing."""
    seen = set()
    while number not in seen:
        seen.add(number)
        draft = drafts[number]
        if draft.body or draft.weight or not isinstance(draft.exit, c.Jump):
            break
        number = draft.exit.target
    return number


def _retarget(draft: Draft, to: Renumber) -> None:
    match draft.exit:
        case c.Jump(target):
            draft.exit = c.Jump(to(target))
        case c.Branch(cond, then, other):
            draft.exit = c.Branch(cond, to(then), to(other))
    draft.body = [ReturnTo(x.back, to(x.block)) if isinstance(x, ReturnTo) else x for x in draft.body]


def _renumber_decisions(program: c.Program, to: Renumber) -> None:
    for i, d in enumerate(program.decisions):
        options = tuple(replace(o, target=to(o.target)) for o in d.options)
        program.decisions[i] = replace(d, options=options, otherwise=to(d.otherwise))


def _drop_decisions(kept: list[Draft], program: c.Program) -> None:
    """Decisions that are never asked lead nowhere: their targets may be gone."""
    asked = {d.exit.decision for d in kept if isinstance(d.exit, c.Ask)}
    for i, d in enumerate(program.decisions):
        if i not in asked:
            program.decisions[i] = replace(d, options=(), otherwise=program.start)


def _targets(draft: Draft, program: c.Program) -> list[int]:
    found: list[int] = []
    match draft.exit:
        case c.Jump(target):
            found.append(target)
        case c.Branch(_, then, other):
            found += [then, other]
        case c.Ask(decision):
            d = program.decisions[decision]
            found += [*(o.target for o in d.options), d.otherwise]
    found += [x.block for x in draft.body if isinstance(x, ReturnTo)]
    return found


def _reached(drafts: list[Draft], program: c.Program) -> set[int]:
    reached: set[int] = set()
    todo = [program.start]
    while todo:
        number = todo.pop()
        if number not in reached:
            reached.add(number)
            todo += _targets(drafts[number], program)
    return reached


def _join(drafts: list[Draft], program: c.Program) -> None:
    ways: dict[int, int] = {program.start: 1}
    for number in _reached(drafts, program):
        for target in _targets(drafts[number], program):
            ways[target] = ways.get(target, 0) + 1
    for number in sorted(_reached(drafts, program)):
        draft = drafts[number]
        while isinstance(draft.exit, c.Jump):
            after = drafts[draft.exit.target]
            if after is draft or ways[draft.exit.target] != 1 or after.weight or isinstance(after.exit, c.Ask):
                break
            if after.leave and draft.frame is not after.frame:
                break  # a return must know its own frame
            draft.body += after.body
            draft.exit, draft.leave = after.exit, after.leave
