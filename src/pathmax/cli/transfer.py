"""`pathmax import` and `pathmax export`: tables in, tables out."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from pathmax.cli.options import placed
from pathmax.cli.output import say, say_json
from pathmax.tables import Dialect, write_table
from pathmax.tables.writer import Cell
from pathmax.trials.trial import Trial
from pathmax.trials.wording import number, plural
from pathmax.workspace.importing import take_in
from pathmax.workspace.layout import NOTE, NUMBER, STATE
from pathmax.workspace.opening import load_study
from pathmax.workspace.plan import Place, Source, plan_of
from pathmax.workspace.views import best_or_none


@click.command("import")
@click.argument("file", metavar="CSV")
@click.option("--space", metavar="TOML", help="What may vary.  [default: space.toml if it is here]")
@click.option("--ignore", multiple=True, metavar="COLUMN", help="A column that is only for you.")
@placed
def import_(place: Place, file: str, space: str | None, ignore: tuple[str, ...]) -> None:
    """Take results from a table: those of suggested trials, and those from before.

    The table has a column for each parameter and one for the result. With a column `trial` (as
    `pathmax suggest -o` writes it) a row is the result of that trial. Rows that are known already
    are passed over, so the same table may be imported again when it has grown.

    \b
    pathmax import results.csv
    pathmax import other.csv --ignore trial        its numbers are those of another study
    """
    study, sheet, intake = take_in(place, plan_of(Source(space=space)), file, ignore)
    best = best_or_none(study)
    if place.as_json:
        best_number = None if best is None else best.number
        say_json({"study": study.name, **intake.counts(), "best_trial": best_number})
        return
    parts = [
        (len(intake.told), "for suggested trials"),
        (len(intake.added), "added"),
        (intake.known, "known before"),
        (intake.waiting, "without a result yet"),
    ]
    listed = ", ".join(f"{count} {what}" for count, what in parts if count) or "nothing new"
    say(f"{file}: {plural(len(sheet.rows), 'row')}: {listed}.")
    if best is not None:
        say(f"Best so far: {number(best.value, 6)} (trial {best.number}).")


@click.command()
@click.option("-o", "--output", metavar="CSV", help="Where to.  [default: the screen]")
@click.option("--decimal-comma", is_flag=True, help="1,5 and semicolons, for European Excel.")
@placed
def export(place: Place, output: str | None, decimal_comma: bool) -> None:
    """Write all trials as a table. No cell can start a formula in a spreadsheet.

    \b
    pathmax export -o results.csv
    pathmax export | head
    """
    opened = load_study(place)
    trials = opened.study.trials
    if place.as_json and output is None:
        say_json({"study": opened.study.name, "trials": [trial.to_json() for trial in trials]})
        return
    layout = opened.layout
    header, rows = trial_rows([*layout.domain.names], layout.objective, layout.own, trials)
    target = sys.stdout if output in (None, "-") else output
    # With the byte order mark, without which Excel shows "°" as "Â°".
    european = Dialect(encoding="utf-8-sig", delimiter=";", decimal=",")
    write_table(target or "", header, rows, dialect=european if decimal_comma else None)
    if output not in (None, "-"):
        if place.as_json:
            say_json({"study": opened.study.name, "trials": len(trials), "output": output})
        else:
            say(f"Wrote {plural(len(trials), 'trial')} to {output}.")


def trial_rows(
    names: Sequence[str], objective: str, own: Sequence[str], trials: Sequence[Trial]
) -> tuple[list[str], list[list[Cell]]]:
    """The table of an export: number, params, result, state, and a note or what went wrong."""
    rest = [name for name in (STATE, NOTE) if name in own]
    header = [*([NUMBER] if NUMBER in own else []), *names, objective, *rest]
    rows: list[list[Cell]] = []
    for trial in trials:
        known: dict[str, Cell] = {
            NUMBER: trial.number,
            STATE: str(trial.state),
            NOTE: trial.note or trial.error,
            **trial.params,
            objective: trial.value,
        }
        rows.append([known.get(name) for name in header])
    return header, rows
