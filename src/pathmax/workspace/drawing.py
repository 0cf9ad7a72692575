"""Figures of an open study, with its own names and units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pathmax.errors import SettingsError
from pathmax.workspace.opened_study import Opened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = ("overview", "progress", "slices", "parallel", "front")


def draw(opened: Opened, kind: str = "overview") -> Figure:
    """The figure of that kind: one of `KINDS`."""
    from pathmax import plots

    study, trials, label = opened.study, opened.fitting, opened.layout.labelled
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
