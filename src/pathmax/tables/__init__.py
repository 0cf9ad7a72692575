"""Tables as people have them: read without guessing wrong, written so that nothing in them runs.

    table = read_table("library.csv", text=["smiles"])
    table.header                      ("smiles", "weight", "charge")
    table.columns["weight"]           array([180.2, 151.2, ...])
    raise table.error(17, "weight", "is not positive")    library.csv, line 19, column 'weight': ...

A byte order mark, semicolons with decimal commas, Windows' or Excel's encodings, blank lines, stray
spaces and Excel's quoting are understood. What could be read in two ways is an error that names the
file, the line and the column, and then nothing is read at all. `library.xlsx`, or
`library.xlsx#Sheet`, is a sheet of a workbook, whose errors name the cell.
"""

from pathmax.tables.appending import append_rows, check_appending
from pathmax.tables.dialect import Dialect
from pathmax.tables.new_workbook import CellValue, check_not_open
from pathmax.tables.number_columns import whole_numbers
from pathmax.tables.numbers import format_number, parse_number, reads_as_number
from pathmax.tables.numbers import reads_as_number as is_number  # its name in version 0.1
from pathmax.tables.reader import read_cells, read_table
from pathmax.tables.table import Table
from pathmax.tables.workbook import file_of, is_workbook, sheet_names
from pathmax.tables.writer import check_file, format_cell, replace_bytes, replace_file, write_table

__all__ = [
    "CellValue",
    "Dialect",
    "Table",
    "append_rows",
    "check_appending",
    "check_file",
    "check_not_open",
    "file_of",
    "format_cell",
    "format_number",
    "is_number",
    "is_workbook",
    "parse_number",
    "read_cells",
    "read_table",
    "reads_as_number",
    "replace_bytes",
    "replace_file",
    "sheet_names",
    "whole_numbers",
    "write_table",
]
