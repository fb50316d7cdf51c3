"""Time as a benchmark on a shared machine needs it: processor seconds, many short runs, medians.

Waiting for a processor that others use says nothing about a program, so all figures but those of a user's wait (which
are named `elapsed`) are processor time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Took:
    """Seconds of one run: on the processor, and by the clock."""

    seconds: float
    elapsed: float


def took(act: Callable[[], object]) -> Took:
    """Runs something in this process, and says how long it took."""
    begun, at = time.process_time(), time.perf_counter()
    act()
    return Took(time.process_time() - begun, time.perf_counter() - at)


def child(command: Sequence[str], env: Mapping[str, str] | None = None) -> tuple[Took, str]:
    """Runs a program to its end; how long it took, and what it wrote. Raises CalledProcessError."""
    before, at = os.times(), time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=env, cwd=ROOT)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return Took(spent, time.perf_counter() - at), done.stdout


def python(code: str, *arguments: str, env: Mapping[str, str] | None = None) -> tuple[Took, str]:
    """Runs Python text in a fresh process."""
    return child([sys.executable, "-c", code, *arguments], env)


def environment(cache: Path) -> dict[str, str]:
    """The environment of a process whose caches lie in a folder of their own."""
    return {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}


def middle(runs: Sequence[Took]) -> Took:
    """The medians of several runs."""
    return Took(median(run.seconds for run in runs), median(run.elapsed for run in runs))


def rounded(value: float) -> float:
    """Three figures."""
    return float(f"{value:.3g}")
