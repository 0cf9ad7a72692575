"""`pathmax suggest` and `pathmax explain`: what to try next, and why."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence

import click

from pathmax.cli.listing import (
    ask_up_to,
    plural,
    suggestion_rows,
    suggestion_table,
    suggestions_json,
)
from pathmax.cli.offline import check_overwriting, suggest_from_table
from pathmax.cli.opening import Opened, known, load_study, plan_of, start_study
from pathmax.cli.options import Place, Source, placed, sourced
from pathmax.cli.output import printable, say, say_json
from pathmax.cli.until import reached
from pathmax.tables import write_table
from pathmax.trial import Trial, TrialState


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
