"""Lists in columns that fit the terminal, numbered or not; wide characters count double."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text

GAP = 3  # cells between columns


def numbered(labels: Sequence[str], width: int, first: int = 1) -> list[Text]:
    """Lines of a list in as few lines as fit, down the columns, each label behind its number."""
    digits = len(str(first + len(labels) - 1))
    rows: list[list[tuple[str, str]]] = []
    count, widths = _shape([cell_len(s) + digits + 2 for s in labels], width)
    for row in range(count):
        places = range(row, len(labels), count)
        rows.append([(f"{first + i:>{digits}}", labels[i]) for i in places])
    lines = []
    for cells in rows:
        line = Text("  ", end="")
        for column, (number, label) in enumerate(cells):
            line.append(number, style="bold cyan")
            line.append("  " + label)
            if column < len(cells) - 1:
                line.append(" " * (widths[column] - cell_len(label) - digits - 2 + GAP))
        lines.append(line)
    return lines


def _shape(sizes: Sequence[int], width: int) -> tuple[int, list[int]]:
    """The fewest lines in which labels of these sizes fit, and the widths of the columns then; few stay in one."""
    if not sizes:
        return 0, []
    count = 1 if len(sizes) > 6 else len(sizes)
    while True:
        widths = [max(sizes[i : i + count]) for i in range(0, len(sizes), count)]
        if count >= len(sizes) or 2 + sum(widths) + GAP * (len(widths) - 1) <= width:
            return count, widths
        count += 1
