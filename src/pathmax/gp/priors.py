"""What is believed about a kernel's parameters and the noise before any data.

Every prior is log-normal: log v ~ N(location, spread^2). Its logarithm is a parabola in log v, so
that MAP costs nothing more than maximum likelihood and cannot run off to 0 or infinity. The priors
speak of inputs in the unit cube and of outputs of mean 0 and variance 1; `fit` sees to the latter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pathmax.gp.kernel import Kernel
from pathmax.gp.linalg import Array


@dataclass(frozen=True, slots=True)
class LogNormal:
    """log v ~ N(location, spread^2); the median is exp(location)."""

    location: float
    spread: float


@dataclass(frozen=True, slots=True)
class Priors:
    """One prior for each kind of parameter.

    `rho` is that of -1/log(rho), see `Categorical`. The constant mean is normal about the average
    of y, `mean_spread` standard deviations of y wide.
    """

    lengthscale: LogNormal
    noise: LogNormal
    outputscale: LogNormal
    rho: LogNormal
    mean_spread: float = 1.0

    def of(self, kernel: Kernel) -> tuple[Array, Array]:  # -> (p,), (p,)
        """Location and spread for each entry of `kernel.theta`."""
        chosen = [self._named(name) for name in kernel.parameter_names]
        return np.array([c.location for c in chosen]), np.array([c.spread for c in chosen])

    def _named(self, name: str) -> LogNormal:
        for kind in ("lengthscale", "rho", "outputscale"):
            if kind in name:
                return getattr(self, kind)  # type: ignore[no-any-return]
        raise AssertionError(f"no prior for {name}")


def default_priors(d: int) -> Priors:
    """The priors of a study with d numeric coordinates."""
    return Priors(
        # distances in the cube grow as sqrt(d): so does the length scale that is expected
        lengthscale=LogNormal(math.log(0.5) + 0.5 * math.log(max(d, 1)), 1.5),
        # wide and low: lets a deterministic objective be deterministic
        noise=LogNormal(-9.0, 2.0),
        outputscale=LogNormal(0.0, 0.5),
        rho=LogNormal(math.log(1.0 / math.log(2.0)), 1.0),
    )
