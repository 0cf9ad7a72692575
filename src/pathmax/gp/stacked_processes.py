"""The posteriors of several outcomes at the same points, evaluated as one (`stacked`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import final

import numpy as np

from pathmax.arrays import Array
from pathmax.gp import linalg
from pathmax.gp.blas_threads import while_small
from pathmax.gp.process import GaussianProcess
from pathmax.gp.stacked import StackedShift

# means and stds (m, B) -> a value (m,), its derivatives in the means and in the stds, (m, B) each
JointPartials = Callable[[Array, Array], tuple[Array, Array, Array]]


@final
class StackedProcesses:
    """Several processes whose means are `alike`, each times its sign."""

    def __init__(self, models: Sequence[GaussianProcess], signs: Sequence[float]) -> None:
        self.shift = StackedShift([model.shift for model in models], signs)
        self.n = self.shift.n
        inverses = [linalg.inverse_lower(model.cholesky) for model in models]
        self._inverse = np.stack(inverses)  # (B, n, n) of the factors
        self._transposed = np.ascontiguousarray(self._inverse.transpose(0, 2, 1))
        self._variances = np.array([model.kernel.outputscale for model in models])
        self._floors = np.array([model.variance_floor for model in models])

    @while_small
    def look(self, U: Array) -> tuple[Array, Array]:  # (m, d) -> (m, B), (m, B)
        """Means and standard deviations."""
        mean, std = np.empty((2, len(U), self.shift.size))
        for rows in linalg.blocks(len(U), self.n * self.shift.size):
            link = self.shift.link(U[rows])
            mean[rows] = self.shift.values(link)
            std[rows] = self._std(np.matmul(link.value, self._transposed))
        return mean, std

    def _std(self, half: Array) -> Array:  # (B, m, n) -> (m, B)
        explained = np.einsum("bmn,bmn->mb", half, half)
        return np.asarray(np.sqrt(np.maximum(self._variances - explained, self._floors)))

    @while_small
    def chain(self, U: Array, partials: JointPartials) -> tuple[Array, Array]:
        """A function of means and stds at U (m, d), and its gradient in U: (m,), (m, d)."""
        shift = self.shift
        link = shift.link(U)
        half = np.matmul(link.value, self._transposed)  # (B, m, n)
        mean, std = shift.values(link), self._std(half)
        value, by_mean, by_std = partials(mean, std)
        by_variance = by_std / np.maximum(std, np.finfo(float).tiny)
        weights = np.matmul(half, self._inverse)  # K^{-1} k(X, x)
        weights *= -by_variance.T[:, :, None]
        weights += by_mean.T[:, :, None] * shift.v[:, None, :]
        gradient = link.pull(weights).sum(axis=0)
        if shift.rim is not None:
            gradient += (by_mean @ shift.depths)[:, None] * shift.bowl_slope(U)
        return value, gradient
