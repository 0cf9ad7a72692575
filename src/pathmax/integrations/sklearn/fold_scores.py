"""What came out of the folds of one candidate: the mean score, and how well that is known.

The score of a candidate is the mean over k folds. Folds differ, so the mean of others would have
been another one: its variance is about var(folds) / k, which is told as the noise of the trial. It
is left to be learnt where it says nothing, with a single fold or when all have the same score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pathmax.arrays import Array


@dataclass(frozen=True)
class FoldScores:
    """The scores of one candidate by metric: (k,) each."""

    scores: Mapping[str, Array]

    @classmethod
    def read(cls, results: Mapping[str, Any], i: int, metrics: Sequence[str]) -> FoldScores:
        """Those of row i of `cv_results_`."""
        splits = [key for key in results if key.startswith("split") and "_test_" in key]
        found = {
            metric: np.array([results[k][i] for k in splits if k.split("_test_", 1)[1] == metric])
            for metric in metrics
        }
        return cls(found)

    @property
    def means(self) -> dict[str, float]:
        return {metric: float(np.mean(folds)) for metric, folds in self.scores.items()}

    @property
    def noises(self) -> dict[str, float]:
        """The variance of each mean, where the folds say something about it."""
        found = {
            metric: float(np.var(folds, ddof=1)) / len(folds)
            for metric, folds in self.scores.items()
            if len(folds) > 1
        }
        return {metric: noise for metric, noise in found.items() if noise > 0.0}

    @property
    def failed(self) -> int:
        """How many folds have no score."""
        return int(max(np.count_nonzero(~np.isfinite(folds)) for folds in self.scores.values()))


def metrics_of(results: Mapping[str, Any]) -> list[str]:
    """The names of all metrics in `cv_results_`."""
    head = "mean_test_"
    return [key.removeprefix(head) for key in results if key.startswith(head)]
