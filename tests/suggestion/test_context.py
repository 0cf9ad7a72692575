"""Studies with contexts: every kind of space, every front door, replayed."""

import numpy as np
import pytest

from pathmax import Candidates, Categorical, Float, Grid, Int, StopWhen, Study
from pathmax.errors import ExhaustedError, ParamsError, TrialError


def play(space, f, contexts, **given) -> Study:
    study = Study(space, seed=0, **given)
    for context in contexts:
        trial = study.ask(context=context)
        assert {name: trial.params[name] for name in context} == context
        study.tell(trial, f(trial.params))
    return study


def parabola(p):
    return -((p["x"] - p["h"] / 100) ** 2)


HUMID = {"h": Float(0, 100, context=True), "x": Float(0, 1)}


@pytest.fixture(scope="module")
def study() -> Study:
    return play(HUMID, parabola, [{"h": h} for h in [10.0, 50.0, 90.0] * 6])


def test_the_best_choice_depends_on_the_context(study):
    for h in (10.0, 50.0, 90.0):
        found = study.recommend(context={"h": h})
        assert found["h"] == h
        assert found["x"] == pytest.approx(h / 100, abs=0.05)
        assert study.regret(100, context={"h": h}).params["h"] == h
    top = study.best_probabilities(100, context={"h": 10.0}).top(1)[0]
    assert top.params["h"] == 10.0
    assert top.extent["x"][0] <= 0.1 <= top.extent["x"][1] + 0.05


def test_trials_replay_and_are_explained_in_their_context(study):
    for trial in study.trials:
        assert study.replay(trial) == trial.params
    assert "h = 90" in str(study.explain(17))
    assert study.trials[17].info["x_star"]["h"] == 90.0


def test_params_to_predict_may_lack_their_context(study):
    one = study.predict([{"x": 0.3}], context={"h": 30})
    other = study.predict([{"x": 0.3, "h": 30}])
    assert one.mean == other.mean


def test_what_asks_for_a_choice_asks_for_the_context(study):
    for ask in (study.ask, study.recommend, study.regret, study.best_probabilities):
        with pytest.raises(ParamsError, match="h: given and not chosen"):
            ask()
    with pytest.raises(ParamsError, match="h: given and not chosen"):
        study.optimize(parabola, 2, progress=False)


def test_what_was_not_measured_in_a_context_cannot_be_repeated_in_it(study):
    assert study.replicate_or_explore(8, context={"h": 10.0}).params["h"] == 10.0
    with pytest.raises(TrialError, match="nothing was measured in this context"):
        study.replicate_or_explore(8, context={"h": 33.0})


def test_batches_and_runs_in_a_context():
    study = Study(HUMID, seed=1, initial=3)
    batch = study.ask(4, context={"h": 20})
    assert [trial.params["h"] for trial in batch] == [20.0] * 4
    assert len({trial.params["x"] for trial in batch}) == 4
    for trial in batch:
        study.tell(trial, parabola(trial.params))
    readings = iter([10, 30, 70, 80])
    study.optimize(parabola, 4, progress=False, context=lambda: {"h": next(readings)})
    assert [trial.params["h"] for trial in study.trials[4:]] == [10.0, 30.0, 70.0, 80.0]
    rule = StopWhen(regret=100.0, after=1, context={"h": 20})
    assert (
        "stopped"
        not in study.optimize(parabola, 5, progress=False, context={"h": 20}, stop=rule).ending
    )
    assert len(study.trials) == 9


def test_a_stored_study_goes_on_with_its_contexts(tmp_path):
    where = f"sqlite:///{tmp_path / 'lab.db'}"
    first = play(HUMID, parabola, [{"h": 10.0}] * 6, name="s", storage=where)
    again = Study.load("s", storage=where)
    assert again.space.context_names == ("h",)
    trial = again.ask(context={"h": 50})
    assert again.replay(trial) == trial.params
    assert [first.replay(t) for t in first.trials] == [t.params for t in first.trials]


def test_known_constraints_hold_in_a_context():
    space = {"h": Float(0, 1, context=True), "x": Float(0, 1), "y": Float(0, 1)}
    rule = "x + y + h <= 1.5"
    study = play(space, lambda p: p["x"] + p["y"], [{"h": i / 10} for i in range(10)], where=[rule])
    for trial in study.trials:
        assert sum(trial.params.values()) <= 1.5 + 1e-9
    found = study.recommend(context={"h": 0.9})
    assert found["x"] + found["y"] == pytest.approx(0.6, abs=0.02)


def test_conditions_on_a_context():
    space = {
        "h": Float(0, 1, context=True),
        "o": Categorical(["a", "b"]),
        "x": Float(0, 1, when="o == 'a'"),
        "z": Float(0, 1, when="h > 0.5"),
    }
    study = play(
        space, lambda p: p.get("x", 0.3) + p.get("z", 0), [{"h": i / 10} for i in range(10)]
    )
    assert study.recommend(context={"h": 0.9}).keys() == {"h", "o", "x", "z"}
    assert "z" not in study.recommend(context={"h": 0.1})
    assert [study.replay(t) for t in study.trials] == [t.params for t in study.trials]


FINITE = {
    "space": {"h": Int(1, 3, context=True), "x": Int(0, 5), "c": Categorical(["a", "b"])},
    "grid": Grid({"h": [1, 2, 3], "x": range(6), "c": ["a", "b"]}, context=["h"]),
    "grid within constraints": Grid(
        {"h": [1, 2, 3], "x": range(7), "c": ["a", "b"]}, where=["x <= 5"], context=["h"]
    ),
    "pool": Candidates(
        [{"h": h, "x": x, "c": c} for h in (1, 2, 3) for x in range(6) for c in "ab"],
        context=["h"],
    ),
}


@pytest.mark.parametrize("kind", FINITE)
def test_a_finite_space_ends_in_each_context_by_itself(kind):
    def f(p):
        return -((p["x"] - 2 * p["h"]) ** 2) + (p["c"] == "a")

    study = play(FINITE[kind], f, [{"h": 1 + i % 2} for i in range(22)])
    tried = [tuple(sorted((k, str(v)) for k, v in t.params.items())) for t in study.trials]
    assert len(set(tried)) == 22
    study.tell(study.ask(context={"h": 1}), 0.0)
    with pytest.raises(ExhaustedError):
        study.ask(context={"h": 1})
    assert study.ask(context={"h": 3}).params["h"] == 3
    assert study.recommend(context={"h": 1})["x"] == 2
    top = study.best_probabilities(50, context={"h": 2})
    assert len(top) == 12
    assert top.top(1)[0].params == study.recommend(context={"h": 2})
    assert top.top(1)[0].tried
    assert [study.replay(t) for t in study.trials] == [t.params for t in study.trials]


@pytest.mark.parametrize("kind", FINITE)
def test_several_outcomes_on_a_finite_space(kind):
    def f(p):
        return {"a": -((p["x"] - 2 * p["h"]) ** 2), "b": p["x"]}

    goals = {"a": "maximize", "b": "minimize"}
    study = play(FINITE[kind], f, [{"h": 1 + i % 2} for i in range(12)], objectives=goals)
    assert {p["h"] for p in study.recommend_front(context={"h": 2})} == {2}
    ranking = study.best_probabilities(10, context={"h": 2})
    assert {ranking[i].params["h"] for i in range(len(ranking))} == {2}
    assert study.regret(10, context={"h": 2}).mean < 1.0


def test_several_outcomes_in_a_box():
    space = {"h": Float(0, 1, context=True), "x": Float(0, 1), "y": Float(0, 1)}
    goals = {"objectives": {"a": "maximize", "b": "minimize"}, "constraints": {"c": "<= 1.5"}}

    def f(p):
        return {"a": p["x"] + p["h"] * p["y"], "b": p["y"], "c": p["x"] + p["y"]}

    study = play(space, f, [{"h": i / 9} for i in range(10)], **goals)
    assert {p["h"] for p in study.recommend_front(context={"h": 0.5})} == {0.5}
    assert np.isfinite(study.regret(8, context={"h": 0.5}).mean)
    assert [study.replay(t) for t in study.trials] == [t.params for t in study.trials]


def test_the_model_does_not_depend_on_the_context_in_hand(study):
    one = study.posterior().model
    study.recommend(context={"h": 10})
    study.regret(10, context={"h": 50})
    other = study.posterior().model
    np.testing.assert_array_equal(one.predict(one.X).mean, other.predict(other.X).mean)
    assert study.posterior().model.bowl is None or 0 not in study.posterior().model.bowl.on
