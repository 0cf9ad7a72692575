"""`pathmax show` and `pathmax plot`: how far a study is."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import click
import numpy as np

from pathmax.cli.options import placed, sourced
from pathmax.cli.output import cell, chart, printable, say, say_json, settings, table
from pathmax.trials.trial import Trial, TrialState
from pathmax.trials.wording import number, plural
from pathmax.workspace.opening import Opened
from pathmax.workspace.plan import Place, Source
from pathmax.workspace.rounding import rounded
from pathmax.workspace.table_study import opened_for_looking
from pathmax.workspace.views import best_or_none

KINDS = ("overview", "progress", "slices", "parallel")


@click.command()
@sourced
@placed
def show(place: Place, source: Source) -> None:
    """Show the best result, the progress, and the trials that are running or failed.

    \b
    pathmax show
    pathmax show --data results.csv
    """
    opened = opened_for_looking(place, source)
    study, trials = opened.study, opened.study.trials
    by_state = {state: [t for t in trials if t.state is state] for state in TrialState}
    best = best_or_none(study)
    if place.as_json:
        say_json(
            {
                "study": study.name,
                "direction": study.direction,
                "objective": opened.objective,
                **{str(state): len(found) for state, found in by_state.items()},
                "best_trial": None if best is None else best.to_json(),
                "running_trials": [t.number for t in by_state[TrialState.RUNNING]],
                "failed_trials": [t.number for t in by_state[TrialState.FAILED]],
            }
        )
        return
    goal = f"{study.direction} {opened.layout.labelled(opened.objective)}"
    counts = [plural(len(by_state[TrialState.COMPLETE]), "result")]
    counts += [f"{len(by_state[s])} {s}" for s in (TrialState.RUNNING, TrialState.FAILED)]
    say(f"Study {printable(study.name)}: {printable(goal)}. {', '.join(counts)}.")
    if best is not None:
        _say_best(opened, best)
        _say_progress(study.direction, by_state[TrialState.COMPLETE])
    _say_trials(opened, "Running", by_state[TrialState.RUNNING])
    _say_trials(opened, "Failed", by_state[TrialState.FAILED])
    if not trials:
        say()
        say("No trials yet. Ask for one: pathmax suggest")


def _say_best(opened: Opened, best: Trial) -> None:
    shown = settings(rounded(opened.study.space, best.params), opened.layout.labelled)
    say()
    say(f"Best: {number(best.value, 6)} (trial {best.number})")
    say(f"      {shown}")


def _say_progress(direction: str, told: Sequence[Trial]) -> None:
    values = [trial.outcomes["value"] for trial in told]
    if len(values) < 2:
        return
    best = (np.maximum if direction == "maximize" else np.minimum).accumulate(values)
    say()
    say("Progress (o a result, - the best so far):")
    say()
    say(chart(values, best.tolist()))


def _say_trials(opened: Opened, title: str, trials: Sequence[Trial]) -> None:
    if not trials:
        return
    space = opened.study.space
    last = "since" if title == "Running" else "why"
    rows = [
        [str(t.number), *map(cell, rounded(space, t.params).values()), _remark(t)] for t in trials
    ]
    say()
    say(f"{title}:")
    say(table(["trial", *map(opened.layout.labelled, space.names), last], rows))


def _remark(trial: Trial) -> str:
    if trial.state is TrialState.FAILED:
        return (trial.error or "").partition("\n")[0]
    seconds = max(0.0, time.time() - trial.asked_at)
    for unit, length in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            return f"{plural(int(seconds // length), unit)} ago"
    return "just now"


@click.command()
@click.option("-o", "--output", metavar="FILE", default="pathmax.png", help="png, svg or pdf.")
@click.option("--kind", type=click.Choice(KINDS), default="overview", help="What to draw.")
@sourced
@placed
def plot(place: Place, output: str, kind: str, source: Source) -> None:
    """Draw the progress, the model along each parameter, and how settings go with results.

    \b
    pathmax plot -o progress.png
    pathmax plot --kind slices -o slices.svg
    pathmax plot --data results.csv -o results.png
    """
    from pathmax import plots

    opened = opened_for_looking(place, source)
    study, trials, label = opened.study, opened.study.trials, opened.layout.labelled
    objective = label(opened.objective)
    named: Any = {"label": label, "objective": objective}
    if kind == "progress":
        figure = plots.progress(trials, study.direction, objective=objective, title=study.name)
    elif kind == "parallel":
        figure = plots.parallel(study.space, trials, study.direction, **named)
    elif kind == "slices":
        figure = plots.slices(study.space, trials, study.direction, study.predict, **named)
    else:
        figure = plots.overview(
            study.space, trials, study.direction, study.predict, name=study.name, **named
        )
    plots.save(figure, output)
    if place.as_json:
        say_json({"study": study.name, "kind": kind, "output": output})
    else:
        say(f"Drew {output}.")
