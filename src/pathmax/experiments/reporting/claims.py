"""What the paper says of its experiments, held against ours.

A claim compares methods by the simple regret of paired trials (one objective and one design for all
methods): a difference counts when it is more than two standard errors, and with few trials more
than Student's t says for 95 %. It comes out, it does not, or the trials cannot tell. Medians and
Wilcoxon's test stand beside the means.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from pathmax.arrays import Array
from pathmax.experiments.paper import PRINTED_TRIALS, TABLE_2, TABLE_ITERATIONS
from pathmax.experiments.reporting.paired_trials import ERRORS, difference, errors, in_words
from pathmax.experiments.reporting.summary import Methods, Summary, standard_error

Verdict = Literal["comes out", "does not come out", "cannot be told"]

UCB = ("gp-ucb", "irgp-ucb")
INFERIOR = ("ei", "jes", "ts")  # "inferior to others in both emulators"
TITLES = {
    "synthetic-default": "default",
    "synthetic-large": "large |X|",
    "synthetic-small": "small length scale",
}


@dataclasses.dataclass(frozen=True)
class PaperClaim:
    """A statement of the paper and what became of it here."""

    statement: str
    verdict: Verdict
    found: str


def synthetic(settings: Mapping[str, Methods]) -> list[PaperClaim]:
    """The claims of Section 5.1."""
    kinds = ("default", "large", "small")
    default, large, small = (settings.get(f"synthetic-{kind}", {}) for kind in kinds)
    claims = best_or_comparable({TITLES.get(name, name): m for name, m in settings.items()})
    grown = "its confidence parameter grows with log |X|"
    for ucb in UCB:
        claims += inferior(ucb, ("pims",), "large |X|", large, because=grown)
    explored = "it explores too much"
    claims += inferior("ts", ("pims",), "small length scale", small, because=explored)
    for name, methods in settings.items():
        claims += smaller_width(TITLES.get(name, name), methods)
        claims += explores_more(name, methods)
    claims += grows(default, small)
    for name, methods in settings.items():
        title = TITLES.get(name, name)
        claims += inferior("pi", ("pims",), title, methods, because="it exploits too much")
    return claims


def best_or_comparable(settings: Mapping[str, Methods]) -> list[PaperClaim]:
    """What the paper says of PIMS in each setting in which it was run."""
    return [never_worse("pims", where, m) for where, m in settings.items() if "pims" in m]


def benchmarks(settings: Mapping[str, Methods]) -> list[PaperClaim]:
    """The claims of Section 5.2."""
    claims = []
    for name, methods in settings.items():
        claims += best_or_comparable({name: methods})
        others = tuple(method for method in methods if method != "ts")
        claims += inferior("ts", others, name, methods, because="it explores too much")
        if name.startswith("shekel"):
            for ucb in UCB:
                claims += inferior(
                    ucb, ("pims",), name, methods, because="PIMS is faster", over="run"
                )
    return claims


def emulators(settings: Mapping[str, Methods]) -> list[PaperClaim]:
    """The claims of Section 5.3."""
    claims = []
    for name, methods in settings.items():
        others = tuple(method for method in methods if method not in INFERIOR)  # MES too
        for method in INFERIOR:
            claims += inferior(method, others, name, methods, because="")
    return claims


def never_worse(method: str, where: str, methods: Methods) -> PaperClaim:
    """The method is clearly worse than none of the others, be it the best or not."""
    best = min(methods.values(), key=lambda s: float(s.final_regret.mean()))
    gaps = {name: difference(methods[method], s) for name, s in methods.items() if name != method}
    better = {name: gap for name, gap in gaps.items() if gap.worse}
    statement = f"{name_of(method)} is best or comparable ({where})"
    mine = regret_in_words(methods[method])
    if better:
        found = "; ".join(f"{gap} against {name_of(name)}" for name, gap in better.items())
        return PaperClaim(statement, "does not come out", f"{mine}, clearly worse: {found}")
    if best.method == method:
        return PaperClaim(statement, "comes out", f"it has the smallest mean regret, {mine}")
    beside = f"{mine}, difference {gaps[best.method]} against {name_of(best.method)}, the best"
    return PaperClaim(statement, "comes out", f"{beside}; none is clearly better")


def inferior(
    method: str,
    others: Sequence[str],
    where: str,
    methods: Methods,
    *,
    because: str,
    over: Literal["end", "run"] = "end",
) -> list[PaperClaim]:
    """The method is worse than each of the others."""
    there = [other for other in others if other in methods]
    if method not in methods or not there:
        return []
    gaps = {other: difference(methods[method], methods[other], over=over) for other in there}
    names = " and ".join(name_of(other) for other in there)
    statement = f"{name_of(method)} is inferior to {names} ({where})"
    if because:
        statement += f": {because}"
    if all(gap.worse for gap in gaps.values()):
        verdict: Verdict = "comes out"
    elif any(gap.better for gap in gaps.values()):
        verdict = "does not come out"
    else:
        verdict = "cannot be told"
    what = "mean regret over the run" if over == "run" else "final regret"
    found = "; ".join(f"{gap} against {name_of(other)}" for other, gap in gaps.items())
    pairs = sorted({gap.pairs for gap in gaps.values()})
    over_trials = (
        f"over {pairs[0]} trials" if len(pairs) == 1 else f"over {pairs[0]} to {pairs[-1]} trials"
    )
    return [PaperClaim(statement, verdict, f"difference of {what} {over_trials} {found}")]


def smaller_width(where: str, methods: Methods) -> list[PaperClaim]:
    """xi_t is smaller than the parameters of the UCB methods."""
    if "pims" not in methods or not any(ucb in methods for ucb in UCB):
        return []
    xi = np.nanmean(methods["pims"].width, axis=0)  # (T,)
    widths = {ucb: np.nanmean(methods[ucb].width, axis=0) for ucb in UCB if ucb in methods}
    found = ", ".join(f"{width.mean():.2f} of {name_of(ucb)}" for ucb, width in widths.items())
    below = all(np.mean(xi < width[: len(xi)]) >= 0.95 for width in widths.values())
    return [
        PaperClaim(
            f"xi of PIMS is substantially smaller than beta^(1/2) and zeta^(1/2) ({where})",
            "comes out" if below else "does not come out",
            f"mean over the run {xi.mean():.2f} against {found}",
        )
    ]


def grows(default: Methods, small: Methods) -> list[PaperClaim]:
    """xi_t is larger where the function has more maxima."""
    if "pims" not in default or "pims" not in small:
        return []
    before, after = (np.nanmean(m["pims"].width, axis=1) for m in (default, small))  # (trials,)
    rise = float(after.mean() - before.mean())
    error = math.hypot(float(standard_error(before)), float(standard_error(after)))
    limit = errors(min(len(before), len(after))) * error
    return [
        PaperClaim(
            "xi of PIMS grows when the length scale shrinks",
            "comes out" if rise > limit else "cannot be told" if rise > 0 else "does not come out",
            f"mean over the run {before.mean():.2f} at 0.2, {after.mean():.2f} at 0.1, "
            f"difference {rise:.2f} ± {error:.2g}",
        )
    ]


def explores_more(name: str, methods: Methods) -> list[PaperClaim]:
    """Table 2: TS evaluates where the posterior std is larger than where PIMS does."""
    if name not in TABLE_2["pims"] or not {"pims", "ts"} <= set(methods):
        return []
    pims, ts = methods["pims"].mean_std, methods["ts"].mean_std
    n = min(len(pims), len(ts))
    gap = ts[:n] - pims[:n]
    error = float(standard_error(gap))
    larger = gap.mean() > errors(n) * error
    return [
        PaperClaim(
            f"TS evaluates points of larger posterior std than PIMS ({TITLES.get(name, name)})",
            "comes out" if larger else "cannot be told" if gap.mean() > 0 else "does not come out",
            f"{ts.mean():.2f} against {pims.mean():.2f}, difference {gap.mean():.3f} ± {error:.3f}",
        )
    ]


def table_2(sampler_settings: Mapping[str, Methods]) -> list[PaperClaim]:
    """Table 2 within two standard errors of the difference; a shorter run is not compared.

    The printed means are over 20 trials. One printed standard deviation would be much: with as many
    it is more than four standard errors.
    """
    claims = []
    for method, columns in TABLE_2.items():
        for name, printed in columns.items():
            summary = sampler_settings.get(name, {}).get(method)
            if summary is None or len(summary.traces[0].std) < TABLE_ITERATIONS:
                continue
            mean = float(summary.mean_std.mean())
            here = spread(summary.mean_std)
            n = summary.trials
            error = math.hypot(here / math.sqrt(n), printed.std / math.sqrt(PRINTED_TRIALS))
            near = abs(mean - printed.mean) <= ERRORS * error
            claims.append(
                PaperClaim(
                    f"Table 2, {name_of(method)}, {TITLES[name]}: {printed}",
                    "comes out" if near else "does not come out",
                    f"{mean:.2f} ± {here:.2f} here, {mean - printed.mean:+.2f} "
                    f"(standard error {error:.2f})",
                )
            )
    return claims


def spread(samples: Array) -> float:
    """Standard deviation over trials, as the paper's table has it."""
    return float(samples.std(ddof=1)) if len(samples) > 1 else math.nan


def regret_in_words(summary: Summary) -> str:
    final = summary.final_regret
    return f"{in_words(final)} (median {np.median(final):.4g})"


def name_of(method: str) -> str:
    """As the paper writes it."""
    return method.upper()
