"""The theorems and lemmas hold in simulation: objectives drawn from the prior, methods run on them.

Five hundred objectives on a 5 x 5 grid, all runs advanced together with full posteriors, written
from the paper alone (nothing of `gp` or `acquisition`), so that it judges the bounds and not them.
"""

import math

import numpy as np
import pytest

from pathmax import gp, theory

RUNS, STEPS, NOISE = 500, 25, 0.05
AXIS = np.linspace(0, 1, 5)
X = np.stack(np.meshgrid(AXIS, AXIS, indexing="ij"), axis=-1).reshape(-1, 2)
KERNEL = gp.RBF(0.3)


class Runs:
    """What all the runs of one method did: arrays of shape (RUNS, STEPS)."""

    def __init__(self, method: str, seed: int) -> None:
        rng = np.random.default_rng(seed)
        size = len(X)
        every = np.arange(RUNS)
        root = np.linalg.cholesky(KERNEL(X) + 1e-10 * np.eye(size))
        f = rng.standard_normal((RUNS, size)) @ root.T
        mean = np.zeros((RUNS, size))
        cov = np.repeat(KERNEL(X)[None], RUNS, axis=0)
        shape = (RUNS, STEPS)
        self.regret, self.recommended = np.empty(shape), np.empty(shape)
        self.width, self.std = np.empty(shape), np.empty(shape)
        for t in range(STEPS):
            std = np.sqrt(np.einsum("rii->ri", cov))
            self.recommended[:, t] = f.max(axis=1) - f[every, mean.argmax(axis=1)]
            roots = np.linalg.cholesky(cov + 1e-9 * np.eye(size))
            g = mean + np.einsum("rij,rj->ri", roots, rng.standard_normal((RUNS, size)))
            if method == "ts":
                x = g.argmax(axis=1)
            else:
                x = ((g.max(axis=1, keepdims=True) - mean) / std).argmin(axis=1)
            self.width[:, t] = (g.max(axis=1) - mean[every, x]) / std[every, x]  # eta or xi
            self.std[:, t] = std[every, x]
            self.regret[:, t] = f.max(axis=1) - f[every, x]
            y = f[every, x] + math.sqrt(NOISE) * rng.standard_normal(RUNS)
            column = cov[every, :, x]
            gain = column / (std[every, x] ** 2 + NOISE)[:, None]
            mean = mean + gain * (y - mean[every, x])[:, None]
            cov = cov - gain[:, :, None] * column[:, None, :]


@pytest.fixture(scope="module", params=["pims", "ts"])
def runs(request) -> tuple[str, Runs]:
    return request.param, Runs(request.param, seed=1)


@pytest.fixture(scope="module")
def gamma() -> theory.MaximumInformationGain:
    return theory.maximum_information_gain(KERNEL, X, STEPS, NOISE)


def standard_error(samples: np.ndarray) -> float:
    return float(samples.std(ddof=1)) / math.sqrt(len(samples))


def test_cumulative_regret_stays_below_theorems_3_1_and_4_1(runs, gamma):
    method, done = runs
    horizon = np.arange(1, STEPS + 1)
    bound = theory.bcr_bound(
        method, horizon=horizon, noise=NOISE, gamma=gamma.lower_curve, cardinality=len(X)
    )  # the lower end of gamma: the harder claim
    total = np.cumsum(done.regret, axis=1)
    error = total.std(axis=0, ddof=1) / math.sqrt(RUNS)
    assert np.all(total.mean(axis=0) + 4 * error <= bound)
    assert total.mean(axis=0)[-1] > 0.15 * bound[-1]  # there was regret to bound


def test_simple_regret_stays_below_lemma_2_1(runs, gamma):
    method, done = runs
    t = np.arange(1, STEPS + 1)
    mean_regret = np.cumsum(done.regret, axis=1) / t
    best_so_far = np.minimum.accumulate(done.regret, axis=1)
    mean_recommended = np.cumsum(done.recommended, axis=1) / t
    # Each side of the lemma is a mean over the same runs: compare the differences.
    for smaller, larger in [
        (best_so_far, mean_regret),
        (done.recommended, mean_recommended),
        (mean_recommended, mean_regret),
    ]:
        gap = smaller - larger
        assert np.all(gap.mean(axis=0) <= 4 * gap.std(axis=0, ddof=1) / math.sqrt(RUNS))
    last = theory.bsr_bound(
        method, horizon=STEPS, noise=NOISE, gamma=gamma.lower, cardinality=len(X)
    )
    assert best_so_far[:, -1].mean() + 4 * standard_error(best_so_far[:, -1]) <= last
    assert done.recommended[:, -1].mean() + 4 * standard_error(done.recommended[:, -1]) <= last


def test_path_maxima_are_no_more_optimistic_than_lemmas_3_2_and_4_1(runs):
    _, done = runs
    positive = np.where(done.width >= 0, done.width, 0.0) ** 2
    at_each_step = positive.mean(axis=0) + 4 * positive.std(axis=0, ddof=1) / math.sqrt(RUNS)
    assert np.all(at_each_step <= theory.c2(len(X)))


def test_variances_add_up_to_at_most_c1_gamma(runs, gamma):
    """Lemma 5.4 of Srinivas et al., for each run by itself."""
    _, done = runs
    spent = np.cumsum(done.std**2, axis=1)
    allowed = theory.c1(NOISE) * gamma.upper_curve
    assert np.all(spent <= allowed)
    assert spent[:, -1].max() > 0.4 * allowed[-1]  # and not because nothing was uncertain


def test_regret_is_optimism_times_uncertainty(runs):
    """The identity in the middle of both proofs: E[f* - f(x_t)] = E[xi_t std(x_t)], exactly."""
    _, done = runs
    difference = np.sum(done.regret - done.width * done.std, axis=1)
    assert abs(difference.mean()) < 4 * standard_error(difference)
