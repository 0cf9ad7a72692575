"""`pathmax import` and `pathmax export`: tables in, tables out."""

from __future__ import annotations

import click

from pathmax.cli.options import changing, placed
from pathmax.cli.output import (
    printable,
    remarks,
    say,
    say_json,
    say_json_lines,
    say_remarks,
    target,
    wants_json,
)
from pathmax.trials.wording import measured, plural
from pathmax.workspace.importing import take_in
from pathmax.workspace.location import Location
from pathmax.workspace.opened_study import Agree, load_study
from pathmax.workspace.study_plan import Source, plan_of
from pathmax.workspace.trials_table import write_trials
from pathmax.workspace.views.snapshot import best_now


@click.command("import")
@click.argument("file", metavar="CSV")
@click.option("--space", metavar="TOML", help="What may vary.  [default: space.toml if it is here]")
@click.option("--ignore", multiple=True, metavar="COLUMN", help="A column that is only for you.")
@changing
@placed
def import_(
    location: Location, file: str, space: str | None, ignore: tuple[str, ...], agree: Agree
) -> None:
    """Take results from a table: those of suggested trials, and those from before.

    The table has a column for each parameter and one for the result. With a column `trial` (as
    `pathmax suggest -o` writes it) a row is the result of that trial, and the parameters may be
    left out. Rows that are known already are passed over, so the same table may be imported again
    when it has grown.

    \b
    pathmax import results.csv
    pathmax import other.csv --ignore trial        its numbers are those of another study
    """
    plan = plan_of(Source(space=space))
    opened, results, intake = take_in(location, plan, file, ignore, agree)
    study, best = opened.study, best_now(opened)
    if wants_json():
        best_number = None if best is None else best.number
        counts = intake.counts()
        say_json({"study": study.name, **counts, "best_trial": best_number, **remarks(opened)})
        return
    say_remarks(opened)
    parts = [
        (len(intake.told) - intake.completed, "for suggested trials"),
        (intake.completed, "completed"),
        (len(intake.added), "added"),
        (intake.known, "known before"),
        (intake.waiting, "without a result yet"),
    ]
    listed = ", ".join(f"{count} {what}" for count, what in parts if count) or "nothing new"
    say(f"{file}: {plural(len(results.rows), 'row')}: {listed}.")
    if results.table.gaps:
        say(printable(results.table.gaps))
    if best is not None:
        say(f"Best so far: {measured(best)} (trial {best.number}).")


@click.command()
@click.option("-o", "--output", metavar="CSV", help="Where to.  [default: the screen]")
@click.option("--decimal-comma", is_flag=True, help="1,5 and semicolons, for European Excel.")
@click.option("--force", is_flag=True, help="Write over a table that holds more than the study.")
@placed
def export(location: Location, output: str | None, decimal_comma: bool, force: bool) -> None:
    """Write all trials as a table. No cell can start a formula in a spreadsheet.

    A table that was exported before is written over, unless it holds what the study does not.

    \b
    pathmax export -o all.csv
    pathmax export | head
    """
    opened = load_study(location)
    if wants_json() and output is None:
        trials = (trial.to_json() for trial in opened.study.trials)
        say_json_lines({"study": opened.study.name}, "trials", trials)
        return
    count = write_trials(opened, target(output or "-"), decimal_comma=decimal_comma, force=force)
    if output not in (None, "-"):
        if wants_json():
            say_json({"study": opened.study.name, "trials": count, "output": output})
        else:
            say(f"Wrote {plural(count, 'trial')} to {output}.")
