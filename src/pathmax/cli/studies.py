"""`pathmax studies` and `pathmax delete`: what a database holds."""

from __future__ import annotations

from dataclasses import replace

import click

from pathmax.cli.options import placed
from pathmax.cli.output import printable, say, say_json, table, wants_json
from pathmax.trials.trial import TrialState
from pathmax.trials.wording import number, plural
from pathmax.workspace.location import Location
from pathmax.workspace.study_list import delete_study, summaries, trials_to_delete


@click.command()
@placed
def studies(location: Location) -> None:
    """List the studies of a database.

    \b
    pathmax studies
    pathmax studies --storage lab.db
    """
    found = summaries(location)
    if wants_json():
        say_json({"storage": location.shown, "studies": [study.to_json() for study in found]})
    elif not found:
        say(f"No studies in {location.shown}.")
    else:
        rows = [
            [
                study.study,
                study.goal,
                *(str(study.counts[state]) for state in (TrialState.COMPLETE, TrialState.RUNNING)),
                number(study.best, 6) if study.front is None else f"{study.front} on the front",
            ]
            for study in found
        ]
        say(table(["study", "goal", "results", "running", "best"], rows))


@click.command()
@click.argument("name", required=False)
@click.option("--yes", is_flag=True, help="Do not ask.")
@placed
def delete(location: Location, name: str | None, yes: bool) -> None:
    """Remove a study and all its trials, after asking. It cannot be undone.

    \b
    pathmax delete suzuki
    """
    location = replace(location, study=name or location.study)
    count, name = trials_to_delete(location), location.study
    if not yes:
        question = f"Delete study {printable(name)} with {plural(count, 'trial')} for good?"
        click.confirm(question, abort=True, err=wants_json())
    delete_study(location)
    if wants_json():
        say_json({"deleted": name, "trials": count})
    else:
        say(f"Deleted {printable(name)} ({plural(count, 'trial')}).")
