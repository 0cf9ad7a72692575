"""What is believed about a kernel's parameters and the noise before any data.

Every prior is log-normal: log v ~ N(location, spread^2). Its logarithm is a parabola in log v, so
that MAP costs nothing more than maximum likelihood and cannot run off to 0 or infinity. The priors
speak of inputs in the unit cube and of outputs of mean 0 and variance 1; `fit` sees to the latter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pathmax.arrays import Array
from pathmax.gp.kernels.base import Kernel


@dataclass(frozen=True, slots=True)
class LogNormal:
    """log v ~ N(location, spread^2); the median is exp(location)."""

    location: float
    spread: float


@dataclass(frozen=True, slots=True)
class Priors:
    """One prior for each kind of parameter.

    Length scales have one size in common, `lengthscale`, about which the logarithm of each varies
    by `anisotropy`: log l_i = log l + e_i. Few data cannot tell coordinates apart, and left to
    themselves they make some length scales short and others long at random; that they resemble
    each other is what is believed until data say otherwise.

    `rho` is that of -1/log(rho), see `Categorical`. The constant mean is normal about the average
    of y, `mean_spread` standard deviations of y wide; the depth of a `Bowl`, where there is one, is
    normal about `depth` standard deviations of y, `depth_spread` of them wide.
    """

    lengthscale: LogNormal
    noise: LogNormal
    outputscale: LogNormal
    rho: LogNormal
    anisotropy: float = 0.5
    mean_spread: float = 1.0
    depth: float = 2.0
    depth_spread: float = 1.0

    def of(self, kernel: Kernel) -> tuple[Array, Array]:  # -> (p,), (p, p)
        """Mean and covariance of `kernel.theta`."""
        chosen = [self._named(name) for name in kernel.parameter_names]
        scales = np.array(["lengthscale" in name for name in kernel.parameter_names])
        variances = np.array([c.spread**2 for c in chosen])
        covariance = np.diag(np.where(scales, self.anisotropy**2, variances))
        covariance[np.ix_(scales, scales)] += self.lengthscale.spread**2
        return np.array([c.location for c in chosen]), covariance

    def _named(self, name: str) -> LogNormal:
        for kind in ("lengthscale", "rho", "outputscale"):
            if kind in name:
                return getattr(self, kind)  # type: ignore[no-any-return]
        raise AssertionError(f"no prior for {name}")


def default_priors(d: int) -> Priors:
    """The priors of a study with d coordinates; chosen in benchmarks/surrogate.md."""
    return Priors(
        # distances in the cube grow as sqrt(d): so does the length scale that is expected
        lengthscale=LogNormal(0.5 * math.log(max(d, 1)), 1.0),
        # wide and low: lets a deterministic objective be deterministic
        noise=LogNormal(-9.0, 2.0),
        outputscale=LogNormal(0.0, 0.5),
        rho=LogNormal(math.log(1.0 / math.log(2.0)), 1.0),
    )
