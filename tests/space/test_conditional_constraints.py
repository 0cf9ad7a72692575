"""Known constraints of conditional spaces: about an absent parameter they ask nothing."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathmax import Categorical, Float, Grid, Int, Mixture, Space, Study
from pathmax.errors import ExhaustedError, KnownConstraintWarning, SpaceError
from pathmax.search.maximization import maximize
from pathmax.search.scores import Score
from pathmax.suggestion.available_points import everything

SPACE = {
    "optimizer": Categorical(["adam", "sgd"]),
    "rate": Float(0, 1),
    "momentum": Float(0, 1, when="optimizer == 'sgd'"),
    "nesterov": Categorical([True, False], when="momentum > 0.5"),
    "beta": Float(0, 1, when="not (optimizer == 'sgd')"),
    "k": Int(1, 9),
}
WHERE = ["momentum + rate <= 1", "not (nesterov and k > 5)", "beta * k <= 3 or rate < 0.1"]


def obeys(params: dict) -> bool:
    """The three sentences in Python, absent parameters asking nothing."""
    p = params
    return (
        ("momentum" not in p or p["momentum"] + p["rate"] <= 1 + 1e-9)
        and ("nesterov" not in p or not (p["nesterov"] and p["k"] > 5))
        and ("beta" not in p or p["beta"] * p["k"] <= 3 + 1e-9 or p["rate"] < 0.1)
    )


@given(st.integers(0, 2**32 - 1))
def test_points_and_params_obey_alike(seed):
    space = Space(SPACE, WHERE)
    U = np.column_stack(
        [axis.from_uniform(v) for axis, v in
         zip(space.axes, np.random.default_rng(seed).random((6, 20)), strict=True)]
    )  # fmt: skip
    params = [space.decode(u) for u in U]
    expected = [obeys(p) for p in params]
    assert [space.where.hold(p) for p in params] == expected
    assert space.limits.holds(U).tolist() == expected
    assert space.limits.holds(space.settle(U)).tolist() == expected


def test_absence_is_followed_through_conditions_on_absent_parameters():
    space = Space(
        {
            "a": Categorical(["x", "y"]),
            "b": Float(0, 1, when="a == 'x'"),
            "c": Float(0, 1, when="b > 0.5 or b < 0.1"),
            "d": Float(0, 1, when="not (c > 0.5)"),
        },
        ["d <= 0.3"],
    )
    for params, holds in [
        ({"a": "y"}, True),
        ({"a": "x", "b": 0.3}, True),
        ({"a": "x", "b": 0.7, "c": 0.9}, True),
        ({"a": "x", "b": 0.7, "c": 0.2, "d": 0.4}, False),
        ({"a": "x", "b": 0.05, "c": 0.2, "d": 0.2}, True),
    ]:
        assert space.where.hold(params) is holds
        assert space.limits.holds(space.encode(params)[None])[0] == holds


class Height(Score):
    """A smooth score over the coordinates, with the absent ones at -1."""

    def __call__(self, U):
        return -np.square(U[:, 1] - 0.6) - np.square(U[:, 2] - 0.9) + 0.05 * U[:, 5]

    def value_and_gradient(self, U):
        slope = np.zeros_like(U)
        slope[:, 1], slope[:, 2] = -2 * (U[:, 1] - 0.6), -2 * (U[:, 2] - 0.9)
        slope[:, 5] = 0.05
        return self(U), slope


def test_a_search_ends_no_lower_than_random_points_that_obey(rng):
    space = Space(SPACE, WHERE)
    domain = everything(space).domain
    looks = domain.spread(20_000, rng)
    assert space.limits.holds(looks).all()
    assert {tuple(row) for row in looks < 0} == {
        (False, False, True, True, False, False),
        (False, False, False, True, True, False),
        (False, False, False, False, True, False),
    }
    found = maximize(Height(), domain, rng)
    assert space.where.hold(space.decode(found.u))
    assert found.value >= Height()(looks).max()


@pytest.mark.parametrize("method", ["pims", "ts", "ei", "random"])
def test_whatever_is_suggested_obeys(method):
    study = Study(SPACE, where=WHERE, method=method, direction="maximize", seed=4)
    batch = study.ask(3)
    assert all(obeys(trial.params) for trial in batch)
    for trial in batch:
        study.tell(trial, trial.params["rate"])
    for _ in range(5):
        trial = study.ask()
        assert obeys(trial.params)
        assert study.space.validate(trial.params) == trial.params
        study.tell(trial, trial.params["rate"] + trial.params.get("momentum", 0.0))
    assert obeys(study.recommend())
    assert study.replay(7) == study.trials[7].params


def test_a_study_is_resumed_with_both(tmp_path):
    url = f"sqlite:///{tmp_path}/lab.db"
    study = Study(SPACE, where=WHERE, direction="maximize", seed=1, storage=url, name="both")
    for _ in range(6):
        study.tell(study.ask(), 1.0)
    expected = study.replay(5)
    study = Study.load("both", storage=url)
    assert study.space == Space(SPACE, WHERE)
    assert study.replay(5) == expected
    assert Space.from_json(json.loads(json.dumps(study.space.to_json()))) == study.space
    with pytest.warns(KnownConstraintWarning, match=r"momentum \+ rate <= 1"):
        study.add({"optimizer": "sgd", "rate": 0.9, "momentum": 0.4, "k": 1}, 3.0)
    assert study.best_trial.value == 1.0


def test_a_finite_space_is_gone_through_once():
    space = {"a": Categorical(["x", "y"]), "b": Int(1, 5, when="a == 'x'"), "c": Int(1, 5)}
    study = Study(space, where=["b + c <= 4"], direction="maximize", seed=1)
    seen = set()
    with pytest.raises(ExhaustedError, match="all 11 points that obey the known constraints"):
        for _ in range(12):
            trial = study.ask()
            seen.add(tuple(sorted(trial.params.items())))
            study.tell(trial, float(trial.params["c"]))
    assert len(seen) == 11
    assert all(dict(p).get("b", 0) + dict(p)["c"] <= 4 for p in seen if "b" in dict(p))


def test_a_mixture_beside_a_condition():
    space = {
        "mix": Mixture({"A": (0, 60), "B": (0, 60), "C": (5, 60)}, total=100),
        "heat": Categorical([True, False]),
        "T": Float(20, 90, when="heat"),
    }
    study = Study(space, where=["T + A <= 100"], direction="maximize", seed=0)
    for _ in range(8):
        trial = study.ask()
        p = trial.params
        assert p["A"] + p["B"] + p["C"] == pytest.approx(100)
        assert ("T" in p) == p["heat"]
        assert p.get("T", 0) + p["A"] <= 100 + 1e-6
        study.tell(trial, p["A"])


def test_sentences_that_leave_nothing_are_named():
    space = {"a": Categorical(["x", "y"]), "b": Int(1, 5, when="a == 'x'")}
    with pytest.raises(SpaceError, match=r"\"a == 'x'\" and 'b >= 9' conflict"):
        Study(space, where=["a == 'x'", "b >= 9"], direction="maximize")


def test_grids_have_no_conditions():
    assert Grid({"a": [1, 2]}).activity is None
