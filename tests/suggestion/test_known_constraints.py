"""Whatever is suggested obeys what is known: random spaces with random sentences."""

import json
import tomllib
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pathmax import Categorical, Float, Grid, Int, Mixture, Space, Study
from pathmax.errors import ExhaustedError, KnownConstraintWarning, SpaceError
from pathmax.search import random_walks
from pathmax.space.sentence_parser import parse
from pathmax.suggestion.available_points import everything

# random spaces may have conditions that never hold
pytestmark = pytest.mark.filterwarnings("ignore::pathmax.errors.NeverActiveWarning")

KINDS = [
    Float(0, 10),
    Float(-5, 5),
    Float(1, 100, log=True),
    Float(0, 10, step=0.5),
    Int(0, 30),
    Int(0, 10),
    Categorical(["x", "y", "z"]),
    Float(values=[0, 1, 2.5, 8]),
    Int(values=[1, 2, 4, 8]),
    Float(5, 50, log=True, step=5),
    Float(0.1, 10, log=True, digits=1),
]


@st.composite
def sentences(draw: st.DrawFn, parameters: dict[str, Any]) -> str:
    """A sentence over the parameters, most of which can be obeyed."""
    numbers = [name for name, p in parameters.items() if not isinstance(p, Categorical)]
    choices = [name for name, p in parameters.items() if isinstance(p, Categorical)]
    if choices and draw(st.integers(0, 3)) == 0:
        choice = f"{draw(st.sampled_from(choices))} != '{draw(st.sampled_from('xyz'))}'"
        return choice if not numbers else f"{choice} or {draw(st.sampled_from(numbers))} <= 6"
    if not numbers:
        return f"{choices[0]} in ['x', 'y']"
    first, second = draw(st.sampled_from(numbers)), draw(st.sampled_from(numbers))
    weight, bound = draw(st.integers(-3, 3)), draw(st.integers(2, 14))
    return draw(
        st.sampled_from(
            [
                f"{first} + {weight} * {second} <= {bound}",
                f"{first} * {second} <= {bound}",
                f"abs({first} - {second}) < {bound}",
                f"not ({first} > {bound} and {second} > 3)",
                f"{first} <= 1 or {first} >= {bound / 2}",
                f"{bound / 4} <= {first} + {second} <= {bound}",
            ]
        )
    )


@st.composite
def known_spaces(draw: st.DrawFn) -> Space:
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=2, max_size=4))
    parameters: dict[str, Any] = {f"p{i}": kind for i, kind in enumerate(kinds)}
    where = draw(st.lists(sentences(parameters), min_size=1, max_size=3))
    if draw(st.integers(0, 2)) == 0:
        kind = draw(st.sampled_from([{}, {"log": True, "digits": 1}, {"step": 0.3}]))
        when = "p0 == 'x'" if isinstance(kinds[0], Categorical) else "p0 > 2"
        parameters["sometimes"] = Float(0.1, 1, when=when, **kind)
    if draw(st.integers(0, 4)) == 0:
        parameters["blend"] = Mixture({"A": (0, 1), "B": (0, 0.5), "C": (0, 1)}, at_most=2)
    return Space(parameters, where)


@given(known_spaces(), st.integers(0, 100))
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_suggestion_obeys(space: Space, seed: int):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            random_walks, "KEPT_POINTS", 128
        )  # of spaces that leave nothing most of the time
        check_obedience(space, seed)


def check_obedience(space: Space, seed: int) -> None:
    assert Space.from_json(json.loads(json.dumps(space.to_json()))) == space
    text = "where = " + json.dumps(space.where.to_json())
    assert space.knowing(tomllib.loads(text)["where"]) == space
    assert [parse(s.text) for s in space.where.sentences] == [s.tree for s in space.where.sentences]
    try:
        study = Study(space, direction="maximize", seed=seed, initial=2)
    except SpaceError as error:
        assert any(repr(s.text) in str(error) for s in space.where.sentences)
        return
    try:
        for i in range(3):
            trial = study.ask()
            assert not space.where.broken(trial.params)
            assert space.decode(space.encode(trial.params)) == trial.params
            study.tell(trial, float(np.sin(seed + i)))
        for trial in study.ask(2):
            assert not space.where.broken(trial.params)
    except ExhaustedError:
        return
    assert not space.where.broken(study.recommend())


WHERE = ["a + b <= 10", "not (s == 'x' and a > 5)"]
SPACE = Space({"a": Float(0, 10), "b": Float(0, 10), "s": Categorical(["x", "y"])}, WHERE)


def told(space: Any, n: int = 8, **options: Any) -> Study:
    study = Study(space, direction="maximize", seed=0, **options)
    for _ in range(n):
        trial = study.ask()
        study.tell(trial, sum(v for v in trial.params.values() if not isinstance(v, str)))
    return study


@pytest.mark.parametrize("method", ["pims", "ts", "ei", "gp-ucb", "mes", "random"])
def test_every_method_obeys(method: str):
    study = told(SPACE, 7, method=method)
    for trial in study.trials:
        assert not SPACE.where.broken(trial.params)


def test_what_a_study_knows_stays_inside():
    study = told(SPACE, 10)
    assert not SPACE.where.broken(study.recommend())
    for contender in study.best_probabilities(40).top(5):
        assert not SPACE.where.broken(contender.params)
    assert not SPACE.where.broken(study.regret(20).params)
    assert not SPACE.where.broken(study.replicate_or_explore(20).params)
    assert study.importances(n_paths=4)["a"].total.mean > 0.0
    last = study.trials[-1]
    assert not SPACE.where.broken(last.info["x_star"])
    assert study.replay(last) == last.params
    assert study.best_trial.value > 9.5  # the optimum lies on a sentence


def test_several_outcomes_obey():
    study = Study(
        SPACE, objectives={"v": "maximize", "w": "minimize"}, constraints={"c": "<= 5"}, seed=0
    )
    for _ in range(7):
        trial = study.ask()
        assert not SPACE.where.broken(trial.params)
        a, b = float(trial.params["a"]), float(trial.params["b"])
        study.tell(trial, {"v": a + b, "w": b, "c": a})


def test_results_that_do_not_obey_are_kept_and_are_never_the_best():
    study = told(SPACE, 4)
    with pytest.warns(KnownConstraintWarning, match=r"does not obey .*a \+ b <= 10"):
        study.add({"a": 9, "b": 9, "s": "y"}, 100.0)
    assert len(study.trials) == 5 and study.best_trial.value < 11
    assert study.predict([{"a": 9, "b": 9, "s": "y"}]).mean[0] > 50  # learnt from


def test_a_study_is_stored_with_what_is_known(tmp_path):
    storage = f"sqlite:///{tmp_path / 'lab.db'}"
    study = Study(SPACE, name="s", storage=storage, seed=0)
    study.tell(study.ask(), 1.0)
    again = Study.load("s", storage=storage)
    assert again.space == SPACE
    change = again.change_space(where=["a + b <= 3"])
    assert 'the known constraint "a + b <= 3" was added' in str(change)
    trial = again.ask()
    assert trial.params["a"] + trial.params["b"] <= 3 + 1e-9
    with pytest.raises(SpaceError, match="conflict"):
        again.change_space(where=["a + b <= 3", "a > 4"])


def test_a_function_is_given_again_on_load(tmp_path):
    def low(params: dict[str, Any]) -> bool:
        return params["a"] <= 2

    storage, parameters = f"sqlite:///{tmp_path / 'lab.db'}", {"a": Float(0, 10)}
    Study(parameters, where=[low], name="s", storage=storage, seed=0)
    with pytest.raises(SpaceError, match="give it again"):
        Study.load("s", storage=storage).ask()
    study = Study.load("s", storage=storage, space=Space(parameters, [low]))
    assert study.ask().params["a"] <= 2


def test_few_points_are_all_tried_and_then_there_are_none_left():
    space = Space({"i": Int(0, 9), "j": Int(0, 9)}, ["i + j == 3"])
    study = told(space, 4, initial=2)
    assert {(t.params["i"], t.params["j"]) for t in study.trials} == {
        (0, 3),
        (1, 2),
        (2, 1),
        (3, 0),
    }
    with pytest.raises(ExhaustedError):
        study.ask()


def test_grids_without_end_are_not_gone_through():
    grid = Grid({f"x{i}": range(100) for i in range(12)}, ["x0 + x1 + x2 == 30", "x3 >= 2 * x4"])
    study = told(grid, 4, initial=2)
    for trial in study.trials:
        assert not grid.where.broken(trial.params)


def test_a_first_design_is_spread_over_the_region():
    space = Space({"a": Float(0, 1), "b": Float(0, 1)}, ["a + b <= 0.01"])
    study = Study(space, direction="maximize", seed=0, initial=12)
    points = np.array([[t.params["a"], t.params["b"]] for t in study.ask(12)])
    assert np.ptp(points, axis=0).min() > 0.005
    gaps = np.abs(points[:, None] - points).max(axis=2) + np.eye(12)
    assert gaps.min() > 3e-4


def test_blends_of_few_components_are_suggested():
    mixture = Mixture({f"c{i}": (0, 100) for i in range(10)}, total=100, at_most=3, step=1)
    study = told({"blend": mixture, "T": Float(0, 1)}, 10)
    for trial in study.trials:
        assert not study.space.where.broken(trial.params)
        amounts = [trial.params[name] for name in mixture.components]
        assert sum(amounts) == 100 and sum(x > 0 for x in amounts) <= 3


def test_the_domain_of_a_known_space_is_checked_when_a_study_begins():
    with pytest.raises(SpaceError, match=r"'a \+ b <= 1' and 'a >= 2' conflict"):
        Study(SPACE.knowing(["a + b <= 1", "a >= 2"]))
    assert everything(SPACE).left is None


def test_equations_that_leave_one_point_are_no_conflict():
    where = ["a + b == 100", "a == 40"]
    study = Study({"a": Float(0, 100), "b": Float(0, 100)}, where=where, seed=0)
    trial = study.ask()
    assert trial.params == {"a": pytest.approx(40.0), "b": pytest.approx(60.0)}
    study.tell(trial, 1.0)
    with pytest.raises(ExhaustedError, match="have been tried"):
        study.ask()


@pytest.mark.parametrize("answer", [None, 3.0, "yes"])
def test_a_function_that_gives_neither_true_nor_false_is_refused(answer: object):
    """A forgotten return forbade everything, and any number allowed it."""

    def cool(params: dict[str, Any]) -> Any:
        return answer

    with pytest.raises(SpaceError, match=r"constraint .*cool returned .*True or False"):
        Study({"a": Float(0, 1)}, where=[cool]).ask()
    with pytest.raises(SpaceError, match=r"known constraints \('.*never'\)"):
        Study({"a": Float(0, 1)}, where=[never]).ask()


def never(params: dict[str, Any]) -> Any:
    return np.False_


@pytest.mark.parametrize("factor", ["1e300", "1e160", "1", "1e-160", "1e-300"])
def test_sentences_with_huge_and_tiny_numbers(factor: str):
    where = [f"{factor} * a <= {factor} * b"]
    study = Study({"a": Float(0, 10), "b": Float(0, 10)}, where=where, direction="maximize", seed=0)
    for _ in range(8):
        trial = study.ask()
        assert trial.params["a"] <= trial.params["b"] + 1e-6
        study.tell(trial, trial.params["a"] - 0.1 * trial.params["b"])


def test_a_result_outside_a_new_space_is_not_said_to_be_learnt_from():
    study = Study({"a": Float(0, 10)}, seed=0)
    trial = study.ask()
    study.change_space({"a": Float(0, 10), "blend": Mixture({"P": (0, 1), "Q": (0, 1)})})
    study.tell(trial, 1.0)  # warnings are errors here
    assert [left.number for left in study.left_out] == [0]
