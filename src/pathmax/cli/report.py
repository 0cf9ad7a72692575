"""`pathmax report`: a value on the way, and whether to go on."""

from __future__ import annotations

import click

from pathmax.cli.options import placed
from pathmax.cli.output import printable, say, say_json, wants_json
from pathmax.cli.tell import NEGATIVE_NUMBERS
from pathmax.workspace.location import Location
from pathmax.workspace.opened_study import load_study
from pathmax.workspace.recording import read_result


@click.command(context_settings=NEGATIVE_NUMBERS)
@click.argument("trial", type=int)
@click.argument("step", type=click.IntRange(0))
@click.argument("value", nargs=-1, required=True)
@click.option("--stop", is_flag=True, help="End the trial if it should be stopped.")
@placed
def report(location: Location, trial: int, step: int, value: tuple[str, ...], stop: bool) -> None:
    """Report what a running trial has come to, and learn whether to go on with it.

    The quantity that is told in the end, after an epoch, say. What was reported first for a step
    stands.

    \b
    pathmax report 12 1 0.93
    pathmax report 12 2 0.81 --stop
    pathmax report 12 3 loss=0.7 size=3.2        (several outcomes)
    """
    opened = load_study(location)
    study = opened.study
    study.report(trial, step, read_result(opened, value))
    verdict = study.should_stop(trial)
    ended = bool(verdict) and stop
    if ended:
        study.stop(trial, str(verdict))
    if wants_json():
        answer = {"trial": trial, "step": step, "stop": bool(verdict), "why": str(verdict)}
        say_json({"study": study.name, **answer, "ended": ended})
        return
    why = f": {printable(str(verdict))}" if str(verdict) else ""
    if ended:
        say(f"Trial {trial} is stopped{why}.")
    else:
        say(f"Trial {trial}: {'stop it' if verdict else 'go on'}{why}.")
