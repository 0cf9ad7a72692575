"""A study goes on in another space: the same trials and numbers, each replayed in its own space."""

import pytest

from pathmax import Candidates, Categorical, Float, Grid, Int, Study, gp
from pathmax.errors import (
    KnownConstraintWarning,
    ParamsError,
    SettingsError,
    SpaceChangedError,
    SpaceError,
    TrialError,
)
from pathmax.session.space_change import change_space
from pathmax.space import candidates
from pathmax.trials.stated_goals import read_goals
from pathmax.trials.trial import INTERRUPTED

SPACE = {"t": Float(20, 120), "solvent": Categorical(["DMF", "THF"])}


def value(params: dict) -> float:
    return -(((params["t"] - 60.0) / 50.0) ** 2) + (params["solvent"] == "THF")


def told(study: Study, count: int) -> None:
    for _ in range(count):
        trial = study.ask()
        study.tell(trial, value(trial.params))


@pytest.fixture
def url(tmp_path) -> str:
    return f"sqlite:///{tmp_path / 'lab.db'}"


@pytest.fixture
def study(url: str) -> Study:
    study = Study(SPACE, name="s", storage=url, seed=0, initial=3)
    told(study, 6)
    return study


def replays(study: Study) -> None:
    for trial in study.trials:
        if trial.info:
            assert study.replay(trial) == trial.params, trial.number
            assert f"Trial {trial.number} of" in study.explain(trial)


def test_a_wider_range_goes_on_under_the_same_numbers(study: Study, url: str) -> None:
    before = study.trials
    change = study.change_space({**SPACE, "t": Float(20, 200)})
    assert "t was Float(20.0, 120.0) and is now Float(20.0, 200.0)" in str(change)
    assert not change.left_out and study.trials == before and not study.left_out
    told(study, 2)
    assert [t.number for t in study.trials] == list(range(8))
    assert study.trials[7].info["n_observations"] == 7  # the earlier results are still learnt from
    again = Study.load("s", storage=url)
    assert again.space == study.space
    replays(again)


def test_results_that_no_longer_fit_are_kept_and_not_learnt_from(study: Study, url: str) -> None:
    study.add({"t": 119.0, "solvent": "DMF"}, 99.0)
    running = study.ask()
    change = study.change_space({"t": Float(20, 100), "solvent": Categorical(["DMF", "THF"])})
    outside = [t.number for t in study.trials if t.params["t"] > 100 and t is not running]
    assert 6 in change.left_out and "kept and shown, and left out of the model" in str(change)
    assert {*change.left_out, *change.running} == {t.number for t in study.left_out}
    assert set(outside) >= set(change.left_out)
    assert study.best_trial.number != 6 and study.best_trial.params["t"] <= 100
    told(study, 2)
    fitting = [t for t in study.trials[:8] if t.value is not None and t.params["t"] <= 100]
    assert study.trials[8].info["n_observations"] == len(fitting)
    assert study.best_probabilities(n_paths=20).top(1) and study.regret(n_paths=20).mean >= 0
    study.tell(running, value(running.params))  # whatever the space is now
    replays(Study.load("s", storage=url))


def test_parameters_may_come_and_go_and_the_direction_may_be_mended(study: Study, url: str) -> None:
    more = {**SPACE, "solvent": Categorical(["DMF", "THF", "water"])}
    study.change_space(more, direction="minimize")
    assert study.direction == "minimize" and not study.left_out
    assert study.best_trial.value == min(t.value for t in study.trials)
    told(study, 2)
    change = study.change_space({**more, "layers": Int(1, 4)})
    assert "layers was added" in str(change) and len(change.left_out) == 8
    told(study, 2)  # a design until there is a result again
    assert study.best_trial.number in (8, 9)
    assert len(study.change_space(more).left_out) == 2  # what was left out fits again
    told(study, 1)
    again = Study.load("s", storage=url)
    assert len(again.storage.load("s").earlier_spaces) == 3
    assert again.trials[10].info["n_observations"] == 8
    replays(again)
    result = again.optimize(value, n_trials=1, progress=False)
    assert result.best_trial.number not in (8, 9)


def test_a_kernel_of_other_coordinates_does_not_go_along(url: str) -> None:
    kernel = gp.RBF(lengthscale=[0.2, 0.3])
    study = Study({"a": Float(0, 1), "b": Float(0, 1)}, name="k", storage=url, kernel=kernel)
    study.add({"a": 0.5, "b": 0.5}, 1.0)
    study.change_space({"a": Float(0, 1), "b": Float(0, 1), "c": "fixed"})
    assert study.settings.kernel is not None
    study.change_space({"a": Float(0, 1)})
    assert study.settings.kernel is None and study.ask().params.keys() == {"a"}


@pytest.mark.parametrize("finite", ["pool", "grid"])
def test_pools_and_grids_grow(finite: str) -> None:
    def domain(count: int) -> Candidates | Grid:
        if finite == "grid":
            return Grid({"x": list(range(count)), "y": [0.0, 1.0]})
        return Candidates([{"x": float(i), "y": float(i % 2)} for i in range(count)])

    study = Study(domain(8), seed=0, initial=2)
    for _ in range(5):
        trial = study.ask()
        study.tell(trial, float(trial.params["x"]))
    assert not study.change_space(domain(12)).left_out
    trial = study.ask()
    study.tell(trial, float(trial.params["x"]))
    gone = {t.number for t in study.trials if t.params["x"] >= 3}
    assert {t.number for t in study.left_out} == set()
    assert set(study.change_space(domain(3)).left_out) == gone
    replays(study)


def test_another_holder_loads_the_study_again(study: Study, url: str) -> None:
    other = Study.load("s", storage=url)
    running = other.ask()
    study.change_space({**SPACE, "t": Float(20, 200)})
    with pytest.raises(SpaceChangedError, match="load the study again"):
        other.ask()
    other.tell(running, 1.0)
    assert study.trials[6].value == 1.0


def test_nothing_changes_when_nothing_is_different(study: Study) -> None:
    assert not study.change_space(SPACE) and not study.change_space()
    assert not study.storage.load("s").earlier_spaces
    with pytest.raises(SettingsError, match="direction"):
        study.change_space(direction="up")
    assert study.direction == "maximize"
    with pytest.raises(ParamsError):
        study.add({"t": 130.0, "solvent": "THF"}, 1.0)
    study.change_space({**SPACE, "t": Float(20, 130)})
    study.add({"t": 130.0, "solvent": "THF"}, 1.0)


def test_what_is_learnt_from_and_no_longer_fits_is_said(url: str) -> None:
    rows = [
        {"t": t, "solvent": "THF", "value": value({"t": t, "solvent": "THF"})}
        for t in (30, 90, 110)
    ]
    study = Study(SPACE, name="s", storage=url, seed=0, learn_from=[rows])
    change = study.change_space({"t": Float(20, 100), "solvent": Categorical(["DMF", "THF"])})
    ((name, lost, total),) = change.not_lent
    assert (lost, total) == (1, 3)
    assert f"1 of the 3 rows of {name}, which it learns from, fits no longer" in str(change)
    again = study.change_space(SPACE)
    assert again.not_lent == () and "learns from" not in str(again)


def test_results_that_no_longer_count_are_not_called_missing():
    study = Study({"t": Float(20, 100)}, where=["t <= 50"], seed=0)
    with pytest.warns(KnownConstraintWarning):
        study.add({"t": 80}, 1.0)
    with pytest.raises(TrialError, match="of 1 result none is in the present space and obeys"):
        study.best_trial  # noqa: B018
    assert study.recommend()["t"] <= 50
    study.change_space({"t": Float(20, 60)})
    with pytest.raises(TrialError, match="of 1 result none is in the present space and obeys"):
        study.best_trial  # noqa: B018
    with pytest.raises(TrialError, match="no result is in the present space, so there is no model"):
        study.recommend()


def test_bounds_and_reference_of_a_study_can_be_changed():
    study = Study(
        {"x": Float(0, 1)},
        objectives={"a": "maximize", "b": "minimize"},
        constraints={"c": "<= 1"},
        reference={"a": 9, "b": 0},
        seed=0,
    )
    study.add({"x": 0.5}, {"a": 1.0, "b": 1.0, "c": 0.8})
    assert "no result is better than the reference" in study.explain(study.ask())
    change = study.change_space(reference={"a": 0, "b": 2}, constraints={"c": "<= 0.9"})
    assert "counted from a 9, b 0 and are now" in str(change) and "c <= 0.9" in str(change)
    assert "reference" not in study.explain(study.ask())
    assert study.goals.named("c").high == 0.9
    with pytest.raises(SpaceChangedError, match=r"change_space\(space, objectives=\.\.\., constr"):
        Study(study.space, storage=study.storage, name=study.name, objectives=["a"],
              constraints={"c": ">= 0"})  # fmt: skip


def test_goals_that_the_method_is_not_made_for_are_refused_before_they_are_stored():
    study = Study({"x": Float(0, 1)}, method="mes", seed=0)
    with pytest.raises(SettingsError, match="mes is for one objective without constraints"):
        study.change_space(constraints={"c": "<= 1"})
    assert study.goals.is_single


def test_results_without_any_of_the_new_outcomes_are_named():
    """They told nothing any more, and the change did not say so."""
    study = Study({"x": Float(0, 1)}, seed=0)
    study.add({"x": 0.5}, 1.0)
    study.add({"x": 0.6}, 2.0)
    change = study.change_space(objectives={"yield": "maximize", "cost": "minimize"})
    assert change.untold == (0, 1)
    words = "2 results (trials 0, 1) have none of the outcomes that are wanted now"
    assert words in str(change)
    assert study.tell(0, {"yield": 1.0, "cost": 3.0}).outcomes["yield"] == 1.0
    other = study.change_space(objectives={"yield": "maximize"})
    assert other.untold == (1,) and "1 result (trial 1) has none" in str(other)
    assert not study.change_space(constraints={"cost": "<= 5"}).untold[1:]


def test_results_without_any_of_the_new_outcomes_are_no_part_of_the_model():
    """Six of them were enough for a model of nothing, and `ask` ended in an error of NumPy."""
    study = Study(SPACE, seed=0, initial=3)
    told(study, 6)
    study.change_space(objectives={"yield": "maximize", "cost": "minimize"})
    with pytest.raises(TrialError, match="no result has yield or cost, so there is no model"):
        study.predict([{"t": 50.0, "solvent": "DMF"}], "yield")
    asked = study.ask()
    assert asked.info["method"] == "design" and asked.info["n_observations"] == 0
    study.tell(asked, {"yield": 1.0, "cost": 2.0})
    assert study.ask().info["n_observations"] == 1
    study.tell(2, {"yield": 3.0})  # measured since
    assert study.ask().info["n_observations"] == 2
    replays(study)
    assert "2 results, 2 running" in study._repr_html_()
    study.change_space(objectives={"purity": "maximize"})
    with pytest.raises(TrialError, match="no trial has a value of purity yet; 7 trials had"):
        study.best_trial  # noqa: B018


def test_a_row_is_free_again_when_none_of_its_outcomes_is_wanted_any_more():
    """What is wanted now is not known there. Where a part of it is, the rest is still to come."""
    study = Study(Candidates([{"x": float(i)} for i in range(5)]), objectives=["yield"], seed=0)

    def rows_left() -> list[float]:
        """The rows that are suggested one after the other; they are given back afterwards."""
        asked = study.ask(10)
        for trial in asked:
            study.fail(trial, INTERRUPTED)
        return sorted(trial.params["x"] for trial in asked)

    for trial in study.ask(2):
        study.tell(trial, {"yield": 1.0})
    study.fail(study.ask(), "it exploded")
    measured = [trial.params["x"] for trial in study.trials if trial.outcomes]
    broken = study.trials[2].params["x"]
    others = sorted({0.0, 1.0, 2.0, 3.0, 4.0} - {*measured, broken})
    assert rows_left() == others
    study.change_space(objectives={"yield": "maximize", "cost": "minimize"})
    assert rows_left() == others  # tell what is missing: study.tell(0, {"cost": 3.2})
    study.change_space(objectives={"purity": "maximize"})
    assert rows_left() == sorted([*measured, *others])  # what failed has failed for all outcomes
    study.tell(0, {"purity": 0.9})
    assert rows_left() == sorted([measured[1], *others])
    replays(study)


def test_an_outcome_that_is_wanted_now_is_told_to_a_trial_from_before(url: str):
    """With one outcome it was refused as told already, and `correct` threw away what was known."""
    study = Study(
        {"x": Float(0, 1)}, objectives=["yield"], storage=url, name="s", seed=0, initial=2
    )
    for trial in study.ask(3):
        study.tell(trial, 1.0, noise=0.25)
    study.change_space(objectives={"purity": "maximize"})
    told = study.tell(0, 0.9)
    assert told.outcomes == {"yield": 1.0, "purity": 0.9}
    assert (told.noise_of("yield"), told.noise_of("purity")) == (0.25, None)
    assert study.tell(1, 0.8, noise=0.01).noise_of("purity") == 0.01
    assert study.trials[1].noise_of("yield") == 0.25
    with pytest.raises(TrialError, match="trial 0 of study 's' is already told"):
        study.tell(0, 0.7)
    assert study.best_trial.number == 0
    assert study.ask().info["n_observations"] == 2
    study.change_space(objectives={"yield": "maximize", "cost": "minimize"})
    added = study.tell(2, {"cost": 3.0})
    assert (added.noise_of("yield"), added.noise_of("cost")) == (0.25, None)
    assert added.earlier[0].noise_of("yield") == 0.25
    replays(study)


@pytest.mark.parametrize("by_name", [True, False])
def test_a_correction_keeps_outcomes_that_were_wanted_before(url: str, by_name: bool):
    """They were thrown away, with the noise of the corrected one, where one outcome is wanted."""
    study = Study({"x": Float(0, 1)}, objectives=["yield", "cost"], storage=url, seed=0)
    study.tell(study.ask(), {"yield": 1.0, "cost": 2.0}, noise={"cost": 0.5})
    study.change_space(objectives={"purity": "maximize"})
    study.tell(0, 0.9, noise=0.25)
    corrected = study.correct(0, {"purity": 0.7} if by_name else 0.7)
    assert corrected.outcomes == {"yield": 1.0, "cost": 2.0, "purity": 0.7}
    assert [corrected.noise_of(name) for name in corrected.outcomes] == [None, 0.5, 0.25]
    assert study.correct(0, 0.6, noise=0.01).noise_of("purity") == 0.01


def test_one_unnamed_objective_takes_the_place_of_several(url: str):
    """It was said to, and the stored goals stayed."""
    wanted = {"value": "maximize", "cost": "minimize"}
    study = Study({"x": Float(0, 1)}, objectives=wanted, name="s", storage=url, seed=0, initial=2)
    for trial in study.ask(3):
        study.tell(trial, {"value": trial.params["x"], "cost": 1.0})
    study.change_space(objectives={"value": "minimize"})
    for held in (study, Study.load("s", storage=url)):
        assert held.goals.is_single and held.direction == "minimize"
    assert study.ask().info["n_observations"] == 3
    study.tell(3, 0.5)
    replays(study)
    Study({"x": Float(0, 1)}, direction="minimize", name="s", storage=url)


def test_goals_that_the_settings_cannot_serve_are_refused_before_anything_changes(url: str):
    """The change was stored, and every suggestion refused from then on."""
    fixed = {"kernel": gp.RBF(0.2), "refit_every": None}
    study = Study({"x": Float(0, 1)}, objectives=["a", "b"], noise={"a": 0.1, "b": 0.1}, **fixed)
    with pytest.raises(SettingsError, match="a variance of every outcome; c has none"):
        study.change_space(objectives=["a", "c"])
    assert study.goals.names == ("a", "b")
    study.change_space(objectives=["b", "a"])
    Study({"x": Float(0, 1)}, method="gp-ucb", name="s", storage=url)
    storage, goals = Study.load("s", storage=url).storage, read_goals(None, ["a", "b"])
    for given in ({}, {"method": "mes"}):
        with pytest.raises(SettingsError, match="for one objective without constraints"):
            change_space(storage, "s", {"x": Float(0, 1)}, goals, given)
    session, _ = change_space(storage, "s", {"x": Float(0, 1)}, goals, {"method": "ts"})
    assert session.problem.goals == goals


class TestPoolsThatAreNotStored:
    """Of a large pool only a fingerprint is stored; the rows of before may be gone."""

    @pytest.fixture(autouse=True)
    def nothing_is_small(self, monkeypatch) -> None:
        monkeypatch.setattr(candidates, "MAX_STORED_CELLS", 10)

    def pool(self, rows: range) -> Candidates:
        return Candidates([{"name": f"r{i}", "x": i / 10, "y": i % 3} for i in rows], id="name")

    def begun(self, url: str, **settings: object) -> Study:
        study = Study(self.pool(range(20)), name="p", storage=url, seed=0, initial=2, **settings)
        for trial in study.ask(4):
            study.tell(trial, trial.params["x"])
        return study

    def test_a_study_goes_on_with_other_rows(self, url: str) -> None:
        numbers = [int(trial.params["name"][1:]) for trial in self.begun(url).trials]
        fewer = self.pool(range(min(numbers) + 1, 30))
        with pytest.raises(SpaceChangedError) as error:
            Study(fewer, name="p", storage=url)
        remedy = "Study.load('p', storage=..., space=space, change_space=True)"
        assert f"use {remedy};" in str(error.value)
        study = Study.load("p", storage=url, space=fewer, change_space=True)
        assert [trial.number for trial in study.left_out] == [numbers.index(min(numbers))]
        assert study.ask().number == 4
        again = Study.load("p", storage=url, space=fewer)
        assert again.replay(4) == again.trials[4].params
        assert Study.load("p", storage=url, space=fewer, change_space=True).trials == again.trials

    def test_a_trial_from_before_says_why_it_is_not_derived_again(self, url: str) -> None:
        self.begun(url)
        study = Study.load("p", storage=url, space=self.pool(range(30)), change_space=True)
        for question in (study.explain, study.replay):
            with pytest.raises(SpaceError, match=r"trial 3 .*: it was suggested from a pool"):
                question(3)

    def test_goals_that_are_others_too_are_a_second_step(self, url: str) -> None:
        self.begun(url)
        with pytest.raises(SpaceChangedError, match=r"True\)\.change_space\(direction='minim"):
            Study(self.pool(range(30)), name="p", storage=url, direction="minimize")

    def test_a_kernel_goes_along_where_the_columns_are_the_same(self, url: str) -> None:
        self.begun(url, kernel=gp.RBF(lengthscale=[0.2, 0.3]))
        study = Study.load("p", storage=url, space=self.pool(range(30)), change_space=True)
        assert study.settings.kernel is not None
        bare = Candidates([{"name": f"r{i}", "x": i / 10} for i in range(20)], id="name")
        assert Study.load("p", storage=url, space=bare, change_space=True).settings.kernel is None

    def test_rows_that_are_not_given_are_asked_for(self, url: str) -> None:
        self.begun(url)
        with pytest.raises(SpaceError, match=r"20 rows of this pool .* space=pool"):
            Study.load("p", storage=url)
        with pytest.raises(SettingsError, match="give space="):
            Study.load("p", storage=url, change_space=True)
