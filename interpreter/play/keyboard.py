"""Where a player's lines come from: a terminal with completion, or any other input, whose lines are then shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.output.color_depth import ColorDepth

Complete = Callable[[str], Sequence[str]]
Ask = Callable[[str, Complete], str]  # a prompt and a completer -> the line; raises EOFError or KeyboardInterrupt

LONGEST = 2_000  # characters of a line that anybody means


class Terminal:
    """Lines from a person at a terminal; the tab key completes, the arrow keys bring back what he has typed."""

    def __init__(self, color: bool) -> None:
        self._depth = None if color else ColorDepth.DEPTH_1_BIT
        self.forget()

    def forget(self) -> None:
        """Somebody else sits down: he must not find what was typed before."""
        self._session: PromptSession[str] = PromptSession(color_depth=self._depth)

    def __call__(self, prompt: str, complete: Complete) -> str:
        return self._session.prompt(
            FormattedText([("bold", prompt)]), completer=_Words(complete), complete_while_typing=False
        )


def piped(source: TextIO, out: TextIO) -> Ask:
    """Lines from a file or another program."""

    def ask(prompt: str, complete: Complete) -> str:
        out.write(prompt)
        out.flush()
        line = part = source.readline(LONGEST)
        if not line:
            out.write("\n")
            raise EOFError
        while part and not part.endswith("\n"):  # what is too long is cut off
            part = source.readline(LONGEST)
        line = line.rstrip("\r\n")
        out.write(line + "\n")
        return line

    return ask


class _Words(Completer):
    """Offers the next word; prompt_toolkit wants an object of its own class."""

    def __init__(self, complete: Complete) -> None:
        self.complete = complete

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        text = document.text_before_cursor
        last = re.split(r"[ ,;]", text)[-1]
        for word in self.complete(text):
            yield Completion(word, start_position=-len(last))
