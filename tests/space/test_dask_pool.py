"""A library on a Dask cluster: the choice of one machine, also when a worker dies on the way."""

import os
import pickle
from collections import Counter
from concurrent.futures import Executor, Future, ThreadPoolExecutor

import dask.dataframe as dd
import numpy as np
import pandas as pd
import psutil
import pyarrow as pa
import pytest
from distributed import Client, LocalCluster
from pyarrow import parquet

import pathmax
from pathmax.errors import SpaceError

N = 900
TOLD = (15, 232, 440, 674)  # rows that obey the known constraints below


@pytest.fixture(scope="module")
def client():
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(4)
    return pd.DataFrame(
        {
            "name": [f"m{i}" for i in range(N)],
            "x": rng.random(N),
            "y": rng.random(N),
            "solvent": rng.choice(["DMF", "THF", "water"], N),
        }
    )


@pytest.fixture(scope="module")
def files(frame, tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    table = pa.Table.from_pandas(frame, preserve_index=False)
    parquet.write_table(table, folder / "rows.parquet", row_group_size=300)
    return folder


def value(params):
    return -((params["x"] - 0.4) ** 2) - params["y"] ** 2 + 0.1 * (params["solvent"] == "THF")


def study_on(pool, **settings):
    study = pathmax.Study(pool, direction="maximize", seed=2, initial=3, **settings)
    for row in pool.params_of(TOLD):
        study.add(row, value(row))
    return study


def expected(frame, n=3):
    study = study_on(pathmax.Candidates(frame, id="name"))
    return [trial.params for trial in study.ask(n)], study


class TestPartitions:
    @pytest.mark.parametrize("npartitions", [1, 4, 7])
    def test_the_choice_does_not_depend_on_the_partitions(self, client, frame, npartitions):
        pool = pathmax.Candidates.from_dask(
            dd.from_pandas(frame, npartitions=npartitions), id="name", client=client
        )
        held = pathmax.Candidates(frame, id="name")
        assert pool == held
        assert pool.params_of([0, 450, N - 1]) == held.params_of([0, 450, N - 1])
        params, _ = expected(frame)
        assert [trial.params for trial in study_on(pool).ask(3)] == params

    def test_rank_recommend_and_where(self, client, frame):
        where = ["x <= 0.5", "solvent != 'water'"]
        ddf = dd.from_pandas(frame, npartitions=3)
        pool = pathmax.Candidates.from_dask(ddf, id="name", where=where)
        held = pathmax.Candidates(frame, id="name", where=where)
        one, other = study_on(pool), study_on(held)
        assert one.ask().params == other.ask().params
        assert one.recommend() == other.recommend()
        ranking = one.best_probabilities(n_paths=30)
        assert ranking.total == held.cardinality
        assert all(contender.params["x"] <= 0.5 for contender in ranking)

    def test_files_that_workers_read(self, client, frame, tmp_path):
        table = pa.Table.from_pandas(frame, preserve_index=False)
        parquet.write_table(table, tmp_path / "rows.parquet", row_group_size=200)
        pool = pathmax.Candidates.from_parquet(tmp_path, id="name", executor=client)
        params, _ = expected(frame)
        assert [trial.params for trial in study_on(pool).ask(3)] == params

    def test_a_study_goes_on_from_files_to_a_cluster(self, client, frame, tmp_path):
        storage = f"sqlite:///{tmp_path / 'lab.db'}"
        table = pa.Table.from_pandas(frame, preserve_index=False)
        parquet.write_table(table, tmp_path / "rows.parquet")
        here = pathmax.Candidates.from_parquet(tmp_path, id="name", stream=True)
        first = study_on(here, name="s", storage=storage).ask().params
        pool = pathmax.Candidates.from_dask(dd.from_pandas(frame, npartitions=2), id="name")
        there = pathmax.Study.load("s", storage=storage, space=pool)
        assert there.replay(4) == first


def test_a_worker_that_dies_in_the_middle_of_a_suggestion_changes_nothing(client, frame, tmp_path):
    armed, here = tmp_path / "armed", os.getpid()
    log = tmp_path / "workers"
    log.mkdir()

    def harmless(params):  # a known constraint that every row obeys; once it kills its worker
        if os.getpid() != here:
            (log / str(os.getpid())).touch()
            if armed.exists() and params["name"] == "m500":
                armed.unlink()
                psutil.Process().kill()
        return True

    held = pathmax.Candidates(frame, id="name", where=[lambda params: True])
    ddf = dd.from_pandas(frame, npartitions=6)
    pool = pathmax.Candidates.from_dask(ddf, id="name", where=[harmless], client=client)
    study, other = study_on(pool), study_on(held)
    assert len(pool.allowed_counts) == 6
    before = {int(file.name) for file in log.iterdir()}
    armed.touch()
    params = study.ask().params
    assert not armed.exists(), "the worker was killed while it went through the rows"
    assert params == other.ask().params
    alive = {pid for pid in before if psutil.pid_exists(pid)}
    assert len(alive) == len(before) - 1
    assert study.best_probabilities(n_paths=5).total == N


class Pickling(Executor):
    """What a process pool does with work, in this process: Python's own pickle, there and back."""

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        try:
            function, given, named = pickle.loads(pickle.dumps((fn, args, kwargs)))
            future.set_result(pickle.loads(pickle.dumps(function(*given, **named))))
        except Exception as error:
            future.set_exception(error)
        return future


class TestProcessPools:
    @pytest.mark.parametrize("features", [["x", "y"], ["x", "y", "solvent"]])
    @pytest.mark.parametrize("method", ["pims", "ei", "eims"])
    def test_the_choice_is_the_same(self, frame, files, features, method):
        pool = pathmax.Candidates.from_parquet(files, "name", features, executor=Pickling())
        held = pathmax.Candidates(frame, "name", features)
        one, other = (study_of(rows, frame, method=method) for rows in (pool, held))
        assert [t.params for t in one.ask(2)] == [t.params for t in other.ask(2)]
        assert one.recommend() == other.recommend()
        assert one.best_probabilities(n_paths=5).total == N

    def test_what_older_studies_know_travels_too(self, frame, files):
        pool = pathmax.Candidates.from_parquet(files, "name", executor=Pickling())
        held = pathmax.Candidates(frame, "name")
        older = study_on(held)
        one, other = (study_of(p, frame, learn_from=[older], initial=0) for p in (pool, held))
        assert [t.params for t in one.ask(2)] == [t.params for t in other.ask(2)]

    def test_a_function_that_cannot_be_sent_is_said(self, files):
        pool = pathmax.Candidates.from_parquet(
            files, "name", executor=Pickling(), where=[lambda params: True]
        )
        with pytest.raises(SpaceError, match=r"cannot be sent .* at the top level of a module"):
            pathmax.Study(pool, direction="maximize", seed=0).ask()


def study_of(pool, frame, **settings):
    study = pathmax.Study(pool, direction="maximize", seed=2, **{"initial": 3} | settings)
    for row in frame.iloc[list(TOLD)].to_dict("records"):
        study.add({"name": row["name"]}, value(row))
    return study


class TestRefusals:
    def test_what_is_no_dask_frame_is_refused(self, frame):
        with pytest.raises(SpaceError, match=r"from_dask takes a dask\.dataframe"):
            pathmax.Candidates.from_dask(frame)

    def test_a_column_alone_is_refused(self, frame):
        with pytest.raises(SpaceError, match=r"takes a dask.dataframe, got a Series"):
            pathmax.Candidates.from_dask(dd.from_pandas(frame, npartitions=1)["x"])

    def test_what_is_no_client_is_refused(self, frame):
        ddf = dd.from_pandas(frame, npartitions=1)
        with pytest.raises(SpaceError, match=r"client must be a Dask client, .* got the text 'tcp"):
            pathmax.Candidates.from_dask(ddf, id="name", client="tcp://scheduler:8786")

    def test_a_client_that_was_closed_is_named(self, frame):
        ddf = dd.from_pandas(frame, npartitions=1)
        with Client(processes=False, n_workers=1, dashboard_address=":0") as closed:
            pass
        with pytest.raises(SpaceError, match=r"takes no work: .* give a client that is connected"):
            pathmax.Candidates.from_dask(ddf, id="name", client=closed)

    def test_molecules_are_refused(self, frame):
        ddf = dd.from_pandas(frame, npartitions=1)
        with pytest.raises(SpaceError, match="molecules are for pools that are held"):
            pathmax.Candidates.from_dask(ddf, id="name", smiles="solvent")

    def test_columns_that_are_not_read_may_hold_anything(self, client, frame):
        dated = dd.from_pandas(frame.assign(made=pd.Timestamp("2026-01-01")), npartitions=2)
        chosen = pathmax.Candidates.from_dask(dated, "name", ["x", "y"], client=client)
        assert chosen.params(0) == frame.loc[0, ["name", "x", "y"]].to_dict()
        with pytest.raises(SpaceError, match="there is no column 'z'; there are name, x, y, solv"):
            pathmax.Candidates.from_dask(dated, "name", ["z"], client=client)

    def test_columns_have_names(self):
        numbered = dd.from_pandas(pd.DataFrame(np.eye(3)), npartitions=1)
        with pytest.raises(SpaceError, match="names that are text, got 0; rename them"):
            pathmax.Candidates.from_dask(numbered)

    def test_missing_cells_are_told_at_once(self, client, frame):
        gaps = frame.copy()
        gaps.loc[[3, 800], "x"] = np.nan
        ddf = dd.from_pandas(gaps, npartitions=2)
        with pytest.raises(SpaceError, match="2 cells are missing in 2 of 900 rows: partition 0"):
            pathmax.Candidates.from_dask(ddf, id="name", client=client)
        kept = pathmax.Candidates.from_dask(ddf, id="name", client=client, skip_incomplete=True)
        assert (len(kept), kept.skipped) == (N - 2, 2)

    def test_an_executor_must_be_able_to_take_work(self, tmp_path, frame):
        frame.to_parquet(tmp_path / "rows.parquet")
        with pytest.raises(SpaceError, match="must have a method submit"):
            pathmax.Candidates.from_parquet(tmp_path, id="name", executor=3)
        with pytest.raises(SpaceError, match="leave out stream=False"):
            pathmax.Candidates.from_parquet(tmp_path, executor=Counter(), stream=False)

    def test_an_executor_that_was_shut_down_is_named(self, tmp_path, frame):
        frame.to_parquet(tmp_path / "rows.parquet")
        with ThreadPoolExecutor(1) as executor:
            pool = pathmax.Candidates.from_parquet(tmp_path, id="name", executor=executor)
        with pytest.raises(SpaceError, match="takes no more work: cannot schedule new futures"):
            pool.params(3)
