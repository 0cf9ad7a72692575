"""What the posterior can be at most, at very many rows: a mean and an upper bound of the std.

The bound comes from the datum that says most about a row alone:

    std(x)^2 <= k(x, x) - max_i k(x, x_i)^2 / (k(x_i, x_i) + noise_i)

Both are made from one kernel matrix in single precision, and are high enough to allow for it. With
100 data in d = 10 they leave 1 of 500 uniform rows to be computed in double precision.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from pathmax.arrays import Array, Single
from pathmax.gp import GaussianProcess
from pathmax.gp.single_precision import single_cross
from pathmax.search.rows import ROWS_AT_ONCE

SINGLE_ROUNDING = 1e-5  # of a variance, in single precision
CRUDE = 1e-3  # of the spread of the values: an error beyond which single precision is no use


@final
@dataclass(frozen=True, eq=False)
class CrudeMoments:
    """At least the mean and at least the std of a process, at many rows."""

    model: GaussianProcess

    @cached_property
    def cross(self) -> Callable[[Array], Single]:  # (m, d) -> (m, n)
        """The kernel matrix against the data."""
        return single_cross(self.model.kernel, self.model.X)

    def __getstate__(self) -> dict[str, Any]:
        # a function does not travel to other processes, and is quickly made again
        return {name: value for name, value in vars(self).items() if name != "cross"}

    @cached_property
    def usable(self) -> bool:
        """Whether there are data, and single precision does for them."""
        return self.model.n > 0 and np.isfinite(self.slack)

    @cached_property
    def slack(self) -> float:
        """By how much a mean in single precision may be wrong; infinite where it is no use."""
        some = self.model.X[:ROWS_AT_ONCE]
        gap = float(np.abs(self.mean(some) - self.model.look(some).mean).max())
        return 20.0 * gap + 1e-6 if gap <= CRUDE else np.inf

    def mean(self, U: Array) -> Array:  # (m, d) -> (m,)
        """The mean in single precision."""
        return self._mean(U, self.cross(U))

    def __call__(self, U: Array) -> tuple[Array, Array]:  # (m, d) -> (m,), (m,)
        return self.of_matrix(U, self.cross(U))

    def of_matrix(self, U: Array, cross: Single) -> tuple[Array, Array]:  # -> (m,), (m,)
        """The same with the kernel matrix (m, n) at hand, which is overwritten."""
        mean = self._mean(U, cross) + self.slack
        mean[np.isnan(mean)] = np.inf  # what is no number bounds nothing
        cross *= cross
        cross *= self._weights
        variance = self.model.kernel.diagonal(U) * (1.0 + SINGLE_ROUNDING) - cross.max(axis=1)
        return mean, np.sqrt(np.maximum(variance, 0.0))

    def _mean(self, U: Array, cross: Single) -> Array:  # (m, d), (m, n) -> (m,)
        mean = np.zeros(len(U))
        self.model.shift.mean.add_to(mean, U)
        with np.errstate(invalid="ignore"):  # BLAS may say so of rows beyond the last one
            mean += cross @ self._alpha
        return mean

    @cached_property
    def _alpha(self) -> Single:  # (n,)
        update = self.model.shift.update
        return np.asarray(update.unit * update.v, dtype=np.float32)

    @cached_property
    def _weights(self) -> Single:  # (n,): 1 / (k(x_i, x_i) + noise_i)
        model = self.model
        told = model.kernel.diagonal(model.X) + model.noises + model.jitter
        return np.asarray(1.0 / told, dtype=np.float32)
