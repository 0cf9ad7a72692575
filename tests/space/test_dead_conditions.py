import warnings

import pytest

from pathmax import Categorical, Float, Int, Space, Study
from pathmax.errors import NeverActiveWarning

BASE = {
    "optimizer": Categorical(["adam", "sgd"]),
    "rate": Float(0, 1),
    "layers": Int(1, 8),
    "sieve": Float(values=[1, 4, 5, 9]),
    "dose": Float(0, 1, step=0.05),
}


@pytest.mark.parametrize(
    "when",
    [
        "rate > 2",
        "optimizer == 'sgd' and optimizer == 'adam'",
        "rate < 0.3 and rate > 0.4",
        "layers > 8 or layers < 1",
        "optimizer == 'sgd' and not (rate <= 1)",
        "rate in [1.5, 2]",
        "layers > 2 and layers < 3",
        "layers == 2.5",
        "1 < sieve < 4",
        "0.1 < dose < 0.15",
    ],
)
def test_a_condition_that_never_holds_is_said(when):
    with pytest.warns(NeverActiveWarning, match="momentum: is never active, since"):
        Space({**BASE, "momentum": Float(0, 0.99, when=when)})


@pytest.mark.parametrize(
    "when",
    [
        "rate >= 1",
        "rate == 0.25 and layers in [3]",
        "rate > 0.3 and rate < 0.4",
        "not (optimizer == 'adam')",
        "layers > 2 and layers < 4",
        "3 < sieve < 6",
        "0.1 < dose < 0.2 or dose == 0.75",
        "rate > 0.2 and layers + rate > 100",  # never holds, but it computes: not decided
    ],
)
def test_others_are_not(when):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Space({**BASE, "momentum": Float(0, 0.99, when=when)})


def test_what_depends_on_a_parameter_that_is_never_active_is_never_active_either():
    dead = Float(0, 0.99, when="rate > 2")
    nested = Categorical([True, False], when="momentum > 0.5")
    with pytest.warns(NeverActiveWarning) as said:
        Space({**BASE, "momentum": dead, "nesterov": nested})
    assert [str(one.message).split(":")[0] for one in said] == ["momentum", "nesterov"]
    lively = Float(0, 0.99, when="optimizer == 'sgd'")
    with pytest.warns(NeverActiveWarning, match="nesterov") as said:
        Space(
            {
                **BASE,
                "momentum": lively,
                "nesterov": Categorical([1, 2], when="momentum > 0.5 and optimizer == 'adam'"),
            }
        )
    assert len(said) == 1


def test_the_warning_points_at_the_line_that_makes_the_space(tmp_path):
    dead = {**BASE, "momentum": Float(0, 0.99, when="rate > 2")}
    storage = f"sqlite:///{tmp_path / 'lab.db'}"
    with pytest.warns(NeverActiveWarning) as said:
        Space(dead)
        Study(dead)
        study = Study(dead, storage=storage, seed=0)  # which also reads what it has stored
        study.change_space({**dead, "more": Int(1, 3)})
    assert {one.filename for one in said} == {__file__}


@pytest.mark.parametrize("choice", ["rbf", "poly", "linear"])
def test_a_condition_on_a_conditional_choice_holds_whichever_choice_it_names(choice):
    kernel = Categorical(["rbf", "poly", "linear"], when="model == 'svm'")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Space(
            {
                "model": Categorical(["svm", "trees"]),
                "kernel": kernel,
                "gamma": Float(0, 1, when=f"kernel == '{choice}'"),
            }
        )
