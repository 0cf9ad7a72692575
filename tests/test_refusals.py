"""What must not be stored, lost or accepted silently."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

import pathmax
from pathmax import gp, theory
from pathmax.acquisition import GridDomain, choose
from pathmax.errors import (
    ExhaustedError,
    ModelError,
    ObjectiveError,
    ParamsError,
    PathmaxError,
    SettingsError,
    SpaceError,
    TrialError,
)

SPACE = {"x": pathmax.Float(0, 1)}


@pytest.mark.parametrize("storage", [None, "sqlite:///notes.db"])
def test_a_note_is_text_and_a_bad_one_stores_nothing(storage, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    study = pathmax.Study(SPACE, name="notes", storage=storage, seed=0)
    trial = study.ask()
    for bad in ({"note": 5}, {"attributes": [1]}, {"attributes": {"a": float("nan")}}):
        with pytest.raises(TrialError, match=r"note is text|attributes"):
            study.tell(trial, 1.0, **bad)
        with pytest.raises(TrialError, match=r"note is text|attributes"):
            study.add({"x": 0.5}, 1.0, **bad)
        with pytest.raises(TrialError, match=r"note is text|attributes"):
            study.annotate(trial, **bad)
    told = study.tell(trial, 1.0, note="fine", attributes={"batch": 3})
    assert (told.value, told.note, told.attributes) == (1.0, "fine", {"batch": 3})
    assert len(study.trials) == 1


@pytest.mark.parametrize(
    "wrong",
    [{"method": "guess"}, {"seed": -1}, {"direction": "up"}, {"name": " "}, {"noise": "much"}],
    ids=str,
)
def test_a_wrong_setting_leaves_no_database_behind(wrong: dict, tmp_path):
    place = tmp_path / "lab.db"
    with pytest.raises(SettingsError, match=next(iter(wrong))):
        pathmax.Study(SPACE, storage=place, **wrong)
    assert not place.exists()


@pytest.mark.parametrize("call", [pathmax.maximize, pathmax.minimize])
@pytest.mark.parametrize(
    "wrong",
    [
        {"n_trials": -1},
        {"n_trials": "ten"},
        {"budget": -1.0},
        {"timeout": "1h"},
        {"timeout": float("nan")},
        {"workers": 8},
        {"workers": 0},
        {"executor": 4},
        {"on_error": "ignore"},
        {"progress": "no"},
        {"ordered": "no"},
        {"stop": 0.5},
        {"objective": 71.3},
        {"objective": lambda params: 0.0, "executor": ProcessPoolExecutor(1)},
        {"n_jobs": 2},
        {"method": "guess"},
    ],
    ids=" ".join,
)
def test_a_wrong_argument_of_maximize_stores_nothing(call, wrong: dict, tmp_path):
    place, storage = tmp_path / "lab.db", pathmax.storage.MemoryStorage()
    given = {"objective": abs, "space": SPACE, "progress": False} | wrong
    for where in (place, storage):
        with pytest.raises((SettingsError, ObjectiveError), match=r"must be|needs|cannot|has no"):
            call(**given, storage=where)
    assert not place.exists()
    assert storage.studies() == []


@pytest.mark.parametrize("reason", [5, None, ZeroDivisionError("x"), ["spilt"]], ids=repr)
def test_a_reason_is_text_and_a_bad_one_stores_nothing(reason):
    study = pathmax.Study(SPACE, seed=0)
    trial = study.ask()
    with pytest.raises(TrialError, match=r"a reason is text, got .*str\(error\)"):
        study.fail(trial, reason)
    assert study.trials == [trial]


WRONG = {
    "n_paths": (lambda s: s.regret("400"), "n_paths .*400 without quotes"),
    "n_paths of a ranking": (lambda s: s.best_probabilities(1.5), "n_paths must be a whole"),
    "n_paths of advice": (lambda s: s.replicate_or_explore(0.5), "n_paths must be a whole"),
    "quantile": (lambda s: s.regret(20).quantile("x"), "probability must be a number from 0 to 1"),
    "top": (lambda s: s.best_probabilities(20).top(-1), "n must be a whole number, 0 or more"),
    "regret": (lambda s: pathmax.StopWhen(regret="0.5"), "regret must be .*0.5 without quotes"),
    "probability": (lambda s: pathmax.StopWhen(regret=1, probability="x"), "probability must be"),
    "after": (lambda s: pathmax.StopWhen(regret=1, after=2.5), "after must be a whole number"),
    "one point": (lambda s: s.predict({"x": 0.5}), r"a list of dicts.*write \[params\]"),
    "no points": (lambda s: s.predict(5), "params must be a list of dicts, got 5"),
    "noise": (lambda s: s.add({"x": 0.5}, 1.0, noise="low"), "noise is the variance.*'low'"),
    "options": (lambda s: pathmax.Study(SPACE, options={1: 2, "a": 3}), "options: .*got 1"),
    "value": (lambda s: s.tell(0, None), r"got None.*study\.fail\(trial\)"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_of_the_wrong_kind_is_refused_in_words(what: str):
    study = pathmax.Study(SPACE, seed=0)
    for x in (0.1, 0.5, 0.8):
        study.add({"x": x}, x)
    call, words = WRONG[what]
    with pytest.raises(PathmaxError, match=words):
        call(study)


def test_a_refused_tell_leaves_the_note_alone():
    study = pathmax.Study(SPACE, seed=0)
    trial = study.ask()
    study.tell(trial, 1.0, note="first", attributes={"k": 1})
    with pytest.raises(TrialError):
        study.tell(trial, 2.0, note="second", attributes={"k": 2})
    kept = study.trials[0]
    assert (kept.value, kept.note, kept.attributes) == (1.0, "first", {"k": 1})


def test_a_batch_larger_than_what_is_left_gives_what_is_left():
    pool = pathmax.Candidates([{"a": i} for i in range(5)])
    study = pathmax.Study(pool, seed=0)
    batch = study.ask(8)
    assert sorted(trial.params["a"] for trial in batch) == [0, 1, 2, 3, 4]
    with pytest.raises(ExhaustedError):
        study.ask(2)


@pytest.mark.parametrize(
    "space",
    [
        {f"b{i}": pathmax.Categorical([0, 1]) for i in range(64)},
        {f"n{i}": pathmax.Int(0, 60_000) for i in range(5)},
    ],
    ids=["64 binaries", "5 wide integers"],
)
def test_a_finite_space_may_be_larger_than_can_be_numbered(space):
    first = pathmax.Study(space, seed=0).ask(2)
    study = pathmax.Study(space, seed=0)
    study.add(first[1].params, 1.0)  # the point that comes next is taken
    assert study.ask().params != first[1].params


def test_workers_need_an_executor():
    study = pathmax.Study(SPACE, seed=0)
    with pytest.raises(SettingsError, match="needs an executor"):
        study.optimize(lambda p: p["x"], n_trials=2, workers=8, progress=False)
    with ThreadPoolExecutor(2) as executor:
        study.optimize(lambda p: p["x"], n_trials=2, workers=2, executor=executor, progress=False)
    assert len(study.trials) == 2


def test_bounds_are_for_one_variance_everywhere_and_never_nan():
    with pytest.raises(ModelError, match="same variance everywhere"):
        theory.bcr_bound(
            "pims", horizon=5, noise=0.1, gamma=1.0, cardinality=10, kernel=gp.Linear(1.0)
        )
    bound = theory.bcr_bound("gp-ucb", horizon=1, noise=0.1, gamma=1.0, cardinality=2)
    assert np.isfinite(bound)


def test_running_points_on_a_kept_grid_are_the_believers_posterior(rng):
    axes = [np.linspace(0, 1, 6)] * 2
    grid = gp.GridPosterior.of(gp.GaussianProcess(gp.RBF(0.4), 1e-4), axes).condition(3, 0.5)
    running = grid.axes.points([7, 20])
    kept = choose("pims", grid, GridDomain(axes), np.random.default_rng(1), pending=running)
    fresh = choose("pims", grid.model, GridDomain(axes), np.random.default_rng(1), pending=running)
    assert kept.index == fresh.index
    assert kept.info["g_star"] == pytest.approx(fresh.info["g_star"])


CALLS = {
    "tell": lambda study, trial: study.tell(trial, 1.0),
    "fail": lambda study, trial: study.fail(trial),
    "correct": lambda study, trial: study.correct(trial, 1.0),
    "annotate": lambda study, trial: study.annotate(trial, note="x"),
    "explain": lambda study, trial: study.explain(trial),
    "replay": lambda study, trial: study.replay(trial),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_trial_of_another_study_is_refused_by_name(call: str):
    here, there = (pathmax.Study(SPACE, name=name, seed=0) for name in ("here", "there"))
    here.ask()
    stranger = there.ask()
    with pytest.raises(TrialError, match="trial 0 belongs to study 'there', not to 'here'"):
        CALLS[call](here, stranger)
    assert [(t.state, t.note) for t in here.trials] == [("running", None)]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("seeds", [(0, 1), (0, 0)], ids=["other point", "same point"])
def test_a_trial_of_a_study_of_the_same_name_is_refused(call: str, seeds: tuple[int, int]):
    here, there = (pathmax.Study(SPACE, seed=seed) for seed in seeds)
    stranger = there.ask()
    here.storage._clock = lambda: stranger.asked_at + 1.0
    here.ask()
    with pytest.raises(
        TrialError, match=r"another study that is called 'study' too.*: it (has|was)"
    ):
        CALLS[call](here, stranger)
    with pytest.raises(TrialError, match=r"'study' has no trial 1; its trials are 0 to 0"):
        CALLS[call](here, there.ask())
    assert [(t.state, t.note) for t in here.trials] == [("running", None)]


def test_a_trial_of_this_study_is_known_wherever_it_was_asked(tmp_path):
    url = f"sqlite:///{tmp_path / 'lab.db'}"
    here = pathmax.Study(SPACE, name="s", storage=url, seed=0)
    there = pathmax.Study.load("s", storage=url)
    one, two, three = here.ask(3)
    assert there.tell(one, 1.0).value == 1.0
    assert there.tell(pathmax.Trial.from_json(two.to_json()), 2.0).value == 2.0
    by_hand = pathmax.Trial(number=2, params=three.params)
    assert here.annotate(by_hand, note="x").note == "x"
    assert here.tell(there.trials[2], 3.0).study == "s"


def test_whole_numbers_of_thousands_of_digits() -> None:
    many = 10**5000
    Categorical, Float, Int = pathmax.Categorical, pathmax.Float, pathmax.Int
    line = {"x": Float(0, 1)}
    for error, call in (
        (SettingsError, lambda: pathmax.Study(line, seed=many)),
        (SettingsError, lambda: pathmax.Study(line, noise=many)),
        (SettingsError, lambda: pathmax.Study(line, initial=many)),
        (SettingsError, lambda: pathmax.Study(line).ask(many)),
        (TrialError, lambda: pathmax.Study(line).tell(many, 1.0)),
        (ParamsError, lambda: pathmax.Study(line).add({"x": many}, 1.0)),
        (ParamsError, lambda: pathmax.Study({"x": Categorical([1, 2])}).add({"x": many}, 1.0)),
        (SpaceError, lambda: pathmax.Study({"x": Categorical([many, 2])})),
        (SpaceError, lambda: pathmax.Study({"x": many, "y": Float(0, 1)})),
        (SpaceError, lambda: pathmax.Study({"x": Int(0, many)})),
    ):
        with pytest.raises(error, match=r"too long to be shown|more than 308 digits|inf"):
            call()
