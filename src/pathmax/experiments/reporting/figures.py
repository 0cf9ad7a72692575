"""The figures of the paper, from summaries: PNG to look at, SVG to keep."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pathmax.arrays import Array
from pathmax.experiments.plan import Setting
from pathmax.experiments.reporting.claims import name_of
from pathmax.experiments.reporting.summary import MeanCurve, Methods
from pathmax.plots.style import new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PointNumbers = NDArray[np.signedinteger[Any]]

#: One colour per method in every figure; PIMS is blue, as in the paper.
METHOD_COLOURS = {
    "pims": "#1f4fd8",
    "ts": "#d9480f",
    "gp-ucb": "#2b8a3e",
    "irgp-ucb": "#74b816",
    "ei": "#862e9c",
    "pi": "#868e96",
    "mes": "#0c8599",
    "jes": "#e64980",
    "eims": "#f08c00",
    "gp-est": "#5c3c1d",
    "random": "#000000",
    "es": "#a61e4d",
    "pes": "#364fc7",
    "kg": "#087f5b",
}
MOST_CURVE_POINTS = 120  # of a curve: more are not seen, and make an SVG large
LEAST_REGRET = 1e-3  # the noise's standard deviation: below it a logarithmic axis shows nothing


def regret_and_widths(settings: Mapping[Setting, Methods]) -> Figure:
    """Figure 1: simple regret above, confidence parameters below, a column per setting."""
    figure, axes = _figure(settings, (4.2, 3.1), rows=2)
    for top, bottom, methods in zip(*axes, settings.values(), strict=True):
        _simple_regret(top, methods)
        for name, summary in methods.items():
            if name in ("pims", "gp-ucb", "irgp-ucb"):
                _width(bottom, name, summary.width)
        if bottom.get_legend_handles_labels()[0]:
            bottom.legend(fontsize=7, frameon=False)
    axes[1][0].set_ylabel("confidence parameter")
    _legend(figure, axes[0][0])
    return figure


def cumulative_regret(
    settings: Mapping[Setting, Methods], bound: Callable[[Setting, int], Array | None]
) -> Figure:
    """Cumulative regret of every method against the bound of Theorems 3.1 and 4.1."""
    figure, axes = _figure(settings, (4.2, 3.3))
    for ax, (setting, methods) in zip(axes[0], settings.items(), strict=True):
        length = 0
        for name, summary in methods.items():
            curve = summary.cumulative_regret
            length = max(length, len(curve.mean))
            _band(ax, np.arange(1, len(curve.mean) + 1), curve, name)
        limit = bound(setting, length)
        if limit is not None:
            x = _thin(np.arange(1, length + 1))
            ax.plot(x, limit[x - 1], color="black", linestyle="--", label="bound (PIMS, TS)")
        ax.set_yscale("log")
    axes[0][0].set_ylabel("cumulative regret")
    _legend(figure, axes[0][0])
    return figure


def simple_regrets(settings: Mapping[Setting, Methods]) -> Figure:
    """Figure 2: simple regret on the benchmark functions."""
    figure, axes = _figure(settings, (4.6, 3.3))
    for ax, methods in zip(axes[0], settings.values(), strict=True):
        _simple_regret(ax, methods)
    _legend(figure, axes[0][0])
    return figure


def best_values(settings: Mapping[Setting, Methods], optima: Mapping[str, float]) -> Figure:
    """Figure 3: the best value so far on the emulators."""
    figure, axes = _figure(settings, (4.6, 3.3))
    units = {"alkox": "conversion", "fullerenes": "mole fraction of the product"}
    for ax, (setting, methods) in zip(axes[0], settings.items(), strict=True):
        for name, summary in methods.items():
            _band(ax, np.arange(len(summary.best_value.mean)), summary.best_value, name)
        ax.axhline(optima[setting.name], color="black", linewidth=0.8, linestyle=":")
        ax.set_ylabel(f"best {units.get(setting.name, 'value')} so far")
    _legend(figure, axes[0][0])
    return figure


def save(figure: Figure, folder: Path, name: str) -> None:
    """Write <name>.png and <name>.svg."""
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / f"{name}.png", dpi=110)
    # without a date the same numbers give the same file
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})


def _figure(
    settings: Collection[Setting], size: tuple[float, float], rows: int = 1
) -> tuple[Figure, Any]:
    """A column of axes for each setting, with its title."""
    figure = new_figure(size[0] * len(settings), size[1] * rows + 0.5)
    import matplotlib

    matplotlib.rcParams["svg.hashsalt"] = "pathmax"  # names inside an SVG do not change either
    axes = figure.subplots(rows, len(settings), squeeze=False)
    for top, bottom, setting in zip(axes[0], axes[-1], settings, strict=True):
        top.set_title(setting.title, fontsize=10)
        bottom.set_xlabel("iteration")
    return figure, axes


def _simple_regret(ax: Axes, methods: Methods) -> None:
    for name, summary in methods.items():
        curve = summary.simple_regret
        _band(ax, np.arange(len(curve.mean)), curve, name, least=LEAST_REGRET)
    ax.set_yscale("log")
    ax.set_ylabel("simple regret" if ax.get_subplotspec().is_first_col() else "")  # type: ignore[union-attr]


def _band(
    ax: Axes, x: PointNumbers, curve: MeanCurve, method: str, least: float | None = None
) -> None:
    keep = _thin(np.arange(len(x)))
    x, mean, error = x[keep], curve.mean[keep], curve.error[keep]
    low, high = mean - error, mean + error
    if least is not None:
        mean, low, high = (np.maximum(values, least) for values in (mean, low, high))
    colour = METHOD_COLOURS.get(method)
    front = 3 if method == "pims" else 2
    line = ax.plot(
        x, mean, color=colour, linewidth=1.8 if method == "pims" else 1.2, label=name_of(method),
        zorder=front,
    )  # fmt: skip
    if np.all(np.isfinite(error)):
        ax.fill_between(x, low, high, color=line[0].get_color(), alpha=0.15, linewidth=0)


def _width(ax: Axes, method: str, widths: Array) -> None:
    symbols = {"pims": "$\\xi_t$", "gp-ucb": "$\\beta_t^{1/2}$", "irgp-ucb": "$\\zeta_t^{1/2}$"}
    keep = _thin(np.arange(widths.shape[1]))
    low, high = np.nanquantile(widths, [0.1, 0.9], axis=0)
    x, colour = keep + 1, METHOD_COLOURS[method]
    label = f"{symbols[method]} {name_of(method)}"
    ax.plot(x, np.nanmean(widths, axis=0)[keep], color=colour, label=label)
    ax.fill_between(x, low[keep], high[keep], color=colour, alpha=0.15, linewidth=0)


def _thin(index: PointNumbers) -> PointNumbers:
    if len(index) <= MOST_CURVE_POINTS:
        return index
    return np.asarray(
        index[np.unique(np.linspace(0, len(index) - 1, MOST_CURVE_POINTS).astype(int))]
    )


def _legend(figure: Figure, ax: Axes) -> None:
    handles, labels = ax.get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside lower center", ncols=min(len(labels), 9), fontsize=8,
        frameon=False,
    )  # fmt: skip
