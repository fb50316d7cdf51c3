"""The command `petteia`: finds the verb, runs it, and turns everything that can go wrong into a message and an exit
code.

Exit codes: 0 done; 1 files have errors or a test failed; 2 wrong usage, or something that the system refused; 130
interrupted by Ctrl-C; 141 nobody reads the output any more. Modules are imported when their verb is used: listing
games must not wait for the language.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TextIO

import interpreter
from interpreter.diagnostics import GameError, RuleFault, UsageError, did_you_mean
from interpreter.play import arguments as args
from interpreter.play.arguments import Verb

DONE, FAILED, USAGE, INTERRUPTED, UNREAD = 0, 1, 2, 130, 141

# verb: what it does, the module that does it, its functions for arguments and for running
_VERBS = {
    "list": ("the games, their scenarios and options", "files", "add_list", "run_list"),
    "validate": ("every error and warning in a game's files", "files", "add_validate", "run_validate"),
    "play": ("begin a game", "sittings", "add_play", "play"),
    "resume": ("go on with a saved game", "sittings", "add_resume", "resume"),
    "replay": ("tell and verify a saved game", "sittings", "add_replay", "replay"),
    "simulate": ("play many games between bots and sum them up", "counting", "add_simulate", "run_simulate"),
    "perft": ("count the sequences of choices of a length", "counting", "add_perft", "run_perft"),
    "test": ("run the rule tests of games", "files", "add_tests", "run_tests"),
    "show": ("what is in a game, for reading", "files", "add_show", "run_show"),
    "why": ("why a choice can, or cannot, be taken", "why", "add", "run"),
    "coverage": ("what of the rulebook a game has, and what its tests try", "coverage", "add", "run"),
}
_LATER = ("new", "schema", "fmt", "lsp", "explain", "trace", "mutate", "docs", "impact")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command line (that of the process, if none is given); the exit code."""
    given = list(sys.argv[1:] if argv is None else argv)
    out = _streams()
    try:
        code = _guarded(given, out)
        out.flush()
        return code
    except BrokenPipeError:
        _discard(out)
        return UNREAD
    except OSError as error:  # the output cannot be written, such as to a full disk
        _discard(out)
        _complain(f"cannot write the output ({error.strerror})")
        return USAGE
    except KeyboardInterrupt:
        _complain("interrupted")
        return INTERRUPTED


def _guarded(given: list[str], out: TextIO) -> int:
    """Runs a command line. Raises what `main` still has to catch."""
    try:
        return _run(given, out)
    except SystemExit as stop:  # argparse has printed its help, or rich has found that nobody reads
        return UNREAD if stop.code else DONE
    except UsageError as error:
        _complain(error.message, error.help)
        return USAGE
    except GameError as error:
        from interpreter.rendering import render, summary

        color = args.color(sys.stderr)
        shown = [render(d, color) for d in error.diagnostics]
        _say("\n\n".join([*shown, summary(error.diagnostics)]))
        return FAILED
    except RuleFault as fault:
        _complain(f"{fault.diagnostic.message} ({fault.place})", code=fault.diagnostic.code)
        return FAILED
    except BrokenPipeError:
        raise
    except OSError as error:
        where = f"`{error.filename}`: " if error.filename else ""
        _complain(f"{where}{(error.strerror or str(error)).lower()}")
        return USAGE
    except Exception as error:
        return _other(error)


def _other(error: Exception) -> int:
    """Errors whose classes only come with the modules that raise them; what nobody expected; the exit code."""
    from interpreter.backends.twin import Unequal
    from interpreter.runtime.journal import SaveError

    if isinstance(error, SaveError):
        _complain(error.message, error.help)
        return FAILED
    if isinstance(error, Unequal):
        _complain(f"the backends do not agree: {error}", "please report it", "unequal-backends")
        return FAILED
    if os.environ.get("PETTEIA_DEBUG"):
        raise error
    _complain(
        f"the program has a fault ({type(error).__name__}: {error})", "PETTEIA_DEBUG=1 shows where; please report it"
    )
    return FAILED


def _run(given: list[str], out: TextIO) -> int:
    if not given or given[0] in ("-h", "--help", "help"):
        out.write(_help())
        return DONE if given else USAGE
    if given[0] in ("-V", "--version"):
        out.write(f"petteia {interpreter.__version__}\n")
        return DONE
    name = given[0]
    if name in _LATER:
        raise UsageError(f"`petteia {name}` does not exist yet", "it is planned for a later version")
    if name not in _VERBS:
        hint = did_you_mean(name, _VERBS) or f"verbs: {', '.join(_VERBS)}"
        raise UsageError(f"there is no verb `{name}`", hint)
    text, module, add, run = _VERBS[name]
    home = import_module(f"interpreter.play.{module}")
    found: argparse.Namespace = args.parse(Verb(name, text, getattr(home, add)), given[1:])
    action: Callable[[argparse.Namespace, TextIO], int] = getattr(home, run)
    return action(found, out)


def _help() -> str:
    width = max(map(len, _VERBS))
    verbs = "\n".join(f"  {name:<{width}}  {what[0]}" for name, what in _VERBS.items())
    return f"usage: petteia VERB …\n\n{verbs}\n\n`petteia VERB --help` tells more.\n"


# ---- streams --------------------------------------------------------------------------------------------------------


def _streams() -> TextIO:
    """Standard output, and the other streams made fit: what cannot be shown or read as text is replaced. Where the
    process has no input it is at its end; where it has no output, what is said is lost.
    """
    if sys.stdin is None:
        sys.stdin = io.StringIO()
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - lives as long as the process
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    return sys.stdout


def _discard(out: TextIO) -> None:
    """Lets what is still to be written go nowhere, so that the end of the process does not complain again."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, out.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        return


def _complain(message: str, help: str = "", code: str = "") -> None:
    from interpreter.rendering import clean

    color = args.color(sys.stderr)
    head = f"error[{code}]" if code else "error"
    lines = [("\x1b[1;31m" + head + "\x1b[0m" if color else head) + f": {clean(message)}"]
    if help:
        lines.append(("\x1b[1;32mhelp\x1b[0m" if color else "help") + f": {clean(help)}")
    _say("\n".join(lines))


def _say(text: str) -> None:
    """Prints to standard error, if there is one that takes it."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        return
