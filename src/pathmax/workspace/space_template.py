"""What `pathmax init` writes: a space file that explains itself, empty or drawn from a table."""

from __future__ import annotations

import difflib
import os
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pathmax.errors import DataFileError
from pathmax.tables import Table, format_number, read_cells, read_table, reads_as_number
from pathmax.trials.frames import noise_column
from pathmax.trials.goals import VALUE, Goals, opposite
from pathmax.workspace.layout import NOTE, NUMBER, STATE
from pathmax.workspace.outcomes_section import outcome_lines, typed_goals
from pathmax.workspace.toml_words import toml_key, toml_text

# From this ratio on a range is searched by orders of magnitude.
LOG_RATIO = 1000
MAX_CHOICES = 50
FEW_CHOICES = 20
LABELS = 6  # from so many rows on, texts of which none comes twice name rows and are no choices

# Names of columns that people write for each other, in the languages of many laboratories.
REMARKS = set(
    "remark remarks note notes comment comments observation observations description operator "
    "analyst bemerkung bemerkungen kommentar notiz notizen anmerkung anmerkungen remarque "
    "remarques commentaire commentaires nota notas comentario comentarios osservazioni commento "
    "commenti".split()
)
MOST_WORDS = 3  # a choice has a name; more words than this are a sentence
LEAST_FILLED = 0.5  # a choice is made in every row, a remark now and then

_DATE = re.compile(r"\d{1,4}([-./])\d{1,2}\1\d{1,4}([ T]\d{1,2}:\d{2}.*)?|\d{1,2}:\d{2}(:\d{2})?")
_UNIT = re.compile(r".\s*[(\[][^()\[\]]+[)\]]$")

EXAMPLE = """\
temperature = { low = 20, high = 120, unit = "°C" }
minutes = { low = 5, high = 240, log = true }
solvent = ["DMF", "THF", "water"]
"""

HEAD = """\
# What pathmax may vary, and what should get better. Lines that begin with # are remarks.
# Change it to fit your experiment, then run:   {command}

study = {study}
# where = ["catalyst + ligand <= 10", "not (solvent == 'water' and temperature > 90)"]   # rules

{goals}
# One line for each thing that may vary:
#
#   temperature = { low = 20, high = 120 }                 # any number in between
#   pressure    = { low = 1, high = 100, log = true }      # by orders of magnitude
#   load        = { low = 0.5, high = 5, step = 0.5 }      # 0.5, 1, 1.5, ...
#   minutes     = { low = 5, high = 480, log = true, digits = 1 }   # 5, 6, ... 10, 20, ...
#   mesh        = { values = [0.1, 0.2, 0.5, 1] }          # these numbers only
#   cycles      = { low = 1, high = 8, type = "int" }      # whole numbers
#   solvent     = ["DMF", "THF", "water"]                  # one of these
#   ratio       = { low = 0, high = 1, when = "solvent != 'water'" }    # only with the others
#   vessel      = "glass"                                  # always the same
#   blend       = { components = { A = [0, 60], B = [0, 100] }, total = 100 }   # adds up to 100
#
# unit = "°C" may stand beside low and high. A name with spaces goes in quotes: "flow rate".

[parameters]
"""

OBJECTIVE_SECTION = """\
[objective]
name = {objective}            # the column of your CSV that holds the result
direction = {direction}    # or {other}
# unit = "%"
#
# Several results? Name them in place of [objective] (take away the first # of a line):
# [outcomes]
# yield = { direction = "maximize", unit = "%" }
# cost = { direction = "minimize" }
# impurity = { high = 0.5 }             # a limit: at most 0.5, whatever the others are
"""

OUTCOMES_SECTION = """\
# What comes out, each in a column of its name: objectives have a direction, limits low or high.
[outcomes]
{lines}
# unit = "%" may stand beside direction, low and high.
"""

CSV_LINES = """
# Only when you need it (take away the first # of a line):
#
# [csv]
# units_row = true                      # the second line of your CSV holds units
# ignore = ["date", "operator"]         # columns that are only for you
"""

FOOT = """#
# [candidates]                          # in place of [parameters]: choose from the rows of a file
# file = "library.csv"
# id = "name"                           # the column that names a row
"""


def example_space(study: str, goals: Goals) -> str:
    """A space file with three made-up parameters."""
    return _head(study, goals, "pathmax suggest -n 4") + EXAMPLE + CSV_LINES + FOOT


def space_from_table(table: Table, study: str, goals: Goals) -> str:
    """A space file with a parameter for every column of a table that can be one."""
    check_results(table, goals.names)
    own = [name for name in own_columns(goals.names) if name in table.header]
    left_out = columns_left_out(table, goals.names)
    others = {*goals.names, *own, *left_out}
    names = [name for name in table.header if name not in others]
    if not names or not len(table):
        raise DataFileError(
            f"{table.path}: expected rows with a column for each parameter and one for the result"
        )
    remark = f"# Bounds and choices as they occur in {table.path}: widen them to what may be tried."
    lines = [f"{remark}\n", *(_parameter(table, name) for name in names)]
    lines += [f"# {name!r} {why}: ignored, see [csv] below\n" for name, why in left_out.items()]
    lines += [f"# {name!r} is a column that pathmax adds to tables itself\n" for name in own]
    head = _head(study, goals, suggest_command(table.path), table.units)
    return head + "".join(lines) + _csv(bool(table.units), list(left_out)) + FOOT


@dataclass(frozen=True, slots=True)
class Draft:
    """A space file to be changed by its owner."""

    study: str
    text: str
    left_out: Mapping[str, str]
    """The columns of the table that are no parameters, and what each is instead."""


def draft_space(
    study: str | None,
    objectives: Sequence[str],
    constraints: Sequence[str],
    direction: str,
    table: str | None = None,
) -> Draft:
    """A space file that explains itself, with made-up parameters or with those of a table."""
    study = study or (os.path.basename(os.getcwd()) if table else None) or "first"
    goals = typed_goals(objectives or [VALUE if table else "yield"], constraints, direction)
    if table is None:
        return Draft(study, example_space(study, goals), {})
    example = read_example(table, goals.names)
    text = space_from_table(example, study, goals)
    return Draft(study, text, columns_left_out(example, goals.names))


def suggest_command(data: str | None) -> str:
    """What to type once the file is right."""
    return f"pathmax suggest --data {shlex.quote(data)} -n 4" if data else "pathmax suggest -n 4"


def check_results(table: Table, results: Iterable[str]) -> None:
    """Refuse a result that is no column, and say which one may be meant."""
    for result in results:
        if result not in table.header:
            folded = {name.casefold(): name for name in table.header}
            wanted = result.casefold()
            near = [name for name in folded if name.startswith(wanted)]
            near = near or difflib.get_close_matches(wanted, folded, n=1)
            listed = f"it is one of {', '.join(table.header)}"
            meant = f"did you mean {folded[near[0]]!r}?" if near else listed
            raise table.error(
                None,
                None,
                f"there is no column {result!r} to improve; name yours with --objective, {meant}",
            )


def own_columns(results: Iterable[str]) -> tuple[str, ...]:
    """The columns that pathmax adds to a table of results."""
    return (NUMBER, *map(noise_column, results), STATE, NOTE)


def columns_left_out(table: Table, results: Iterable[str]) -> dict[str, str]:
    """The columns that no experiment can set, each with what it does instead."""
    results = list(results)
    ours = {*results, *own_columns(results)}
    names = [name for name in table.header if name not in ours]
    found = {name: _no_parameter(table, name) for name in names}
    return {name: why for name, why in found.items() if why is not None}


def read_example(path: str, results: Iterable[str]) -> Table:
    """A table to draw a space from: some results may be words, the second line may hold units."""
    cells, results = read_cells(path), list(results)
    check_results(cells, results)
    return read_table(path, text=results, units_row=_holds_units(cells))


def _holds_units(cells: Table) -> bool:
    """Whether the first row has no number, not even where all others have one."""
    columns = [column.tolist() for column in cells.columns.values() if len(column) > 1]
    return not any(reads_as_number(first) for first, *_ in columns) and any(
        first and any(others) and all(map(reads_as_number, filter(None, others)))
        for first, *others in columns
    )


def _head(study: str, goals: Goals, command: str, units: Mapping[str, str] | None = None) -> str:
    units, first = units or {}, goals.first
    if goals.is_single:
        direction = str(first.direction)
        words = {"objective": first.name, "direction": direction, "other": opposite(direction)}
        section = OBJECTIVE_SECTION
        for key, word in words.items():
            section = section.replace(f"{{{key}}}", toml_text(word))
        if unit := units.get(first.name):
            section = section.replace('# unit = "%"', f"unit = {toml_text(unit)}", 1)
    else:
        section = OUTCOMES_SECTION.replace("{lines}", "\n".join(outcome_lines(goals, units)))
    text = HEAD.replace("{command}", " ".join(command.split()))
    return text.replace("{study}", toml_text(study)).replace("{goals}", section)


def _csv(units_row: bool, ignored: list[str]) -> str:
    """The section about the table; what it says is in force, the rest is there to be seen."""
    lines = CSV_LINES.splitlines(keepends=True)
    if units_row:
        lines[-2] = lines[-2].removeprefix("# ")
    if ignored:
        listed = ", ".join(map(toml_text, ignored))
        lines[-1] = f"ignore = [{listed}]    # columns that are only for you\n"
    if units_row or ignored:
        lines[1:4] = ["[csv]\n"]
        lines.append("\n# Only when you need it (take away the first # of a line):\n")
    return "".join(lines)


def _no_parameter(table: Table, name: str) -> str | None:
    """What a column is when it cannot be something to set; None when it can."""
    column = table.columns[name]
    if not table.is_text(name):
        known = column[np.isfinite(column.astype(float))]
        if not len(known):
            return "is empty in this table"
        return "numbers the rows" if _numbers_rows(table, name) else None
    cells = column.tolist()
    filled = [cell for cell in cells if cell]
    if not filled:
        return "is empty in this table"
    if all(map(_DATE.fullmatch, filled)):
        return "holds dates or times"
    if name.casefold().strip(" .:") in REMARKS:
        return "holds remarks"
    if any(len(cell.split()) > MOST_WORDS for cell in filled):
        return "holds sentences"
    if len(filled) < LEAST_FILLED * len(cells):
        return "is empty in most rows"
    if len(set(filled)) > MAX_CHOICES:
        return f"has {len(set(filled))} different texts"
    if len(set(filled)) == len(filled) and (len(filled) < len(cells) or len(cells) >= LABELS):
        return "has another text in every row"
    return None


def _numbers_rows(table: Table, name: str) -> bool:
    """Whether whole numbers go up by one from row to row, over too many rows to be settings."""
    column = table.columns[name]
    enough = 3 if name == table.header[0] else LABELS
    return (
        column.dtype == np.int64
        and len(column) >= enough
        and not _is_measured(table, name)
        and bool(np.all(np.diff(column) == 1))
    )


def _is_measured(table: Table, name: str) -> bool:
    """Whether a column has a unit, in the units row or in brackets behind its name."""
    return bool(table.units.get(name)) or _UNIT.search(name) is not None


def _parameter(table: Table, name: str) -> str:
    column = table.columns[name]
    if table.is_text(name):
        choices = sorted(set(column.tolist()))  # with "" where a cell is empty: without any
        return f"{toml_key(name)} = [{', '.join(map(toml_text, choices))}]\n"
    known = column[np.isfinite(column.astype(float))]
    low, high = known.min().item(), known.max().item()
    if low == high:
        return f"{toml_key(name)} = {format_number(low)}    # always the same so far\n"
    log = ", log = true" if low > 0 and high / low >= LOG_RATIO else ""
    # Temperatures of 20, 40 and 60 were round by habit; counts are few, and have no unit.
    counted = isinstance(low, int) and high - low <= FEW_CHOICES and not _is_measured(table, name)
    whole = ', type = "int"' if counted else ""
    unit = f", unit = {toml_text(table.units[name])}" if table.units.get(name) else ""
    bounds = f"low = {format_number(low)}, high = {format_number(high)}"
    return f"{toml_key(name)} = {{ {bounds}{log}{whole}{unit} }}\n"
