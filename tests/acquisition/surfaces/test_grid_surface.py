"""Choices on a grid through its structure, against brute force over all its points."""

import itertools

import numpy as np
import pytest

from pathmax import gp
from pathmax.acquisition import GridDomain
from pathmax.acquisition.entropy import MaxValueEntropy
from pathmax.acquisition.improvement_rules import ExpectedImprovement, ProbabilityOfImprovement
from pathmax.acquisition.joint_entropy import ExactJointEntropy, JointEntropy
from pathmax.acquisition.surfaces import grid_surface
from pathmax.acquisition.surfaces.binding import believed
from pathmax.acquisition.surfaces.grid_surface import Gridded, values_on_grid
from pathmax.acquisition.ucb import UpperConfidence

AXES = [np.linspace(0, 1, n) for n in (5, 4, 6)]
POINTS = np.array(list(itertools.product(*AXES)))


def surface(rng, *, excluded=None, n=12, kernel=None):
    kernel = gp.RBF(0.4, outputscale=1.7) if kernel is None else kernel
    seen = rng.choice(len(POINTS), n, replace=False)
    model = gp.GaussianProcess(kernel, 1e-4, mean=0.3)
    if n:
        model = model.condition(POINTS[seen], rng.standard_normal(n))
    return Gridded(gp.GridPosterior.of(model, AXES), GridDomain(AXES, excluded), rng)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("some_excluded", [False, True])
def test_mes_leaves_out_only_points_that_cannot_win(seed, some_excluded):
    rng = np.random.default_rng(seed)
    excluded = rng.choice(len(POINTS), 30, replace=False) if some_excluded else None
    on = surface(rng, excluded=excluded)
    rule = MaxValueEntropy(np.array([path.peak().value for path in on.samples(10)]))
    values = rule(*on.moments())
    if excluded is not None:
        values[excluded] = -np.inf
    best = on.top(rule)
    assert best.index == np.argmax(values)
    assert best.value == pytest.approx(values.max())
    assert len(rule.contenders(*on.moments())) < len(POINTS) / 2


RULES = {
    "pims": lambda on: ProbabilityOfImprovement(on.samples(1)[0].peak().value),
    "a reference below some means": lambda on: ProbabilityOfImprovement(on.posterior.mean.mean()),
    "ei": lambda on: ExpectedImprovement(on.posterior.mean.max()),
    "ucb": lambda on: UpperConfidence(2.0),
    "mes": lambda on: MaxValueEntropy(np.array([path.peak().value for path in on.samples(10)])),
}


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("some_excluded", [False, True])
@pytest.mark.parametrize("rule", RULES)
def test_among_running_trials_the_best_of_all_is_found_by_few_variances(
    rule, some_excluded, seed, monkeypatch
):
    monkeypatch.setattr(grid_surface, "PROMISING", 4)  # of 120 points
    rng = np.random.default_rng(seed)
    excluded = rng.choice(len(POINTS), 30, replace=False) if some_excluded else None
    kept = surface(rng, excluded=excluded)
    running = POINTS[rng.choice(len(POINTS), 8, replace=False)]
    on = Gridded(believed(kept.posterior, running, rng), kept.finite, rng)
    formula = RULES[rule](on)
    best = on.top(formula)
    values = formula(*on.model.predict(POINTS))
    if excluded is not None:
        values[excluded] = -np.inf
    assert best.index == np.argmax(values)
    assert best.value == pytest.approx(values.max(), rel=1e-6)
    assert on.at(best) == pytest.approx(np.array(on.model.predict(best.u[None]))[:, 0], rel=1e-6)


def test_a_choice_among_running_trials_leaves_most_variances_to_be_computed(rng):
    axes = [np.linspace(0, 1, 27)] * 3
    domain = GridDomain(axes)
    X = domain.points(rng.choice(domain.cardinality, 30, replace=False))
    model = gp.GaussianProcess(gp.RBF(0.2), 1e-4).condition(X, rng.standard_normal(30))
    running = domain.points(rng.choice(domain.cardinality, 8, replace=False))
    posterior = believed(gp.GridPosterior.of(model, axes), running, rng)
    on = Gridded(posterior, domain, rng)
    on.at(on.top(ProbabilityOfImprovement(on.samples(1)[0].peak().value)))
    assert "variance" not in vars(posterior)


@pytest.mark.parametrize("form", [JointEntropy, ExactJointEntropy])
@pytest.mark.parametrize("seed", range(5))
def test_jes_on_a_grid_is_jes_at_each_point(seed, form):
    rng = np.random.default_rng(seed)
    on = surface(rng)
    peaks = [path.peak() for path in on.samples(10)]
    score = form(on.model, np.stack([p.u for p in peaks]), np.array([p.value for p in peaks]))
    by_point = score.value_and_gradient(POINTS)[0]
    np.testing.assert_allclose(score.on_grid(on.posterior), by_point, rtol=1e-6, atol=1e-9)
    assert on.search(score).value == pytest.approx(by_point.max())


@pytest.mark.parametrize("kind", ["pathwise", "rff"])
@pytest.mark.parametrize("n", [0, 12])
@pytest.mark.parametrize(
    "kernel",
    [
        gp.RBF([0.3, 0.5, 0.9], outputscale=2.0),
        gp.Matern52(0.4, on=(0,)) * gp.RBF(0.3, on=(1,)) * gp.Matern32(0.6, on=(2,)),
        gp.Categorical(0.4, on=(0,)) * gp.RBF(0.5, on=(1, 2)),
    ],
    ids=["rbf", "product", "categorical"],
)
def test_paths_of_features_are_the_same_functions_on_the_grid(rng, kind, n, kernel):
    on = surface(rng, n=n, kernel=kernel)
    paths = gp.draw_paths(on.model, rng, 3, kind=kind, n_features=64)
    for i in range(3):
        np.testing.assert_allclose(
            values_on_grid(paths, i, on.posterior), paths[i](POINTS), rtol=1e-9, atol=1e-9
        )


def test_a_sample_of_features_has_its_peak_on_the_grid(rng):
    on = surface(rng)
    features = Gridded(on.posterior, on.domain, rng, kind="rff", n_features=32)
    (path,) = features.samples(1)
    peak = path.peak()
    assert peak.value == path.values.max() and np.array_equal(peak.u, POINTS[peak.index])
