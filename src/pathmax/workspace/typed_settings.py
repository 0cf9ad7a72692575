"""Settings as somebody types them into a form, read by the rules of a table."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pathmax.errors import DataFileError, ParamsError
from pathmax.scalars import Scalar
from pathmax.tables import Dialect, Table
from pathmax.tables.numbers import has_decimal_comma
from pathmax.workspace.choice_text import nearest_text
from pathmax.workspace.column_heads import numeric_columns
from pathmax.workspace.layout import Layout
from pathmax.workspace.results_table import TableReading


def read_settings(layout: Layout, given: Mapping[str, str]) -> dict[str, Scalar]:
    """Params from what somebody typed for each parameter, by the rules of a table."""
    names = layout.domain.names
    for name in given:
        if name not in names:
            near = nearest_text(name, list(names))
            remedy = f"did you mean {near!r}?" if near else f"there are {', '.join(names)}"
            raise ParamsError(f"there is no parameter {name!r}; {remedy}")
    cells = {name: np.array([text.strip()], dtype=object) for name, text in given.items()}
    comma = any(has_decimal_comma(text) for text in given.values())
    dialect = Dialect(delimiter=";", decimal="," if comma else ".")
    table = Table("", tuple(given), cells, np.array([1]), dialect)
    try:
        return TableReading(layout, table, frozenset(numeric_columns(layout.domain)), {}).params(0)
    except DataFileError as error:
        said = str(error).removeprefix(", line 1").removeprefix(", column ").removeprefix(": ")
        raise ParamsError(said.partition("; if this line holds units")[0]) from error
