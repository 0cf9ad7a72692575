"""`pathmax suggest` and `pathmax explain`: what to try next, and why."""

from __future__ import annotations

import shlex

import click

from pathmax.cli.options import changing, in_context, placed, sourced
from pathmax.cli.output import (
    harmless,
    printable,
    remarks,
    say,
    say_json,
    say_remarks,
    suggestion_table,
    target,
    wants_json,
)
from pathmax.cli.rank import reached
from pathmax.errors import DataFileError
from pathmax.trials.reference_point import beyond_results
from pathmax.trials.trial import TrialState
from pathmax.trials.wording import plural, to_be_typed
from pathmax.workspace import contexts, suggestions
from pathmax.workspace.location import Location
from pathmax.workspace.opened_study import Agree, Opened, load_study, start_study
from pathmax.workspace.study_plan import Plan, Source, known, plan_of
from pathmax.workspace.suggestions import Suggested
from pathmax.workspace.table_study import (
    TableStudy,
    check_append,
    check_overwriting,
    open_table,
    table_to_append_to,
)


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
    help="Stop when, with 95 %, nothing is better than the recommendation by more than this; "
    "with several objectives a share of the front, such as 0.05.",
)
@click.option("--results-of", metavar="STUDY", help="Begin with what still fits of that study.")
@click.option("--force", is_flag=True, help="Write over a table that holds results.")
@click.option("--append", is_flag=True, help="Add them below the rows of that table.")
@in_context
@changing
@placed
def suggest(
    location: Location,
    count: int,
    output: str | None,
    source: Source,
    method: str | None,
    seed: int | None,
    until: float | None,
    results_of: str | None,
    force: bool,
    append: bool,
    context: tuple[str, ...],
    agree: Agree,
) -> None:
    """Say what to try next.

    With a database, which remembers what was suggested:

    \b
    pathmax suggest                        one experiment
    pathmax suggest -n 4 -o next.csv       four, also as a table to fill in
    pathmax suggest --context humidity=40  where that is given, not chosen

    With nothing but a table of results; rows without a value count as running:

    \b
    pathmax suggest --data results.csv -n 4 -o next.csv
    pathmax suggest --data results.csv --pool library.csv --id name
    pathmax suggest --data lab.xlsx#Runs -n 4 --append     into your own workbook
    """
    plan = plan_of(source, {"method": method, "seed": seed})
    if source.data is not None:
        suggest_from_table(known(plan), source, count, output, force, until, append, context)
        return
    if append and output in (None, "-"):
        raise DataFileError("--append needs the table to add to: -o results.xlsx, or --data")
    opened = start_study(location, plan, results_of, agree)
    below = table_to_append_to(str(output), opened.layout) if append else None
    if below is None:
        check_overwriting(output, opened.layout, force)
    here = contexts.typed_context(opened.study.space, context)
    if reached(opened, until, here):
        return
    suggested = suggestions.suggest(opened, count, here)
    if below is not None:
        suggested.append(below)
    elif output is not None:
        suggested.write(target(output))
    if wants_json():
        found = suggested.to_json()
        answer = {"study": opened.study.name, "suggestions": found, "output": output}
        say_json(answer | remarks(opened))
    elif output != "-":
        say_remarks(opened)
        say_suggestions(location, opened, suggested, output)
        if plan is not None and plan.assumption and not suggested.trials[0].number:
            say("", plan.assumption)


def say_suggestions(
    location: Location, opened: Opened, suggested: Suggested, output: str | None
) -> None:
    study, trials = opened.study, suggested.trials
    told = sum(study.goals.are_told_by(trial.outcomes) for trial in opened.fitting)
    known = f"from {plural(told, 'result')}" if told else "no results yet"
    say(f"{_counted(suggested)} (study {printable(study.name)}, {known}):")
    say("", suggestion_table(suggested, numbered=True))
    _say_reference(opened)
    if output is not None:
        then = f"pathmax import {shlex.quote(output)}{location.again}"
        say("", f"Also in {output}: fill in {_last_columns(opened)}, then `{then}`.")
    else:
        names = [goal.name for goal in study.goals]
        value = "VALUE" if len(names) == 1 else to_be_typed(names)
        say("", f"When you know a result: pathmax tell {trials[0].number} {value}{location.again}")


def _say_reference(opened: Opened) -> None:
    """Say that the reference is beyond all results, if it is."""
    said = beyond_results(opened.study.goals, (trial.outcomes for trial in opened.fitting))
    if said:
        say("", f"Note: {printable(said)}.")


def _last_columns(opened: Opened) -> str:
    """Where a table wants what came out."""
    n = len(list(opened.study.goals))
    return "the last column" if n == 1 else f"the last {n} columns"


def _counted(suggested: Suggested) -> str:
    """How many there are to run, or left to run."""
    left = "left to run" if len(suggested.trials) < suggested.wanted else "to run"
    return f"{plural(len(suggested.trials), 'experiment')} {left}"


@click.command()
@click.argument("trial", type=int)
@placed
def explain(location: Location, trial: int) -> None:
    """Say why a trial was suggested.

    \b
    pathmax explain 12
    """
    study = load_study(location).study
    card = str(study.explain(trial))
    if wants_json():
        say_json({"study": study.name, "trial": trial, "explanation": card})
    else:
        say(harmless(card))


def suggest_from_table(
    plan: Plan,
    source: Source,
    count: int,
    output: str | None,
    force: bool,
    until: float | None,
    append: bool,
    context: tuple[str, ...],
) -> None:
    """Read the table, suggest, and write the suggestions with the same columns."""
    data = str(source.data)
    table = open_table(plan, data, source.ignore)
    _check_output(table, output, force, append)
    here = contexts.typed_context(table.opened.study.space, context)
    if reached(table.opened, until, here):
        return
    suggested = suggestions.suggest(table.opened, count, here)
    if output is not None:
        suggested.write(target(output), like=table.results)
    elif append:
        suggested.append(table.results)
    if wants_json():
        counts = {str(state): number for state, number in table.counts.items()}
        found = suggested.to_json(bench=True)
        answer = {"data": data, **counts, "suggestions": found, "output": output}
        say_json(answer | remarks(table.opened))
    elif output != "-":
        say_remarks(table.opened)
        say(f"{data}: {_rows(table.counts)}. {_counted(suggested)}:")
        say("", suggestion_table(suggested, numbered=False))
        _say_reference(table.opened)
        if output is not None or append:
            written = f"Written to {output}, with the columns of {data}."
            added = f"Added to {data}, below your results: fill in {_last_columns(table.opened)}."
            say("", added if append else written)
        if plan.assumption:
            say("", plan.assumption)


def _check_output(table: TableStudy, output: str | None, force: bool, append: bool) -> None:
    data, layout = table.results.table.path, table.opened.layout
    if append and output is not None:
        raise DataFileError(f"--append adds the suggestions to {data}; leave out -o")
    if append:
        check_append(table.results, layout)
    check_overwriting(output, layout, force, data)


def _rows(counts: dict[TrialState, int]) -> str:
    parts = [plural(counts[TrialState.COMPLETE], "result")]
    others = (TrialState.RUNNING, TrialState.STOPPED, TrialState.FAILED)
    parts += [f"{counts[s]} {s}" for s in others if counts[s]]
    return ", ".join(parts)
