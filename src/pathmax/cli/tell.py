"""`pathmax tell`, `fail` and `add`: how trials ended, and results from before."""

from __future__ import annotations

import click

from pathmax.cli import output
from pathmax.cli.options import changing, placed
from pathmax.cli.output import printable, say, say_json, say_remarks, wants_json
from pathmax.errors import ParamsError
from pathmax.trials.trial import Trial
from pathmax.trials.wording import measured
from pathmax.workspace import recording
from pathmax.workspace.location import Location
from pathmax.workspace.opened_study import Agree, Opened, load_study, start_study
from pathmax.workspace.recording import Recorded, read_typed
from pathmax.workspace.rounding import rounded
from pathmax.workspace.study_plan import Source, plan_of
from pathmax.workspace.typed_pairs import typed_pairs

# A value may begin with a minus sign and is no option then.
NEGATIVE_NUMBERS = {"ignore_unknown_options": True}

spread = click.option(
    "--std",
    multiple=True,
    metavar="NUMBER",
    help="Standard deviation of the value, if known; --std yield=0.5 for one of several outcomes.",
)


@click.command(context_settings=NEGATIVE_NUMBERS)
@click.argument("trial", type=int)
@click.argument("value", nargs=-1, required=True)
@spread
@click.option("--note", metavar="TEXT", help="A remark to keep with it.")
@click.option("--cost", type=click.FloatRange(0), help="What the trial cost, if known.")
@click.option("--correct", is_flag=True, help="Replace what was told before, or a failure.")
@placed
def tell(
    location: Location,
    trial: int,
    value: tuple[str, ...],
    std: tuple[str, ...],
    note: str | None,
    cost: float | None,
    correct: bool,
) -> None:
    """Tell the result of a trial. What was told is on disk when the command returns.

    A trial is told once. A mistyped result is replaced with --correct; the old one is kept with
    the trial.

    \b
    pathmax tell 12 71.3
    pathmax tell 12 71.3 --std 0.5 --note "slightly yellow"
    pathmax tell 12 73.1 --correct
    pathmax tell 12 yield=71.3 cost=3.2 --std yield=0.5      (several outcomes)
    """
    opened = load_study(location)
    told = recording.tell(opened, trial, value, std=std, note=note, cost=cost, correct=correct)
    say_ended(opened, told, result_of(opened, told.trial))


@click.command()
@click.argument("trial", type=int)
@click.option("--reason", metavar="TEXT", default="the experiment failed", help="What went wrong.")
@click.option("--correct", is_flag=True, help="Replace a result that was told by mistake.")
@placed
def fail(location: Location, trial: int, reason: str, correct: bool) -> None:
    """Tell that a trial gave no result. The study goes on and avoids that corner.

    A result that was told by mistake is replaced with --correct; it is kept with the trial.

    \b
    pathmax fail 12
    pathmax fail 12 --reason "stirrer stopped"
    pathmax fail 12 --reason "the flask was swapped" --correct
    """
    opened = load_study(location)
    ended = recording.fail(opened, trial, reason, correct=correct)
    say_ended(opened, ended, f"failed ({printable(reason)})")


@click.command()
@click.argument("settings", nargs=-1, metavar="NAME=VALUE...")
@click.option(
    "--value",
    required=True,
    multiple=True,
    metavar="NUMBER",
    help="What came out; --value yield=71.3 --value cost=3.2 for several outcomes.",
)
@spread
@click.option("--note", metavar="TEXT", help="A remark to keep with it.")
@click.option("--cost", type=click.FloatRange(0), help="What it cost, if known.")
@click.option("--space", metavar="TOML", help="What may vary.  [default: space.toml if it is here]")
@changing
@placed
def add(
    location: Location,
    settings: tuple[str, ...],
    value: tuple[str, ...],
    std: tuple[str, ...],
    note: str | None,
    cost: float | None,
    space: str | None,
    agree: Agree,
) -> None:
    """Add a result from before, or of an experiment that was not suggested.

    \b
    pathmax add temperature=50 solvent=DMF --value 71.3
    pathmax add "flow rate=1.5" solvent=THF --value 64 --note "from the notebook"
    """
    given = typed_pairs(settings, ParamsError, "temperature=50")
    for text in value:
        read_typed(text.rpartition("=")[2])  # before a study is begun for it
    opened = start_study(location, plan_of(Source(space=space)), agree=agree)
    told = recording.add(opened, given, value, std=std, note=note, cost=cost)
    if not wants_json():
        say_remarks(opened)
    say_ended(opened, told, f"{result_of(opened, told.trial)}, added")


def result_of(opened: Opened, trial: Trial) -> str:
    """What came out, with the name of the result."""
    named = "" if opened.layout.goals is not None else f"{opened.objective} "
    told = measured(trial, opened.study.goals.names)
    return printable(f"{named}{told}" if trial.outcomes else "failed")


def say_ended(opened: Opened, told: Recorded, how: str) -> None:
    if wants_json():
        say_json(told.to_json())
        return
    if told.replaced is not None:
        how += f" (was {printable(measured(told.replaced)) or 'failed'})"
    say(f"Trial {told.trial.number}: {how}.")
    if told.is_best:
        say("That is the best so far.")
    elif told.best is not None:
        shown = output.settings(
            rounded(opened.study.space, told.best.params), opened.layout.labelled
        )
        best = printable(measured(told.best))
        say(f"Best so far: {best} (trial {told.best.number}: {shown}).")
