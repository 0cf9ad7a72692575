"""What the model expects along each parameter, with its band: a slice through the best trial."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pathmax.arrays import Array
from pathmax.plots.style import BLUE, GREY, MOST_DOTS, ORANGE, ParameterScale, tidy
from pathmax.scalars import Scalar
from pathmax.space.any_space import AnySpace
from pathmax.trials.trial import Trial

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Predict = Callable[[Sequence[Mapping[str, Scalar]]], tuple[Array, Array]]

SLICE_POINTS = 101
BAND = 1.96  # standard deviations: 95 %


def draw_slice(
    axes: Axes,
    scale: ParameterScale,
    domain: AnySpace,
    trials: Sequence[Trial],
    best: Trial,
    predict: Predict,
    label: str,
    *,
    of: Callable[[Trial], float],
    through: str,
) -> None:
    """`of` is the outcome that is drawn, and `through` says what the trial is that it cuts."""
    cut = not domain.is_pool  # a pool has no rows between its rows
    rows = along(domain, scale, best)
    x, mean, std = parted(scale, rows, predict)
    if scale.log:
        axes.set_xscale("log")
    if domain.is_pool:
        axes.plot(x, mean, ".", color=BLUE, alpha=0.5, label="expected, each candidate")
    elif scale.choices is not None or scale.whole or scale.lattice is not None:
        axes.errorbar(
            x, mean, BAND * std, fmt="o-" if scale.choices is None else "o",
            color=BLUE, linewidth=1, capsize=3, markersize=4, label="expected, with 95 % band",
        )  # fmt: skip
    else:
        axes.fill_between(
            x, mean - BAND * std, mean + BAND * std, color=BLUE, alpha=0.2, linewidth=0
        )
        axes.plot(x, mean, color=BLUE, linewidth=2, label="expected, with 95 % band")
    told = [trial for trial in trials if trial.outcomes and scale.name in trial.params]
    where = scale.positions([trial.params[scale.name] for trial in told])
    axes.plot(
        where,
        [of(t) for t in told],
        "o",
        color=GREY,
        markersize=3,
        label="results, at other settings too" if cut else "results",
    )
    at = scale.positions([best.params[scale.name]])
    axes.plot(
        at,
        [of(best)],
        "*",
        color=ORANGE,
        markersize=12,
        label=f"{through}, through which it cuts" if cut else through,
    )
    scale.dress(axes.xaxis, label)
    if scale.choices is not None:
        axes.margins(x=0.15)
    tidy(axes)


def has(domain: AnySpace, centre: Trial, scale: ParameterScale) -> bool:
    """Whether a slice through a trial goes along a parameter: it may not be active there."""
    return domain.is_pool or scale.name in centre.params


def along(domain: AnySpace, scale: ParameterScale, centre: Trial) -> list[dict[str, Scalar]]:
    """The params of a slice: a trial's with other values of one, or rows that stand for a pool.

    What the known constraints forbid is left out.
    """
    rows = domain.sampled(MOST_DOTS)
    if rows is not None:
        return rows
    return allowed(
        domain, [domain.changed(centre.params, scale.name, v) for v in scale.steps(SLICE_POINTS)]
    )


def allowed(domain: AnySpace, rows: list[dict[str, Scalar]]) -> list[dict[str, Scalar]]:
    """The rows that obey the known constraints of a space."""
    return [row for row in rows if domain.where.are_obeyed(row)] if domain.where else rows


def line_starts(scale: ParameterScale, rows: Sequence[Mapping[str, Scalar]]) -> list[int]:
    """The numbers of the rows with which a line begins: the first, and those behind a gap."""
    if scale.choices is not None or scale.whole or scale.lattice is not None or not rows:
        return [0]
    steps = np.array(scale.steps(SLICE_POINTS), dtype=float)
    places = np.searchsorted(steps, scale.positions([params[scale.name] for params in rows]))
    return [0, *(np.flatnonzero(np.diff(places) > 1) + 1).tolist()]


def parted(
    scale: ParameterScale, rows: Sequence[Mapping[str, Scalar]], predict: Predict
) -> tuple[Array, Array, Array]:
    """Where the rows are and what is expected there, with a NaN at each gap, to break the line."""
    if not rows:
        return np.empty(0), np.empty(0), np.empty(0)
    x = scale.positions([params[scale.name] for params in rows])
    mean, std = predict(rows)
    gaps = line_starts(scale, rows)[1:]
    return (
        np.insert(x, gaps, x[gaps]),
        np.insert(mean, gaps, np.nan),
        np.insert(std, gaps, np.nan),
    )
