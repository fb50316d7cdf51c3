"""Random games of I am Spartacus! with each option alone, and with all optional rules, come to an end without a fault.

`petteia simulate spartacus --games 1000 --option …` plays more; `--check --backend both` looks at every position.
"""

from __future__ import annotations

import pytest

from interpreter import load
from interpreter.core import header
from interpreter.game import first_block

GAME = "spartacus"
LONGEST = 20_000  # statements; no game comes near it
GAMES = 20


def choices() -> list[dict[str, bool]]:
    """No option, all rules of section 14, and each option with those that it needs."""
    options = load(GAME).definition.options
    needs = {o.name.text: [n.text for n in o.needs] for o in options}
    optional = {o.name.text: True for o in options if o.citation.rule.startswith("14")}
    return [{}, optional, *({name: True, **dict.fromkeys(needed, True)} for name, needed in needs.items())]


@pytest.mark.parametrize("options", choices(), ids=lambda o: "+".join(o) or "none")
def test_games_end(options: dict[str, bool]) -> None:
    game = load(GAME)
    compiled = game.compiled(None, options)
    machine = game.machine(compiled, "python")
    for seed in range(1, GAMES + 1):
        block = first_block(compiled, seed)
        machine.playout(block, seed, LONGEST)
        assert memoryview(block).cast("i")[header.STATUS] == 1, seed
