"""Parallel coordinates: each trial a line through its settings to its result."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pathmax.arrays import Array
from pathmax.plots.outcome_trials import OutcomeView
from pathmax.plots.style import (
    COLOUR_MAP,
    ORANGE,
    ParameterScale,
    legend_below,
    literal,
)
from pathmax.trials.trial import Trial

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LETTERS_PER_INCH = 11  # of the ticks, with some space between one name and the next
MOST_DRAWN = 500  # the best of more trials: others would only blacken the picture


def draw_parallel(axes: Axes, view: OutcomeView) -> None:
    """Trials of a study with one outcome, coloured by how good they are."""
    from matplotlib import colormaps

    goal, best, scales, trials = view.goals.first, view.through[0], view.scales, view.told
    objective = view.name(goal)
    values = np.array([trial.outcomes[goal.name] for trial in trials], dtype=float)
    result = ParameterScale(objective, float(values.min()), float(values.max()))
    columns = [positions_of(scale, trials) for scale in scales]
    lines = np.column_stack([*columns, result.fractions(values.tolist())])  # (n, d + 1)
    worse = np.abs(values - best.outcomes[goal.name])
    order = np.argsort(worse)[:MOST_DRAWN][::-1]
    colours = colormaps[COLOUR_MAP](1.0 - worse / (worse.max() or 1.0))
    stations = np.arange(lines.shape[1])
    for i in order:  # the best are drawn last, on top
        axes.plot(stations, lines[i], color=colours[i], linewidth=1, alpha=0.7)
    winner = next(i for i, trial in enumerate(trials) if trial.number == best.number)
    axes.plot(
        stations, lines[winner], color=ORANGE, linewidth=2.5, label=f"best (trial {best.number})"
    )
    names = [*(view.label(scale.name) for scale in scales), objective]
    draw_stations(axes, [*scales, result], names)


def draw_stations(axes: Axes, scales: Sequence[ParameterScale], names: Sequence[str]) -> None:
    """A vertical axis for each column, with its marks and its name."""
    stations = np.arange(len(scales))
    for x, scale in zip(stations, scales, strict=True):
        axes.axvline(float(x), color="0.2", linewidth=0.8)
        for y, text in _marks(scale):
            axes.annotate(
                literal(text),
                (x, y),
                xytext=(4, 0),
                textcoords="offset points",
                fontsize="x-small",
                va="center",
                bbox={"facecolor": "white", "alpha": 0.7, "linewidth": 0, "pad": 0.5},
            )
    heads = _heads(names, letters=round(LETTERS_PER_INCH * _inches(axes) / len(names)))
    axes.set_xticks(stations, list(map(literal, heads)))
    axes.set(yticks=[], title="Settings and results", xlim=(-0.1, stations[-1] + 0.35))
    axes.set_ylim(-0.05, 1.05)  # the whole of every scale, however few the results
    axes.tick_params(axis="x", length=0)
    axes.spines[:].set_visible(False)
    legend_below(axes, lines=max(head.count("\n") for head in heads) + 1)


def positions_of(scale: ParameterScale, trials: Sequence[Trial]) -> Array:  # -> (n,)
    """Where the trials lie on a scale; NaN, which breaks a line, where they do not have it."""
    column = np.full(len(trials), np.nan)
    there = [i for i, trial in enumerate(trials) if scale.name in trial.params]
    column[there] = scale.fractions([trials[i].params[scale.name] for i in there])
    return column


def _inches(axes: Axes) -> float:
    """How wide the axes will be, about: what is left and right of them is not known yet."""
    columns: int = axes.get_subplotspec().get_gridspec().ncols  # type: ignore[union-attr]
    return float(axes.get_figure(root=True).get_figwidth()) / columns  # type: ignore[union-attr]


def _heads(names: Sequence[str], letters: int) -> list[str]:
    """Names side by side, none wider than so many letters: in two lines, and cut if need be."""
    widest = max(letters, 4)
    wrapped = [textwrap.wrap(name, widest, max_lines=2, placeholder=" …") for name in names]
    return ["\n".join(lines) or name for name, lines in zip(names, wrapped, strict=True)]


def _marks(scale: ParameterScale) -> list[tuple[float, str]]:
    if scale.choices is not None:
        positions, names = scale.named_ticks()
        span = max(len(scale.choices) - 1, 1)
        alone = 0.5 if len(scale.choices) == 1 else 0.0
        return [(alone + p / span, n) for p, n in zip(positions, names, strict=True)]
    if scale.low == scale.high:
        return [(0.5, f"{scale.low:g}")]
    middle = (scale.low * scale.high) ** 0.5 if scale.log else (scale.low + scale.high) / 2
    marks = [(0.0, scale.low), (1.0, scale.high)]
    if not scale.whole:
        marks.insert(1, (0.5, middle))
    return [(y, f"{value:.3g}") for y, value in marks]
