"""Where statements stand in an effect that asks."""

from __future__ import annotations

from collections.abc import Callable as Maker
from dataclasses import (
    dataclass,
    field,
    replace,
)

from interpreter.core import nodes as c
from interpreter.core.drafts import Blocks, Frame
from interpreter.core.lower import stmt as st
from interpreter.core.lower.context import Asked, Context, Env
from interpreter.lang import nodes as n
from interpreter.source import Span


@dataclass(eq=False)
class Flow:
    """Where statements of a pausing effect stand. `out`: the block behind the innermost loop, for `break`."""

    place: st.Place
    frame: Frame
    blocks: Blocks
    lower: Maker[[n.Body, Flow], None]  # `lower_statements`, which questions need for their bodies
    frames: dict[str, Frame] = field(default_factory=dict)
    out: int = -1
    settler: Maker[[Flow], None] | None = None  # none while settling, and in games that have nothing to settle
    passing: int = -1  # the block to which `pass` leads
    end: int = -1  # the block to which `return` leads in a text that is no effect of its own
    turn_scenes: int = 0  # scenes that were open when the turn began which `pass` ends

    @property
    def ctx(self) -> Context:
        return self.place.ctx

    @property
    def env(self) -> Env:
        return self.place.env

    def inner(self, out: int | None = None) -> Flow:
        """A block of statements inside this one; with `out`, the body of a loop that ends there."""
        place = self.place.inner() if out is None else self.place.loop()
        return replace(self, place=place, out=self.out if out is None else out)

    def statements(self, body: n.Body) -> None:
        """Adds statements to the current block, cutting where play pauses."""
        self.lower(body, self)

    def settle(self) -> None:
        """Settles at the current point."""
        if self.settler is not None:
            self.settler(self)

    def block(self, name: str) -> int:
        return self.blocks.new(f"{self.frame.name}: {name}", self.frame)


def note_asked(
    node: n.Choose | n.ForChosen, alternatives: list[tuple[str, Env]], flow: Flow, seen: c.Var | None = None
) -> None:
    """Remembers the question that was asked last, with the names in force in its alternatives, for `why`."""
    words, envs = tuple(word for word, _ in alternatives), tuple(env for _, env in alternatives)
    flow.ctx.asked.append(Asked(len(flow.ctx.program.decisions) - 1, node, words, envs, flow.env, seen))


def loop_head(name: str, span: Span, flow: Flow) -> int:
    """A block that counts a step each time it is entered: the head of a loop that is cut."""
    head = flow.block(name)
    draft = flow.blocks.drafts[head]
    draft.weight, draft.site = 1, st.loop_site(span, flow.ctx)
    flow.blocks.go(head)
    flow.blocks.enter(head)
    return head
