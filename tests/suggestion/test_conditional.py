"""Studies in conditional spaces: every method, batches, replay, resuming, changes of the space."""

import json

import numpy as np
import pytest

from pathmax import Categorical, Float, Int, Space, Study, gp
from pathmax.errors import ExhaustedError, ParamsError
from pathmax.suggestion.default_kernel import default_kernel
from tests.gp.test_paths import assert_moments, batch_moments

SPACE = {
    "optimizer": Categorical(["adam", "sgd", "lbfgs"]),
    "rate": Float(1e-4, 1, log=True, when="optimizer != 'lbfgs'"),
    "momentum": Float(0, 0.99, when="optimizer == 'sgd'"),
    "nesterov": Categorical([True, False], when="momentum > 0.5"),
    "layers": Int(1, 4),
}


def loss(params):
    found = 0.1 * (params["layers"] - 3) ** 2
    if params["optimizer"] == "lbfgs":
        return found + 0.5
    found += 0.3 * (np.log10(params["rate"]) + 2) ** 2
    if params["optimizer"] == "sgd":
        found += 3 * (params["momentum"] - 0.8) ** 2 - 0.2 * params.get("nesterov", False)
    return found


def told(n=8, seed=0, **settings):
    study = Study(SPACE, direction="minimize", seed=seed, **settings)
    for _ in range(n):
        trial = study.ask()
        assert study.space.validate(trial.params) == trial.params
        study.tell(trial, loss(trial.params))
    return study


@pytest.mark.parametrize(
    "method", ["ts", "gp-ucb", "irgp-ucb", "ei", "pi", "mes", "jes", "eims", "gp-est", "random"]
)
def test_every_method_suggests_what_is_active_and_nothing_else(method):
    told(6, method=method)


def test_pims_finds_the_best_branch():
    studies = [told(18, seed) for seed in range(5)]
    assert all(study.best_trial.params["optimizer"] == "sgd" for study in studies)
    # of six seeds four end at -0.2 and two at -0.09
    assert sorted(study.best_trial.value for study in studies)[2] < -0.1
    assert studies[0].space.validate(studies[0].recommend()) == studies[0].recommend()


def test_what_a_study_says_of_a_conditional_space():
    study = told(9)
    assert study.replay(8) == study.trials[8].params
    assert study.regret(n_paths=12).mean >= 0
    assert len(study.predict([t.params for t in study.trials]).mean) == 9
    assert {one.name for one in study.importances(n_paths=10)} == set(SPACE)
    assert "optimizer" in str(study.explain(8))
    batch = study.ask(3)
    assert len({json.dumps(trial.params) for trial in batch}) == 3
    assert sum(one.probability for one in study.best_probabilities(n_paths=12)) <= 1.001


def test_a_stored_study_goes_on(tmp_path):
    storage = f"sqlite:///{tmp_path}/lab.db"
    study = told(7, storage=storage, name="net")
    again = Study.load("net", storage=storage)
    assert again.space == study.space
    assert [trial.params for trial in again.trials] == [trial.params for trial in study.trials]
    assert again.replay(6) == again.trials[6].params
    assert again.ask().params == told(7, name="other").ask().params


def test_results_must_have_what_is_active_and_nothing_else():
    study = Study(SPACE, direction="minimize")
    with pytest.raises(ParamsError, match="momentum: is not active here"):
        study.add({"optimizer": "lbfgs", "momentum": 0.1, "layers": 1}, 1.0)
    with pytest.raises(ParamsError, match="rate: no value given"):
        study.add({"optimizer": "adam", "layers": 1}, 1.0)
    study.add({"optimizer": "lbfgs", "layers": 1}, 1.0)
    assert study.trials[0].params == {"optimizer": "lbfgs", "layers": 1}


def test_a_space_may_become_conditional_in_the_middle(tmp_path):
    storage = f"sqlite:///{tmp_path}/lab.db"
    before = {name: SPACE[name] for name in ("optimizer", "layers")}
    study = Study(before, direction="minimize", name="net", storage=storage, seed=0)
    study.add({"optimizer": "lbfgs", "layers": 1}, 1.0)
    study.add({"optimizer": "sgd", "layers": 1}, 2.0)
    change = study.change_space(SPACE)
    assert change.left_out == (1,)  # sgd needs a rate now, lbfgs is as it was
    trial = study.ask()
    assert study.space.validate(trial.params) == trial.params


def test_a_finite_space_ends_when_all_of_it_was_tried():
    space = {"a": Categorical(["x", "y"]), "b": Int(0, 2, when="a == 'y'")}
    study = Study(space, direction="maximize", seed=3, initial=2)
    seen = []
    for _ in range(4):
        trial = study.ask()
        seen.append(json.dumps(trial.params))
        study.tell(trial, trial.params.get("b", 5))
    assert len(set(seen)) == 4
    with pytest.raises(ExhaustedError):
        study.ask()


def test_a_branch_without_numbers_is_not_tried_twice():
    space = {"a": Categorical(["x", "y"]), "b": Float(0, 1, when="a == 'y'")}
    study = Study(space, direction="maximize", seed=1)
    for _ in range(8):
        trial = study.ask()
        study.tell(trial, 2.0 if trial.params["a"] == "x" else trial.params["b"])
    assert sum(trial.params["a"] == "x" for trial in study.trials) == 1


@pytest.mark.parametrize("seen", [0, 8], ids=["prior", "posterior"])
def test_paths_have_the_moments_of_the_posterior(seen, rng):
    space = Space(SPACE)
    kernel = default_kernel(space.axes, separable=False)
    kernel = kernel.with_theta(kernel.theta - 0.7)
    X, at = (space.from_uniform(rng.random((n, 5))) for n in (8, 6))
    assert (at < 0).any() and (at >= 0).any()
    model = gp.GaussianProcess(kernel, 1e-2)
    if seen:
        model = model.condition(X, rng.standard_normal(8))
    assert_moments(model, at, *batch_moments(model, at, rng, n_features=128))


def test_a_branch_that_is_tried_in_full_leaves_the_others_to_the_model():
    """The best branch is three points; after them the choice was a random point, explained as
    if it were one of those.
    """
    space = {
        "optimizer": Categorical(["lbfgs", "sgd"]),
        "layers": Int(1, 3),
        "momentum": Float(0, 1, when="optimizer == 'sgd'"),
    }
    study = Study(space, direction="minimize", seed=1, initial=4)
    for layers in (1, 2, 3):
        study.add({"optimizer": "lbfgs", "layers": layers}, 0.01 * layers)
    for momentum in (0.2, 0.5, 0.9):
        study.add({"optimizer": "sgd", "layers": 2, "momentum": momentum}, 0.5 + momentum)
    for _ in range(6):
        trial = study.ask()
        assert trial.params["optimizer"] == "sgd"
        mean, std = study.predict([trial.params])
        assert trial.info["mean"] == pytest.approx(mean[0], abs=3 * std[0]) and mean[0] > 0.2
        study.tell(trial, 0.5 + trial.params["momentum"])
    chosen = [t.params["momentum"] for t in study.trials[6:]]
    assert min(chosen) < 0.1  # where the branch is best, not anywhere
