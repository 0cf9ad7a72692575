"""Figures of a study: one function from the name of a kind to the figure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from pathmax import plots
from pathmax.analysis import cross_validation, importances, predictions
from pathmax.errors import SettingsError
from pathmax.plots.slices import Predict
from pathmax.session.session import Session
from pathmax.trials.goals import VALUE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OF_THE_MODEL = ("importances", "calibration")
KINDS = ("overview", "progress", "slices", "parallel", "front", *OF_THE_MODEL)
PATHS = 200


@dataclass(frozen=True, slots=True)
class Names:
    """What parameters and outcomes are called in a figure."""

    label: Callable[[str], str] = str
    objective: str = VALUE  # of a study that gives its one outcome no name


def draw(
    session: Session, kind: str = "overview", outcome: str | None = None, names: Names | None = None
) -> Figure:
    """The figure of that kind: one of `KINDS`.

    outcome: whose importances or calibration; of the first objective when left out.
    """
    names, problem, trials = names or Names(), session.problem, session.fitting()
    goals, space, label = problem.goals, problem.space, names.label
    if kind not in KINDS:
        raise SettingsError(f"there is no figure {kind!r}; choose one of {', '.join(KINDS)}")
    if kind in OF_THE_MODEL:
        return _of_the_model(session, kind, outcome, names)
    if outcome is not None:
        raise SettingsError(
            f"the figure {kind!r} is not of one outcome; leave out {outcome!r}, or choose "
            "importances or calibration"
        )
    if kind == "front":
        return plots.front(trials, goals, label=label, title=session.name)
    if not goals.is_single:
        return _of_outcomes(session, kind, label)
    objective = label(names.objective if goals.first.name == VALUE else goals.first.name)
    direction, predict = problem.direction, partial(predictions.predict, session)
    if kind == "progress":
        return plots.progress(trials, direction, objective=objective, title=session.name)
    if kind == "parallel":
        return plots.parallel(space, trials, direction, label=label, objective=objective)
    if kind == "slices":
        return plots.slices(space, trials, direction, predict, label=label, objective=objective)
    return plots.overview(
        space, trials, direction, predict, name=session.name, label=label, objective=objective
    )


def _of_outcomes(session: Session, kind: str, label: Callable[[str], str]) -> Figure:
    trials, goals, space = session.fitting(), session.problem.goals, session.problem.space

    def predict(outcome: str) -> Predict:
        return partial(predictions.predict, session, outcome=outcome)

    if kind == "progress":
        return plots.outcome_progress(trials, goals, label=label, title=session.name)
    if kind == "parallel":
        return plots.outcome_parallel(space, trials, goals, label=label)
    if kind == "slices":
        return plots.outcome_slices(space, trials, goals, predict, label=label)
    return plots.outcome_overview(space, trials, goals, predict, name=session.name, label=label)


def _of_the_model(session: Session, kind: str, outcome: str | None, names: Names) -> Figure:
    first = session.problem.goals.first.name
    if outcome is None or (first == VALUE and outcome == names.objective):
        outcome = first
    name = names.label(names.objective if outcome == VALUE else outcome)
    if kind == "calibration":
        check = cross_validation.cross_validate(session, outcome)
        return plots.calibration(check, objective=name, title=check.sentence)
    shares = list(importances.importances(session, outcome, PATHS))
    return plots.importances(shares, label=names.label, title=f"What matters for {name}")
