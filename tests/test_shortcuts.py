"""`pathmax.maximize` and `minimize`: one line each way, and the keywords of both."""

import math

import pytest

import pathmax
from pathmax import Float
from pathmax.errors import OutcomeError, SettingsError
from tests.objectives import parabola

LINE = {"x": Float(0, 1)}


def test_one_line_each_way():
    best = pathmax.maximize(parabola, LINE, n_trials=12, seed=0, progress=False)
    assert best.best_params["x"] == pytest.approx(0.3, abs=0.02)
    assert len(best.trials) == 12
    worst = pathmax.minimize(parabola, LINE, 12, seed=0, progress=False)
    assert worst.best_value == pytest.approx(-0.49, abs=0.01)
    assert worst.best_trial.params == worst.best_params


def test_the_keywords_of_both_are_taken():
    result = pathmax.minimize(parabola, LINE, 3, progress=False, method="random", name="r", seed=1)
    assert result.name == "r"
    assert {trial.info["method"] for trial in result.trials} == {"design"}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"n_trails": 3}, "maximize has no keyword 'n_trails'; did you mean 'n_trials'"),
        ({"replicate": True}, "no keyword 'replicate'; did you mean 'replicates'"),
        ({"colour": "blue"}, "no keyword 'colour'; it takes n_trials, budget, timeout"),
        ({"direction": "minimize"}, "call pathmax.maximize or pathmax.minimize"),
        ({"n_trials": "10"}, "n_trials must be a whole number.*; write 10 without quotes"),
        ({"timeout": "5"}, "timeout must be a number of seconds.*; write 5 without quotes"),
        (
            {"timeout": math.nan},
            "timeout must be a number of seconds.*got nan.*; leave timeout out",
        ),
        ({"timeout": True}, "timeout must be a number of seconds"),
        ({"ordered": "no"}, "ordered must be True or False, got the text 'no'"),
        ({"progress": 0}, "progress must be True or False, got 0"),
        ({"replicates": "no"}, "replicates must be True or False, got the text 'no'"),
        ({"stop": 3}, "stop must be a function of the study.*got 3"),
    ],
    ids=str,
)
def test_what_is_mistyped_is_named_with_a_remedy(given: dict[str, object], words: str):
    with pytest.raises(SettingsError, match=words):
        pathmax.maximize(parabola, LINE, **({"progress": False} | given))


def test_an_outcome_without_a_name_is_named_with_the_direction_of_the_study():
    """`minimize` was answered with objectives={'loss': 'maximize'}, to be pasted."""
    with pytest.raises(OutcomeError, match=r"objectives=\{'loss': 'minimize'\}"):
        pathmax.minimize(lambda params: {"loss": params["x"]}, LINE, n_trials=3, progress=False)
    with pytest.raises(OutcomeError, match=r"objectives=\{'gain': 'maximize'\}"):
        pathmax.maximize(lambda params: {"gain": params["x"]}, LINE, n_trials=3, progress=False)
