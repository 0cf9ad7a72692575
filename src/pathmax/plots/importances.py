"""Which parameters matter: a bar for each, with an interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from pathmax.plots import interactive
from pathmax.plots.backend import is_interactive
from pathmax.plots.style import BLUE, ORANGE, Label, legend_below, literal, new_figure, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_BARS = 30  # the largest of more parameters

Bounds = tuple[float, float, float]  # mean, low, high


class Share(Protocol):
    """What a parameter explains of the variance, alone and together with others."""

    @property
    def name(self) -> str: ...
    @property
    def first(self) -> Bounds: ...
    @property
    def total(self) -> Bounds: ...


def importances(
    shares: Sequence[Share],
    *,
    label: Label = str,
    title: str = "Which parameters matter",
    backend: str = "matplotlib",
) -> Any:
    """Bars of the shares with their 95 % intervals, in the order given, the first on top."""
    shown = list(shares)[:MOST_BARS]
    if is_interactive(backend):
        return interactive.importances(shown, label, title)
    figure = new_figure(6.4, 1.6 + 0.5 * max(len(shown), 2))
    axes = figure.subplots()
    places = np.arange(len(shown), dtype=float)
    _draw_bars(axes, places - 0.2, [one.first for one in shown], BLUE, "alone")
    _draw_bars(axes, places + 0.2, [one.total for one in shown], ORANGE, "together with others")
    axes.set_yticks(places, [literal(label(one.name)) for one in shown])
    axes.invert_yaxis()
    axes.set(xlim=(0, 1), xlabel="share of the variance, with 95 % interval", title=literal(title))
    axes.xaxis.set_major_formatter(lambda x, _: f"{x:.0%}")
    tidy(axes)
    axes.grid(visible=False, axis="y")
    legend_below(axes, lines=3)
    return figure


def _draw_bars(
    axes: Axes, places: np.ndarray, bounds: list[Bounds], colour: str, name: str
) -> None:
    mean, low, high = np.clip(np.array(bounds).T, 0.0, 1.0)
    whiskers = np.maximum([mean - low, high - mean], 0.0)
    axes.barh(
        places, mean, 0.36, xerr=whiskers, color=colour, label=name,
        error_kw={"elinewidth": 1, "capsize": 3, "ecolor": "0.25"},
    )  # fmt: skip
