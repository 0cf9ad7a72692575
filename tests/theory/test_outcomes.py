"""Several outcomes: the moment, regret and violation bounds, and the steps of their proofs."""

import functools
import math

import numpy as np
import pytest
from scipy.special import gammaincc, log_ndtr

from pathmax import gp, theory
from pathmax.acquisition.targets import pick_target
from pathmax.errors import ModelError

X = np.linspace(0, 1, 10)[:, None]
KERNEL = gp.RBF(0.25)
PRIOR = KERNEL(X, X)
ROOT = np.linalg.cholesky(PRIOR + 1e-10 * np.eye(len(X)))
NOISE = 0.1
HORIZON = 12
BOUND = 0.8  # of the constraint: the prior reaches it somewhere in about three of five cases


def promise(values, known, bounds, rng):
    """Targets (m,) of a draw (N, m), or None when it is feasible nowhere: as in a study."""
    pick = pick_target(values, values[known], bounds, np.random.default_rng(rng))
    if pick is None:
        return None
    return np.concatenate([values[pick.row, : values.shape[1] - len(bounds)], bounds])


@functools.cache
def simulate(problem, form, runs):
    """Runs with a known model: r, std, tau* - f, violation at every step: (runs, T, m) each."""
    rng = np.random.default_rng(7)
    bounds = np.array([BOUND]) if problem == "constraint" else np.empty(0)
    m = 2
    found = {"r": [], "std": [], "regret": [], "violation": []}
    for _ in range(runs):
        f = ROOT @ rng.standard_normal((len(X), m))
        while len(bounds) and f[:, 1].max() < BOUND:  # the problems that have a solution
            f = ROOT @ rng.standard_normal((len(X), m))
        rows, y, steps = [], np.empty((0, m)), {name: [] for name in found}
        for _ in range(HORIZON):
            cross = PRIOR[rows]
            gain = np.linalg.solve(cross[:, rows] + NOISE * np.eye(len(rows)), cross)
            mean = gain.T @ y
            covariance = PRIOR - cross.T @ gain
            std = np.sqrt(np.diag(covariance))
            root = np.linalg.cholesky(covariance + 1e-9 * np.eye(len(X)))
            seed = int(rng.integers(2**32))  # of the choice when nothing is known: u, the same
            tau = None
            while tau is None:
                tau = promise(mean + root @ rng.standard_normal((len(X), m)), rows, bounds, seed)
            r = (tau - mean) / std[:, None]
            score = log_ndtr(-r).sum(axis=1) if form == "sum" else -r.max(axis=1)
            x = int(np.argmax(score))
            truth = promise(f, rows, bounds, seed)
            steps["r"].append(r[x])
            steps["std"].append(std[x])
            steps["regret"].append(truth - f[x])
            steps["violation"].append(np.maximum(tau - f[x], 0.0))
            rows.append(x)
            y = np.vstack([y, f[x] + math.sqrt(NOISE) * rng.standard_normal(m)])
        for name, values in steps.items():
            found[name].append(values)
    return {name: np.array(values) for name, values in found.items()}


@functools.cache
def feasible_share():
    draws = ROOT @ np.random.default_rng(1).standard_normal((len(X), 200_000))
    return float((draws.max(axis=0) >= BOUND).mean())


def gamma():
    return theory.maximum_information_gain(KERNEL, X, horizon=HORIZON, noise=NOISE).upper


def above(values):
    """The mean over runs less four standard errors."""
    values = np.asarray(values, dtype=float)
    return values.mean() - 4.0 * values.std() / math.sqrt(len(values))


def bounds_of(problem, form):
    feasible = feasible_share() if problem == "constraint" else 1.0
    return {"form": form, "outcomes": 2, "cardinality": len(X), "feasible": feasible}


CASES = [(problem, form) for problem in ("front", "constraint") for form in ("sum", "max")]


@pytest.mark.parametrize("m", [1, 2, 5, 12])
@pytest.mark.parametrize("size", [2, 10, 1000])
def test_the_sum_forms_constant_is_its_integral(m, size):
    s = np.linspace(math.log(2), 120, 2_000_001)
    tail = np.minimum(1.0, size * gammaincc(m, s))
    integral = 2.0 * float(np.sum(0.5 * (tail[1:] + tail[:-1])) * (s[1] - s[0]))
    found = theory.optimism_bound("sum", outcomes=m, cardinality=size)
    assert found == pytest.approx(integral, rel=1e-6)
    # the closed form for sub-gamma variables is larger
    log = math.log(size)
    assert found <= 2.0 * (log + math.sqrt(2.0 * m * log) + m)


def test_with_one_outcome_both_are_the_papers_constant():
    for form in ("sum", "max"):
        found = theory.optimism_bound(form, outcomes=1, cardinality=50)
        assert found == pytest.approx(theory.c2(50), rel=1e-12)


@pytest.mark.parametrize("m,size", [(2, 4), (3, 20), (6, 100)])
def test_the_maximum_of_gammas_obeys_the_constant(rng, m, size):
    """The step of the proof: sum_i (r_i^+)^2 <= (2 G - 2 log 2)^+ with G the largest of |X|."""
    G = rng.gamma(m, size=(20_000, size)).max(axis=1)
    mean = np.maximum(2.0 * G - 2.0 * math.log(2.0), 0.0).mean()
    bound = theory.optimism_bound("sum", outcomes=m, cardinality=size)
    assert 0.7 * bound < mean < bound


def test_a_probability_bounds_a_square(rng):
    """-log Phi(-r) >= log 2 + r^2 / 2 for r >= 0: what turns the score into optimism."""
    r = np.linspace(0, 30, 1001)
    assert (-log_ndtr(-r) >= math.log(2.0) + 0.5 * r**2 - 1e-12).all()


@pytest.mark.parametrize("problem,form", CASES)
def test_the_optimism_of_every_step(problem, form):
    r = np.maximum(simulate(problem, form, 250)["r"], 0.0) ** 2
    squared = r.sum(axis=2) if form == "sum" else r.max(axis=2)
    known = bounds_of(problem, form)
    assert (squared.mean(axis=0) < theory.optimism_bound(**known)).all()
    assert above(squared.mean(axis=1)) < 0.8 * theory.optimism_bound(**known)


@pytest.mark.parametrize("problem,form", CASES)
def test_regret_is_optimism_times_uncertainty(problem, form):
    """E (tau* - f(x)) = E r std: tau* and tau have one law given the data, x knows nothing of f."""
    found = simulate(problem, form, 250)
    objectives = 2 if problem == "front" else 1
    gap = found["regret"] - found["r"] * found["std"][:, :, None]
    total = gap[:, :, :objectives].sum(axis=1)
    error = total.std(axis=0) / math.sqrt(len(total))
    assert (np.abs(total.mean(axis=0)) < 4.0 * error).all()


@pytest.mark.parametrize("problem,form", CASES)
def test_regret_bounds(problem, form):
    found = simulate(problem, form, 250)["regret"].sum(axis=1)  # (runs, m)
    known = bounds_of(problem, form) | {"horizon": HORIZON, "noise": NOISE, "gamma": gamma()}
    bound = theory.outcome_regret_bound(**known)
    assert above(found[:, 0]) < bound
    if problem == "front":
        assert above(found[:, 1]) < bound
        total = theory.total_regret_bound(
            form, horizon=HORIZON, noises=[NOISE] * 2, gammas=[gamma()] * 2, cardinality=len(X)
        )
        assert above(found.sum(axis=1)) < total
        assert total < 2.0 * bound * (1.0 if form == "sum" else 1.0 + 1e-12)


@pytest.mark.parametrize("form", ["sum", "max"])
def test_violation_bounds(form):
    found = simulate("constraint", form, 250)["violation"][:, :, 1].sum(axis=1)
    known = bounds_of("constraint", form) | {"horizon": HORIZON, "noise": NOISE, "gamma": gamma()}
    assert above(found) < theory.violation_bound(**known)


def test_the_probability_of_feasibility_is_needed():
    """One point, three constraints of 2 standard deviations: xi = 2 whenever it is feasible."""
    without = 2.0 + 2.0 * math.log(3 * 1 / 2.0)
    assert 2.0**2 > without
    share = float(np.exp(log_ndtr(-2.0))) ** 3
    assert 2.0**2 < 2.0 + 2.0 * math.log(3 * 1 / (2.0 * share))


def test_a_conditioned_normal_is_above_its_mean_by_little(rng):
    """E[Z^+ | A]^2 <= 1/(2 pi) + 2 log(1/q), q the probability of A: the worst A is a tail."""
    from scipy.special import ndtri

    for q in (0.999, 0.9, 0.6, 0.5, 0.2, 0.01, 1e-6):
        z = float(-ndtri(q))
        density = math.exp(-0.5 * max(z, 0.0) ** 2) / math.sqrt(2.0 * math.pi)
        assert (density / q) ** 2 <= 1.0 / (2.0 * math.pi) + 2.0 * math.log(1.0 / q) + 1e-12


def test_choosing_among_draws_costs_a_logarithm(rng):
    """The best of 8 draws, by whatever rule: the largest optimism of all stays below."""
    draws, m, size = 8, 2, 10
    G = rng.gamma(m, size=(20_000, draws * size)).max(axis=1)
    mean = np.maximum(2.0 * G - 2.0 * math.log(2.0), 0.0).mean()
    one = theory.optimism_bound(outcomes=m, cardinality=size)
    assert one < mean < theory.optimism_bound(outcomes=m, cardinality=size, draws=draws)


def test_refusals():
    with pytest.raises(ModelError, match="form"):
        theory.optimism_bound("product", outcomes=2, cardinality=10)
    with pytest.raises(ModelError, match="feasible"):
        theory.optimism_bound(outcomes=2, cardinality=10, feasible=0.0)
    with pytest.raises(ModelError, match="outcomes"):
        theory.optimism_bound(outcomes=0, cardinality=10)
    with pytest.raises(ModelError, match="every outcome"):
        theory.total_regret_bound(horizon=5, noises=[0.1], gammas=[], cardinality=10)
