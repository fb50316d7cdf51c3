"""`python -m interpreter`: the same as the command `petteia`."""

from __future__ import annotations

import sys

from interpreter.play.cli import main

if __name__ == "__main__":  # worker processes import this module too
    sys.exit(main())
