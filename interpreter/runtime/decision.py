"""A question as people and programs see it: who is asked, what there is to choose from, and how choices are written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from interpreter.backends.machine import Pending
from interpreter.core.cells import listed
from interpreter.core.compiled import PRESS_ON
from interpreter.diagnostics import UsageError, did_you_mean
from interpreter.runtime import texts
from interpreter.runtime.choices import Choice
from interpreter.runtime.sightings import closed_to

if TYPE_CHECKING:
    from interpreter.game import Position


@dataclass(eq=False)
class Decision:
    """A question: who is asked, and what there is to choose from."""

    position: Position
    pending: Pending

    @property
    def id(self) -> str:
        """Its stable name."""
        return self.position.compiled.decisions[self.pending.decision].id

    @property
    def seat(self) -> int:
        """Number of the player who is asked."""
        return self.pending.player

    @property
    def player(self) -> str:
        """Id of the player who is asked."""
        return self.position.game.players[self.pending.player]

    @property
    def count(self) -> int:
        """How many choices there are."""
        return self.pending.count

    @property
    def stop(self) -> str | None:
        """The word that stops (`done`, `no`), if one may."""
        return self.position.compiled.program.decisions[self.pending.decision].stop

    @property
    def element(self) -> bool:
        """Whether this step chooses one more member of a set."""
        return self.position.compiled.decisions[self.pending.decision].element

    @property
    def prompt(self) -> str:
        """The question in words; the decision's own text, else that of its only option without what is chosen."""
        number = self.position.compiled.program.decisions[self.pending.decision].text
        return self._text(number, ()) if number >= 0 else ""

    @cached_property
    def choices(self) -> list[Choice]:
        """All candidates in canonical order."""
        made = [self._choice(i, option, values) for i, (option, values) in enumerate(self._candidates())]
        return made if self.stop is None else [*made, self._stopping(len(made))]

    def choice(self, index: int) -> Choice:
        """One of the candidates: quicker where nobody reads the texts of the others."""
        found = next(islice(self._candidates(), index, None), None)
        return self._stopping(index) if found is None else self._choice(index, *found)

    def _stopping(self, index: int) -> Choice:
        assert self.stop is not None
        return Choice(index, self.stop, self.position.language.say(self.stop), -1, ())

    @cached_property
    def ids(self) -> list[str]:
        """The written forms of all candidates in canonical order: quicker where nobody reads their texts."""
        made = [self._written(option, values) for option, values in self._candidates()]
        return made if self.stop is None else [*made, self.stop]

    def _candidates(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Option and values of each candidate; the stop is none of them."""
        for segment in self.pending.segments:
            if segment.last is None:
                yield segment.option, segment.outer
            else:
                for last in listed(segment.last):
                    yield segment.option, (*segment.outer, last)

    def _written(self, option: int, values: tuple[int, ...]) -> str:
        info = self.position.compiled.decisions[self.pending.decision].options[option]
        return " ".join([info.name, *(texts.thing_id(v, t) for v, t in zip(values, info.binders, strict=True))])

    def _choice(self, index: int, option: int, values: tuple[int, ...]) -> Choice:
        info = self.position.compiled.decisions[self.pending.decision].options[option]
        number = self.position.compiled.program.decisions[self.pending.decision].options[option].text
        written = self._written(option, values)
        if number < 0:
            world, language = self.position.compiled.world, self.position.language
            shown = [texts.show(v, t, world, language) for v, t in zip(values, info.binders, strict=True)]
            said = ", ".join(shown) or language.say("press on" if info.name == PRESS_ON else info.name)
            return Choice(index, written, said, option, values)
        return Choice(index, written, self._text(number, values), option, values)

    def _text(self, number: int, values: tuple[int, ...]) -> str:
        info, position = self.position.compiled.texts[number], self.position
        filled = [position.evaluate(f, values) for f in info.functions]
        hidden = {
            i
            for i, (value, ty) in enumerate(zip(filled, info.types, strict=True))
            if closed_to(position.compiled, position.evaluate, self.seat, value, ty)
        }
        return texts.fill(info.template, filled, info.types, position.compiled, position.language, hidden)

    def find(self, written: str) -> Choice:
        """The choice of that written form; the leading id may be left out. Raises UsageError with a hint."""
        words, ids = " ".join(written.split()), self.ids
        found = [i for i, x in enumerate(ids) if x == words]
        if not found:
            found = [i for i, x in enumerate(ids) if x.partition(" ")[2] == words and words]
        if not found and words == f"{self.id} {self.stop}":
            found = [len(ids) - 1]
        if len(found) == 1:
            return self.choice(found[0])
        if found:
            meant = ", ".join(ids[i] for i in found[:6])
            raise UsageError(f"`{words}` can mean several things", f"write one of: {meant}")
        hint = did_you_mean(words, ids)
        raise UsageError(f"`{words}` is not among the choices", hint or f"for example `{ids[0]}`")
