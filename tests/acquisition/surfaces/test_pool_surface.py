"""A pool and many data: rows are ruled out by some of the data, and the choice is that of all."""

import numpy as np
import pytest

from pathmax import gp
from pathmax.acquisition.entropy import MaxValueEntropy
from pathmax.acquisition.improvement_rules import ExpectedImprovement, ProbabilityOfImprovement
from pathmax.acquisition.scores import Rule
from pathmax.acquisition.surfaces import pool_surface
from pathmax.acquisition.surfaces.binding import bind
from pathmax.acquisition.ucb import UpperConfidence
from pathmax.arrays import Array
from pathmax.search.rows import Pool

ROWS, DATA = 3000, 80


class Boundless(Rule):
    """A rule that says nothing of what it can be at most."""

    def __call__(self, mean: Array, std: Array) -> Array:
        return np.asarray(std - np.abs(mean))

    def partials(self, mean: Array, std: Array) -> tuple[Array, Array, Array]:
        return self(mean, std), -np.sign(mean), np.ones_like(std)


@pytest.fixture
def model(rng) -> gp.GaussianProcess:
    X = rng.random((DATA, 3))
    return gp.GaussianProcess(gp.Matern52(0.6), 1e-6).condition(X, np.sin(5 * X).sum(axis=1))


@pytest.fixture
def pool(rng) -> Pool:
    U = rng.random((ROWS, 3))
    U[ROWS // 2 :] = U[: ROWS // 2]  # every row twice: the first of equal ones is to be chosen
    return Pool(U, excluded=range(40))


@pytest.fixture
def few_are_many(monkeypatch) -> None:
    monkeypatch.setattr(pool_surface, "MANY_DATA", DATA)
    monkeypatch.setattr(pool_surface, "FIRST_DATA", 30)
    monkeypatch.setattr(pool_surface, "FIRST_LEFT", 4)


@pytest.mark.parametrize("above", [-0.5, 0.05, 2.0])
@pytest.mark.parametrize("kind", ["pi", "ei", "ucb", "mes", "boundless"])
@pytest.mark.usefixtures("few_are_many")
def test_the_choice_is_that_of_all_rows_with_all_data(model, pool, kind, above, rng):
    top = float(np.max(model.fitted)) + above
    rule: Rule = {
        "pi": ProbabilityOfImprovement(top),
        "ei": ExpectedImprovement(top),
        "ucb": UpperConfidence(max(above, 0.1)),
        "mes": MaxValueEntropy(top + np.array([0.0, 0.3])),
        "boundless": Boundless(),
    }[kind]
    value = rule(*model.predict(pool.U))
    value[:40] = -np.inf
    found = bind(model, pool, rng, kind="pathwise").top(rule)
    assert found.index == int(np.argmax(value >= value.max() - 1e-9 * abs(value.max())))
    assert found.value == pytest.approx(value.max(), rel=1e-7)


@pytest.mark.usefixtures("few_are_many")
def test_the_std_of_all_data_is_computed_for_few_rows(model, pool, rng, monkeypatch):
    surface = bind(model, pool, rng, kind="pathwise")
    peak = surface.samples(1)[0].peak()
    looked = []
    look = gp.GaussianProcess.look
    monkeypatch.setattr(
        gp.GaussianProcess, "look", lambda self, U: looked.append(len(U)) or look(self, U)
    )
    surface.top(ProbabilityOfImprovement(peak.value))
    assert 0 < sum(looked) < ROWS // 4


@pytest.mark.usefixtures("few_are_many")
def test_moments_are_those_of_all_data(model, pool, rng):
    surface = bind(model, pool, rng, kind="pathwise")
    surface.samples(1)
    mean, std = model.predict(pool.U)
    np.testing.assert_allclose(surface.moments()[0], mean, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(surface.moments()[1], std, rtol=1e-6, atol=1e-9)
