"""CSV as people have it: read without guessing wrong, write so that a spreadsheet runs nothing.

    table = read_table("library.csv", text=["smiles"])
    table.header                      ("smiles", "weight", "charge")
    table.columns["weight"]           array([180.2, 151.2, ...])
    raise table.error(17, "weight", "is not positive")    library.csv, line 19, column 'weight': ...

A byte order mark, semicolons with decimal commas, Windows' or Excel's encodings, blank lines, stray
spaces and Excel's quoting are understood. What could be read in two ways is an error that names the
file, the line and the column, and then nothing is read at all.
"""

from pathmax.tables.dialect import Dialect
from pathmax.tables.numbers import format_number, is_number, parse_number
from pathmax.tables.reader import Table, read_cells, read_table, whole_numbers
from pathmax.tables.writer import (
    Cell,
    check_csv_name,
    format_cell,
    replace_bytes,
    replace_file,
    write_table,
)

__all__ = [
    "Cell",
    "Dialect",
    "Table",
    "check_csv_name",
    "format_cell",
    "format_number",
    "is_number",
    "parse_number",
    "read_cells",
    "read_table",
    "replace_bytes",
    "replace_file",
    "whole_numbers",
    "write_table",
]
