"""`pathmax studies` and `pathmax delete`: what a database holds."""

from __future__ import annotations

from typing import Any

import click

from pathmax.cli.options import placed
from pathmax.cli.output import printable, say, say_json, table
from pathmax.errors import SettingsError, StudyNotFoundError
from pathmax.running.result import best_of
from pathmax.storage import Storage, StudyRecord
from pathmax.trials.trial import TrialState
from pathmax.trials.wording import number, plural
from pathmax.workspace.opening import existing_storage, sheet_of, shown
from pathmax.workspace.plan import Place


@click.command()
@placed
def studies(place: Place) -> None:
    """List the studies of a database.

    \b
    pathmax studies
    pathmax studies --storage lab.db
    """
    storage = existing_storage(place.storage)
    records = [r for r in storage.studies() if place.study in (None, r.name)]
    found = [_summary(storage, record) for record in records]
    if place.as_json:
        say_json({"storage": shown(place.storage), "studies": found})
    elif not found:
        say(f"No studies in {shown(place.storage)}.")
    else:
        rows = [
            [
                str(study["study"]),
                f"{study['direction']} {study['objective']}",
                *(str(study[str(state)]) for state in (TrialState.COMPLETE, TrialState.RUNNING)),
                number(study["best"], 6),
            ]
            for study in found
        ]
        say(table(["study", "goal", "results", "running", "best"], rows))


def _summary(storage: Storage, record: StudyRecord) -> dict[str, Any]:
    _, trials = storage.changes(record.name)
    told = [trial for trial in trials if trial.value is not None]
    return {
        "study": record.name,
        "direction": record.direction,
        "objective": sheet_of(record)["objective"],
        **{str(state): sum(trial.state is state for trial in trials) for state in TrialState},
        "best": best_of(told, record.direction).value if told else None,
    }


@click.command()
@click.argument("name", required=False)
@click.option("--yes", is_flag=True, help="Do not ask.")
@placed
def delete(place: Place, name: str | None, yes: bool) -> None:
    """Remove a study and all its trials, after asking. It cannot be undone.

    \b
    pathmax delete suzuki
    """
    name = name or place.study
    if name is None:
        raise SettingsError(
            "which study? name it: pathmax delete NAME; `pathmax studies` lists them"
        )
    storage = existing_storage(place.storage)
    names = [record.name for record in storage.studies()]
    if name not in names:
        known = f"there are {', '.join(names)}" if names else "it holds none"
        raise StudyNotFoundError(f"no study {name!r} in {shown(place.storage)}; {known}")
    count = len(storage.changes(name)[1])
    if not yes:
        question = f"Delete study {printable(name)} with {plural(count, 'trial')} for good?"
        click.confirm(question, abort=True, err=place.as_json)
    storage.delete(name)
    if place.as_json:
        say_json({"deleted": name, "trials": count})
    else:
        say(f"Deleted {printable(name)} ({plural(count, 'trial')}).")
