"""Figures of a study: one function from the name of a kind to the figure."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from pathmax import plots
from pathmax.analysis import cross_validation, importances, predictions
from pathmax.errors import SettingsError
from pathmax.plots.backend import is_interactive
from pathmax.plots.slices import Predict
from pathmax.session.session import Session
from pathmax.trials.goals import VALUE
from pathmax.trials.trial import Trial

OF_THE_MODEL = ("importances", "calibration")
FIGURE_KINDS = ("overview", "progress", "slices", "parallel", "front", *OF_THE_MODEL)
FIGURE_PATHS = 200


def backend_for(path: str | os.PathLike[str] | None, backend: str | None) -> str:
    """The library that draws, if nobody says which: plotly for a page, else matplotlib."""
    if backend is not None:
        return backend
    is_page = path is not None and os.fspath(path).lower().endswith((".html", ".htm"))
    return "plotly" if is_page else "matplotlib"


@dataclass(frozen=True, slots=True)
class Names:
    """What parameters and outcomes are called in a figure."""

    label: Callable[[str], str] = str
    objective: str = VALUE  # of a study that gives its one outcome no name


def draw(
    session: Session,
    kind: str = "overview",
    outcome: str | None = None,
    names: Names | None = None,
    backend: str = "matplotlib",
) -> Any:
    """The figure of that kind: one of `FIGURE_KINDS`.

    outcome: whose importances or calibration; of the first objective when left out.
    """
    names, problem, trials = names or Names(), session.problem, session.fitting()
    goals, space, label = problem.goals, problem.space, names.label
    if kind not in FIGURE_KINDS:
        raise SettingsError(f"there is no figure {kind!r}; choose one of {', '.join(FIGURE_KINDS)}")
    if kind in OF_THE_MODEL:
        return _of_the_model(session, kind, outcome, names, backend)
    if outcome is not None:
        raise SettingsError(
            f"the figure {kind!r} is not of one outcome; leave out {outcome!r}, or choose "
            "importances or calibration"
        )
    has_front = len(goals.objectives) > 1
    if kind == "front" or (kind == "overview" and has_front and is_interactive(backend)):
        return plots.front(trials, goals, label=label, title=session.name, backend=backend)
    shown: Any = {"label": label}
    lower = lower_fidelities(session) if goals.is_single else []
    if goals.is_single:
        name = goals.first.name
        shown["objective"] = label(names.objective if name == VALUE else name)

    def predict(outcome: str) -> Predict:
        return partial(predictions.predict, session, outcome=outcome)

    if kind == "progress":
        shown |= {"title": session.name, "backend": backend, "lower": lower}
        return plots.outcome_progress(trials, goals, **shown)
    if kind == "parallel":
        return plots.outcome_parallel(space, trials, goals, backend=backend, **shown)
    if kind == "slices" or is_interactive(backend):  # an interactive overview is its slices
        return plots.outcome_slices(space, trials, goals, predict, backend=backend, **shown)
    shown |= {"name": session.name, "lower": lower}
    return plots.outcome_overview(space, trials, goals, predict, **shown)


def lower_fidelities(session: Session) -> list[Trial]:
    """The trials that approximate what is wanted."""
    space = session.problem.space
    if space.fidelity is None:
        return []
    return [t for t in session.trials() if session.fits(t) and not space.counts(t.params)]


def _of_the_model(
    session: Session, kind: str, outcome: str | None, names: Names, backend: str
) -> Any:
    first = session.problem.goals.first.name
    if outcome is None or (first == VALUE and outcome == names.objective):
        outcome = first
    name = names.label(names.objective if outcome == VALUE else outcome)
    if kind == "calibration":
        check = cross_validation.cross_validate(session, outcome)
        return plots.calibration(check, objective=name, title=check.sentence, backend=backend)
    shares = list(importances.importances(session, outcome, FIGURE_PATHS))
    title = f"What matters for {name}"
    return plots.importances(shares, label=names.label, title=title, backend=backend)
