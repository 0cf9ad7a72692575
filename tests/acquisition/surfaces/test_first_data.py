"""Rows that are ruled out by the first of many data are none that could win."""

from dataclasses import dataclass

import numpy as np
import pytest

from pathmax import gp
from pathmax.acquisition.improvement_rules import ExpectedImprovement, ProbabilityOfImprovement
from pathmax.acquisition.surfaces import first_data
from pathmax.acquisition.surfaces.first_data import FirstData, steps_by
from pathmax.acquisition.surfaces.shortlist import ShortlistWork
from pathmax.acquisition.surfaces.stream_work import RuleWork
from pathmax.arrays import Array, Index, Mask

DATA, ROWS = 240, 6000
ROUNDING = 1e-11  # of a root of 1e-8 that is wrong by the rounding of a variance of 1


@dataclass
class Block:
    numbers: Index
    U: Array
    free: Mask | None = None


@pytest.fixture(params=[1e-3, 1e-9], ids=["noise", "no noise"])
def model(request, rng) -> gp.GaussianProcess:
    X = rng.random((DATA, 3))
    X[DATA // 2 :] = 0.4 + 0.05 * X[DATA // 2 :]  # many close together, as about an optimum
    kernel = gp.Matern52(0.6)
    return gp.GaussianProcess(kernel, noise=request.param).condition(X, np.sin(5 * X).sum(axis=1))


@pytest.fixture
def few_are_many(monkeypatch) -> None:
    monkeypatch.setattr(first_data, "STEPS", (30, 120))
    monkeypatch.setattr(first_data, "FIRST", 8)


def take_all(work, U):
    found = work.start()
    for part in np.split(np.arange(len(U)), 4):
        found = work.take(Block(part, U[part]), found)
    return work.merge([found])


@pytest.fixture
def looked(monkeypatch) -> list[int]:
    """How many rows the std of all data is computed for."""
    seen: list[int] = []
    look = gp.GaussianProcess.look

    def noted(self, U):
        seen.append(len(U))
        return look(self, U)

    monkeypatch.setattr(gp.GaussianProcess, "look", noted)
    return seen


@pytest.mark.usefixtures("few_are_many")
def test_a_bound_by_the_first_data_is_no_less_than_the_std_and_falls_with_more(model, rng):
    U = np.concatenate([rng.random((500, 3)), model.X])
    first, more = (bound(U) for bound in steps_by(model))
    std = model.predict(U).std
    assert (more >= std).all()
    # at the first data both are the least that they can be, and rounding orders them
    assert (first >= more - ROUNDING).all()
    np.testing.assert_allclose(first, model_of_first(model, 30).predict(U).std, atol=2e-4)


def model_of_first(model, n):
    return gp.GaussianProcess(model.kernel, noise=model.noise).condition(model.X[:n], model.y[:n])


def test_few_data_need_no_bounds(rng):
    X = rng.random((300, 2))
    model = gp.GaussianProcess(gp.RBF(0.3), noise=1e-2).condition(X, X[:, 0])
    assert steps_by(model) == []
    more = model.condition(rng.random((300, 2)), rng.random(300))
    assert [bound.n for bound in steps_by(more)] == [256]
    assert isinstance(steps_by(more)[0], FirstData)


@pytest.mark.usefixtures("few_are_many")
@pytest.mark.parametrize("above", [-0.3, 0.1, 1.0])
@pytest.mark.parametrize("kind", [ProbabilityOfImprovement, ExpectedImprovement])
def test_the_best_row_of_a_rule_is_that_of_all_rows(model, kind, above, looked, rng):
    U, rule = rng.random((ROWS, 3)), kind(float(model.fitted.max()) + above)
    scores = rule(*model.predict(U))
    work = RuleWork(model, rule, 3)
    found = take_all(work, U).maximum()
    assert found.index == int(np.argmax(scores))
    if above > 0:
        assert sum(looked) < ROWS // 3


@pytest.mark.usefixtures("few_are_many")
def test_where_single_precision_does_not_do_the_first_data_still_rule_rows_out(rng, looked):
    X = 0.5 + 0.02 * rng.random((DATA, 2))
    y = 1e3 * np.sin(40 * X).sum(axis=1)
    model = gp.GaussianProcess(gp.RBF(0.5), noise=1e-9).condition(X, y)
    U, rule = rng.random((ROWS, 2)), ProbabilityOfImprovement(float(y.max()) + 1e3)
    scores = rule(*model.predict(U))
    work = RuleWork(model, rule, 2)
    assert not work.crude.usable
    looked.clear()
    assert take_all(work, U).maximum().index == int(np.argmax(scores))
    assert sum(looked) < ROWS // 3


@pytest.mark.usefixtures("few_are_many")
def test_the_shortlist_of_pims_has_its_choice(rng, looked):
    X = rng.random((DATA, 3))
    model = gp.GaussianProcess(gp.Matern52(0.6), noise=1e-3).condition(X, np.sin(5 * X).sum(axis=1))
    U = rng.random((ROWS, 3))
    work = ShortlistWork(model, gp.draw_paths(model, rng, 1), 3, ROWS)
    assert work.usable
    looked.clear()
    winners, shortlist = take_all(work, U)
    rule = ProbabilityOfImprovement(winners[0][0].maximum().value)
    assert sum(looked) < ROWS // 3
    assert shortlist.best(rule).index == int(np.argmax(rule(*model.predict(U))))
