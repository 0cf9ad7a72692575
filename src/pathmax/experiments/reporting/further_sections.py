"""The sections of the report on experiments that are not the paper's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from pathmax.arrays import Array
from pathmax.experiments.plan import Setting
from pathmax.experiments.reporting.claims import name_of
from pathmax.experiments.reporting.paired_trials import errors, in_words
from pathmax.experiments.reporting.summary import Methods, Summary, standard_error
from pathmax.experiments.reporting.tables import final_table, found_table, table

Settings = Mapping[Setting, Methods]

JES = """\
JES adds each sampled pair (x*, g*) to the data and asks by how much the entropy of the next
measurement falls. `jes` takes the entropy of a normal law with the same variance, a lower bound of
the information (Hvarfner, Hutter and Nardi, 2022); `jes-exact` takes the entropy itself, which the
Monte Carlo estimate of Tu et al. (2022) is of: `Study(method="jes", options={"entropy": "exact"})`.
"""
PARAMETERS = """\
Functions drawn from an RBF prior on a grid of 10^3 points, each with a length scale of its own
between 0.1 and 0.5 (uniform in its logarithm), and three studies of each: one knows the length
scale, one takes the most probable under pathmax's priors before every suggestion, and one draws it,
with output scale and prior mean, from its posterior before each path (`model="drawn"`). The last is
HP-GP-TS (arXiv 2502.01226), whose proof is for a finite list of candidates; here the posterior is
continuous and its prior is pathmax's, not the one that the functions come from. Mean ± one standard
error.
"""


def jes(settings: Settings) -> Iterable[str]:
    """What the two forms reach."""
    yield JES
    yield from final_table("emulators", settings)
    yield from found_table(settings)


def parameters(settings: Settings) -> Iterable[str]:
    """Cumulative and simple regret by what is known of the length scale."""
    yield PARAMETERS
    rows = []
    by_name = {setting.name: methods for setting, methods in settings.items()}
    for setting, methods in settings.items():
        for name, summary in methods.items():
            cells = [in_words(_cumulative(summary)), in_words(summary.final_regret)]
            beside = by_name.get("parameters-most-probable", {}).get(name)
            if setting.name == "parameters-drawn" and beside is not None:
                n = min(summary.trials, beside.trials)
                gap = _cumulative(summary)[:n] - _cumulative(beside)[:n]
                cells.append(f"{in_words(gap)}: {_judged(gap)}")
            else:
                cells.append("")
            found = sum(bool(end <= 0.0) for end in summary.final_regret)
            rows.append([setting.title, name_of(name), *cells, f"{found} of {summary.trials}"])
    head = [
        "the length scale", "method", "cumulative regret", "simple regret at the end",
        "less that of the most probable", "found the maximum",
    ]  # fmt: skip
    yield from table(head, rows)


def _cumulative(summary: Summary) -> Array:  # -> (trials,)
    return np.array([trace.regret[trace.initial :].sum() for trace in summary.traces])


def _judged(gap: Array) -> str:
    limit = errors(len(gap)) * float(standard_error(gap))
    if gap.mean() < -limit:
        return "drawing is better"
    return "drawing is worse" if gap.mean() > limit else "cannot be told"


BEYOND_SECTIONS: dict[str, Callable[[Settings], Iterable[str]]] = {
    "jes": jes,
    "parameters": parameters,
}
