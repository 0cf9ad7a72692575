"""Two methods on the same trials: by how much one is worse, and whether chance could do that."""

from __future__ import annotations

import dataclasses
import math
from typing import Literal

import numpy as np

from pathmax.arrays import Array
from pathmax.experiments.reporting.summary import Summary, simple_regret, standard_error

ERRORS = 2.0


@dataclasses.dataclass(frozen=True)
class Difference:
    """Simple regret of one method less that of another over paired trials.

    mean and its standard error, the median, and the p-value of Wilcoxon's signed-rank test (NaN
    when all pairs are equal or there are fewer than six): where a few trials fail altogether, means
    and medians can tell two stories.
    """

    mean: float
    error: float
    median: float = math.nan
    p: float = math.nan
    pairs: int = 0

    @property
    def worse(self) -> bool:
        return self.mean > errors(self.pairs) * self.error

    @property
    def better(self) -> bool:
        return -self.mean > errors(self.pairs) * self.error

    def __str__(self) -> str:
        shown = ("+" if self.mean >= 0 else "") + with_error(self.mean, self.error)
        return (
            shown if math.isnan(self.p) else f"{shown} (median {self.median:+.3g}, p {self.p:.2g})"
        )


def errors(trials: int) -> float:
    """How many standard errors count: two, or what Student's t says when trials are few."""
    from scipy.special import stdtrit

    return max(ERRORS, float(stdtrit(trials - 1, 0.975))) if trials > 1 else math.inf


def difference(one: Summary, other: Summary, *, over: Literal["end", "run"] = "end") -> Difference:
    """At the end, or on average over the run (which tells who is faster)."""
    return paired(_regrets(one, over), _regrets(other, over))


def paired(one: Array, other: Array) -> Difference:  # (trials,), (trials,)
    """The same of one number per trial; of the trials that both have."""
    n = min(len(one), len(other))
    gap = one[:n] - other[:n]
    return Difference(
        float(gap.mean()), float(standard_error(gap)), float(np.median(gap)), signed_rank(gap), n
    )


def signed_rank(gap: Array) -> float:  # (trials,)
    """The p-value of Wilcoxon's test that the differences are symmetric about zero."""
    from scipy.stats import wilcoxon

    if len(gap) < 6 or not np.any(gap):
        return math.nan
    return float(wilcoxon(gap, zero_method="zsplit").pvalue)


def _regrets(summary: Summary, over: str) -> Array:  # -> (trials,)
    if over == "end":
        return summary.final_regret
    return np.array([simple_regret(trace).mean() for trace in summary.traces])


def in_words(samples: Array) -> str:  # (trials,)
    """The mean over trials with its standard error."""
    return with_error(float(samples.mean()), float(standard_error(samples)))


def with_error(mean: float, error: float) -> str:
    """A mean with its standard error, when there was more than one trial."""
    return f"{mean:.4g}" if math.isnan(error) else f"{mean:.4g} ± {error:.2g}"
