"""Every result in order, and the best so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pathmax.plots.style import BLUE, GREY, ORANGE, RED, legend_below, literal, result_of, tidy
from pathmax.trials.goals import VALUE, Goal
from pathmax.trials.trial import Trial, TrialState

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_progress(
    axes: Axes,
    trials: Sequence[Trial],
    direction: str,
    objective: str,
    title: str,
    lower: Sequence[Trial] = (),
) -> None:
    """`lower` are trials of lower fidelity: shown, but not compared with the others."""
    cheap = [trial for trial in lower if trial.outcomes]
    if cheap:
        axes.plot(
            [trial.number for trial in cheap], [result_of(trial) for trial in cheap], "o",
            color=GREY, markersize=3, markerfacecolor="none", label="result of lower fidelity",
        )  # fmt: skip
    told = [trial for trial in trials if trial.outcomes]
    failed = [trial.number for trial in trials if trial.state is TrialState.FAILED]
    numbers = [trial.number for trial in told]
    values = np.array([result_of(trial) for trial in told], dtype=float)
    if told:
        best = np.array(Goal(VALUE, direction).best_so_far(values.tolist()))
        axes.plot(numbers, values, "o", color=GREY, markersize=4, label="result")
        axes.step(numbers, best, where="post", color=BLUE, linewidth=2, label="best so far")
        first = numbers[int(np.flatnonzero(best == best[-1])[0])]
        axes.plot(first, best[-1], "*", color=ORANGE, markersize=13, label=f"best (trial {first})")
    if failed:
        # along the lower edge: a failure has a number but no value
        bottom = axes.get_xaxis_transform()
        axes.plot(failed, [0.02] * len(failed), "x", color=RED, transform=bottom, label="failed")
    axes.set(xlabel="trial", ylabel=literal(objective), title=literal(title))
    axes.locator_params(axis="x", integer=True)
    tidy(axes)
    if told or failed or cheap:
        legend_below(axes)
