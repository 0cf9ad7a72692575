"""Figures of a study with one outcome, as those who have no goals at hand ask for them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pathmax.errors import DataFileError
from pathmax.plots.outcome_figures import (
    outcome_overview,
    outcome_parallel,
    outcome_progress,
    outcome_slices,
)
from pathmax.plots.slices import Predict
from pathmax.plots.style import (
    Label,
)
from pathmax.space.any_space import AnySpace
from pathmax.trials.goals import VALUE, Goal, Goals
from pathmax.trials.trial import Trial

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def progress(
    trials: Sequence[Trial],
    direction: str,
    *,
    objective: str = VALUE,
    title: str = "Progress",
    backend: str = "matplotlib",
    lower: Sequence[Trial] = (),
) -> Any:
    """Every result in order and the best so far; those of `lower` fidelity beside them."""
    shown: Any = {"title": title, "backend": backend, "lower": lower}
    return outcome_progress(trials, _goals(trials, direction), objective=objective, **shown)


def slices(
    domain: AnySpace,
    trials: Sequence[Trial],
    direction: str,
    predict: Predict,
    *,
    label: Label = str,
    objective: str = VALUE,
    backend: str = "matplotlib",
) -> Any:
    """The expected value and its band along each parameter, through the best trial."""
    shown: Any = {"label": label, "objective": objective, "backend": backend}
    goals = _goals(trials, direction)
    return outcome_slices(domain, trials, goals, lambda _: predict, **shown)


def parallel(
    domain: AnySpace,
    trials: Sequence[Trial],
    direction: str,
    *,
    label: Label = str,
    objective: str = VALUE,
    backend: str = "matplotlib",
) -> Any:
    """Each trial as a line through its settings to its result."""
    shown: Any = {"label": label, "objective": objective, "backend": backend}
    return outcome_parallel(domain, trials, _goals(trials, direction), **shown)


def overview(
    domain: AnySpace,
    trials: Sequence[Trial],
    direction: str,
    predict: Predict,
    *,
    name: str,
    label: Label = str,
    objective: str = VALUE,
    lower: Sequence[Trial] = (),
) -> Figure:
    """Progress, parallel coordinates and slices on one page."""
    shown: Any = {"name": name, "label": label, "objective": objective, "lower": lower}
    goals = _goals(trials, direction)
    return outcome_overview(domain, trials, goals, lambda _: predict, **shown)


def _goals(trials: Sequence[Trial], direction: str) -> Goals:
    """The goal of a study with one outcome, whatever that is called."""
    name = next((name for trial in trials for name in trial.outcomes), VALUE)
    return Goals([Goal(name, direction)])


def save(figure: Any, path: str | os.PathLike[str], dpi: int = 150) -> None:
    """Write a figure in the format that the name ends in: png, svg, pdf, ..., or html of plotly."""
    try:
        if hasattr(figure, "write_html"):
            _save_page(figure, path)
            return
        with warnings.catch_warnings():
            # An emoji in a name becomes a box, which is no reason to complain.
            warnings.filterwarnings("ignore", message="Glyph .* missing from")
            figure.savefig(path, dpi=dpi)
    except ValueError as error:
        raise DataFileError(f"{os.fspath(path)}: {error}; name it something.png") from error
    except OSError as error:
        raise DataFileError(f"{os.fspath(path)}: cannot be written: {error.strerror}") from error


def _save_page(figure: Any, path: str | os.PathLike[str]) -> None:
    """An interactive figure as a page that needs no network."""
    if not os.fspath(path).lower().endswith((".html", ".htm")):
        raise DataFileError(
            f"{os.fspath(path)}: an interactive figure is written as a page; name it "
            'something.html, or draw it with backend="matplotlib"'
        )
    figure.write_html(os.fspath(path), include_plotlyjs=True)
