"""Interactive figures of results, and of how good the model is: plotly's side of `plots`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pathmax.plots.backend import dots, dress, line, panels, plain_text, plotly
from pathmax.plots.style import BLUE, GREY, LEVELS, ORANGE, RED, Label
from pathmax.trials.trial import Trial
from pathmax.trials.wording import show


def importances(shares: Sequence[Any], label: Label, title: str) -> Any:
    """Bars of the shares with their 95 % intervals."""
    figure = plotly().Figure()
    names = [plain_text(label(one.name)) for one in shares]
    for kind, name, colour in (
        ("first", "alone", BLUE),
        ("total", "together with others", ORANGE),
    ):
        mean, low, high = np.clip(np.array([getattr(one, kind) for one in shares]).T, 0.0, 1.0)
        reach = {"array": (high - mean).tolist(), "arrayminus": (mean - low).tolist()}
        bars = plotly().Bar(
            y=names, x=mean.tolist(), name=name, orientation="h", marker={"color": colour},
            error_x={"type": "data", "symmetric": False, **reach},
        )  # fmt: skip
        figure.add_trace(bars)
    figure.update_yaxes(autorange="reversed")
    figure.update_xaxes(tickformat=".0%", range=[0, 1])
    height = 160 + 50 * max(len(shares), 2)
    return dress(figure, title, "share of the variance, with 95 % interval", height=height)


def calibration(check: Any, objective: str, title: str) -> Any:
    """Left: predictions with 95 % intervals. Right: the share of results that intervals hold."""
    from scipy.special import ndtr

    figure = panels(1, 2)
    mean, low, high = check.mean, check.low, check.high
    inside = (low <= check.measured) & (check.measured <= high)
    numbers = np.array([f"trial {number}" for number in check.trials])
    for chosen, name, colour in ((inside, "inside", BLUE), (~inside, "outside", RED)):
        if chosen.any():
            reach = {"array": (high - mean)[chosen], "arrayminus": (mean - low)[chosen]}
            marks = dots(
                check.measured[chosen], mean[chosen], f"{name} the 95 % interval", colour,
                error_y={"type": "data", "symmetric": False, **reach}, text=numbers[chosen],
            )  # fmt: skip
            figure.add_trace(marks, row=1, col=1)
    ends = [float(check.measured.min()), float(check.measured.max())]
    figure.add_trace(line(ends, ends, "as measured", GREY, line={"dash": "dash"}), row=1, col=1)
    held = np.sort(2.0 * ndtr(np.abs(check.z)) - 1.0)
    found = np.searchsorted(held, LEVELS, side="right") / len(held)
    figure.add_trace(line(LEVELS, found, "found", BLUE, line={"shape": "hv"}), row=1, col=2)
    promised = line([0, 1], [0, 1], "as promised", GREY, line={"dash": "dot"})
    figure.add_trace(promised, row=1, col=2)
    dress(figure, title)
    figure.update_xaxes(title=plain_text(f"{objective}, measured"), row=1, col=1)
    figure.update_yaxes(title=plain_text(f"{objective}, predicted from the others"), row=1, col=1)
    figure.update_xaxes(title="intervals should hold", tickformat=".0%", row=1, col=2)
    figure.update_yaxes(title="they hold", tickformat=".0%", row=1, col=2)
    return figure


def words(trials: Sequence[Trial]) -> list[str]:
    """What is shown of each trial that somebody points at."""
    return [f"trial {trial.number}: {plain_text(show(trial.params))}" for trial in trials]
