"""The tables of the report, in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import numpy as np

from pathmax.arrays import Array
from pathmax.experiments.plan import Setting
from pathmax.experiments.reporting import claims
from pathmax.experiments.reporting.claims import PaperClaim, name_of, spread
from pathmax.experiments.reporting.summary import (
    Methods,
    Summary,
    best_value,
    regret_bound,
    simple_regret,
)

FOUND = 0.05


@cache
def bound(setting: Setting, iterations: int) -> Array | None:
    """The bound on the cumulative regret of PIMS and TS; it takes seconds on a large grid."""
    return regret_bound(setting, "pims", iterations)


def bounds_table(settings: Mapping[Setting, Methods]) -> Iterable[str]:
    """Cumulative regret at the end beside the theorem's bound."""
    yield "\n### Cumulative regret and its bound (Theorems 3.1 and 4.1)\n"
    rows = []
    for setting, methods in settings.items():
        for method in ("pims", "ts"):
            if method in methods:
                curve = methods[method].cumulative_regret
                limit = bound(setting, len(curve.mean))
                assert limit is not None, "a function drawn on a grid has a bound"
                measured = claims.with_error(float(curve.mean[-1]), float(curve.error[-1]))
                share = f"{curve.mean[-1] / limit[-1]:.0%}"
                rows.append([setting.name, name_of(method), measured, f"{limit[-1]:.4g}", share])
    yield from table(["setting", "method", "measured", "bound", "share"], rows)


def final_table(section: str, settings: Mapping[Setting, Methods]) -> Iterable[str]:
    """What each method reached."""
    best = section == "emulators"
    yield f"\n### {'Best value' if best else 'Simple regret'} at the end\n"
    counts = {summary.trials for methods in settings.values() for summary in methods.values()}
    said = "" if len(counts) == 1 else " and the number of trials"
    yield f"Mean ± one standard error; the median over trials{said} in brackets.\n"
    names = list(dict.fromkeys(name for methods in settings.values() for name in methods))
    rows = []
    for name in names:
        cells = []
        for methods in settings.values():
            if name not in methods:
                cells.append("")
                continue
            curve = methods[name].best_value if best else methods[name].simple_regret
            ends = [
                (best_value(trace) if best else simple_regret(trace))[-1]
                for trace in methods[name].traces
            ]
            mean = claims.with_error(float(curve.mean[-1]), float(curve.error[-1]))
            cells.append(f"{mean} ({np.median(ends):.4g}{f'; {len(ends)}' if said else ''})")
        rows.append([name_of(name), *cells])
    yield from table(["method", *(setting.name for setting in settings)], rows)


def found_table(settings: Mapping[Setting, Methods]) -> Iterable[str]:
    """In how many trials each method found the maximum: a mean over several maxima hides it."""
    yield "\n### Trials that found the maximum\n"
    yield (
        f"A regret of at most {FOUND:.0%} of what it was at the start, on average over all methods "
        "and trials.\n"
    )
    names = list(dict.fromkeys(name for methods in settings.values() for name in methods))
    starts = [
        np.mean([simple_regret(trace)[0] for m in methods.values() for trace in m.traces])
        for methods in settings.values()
    ]
    rows = []
    for name in names:
        cells = []
        for methods, start in zip(settings.values(), starts, strict=True):
            ends = [simple_regret(t)[-1] for t in methods[name].traces] if name in methods else []
            near = sum(bool(end <= FOUND * start) for end in ends)
            cells.append(f"{near} of {len(ends)}" if ends else "")
        rows.append([name_of(name), *cells])
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
