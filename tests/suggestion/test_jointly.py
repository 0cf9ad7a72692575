"""Studies with several outcomes suggest, in every kind of space, and replay."""

import numpy as np
import pytest

from pathmax import Candidates, Categorical, Float, Grid, Int, Study, gp
from pathmax.errors import SettingsError
from pathmax.gp.priors import default_priors, front_priors
from pathmax.trials.value_transform import ValueTransform

WANTED = {
    "objectives": {"yield": "maximize", "cost": "minimize"},
    "constraints": {"impurity": "<= 0.5"},
}
SPACES = {
    "box": {"x": Float(0, 1), "y": Float(0, 1)},
    "mixed": {"x": Float(0, 1), "y": Int(0, 4), "s": Categorical(["a", "b"])},
    "lists": {"x": Int(0, 9), "y": Int(0, 9)},
    "grid": Grid({"x": list(np.linspace(0, 1, 7)), "y": list(np.linspace(0, 1, 6))}),
    "pool": Candidates(
        [{"x": float(x), "y": float(y)} for x in np.linspace(0, 1, 7) for y in (0.0, 0.4, 1.0)]
    ),
}


def measure(params) -> dict[str, float]:
    x, y = (float(params[name]) / (9 if isinstance(params["x"], int) else 1) for name in "xy")
    bonus = 0.2 if params.get("s") == "a" else 0.0
    return {"yield": x - (y - 0.3) ** 2 + bonus, "cost": x**2 + y, "impurity": 0.9 * x + 0.1 * y}


def run(study: Study, n: int) -> Study:
    for _ in range(n):
        trial = study.ask()
        study.tell(trial, measure(trial.params))
    return study


@pytest.mark.parametrize("space", SPACES, ids=str)
@pytest.mark.parametrize("method", ["pims", "ts", "ei", "random"])
def test_every_method_suggests_in_every_space_and_replays(space, method):
    study = run(Study(SPACES[space], **WANTED, method=method, seed=1), 8)
    trial = study.ask()
    assert study.space.validate(trial.params) == trial.params
    assert study.replay(trial) == trial.params
    assert trial.params not in [other.params for other in study.trials[:-1]]
    if method != "random":
        assert trial.info["outcomes"].keys() == {"yield", "cost", "impurity"}


@pytest.mark.parametrize("objectives", [1, 2])
def test_only_several_objectives_have_priors_and_looks_of_their_own(objectives):
    """One objective under a bound is searched everywhere, with the priors of one objective."""
    wanted = {**WANTED, "objectives": dict([*WANTED["objectives"].items()][:objectives])}
    asked = []
    for options in ({}, {"looks": 0}):
        study = Study(SPACES["box"], **wanted, seed=1, initial=6, options=options)
        for _ in range(6):
            trial = study.ask()
            told = measure(trial.params)
            study.tell(trial, {name: told[name] for name in study.goals.names})
        asked.append(study.ask())
    assert (asked[0].params == asked[1].params) == (objectives == 1)
    prior = (front_priors if objectives == 2 else default_priors)(2)
    model = asked[0].info["outcomes"]["yield"]["model"]
    first = study.trials[:6]
    X = np.array([[t.params["x"], t.params["y"]] for t in first])
    values = [t.outcomes["yield"] for t in first]
    transform = ValueTransform.from_json(model["transform"])
    learnt = gp.fit(
        gp.Matern52(np.ones(2)), X, transform.inward(values), priors=prior, bowl_on=(0, 1)
    )
    assert model["noise"] == pytest.approx(learnt.noise, rel=0.05)


def test_a_batch_and_running_trials_are_apart():
    study = run(Study(SPACES["box"], **WANTED, seed=0), 7)
    batch = study.ask(4)
    points = np.array([[t.params["x"], t.params["y"]] for t in batch])
    gaps = np.abs(points[:, None] - points[None]).max(axis=2) + np.eye(4)
    assert gaps.min() > 1e-3


@pytest.mark.parametrize("seed", range(4))
def test_a_batch_spreads_over_the_front(seed):
    """What a running trial is believed to give fills its gap: the next goes to another one."""
    study = Study(SPACES["box"], objectives=WANTED["objectives"], seed=seed)
    for _ in range(8):
        x, y = (trial := study.ask()).params.values()
        off = (y - 0.3) ** 2
        study.tell(trial, {"yield": x - 0.5 * off, "cost": x**2 + off})
    x = np.sort([trial.params["x"] for trial in study.ask(4)])  # the front: y = 0.3, any x
    assert np.diff(x).min() > 0.05


def test_an_outcome_that_comes_late_does_not_hold_up_the_others():
    study = Study(SPACES["box"], **WANTED, seed=0)
    for _ in range(8):
        trial = study.ask()
        found = measure(trial.params)
        late = found.pop("impurity")
        study.tell(trial, found)
    before = study.ask()
    assert before.info["outcomes"].keys() == {"yield", "cost"}  # nothing is known of the third
    study.tell(study.trials[0], {"impurity": late})
    after = study.ask()
    assert "impurity" in after.info["outcomes"]
    assert study.replay(before) == before.params and study.replay(after) == after.params


def test_one_objective_under_a_constraint_finds_the_best_feasible():
    def f(params):
        return {"value": params["x"] + params["y"], "ball": params["x"] ** 2 + params["y"] ** 2}

    study = Study(SPACES["box"], constraints={"ball": "<= 1"}, seed=0)
    result = study.optimize(f, 25, progress=False)
    assert result.best_value == pytest.approx(2**0.5, abs=0.02)
    assert result.best_trial.outcomes["ball"] <= 1.0


def test_a_method_for_one_objective_is_refused_before_anything_is_stored():
    with pytest.raises(SettingsError, match=r"jes is for one objective.*use one of pims, ts, ei"):
        Study(SPACES["box"], **WANTED, method="jes")
    with pytest.raises(SettingsError, match="takes the options effort, resolution"):
        Study(SPACES["box"], **WANTED, options={"n_features": 64})


def test_one_objective_that_is_named_is_the_same_study_to_the_last_bit():
    def run(**goals):
        study = Study({"x": Float(0, 1), "y": Float(0, 1)}, seed=3, **goals)
        for _ in range(9):
            trial = study.ask()
            x, y = trial.params["x"], trial.params["y"]
            study.tell(trial, (x - 0.3) ** 2 + (y - 0.6) ** 2)
        return [trial.params for trial in study.trials]

    assert run(direction="minimize") == run(objectives={"loss": "minimize"})


def test_failed_trials_are_avoided_with_several_outcomes():
    """Half of the square fails, and the front would go on into it."""
    failures = []
    for seed in range(2):
        study = Study(
            {"x": Float(0, 1), "y": Float(0, 1)},
            objectives={"a": "maximize", "b": "maximize"},
            constraints={"c": "<= 0.9"},
            seed=seed,
        )
        for _ in range(18):
            trial = study.ask()
            x, y = trial.params["x"], trial.params["y"]
            if x > 0.5:
                study.fail(trial)
            else:
                study.tell(trial, {"a": x + y, "b": x - y, "c": y})
        failures.append(sum(trial.state.value == "failed" for trial in study.trials))
        assert len(study.front) >= 3
    assert max(failures) <= 10  # nearly all, were they forgotten


@pytest.mark.parametrize("method", ["pims", "ts", "ei"])
def test_the_first_design_goes_on_until_an_objective_is_known(method: str):
    """With results of a constraint alone there is nothing to reach: it ended in a ModelError."""
    wanted = {"objectives": {"a": "maximize", "b": "minimize"}, "constraints": {"c": "<= 0.5"}}
    study = Study({"x": Float(0, 1)}, **wanted, method=method, seed=0)
    for trial in study.ask(6):
        study.tell(trial, {"c": trial.params["x"]})
    assert study.ask().info["method"] == "design"
    study.tell(0, {"b": 1.0})
    assert study.ask().info["method"] == method
    assert [study.replay(n) for n in range(8)] == [t.params for t in study.trials]
