"""The figures of settings and of what the model expects along them, to point at, with plotly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from pathmax.plots.backend import GREY, dots, dress, line, panels, plain, plotly
from pathmax.plots.interactive import words
from pathmax.plots.slices import BAND, Predict, along
from pathmax.plots.style import BLUE, ORANGE, PER_ROW, Label, ParameterScale, result_of
from pathmax.space.any_space import AnySpace
from pathmax.trials.trial import Trial

TINT = "rgba(0, 114, 178, 0.2)"


def parallel(
    scales: Sequence[ParameterScale], told: Sequence[Trial], label: Label, objective: str
) -> Any:
    """Each trial as a line through its settings to its result; ranges can be chosen by mouse."""
    values = [result_of(trial) for trial in told]
    columns = [_dimension(scale, told, label) for scale in scales]
    columns.append({"label": plain(objective), "values": values})
    lines = {"color": values, "colorscale": "Cividis", "showscale": True}
    figure = plotly().Figure(plotly().Parcoords(line=lines, dimensions=columns))
    return dress(figure, "Settings and results", top=110)


def _dimension(scale: ParameterScale, told: Sequence[Trial], label: Label) -> dict[str, Any]:
    x = scale.positions([trial.params[scale.name] for trial in told])
    found: dict[str, Any] = {"label": plain(label(scale.name)), "values": x.tolist()}
    low, high = scale.low, scale.high
    if scale.choices is not None:
        places = list(range(len(scale.choices)))
        found |= {"tickvals": places, "ticktext": list(map(str, scale.choices))}  # no tags there
    elif scale.log:
        low, high = math.log10(low), math.log10(high)
        ticks = np.linspace(low, high, 5).tolist()
        found |= {"values": np.log10(x).tolist(), "tickvals": ticks}
        found["ticktext"] = [f"{10**tick:.3g}" for tick in ticks]
    if high > low:
        found["range"] = [low, high]
    return found


def slices(
    domain: AnySpace,
    scales: Sequence[ParameterScale],
    told: Sequence[Trial],
    best: Trial,
    predict: Predict,
    label: Label,
    objective: str,
) -> Any:
    """The expected value and its band along each parameter, through the best trial."""
    columns = min(len(scales), PER_ROW)
    rows = math.ceil(len(scales) / PER_ROW)
    figure = panels(rows, columns, shared_yaxes=True)
    for i, scale in enumerate(scales):
        at = {"row": i // PER_ROW + 1, "col": i % PER_ROW + 1}
        for trace in _slice(domain, scale, told, best, predict):
            trace.showlegend = i == 0 and trace.name is not None
            figure.add_trace(trace, **at)
        figure.update_xaxes(title=plain(label(scale.name)), **at)
        if scale.choices is not None:
            places = list(range(len(scale.choices)))
            text = [plain(choice) for choice in scale.choices]
            figure.update_xaxes(tickvals=places, ticktext=text, **at)
        elif scale.log:
            figure.update_xaxes(type="log", **at)
    dress(figure, "What the model expects along each parameter", height=120 + 280 * rows)
    for row in range(1, rows + 1):
        figure.update_yaxes(title=plain(objective), row=row, col=1)
    return figure


def _slice(
    domain: AnySpace, scale: ParameterScale, told: Sequence[Trial], best: Trial, predict: Predict
) -> list[Any]:
    settings = along(domain, scale, best)
    x = scale.positions([params[scale.name] for params in settings])
    mean, std = predict(settings)
    if domain.is_pool:
        traces = [dots(x, mean, "expected, each candidate", BLUE)]
    elif scale.choices is not None or scale.whole or scale.lattice is not None:
        reach = {"type": "data", "array": (BAND * std).tolist()}
        traces = [dots(x, mean, "expected, with 95 % band", BLUE, error_y=reach)]
    else:
        low, high = mean - BAND * std, mean + BAND * std
        edge = {"width": 0}
        traces = [
            line(x, low, "", TINT, line=edge, hoverinfo="skip"),
            line(x, high, "", TINT, line=edge, fill="tonexty", fillcolor=TINT, hoverinfo="skip"),
            line(x, mean, "expected, with 95 % band", BLUE),
        ]
        for trace in traces[:2]:
            trace.name = None
    where = scale.positions([trial.params[scale.name] for trial in told])
    results = [result_of(trial) for trial in told]
    star = {"symbol": "star", "size": 13}
    there = scale.positions([best.params[scale.name]])
    traces.append(dots(where, results, "results, at other settings too", GREY, text=words(told)))
    traces.append(dots(there, [result_of(best)], "best trial", ORANGE, marker=star))
    return traces
