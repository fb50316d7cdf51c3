"""The command line's words: verbs, flags and their values, with a hint for every one that does not exist."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, TextIO

from interpreter.diagnostics import UsageError, did_you_mean

_TRUE = ("true", "yes", "on", "1")
_FALSE = ("false", "no", "off", "0")


@dataclass(frozen=True)
class Verb:
    """A verb of `petteia`: what it does in a line, and its arguments."""

    name: str
    text: str
    add: Callable[[argparse.ArgumentParser], None]


class Parser(argparse.ArgumentParser):
    """argparse whose complaints are ours."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(_plain(message), f"`{self.prog} --help` lists what may be given")


def parse(verb: Verb, argv: Sequence[str]) -> argparse.Namespace:
    """The arguments of a verb. Raises UsageError; SystemExit for `--help`."""
    parser = Parser(f"petteia {verb.name}", description=verb.text, allow_abbrev=False)
    verb.add(parser)
    found, rest = parser.parse_known_args(list(argv))
    for one in rest:
        if one.startswith("-") and one != "-":
            flags = [flag for action in parser._actions for flag in action.option_strings if flag.startswith("--")]
            name = one.partition("=")[0]
            help = did_you_mean(name, flags) or f"`petteia {verb.name} --help` lists what may be given"
            raise UsageError(f"`petteia {verb.name}` has no flag `{name}`", help)
        raise UsageError(f"`{one}` is one argument too many", f"`petteia {verb.name} --help` lists what may be given")
    return found


def _plain(message: str) -> str:
    """argparse's words in our style: `argument --seed: …` becomes "`--seed`: …"."""
    if message.startswith("argument "):
        name, _, what = message.removeprefix("argument ").partition(": ")
        return f"`{name}`: {'a value is missing' if what == 'expected one argument' else what}"
    if message.startswith("the following arguments are required: "):
        names = message.removeprefix("the following arguments are required: ").split(", ")
        return " and ".join(f"`{name}`" for name in names) + (" is missing" if len(names) == 1 else " are missing")
    return message


# ---- values ---------------------------------------------------------------------------------------------------------


def whole(low: int, high: int = 2**63 - 1) -> Callable[[str], int]:
    """A whole number in a range."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"`{text[:40]}` is no whole number") from None
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text[:40]} is not from {low} to {high}")
        return value

    return read


def one_of(*known: str) -> Callable[[str], str]:
    """One of some words."""

    def read(text: str) -> str:
        if text not in known:
            hint = did_you_mean(text, known) or f"one of: {', '.join(known)}"
            raise argparse.ArgumentTypeError(f"there is no `{text}` ({hint})")
        return text

    return read


def setting(text: str) -> tuple[str, bool]:
    """`K=V` of `--option`; `true`, `yes` and `on` mean the same, and so do `false`, `no` and `off`."""
    name, equals, value = text.partition("=")
    low = value.strip().lower()
    if not equals or low not in _TRUE + _FALSE:
        raise argparse.ArgumentTypeError(f"`{text}` does not set an option (write `{name or 'name'}=yes` or `=no`)")
    return name.strip(), low in _TRUE


def settings(given: Sequence[tuple[str, bool]]) -> dict[str, bool]:
    """The options as set; none of them twice with different values. Raises UsageError."""
    found: dict[str, bool] = {}
    for name, value in given:
        if found.setdefault(name, value) != value:
            raise UsageError(f"the option `{name}` is set to both yes and no", "keep one of them")
    return found


def default_backend() -> str:
    """The backend of verbs that play much: `wasm` if it is installed."""
    from importlib.util import find_spec

    return "wasm" if find_spec("wasmtime") is not None else "python"


# ---- flags that several verbs share ------------------------------------------------------------------------------


def add_game(parser: argparse.ArgumentParser, scenario: str = "the game's first if not given") -> None:
    """GAME and what it is started with."""
    parser.add_argument("game", metavar="GAME", help="name of a shipped game, or a game's folder")
    parser.add_argument("--scenario", metavar="S", help=f"the scenario; {scenario}")
    add_options(parser)


def add_options(parser: argparse.ArgumentParser) -> None:
    """`--option`."""
    text = "set an option of the game: `yes` or `no`; may be given several times"
    parser.add_argument("--option", metavar="K=V", type=setting, action="append", default=[], help=text)


def add_backend(parser: argparse.ArgumentParser, default: str) -> None:
    """`--backend`."""
    text = f"what runs the rules: python, wasm, or both, which then must agree at every step; {default} if not given"
    parser.add_argument("--backend", metavar="B", type=one_of("python", "wasm", "both"), help=text)


def add_bots(parser: argparse.ArgumentParser) -> None:
    """`--bot`."""
    text = "let a bot play a side, for example `random`; may be given several times"
    parser.add_argument("--bot", metavar="SIDE=NAME", action="append", default=[], help=text)


def add_max_plies(parser: argparse.ArgumentParser, text: str) -> None:
    """`--max-plies`."""
    parser.add_argument("--max-plies", metavar="N", type=whole(1, 2**31 - 1), help=text)


def add_sitting(parser: argparse.ArgumentParser) -> None:
    """How a game is played: at the table or by another program."""
    add_bots(parser)
    add_max_plies(parser, "stop after so many plies")
    parser.add_argument("--lang", metavar="L", help="language of texts, such as `ko`")
    protocol = "`jsonl`: one JSON object a line on standard input and output, for other programs"
    parser.add_argument("--protocol", metavar="P", type=one_of("jsonl"), help=protocol)
    parser.add_argument("--seat", metavar="SIDE", help="with --protocol: play this side only, and see what it sees")
    add_backend(parser, "python")


def path(text: str) -> Path:
    """The path of a file."""
    if not text or "\0" in text:
        raise argparse.ArgumentTypeError("this is no name of a file")
    return Path(text)


def color(stream: TextIO | None) -> bool:
    """Whether colours may be sent: only to a terminal, not where `NO_COLOR` is set, not to a dumb terminal."""
    if stream is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def seat_of(side: str, players: list[str]) -> int:
    """The seat of a side as typed. Raises UsageError."""
    if side not in players:
        raise UsageError(f"there is no side `{side}`", did_you_mean(side, players) or f"sides: {', '.join(players)}")
    return players.index(side)
