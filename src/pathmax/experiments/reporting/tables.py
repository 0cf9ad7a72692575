"""The tables of the report, in Markdown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from pathmax import theory
from pathmax.experiments.plan import Setting
from pathmax.experiments.reporting.claims import PaperClaim, name_of, spread
from pathmax.experiments.reporting.paired_trials import in_words, with_error
from pathmax.experiments.reporting.summary import (
    Methods,
    Summary,
    best_value,
    regret_bound,
    simple_regret,
)

FOUND = 0.05
LINEAR_BOUND = """\
With a noise of 1e-6 every one of so few points is news, and the information gain is at its cap.
Where the bound is T sqrt(C_2) it is linear in T: it holds, and says nothing. An experiment at a
noise where it says something is in docs/theory.md.
"""


def bounds_table(settings: Mapping[Setting, Methods]) -> Iterable[str]:
    """Cumulative regret at the end beside the theorem's bound."""
    yield "\n### Cumulative regret and its bound (Theorems 3.1 and 4.1)\n"
    yield LINEAR_BOUND
    rows = []
    for setting, methods in settings.items():
        for method in ("pims", "ts"):
            if method in methods:
                curve = methods[method].cumulative_regret
                limit = regret_bound(setting, len(curve.mean))
                assert limit is not None, "a function drawn on a grid has a bound"
                measured = with_error(float(curve.mean[-1]), float(curve.error[-1]))
                share = f"{curve.mean[-1] / limit[-1]:.0%}"
                size = setting.make(np.random.default_rng(0)).space.cardinality
                assert size is not None, "a grid has so many points"
                linear = f"{len(limit) * math.sqrt(theory.c2(size)):.4g}"
                bounded = f"{limit[-1]:.4g}"
                rows.append([setting.name, name_of(method), measured, bounded, share, linear])
    yield from table(["setting", "method", "measured", "bound", "share", "T sqrt(C_2)"], rows)


def final_table(section: str, settings: Mapping[Setting, Methods]) -> Iterable[str]:
    """What each method reached."""
    best = section == "emulators"
    yield f"\n### {'Best value' if best else 'Simple regret'} at the end\n"
    counts = {summary.trials for methods in settings.values() for summary in methods.values()}
    said = "" if len(counts) == 1 else " and the number of trials"
    yield f"Mean ± one standard error; the median over trials{said} in brackets.\n"
    value = best_value if best else simple_regret

    def reached(_: Setting, summary: Summary) -> str:
        ends = np.array([value(trace)[-1] for trace in summary.traces])
        return f"{in_words(ends)} ({np.median(ends):.4g}{f'; {len(ends)}' if said else ''})"

    yield from table_of_methods(settings, reached)


def found_table(settings: Mapping[Setting, Methods]) -> Iterable[str]:
    """In how many trials each method found the maximum: a mean over several maxima hides it."""
    yield "\n### Trials that found the maximum\n"
    yield (
        f"A regret of at most {FOUND:.0%} of what it was at the start, on average over all methods "
        "and trials.\n"
    )
    starts = {
        setting: np.mean([simple_regret(trace)[0] for m in methods.values() for trace in m.traces])
        for setting, methods in settings.items()
    }

    def near(setting: Setting, summary: Summary) -> str:
        count = np.count_nonzero(summary.final_regret <= FOUND * starts[setting])
        return f"{count} of {summary.trials}"

    yield from table_of_methods(settings, near)


def table_of_methods(
    settings: Mapping[Setting, Methods], cell: Callable[[Setting, Summary], str]
) -> Iterable[str]:
    """A row for each method and a column for each setting, empty where there are no runs."""
    names = dict.fromkeys(name for methods in settings.values() for name in methods)
    rows = [
        [name_of(n), *(cell(s, found[n]) if n in found else "" for s, found in settings.items())]
        for n in names
    ]
    yield from table(["method", *(setting.name for setting in settings)], rows)


def claims_table(found: Sequence[PaperClaim]) -> Iterable[str]:
    rows = [[claim.statement, f"**{claim.verdict}**", claim.found] for claim in found]
    yield from table(["the paper says", "", "here"], rows)


def mean_std_cell(summary: Summary | None) -> str:
    if summary is None:
        return ""
    return f"{summary.mean_std.mean():.2f} ± {spread(summary.mean_std):.2f}"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterable[str]:
    """A Markdown table."""
    for row in (header, ["---"] * len(header), *rows):
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
