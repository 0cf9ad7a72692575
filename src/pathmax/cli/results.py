"""`pathmax tell` and `pathmax fail`: how trials ended."""

from __future__ import annotations

import click

from pathmax.cli.options import placed
from pathmax.cli.output import printable, say, say_json, settings
from pathmax.errors import OutcomeError
from pathmax.tables.numbers import parse_number, reads_as_thousands
from pathmax.trials.trial import Trial
from pathmax.trials.wording import number
from pathmax.workspace.opening import Opened, load_study
from pathmax.workspace.plan import Place
from pathmax.workspace.rounding import rounded
from pathmax.workspace.views import best_or_none

# A value may begin with a minus sign and is no option then.
NEGATIVE_NUMBERS = {"ignore_unknown_options": True}


@click.command(context_settings=NEGATIVE_NUMBERS)
@click.argument("trial", type=int)
@click.argument("value")
@click.option("--std", type=click.FloatRange(0), help="Standard deviation of the value, if known.")
@click.option("--note", metavar="TEXT", help="A remark to keep with it.")
@click.option("--correct", is_flag=True, help="Replace what was told before, or a failure.")
@placed
def tell(
    place: Place, trial: int, value: str, std: float | None, note: str | None, correct: bool
) -> None:
    """Tell the result of a trial. What was told is on disk when the command returns.

    A trial is told once. A mistyped result is replaced with --correct; the old one is kept with
    the trial.

    \b
    pathmax tell 12 71.3
    pathmax tell 12 71.3 --std 0.5 --note "slightly yellow"
    pathmax tell 12 73.1 --correct
    """
    try:
        measured = parse_number(value, "." if reads_as_thousands(value) or "." in value else ",")
    except ValueError as error:
        remedy = f"a trial without a result is told so: pathmax fail {trial}"
        raise OutcomeError(f"{error}; {remedy}") from error
    opened = load_study(place)
    noise = None if std is None else std**2
    how = f"{opened.objective} {number(measured, 6)}"
    if correct:
        told = opened.study.correct(trial, measured, noise=noise, note=note)
        how += replaced(told)
    else:
        told = opened.study.tell(trial, measured, noise=noise, note=note)
    say_ended(place, opened, told, how)


@click.command()
@click.argument("trial", type=int)
@click.option("--reason", metavar="TEXT", default="the experiment failed", help="What went wrong.")
@click.option("--correct", is_flag=True, help="Replace a result that was told by mistake.")
@placed
def fail(place: Place, trial: int, reason: str, correct: bool) -> None:
    """Tell that a trial gave no result. The study goes on and avoids that corner.

    A result that was told by mistake is replaced with --correct; it is kept with the trial.

    \b
    pathmax fail 12
    pathmax fail 12 --reason "stirrer stopped"
    pathmax fail 12 --reason "the flask was swapped" --correct
    """
    opened = load_study(place)
    ended = opened.study.fail(trial, reason, correct=correct)
    how = f"failed ({printable(reason)})" + (replaced(ended) if correct else "")
    say_ended(place, opened, ended, how)


def replaced(corrected: Trial) -> str:
    """What a correction put another ending in the place of, with a space before it."""
    was = corrected.earlier[-1].value
    return f" (was {'failed' if was is None else number(was, 6)})"


def say_ended(place: Place, opened: Opened, trial: Trial, how: str) -> None:
    study = opened.study
    best = best_or_none(study)
    if place.as_json:
        best_number = None if best is None else best.number
        say_json({"study": study.name, "trial": trial.to_json(), "best_trial": best_number})
        return
    say(f"Trial {trial.number}: {how}.")
    if best is None:
        return
    if best.number == trial.number:
        say("That is the best so far.")
    else:
        shown = settings(rounded(study.space, best.params), opened.layout.labelled)
        say(f"Best so far: {number(best.value, 6)} (trial {best.number}: {shown}).")
