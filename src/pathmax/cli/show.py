"""`pathmax show`: how far a study is."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from pathmax import analysis
from pathmax.cli.options import placed, sourced
from pathmax.cli.output import (
    cells,
    printable,
    say,
    say_json,
    say_progress,
    settings,
    table,
    wants_json,
)
from pathmax.trials.best_trials import least_violating
from pathmax.trials.trial import Trial, TrialState
from pathmax.trials.wording import caution, measured, plural
from pathmax.workspace.judgement import Judgement, judgements
from pathmax.workspace.location import Location
from pathmax.workspace.opened_study import Opened
from pathmax.workspace.overview import overview_json, results_in_order
from pathmax.workspace.rounding import rounded
from pathmax.workspace.study_plan import Source
from pathmax.workspace.table_study import opened_for_looking
from pathmax.workspace.views.snapshot import Snapshot

if TYPE_CHECKING:
    from pathmax.analysis.study_relations import Relations

MOST_ROWS = 12  # parameters that are listed


@click.command()
@sourced
@placed
def show(location: Location, source: Source) -> None:
    """Show the best result, the progress, and the trials that run, were stopped or failed.

    \b
    pathmax show
    pathmax show --data results.csv
    """
    opened = opened_for_looking(location, source)
    seen = Snapshot.of(opened)
    judged = judgements(opened, seen.complete)
    borrowed = opened.study.borrowed()
    if wants_json():
        model = [one.to_json() for one in judged]
        older = {"borrowed": borrowed.to_json()} if len(borrowed) else {}
        say_json({**overview_json(opened.study, seen), **older, "model": model})
        return
    goal = f"{opened.study.direction} {opened.layout.labelled(opened.objective)}"
    if opened.layout.goals is not None:
        goal = opened.layout.goals.words
    counts = [plural(len(seen.complete), "result")]
    counts += [f"{len(seen.running)} running"]
    counts += [f"{len(seen.stopped)} stopped early"] if seen.stopped else []
    counts += [f"{len(seen.failed)} failed"]
    counts += [f"{len(seen.left_out)} outside the space"] if seen.left_out else []
    counts += [f"{len(seen.untold)} with none of these outcomes"] if seen.untold else []
    say(f"Study {printable(seen.name)}: {printable(goal)}. {', '.join(counts)}.")
    _say_borrowed(borrowed)
    _say_costs(seen)
    _say_leaders(opened, seen)
    for judgement in judged:
        _say_judgement(opened, judgement)
    if warned := caution(len(seen.complete)):
        say("", warned)
    _say_trials(opened, "Running", seen.running)
    _say_trials(opened, "Stopped early", seen.stopped)
    _say_trials(opened, "Failed", seen.failed)
    _say_trials(opened, "Outside the present space, not used by the model", seen.left_out)
    if not seen.trials:
        say("", "No trials yet. Ask for one: pathmax suggest")


def _say_leaders(opened: Opened, seen: Snapshot) -> None:
    """The best trial or the front, what may join it, and what keeps results from it."""
    if seen.best is not None:
        _say_best(opened, seen.best)
    if seen.best is not None and seen.goals.is_single:
        say_progress(seen.goals.first, results_in_order(seen))
    _say_trials(opened, "The front: nothing measured is better in everything", seen.front)
    if results_in_order(seen) and not seen.feasible and (bounded := seen.goals.constraints):
        bounds = ", ".join(goal.bound_words for goal in bounded)
        say("", f"No result is within all bounds yet: {printable(bounds)}.")
        near = least_violating(seen.counted, seen.goals)
        _say_trials(opened, "Nearest to them", [] if near is None else [near])
    _say_trials(opened, "Undecided, since outcomes are still to come", seen.undecided)
    if seen.warning:
        say("", printable(seen.warning))


def _say_borrowed(borrowed: Relations) -> None:
    for sentence in borrowed.sentences:
        say(f"Borrowed: {printable(sentence)}.")


def _say_costs(seen: Snapshot) -> None:
    if seen.spent is None:
        return
    at_target = ""
    if seen.target:
        count = f"{len(seen.counted)} of {plural(len(seen.complete), 'result')}"
        at_target = f" Target fidelity: {printable(seen.target)} ({count})."
    say(f"Spent: {seen.spent:.6g}.{at_target}")
    if seen.target and seen.complete and not seen.counted:
        say("No result is at the target yet; `pathmax suggest` goes there when it is worth it.")


def _say_best(opened: Opened, best: Trial) -> None:
    shown = settings(rounded(opened.study.space, best.params), opened.layout.labelled)
    say("", f"Best: {printable(measured(best, opened.study.goals.names))} (trial {best.number})")
    say(f"      {shown}")


def _say_judgement(opened: Opened, judgement: Judgement) -> None:
    label, percent = opened.layout.labelled, analysis.importances.percent
    rows = [
        [label(one.name), percent(one.first), percent(one.total)] for one in judgement.importances
    ]
    say("", f"What matters for {printable(label(judgement.outcome))}: shares of its variance")
    say(table(["", "alone", "together with others"], rows[:MOST_ROWS]))
    if len(rows) > MOST_ROWS:
        say(f"and {plural(len(rows) - MOST_ROWS, 'parameter')} that matter less.")
    if judgement.importances.remark:
        say(judgement.importances.remark)
    say("", f"Is the model any good? {judgement.check.sentence}")


def _say_trials(opened: Opened, title: str, trials: Sequence[Trial]) -> None:
    if not trials:
        return
    space, label = opened.study.space, opened.layout.labelled
    names = [*dict.fromkeys([*space.names, *(name for t in trials for name in t.params)])]
    last = dict.fromkeys((TrialState.FAILED, TrialState.STOPPED), "why")
    last[TrialState.RUNNING] = "since"
    rows = []
    for trial in trials:
        shown = cells(rounded(space, trial.params), names)
        rows.append([str(trial.number), *shown, _remark(trial, opened.study.goals.names)])
    result = label(opened.objective) if opened.layout.goals is None else "results"
    end = last.get(trials[0].state, result)
    say("", f"{title}:", table(["trial", *map(label, names), end], rows))


def _remark(trial: Trial, outcomes: Sequence[str]) -> str:
    if trial.state in (TrialState.FAILED, TrialState.STOPPED):
        return (trial.error or "").partition("\n")[0]
    if trial.state is TrialState.COMPLETE:
        return measured(trial, outcomes)
    seconds = max(0.0, time.time() - trial.asked_at)
    for unit, length in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            return f"{plural(int(seconds // length), unit)} ago"
    return "just now"
