"""Learn a kernel's parameters and the noise from data, then condition on all of it.

How probable parameters are, and how the most probable are found, is in `parameter_posterior`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.gp.blas_threads import small_blas
from pathmax.gp.freed_memory import keep_freed_memory
from pathmax.gp.inputs import as_points, as_values, as_variances
from pathmax.gp.kernels.base import Kernel
from pathmax.gp.parameter_posterior import ParameterPosterior, spread_rows
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
    """
    prior = learn(
        kernel,
        X,
        y,
        noise=noise,
        priors=priors,
        restarts=restarts,
        warm=warm,
        max_points=max_points,
        rng=rng,
        bowl_on=bowl_on,
    )
    X, given = as_points(X), np.asarray(np.nan if noise is None else noise)
    noises = as_variances(given, len(X), learnt=True)
    return prior.condition(X, y, np.where(np.isnan(noises), prior.noise, noises))


def learn(
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
) -> GaussianProcess:
    """What `fit` learns, as a process that has seen no data yet."""
    X, given = as_points(X), np.asarray(np.nan if noise is None else noise)
    y, noises = as_values(y, len(X)), as_variances(given, len(X), learnt=True)
    if restarts and rng is None:
        raise ModelError(f"restarts={restarts} draws starting points; pass rng as well")
    if not isinstance(priors, Priors | None):
        priors = default_priors(X.shape[1])
    centre, scale = standard(y)
    # squares must be finite: beyond 1e140 the process reports too small deviations, but works
    variance_unit = min(max(scale, 1e-140), 1e140) ** 2
    keep_freed_memory()
    with small_blas(min(len(y), max_points)):
        rows = spread_rows(len(y), max_points)
        standardised = (y[rows] - centre) / scale
        if not standardised.any():
            bowl_on = ()  # equal values do not determine its depth
        posterior = ParameterPosterior(
            kernel, X[rows], standardised, noises[rows] / variance_unit, priors, bowl_on
        )
        start = posterior.start if warm is None else posterior.warm_start(warm, variance_unit)
        starts = [posterior.draw_start(rng) for _ in range(restarts) if rng is not None]
        theta = posterior.mode(start, starts, warm is not None) if posterior.y.any() else start
        mean, *depth = (scale * posterior.mean(theta)).tolist()
    learnt, learnt_noise = posterior.model(theta)
    in_units = np.append(learnt.theta[:-1], learnt.theta[-1] + math.log(variance_unit))
    variance = learnt_noise * variance_unit
    learns_noise = not given.size or bool(np.isnan(given).any())
    shared = variance if learns_noise else float(np.median(given))
    bowl = Bowl(depth[0], bowl_on) if depth else None
    return GaussianProcess(kernel.with_theta(in_units), shared, centre + mean, bowl=bowl)


def standard(y: Array) -> tuple[float, float]:  # (n,) -> centre, scale
    """Mean and standard deviation of y, for y of any size; a scale of 1 when y is constant."""
    largest = float(np.abs(y).max(initial=0.0))
    if largest == 0.0:
        return 0.0, 1.0
    unit = y / largest
    spread = float(unit.std()) * largest
    if spread <= 1e-14 * largest:
        return float(y[0]), 1.0
    return float(unit.mean()) * largest, spread
