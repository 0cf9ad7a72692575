"""Figures of a study with one outcome: each kind by itself, and all of them on one page."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pathmax.errors import DataFileError, TrialError
from pathmax.plots import interactive, interactive_model
from pathmax.plots.backend import is_interactive
from pathmax.plots.best_so_far import draw_progress
from pathmax.plots.parallel_coordinates import draw_parallel
from pathmax.plots.slices import Predict, draw_slice, has
from pathmax.plots.style import PER_ROW, Label, literal, new_figure, result_of, scales
from pathmax.space.any_space import AnySpace
from pathmax.trials.goals import VALUE, sign_of
from pathmax.trials.trial import Trial, TrialState

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure


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
    if is_interactive(backend):
        return interactive.progress(trials, direction, objective, title, lower)
    figure = new_figure(6.4, 4.0)
    draw_progress(figure.subplots(), trials, direction, objective, title, lower)
    return figure


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
    if is_interactive(backend):
        told = _told(trials)
        best = _best(told, direction)
        found = [scale for scale in scales(domain, told) if has(domain, best, scale)]
        return interactive_model.slices(domain, found, told, best, predict, label, objective)
    rows = _rows(domain.dimension)
    figure = new_figure(3.2 * min(domain.dimension, PER_ROW) + 0.6, 3.0 * rows + 0.5)
    _draw_slices(figure, domain, trials, direction, predict, label, objective)
    return figure


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
    told = _told(trials)
    found = scales(domain, told)
    if is_interactive(backend):
        return interactive_model.parallel(found, told, label, objective)
    figure = new_figure(1.6 * (domain.dimension + 1) + 1.5, 4.2)
    draw_parallel(figure.subplots(), found, told, _best(told, direction), label, objective)
    return figure


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
    told = _told(trials)
    rows = _rows(domain.dimension)
    figure = new_figure(13.0, 4.4 + 3.0 * rows)
    figure.suptitle(literal(f"{name}: {direction} {objective}"), fontsize="x-large")
    top, bottom = figure.subfigures(2, 1, squeeze=False, height_ratios=[4.2, 3.0 * rows])[:, 0]
    left, right = top.subplots(1, 2)
    draw_progress(left, trials, direction, objective, "Progress", lower)
    draw_parallel(right, scales(domain, told), told, _best(told, direction), label, objective)
    _draw_slices(bottom, domain, trials, direction, predict, label, objective)
    return figure


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


def _draw_slices(
    figure: Figure | SubFigure,
    domain: AnySpace,
    trials: Sequence[Trial],
    direction: str,
    predict: Predict,
    label: Label,
    objective: str,
) -> None:
    told = _told(trials)
    best = _best(told, direction)
    found = [scale for scale in scales(domain, told) if has(domain, best, scale)]
    columns = min(len(found), PER_ROW)
    grid = figure.subplots(_rows(len(found)), columns, sharey=True, squeeze=False)
    for axes, scale in zip(grid.flat, found, strict=False):
        draw_slice(axes, scale, domain, told, best, predict, label(scale.name))
    for axes in grid.flat[len(found) :]:
        axes.remove()
    for axes in grid[:, 0]:
        axes.set_ylabel(literal(objective))
    figure.suptitle("What the model expects along each parameter", fontsize="large")
    handles, names = grid.flat[0].get_legend_handles_labels()
    figure.legend(
        handles, names, loc="outside lower center", ncols=3, frameon=False, fontsize="small"
    )


def _rows(count: int) -> int:
    return math.ceil(count / PER_ROW)


def _told(trials: Sequence[Trial]) -> list[Trial]:
    told = [trial for trial in trials if trial.state is TrialState.COMPLETE]
    if not told:
        raise TrialError(
            "no trial has a value yet (with a fidelity: none at its target), so there is nothing "
            "to draw; tell one first"
        )
    return told


def _best(told: Sequence[Trial], direction: str) -> Trial:
    sign = sign_of(direction)
    return max(told, key=lambda trial: sign * result_of(trial))
