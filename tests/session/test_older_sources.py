"""What a study learns from: read from whatever people have, kept with it, and used everywhere."""

import warnings

import numpy as np
import pandas
import polars
import pytest

import pathmax
from pathmax import Candidates, Categorical, Fidelity, Float, Grid, Int, Study
from pathmax.errors import LeftOutWarning, SettingsError

SPACE = {"t": Float(20, 120), "load": Float(0.5, 5)}


def value(params, best=70.0):
    return 80.0 - 0.02 * (params["t"] - best) ** 2 - 3.0 * (params["load"] - 2.0) ** 2


def rows(n=12, seed=0, best=70.0):
    rng = np.random.default_rng(seed)
    found = [{"t": rng.uniform(20, 120), "load": rng.uniform(0.5, 5)} for _ in range(n)]
    return [{**params, "value": value(params, best)} for params in found]


@pytest.fixture(scope="module")
def older():
    study = Study(SPACE, name="amide", seed=0)
    study.add(rows())
    return study


def told(study, n, best=76.0, **given):
    for _ in range(n):
        trial = study.ask(**given)
        study.tell(trial, value(trial.params, best))


@pytest.mark.parametrize(
    ("as_given", "name"),
    [
        (lambda older: [older], "amide"),
        (lambda older: older, "amide"),
        (lambda older: [older.to_frame()], "table"),
        (lambda older: older.to_frame("polars"), "table"),
        (lambda older: {"amide": older.to_frame()}, "amide"),
        (lambda older: [rows()], "table"),
        (lambda older: rows(), "table"),
        (lambda older: {"mine": rows()}, "mine"),
        (lambda older: pandas.DataFrame(rows()).to_dict("list"), "table"),
        (lambda older: [polars.DataFrame(rows())], "table"),
    ],
)
def test_it_is_read_from_whatever_people_have(older, as_given, name):
    study = Study(SPACE, seed=0, learn_from=as_given(older))
    (one,) = study.borrowed()
    assert (one.name, one.results, one.outcome) == (name, 12, "value")


def test_the_result_of_a_run_can_be_learnt_from():
    result = pathmax.maximize(value, SPACE, n_trials=6, seed=0, progress=False)
    assert [one.results for one in Study(SPACE, learn_from=[result], seed=0).borrowed()] == [6]


def test_names_that_repeat_are_numbered(older):
    study = Study(SPACE, seed=0, learn_from=[older, older, rows(), rows()])
    assert [one.name for one in study.borrowed()] == ["amide", "amide 2", "table", "table 2"]


def test_the_model_chooses_from_the_first_trial_on(older):
    study = Study(SPACE, seed=0, learn_from=[older])
    assert study.settings.initial == 0
    trial = study.ask()
    assert trial.info["method"] == "pims" and trial.info["n_observations"] == 0
    assert abs(trial.params["t"] - 70) < 20 and abs(trial.params["load"] - 2) < 1.0
    assert abs(study.recommend()["t"] - 70) < 15
    assert abs(study.predict([{"t": 70, "load": 2}]).mean[0] - 80) < 10


@pytest.mark.parametrize("seed", range(4))
def test_few_results_are_enough_where_it_is_related(older, seed):
    study = Study(SPACE, seed=seed, learn_from=[older])
    told(study, 1)
    assert study.best_value > 79.0
    told(study, 5)
    (one,) = study.borrowed()
    assert one.relation > 0.7 and 1 <= one.counts_as <= 12
    assert f"relation to 'amide' {one.relation:.2f}" in str(study.borrowed())
    assert "own results tell" in str(study.borrowed())
    assert study.best_trial.number < 6 and len(study.trials) == 6  # the older ones are no trials
    told(study, 1)
    assert study.trials[-1].info["outcomes"]["value"]["model"]["borrowed"]["amide"] > 0.0
    assert study.best_value > 79.3


def test_what_has_nothing_to_do_with_it_is_ignored():
    rng = np.random.default_rng(1)
    noise = [{**row, "value": rng.normal()} for row in rows()]
    study, alone = Study(SPACE, seed=0, learn_from=[noise]), Study(SPACE, seed=0)
    told(study, 12)
    told(alone, 12)
    (one,) = study.borrowed()
    assert one.relation < 0.3
    assert one.weight or "is ignored" in str(study.borrowed())
    assert study.best_value > alone.best_value - 1.0  # both are close to 80


def test_what_is_ignored_changes_no_suggestion():
    rng = np.random.default_rng(1)
    noise = [{**row, "value": rng.normal()} for row in rows()]
    study, alone = Study(SPACE, seed=0, learn_from=[noise]), Study(SPACE, seed=0)
    for one in (study, alone):
        one.add(rows(12))
    for _ in range(3):
        trial, other = study.ask(), alone.ask()
        assert trial.params == other.params
        assert not any(trial.info["outcomes"]["value"]["model"]["borrowed"].values())
        study.tell(trial, value(trial.params))
        alone.tell(other, value(other.params))


def test_one_result_is_not_enough_to_borrow_any_further(older):
    study = Study(SPACE, seed=0, learn_from=[older])
    told(study, 2)
    assert [trial.info["method"] for trial in study.trials] == ["pims", "design"]


def test_where_it_says_nothing_there_is_a_first_design():
    opposite = [{**row, "value": -row["value"]} for row in rows()]
    study = Study(SPACE, seed=0, learn_from=[opposite])
    told(study, 8)
    methods = [trial.info["method"] for trial in study.trials]
    assert methods[0] == "pims" and "design" in methods[1:5] and methods[5:] == ["pims"] * 3
    assert all(study.replay(trial) == trial.params for trial in study.trials)


def test_another_unit_and_another_level_do_not_matter():
    scaled = [{**row, "value": 1000.0 + 0.01 * row["value"]} for row in rows()]
    study = Study(SPACE, seed=0, learn_from=[scaled])
    told(study, 8)
    assert study.borrowed()[0].relation > 0.7
    assert study.best_value > 79.5


def test_less_is_better_works_as_well():
    flipped = [{**row, "value": -row["value"]} for row in rows()]
    study = Study(SPACE, direction="minimize", seed=0, learn_from=[flipped])
    for _ in range(5):
        trial = study.ask()
        study.tell(trial, -value(trial.params, 76.0))
    assert study.best_value < -79.0


def test_it_is_stored_replayed_and_resumed_without_its_source(older, tmp_path):
    url = f"sqlite:///{tmp_path / 'lab.db'}"
    study = Study(SPACE, name="ester", storage=url, seed=0, learn_from=[older])
    told(study, 4)
    running = study.ask(2)
    again = Study.load("ester", storage=url)
    assert again.borrowed().to_json() == study.borrowed().to_json()
    for trial in again.trials:
        assert again.replay(trial) == trial.params
        by_model = trial.info["method"] == "pims"
        assert ("borrowed" in again.explain(trial)) == by_model
    for trial in running:
        again.tell(trial, value(trial.params, 76.0))
    assert again.ask().info["n_observations"] == 6
    settings = again.trials[0].info["settings"]
    assert "learn_from" not in settings  # rows are stored once, not with every trial


def test_on_resume_it_is_left_out_or_the_same(older, tmp_path):
    url = f"sqlite:///{tmp_path / 'lab.db'}"
    Study(SPACE, name="ester", storage=url, seed=0, learn_from=[older])
    Study(SPACE, name="plain", storage=url, seed=0)
    assert len(Study(SPACE, name="ester", storage=url).borrowed()) == 1
    assert len(Study(SPACE, name="ester", storage=url, learn_from=[older]).borrowed()) == 1
    with pytest.raises(SettingsError, match=r"learns from 'amide' \(12 rows\).*leave learn_from"):
        Study(SPACE, name="ester", storage=url, learn_from=[rows(5)])
    with pytest.raises(SettingsError, match="learns from its own results alone"):
        Study(SPACE, name="plain", storage=url, learn_from=[rows(5)])


def test_it_goes_along_to_another_space(older, tmp_path):
    url = f"sqlite:///{tmp_path / 'lab.db'}"
    study = Study(SPACE, name="ester", storage=url, seed=0, learn_from=[older])
    told(study, 3)
    study.change_space({**SPACE, "t": Float(20, 150)})
    told(study, 1)
    assert [one.results for one in study.borrowed()] == [12]
    again = Study.load("ester", storage=url)
    assert all(again.replay(trial) == trial.params for trial in again.trials)
    branched = study.with_space({**SPACE, "t": Float(50, 120)})
    assert branched.borrowed()[0].results < 12  # those that lie there


def test_what_does_not_fit_is_said():
    wide = [*rows(6), {"t": 500.0, "load": 1.0, "value": 3.0}]
    with pytest.warns(LeftOutWarning, match=r"1 row left out, the first since t: .*500"):
        study = Study(SPACE, seed=0, learn_from=[wide])
    assert study.borrowed()[0].results == 6
    more = [{**row, "stirring": 3, "operator": "Ann"} for row in rows(6)]
    with pytest.warns(LeftOutWarning, match="stirring, operator are no parameter of this study"):
        Study(SPACE, seed=0, learn_from=[more])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Study(SPACE, seed=0, learn_from=[rows(6)])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("old.csv", r"learn_from takes older studies.*'old.csv'.*read_csv"),
        ([3], r"learn_from takes older studies.*got 3"),
        ([[{"t": 30, "load": 1, "yield": 3}]], r"no column 'value' with results.*'yield'"),
        ([[{"t": 30, "value": 3}]], r"none of the 1 rows of 'table'.*load.*every parameter"),
        ([[{"t": 30, "load": 1, "value": "?"}]], r"row 0 .*'value': expected a finite number"),
    ],
)
def test_what_cannot_be_learnt_from_is_refused(given, message):
    with pytest.raises(SettingsError, match=message):
        Study(SPACE, learn_from=given)


def test_another_direction_or_another_outcome_is_refused(older):
    with pytest.raises(SettingsError, match=r"'amide' wants to maximize value.*minimize"):
        Study(SPACE, direction="minimize", learn_from=[older])
    several = Study(SPACE, objectives=["a", "b"])
    with pytest.raises(SettingsError, match=r"has the outcomes a, b, and none"):
        Study(SPACE, objectives=["c", "d"], learn_from=[several])


def test_a_model_that_learns_nothing_is_refused(older):
    fixed = {"kernel": pathmax.gp.RBF(0.2), "noise": 1e-6, "refit_every": None}
    with pytest.raises(SettingsError, match="refit_every=None keeps the model from learning"):
        Study(SPACE, learn_from=[older], **fixed)
    with pytest.raises(SettingsError, match='model="paper" keeps the model from learning'):
        Study(SPACE, learn_from=[older], model="paper")


@pytest.mark.parametrize("method", ["pims", "ts", "ei", "gp-ucb", "mes", "kg", "random", "gp-est"])
def test_every_method_suggests_before_and_after_the_first_result(older, method):
    study = Study(SPACE, seed=0, learn_from=[older], method=method)
    told(study, 2)
    assert len(study.ask(2)) == 2


def test_drawn_parameters_and_reports_work(older):
    study = Study(SPACE, seed=0, learn_from=[older], model="drawn")
    told(study, 6)
    assert (study.regret(20).draws >= 0.0).all()
    assert len(study.cross_validate()) == 6
    assert {one.name for one in study.importances(n_paths=20)} == {"t", "load"}
    assert study.best_probabilities(20) is not None


MIXED = {
    "t": Float(20, 120),
    "n": Int(1, 4),
    "solvent": Categorical(["DMF", "THF"]),
    "water": Float(0, 1, when="solvent == 'THF'"),
}


def mixed_value(params):
    bonus = 3.0 * params["n"] + (5.0 if params["solvent"] == "THF" else 0.0)
    return bonus - 0.02 * (params["t"] - 70.0) ** 2 - params.get("water", 0.0)


def test_mixed_spaces_with_conditions_work():
    old = Study(MIXED, seed=1)
    old.optimize(mixed_value, 10, progress=False)
    study = Study(MIXED, seed=0, learn_from=[old])
    study.optimize(mixed_value, 4, progress=False)
    assert study.best_value >= old.best_value - 2.0
    assert study.replay(3) == study.trials[3].params


def test_pools_and_grids_work():
    table = [{"id": f"m{i}", "a": i / 29.0, "b": (7 * i % 30) / 29.0} for i in range(30)]

    def result(params):
        return -((params["a"] - 0.6) ** 2) - 0.1 * params["b"]

    pool = Candidates(table, id="id")
    measured = [{"id": row["id"], "value": result(row)} for row in table[::3]]
    study = Study(pool, seed=0, learn_from=[measured])
    study.optimize(lambda params: result(params) + 0.01 * params["b"], 4, progress=False)
    assert study.best_value > -0.05 and study.replay(3) == study.trials[3].params
    assert len(study.best_probabilities(20).top(3)) == 3
    grid = Grid({"a": np.linspace(0, 1, 8), "b": np.linspace(0, 1, 8)})
    points = [grid.params(i) for i in range(0, 64, 5)]
    study = Study(grid, seed=0, learn_from=[[{**p, "value": result(p)} for p in points]])
    study.optimize(result, 4, progress=False)
    assert study.best_value > -0.05 and study.replay(3) == study.trials[3].params


def test_contexts_and_fidelities_work():
    space = {**SPACE, "humidity": Float(20, 80, context=True)}
    old = [{**row, "humidity": 30.0 + i} for i, row in enumerate(rows())]
    study = Study(space, seed=0, learn_from=[old])
    told(study, 3, context={"humidity": 40})
    assert abs(study.recommend(context={"humidity": 40})["t"] - 76) < 15
    coarse = {**SPACE, "mesh": Fidelity(0.1, 1.0, cost=[0.1, 1.0])}
    study = Study(coarse, seed=0, learn_from=[rows()])  # rows without one are at the target
    told(study, 4)
    assert "mesh" in study.trials[0].params and study.borrowed()[0].results == 12


def test_several_outcomes_borrow_each_for_itself():
    old = [{"t": r["t"], "load": r["load"], "yield": r["value"]} for r in rows()]
    goals = {"objectives": {"yield": "maximize"}, "constraints": {"impurity": "<= 2"}}
    study = Study(SPACE, seed=0, learn_from={"amide": old}, **goals)
    assert not list(study.borrowed())  # nothing is known of the impurity yet
    for _ in range(6):
        trial = study.ask()
        study.tell(trial, {"yield": value(trial.params, 76.0), "impurity": trial.params["load"]})
    assert [(one.outcome, one.results) for one in study.borrowed()] == [("yield", 12)]
    assert str(study.borrowed()).startswith("yield: ")
    assert study.replay(5) == study.trials[5].params


def test_only_so_many_rows_are_kept():
    many = rows(700)
    study = Study(SPACE, seed=0, learn_from=[many], method="random")
    stored = study.storage.load(study.name).settings["learn_from"][0]
    kept = stored["outcomes"]["value"]
    assert len(kept) == 500 and max(kept) == max(row["value"] for row in many)


def test_known_variances_are_learnt_with():
    noisy = [{**row, "noise of value": 0.5} for row in rows()]
    study = Study(SPACE, seed=0, learn_from=[noisy])
    stored = study.storage.load(study.name).settings["learn_from"][0]
    assert stored["noises"] == {"value": [0.5] * 12}
    assert study.borrowed()[0].results == 12


def test_values_of_another_size_do_not_speak_for_an_older_study():
    """Where nothing but the size differs, a study goes on as it would without older results."""
    rng = np.random.default_rng(4)
    strange = [{"t": rng.uniform(20, 120), "load": rng.uniform(0.5, 5)} for _ in range(12)]
    strange = [{**row, "value": float(rng.normal())} for row in strange]
    for size in (1.0, 1000.0):
        study = Study(SPACE, seed=0, learn_from=[strange])
        for _ in range(4):
            trial = study.ask()
            study.tell(trial, size * value(trial.params))
        assert [trial.info["method"] for trial in study.trials] == ["pims"] + ["design"] * 3
        assert study.borrowed()[0].relation == 0.0


def test_of_a_first_batch_one_trial_is_where_older_results_are_best(older):
    study = Study(SPACE, seed=0, learn_from=[older])
    batch = study.ask(4)
    assert [trial.info["method"] for trial in batch] == ["pims"] + ["design"] * 3
    assert [study.replay(trial) for trial in batch] == [trial.params for trial in batch]


@pytest.mark.parametrize("where", [[], ["t + 10 * load <= 150"]], ids=["box", "constraint"])
def test_where_nothing_is_borrowed_the_best_of_before_costs_one_point_of_the_design(where):
    """It takes the place of the nearest, so that the others are spread as without it."""
    rng = np.random.default_rng(4)
    strange = [{**row, "value": float(rng.normal())} for row in rows(12)]
    gone, sides = set(), np.array([100.0, 4.5])
    for seed in range(6):
        design = [trial.params for trial in Study(SPACE, where=where, seed=seed).ask(5)]
        first, *others = Study(SPACE, where=where, seed=seed, learn_from=[strange]).ask(5)
        points = np.array([[*params.values()] for params in [*design, first.params]]) / sides
        nearest = int(np.argmin(np.linalg.norm(points[:5] - points[5], axis=1)))
        assert [t.params for t in others] == [*design[:nearest], *design[nearest + 1 :]]
        gone.add(nearest)
    assert gone - {0}
