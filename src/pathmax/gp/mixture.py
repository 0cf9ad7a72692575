"""A mixture of Gaussian processes: one posterior for each choice of parameters that data allow.

    mean = sum_k w_k mean_k,    var = sum_k w_k (var_k + (mean_k - mean)^2)

It predicts, and is searched, as one process is. The deviation is large where the parts are
uncertain and also where they disagree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from pathmax.arrays import Array
from pathmax.gp.predictions import Partials, Prediction, Slopes, at_least_tiny
from pathmax.gp.process import GaussianProcess


@final
@dataclass(frozen=True, slots=True, eq=False)
class ProcessMixture:
    """Processes with their weights, which sum to 1."""

    parts: Sequence[tuple[float, GaussianProcess]]

    def predict(self, X: ArrayLike) -> Prediction:
        """Mean and standard deviation of f (without noise) at X: (m, d) -> (m,), (m,)."""
        return mix((weight, model.predict(X)) for weight, model in self.parts)

    def look(self, X: Array) -> Prediction:
        """`predict` for a search, which calls it often."""
        return mix((weight, model.look(X)) for weight, model in self.parts)

    def predict_gradient(self, X: ArrayLike) -> Slopes:
        """`predict` with the gradients of both in the inputs: (m, d) each."""
        seen = [(weight, model.predict_gradient(X)) for weight, model in self.parts]
        mean, std = mix((weight, Prediction(one.mean, one.std)) for weight, one in seen)
        mean_gradient = np.sum([weight * one.mean_gradient for weight, one in seen], axis=0)
        by_variance = np.zeros_like(mean_gradient)  # half the gradient of the variance
        for weight, one in seen:
            by_variance += weight * one.std[:, None] * one.std_gradient
            off = (one.mean - mean)[:, None]
            by_variance += weight * off * (one.mean_gradient - mean_gradient)
        return Slopes(mean, std, mean_gradient, by_variance / at_least_tiny(std))

    def chain(self, X: Array, partials: Partials) -> tuple[Array, Array]:
        """A function of mean and std at X (m, d), and its gradient in X: (m,), (m, d)."""
        mean, std, mean_gradient, std_gradient = self.predict_gradient(X)
        value, by_mean, by_std = partials(mean, std)
        return value, by_mean[:, None] * mean_gradient + by_std[:, None] * std_gradient


def mix(moments: Iterable[tuple[float, Prediction | tuple[Array, Array]]]) -> Prediction:
    """Mean and standard deviation of a mixture, from the weight and the moments of each part."""
    middle, total, square = None, np.zeros(1), np.zeros(1)
    for weight, (mean, std) in moments:
        middle = mean if middle is None else middle  # squares of large means would cancel
        off = mean - middle
        total = total + weight * off
        square = square + weight * (std**2 + off**2)
    assert middle is not None, "a mixture has a part"
    return Prediction(middle + total, np.sqrt(np.maximum(square - total**2, 0.0)))
