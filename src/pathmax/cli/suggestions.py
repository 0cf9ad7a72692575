"""`pathmax suggest` and `pathmax explain`: what to try next, and why."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence

import click

from pathmax.cli.options import placed, sourced
from pathmax.cli.output import printable, say, say_json, suggestion_table
from pathmax.cli.ranking import reached
from pathmax.errors import DataFileError
from pathmax.tables import write_table
from pathmax.trials.trial import Trial, TrialState
from pathmax.trials.wording import plural
from pathmax.workspace.opening import Opened, load_study, start_study
from pathmax.workspace.plan import Place, Plan, Source, known, plan_of
from pathmax.workspace.rounding import rounded
from pathmax.workspace.table_study import check_overwriting, existing_sheet, study_of
from pathmax.workspace.views import ask_up_to, suggestion_rows, suggestions_json


@click.command()
@click.option("-n", "count", default=1, type=click.IntRange(1), help="How many.  [default: 1]")
@click.option("-o", "--output", metavar="CSV", help="Write them to a table; - for the screen.")
@sourced
@click.option("--method", metavar="NAME", help="How to choose: pims, ts, ei, ...  [default: pims]")
@click.option("--seed", type=click.IntRange(0), help="Makes suggestions repeatable.")
@click.option(
    "--until",
    type=float,
    metavar="REGRET",
    help="Stop when, with 95 %, nothing is better than the recommendation by more than this.",
)
@click.option("--results-of", metavar="STUDY", help="Begin with what still fits of that study.")
@click.option("--force", is_flag=True, help="Write over a table that holds results.")
@placed
def suggest(
    place: Place,
    count: int,
    output: str | None,
    source: Source,
    method: str | None,
    seed: int | None,
    until: float | None,
    results_of: str | None,
    force: bool,
) -> None:
    """Say what to try next.

    With a database, which remembers what was suggested:

    \b
    pathmax suggest                        one experiment
    pathmax suggest -n 4 -o next.csv       four, also as a table to fill in

    With nothing but a table of results; rows without a value count as running:

    \b
    pathmax suggest --data results.csv -n 4 -o next.csv
    pathmax suggest --data results.csv --pool library.csv --id name
    """
    plan = plan_of(source, {"method": method, "seed": seed})
    if source.data is not None:
        described = known(plan)
        suggest_from_table(
            place, described, source.data, count, output, source.ignore, force, until
        )
        return
    opened = start_study(place, plan, results_of)
    check_overwriting(output, opened.layout, force)
    if reached(place, opened, until):
        return
    trials = ask_up_to(opened.study, count)
    if output is not None:
        write_suggestions(opened, trials, output)
    if place.as_json:
        found = suggestions_json(opened.study, trials)
        say_json({"study": opened.study.name, "suggestions": found, "output": output})
    elif output != "-":
        say_suggestions(place, opened, trials, count, output)
        if plan is not None and plan.assumption and not trials[0].number:
            say()
            say(plan.assumption)


def write_suggestions(opened: Opened, trials: Sequence[Trial], output: str) -> None:
    """A table to fill in and import: the number of each trial, its params, an empty result."""
    layout = opened.layout
    header = [*layout.own[:1], *layout.domain.names, layout.objective]
    units = [layout.units.get(name, "") for name in header] if layout.units_row else None
    target = sys.stdout if output == "-" else output
    write_table(target, header, suggestion_rows(layout, header, trials), units=units)


def say_suggestions(
    place: Place, opened: Opened, trials: Sequence[Trial], count: int, output: str | None
) -> None:
    study = opened.study
    told = sum(trial.state is TrialState.COMPLETE for trial in study.trials)
    known = f"from {plural(told, 'result')}" if told else "no results yet"
    left = "left to run" if len(trials) < count else "to run"
    say(f"{plural(len(trials), 'experiment')} {left} (study {printable(study.name)}, {known}):")
    say()
    say(suggestion_table(opened.layout, study, trials, numbered=True))
    say()
    if output is not None:
        then = f"pathmax import {shlex.quote(output)}{place.again}"
        say(f"Also in {output}: fill in the last column, then `{then}`.")
    else:
        say(f"When you know a result: pathmax tell {trials[0].number} VALUE{place.again}")


@click.command()
@click.argument("trial", type=int)
@placed
def explain(place: Place, trial: int) -> None:
    """Say why a trial was suggested.

    \b
    pathmax explain 12
    """
    study = load_study(place).study
    card = str(study.explain(trial))
    if place.as_json:
        say_json({"study": study.name, "trial": trial, "explanation": card})
    else:
        say(card)


def suggest_from_table(
    place: Place,
    plan: Plan,
    data: str,
    count: int,
    output: str | None,
    ignore: tuple[str, ...],
    force: bool,
    until: float | None = None,
) -> None:
    """Read the table, suggest, and write the suggestions with the same columns."""
    layout = plan.layout(plan.domain()).ignoring(ignore)
    sheet = existing_sheet(data, layout)
    if output is not None and os.path.exists(output) and os.path.samefile(output, data):
        raise DataFileError(f"-o {output} would replace your results; give it another name")
    check_overwriting(output, layout, force)
    study = study_of(sheet, plan, layout)
    if reached(place, Opened(study, layout), until):
        return
    trials = ask_up_to(study, count)
    if output is not None:
        like = sheet.table
        target = sys.stdout if output == "-" else output
        units = [like.units.get(name, "") for name in like.header] if layout.units_row else None
        rows = suggestion_rows(layout, like.header, trials)
        write_table(target, sheet.header, rows, dialect=like.dialect, units=units)
    counts = {state: sum(row.state is state for row in sheet.rows) for state in TrialState}
    if place.as_json:
        found = suggestions_json(study, trials)
        for answer in found:
            answer["params"] = rounded(layout.domain, answer["params"])
        counted = {str(state): number for state, number in counts.items()}
        say_json({"data": data, **counted, "suggestions": found, "output": output})
    elif output != "-":
        left = "left to run" if len(trials) < count else "to run"
        say(f"{data}: {_counted(counts)}. {plural(len(trials), 'experiment')} {left}:")
        say()
        say(suggestion_table(layout, study, trials, numbered=False))
        if output is not None:
            say()
            say(f"Written to {output}, with the columns of {data}.")
        if plan.assumption:
            say()
            say(plan.assumption)


def _counted(counts: dict[TrialState, int]) -> str:
    parts = [plural(counts[TrialState.COMPLETE], "result")]
    parts += [f"{counts[s]} {s}" for s in (TrialState.RUNNING, TrialState.FAILED) if counts[s]]
    return ", ".join(parts)
