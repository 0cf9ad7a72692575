"""Suggestions from a library are those from the same rows when they are held."""

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import pathmax
from pathmax.errors import DataFileError, ExhaustedError, SettingsError, SpaceError

N = 500


@pytest.fixture
def files(tmp_path, rng):
    """With twins: every fifth row has the features of the row before it."""
    x, k = rng.random(N).round(2), rng.integers(0, 4, N)
    solvent = rng.choice(["DMF", "THF", "water"], N)
    for column in (x, k, solvent):
        column[5::5] = column[4:-1:5]
    whole = pa.table({"name": [f"m{i}" for i in range(N)], "x": x, "k": k, "solvent": solvent})
    for i, (a, b) in enumerate(((0, 190), (190, 500))):
        parquet.write_table(whole.slice(a, b - a), tmp_path / f"{i}.parquet", row_group_size=60)
    return str(tmp_path / "*.parquet")


def value(params):
    return -((params["x"] - 0.4) ** 2) + 0.1 * params["k"] + 0.05 * (params["solvent"] == "THF")


def studies(files, how=None, **settings):
    settings = {"direction": "maximize", "seed": 5, "initial": 4} | settings
    return [
        pathmax.Study(
            pathmax.Candidates.from_parquet(files, stream=stream, **(how or {"id": "name"})),
            **settings,
        )
        for stream in (False, True)
    ]


def run(held, streamed, n):
    """The same n trials in both, one of which fails; each must suggest what the other does."""
    for i in range(n):
        one, other = held.ask(), streamed.ask()
        assert one.params == other.params
        for study, trial in ((held, one), (streamed, other)):
            if i == 2:
                study.fail(trial)
            else:
                study.tell(trial, value(trial.params))


METHODS = ["pims", "ts", "ei", "pi", "gp-ucb", "irgp-ucb", "mes", "eims", "gp-est", "random"]


class TestTheSameChoice:
    @pytest.mark.parametrize("method", METHODS)
    def test_every_method_chooses_the_row_that_it_chooses_when_held(self, files, method):
        held, streamed = studies(files, method=method)
        if method == "random":  # twins count as rows of their own in a library
            assert streamed.ask().params["name"] in {f"m{i}" for i in range(N)}
            return
        run(held, streamed, 7)
        batches = [[trial.params for trial in study.ask(3)] for study in (held, streamed)]
        assert batches[0] == batches[1]
        assert held.recommend() == streamed.recommend()

    @pytest.mark.parametrize("method", ["jes", "es"])
    def test_methods_for_researchers_do_so_too(self, files, method):
        how = {"id": "name", "features": ["x", "k"]} if method == "es" else None
        held, streamed = studies(files, how, method=method, options={"n_samples": 3})
        for study in (held, streamed):
            for row in (3, 100, 222, 341):
                study.add(study.space.params(row), value(study.space.params(row) | {"solvent": ""}))
        params = [study.ask().params for study in (held, streamed)]
        if method == "jes":  # es looks at some random rows, of which a library counts twins too
            assert params[0] == params[1]
        assert params[1]["name"] in {f"m{i}" for i in range(N)}

    def test_known_constraints_hold_and_the_choice_is_the_same(self, files):
        how = {"id": "name", "where": ["x <= 0.7", "solvent != 'water' or k > 1", "name != 'm7'"]}
        held, streamed = studies(files, how)
        run(held, streamed, 7)
        assert held.space.cardinality <= streamed.space.cardinality  # twins count

    def test_a_function_of_params_is_a_known_constraint_too(self, files):
        def cheap(params):
            return params["x"] + params["k"] < 2.5

        held, streamed = studies(files, {"id": "name", "where": [cheap]})
        run(held, streamed, 6)
        assert all(cheap(trial.params) for trial in streamed.trials)

    def test_several_outcomes(self, files):
        goals = {"objectives": {"yield": "maximize", "cost": "minimize"}}
        held, streamed = studies(files, direction=None, constraints={"dirt": "<= 0.5"}, **goals)
        for _ in range(6):
            one, other = held.ask(), streamed.ask()
            assert one.params == other.params
            found = {
                "yield": value(one.params),
                "cost": one.params["x"],
                "dirt": one.params["k"] / 3,
            }
            held.tell(one, found)
            streamed.tell(other, found)
        rankings = [study.best_probabilities(n_paths=4) for study in (held, streamed)]
        assert rankings[1].total == N
        means = {c.params["name"]: c.mean for c in rankings[0]}
        for contender in rankings[1]:
            assert contender.mean == pytest.approx(means[contender.params["name"]])
        assert rankings[1].top(1)[0].probability > 0.0

    def test_nothing_feasible_in_any_draw(self, files):
        held, streamed = studies(
            files, direction=None, objectives={"y": "maximize"}, constraints={"c": "<= -9"}
        )
        for _ in range(6):
            one, other = held.ask(), streamed.ask()
            assert one.params == other.params
            for study, trial in ((held, one), (streamed, other)):
                study.tell(trial, {"y": value(trial.params), "c": trial.params["x"] + 1.0})

    def test_the_first_design_takes_the_nearest_rows(self, files):
        held, streamed = studies(files, initial=12)
        assert [t.params for t in held.ask(12)] == [t.params for t in streamed.ask(12)]

    def test_replicates_may_come_again(self, files):
        held, streamed = studies(files, {"id": "name", "where": ["x < 0.02"]}, replicates=True)
        run(held, streamed, 8)

    def test_twins_of_what_was_tried_are_not_suggested(self, files):
        _, streamed = studies(files, {"id": "name", "where": ["x < 0.03"]})
        seen = set()
        with pytest.raises(ExhaustedError):
            for _ in range(60):
                trial = streamed.ask()
                features = tuple(trial.params[c] for c in ("x", "k", "solvent"))
                assert features not in seen
                seen.add(features)
                streamed.tell(trial, value(trial.params))

    def test_nothing_allowed_is_refused(self, files):
        pool = pathmax.Candidates.from_parquet(files, id="name", stream=True, where=["x > 5"])
        with pytest.raises(SpaceError, match="none of the rows"):
            pathmax.Study(pool, direction="maximize").ask()

    def test_exact_paths_are_refused_with_a_way_out(self, files):
        _, streamed = studies(files, options={"kind": "exact"}, initial=1)
        streamed.tell(streamed.ask(), 1.0)
        with pytest.raises(SettingsError, match="stream=False"):
            streamed.ask()


class TestWhatAStudyKnows:
    def test_rank_lists_the_rows_that_may_be_best(self, files):
        held, streamed = studies(files)
        run(held, streamed, 8)
        ranking = streamed.best_probabilities(n_paths=200)
        assert ranking.total == N
        assert ranking.probability.sum() == pytest.approx(1.0)
        exact = {c.params["name"]: c.probability for c in held.best_probabilities(n_paths=2000)}
        for contender in ranking.top(5):
            gap = abs(contender.probability - exact[contender.params["name"]])
            assert gap < 0.15  # features in place of exact draws, and 200 paths
        listed = {c.params["name"]: c for c in ranking}
        best = max(held.best_probabilities(n_paths=1), key=lambda c: c.mean)
        assert listed[best.params["name"]].mean == pytest.approx(best.mean)
        assert listed[held.trials[-1].params["name"]].tried

    def test_replay_explain_predict_and_importances(self, files):
        held, streamed = studies(files)
        run(held, streamed, 8)
        assert streamed.replay(6) == streamed.trials[6].params
        assert str(streamed.explain(6))
        rows = [streamed.space.params(i) for i in (1, 2, 3)]
        np.testing.assert_allclose(streamed.predict(rows).mean, held.predict(rows).mean)
        assert str(streamed.importances()) == str(held.importances())

    def test_a_stored_study_goes_on_in_another_process(self, files, tmp_path):
        storage = f"sqlite:///{tmp_path / 'lab.db'}"
        pool = pathmax.Candidates.from_parquet(files, id="name", stream=True)
        study = pathmax.Study(
            pool, direction="maximize", storage=storage, name="s", seed=5, initial=3
        )
        for _ in range(5):
            trial = study.ask()
            study.tell(trial, value(trial.params))
        again = pathmax.Study.load(
            "s",
            storage=storage,
            space=pathmax.Candidates.from_parquet(files, id="name", stream=True),
        )
        held = pathmax.Study.load(
            "s", storage=storage, space=pathmax.Candidates.from_parquet(files, id="name")
        )
        assert again.ask().params == held.replay(5)

    def test_a_changed_library_is_said_when_a_study_is_opened(self, files, tmp_path):
        storage = f"sqlite:///{tmp_path / 'lab.db'}"
        pool = pathmax.Candidates.from_parquet(files, id="name", stream=True)
        pathmax.Study(pool, direction="maximize", storage=storage, name="s").ask()
        first = tmp_path / "0.parquet"
        parquet.write_table(parquet.read_table(first).slice(0, 100), first)
        changed = pathmax.Candidates.from_parquet(files, id="name", stream=True)
        with pytest.raises(pathmax.errors.PathmaxError, match="had 500 rows and has 410 now"):
            pathmax.Study(changed, direction="maximize", storage=storage, name="s")

    def test_a_file_that_changes_between_two_suggestions_is_said(self, files, tmp_path):
        _, streamed = studies(files)
        streamed.ask()
        first = tmp_path / "0.parquet"
        parquet.write_table(parquet.read_table(first).slice(0, 100), first)
        with pytest.raises(DataFileError, match="has changed since the library was opened"):
            streamed.ask()


def test_a_given_context_leaves_the_rows_that_have_it(files):
    how = {"id": "name", "context": ["k"]}
    held, streamed = studies(files, how)
    for i in range(6):
        one, other = (study.ask(context={"k": i % 3}) for study in (held, streamed))
        assert one.params == other.params
        assert one.params["k"] == i % 3
        held.tell(one, value(one.params))
        streamed.tell(other, value(other.params))
    with pytest.raises(pathmax.errors.ParamsError, match="no row of the pool has"):
        streamed.ask(context={"k": 77})
