"""The heads of columns: a name, with its unit in brackets or behind a slash or without."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace

from pathmax.errors import DataFileError
from pathmax.space.any_space import AnySpace
from pathmax.tables import Table
from pathmax.workspace.layout import Layout

_WITH_UNIT = re.compile(r"(?P<name>.*\S)\s*(?P<unit>\([^()]*\)|\[[^\[\]]*\]|(?<=\s)/\s*\S+)")


def meant_column(head: str, layout: Layout, table: Table) -> str:
    """The column that a head names; a unit that contradicts the space file is refused."""
    match = _WITH_UNIT.fullmatch(head)
    known = {*layout.domain.names, *layout.results}
    if head in {*known, *layout.ignored} or match is None or match["name"] not in known:
        return head
    name, found = match["name"], match["unit"]
    alike = [h for h in table.header if (m := _WITH_UNIT.fullmatch(h)) and m["name"] == name]
    if name in table.header or len(alike) > 1:
        return head
    unit = layout.units.get(name, found)
    if plain_unit(unit) != plain_unit(found):
        raise DataFileError(
            f"{table.place(table.header_line, head)}: the header says {found!r}, "
            f"the space file says {unit!r}; convert the numbers or correct one of the two"
        )
    return name


def renamed_table(table: Table, named: Mapping[str, str]) -> Table:
    return replace(
        table,
        header=tuple(named[head] for head in table.header),
        columns={named[head]: column for head, column in table.columns.items()},
        units={named[head]: unit for head, unit in table.units.items()},
    )


def plain_unit(unit: str) -> str:
    return unicodedata.normalize("NFKC", unit).strip(" []()/")


def numeric_columns(domain: AnySpace) -> set[str]:
    """The columns that hold numbers."""
    axes = zip(domain.searched_names, domain.axes, strict=True)
    numeric = {name for name, axis in axes if axis.kind != "categorical"}
    if (rows := domain.sampled(1)) and domain.id is not None:
        numeric |= set() if isinstance(rows[0][domain.id], str) else {domain.id}
    return numeric
