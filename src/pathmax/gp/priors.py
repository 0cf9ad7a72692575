"""What is believed about a kernel's parameters and the noise before any data.

Every prior is log-normal: log v ~ N(location, spread^2). Its logarithm is a parabola in log v, so
that MAP costs nothing more than maximum likelihood and cannot run off to 0 or infinity. The priors
speak of inputs in the unit cube and of outputs of mean 0 and variance 1; `fit` standardises.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from pathmax.arrays import Array
from pathmax.gp.kernels.base import Kernel

OUR_PARAMETERS = ("lengthscale", "rho", "outputscale")  # kinds of parameters


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
    each other is what is believed until data say otherwise. The terms of a `Sum` are meant to
    differ: each has a size of its own.

    `rho` is that of -1/log(rho), see `Categorical`: a length scale too. With several lists its
    median grows with the root of how many there are, as length scales do, and half of its variance
    is that of a size in common. Were each expected by itself, the sum of many would be expected to
    within a few per cent, and points that differ in a dozen lists to have nothing in common
    (benchmarks/discrete_spaces.md).

    The constant mean is normal about the average of y, `mean_spread` standard deviations of y wide;
    the depth of a `Bowl`, where there is one, is normal about `depth` standard deviations of y,
    `depth_spread` of them wide.
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
        return self._of(kernel.parameter_names, tuple(kernel.theta.tolist()))

    @lru_cache(maxsize=32)  # noqa: B019  a study asks for the same ones after each result
    def _of(self, names: tuple[str, ...], theta: tuple[float, ...]) -> tuple[Array, Array]:
        given = zip(names, theta, strict=True)
        chosen = [self._named(field_of(name), value) for name, value in given]
        location = np.array([c.location for c in chosen])
        variances = np.array([c.spread**2 for c in chosen])
        covariance = np.diag(variances)
        for kind, term in {(field_of(name), term_of(name)) for name in names}:
            alike = [(field_of(name), term_of(name)) == (kind, term) for name in names]
            rows = np.flatnonzero(alike)
            if kind == "lengthscale":
                covariance[rows, rows] = self.anisotropy**2
                covariance[np.ix_(rows, rows)] += self.lengthscale.spread**2
            elif kind == "rho":
                covariance[np.ix_(rows, rows)] = 0.5 * (
                    np.diag(variances[rows]) + self.rho.spread**2
                )
                location[rows] += 0.5 * math.log(len(rows))
        location.setflags(write=False)
        covariance.setflags(write=False)
        return location, covariance

    def _named(self, kind: str, given: float) -> LogNormal:
        # a parameter that is none of ours is expected within a factor of e or so of what was given
        return getattr(self, kind) if kind in OUR_PARAMETERS else LogNormal(given, 1.0)


def field_of(name: str) -> str:
    """The field that a parameter belongs to: "lengthscale" of "term1.0.lengthscale[2]"."""
    return name.rsplit(".", 1)[-1].split("[", 1)[0]


def term_of(name: str) -> str:
    """The term of a sum that a parameter belongs to: "term1" of "term1.0.lengthscale[2]"."""
    return ".".join(part for part in name.split(".") if part.startswith("term"))


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


def front_priors(d: int) -> Priors:
    """The priors of a study with several objectives; measured in benchmarks/surrogate.md.

    Objectives that conflict depend on different parameters, some on a single one: length scales
    differ more, and values vary by more and with less noise than those of one objective.
    """
    return replace(
        default_priors(d),
        anisotropy=0.65,
        noise=LogNormal(-11.0, 3.0),
        outputscale=LogNormal(0.0, 1.5),
    )


def open_priors(d: int) -> Priors:
    """Wider priors, for what is reported: a study that knows little should also doubt these.

    With those of `default_priors` the 95 % interval holds in 3 to 8 % fewer cases at five and ten
    results; suggestions are better with the narrow ones (benchmarks/calibration.md).
    """
    usual = default_priors(d)
    return replace(
        usual,
        lengthscale=LogNormal(usual.lengthscale.location - 0.3, 1.3),
        anisotropy=0.7,
        outputscale=LogNormal(0.0, 0.8),
    )
