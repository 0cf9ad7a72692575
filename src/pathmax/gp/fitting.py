"""Learn a kernel's parameters and the noise from data, then condition on all of it.

How probable parameters are, and how the most probable are found, is in `parameter_posterior`; which
others explain the data too is in `parameter_draws`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.gp.blas_threads import small_blas
from pathmax.gp.freed_memory import keep_freed_memory
from pathmax.gp.inputs import as_points, as_values, as_variances
from pathmax.gp.kernels.base import Kernel
from pathmax.gp.parameter_density import spread_rows
from pathmax.gp.parameter_draws import draw_parameters
from pathmax.gp.parameter_posterior import ParameterPosterior
from pathmax.gp.prior_mean import Bowl
from pathmax.gp.priors import Priors, default_priors
from pathmax.gp.process import GaussianProcess

# Of 1500 rows, 600 instead of these take 2 to 10 times as long and predict by 2 to 10 % better, but
# twice as well on a rough function of four coordinates (benchmarks/choices.py)
MAX_POINTS = 300


class _Default:
    """The default of `priors`: default_priors for the kernel's dimension. None means none."""


def fit(
    kernel: Kernel,
    X: ArrayLike,  # (n, d)
    y: ArrayLike,  # (n,)
    *,
    noise: float | ArrayLike | None = None,
    priors: Priors | type[_Default] | None = _Default,
    restarts: int = 0,
    warm: GaussianProcess | None = None,
    max_points: int = MAX_POINTS,
    rng: np.random.Generator | None = None,
    bowl_on: tuple[int, ...] = (),
    unit: bool = False,
) -> GaussianProcess:
    """The Gaussian process with the most probable parameters, conditioned on X and y.

    Args:
        kernel: Its kind is kept, its parameters are learnt. Without priors they are the start.
        X: Inputs; the priors expect them in the unit cube.
        y: Outputs in any unit: they are standardised for the fit, and the process that comes back
            speaks in the unit of y.
        noise: Variance of the noise, one number or one per row; None learns it, and so does NaN
            for the rows that have it. What is given is kept; a variance below 1e-8 of that of y
            counts as 1e-8 of it while the other parameters are learnt.
        priors: Beliefs about the parameters (MAP); None for maximum likelihood.
        restarts: Further starts, drawn with `rng`; the most probable result wins.
        warm: An earlier fit to start from, in the same unit of y.
        max_points: Parameters are learnt from at most this many rows, spread evenly over the order
            in which they came; all rows enter the posterior.
        rng: Needed for restarts only.
        bowl_on: Coordinates on which the prior mean may fall off towards the corners (`Bowl`); its
            depth is learnt too. Needs priors.
        unit: Keep the prior mean at that of y and the prior variance at that of y, as the paper
            does, and begin from long and from short length scales too.
    """
    if restarts and rng is None:
        raise ModelError(f"restarts={restarts} draws starting points; pass rng as well")
    learning = ScaledPosterior.of(kernel, X, y, noise, priors, max_points, bowl_on, unit)
    prior = learning.learn(warm, restarts, rng)
    X, given = as_points(X), np.asarray(np.nan if noise is None else noise)
    noises = as_variances(given, len(X), learnt=True)
    return prior.condition(X, y, np.where(np.isnan(noises), prior.noise, noises))


@dataclass(frozen=True, slots=True, eq=False)
class ScaledPosterior:
    """The posterior of the parameters in standard units of y, and the way back to its units."""

    posterior: ParameterPosterior
    centre: float
    scale: float
    given: Array  # variances as they were given, NaN where they are learnt

    @staticmethod
    def of(
        kernel: Kernel,
        X: ArrayLike,
        y: ArrayLike,
        noise: float | ArrayLike | None = None,
        priors: Priors | type[_Default] | None = _Default,
        max_points: int = MAX_POINTS,
        bowl_on: tuple[int, ...] = (),
        unit: bool = False,
    ) -> ScaledPosterior:
        """What data say of the parameters; the arguments are those of `fit`."""
        X, given = as_points(X), np.asarray(np.nan if noise is None else noise)
        y, noises = as_values(y, len(X)), as_variances(given, len(X), learnt=True)
        if not isinstance(priors, Priors | None):
            priors = default_priors(X.shape[1])
        centre, scale = mean_and_scale(y)
        rows = spread_rows(len(y), max_points)
        standardised = (y[rows] - centre) / scale
        if not standardised.any():
            bowl_on = ()  # equal values do not determine its depth
        with np.errstate(over="ignore"):  # noise that drowns everything is as good as infinite
            known = np.minimum(noises[rows] / variance_unit(scale), 1e150)
        posterior = ParameterPosterior(kernel, X[rows], standardised, known, priors, bowl_on, unit)
        return ScaledPosterior(posterior, centre, scale, given)

    def learn(
        self,
        warm: GaussianProcess | None = None,
        restarts: int = 0,
        rng: np.random.Generator | None = None,
        doubt: bool = True,
    ) -> GaussianProcess:
        """The process with the most probable parameters, which has seen no data yet."""
        keep_freed_memory()
        posterior = self.posterior
        with small_blas(len(posterior.y)):
            start = posterior.start if warm is None else self.start_from(warm)
            starts = [posterior.draw_start(rng) for _ in range(restarts) if rng is not None]
            starts += posterior.scattered if posterior.unit else []
            theta = start
            if posterior.y.any():
                theta = posterior.mode(start, starts, warm is not None, doubt)
            return self.process(theta, posterior.mean(theta))

    def draw(
        self, most_probable: GaussianProcess, n: int, rng: np.random.Generator
    ) -> list[GaussianProcess]:
        """n processes that explain the data, drawn by how probable they are; without the data yet.

        `most_probable` is what `learn` found, now or from fewer data. What the prior mean is, is
        drawn with the kernel's parameters and the noise: all of it is uncertain. Some of the
        processes may be the same object.
        """
        keep_freed_memory()
        posterior = self.posterior
        if not posterior.y.any():
            return [most_probable] * n
        with small_blas(len(posterior.y)):
            mode = posterior.mode(self.start_from(most_probable), warm=True)
            draws = draw_parameters(posterior, mode, n, rng)
            return [self.process(theta, posterior.draw_mean(theta, rng)) for theta in draws]

    def start_from(self, earlier: GaussianProcess) -> Array:  # -> (p,)
        return self.posterior.warm_start(earlier, variance_unit(self.scale))

    def process(self, theta: Array, mean: Array) -> GaussianProcess:  # (p,), (0, 1 or 2,)
        """The process with these parameters and this prior mean, in units of y."""
        level, *depth = (self.scale * mean).tolist() or [0.0]
        unit = variance_unit(self.scale)
        learnt, learnt_noise = self.posterior.model(theta)
        in_units = np.append(learnt.theta[:-1], learnt.theta[-1] + math.log(unit))
        learns_noise = not self.given.size or bool(np.isnan(self.given).any())
        shared = learnt_noise * unit if learns_noise else float(np.median(self.given))
        bowl = Bowl(depth[0], self.posterior.bowl_on) if depth else None
        kernel = self.posterior.kernel.with_theta(in_units)
        return GaussianProcess(kernel, shared, self.centre + level, bowl=bowl)


def variance_unit(scale: float) -> float:
    """The square of the scale of y, kept finite: beyond 1e140 deviations come out too small."""
    return min(max(scale, 1e-140), 1e140) ** 2


def mean_and_scale(y: Array) -> tuple[float, float]:  # (n,) -> centre, scale
    """Mean and standard deviation of y, for y of any size; a scale of 1 when y is constant."""
    largest = float(np.abs(y).max(initial=0.0))
    if largest == 0.0:
        return 0.0, 1.0
    unit = y / largest
    spread = float(unit.std()) * largest
    if spread <= 1e-14 * largest:
        return float(y[0]), 1.0
    return float(unit.mean()) * largest, spread
