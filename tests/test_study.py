"""Ask, tell, fail, add, and what a study says about its trials."""

import math
import threading

import numpy as np
import pytest

import pathmax
from pathmax import Categorical, Float, Int, Study, Trial, TrialState, gp
from pathmax.errors import (
    OutcomeError,
    ParamsError,
    SettingsError,
    SpaceChangedError,
    SpaceError,
    StorageFullError,
    StudyNotFoundError,
    TrialError,
)

SPACE = {"x": Float(-1, 1), "k": Int(1, 4), "c": Categorical(["a", "b"]), "fixed": "DMF"}
LINE = {"x": Float(0, 1)}


def run(study: Study, n: int) -> None:
    """n trials of a parabola with its top at x = 0.3."""
    for _ in range(n):
        trial = study.ask()
        study.tell(trial, -((float(trial.params["x"]) - 0.3) ** 2))


def test_a_suggestion_is_a_running_trial_inside_the_space():
    study = Study(SPACE, seed=0)
    for number in range(8):
        trial = study.ask()
        assert trial.number == number
        assert trial.state is TrialState.RUNNING
        assert study.space.validate(trial.params) == trial.params
        assert trial.params["fixed"] == "DMF"
        study.tell(trial, float(number))
    assert [trial.value for trial in study.trials] == [float(i) for i in range(8)]


def test_a_batch_is_spread_out_and_takes_running_trials_into_account():
    nearest, farthest = [], []
    for seed in range(6):
        study = Study({"x": Float(0, 1), "y": Float(0, 1)}, seed=seed)
        for _ in range(8):
            trial = study.ask()
            study.tell(trial, math.sin(7 * trial.params["x"]) * math.cos(5 * trial.params["y"]))
        batch = study.ask(6)
        assert [trial.number for trial in batch] == list(range(8, 14))
        pending = [trial.info["pending"] for trial in batch]
        assert pending == [list(range(8, 8 + i)) for i in range(6)]
        points = study.space.encode_many([trial.params for trial in batch])
        gaps = np.linalg.norm(points[:, None] - points[None], axis=2)[np.triu_indices(6, 1)]
        nearest.append(gaps.min())
        farthest.append(gaps.max())
    # of seeds 0 to 11 the least gap is 0.002, the largest gaps are 0.08 to 0.9: how sure the model
    # is of one top depends on the eight points it has seen
    assert min(nearest) > 1e-3
    assert max(farthest) > 0.5


def test_a_batch_has_a_whole_number_of_trials():
    study = Study(LINE, seed=0)
    assert study.ask(0) == []
    for wrong in (-1, 1.5, "two"):
        with pytest.raises(SettingsError, match="n must be a whole number"):
            study.ask(wrong)  # type: ignore[call-overload]
        with pytest.raises(SettingsError, match="n_trials must be a whole number"):
            study.optimize(lambda params: 1.0, wrong)


def test_the_first_design_is_a_latin_hypercube_whatever_the_answers():
    study = Study({"x": Float(0, 1), "y": Float(0, 1)}, seed=3, initial=8)
    batch = study.ask(8)
    for name in ("x", "y"):
        slices = sorted(int(8 * float(trial.params[name])) for trial in batch)
        assert slices == list(range(8))
    assert {trial.info["method"] for trial in batch} == {"design"}


def test_the_design_goes_on_while_nothing_is_told():
    batch = Study(LINE, seed=0, initial=4).ask(10)
    assert {trial.info["method"] for trial in batch} == {"design"}
    assert len({trial.params["x"] for trial in batch}) == 10


@pytest.mark.parametrize("more", [8, 10, 20])
def test_a_design_of_more_points_is_one_latin_hypercube(more):
    batch = Study({"x": Float(0, 1), "y": Float(0, 1)}, seed=3, initial=5).ask(more)
    for count in (5, 10, 20):
        for name in ("x", "y"):
            slices = [int(count * float(trial.params[name])) for trial in batch[:count]]
            assert len(set(slices)) == len(slices)


def test_a_design_within_known_constraints_goes_on_apart_from_its_first_points():
    space = {"x": Float(0, 1), "y": Float(0, 1)}
    study = Study(space, seed=5, initial=4, where=["x + y <= 1"])
    U = np.array([[float(v) for v in trial.params.values()] for trial in study.ask(8)])
    gaps = np.linalg.norm(U[:, None] - U, axis=2)[~np.eye(8, dtype=bool)]
    assert gaps.min() > 0.18  # 0.09 between two designs of four


def test_earlier_results_take_the_place_of_the_design():
    study = Study(LINE, seed=0, initial=5)
    for x in np.linspace(0, 1, 6):
        study.add({"x": x}, float(np.sin(3 * x)))
    trial = study.ask()
    assert trial.info["method"] == "pims"
    assert trial.info["n_observations"] == 6


@pytest.mark.parametrize("method", pathmax.acquisition.METHODS)
def test_every_method_suggests_and_says_why(method: str):
    study = Study(LINE, seed=0, method=method)
    run(study, 7)
    trial = study.ask()
    assert trial.info["method"] == method
    assert trial.info["seed"] == [0, 7]
    assert trial.info["n_observations"] == 7
    if method != "random":
        assert {"mean", "std", "kernel"} <= trial.info.keys()
        section = trial.info["outcomes"]["value"]
        assert {"mean", "std", "standard", "model"} <= section.keys()
        assert {"kernel", "noise", "transform", "fitted_on", "jitter"} <= section["model"].keys()
    assert study.replay(trial) == trial.params


def test_pims_stores_what_its_lemma_is_about():
    for direction, sign in (("maximize", 1.0), ("minimize", -1.0)):
        study = Study(LINE, seed=0, direction=direction)
        for _ in range(7):
            trial = study.ask()
            study.tell(trial, 50.0 + 10.0 * np.sin(5 * float(trial.params["x"])))
        info = study.ask().info
        # Lemma A.1: mean + xi std = g*, in the units of the model, where larger is better
        seen = info["outcomes"]["value"]["standard"]
        assert seen["mean"] + info["xi"] * seen["std"] == pytest.approx(seen["g_star"])
        assert sign * (info["g_star"] - info["mean"]) > 0
        assert study.space.validate(info["x_star"]) == info["x_star"]


def test_a_trial_is_told_by_itself_or_by_its_number():
    study = Study(LINE, seed=0)
    one, two = study.ask(2)
    assert study.tell(one, 1.0).value == 1.0
    assert study.tell(np.int64(two.number), 2.0).value == 2.0
    assert study.best_trial.number == 1


def test_a_trial_is_told_once():
    study = Study(LINE, seed=0)
    trial = study.ask()
    study.tell(trial, 1.0)
    with pytest.raises(TrialError, match="already told"):
        study.tell(trial, 2.0)
    with pytest.raises(TrialError, match="no trial 7"):
        study.tell(7, 2.0)
    with pytest.raises(TrialError, match="expected a trial or its number"):
        study.tell("first", 2.0)  # type: ignore[arg-type]


def test_a_value_that_is_no_number_leaves_the_trial_running():
    study = Study(LINE, seed=0)
    trial = study.ask()
    with pytest.raises(OutcomeError, match="got the text 'high'"):
        study.tell(trial, "high")
    assert study.tell(trial, "71.3").value == 71.3


def test_notes_and_attributes_are_kept_with_a_trial():
    study = Study(LINE, seed=0)
    trial = study.tell(study.ask(), 1.0, noise=0.25, note="cloudy", attributes={"batch": 7})
    assert (trial.noise, trial.note, trial.attributes) == (0.25, "cloudy", {"batch": 7})
    again = study.annotate(trial, note="clear", attributes={"by": "me"})
    assert again.note == "clear"
    assert again.attributes == {"batch": 7, "by": "me"}
    assert study.trials[0].value == 1.0
    added = study.add({"x": 0.5}, 2.0, note="from 1998", attributes={"page": 12})
    assert (added.note, added.attributes) == ("from 1998", {"page": 12})


def test_params_that_do_not_fit_are_refused_and_nothing_is_added():
    study = Study(SPACE, seed=0)
    with pytest.raises(ParamsError, match=r"x: .*3"):
        study.add({"x": 3.0, "k": 1, "c": "a"}, 1.0)
    assert study.trials == []


def test_the_best_trial_follows_the_direction():
    for direction, best in (("maximize", 2), ("minimize", 1)):
        study = Study(LINE, direction=direction)
        for x, value in ((0.1, 5.0), (0.2, -3.0), (0.3, 9.0)):
            study.add({"x": x}, value)
        assert study.best_trial.number == best


def test_no_best_trial_is_an_error_that_says_why():
    study = Study(LINE)
    with pytest.raises(TrialError, match="no trial has a value yet"):
        _ = study.best_trial
    study.fail(study.ask(), "the flask broke")
    with pytest.raises(TrialError, match="the last one to fail was 0: the flask broke"):
        _ = study.best_trial


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_the_recommendation_is_where_the_posterior_is_best(direction: str):
    study = Study(LINE, seed=0, direction=direction)
    sign = 1.0 if direction == "maximize" else -1.0
    for x in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        study.add({"x": x}, -sign * (x - 0.53) ** 2)
    found = study.recommend()
    assert float(found["x"]) == pytest.approx(0.53, abs=0.02)
    mean, std = study.predict([found, {"x": 0.0}])
    assert sign * mean[0] > sign * mean[1]
    assert mean[1] == pytest.approx(-sign * 0.53**2, abs=0.02)
    assert (std > 0).all()


def test_the_recommendation_of_a_pool_or_grid_is_its_best_row():
    pool = pathmax.Candidates([{"name": f"m{i}", "x": i / 10} for i in range(11)], id="name")
    grid = pathmax.Grid({"x": [0, 0.1, 0.2, 0.4, 0.5, 0.7, 1.0]})
    for domain in (pool, grid):
        study = Study(domain, seed=0)
        for row in (0, 1, 4, 6):
            params = domain.params(row)
            study.add(params, float(np.sin(4 * float(params["x"]))))
        rows = [domain.params(row) for row in range(len(domain))]
        # of the most probable parameters, where `predict` is a mean over all that are plausible
        mean, _ = study.posterior().model.predict(study.space.encode_many(rows))
        assert study.recommend() == rows[int(np.argmax(mean))]


def test_without_values_there_is_nothing_to_recommend():
    with pytest.raises(TrialError, match="no trial has a value yet"):
        Study(LINE).recommend()


def test_a_fixed_model_speaks_in_the_units_given():
    kernel = gp.RBF(lengthscale=0.2, outputscale=9.0)
    study = Study(LINE, kernel=kernel, noise=1e-6, refit_every=None, seed=0, initial=2)
    run(study, 4)
    trial = study.ask()
    model, outcomes = study.posterior()
    assert model.kernel == kernel
    assert (outcomes.shift, outcomes.scale) == (0.0, 1.0)
    X = np.array([[float(t.params["x"])] for t in study.trials[:4]])
    y = np.array([t.value for t in study.trials[:4]])
    mean, std = gp.GaussianProcess(kernel, 1e-6).condition(X, y).predict([[trial.params["x"]]])
    assert trial.info["mean"] == pytest.approx(mean[0], abs=1e-6)
    assert trial.info["std"] == pytest.approx(std[0], rel=1e-4)
    assert trial.info["kernel"] == kernel.to_json()


def test_optimising_finds_the_top():
    study = Study(LINE, seed=0)
    run(study, 15)
    assert float(study.best_trial.params["x"]) == pytest.approx(0.3, abs=0.01)


def test_threads_may_share_a_study():
    study = Study(LINE, seed=0)

    def work() -> None:
        for _ in range(5):
            trial = study.ask()
            study.tell(trial, float(trial.params["x"]))

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(trial.number for trial in study.trials) == list(range(20))
    assert len({trial.params["x"] for trial in study.trials}) == 20


def test_a_study_continues_under_its_name(tmp_path):
    url = f"sqlite:///{tmp_path / 'lab.db'}"
    first = Study(LINE, name="suzuki", storage=url, direction="minimize", seed=4, method="ei")
    run(first, 6)
    again = Study(LINE, name="suzuki", storage=url)
    assert (again.direction, again.settings) == ("minimize", first.settings)
    loaded = Study.load("suzuki", storage=url)
    assert loaded.space == first.space
    assert loaded.trials == first.trials
    assert loaded.ask().params == again.replay(6)


def test_what_is_given_wins_over_what_is_stored(tmp_path):
    url = f"sqlite:///{tmp_path / 'lab.db'}"
    Study(LINE, name="suzuki", storage=url, seed=4, method="ei", initial=9)
    again = Study(LINE, name="suzuki", storage=url, method="ts")
    assert (again.settings.method, again.settings.seed, again.settings.initial) == ("ts", 4, 9)
    assert Study.load("suzuki", storage=url).settings.method == "ei"


def test_two_studies_without_a_name_are_two(tmp_path):
    url = f"sqlite:///{tmp_path / 'lab.db'}"
    assert Study(LINE, storage=url).name != Study(LINE, storage=url).name


def test_an_unknown_study_cannot_be_loaded(tmp_path):
    url = f"sqlite:///{tmp_path / 'lab.db'}"
    Study(LINE, storage=url, name="heck")
    with pytest.raises(StudyNotFoundError, match="no study 'suzuki'"):
        Study.load("suzuki", storage=url)


def test_with_space_keeps_what_still_fits():
    study = Study({"x": Float(0, 1), "solvent": Categorical(["DMF", "THF"])}, seed=0, name="s")
    study.add({"x": 0.2, "solvent": "DMF"}, 1.0, note="kept", noise=0.1)
    study.add({"x": 0.9, "solvent": "DMF"}, 2.0)
    study.add({"x": 0.3, "solvent": "THF"}, 3.0)
    study.add({"x": 0.4, "solvent": "DMF"}, float("nan"))
    study.ask()
    narrow = study.with_space({"x": Float(0, 0.5), "solvent": "DMF"})
    assert narrow.name == "s-2"
    assert [(t.params["x"], t.value) for t in narrow.trials] == [(0.2, 1.0), (0.4, None)]
    assert (narrow.trials[0].note, narrow.trials[0].noise) == ("kept", 0.1)
    assert narrow.settings.seed == 0
    assert len(study.trials) == 5
    assert study.with_space({"x": Float(0, 2), "solvent": "DMF"}, name="wide").name == "wide"
    assert study.with_space({"x": Float(0, 2), "solvent": "DMF"}).name == "s-3"
    assert study.with_space({"x": Float(0, 2)}, direction="minimize").direction == "minimize"
    with pytest.raises(SettingsError, match="there is a study 'wide' already"):
        study.with_space({"x": Float(0, 2), "solvent": "DMF"}, name="wide")


def test_with_space_leaves_nothing_behind_when_it_cannot_be_stored(tmp_path, monkeypatch):
    study = Study(LINE, name="s", storage=f"sqlite:///{tmp_path / 'lab.db'}", seed=0)
    study.add({"x": 0.2}, 1.0)

    def full(*_: object) -> None:
        raise StorageFullError("no room")

    with monkeypatch.context() as patch:
        patch.setattr("pathmax.storage.transaction.Transaction.add", full)
        with pytest.raises(StorageFullError):
            study.with_space({"x": Float(0, 2)})
    assert [record.name for record in study.storage.studies()] == ["s"]
    assert len(study.with_space({"x": Float(0, 2)}).trials) == 1


def test_a_fixed_kernel_does_not_follow_to_other_coordinates():
    kernel = gp.RBF(lengthscale=[0.2])
    study = Study(LINE, kernel=kernel, noise=1e-6, refit_every=None, name="fixed")
    assert study.with_space({"x": Float(0, 2)}).settings.kernel == kernel
    wider = study.with_space({"x": Float(0, 1), "y": "glass", "c": Categorical(["a", "b"])})
    assert (wider.settings.kernel, wider.settings.refit_every) == (None, "auto")


def test_a_study_needs_a_space():
    with pytest.raises(SpaceError, match=r"a study needs a space: .* got a list"):
        Study([Float(0, 1)])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [{"direction": "up"}, {"method": "pim"}, {"seed": "x"}, {"noise": -1}, {"refit_every": 0}],
    ids=str,
)
def test_wrong_settings_are_refused_at_once(wrong: dict[str, object]):
    with pytest.raises(SettingsError):
        Study(LINE, **wrong)


def test_another_direction_is_another_study(tmp_path):
    url = f"sqlite:///{tmp_path / 'lab.db'}"
    Study(LINE, name="suzuki", storage=url, direction="minimize")
    with pytest.raises(SpaceChangedError, match="direction was minimize and is now maximize"):
        Study(LINE, name="suzuki", storage=url, direction="maximize")


def test_a_study_introduces_itself():
    assert repr(Study(LINE, name="suzuki")).startswith("<Study 'suzuki': maximize over Space")


def test_a_trial_of_the_study_is_a_plain_value():
    study = Study(SPACE, seed=0)
    run(study, 6)
    trial = study.ask()
    assert Trial.from_json(trial.to_json()) == trial


def test_parameters_with_steps_and_without_are_searched_together() -> None:
    space = {"load": Float(0.5, 5, step=0.5), "t": Float(0, 1), "n": Int(0, 100, step=25)}
    study = Study(space, direction="maximize", seed=0)
    for _ in range(12):
        trial = study.ask()
        assert (2 * trial.params["load"]).is_integer() and trial.params["n"] % 25 == 0
        gap = abs(trial.params["load"] - 3.1) + abs(trial.params["n"] - 60) / 25
        study.tell(trial, -gap - (trial.params["t"] - 0.4) ** 2)
    assert (study.best_trial.params["load"], study.best_trial.params["n"]) == (3.0, 50)


def test_a_space_of_steps_alone_is_tried_out_to_the_end() -> None:
    study = Study({"x": Float(0, 1, step=0.25)}, direction="maximize", seed=0)
    result = study.optimize(lambda params: params["x"], progress=False)
    assert sorted(t.params["x"] for t in result.trials) == [0.0, 0.25, 0.5, 0.75, 1.0]


def test_a_mistyped_file_is_not_made_by_loading_from_it(tmp_path):
    with pytest.raises(StudyNotFoundError, match=r"no file .*typo\.db; check the path"):
        Study.load("suzuki", storage=f"sqlite:///{tmp_path / 'typo.db'}")
    with pytest.raises(StudyNotFoundError, match=r"no file"):
        Study.load("suzuki", storage=tmp_path / "typo.db")
    assert not list(tmp_path.iterdir())


def test_maximize_takes_a_context():
    space = {"x": Float(0, 1), "humidity": Float(0, 100, context=True)}
    given = {"humidity": 40.0}
    found = pathmax.maximize(
        lambda params: params["x"], space, 3, context=given, progress=False, seed=0
    )
    assert all(trial.params["humidity"] == 40.0 for trial in found.trials)
