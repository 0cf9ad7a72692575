"""What `pathmax init` writes: a space file that explains itself, empty or drawn from a table."""

from __future__ import annotations

import json

import numpy as np

from pathmax.errors import DataFileError
from pathmax.sheet import NOTE, NUMBER, STATE
from pathmax.tables import Table, format_number, is_number, read_cells, read_table

# From this ratio on a range is searched by orders of magnitude.
LOG_RATIO = 1000
MAX_CHOICES = 50
FEW = 20

EXAMPLE = """\
temperature = { low = 20, high = 120, unit = "°C" }
minutes = { low = 5, high = 240, log = true }
solvent = ["DMF", "THF", "water"]
"""

HEAD = """\
# What pathmax may vary, and what should get better. Lines that begin with # are remarks.
# Change it to fit your experiment, then run:   pathmax suggest -n 4

study = {study}

[objective]
name = {objective}            # the column of your CSV that holds the result
direction = {direction}    # or {other}
# unit = "%"

# One line for each thing that may vary:
#
#   temperature = { low = 20, high = 120 }                 # any number in between
#   pressure    = { low = 1, high = 100, log = true }      # by orders of magnitude
#   cycles      = { low = 1, high = 8, type = "int" }      # whole numbers
#   solvent     = ["DMF", "THF", "water"]                  # one of these
#   vessel      = "glass"                                  # always the same
#
# unit = "°C" may stand beside low and high. A name with spaces goes in quotes: "flow rate".

[parameters]
"""

FOOT = """
# Only when you need it (take away the first # of a line):
#
# [csv]
# units_row = true                      # the second line of your CSV holds units
# ignore = ["date", "operator"]         # columns that are only for you
#
# [candidates]                          # in place of [parameters]: choose from the rows of a file
# file = "library.csv"
# id = "name"                           # the column that names a row
"""


def example_space(study: str, objective: str, direction: str) -> str:
    """A space file with three made-up parameters."""
    return _head(study, objective, direction) + EXAMPLE + FOOT


def space_from_table(table: Table, study: str, objective: str, direction: str) -> str:
    """A space file with a parameter for every column of a table but the objective."""
    if objective not in table.header:
        raise table.error(
            None,
            None,
            f"there is no column {objective!r} to improve; name yours with --objective, "
            f"it is one of {', '.join(table.header)}",
        )
    own = [name for name in (NUMBER, STATE, NOTE) if name in table.header]
    names = [name for name in table.header if name not in (objective, *own)]
    if not names or not len(table):
        raise DataFileError(
            f"{table.path}: expected rows with a column for each parameter and one for the result"
        )
    remark = "# Bounds and choices as they occur in {}: widen them to what may be tried.\n"
    lines = [_parameter(table, name) for name in names]
    lines += [f"# {name!r} is a column that pathmax adds to tables itself\n" for name in own]
    head, foot = _head(study, objective, direction), FOOT
    if table.units:
        foot = foot.replace("# [csv]\n# units_row", "[csv]\nunits_row")
    if unit := table.units.get(objective):
        head = head.replace('# unit = "%"', f"unit = {toml_text(unit)}")
    return head + remark.format(table.path) + "".join(lines) + foot


def read_example(path: str, objective: str) -> Table:
    """A table to draw a space from: some results may be words, the second line may hold units."""
    return read_table(path, text=[objective], units_row=_holds_units(read_cells(path)))


def _holds_units(cells: Table) -> bool:
    """Whether the first row has no number, not even where all others have one."""
    columns = [column.tolist() for column in cells.columns.values() if len(column) > 1]
    return not any(is_number(first) for first, *_ in columns) and any(
        first and any(others) and all(map(is_number, filter(None, others)))
        for first, *others in columns
    )


def toml_key(name: str) -> str:
    """A name as the key of a TOML entry, in quotes if it needs them."""
    return (
        name
        if name and all(c.isascii() and (c.isalnum() or c in "_-") for c in name)
        else toml_text(name)
    )


def toml_text(text: str) -> str:
    """Text as TOML: JSON's escapes are TOML's, but for the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _head(study: str, objective: str, direction: str) -> str:
    other = "minimize" if direction == "maximize" else "maximize"
    words = {"study": study, "objective": objective, "direction": direction, "other": other}
    text = HEAD
    for key, word in words.items():
        text = text.replace(f"{{{key}}}", toml_text(word))
    return text


def _parameter(table: Table, name: str) -> str:
    column = table.columns[name]
    if table.is_text(name):
        choices = sorted({cell for cell in column.tolist() if cell})
        if len(choices) > MAX_CHOICES:
            return (
                f"# {name!r} has {len(choices)} different texts: list its choices if it may vary, "
                "else name it under [csv] ignore\n"
            )
        return f"{toml_key(name)} = [{', '.join(map(toml_text, choices))}]\n"
    known = column[np.isfinite(column.astype(float))]
    if not len(known):
        return f"# {name!r} is empty in this table\n"
    low, high = known.min().item(), known.max().item()
    if low == high:
        return f"{toml_key(name)} = {format_number(low)}    # always the same so far\n"
    log = ", log = true" if low > 0 and high / low >= LOG_RATIO else ""
    # Temperatures of 20, 40 and 60 were round by habit; counts are few.
    whole = ', type = "int"' if isinstance(low, int) and high - low <= FEW else ""
    unit = f", unit = {toml_text(table.units[name])}" if table.units.get(name) else ""
    bounds = f"low = {format_number(low)}, high = {format_number(high)}"
    return f"{toml_key(name)} = {{ {bounds}{log}{whole}{unit} }}\n"
