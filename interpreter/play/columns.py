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
            room = width - 2 - digits - 2
            if len(cells) == 1 and cell_len(label) > room:
                label = "\n".join(_broken(label, room, 2 + digits + 2))
            line.append("  " + label)
            if column < len(cells) - 1:
                line.append(" " * (widths[column] - cell_len(label) - digits - 2 + GAP))
        lines.append(line)
    return lines


def _broken(label: str, room: int, indent: int) -> list[str]:
    """A label that is too long for a line, what follows below its beginning."""
    lines = [""]
    for word in label.split(" "):
        if lines[-1] and cell_len(lines[-1]) + 1 + cell_len(word) > room:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return [lines[0], *(" " * indent + line for line in lines[1:])]


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
