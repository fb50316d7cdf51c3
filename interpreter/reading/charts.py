"""Charts: lookup tables by one or two keys, tables with columns whose rows are entities, and sums of labelled parts."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.diagnostics import Bag
from interpreter.reading import parts
from interpreter.reading import yamltree as tree
from interpreter.reading.model import EntityDef, FieldDef, KindDef, RowsDef, SumDef, SumPart, TableDef
from interpreter.reading.yamltree import Map, Node, Scalar, Seq
from interpreter.source import Name


def tables(nodes: Iterable[Node | None], bag: Bag) -> tuple[TableDef, ...]:
    """The lookup tables of several maps from names to tables."""
    found = []
    for key, value in _entries(nodes):
        if tree.get(value, "columns") is None and (made := _table(key, value, bag)):
            found.append(made)
    return tuple(found)


def row_tables(
    nodes: Iterable[Node | None], bag: Bag
) -> tuple[tuple[RowsDef, ...], tuple[KindDef, ...], tuple[EntityDef, ...]]:
    """Tables with columns, with the kinds of their rows and these rows as entities of it."""
    names: list[RowsDef] = []
    kinds: list[KindDef] = []
    rows: list[EntityDef] = []
    for key, value in _entries(nodes):
        columns = tree.get(value, "columns")
        if columns is None:
            continue
        kind = parts.name(value, "kind") or Name(f"{key.raw}_row", key.span)
        names.append(RowsDef(key.name, kind))
        fields = tuple(
            FieldDef(k.name, text, parts.reach(k, v), constant=True)
            for k, v in parts.entries(columns)
            if (text := parts.effect(v, bag)) is not None
        )
        kinds.append(KindDef(kind, parts.reach(key, value), title=parts.string(value, "title"), fields=fields))
        for row in parts.items(tree.get(value, "rows")):
            if isinstance(row, Seq) and (made := _row(row, kind, fields, value, bag)):
                rows.append(made)
    return tuple(names), tuple(kinds), tuple(rows)


def sums(nodes: Iterable[Node | None], bag: Bag) -> tuple[SumDef, ...]:
    """Functions that add up labelled parts."""
    found = []
    for key, value in _entries(nodes):
        takes = tuple(
            (k.name, text)
            for k, v in parts.entries(tree.get(value, "takes"))
            if (text := parts.effect(v, bag)) is not None
        )
        tree.get(value, "gives")
        made = tuple(p for one in parts.maps(tree.get(value, "sum")) if (p := _part(one, bag)))
        found.append(SumDef(key.name, parts.reach(key, value), takes, made, parts.citation(value)))
    return tuple(found)


def _entries(nodes: Iterable[Node | None]) -> Iterable[tuple[Scalar, Map]]:
    for node in nodes:
        for key, value in parts.entries(node):
            if isinstance(value, Map):
                yield key, value


def _part(node: Map, bag: Bag) -> SumPart | None:
    value = parts.effect(tree.get(node, "part"), bag)
    when = parts.effect(tree.get(node, "when"), bag)
    if value is None:
        return None
    return SumPart(value, node.span, when, parts.string(node, "text"), parts.citation(node))


def _table(key: Scalar, node: Map, bag: Bag) -> TableDef | None:
    by = tuple((k.name, _scalars(v)) for k, v in parts.entries(tree.get(node, "by")))
    gives = parts.effect(tree.get(node, "gives"), bag)
    row, rows = tree.get(node, "row"), tree.get(node, "rows")
    if gives is None:
        return None
    wanted = "row" if len(by) == 1 else "rows"
    given = row if wanted == "row" else rows
    if given is None or (row is not None and rows is not None):
        has = "one key" if len(by) == 1 else "two keys"
        form = "`row:`, a list with a value for each entry" if len(by) == 1 else "`rows:`, a list of rows"
        bag.error("table-rows", f"the table `{key.raw}` has {has}", key.span, help=f"give its values as {form}")
        return None
    lines = (given,) if wanted == "row" else parts.items(given)
    cells = []
    for line in lines:
        if not isinstance(line, Seq):
            bag.error("wrong-type", "expected a row, a list of values", line.span, help="write `[1, 2, 3]`")
            return None
        cells.append(line.items)
    doubtful = tree.get(node, "doubtful")
    doubts: tuple[tuple[Scalar, ...], ...] = ()
    if isinstance(doubtful, Map):
        doubts = tuple(_scalars(one) for one in parts.items(tree.get(doubtful, "cells")))
    return TableDef(
        key.name,
        parts.reach(key, node),
        by,
        gives,
        tuple(cells),
        parts.string(node, "title"),
        parts.citation(node),
        doubts,
        parts.string(doubtful, "source") if isinstance(doubtful, Map) else "",
    )


def _scalars(node: Node) -> tuple[Scalar, ...]:
    if isinstance(node, Scalar):
        return (node,)
    return tuple(item for item in parts.items(node) if isinstance(item, Scalar))


def _row(row: Seq, kind: Name, fields: tuple[FieldDef, ...], table: Map, bag: Bag) -> EntityDef | None:
    if len(row.items) != len(fields) + 1:
        names = ", ".join(["the row's name", *(f"`{f.name.text}`" for f in fields)])
        bag.error(
            "row-length",
            f"this row has {len(row.items)} values, and the table has {len(fields)} columns besides its rows' names",
            row.span,
            help=f"give {names}",
        )
        return None
    id_ = parts.good_name(row.items[0], "the name of the row", bag)
    if id_ is None:
        return None
    values = tuple((f.name, value) for f, value in zip(fields, row.items[1:], strict=True))
    return EntityDef(kind, id_, row.span, fields=values, citation=parts.citation(table))
