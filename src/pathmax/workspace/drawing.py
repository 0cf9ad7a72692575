"""Figures of an open study, with its own names and units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pathmax.errors import SettingsError
from pathmax.trials.goals import VALUE
from pathmax.workspace.opened_study import Opened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OF_THE_MODEL = ("importances", "calibration")
KINDS = ("overview", "progress", "slices", "parallel", "front", *OF_THE_MODEL)


def draw(opened: Opened, kind: str = "overview", outcome: str | None = None) -> Figure:
    """The figure of that kind: one of `KINDS`.

    outcome: whose importances or calibration; of the first objective when left out.
    """
    from pathmax import plots

    study, trials, label = opened.study, opened.fitting, opened.layout.labelled
    if kind in OF_THE_MODEL:
        return _of_the_model(opened, kind, outcome)
    if outcome is not None:
        raise SettingsError(
            f"the figure {kind!r} is not of one outcome; leave out {outcome!r}, or choose "
            "importances or calibration"
        )
    if kind == "front" or (kind == "overview" and len(study.goals.objectives) > 1):
        return plots.front(trials, study.goals, label=label, title=study.name)
    if not study.goals.is_single:
        raise SettingsError(
            f"the figure {kind!r} is of one objective without constraints, and this study wants "
            f"{study.goals.words}; --kind front shows the results of several objectives"
        )
    objective = label(opened.objective)
    named: Any = {"label": label, "objective": objective}
    if kind == "progress":
        return plots.progress(trials, study.direction, objective=objective, title=study.name)
    if kind == "parallel":
        return plots.parallel(study.space, trials, study.direction, **named)
    if kind == "slices":
        return plots.slices(study.space, trials, study.direction, study.predict, **named)
    if kind == "overview":
        return plots.overview(
            study.space, trials, study.direction, study.predict, name=study.name, **named
        )
    raise SettingsError(f"there is no figure {kind!r}; choose one of {', '.join(KINDS)}")


def _of_the_model(opened: Opened, kind: str, outcome: str | None) -> Figure:
    from pathmax import plots

    study, label = opened.study, opened.layout.labelled
    first = study.goals.first.name
    if outcome is None or (first == VALUE and outcome == opened.objective):
        outcome = first
    name = label(opened.objective if outcome == VALUE else outcome)
    if kind == "calibration":
        check = study.cross_validate(outcome)
        return plots.calibration(check, objective=name, title=check.sentence)
    shares = list(study.importances(outcome))
    return plots.importances(shares, label=label, title=f"What matters for {name}")
