"""What is wrong, as data: a code, a place, a message and a way to mend it. How it looks is the affair of `rendering`.

Messages follow one style: lower case, no full stop at the end, code in backticks, the smallest span that shows the
problem, one message a mistake. The message says what is; only `help` says what to do.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from interpreter.source import Span

ERROR = "error"
WARNING = "warning"
INFO = "info"


@dataclass(frozen=True, slots=True)
class Note:
    """A second place that explains the first ("declared here"); without a span, a plain remark."""

    text: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `code` names its kind for ever (`unknown-name`); `label` stands beside the caret."""

    code: str
    message: str
    span: Span | None
    label: str = ""
    notes: tuple[Note, ...] = ()
    help: str = ""
    severity: str = ERROR
    rule: str = ""


@dataclass
class Bag:
    """Collects the findings of all stages; a stage goes on after an error to find as many as it can."""

    items: list[Diagnostic] = field(default_factory=list)

    def error(
        self, code: str, message: str, span: Span | None, *, label: str = "", notes: Iterable[Note] = (), help: str = ""
    ) -> None:
        """Records an error."""
        self.items.append(Diagnostic(code, message, span, label, tuple(notes), help))

    def warn(
        self, code: str, message: str, span: Span | None, *, label: str = "", notes: Iterable[Note] = (), help: str = ""
    ) -> None:
        """Records a warning: the game can be played, but the author probably meant something else."""
        self.items.append(Diagnostic(code, message, span, label, tuple(notes), help, WARNING))

    @property
    def has_errors(self) -> bool:
        """Whether anything was recorded that stops the game from being played."""
        return any(d.severity == ERROR for d in self.items)

    def __iter__(self) -> Iterator[Diagnostic]:
        """In order of file, place and code; the same finding twice counts once."""
        seen: dict[tuple[str, int, str, str], Diagnostic] = {}
        for d in self.items:
            path, start = (d.span.source.path, d.span.start) if d.span else ("", -1)
            seen.setdefault((path, start, d.code, d.message), d)
        return iter([seen[key] for key in sorted(seen)])


class GameError(Exception):
    """Carries findings out of a stage that cannot go on; the program prints them and ends with exit code 1."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = list(diagnostics)
        super().__init__("; ".join(f"{d.span or ''}: {d.message}" for d in self.diagnostics[:3]))


class UsageError(Exception):
    """A name, option or choice that does not exist: the caller's mistake, with a hint in `help`."""

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.help = help


class RuleFault(Exception):
    """A rule could not be carried out (an endless loop, a number out of range …); nothing was changed."""

    def __init__(self, diagnostic: Diagnostic, place: str) -> None:
        super().__init__(f"{place}: {diagnostic.message}")
        self.diagnostic = diagnostic
        self.place = place


def nearest(name: str, known: Iterable[str], limit: int = 3) -> list[str]:
    """Known names that look like `name`, the likeliest first, at most `limit`; for "did you mean"."""
    names = sorted(set(known))
    close = difflib.get_close_matches(name, names, n=limit, cutoff=0.6)
    if not close:  # a transposed or shortened word of a longer name
        close = [n for n in names if len(name) > 2 and (n.startswith(name) or name.startswith(n))][:limit]
    return close


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The sentence for `help`, empty if nothing is near."""
    close = nearest(name, known)
    if not close:
        return ""
    return "did you mean " + " or ".join(f"`{c}`" for c in close) + "?"
