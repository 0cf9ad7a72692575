"""Is the model any good: each result beside what the others say, and how often intervals hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from pathmax.arrays import Array
from pathmax.plots import interactive
from pathmax.plots.backend import is_interactive
from pathmax.plots.style import BLUE, GREY, LEVELS, RED, legend_below, literal, new_figure, tidy
from pathmax.trials.goals import VALUE

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class LeftOut(Protocol):
    """Results, and what a model of all the others expects of each: (n,) each."""

    @property
    def trials(self) -> Sequence[int]: ...
    @property
    def measured(self) -> Array: ...
    @property
    def mean(self) -> Array: ...
    @property
    def low(self) -> Array: ...
    @property
    def high(self) -> Array: ...
    @property
    def z(self) -> Array: ...


def calibration(
    check: LeftOut,
    *,
    objective: str = VALUE,
    title: str = "Is the model any good?",
    backend: str = "matplotlib",
) -> Any:
    """Left: predictions with 95 % intervals. Right: the share of results that intervals hold."""
    if is_interactive(backend):
        return interactive.calibration(check, objective, title)
    figure = new_figure(10.0, 4.6)
    figure.suptitle(literal(title), fontsize="large", wrap=True)
    left, right = figure.subplots(1, 2)
    _draw_predictions(left, check, objective)
    _draw_shares(right, check.z)
    return figure


def _draw_predictions(axes: Axes, check: LeftOut, objective: str) -> None:
    inside = (check.low <= check.measured) & (check.measured <= check.high)
    for chosen, colour, name in ((inside, BLUE, "inside"), (~inside, RED, "outside")):
        if chosen.any():
            mean = check.mean[chosen]
            reach = np.maximum([mean - check.low[chosen], check.high[chosen] - mean], 0.0)
            axes.errorbar(
                check.measured[chosen], mean, reach, fmt="o", color=colour, markersize=4,
                elinewidth=1, alpha=0.7, label=f"{name} the 95 % interval",
            )  # fmt: skip
    ends = [float(check.measured.min()), float(check.measured.max())]
    axes.plot(ends, ends, "--", color=GREY, linewidth=1, label="as measured")
    axes.set(
        xlabel=literal(f"{objective}, measured"),
        ylabel=literal(f"{objective}, predicted from all other results"),
    )
    tidy(axes)
    legend_below(axes, lines=2)


def _draw_shares(axes: Axes, z: Array) -> None:
    from scipy.special import ndtr

    n = len(z)
    held = np.sort(2.0 * ndtr(np.abs(z)) - 1.0)  # the smallest interval that holds each result
    found = np.searchsorted(held, LEVELS, side="right") / n
    low, high = chance_band(LEVELS, n)
    axes.fill_between(LEVELS, low, high, color=GREY, alpha=0.2, linewidth=0, label="by chance")
    axes.plot(LEVELS, LEVELS, "--", color=GREY, linewidth=1, label="as promised")
    axes.step(LEVELS, found, where="post", color=BLUE, linewidth=2, label="found")
    axes.set(
        xlabel="share of results that intervals should hold",
        ylabel="share that they hold", xlim=(0, 1), ylim=(0, 1.02),
    )  # fmt: skip
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda x, _: f"{x:.0%}")
    tidy(axes)
    legend_below(axes, lines=2)


def chance_band(levels: Array, n: int) -> tuple[Array, Array]:  # (m,) -> (m,), (m,)
    """Where the share of n results lies with probability 0.95 when each level is right."""
    from scipy.special import bdtrik

    inner = np.clip(levels, 1e-9, 1.0 - 1e-9)
    low, high = (np.ceil(bdtrik(p, n, inner)) / n for p in (0.025, 0.975))
    return np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)
