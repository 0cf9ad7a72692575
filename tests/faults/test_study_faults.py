"""Faults that hurt users of other optimisers, and what a study does about each.

Each test is named after the number of its case in the project's list of faults.
"""

import json
import math
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import pathmax
from pathmax import Candidates, Categorical, Float, Grid, Int, Study, TrialState, gp
from pathmax.errors import (
    ExhaustedError,
    ObjectiveError,
    OutcomeError,
    ParamsError,
    SettingsError,
    SpaceChangedError,
    SpaceError,
)

LINE = {"x": Float(0, 1)}
SQUARE = {"x": Float(0, 1), "y": Float(0, 1)}


def told(study: Study, n: int, f=lambda p: -((p["x"] - 0.3) ** 2)) -> list[pathmax.Trial]:
    return [study.tell(trial := study.ask(), f(trial.params)) for _ in range(n)]


def all_different(study: Study) -> bool:
    points = [json.dumps(trial.params) for trial in study.trials]
    return len(set(points)) == len(points)


def test_01_an_objective_that_returns_nan_fails_its_trial_with_a_reason():
    result = Study(LINE, seed=0).optimize(
        lambda p: math.nan if p["x"] > 0.6 else p["x"], 12, progress=False
    )
    failed = [trial for trial in result.trials if trial.state is TrialState.FAILED]
    assert failed
    assert {trial.error for trial in failed} == {"the value is NaN (not a number)"}
    assert all(trial.value is None for trial in failed)
    assert 0.5 < result.best_value <= 0.6


@pytest.mark.parametrize("storage", ["memory", "sqlite"])
@pytest.mark.parametrize("value", [math.inf, -math.inf, np.float32("inf"), 10**400])
def test_02_infinities_are_failures_alike_in_every_storage(storage: str, value: float, tmp_path):
    url = None if storage == "memory" else f"sqlite:///{tmp_path / 'lab.db'}"
    study = Study(LINE, seed=0, storage=url)
    told(study, 6)
    trial = study.tell(study.ask(), value)
    sign = "-" if value < 0 else "+"
    assert (trial.state, trial.error) == (TrialState.FAILED, f"the value is {sign}infinity")
    told(study, 2)
    assert study.best_trial.number != trial.number


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_03_a_historical_row_without_a_number_is_kept_as_a_failure(value: float):
    study = Study(LINE, seed=0)
    study.add({"x": 0.2}, 1.0)
    bad = study.add({"x": 0.5}, value)
    assert bad.state is TrialState.FAILED
    assert "the value is" in str(bad.error)
    study.add({"x": 0.8}, 2.0)
    told(study, 6)
    assert study.best_trial.number == 2


@pytest.mark.parametrize("method", ["pims", "ts", "ei", "gp-ucb", "mes"])
def test_04_a_single_point_and_a_constant_objective_have_a_model(method: str):
    study = Study(SQUARE, seed=0, initial=1, method=method)
    for trial in told(study, 6, lambda p: 3.5):
        assert study.space.validate(trial.params)
    mean, std = study.predict([{"x": 0.1, "y": 0.9}])
    assert mean[0] == pytest.approx(3.5)
    assert np.isfinite(std).all()


def test_05_a_constant_objective_is_explored_by_the_model_and_said_so(capsys):
    study = Study(SQUARE, seed=0)
    study.optimize(lambda p: 1.0, 16)
    modelled = study.trials[5:]
    assert {trial.info["method"] for trial in modelled} == {"pims"}
    assert "all 5 values are equal" in capsys.readouterr().err
    # exploring where least is known covers the square better than chance does
    points = study.space.encode_many([trial.params for trial in study.trials])
    probes = np.random.default_rng(0).random((2000, 2))

    def hole(U: np.ndarray) -> float:
        return float(np.linalg.norm(probes[:, None] - U[None], axis=2).min(axis=1).max())

    by_chance = [hole(np.random.default_rng(seed).random((16, 2))) for seed in range(20)]
    assert hole(points) < np.quantile(by_chance, 0.25)


@pytest.mark.parametrize("method", [m for m in pathmax.acquisition.METHODS if m != "random"])
def test_06_no_division_by_a_std_of_zero(method: str):
    study = Study(Grid({"x": [0.0, 0.5, 1.0]}), seed=0, initial=1, method=method, noise=0.0)
    told(study, 3)
    info = study.trials[2].info
    assert all(math.isfinite(x) for x in info.values() if isinstance(x, float))
    assert info["std"] >= 0.0


def test_07_no_point_is_suggested_for_ever():
    study = Study(LINE, seed=0, initial=2, noise=0.0)
    told(study, 40, lambda p: p["x"])  # the best is a corner of the space
    assert all_different(study)
    finite = Study({"k": Int(0, 30), "c": Categorical(["a", "b"])}, seed=0)
    told(finite, 62, lambda p: -abs(p["k"] - 7))
    assert all_different(finite)


def test_08_replicates_are_taken_and_suggested_when_allowed():
    study = Study(LINE, seed=0)
    for value in (1.0, 1.2, 0.9):
        study.add({"x": 0.5}, value)
    told(study, 3)
    assert len(study.trials) == 6
    again = Study(Grid({"x": [0.0, 0.5, 1.0]}), seed=0, replicates=True, noise=0.25)
    rng = np.random.default_rng(0)
    told(again, 9, lambda p: p["x"] + 0.5 * rng.standard_normal())
    assert len(again.trials) == 9
    assert again.recommend() == {"x": 1.0}


@pytest.mark.parametrize("size", [1e-300, 1e-12, 1e12, 1e300])
@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_09_values_of_any_size_lead_to_the_same_trials(size: float, direction: str):
    def run(scale: float) -> Study:
        study = Study(LINE, seed=0, direction=direction)
        told(study, 10, lambda p: scale * math.sin(7.0 * p["x"]))
        return study

    small, scaled = run(1.0), run(size)
    for one, other in zip(small.trials, scaled.trials, strict=True):
        assert float(one.params["x"]) == pytest.approx(float(other.params["x"]), abs=0.02)
    assert scaled.predict([{"x": 0.5}]).mean[0] == pytest.approx(
        size * small.predict([{"x": 0.5}]).mean[0], rel=0.05
    )


def test_09_values_of_mixed_sizes_do_no_harm():
    study = Study(LINE, seed=0)
    values = iter([1e-300, -1e300, 1.0, 1e300, 0.0, 1e-5, -1e10, 1e200, 2.0, -1e-200])
    for _ in range(10):
        study.tell(study.ask(), next(values))
    assert math.isfinite(study.ask().info["mean"])


def test_10_hyper_parameters_stay_within_bounds(rng: np.random.Generator):
    nasty = [
        np.where(np.arange(20) == 7, 1e12, 0.0),  # one outlier
        rng.standard_normal(20),  # nothing but noise
        np.arange(20) % 2,  # two values
        np.linspace(0, 1e-9, 20) + 5.0,  # nearly constant
    ]
    for values in nasty:
        study = Study(SQUARE, seed=0)
        for value, (x, y) in zip(values, rng.random((20, 2)), strict=True):
            study.add({"x": x, "y": y}, value)
        model = study.ask().info["outcomes"]["value"]["model"]
        parameters = gp.from_json(model["kernel"]).theta
        assert np.isfinite(parameters).all()
        assert np.abs(parameters).max() < 20
        assert 0 < model["noise"] < math.inf


def test_11_a_kernel_matrix_without_noise_does_not_break():
    study = Study(LINE, kernel=gp.RBF(lengthscale=1.0), noise=0.0, refit_every=None, seed=0)
    for x in np.linspace(0, 1, 60):
        study.add({"x": x}, math.sin(x))
        study.add({"x": x}, math.sin(x))
    trial = study.ask()
    assert trial.info["outcomes"]["value"]["model"]["jitter"] > 0
    assert math.isfinite(trial.info["mean"])


@pytest.mark.parametrize(
    "domain",
    [
        Grid({"a": [1, 2], "b": ["u", "v", "w"]}),
        Candidates([{"x": i} for i in range(6)]),
        {"k": Int(1, 3), "c": Categorical(["a", "b"])},
    ],
    ids=["grid", "pool", "space"],
)
@pytest.mark.parametrize("method", ["pims", "random"])
def test_12_an_exhausted_space_is_a_clear_end(domain: object, method: str):
    study = Study(domain, seed=0, method=method, initial=2)
    result = study.optimize(lambda p: float(len(str(p))), 20, progress=False)
    assert len(result.trials) == 6
    assert all_different(study)
    assert "nothing left to try: all 6" in result.ending
    with pytest.raises(ExhaustedError, match=r"all 6 points .* replicates=True"):
        study.ask()
    assert study.recommend()


def test_12_rows_that_are_running_are_not_free():
    study = Study(Grid({"a": [1, 2, 3]}), seed=0)
    running = study.ask(3)
    with pytest.raises(ExhaustedError, match="tried or are running"):
        study.ask()
    study.tell(running[0], 1.0)
    with pytest.raises(ExhaustedError):
        study.ask()


def test_13_one_candidate_no_candidate_and_twins():
    one = Study(Candidates([{"x": 1.0}]), seed=0)
    assert one.ask().params == {"x": 1.0}
    with pytest.raises(ExhaustedError, match="all 1 "):
        one.ask()
    with pytest.raises(SpaceError, match="no candidates"):
        Study(Candidates([]))
    twins = Study(Candidates([{"x": 1.0}, {"x": 2.0}, {"x": 1.0}]), seed=0)
    assert sorted(trial.params["x"] for trial in twins.ask(2)) == [1.0, 2.0]
    with pytest.raises(ExhaustedError, match="all 2 "):
        twins.ask()


@pytest.mark.parametrize("method", ["pims", "ts", "ei"])
def test_14_no_suggestion_leaves_the_space(method: str):
    space = {
        "narrow": Float(0.1 + 0.2, 0.30000000000000010),
        "log": Float(1e-150, 1e150, log=True),
        "k": Int(-3, 3),
        "big": Int(1, 10**12, log=True),
        "c": Categorical([None, True, "x"]),
    }
    study = Study(space, seed=0, method=method, initial=3)
    for trial in told(study, 8, lambda p: math.log10(p["log"])):
        assert study.space.validate(trial.params) == trial.params
        assert 0.1 + 0.2 <= trial.params["narrow"] <= 0.30000000000000010


def test_15_no_sudden_slowdown_as_trials_add_up():
    study = Study(SQUARE, seed=0, refit_every=10_000)
    rng = np.random.default_rng(0)

    def seconds() -> float:
        times = []
        for _ in range(5):
            start = time.process_time()
            trial = study.ask()
            times.append(time.process_time() - start)
            study.tell(trial, rng.standard_normal())
        return min(times)

    for x, y in rng.random((90, 2)):
        study.add({"x": x, "y": y}, rng.standard_normal())
    study.tell(study.ask(), 0.0)
    before = seconds()
    for x, y in rng.random((110, 2)):
        study.add({"x": x, "y": y}, rng.standard_normal())
    study.tell(study.ask(), 0.0)
    assert seconds() < 4 * before  # other optimisers jump fivefold and more at n = 100


def test_19_parallel_workers_get_different_points(tmp_path):
    url = f"sqlite:///{tmp_path / 'lab.db'}"
    told(Study(LINE, name="s", storage=url, seed=0), 6)

    def ask(_: int) -> float:
        return float(Study.load("s", storage=url).ask().params["x"])

    with ThreadPoolExecutor(4) as pool:
        xs = sorted(pool.map(ask, range(8)))
    assert min(np.diff(xs)) > 1e-8
    numbers = [trial.number for trial in Study.load("s", storage=url).trials]
    assert numbers == list(range(14))


def test_24_a_changed_space_is_explained_and_can_be_gone_on_with(tmp_path):
    url = f"sqlite:///{tmp_path / 'lab.db'}"
    told(Study(LINE, name="s", storage=url, seed=0), 4)
    wider = {"x": Float(0, 2)}
    with pytest.raises(SpaceChangedError) as error:
        Study(wider, name="s", storage=url)
    for words in ("x was Float(0", "is now Float(0", "with_space", "another name"):
        assert words in str(error.value)
    gone_on = Study.load("s", storage=url).with_space(wider)
    assert [trial.value for trial in gone_on.trials] == [
        trial.value for trial in Study.load("s", storage=url).trials
    ]
    assert told(gone_on, 3)


def test_25_loading_into_an_existing_study_is_refused(tmp_path):
    url = f"sqlite:///{tmp_path / 'lab.db'}"
    told(Study(LINE, name="s", storage=url, seed=0), 3)
    empty = Study(LINE)
    with pytest.raises(SettingsError, match=r"write study = Study\.load"):
        empty.load("s", storage=url)
    assert len(Study.load("s", storage=url).trials) == 3


def test_26_numbers_of_every_kind_are_values_and_parameters():
    space = {"x": Float(0, 10), "k": Int(0, 10), "flag": Categorical([True, False])}
    study = Study(space, seed=0)
    values = [
        np.float32(0.5),
        np.int16(2),
        Decimal("1.25"),
        Fraction(1, 3),
        True,
        "4.5",
        np.array(3),
    ]
    for value in values:
        trial = study.tell(study.ask(), value)
        assert type(trial.value) is float
    added = study.add({"x": Decimal("2.5"), "k": np.int8(3), "flag": np.bool_(True)}, 1)
    assert added.params == {"x": 2.5, "k": 3, "flag": True}
    assert [type(v) for v in added.params.values()] == [float, int, bool]
    assert type(study.ask().params["k"]) is int
    for given in ({"x": "2.5", "k": 3}, {"x": 2.5, "k": "3"}, {"x": 2.5, "k": True}):
        with pytest.raises(ParamsError, match="expected a"):  # what was tried is never guessed
            study.add({**given, "flag": True}, 1)
    with pytest.raises(OutcomeError, match="the text '4,5'"):
        study.tell(study.ask(), "4,5")


def test_27_an_objective_that_cannot_be_pickled_is_told_so_before_it_costs_a_trial():
    study = Study(LINE, seed=0)
    with ProcessPoolExecutor(1) as pool, pytest.raises(ObjectiveError, match="cannot be pickled"):
        study.optimize(lambda p: p["x"], 3, executor=pool)
    assert study.trials == []


def test_28_a_seed_holds_with_workers():
    def run(workers: int) -> list[object]:
        study = Study(LINE, seed=7)
        with ThreadPoolExecutor(workers) as pool:
            study.optimize(
                lambda p: math.sin(5 * p["x"]), 14, executor=pool, ordered=True, progress=False
            )
        return [trial.params["x"] for trial in study.trials]

    assert run(3) == run(3)
    assert run(3)[:5] == run(1)[:5]  # the first design does not depend on the workers


NAMES = ["two words", 'it\'s "quoted"', "Температура", "🧪", "<b>x</b>", "a;b,c", "'; DROP TABLE t"]


@pytest.mark.parametrize("storage", ["memory", "sqlite"])
def test_31_parameters_may_be_called_anything(storage: str, tmp_path):
    url = None if storage == "memory" else f"sqlite:///{tmp_path / 'lab.db'}"
    space = {name: Float(0, 1) for name in NAMES} | {"кат": Categorical(NAMES)}
    study = Study(space, seed=0, storage=url, name="имя 🧪 <i>'\"")
    told(study, 6, lambda p: p["🧪"])
    assert [list(trial.params) for trial in study.trials] == [[*NAMES, "кат"]] * 6
    if url is not None:
        again = Study.load(study.name, storage=url)
        assert again.trials == study.trials
        assert again.space == study.space
    assert "🧪 = " in study.explain(5)
