"""Replicate or explore with several outcomes."""

import numpy as np
import pytest

import pathmax
from pathmax import gp
from pathmax.analysis.joint_path_maxima import JointPathMaxima
from pathmax.analysis.joint_replication import SCENARIOS, PointMoments, expected_gains, worth_of
from pathmax.analysis.replication import knowledge_gradient
from pathmax.errors import SettingsError, TrialError

FIXED = {"kernel": gp.RBF(0.3), "refit_every": None, "seed": 1}


def noisy(noise: float, **goals) -> pathmax.Study:
    study = pathmax.Study({"x": pathmax.Float(0, 1)}, noise=noise, **FIXED, **goals)
    rng = np.random.default_rng(3)
    for x in np.linspace(0, 1, 9):
        values = {"a": -((x - 0.6) ** 2), "b": -x, "c": x}
        told = {name: values[name] + noise**0.5 * rng.normal() for name in study.goals.names}
        study.add({"x": float(x)}, told)
    return study


def test_a_bound_that_never_binds_leaves_the_closed_form():
    """With one objective and a bound far away it is the knowledge gradient, within chance."""
    study = noisy(0.04, objectives={"a": "maximize"}, constraints={"c": "<= 50"})
    scene = JointPathMaxima.of(study._session)
    U = np.linspace(0, 1, 7)[:, None]
    points = PointMoments.of(scene, U)
    half = np.random.default_rng(0).standard_normal((4000, 2))
    gains = expected_gains(points, worth_of(points, scene), np.concatenate([half, -half]))
    model = study.posterior("a").model
    exact = knowledge_gradient(*model.joint(U), model.noise)
    np.testing.assert_allclose(gains, exact, atol=4 * 0.2 / 8000**0.5)
    assert SCENARIOS >= 8


@pytest.mark.parametrize(
    "goals",
    [
        {"objectives": {"a": "maximize"}, "constraints": {"c": "<= 0.5"}},
        {"objectives": {"a": "maximize", "b": "maximize"}},
    ],
)
def test_advice_names_a_point_and_what_it_adds(goals):
    advice = noisy(0.2, **goals).replicate_or_explore()
    assert advice.gain >= advice.other_gain >= 0.0
    assert advice.replicate == bool(advice.trials)
    assert ("of the front" in str(advice)) == ("b" in goals["objectives"])
    # without noise a measurement that is repeated says nothing new
    exact = noisy(1e-9, **goals).replicate_or_explore()
    repeated = exact.gain if exact.replicate else exact.other_gain
    assert repeated < 1e-4


def test_an_outcome_without_results_is_asked_for():
    study = pathmax.Study({"x": pathmax.Float(0, 1)}, constraints={"c": "<= 0"}, seed=0)
    study.add({"x": 0.5}, {"value": 1.0})
    with pytest.raises(TrialError, match="nothing is known of c"):
        study.replicate_or_explore()


def test_while_nothing_surely_keeps_the_bounds_gains_are_shares_of_the_larger_one():
    """They were volumes in the units of the models, and called a share of the front."""
    goals = {"objectives": {"a": "maximize", "b": "maximize"}, "constraints": {"c": "<= 0.3"}}
    advice = noisy(0.3, **goals).replicate_or_explore(n_paths=4)
    assert (advice.gain, advice.unit) == (1.0, "of the front")
    assert 0.0 < advice.other_gain < 1.0


def test_where_nothing_can_be_gained_that_is_said():
    """A bound that cannot be kept was answered with "measure again", trial 0, for a gain of 0."""
    study = noisy(1e-6, objectives={"a": "maximize"}, constraints={"c": ">= 50"})
    assert "neither is expected to gain anything" in str(study.replicate_or_explore(n_paths=2))


def test_more_objectives_than_a_hypervolume_has_are_refused_with_a_way_on():
    names = [f"y{i}" for i in range(6)]
    study = pathmax.Study({"x": pathmax.Float(0, 1)}, objectives=names, seed=0)
    for x in (0.2, 0.6, 0.9):
        study.add({"x": x}, {name: (x - i / 5) ** 2 for i, name in enumerate(names)})
    with pytest.raises(SettingsError, match=r"has 6; ask for a trial, or see study\.best_prob"):
        study.replicate_or_explore(n_paths=1)
