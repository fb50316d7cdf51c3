"""What is in play in a position: by the scenario, of a campaign by the one that is on."""

from __future__ import annotations

from interpreter.core.compiled import Compiled
from interpreter.graph import Graph
from interpreter.lang.world import Kind


def stage(compiled: Compiled, cells: memoryview) -> int:
    """The number of the scenario that is on."""
    field = compiled.world.stage
    if field is None or len(compiled.left_out) == 1:
        return 0
    return cells[compiled.layout.fields[field].base]


def takes_part(compiled: Compiled, cells: memoryview, kind: Kind, index: int) -> bool:
    """Whether the scenario that is on does not leave an entity out."""
    out = compiled.left_out[stage(compiled, cells)] if compiled.left_out else {}
    return not out.get(kind, 0) >> index & 1


def graph(compiled: Compiled, cells: memoryview) -> Graph:
    """The map as it is in the scenario that is on."""
    return compiled.program.graphs[compiled.graph_of[stage(compiled, cells)]]
