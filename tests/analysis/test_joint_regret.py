"""The regret with several outcomes: the distribution of exact draws, and a rule that stops."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

import pathmax
from pathmax import gp
from pathmax.acquisition.hypervolume import hypervolume
from pathmax.analysis.joint_regret import SHARE, largest_gap
from pathmax.analysis.regret import Regret

KERNEL = gp.RBF(0.3)
FIXED = {"kernel": KERNEL, "noise": 0.01, "refit_every": None, "seed": 1}
AXIS = [0.0, 0.25, 0.5, 0.75, 1.0]
X = np.array(list(itertools.product(AXIS, AXIS)))
SEEN = np.array([0, 7, 12, 20])
TOLD = {
    "a": np.array([0.4, -0.3, 0.9, 0.1]),
    "b": np.array([-0.2, 0.8, 0.1, 0.5]),
    "c": np.array([0.3, 0.1, -0.2, 0.6]),
}
SPACES = {
    "grid": (pathmax.Grid({"x": AXIS, "y": AXIS}), lambda p: {"x": p[0], "y": p[1]}),
    "pool": (
        pathmax.Candidates([{"x": float(x), "y": float(y)} for x, y in X]),
        lambda p: {"x": float(p[0]), "y": float(p[1])},
    ),
    "ints": (
        {"x": pathmax.Int(0, 4), "y": pathmax.Int(0, 4)},
        lambda p: {"x": round(4 * p[0]), "y": round(4 * p[1])},
    ),
}


def study_of(kind: str, **goals) -> pathmax.Study:
    space, params = SPACES[kind]
    study = pathmax.Study(space, **goals, **FIXED)
    for i, at in enumerate(SEEN):
        study.add(params(X[at]), {name: TOLD[name][i] for name in study.goals.names})
    return study


def exact_draws(name: str, n: int, sign: float = 1.0) -> np.ndarray:
    model = gp.GaussianProcess(KERNEL, 0.01).condition(X[SEEN], sign * TOLD[name])
    return sign * model.sample(X, np.random.default_rng([5, ord(name)]), n)


def same_distribution(found: np.ndarray, true: np.ndarray) -> None:
    """Shares below some levels, and of infinities, agree within four standard errors."""
    finite = true[np.isfinite(true)]
    for level in [*np.quantile(finite, [0.2, 0.5, 0.8]), 1e300]:
        p = np.mean(true <= level)
        error = math.sqrt(max(p * (1 - p), 1e-3) * (1 / len(found) + 1 / len(true)))
        assert abs(np.mean(found <= level) - p) < 4 * error


@pytest.mark.parametrize("kind", SPACES)
def test_under_constraints_it_is_against_the_best_measured_point(kind):
    study = study_of(kind, objectives={"a": "maximize"}, constraints={"c": "<= 0.35"})
    a, c = exact_draws("a", 6000), exact_draws("c", 6000, -1.0)
    # all but the last result keep the bound; the third has the largest value of them
    best, inside = SEEN[2], c <= 0.35
    assert study.regret(n_paths=2).params == study.trials[2].params
    top = np.where(inside, a, -np.inf).max(axis=1)
    true = np.where(inside[:, best], top - a[:, best], np.inf)
    regret = study.regret(n_paths=1000)
    assert regret.exact and regret.unit == "" and (regret.draws >= 0).all()
    same_distribution(regret.draws, true)


@pytest.mark.parametrize("kind", SPACES)
def test_with_several_objectives_it_is_the_largest_gap_of_the_front(kind):
    study = study_of(kind, objectives={"a": "maximize", "b": "minimize"})
    a, b = exact_draws("a", 500), -exact_draws("b", 500, -1.0)
    true = np.array([brute_gap(np.stack(both, axis=1)) for both in zip(a, b, strict=True)])
    regret = study.regret(n_paths=400)
    assert regret.unit == "of the front" and regret.params == {}
    assert "of the front expected" in repr(regret)
    same_distribution(regret.draws, true)


def brute_gap(values: np.ndarray) -> float:
    front = np.array([y for y in values if not ((values >= y).all(1) & (values > y).any(1)).any()])
    spans = np.where(np.ptp(front, axis=0) > 0, np.ptp(front, axis=0), 1.0)
    gaps = [min(max((y - e) / spans) for e in values[SEEN]) for y in front]
    return max(0.0, max(gaps))


def test_with_a_reference_it_is_the_hypervolume_that_is_missing():
    goals = {"objectives": {"a": "maximize", "b": "minimize"}, "reference": {"a": -1, "b": 2}}
    study = study_of("grid", **goals)
    a, b = exact_draws("a", 500), -exact_draws("b", 500, -1.0)
    reference = np.array([-1.0, -2.0])
    true = []
    for both in zip(a, b, strict=True):
        values = np.stack(both, axis=1)
        true.append(1 - hypervolume(values[SEEN], reference) / hypervolume(values, reference))
    same_distribution(study.regret(n_paths=400).draws, np.array(true))


def test_it_is_infinite_while_nothing_is_known_of_a_bound():
    study = pathmax.Study({"x": pathmax.Float(0, 1)}, constraints={"c": "<= 0"}, seed=0)
    study.add({"x": 0.5}, {"value": 1.0})
    assert study.regret(n_paths=3).mean == math.inf


def test_a_rule_waits_for_the_first_value_of_an_objective():
    """Its assay may come back last; the run ended in an error."""
    study = pathmax.Study(
        {"x": pathmax.Float(0, 1)},
        objectives={"a": "maximize", "b": "minimize"},
        constraints={"c": "<= 1"},
        seed=0,
    )
    rule = pathmax.StopWhen(regret=0.1, after=2)
    result = study.optimize(lambda params: {"c": params["x"]}, 3, stop=rule, progress=False)
    assert len(result.trials) == 3
    assert str(rule(study)) == "no trial has a value of a yet; tell one first"


@pytest.mark.parametrize("kind", ["box", "mixed"])
def test_a_rule_ends_a_run_with_a_front(kind):
    space = {"x": pathmax.Float(0, 1)}
    if kind == "mixed":
        space["z"] = pathmax.Categorical(["p", "q"])

    def measure(params):
        worse = 0.2 if params.get("z") == "q" else 0.0
        x = params["x"]
        return {"a": x - worse, "b": 1 - x * x - worse, "c": x}

    study = pathmax.Study(
        space,
        objectives={"a": "maximize", "b": "maximize"},
        constraints={"c": "<= 0.8"},
        seed=0,
    )
    rule = pathmax.StopWhen(regret=0.2, n_paths=20)
    result = study.optimize(measure, 40, stop=rule, progress=False)
    assert 10 <= len(result.trials) < 40
    assert result.ending.startswith("regret at most 0.2 of the front with probability")
    # what it promises holds: the true front is b = 1 - a^2 up to a = 0.8
    reached = np.array([[t.outcomes["a"], t.outcomes["b"]] for t in study.front])
    true = np.array([[t, 1 - t * t] for t in np.linspace(0, 0.8, 200)])
    spans = np.ptp(true, axis=0)
    gaps = [min(max((y - e) / spans) for e in reached) for y in true]
    assert max(gaps) <= 0.2


def test_fronts_as_far_apart_as_numbers_go_have_a_gap():
    front = np.array([[1.7e308, -1.7e308], [-1.7e308, 1.7e308]])
    there = np.array([[-1.7e308, -1.7e308]])
    assert 0.0 < largest_gap(front, there) <= 2.0


def test_draws_end_when_they_are_enough_and_a_look_is_under_one_choice_of_parameters():
    study = pathmax.Study(
        {"x": pathmax.Float(0, 1)}, objectives={"a": "maximize", "b": "maximize"}, seed=0
    )
    for x in (0.1, 0.4, 0.8, 0.9):
        study.add({"x": x}, {"a": x, "b": math.cos(3 * x)})
    look = study.regret(16, rough=True, enough=lambda found: len(found.draws) >= 3)
    assert look.rough and look.joint and len(look.draws) == 4
    assert study._session._memory.plausible is None  # the others were not drawn
    whole = study.regret(50, enough=lambda found: True)
    assert not whole.rough and len(whole.draws) == 32
    assert len(study.regret(33, enough=lambda found: False).draws) == 33


def test_a_front_of_all_but_one_value_is_counted_in_the_extent_of_the_results():
    """A mixture at its limit had a front 1e-9 wide in one objective, and a regret of 1e10."""
    front = np.array([[60.0, 1.0], [60.0 + 1e-9, 0.5]])
    there = np.array([[60.0 - 1e-3, 0.5], [40.0, 2.0]])
    assert largest_gap(front, there) == pytest.approx(0.5 / 0.5)  # in the other objective
    alone = np.array([[60.0, 1.0]])
    assert largest_gap(alone, np.array([[50.0, 1.0], [40.0, 1.0]])) == pytest.approx(0.5)
    assert largest_gap(alone, alone) == 0.0


def test_more_than_the_whole_front_is_said_in_extents() -> None:
    near = Regret(np.array([0.05, 0.09]), {}, True, SHARE, n=20)
    far = replace(near, draws=np.array([8.0, 24.0]), n=4)
    assert near.shown == (100.0, "% of the front") and not near.beyond
    assert "0.07 of the front expected, at most 0.09 with probability" in repr(near)
    assert far.shown == (1.0, "times the extent of the front") and far.beyond
    words = "16 times the extent of the front expected"
    assert f"{words}, at most 24 times with probability 0.95" in repr(far)
    assert words in far._repr_html_()
    assert "inf of the front" in repr(replace(far, draws=np.array([math.inf])))
    assert replace(far, unit="").shown == (1.0, "") and not replace(far, unit="").beyond
