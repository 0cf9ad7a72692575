"""Suggestions in a space with a fidelity: where, how closely, and from what."""

import numpy as np
import pytest

from pathmax import Categorical, Fidelity, Float, Int, Study
from pathmax.errors import ParamsError, TrialError
from pathmax.suggestion.fidelities import compared

EPOCHS = Fidelity(1, 81, log=True)
SITES = Fidelity(["simulation", "pilot", "plant"], cost=[1, 10, 100])


def learning(params):
    s = np.log(params["epochs"]) / np.log(81)
    return -((params["x"] - 0.3) ** 2) - (params["y"] - 0.6) ** 2 + (1 - s) * 0.2 * params["x"]


def site(params):
    bias = {"simulation": 0.3, "pilot": 0.1, "plant": 0.0}[params["site"]]
    return -((params["x"] - 0.3) ** 2) + bias * (1 - params["x"]) ** 2


def run(study, f, n):
    for _ in range(n):
        trial = study.ask()
        study.tell(trial, f(trial.params))
    return study


def floats(**more):
    return {"x": Float(0, 1), "y": Float(0, 1), "epochs": EPOCHS, **more}


def test_fidelities_differ_and_the_best_is_found_at_the_target():
    study = run(Study(floats(), seed=1), learning, 25)
    used = {trial.params["epochs"] for trial in study.trials}
    assert min(used) < 10
    assert study.recommend()["epochs"] == 81
    assert study.recommend()["x"] == pytest.approx(0.3, abs=0.05)
    assert study.recommend()["y"] == pytest.approx(0.6, abs=0.05)
    assert study.best_trial.params["epochs"] == 81
    chosen = study.trials[-1]
    assert chosen.info["fidelity"] == chosen.params["epochs"]
    assert chosen.info["cost"] == pytest.approx(chosen.params["epochs"] / 81)
    assert chosen.info["told"] > 0


def test_levels_by_name():
    study = run(Study({"x": Float(0, 1), "site": SITES}, seed=0), site, 20)
    used = [trial.params["site"] for trial in study.trials]
    assert {"simulation", "pilot", "plant"} == set(used[5:])
    assert study.recommend()["site"] == "plant"
    assert study.recommend()["x"] == pytest.approx(0.3, abs=0.1)


def test_a_free_fidelity_is_not_used_where_it_says_nothing(rng: np.random.Generator):
    noise = dict(zip(np.linspace(0, 1, 1000).round(3), rng.standard_normal(1000), strict=True))

    def unrelated(params):
        wild = noise[min(noise, key=lambda u: abs(u - params["x"]))]
        return wild if params["site"] == "simulation" else site(params)

    study = run(Study({"x": Float(0, 1), "site": SITES}, seed=0, initial=12), unrelated, 30)
    later = [trial.params["site"] for trial in study.trials[15:]]
    assert later.count("plant") + later.count("pilot") > 0


@pytest.mark.parametrize("method", ["pims", "ts", "ei", "gp-ucb", "mes", "random"])
def test_every_method_chooses_where_at_the_target(method: str):
    study = run(Study(floats(), seed=2, method=method), learning, 8)
    assert {"x", "y", "epochs"} == set(study.trials[-1].params)
    assert study.recommend()["epochs"] == 81


def test_a_space_of_lists_ends_with_its_last_point():
    space = {"c": Categorical(["a", "b"]), "k": Int(0, 1), "site": SITES}
    study = Study(space, seed=0, initial=2)
    seen = []
    for _ in range(12):
        trial = study.ask()
        assert trial.params not in seen
        seen.append(trial.params)
        study.tell(trial, float(trial.params["k"]) + (trial.params["c"] == "a"))
        if sum(params["site"] == "plant" for params in seen) == 4:
            break
    assert study.recommend() == {"c": "a", "k": 1, "site": "plant"}


@pytest.mark.parametrize(
    ("more", "where"),
    [
        ({}, ["x + y <= 1"]),
        ({"z": Float(0, 1, when="c == 'a'"), "c": Categorical(["a", "b"])}, []),
        ({"n": Int(1, 5)}, ["n * x <= 3"]),
    ],
)
def test_known_constraints_and_conditions_hold(more, where):
    study = Study(floats(**more), seed=0, where=where)
    run(study, learning, 9)
    for trial in study.trials:
        assert study.space.where.hold(trial.params)
    assert study.recommend()["epochs"] == 81
    assert study.space.where.hold(study.recommend())


def test_running_trials_are_taken_into_account():
    study = run(Study(floats(), seed=3), learning, 6)
    batch = study.ask(4)
    assert len({(t.params["x"], t.params["y"], t.params["epochs"]) for t in batch}) == 4


def test_several_outcomes():
    study = Study(floats(), objectives={"gain": "maximize"}, constraints={"size": "<= 1.2"}, seed=0)
    for _ in range(10):
        trial = study.ask()
        size = trial.params["x"] + trial.params["y"] + 0.001 * trial.params["epochs"]
        study.tell(trial, {"gain": learning(trial.params), "size": size})
    assert trial.info["fidelity"] == trial.params["epochs"]
    assert study.recommend()["epochs"] == 81
    both = Study(floats(), objectives={"a": "maximize", "b": "minimize"}, seed=0)
    for _ in range(8):
        trial = both.ask()
        both.tell(trial, {"a": learning(trial.params), "b": trial.params["x"]})
    assert {params["epochs"] for params in both.recommend_front()} == {81}


def test_a_suggestion_replays():
    study = run(Study(floats(), seed=4), learning, 9)
    for trial in study.trials:
        assert study.replay(trial) == trial.params


def test_told_costs_move_the_fidelity():
    cheap = run(Study(floats(), seed=5), learning, 6)
    dear = Study(floats(), seed=5)
    for _ in range(6):
        trial = dear.ask()
        dear.tell(trial, learning(trial.params), cost=1000.0 / trial.params["epochs"] ** 2)
    assert dear.ask().params["epochs"] >= cheap.ask().params["epochs"]


def test_predictions_are_of_the_target_unless_they_say_another():
    study = run(Study(floats(), seed=1), learning, 12)
    aimed = study.predict([{"x": 0.8, "y": 0.6}])
    assert aimed == study.predict([{"x": 0.8, "y": 0.6, "epochs": 81}])
    early = study.predict([{"x": 0.8, "y": 0.6, "epochs": 1}])
    assert early.mean[0] != aimed.mean[0]
    with pytest.raises(ParamsError):
        study.predict([{"x": 0.8}])


def test_without_a_result_at_the_target_the_best_is_not_known_yet():
    study = Study(floats(), seed=0)
    study.add({"x": 0.2, "y": 0.2, "epochs": 3}, 1.0)
    with pytest.raises(TrialError, match="no trial at the target fidelity, epochs = 81, has"):
        study.best_trial  # noqa: B018
    assert study.recommend()["epochs"] == 81
    assert study.regret().params["epochs"] == 81
    assert all(c.params["epochs"] == 81 for c in study.best_probabilities(50).top(3))
    study.add({"x": 0.2, "y": 0.2, "epochs": 81}, 0.5)
    assert study.best_value == 0.5


def test_the_fidelities_that_are_compared_end_at_the_target():
    study = Study({"x": Float(0, 1), "mesh": Fidelity(0.01, 1.0, log=True, target=0.01)})
    found = compared(study.space.axes[1])
    assert found[-1] == 0.0
    assert len(set(found.tolist())) == len(found) == 33
    assert compared(Study(floats()).space.axes[2])[-1] == 1.0
    assert compared(Study({"x": Float(0, 1), "s": SITES}).space.axes[1]).tolist() == [0, 1, 2]


def test_the_card_says_which_fidelity_and_why():
    study = run(Study(floats(), seed=1), learning, 7)
    card = study.explain(study.trials[-1])
    assert "the target fidelity, epochs = 81" in card
    assert "tells most about the target" in card
