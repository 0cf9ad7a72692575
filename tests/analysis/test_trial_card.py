"""The card of a trial says why."""

import pytest

from pathmax import Categorical, Fidelity, Float, Grid, Study, gp
from pathmax.acquisition.joint_improvement import KNOWN_GAP


def study_of(direction: str = "maximize", **settings: object) -> Study:
    space = {"temperature": Float(20, 120), "solvent": Categorical(["DMF", "THF"])}
    study = Study(space, seed=0, name="suzuki", direction=direction, **settings)
    for _ in range(7):
        trial = study.ask()
        study.tell(trial, 70.0 - abs(float(trial.params["temperature"]) - 80.0))
    return study


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_the_card_of_a_suggestion(direction: str):
    study = study_of(direction)
    running, trial = study.ask(2)
    card = study.explain(trial)
    lines = card.splitlines()
    assert lines[0] == "Trial 8 of suzuki: suggested by pims from 7 results"
    assert lines[1].startswith("  temperature = ")
    best = "maximum" if direction == "maximize" else "minimum"
    for label in (
        "still running",
        f"expected here                {trial.info['mean']:.5g} ± {trial.info['std']:.3g}",
        f"path's {best}",
        "xi ",
        "running then                 1 trial, taken into account",
        "nearest result",
        "Thompson sampling would try  temperature = ",
        "EI would try ",
        "GP-UCB would try ",
    ):
        assert label in card
    assert repr(card) == str(card)
    study.tell(running, 1.0)
    assert study.explain(trial) == card  # what came later does not change why


def test_the_card_says_what_is_expected_whatever_the_parameters():
    """As `predict` said before the trial was there: wider than under the most probable ones."""
    study = study_of()
    trial = study.ask()
    mean, std = study.predict([trial.params])
    line = next(x for x in study.explain(trial).splitlines() if "whatever the parameters" in x)
    assert f"{mean[0]:.5g} ± {std[0]:.3g}" in line
    fixed = Study({"x": Float(0, 1)}, kernel=gp.RBF(0.3), noise=1e-4, refit_every=None, seed=0)
    for x in (0.1, 0.4, 0.9):
        fixed.add({"x": x}, x * x)
    for _ in range(3):
        fixed.tell(fixed.ask(), 0.5)
    assert "whatever the parameters" not in fixed.explain(fixed.ask())  # they are known


def test_the_card_of_what_was_not_suggested_by_a_model():
    study = study_of()
    assert "a point of the first design" in study.explain(0)
    added = study.add({"temperature": 50, "solvent": "THF"}, 12.5)
    card = study.explain(added)
    assert "not a suggestion, its parameters were given" in card
    assert "12.5" in card
    assert "would try" not in card


def test_the_card_of_a_failure_and_of_another_method():
    study = study_of(method="ei")
    trial = study.fail(study.ask(), "the flask broke\nin two")
    card = study.explain(trial)
    assert "failed: the flask broke" in card
    assert "suggested by ei" in card
    assert "EI would try" not in card


def test_the_card_of_a_grid_names_the_maximum_of_the_path():
    study = Study(Grid({"a": [1, 2, 3, 4], "b": ["u", "v"]}), seed=0, initial=3)
    for _ in range(4):
        study.tell(trial := study.ask(), float(trial.params["a"]))
    assert "path's maximum" in study.explain(3)
    assert " at a = " in study.explain(3)


def test_a_constant_objective_is_said_out_loud():
    study = Study({"x": Float(0, 1)}, seed=0)
    for _ in range(6):
        study.tell(study.ask(), 1.0)
    trial = study.ask()
    assert trial.info["method"] == "pims"
    assert "all 6 values are equal" in study.explain(trial)


def test_the_card_of_a_trial_at_random_with_several_outcomes():
    wanted = {"yield": "maximize", "cost": "minimize"}
    study = Study({"x": Float(0, 1)}, objectives=wanted, method="random", initial=1, seed=0)
    for i in range(3):
        study.tell(study.ask(), {"yield": float(i), "cost": 1.0})
    text = str(study.explain(2))
    assert "drawn at random" in text and "expected yield" not in text
    assert "yield 0, cost 1 in trial 0" in text or "yield 1, cost 1 in trial 1" in text


def test_ends_that_are_expected_of_stopped_trials_are_not_called_results():
    study = Study({"x": Float(0, 1)}, direction="minimize", seed=0, initial=3)
    for i in range(5):
        trial = study.ask()
        for step in range(1, 5):
            study.report(trial, step, 1.0 + trial.params["x"] / step)
        if i == 4:
            study.stop(trial)
        else:
            study.tell(trial, 1.0 + trial.params["x"] / 4)
    stopped = study.trials[4]
    assert stopped.expected_end
    card = study.explain(study.ask())
    assert "from 4 results and the ends expected of 1 stopped trial" in card


@pytest.mark.parametrize("objectives", [1, 2])
def test_a_gap_is_one_of_a_front(objectives):
    """Of one objective under a bound it would be a number in the units of the model."""
    wanted = dict([("gain", "maximize"), ("cost", "minimize")][:objectives])
    study = Study({"x": Float(0, 1)}, objectives=wanted, constraints={"dirt": "<= 0.8"}, seed=0)
    for _ in range(7):
        x = (trial := study.ask()).params["x"]
        outcomes = {"gain": x, "cost": x**2, "dirt": x}
        study.tell(trial, {name: outcomes[name] for name in study.goals.names})
    card = str(study.explain(6))
    assert ("should reach" in card) != ("decided_by" in study.trials[6].info)
    assert ("fall short of a path's front" in card) == (objectives > 1)
    (dirt,) = [line for line in card.splitlines() if line.startswith("  expected dirt")]
    assert dirt.endswith(", to keep dirt <= 0.8")


def test_several_outcomes_are_expected_as_suggest_and_predict_expect_them():
    """The card had other numbers than the table of suggestions, and no word about why."""
    wanted = {"objectives": {"gain": "maximize", "cost": "minimize"}}
    study = Study({"x": Float(0, 1), "y": Float(0, 1)}, **wanted, seed=1, initial=3)
    for _ in range(5):
        x, y = (trial := study.ask()).params.values()
        study.tell(trial, {"gain": x - (y - 0.4) ** 2, "cost": x**2 + (y - 0.4) ** 2})
    trial = study.ask()
    card = str(study.explain(trial))
    for name in study.goals.names:
        mean, std = study.predict([trial.params], name)
        assert f"{name} {mean[0]:.5g} ± {std[0]:.3g}" in card
    assert "with those of the models as uncertain as they are" in card


def test_an_outcome_that_came_later_is_no_correction():
    wanted = {"objectives": {"gain": "maximize"}, "constraints": {"dirt": "<= 0.8"}}
    study = Study({"x": Float(0, 1)}, **wanted, seed=1)
    trial = study.ask()
    study.tell(trial, {"gain": 3.0})
    study.tell(trial, {"dirt": 0.5})
    assert "corrected" not in study.explain(trial)
    study.correct(trial, {"gain": 4.0, "dirt": 0.5})
    assert "corrected  was gain 3, dirt 0.5" in study.explain(trial)


def test_the_card_says_what_decided():
    """Targets that the point should reach, or an expectation that no target decided about."""
    objectives = {"gain": "maximize", "cost": "minimize"}
    study = Study({"x": Float(0, 1), "y": Float(0, 1)}, objectives=objectives, seed=1)
    seen = {True: 0, False: 0}
    for _ in range(16):
        x, y = (trial := study.ask()).params.values()
        study.tell(trial, {"gain": x - (y - 0.4) ** 2, "cost": x**2 + (y - 0.4) ** 2})
        if trial.number < 5:
            continue
        card, expected = str(study.explain(trial)), trial.info["gap"] < KNOWN_GAP
        seen[expected] += 1
        assert ("decided by" in card and "expected hypervolume" in card) == expected
        assert ("should reach" in card) != expected
    assert min(seen.values()) >= 1
    wanted = {"objectives": {"gain": "maximize"}, "constraints": {"dirt": "<= 0.8"}}
    other = Study({"x": Float(0, 1)}, **wanted, method="ei", seed=0)
    for _ in range(7):
        x = (trial := other.ask()).params["x"]
        other.tell(trial, {"gain": x, "dirt": x})
    card = str(other.explain(trial))
    assert "expected improvement, which is largest here" in card and "should reach" not in card


def test_all_that_a_card_expects_of_a_quick_trial_is_at_the_target():
    assay = Fidelity(["quick", "full"], cost=[1, 20])
    study = Study(Grid({"pH": [5, 6, 7, 8, 9], "hours": [1, 2, 4], "assay": assay}), seed=0)
    for place, hours in enumerate((1, 2, 4, 1, 2)):
        study.add({"pH": 5 + place, "hours": hours, "assay": "quick"}, 3.0 - place)
    study.add({"pH": 5, "hours": 1, "assay": "full"}, 1.0)
    trial = study.ask()
    assert trial.params["assay"] == "quick"
    mean, std = study.predict([{**trial.params, "assay": "full"}])
    card = " ".join(study.explain(trial).split())
    assert f"whatever the parameters {mean[0]:.5g} ± {std[0]:.3g}," in card


def test_what_was_told_since_is_no_correction():
    wanted = {"objectives": {"gain": "maximize"}, "constraints": {"dirt": "<= 0.8"}}
    study = Study({"x": Float(0, 1)}, **wanted, seed=0)
    study.tell(study.ask(), {"gain": 3.0})
    second = study.ask()
    study.tell(0, {"dirt": 0.5})
    assert "told since      trial 0, then gain 3, now gain 3, dirt 0.5" in study.explain(second)
    study.correct(0, {"gain": 4.0})
    assert "corrected since  trial 0, then gain 3, now gain 4" in study.explain(second)


def test_a_bound_of_which_nothing_was_known_is_named():
    wanted = {"objectives": {"gain": "maximize"}, "constraints": {"dirt": "<= 0.8"}}
    study = Study({"x": Float(0, 1)}, **wanted, seed=0, initial=2)
    for _ in range(2):
        trial = study.ask()
        study.tell(trial, {"gain": trial.params["x"]})
    assert "nothing was known" not in study.explain(trial)  # of the first design
    third = study.ask()
    assert "nothing was known of dirt yet" in study.explain(third)
    study.tell(third, {"gain": 0.5, "dirt": 0.5})
    assert "nothing was known" not in study.explain(study.ask())
    assert "nothing was known of dirt yet" in study.explain(third)


def test_of_very_many_parameters_those_of_other_points_are_counted() -> None:
    study = Study(
        {f"x{i}": Float(0, 1) for i in range(60)}, direction="maximize", seed=0, initial=2
    )
    for trial in study.ask(3):
        study.tell(trial, sum(trial.params.values()))
    said = study.explain(study.ask())
    suggested, rest = said.splitlines()[1], said.splitlines()[2:]
    assert "x59 = " in suggested
    assert not any("x20 = " in line for line in rest)
    assert sum("x19 = " in line and line.endswith("and 40 others") for line in rest) == 3
