"""The record that a study is stored as, and what the caller gives on top of it.

A setting that the caller gives wins over the stored one for as long as the study object lives; what
the caller leaves out is taken from the record. Each trial is stored with the settings it was
suggested with. The space and the direction are for good, see `opening`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from itertools import count
from typing import Any

from pathmax.errors import ParamsError, SpaceError
from pathmax.pool import Candidates, Domain, Grid
from pathmax.settings import AUTO, Settings, checked, complete
from pathmax.space import Space
from pathmax.storage import Entry, StudyRecord
from pathmax.trial import Trial, TrialState


def as_domain(space: Any) -> Domain:
    """A space, pool or grid as it is; a dict of parameters as a Space."""
    if isinstance(space, Space | Candidates | Grid):
        return space
    if isinstance(space, Mapping):
        return Space(space)
    raise SpaceError(
        "a study needs a space: a dict such as {'temperature': pathmax.Float(20, 120)}, "
        f"a pathmax.Candidates or a pathmax.Grid, got a {type(space).__name__}"
    )


def new_record(
    name: str,
    domain: Domain,
    direction: str | None,
    given: Mapping[str, Any],
    attributes: Mapping[str, Any] | None = None,
) -> StudyRecord:
    """What a new study is stored as."""
    return StudyRecord(
        name=name,
        space=domain.to_json(),
        direction="maximize" if direction is None else direction,
        settings=complete(given, domain.dimension).to_json(),
        attributes=attributes or {},
    )


def resumed(record: StudyRecord, given: Mapping[str, Any]) -> Settings:
    """The stored settings with what the caller gives on top."""
    stored = Settings.from_json(record.settings)
    kept = {field.name: getattr(stored, field.name) for field in fields(Settings)}
    return Settings(**(kept | checked(given)))


def entries_that_fit(trials: Iterable[Trial], domain: Domain) -> list[Entry]:
    """The finished trials whose params the domain allows, as results from before."""
    entries = []
    for trial in trials:
        if trial.state is TrialState.RUNNING:
            continue
        try:
            params = domain.validate(trial.params)
        except ParamsError:
            continue
        entries.append(
            Entry(
                params=params,
                state=trial.state,
                outcomes=trial.outcomes,
                noise=trial.noise,
                error=trial.error,
                attributes=trial.attributes,
                note=trial.note,
                asked_at=trial.asked_at,
                told_at=trial.told_at,
            )
        )
    return entries


def free_name(name: str, taken: Iterable[str]) -> str:
    """`name-2`, or the next number that is free."""
    used = set(taken)
    return next(f"{name}-{i}" for i in count(2) if f"{name}-{i}" not in used)


def carried(settings: Settings, before: Domain, after: Domain) -> dict[str, Any]:
    """The settings that a study takes along to another space."""
    kept = {field.name: getattr(settings, field.name) for field in fields(Settings)}
    if [axis.kind for axis in before.axes] != [axis.kind for axis in after.axes]:
        kept["kernel"] = None  # it was made for the old coordinates
        kept["refit_every"] = AUTO if settings.fixed else settings.refit_every
    return kept
