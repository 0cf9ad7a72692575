"""What a row of a table says of its trial beside settings and results: note, cost, attributes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from pathmax.errors import TrialError
from pathmax.tables import Table
from pathmax.trials.trial import check_remarks
from pathmax.workspace.attribute_cells import ATTRIBUTE_HEAD, read_attributes
from pathmax.workspace.layout import NOTE, Layout


class RowRemarks(NamedTuple):
    """A note, what the trial cost, and attributes; None or empty where there is none."""

    note: str | None = None
    cost: float | None = None
    attributes: Mapping[str, Any] = MappingProxyType({})


def read_remarks(table: Table, layout: Layout, row: int) -> RowRemarks:
    """The remarks of a row, or an error with its place."""
    note = str(table.columns[NOTE][row]) if _has(table, layout, NOTE) else ""
    cost = table.number(row, layout.cost) if _has(table, layout, layout.cost) else None
    if cost is not None and cost < 0:
        raise table.error(row, layout.cost, f"a cost is 0 or more, got {cost:g}")
    heads = attribute_heads(table.header, layout)
    cells = {head: str(table.columns[head][row]) for head in heads}
    attributes = read_attributes(cells, table.dialect)
    try:
        check_remarks(note, attributes)
    except TrialError as error:
        raise table.error(row, None, str(error)) from error
    return RowRemarks(note or None, cost, attributes)


def attribute_heads(header: tuple[str, ...], layout: Layout) -> list[str]:
    """The columns that hold attributes."""
    others = {*layout.domain.names, *layout.results, *layout.ignored}
    return [head for head in header if head.startswith(ATTRIBUTE_HEAD) and head not in others]


def _has(table: Table, layout: Layout, column: str) -> bool:
    return column in layout.own and column in table.columns
