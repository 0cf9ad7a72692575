"""Parts of interactive figures: settings, and what the model expects along them, with plotly."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pathmax.arrays import Array
from pathmax.plots.backend import dots, line, plain_text
from pathmax.plots.interactive import words
from pathmax.plots.slices import BAND, Predict, along, parted
from pathmax.plots.style import BLUE, GREY, ORANGE, Label, ParameterScale
from pathmax.space.any_space import AnySpace
from pathmax.trials.trial import Trial

TINT = "rgba(0, 114, 178, 0.2)"
MOST_POWERS = 4  # of ten, along the axis of a slice
ABSENT_BELOW = 0.12  # of the range: where trials without a parameter pass


def dimension(scale: ParameterScale, told: Sequence[Trial], label: Label) -> dict[str, Any]:
    """A setting as a column of parallel coordinates; below it those trials that do not have it."""
    there = [scale.name in trial.params for trial in told]
    known = [trial.params[scale.name] for trial in told if scale.name in trial.params]
    x, low, high = scale.positions(known), scale.low, scale.high
    ticks: list[float] = []
    text: list[str] = []
    if scale.choices is not None:
        ticks = [float(place) for place in range(len(scale.choices))]
        text = [str(choice) for choice in scale.choices]  # plotly reads no tags there
    elif scale.log:
        x, low, high = np.log10(x), math.log10(low), math.log10(high)
        ticks = np.linspace(low, high, 5).tolist()
        text = [f"{10**tick:.3g}" for tick in ticks]
    found: dict[str, Any] = {"label": plain_text(label(scale.name))}
    if not all(there):
        if not ticks:
            ticks = np.linspace(low, high, 5).tolist()
            text = [f"{tick:.3g}" for tick in ticks]
        low -= ABSENT_BELOW * ((high - low) or 1.0)
        ticks, text = [low, *ticks], ["absent", *text]
    values = np.full(len(told), low)
    values[there] = x
    found["values"] = values.tolist()
    if ticks:
        found |= {"tickvals": ticks, "ticktext": text}
    if high > low:
        found["range"] = [low, high]
    return found


def dress_slice(figure: Any, scale: ParameterScale, name: str, **at: int) -> None:
    """Name and ticks of the axis of a slice."""
    figure.update_xaxes(title=plain_text(name), **at)
    if scale.choices is not None:
        places = list(range(len(scale.choices)))
        text = [plain_text(choice) for choice in scale.choices]
        figure.update_xaxes(tickvals=places, ticktext=text, **at)
    elif scale.log:
        ticks = log_ticks(scale.low, scale.high)
        text = [f"{tick:g}" for tick in ticks]
        figure.update_xaxes(type="log", tickvals=ticks, ticktext=text, **at)


def log_ticks(low: float, high: float) -> list[float]:
    """A few powers of ten, or of a narrow range its ends and its middle."""
    powers = range(math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9) + 1)
    if len(powers) < 2:
        return [float(f"{x:.3g}") for x in (low, math.sqrt(low * high), high)]
    return [10.0**power for power in powers[:: math.ceil(len(powers) / MOST_POWERS)]]


def slice_traces(
    domain: AnySpace,
    scale: ParameterScale,
    told: Sequence[Trial],
    centre: Trial,
    predict: Predict,
    of: Callable[[Trial], float],
    through: str,
) -> list[Any]:
    """What is expected along a parameter, the results, and the trial that it cuts through."""
    x, mean, std = parted(scale, along(domain, scale, centre), predict)
    if domain.is_pool:
        traces = [dots(x, mean, "expected, each candidate", BLUE)]
    elif scale.choices is not None or scale.whole or scale.lattice is not None:
        reach = {"type": "data", "array": (BAND * std).tolist()}
        traces = [dots(x, mean, "expected, with 95 % band", BLUE, error_y=reach)]
    else:
        traces = _band(x, mean, std)
    known = [trial for trial in told if scale.name in trial.params]
    where = scale.positions([trial.params[scale.name] for trial in known])
    results = [of(trial) for trial in known]
    star = {"symbol": "star", "size": 13}
    there = scale.positions([centre.params[scale.name]])
    traces.append(dots(where, results, "results, at other settings too", GREY, text=words(known)))
    traces.append(dots(there, [of(centre)], through, ORANGE, marker=star))
    return traces


def _band(x: Array, mean: Array, std: Array) -> list[Any]:
    """A line and the band about it, in as many stretches as gaps leave."""
    low, high = mean - BAND * std, mean + BAND * std
    edge: Any = {"line": {"width": 0}, "hoverinfo": "skip"}
    traces = []
    for stretch in np.split(np.arange(len(x)), np.flatnonzero(np.isnan(mean))):
        part = stretch[~np.isnan(mean[stretch])]
        traces += [
            line(x[part], low[part], "", TINT, **edge),
            line(x[part], high[part], "", TINT, fill="tonexty", fillcolor=TINT, **edge),
        ]
    for trace in traces:
        trace.name = None
    return [*traces, line(x, mean, "expected, with 95 % band", BLUE)]
