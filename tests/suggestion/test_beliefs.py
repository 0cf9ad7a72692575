"""Beliefs: landscapes under the parameters that results leave open, drawn once."""

import numpy as np
import pytest

import pathmax
from pathmax import gp
from pathmax.suggestion.beliefs import DRAWN, mixture


def told(n=6, **settings):
    study = pathmax.Study({"x": pathmax.Float(0, 1), "z": pathmax.Float(0, 1)}, seed=3, **settings)
    for i in range(n):
        x, z = (i * 0.37) % 1, (i * 0.61) % 1
        study.add({"x": x, "z": z}, float(np.sin(5 * x) + z))
    return study


def test_they_are_kept_until_there_is_another_result():
    session = told()._session
    first, again = session.beliefs(), session.beliefs()
    assert len(first) == DRAWN and sum(b.weight for b in first) == pytest.approx(1.0)
    assert all(
        a.landscape.surrogates is b.landscape.surrogates for a, b in zip(first, again, strict=True)
    )
    from_new = told()._session.beliefs()  # another process draws the same
    for one, other in zip(first, from_new, strict=True):
        assert one.landscape.model("value").kernel == other.landscape.model("value").kernel


def test_reports_leave_suggestions_as_they_are():
    asked, reported = told(), told()
    reported.predict([{"x": 0.5, "z": 0.5}])
    reported.regret(n_paths=20)
    reported.best_probabilities(n_paths=20)
    assert asked.ask().params == reported.ask().params


def test_a_fixed_model_is_one_belief():
    study = told(kernel=gp.RBF(0.3), noise=1e-4, refit_every=None)
    assert len(study._session.beliefs()) == 1


def test_what_is_predicted_is_the_mixture_and_wider_than_its_most_probable_part():
    study = told(4)
    U = np.random.default_rng(0).random((50, 2))
    mean, std = study.predict([{"x": float(x), "z": float(z)} for x, z in U])
    model, transform = study.posterior()
    beliefs = study._session.beliefs()
    expected = mixture(beliefs, "value").predict(U)
    np.testing.assert_allclose(mean, transform.outward(expected.mean))
    np.testing.assert_allclose(std, transform.spread(expected.mean, expected.std))
    assert np.mean(std) > np.mean(transform.spread(*model.predict(U)))


def test_each_outcome_has_draws_of_its_own():
    study = pathmax.Study(
        {"x": pathmax.Float(0, 1)},
        objectives={"a": "maximize"},
        constraints={"b": "<= 0.5"},
        seed=0,
    )
    for x in (0.1, 0.3, 0.6, 0.9):
        study.add({"x": x}, {"a": x, "b": float(np.sin(7 * x))})
    beliefs = study._session.beliefs()
    assert len(beliefs) == DRAWN
    assert all(set(b.landscape.surrogates) == {"a", "b"} for b in beliefs)
    chances = study.feasibility([{"x": 0.1}, {"x": 0.6}])
    assert chances[0] < 0.5 < chances[1]
