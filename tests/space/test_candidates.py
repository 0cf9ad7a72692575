"""Candidates: the same pool from every sort of table, and every bad cell named."""

import json
import math
import os
import pickle
import subprocess
import sys
import time
from decimal import Decimal
from io import BytesIO
from pathlib import Path

import dask.dataframe as dd
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathmax.errors import DataFileError, MissingExtraError, ParamsError, PathmaxError, SpaceError
from pathmax.space.candidates import Candidates
from pathmax.space.grid import Grid
from tests.spaces import finite, names

ROWS = [
    {"name": "a1", "solvent": "DMF", "load": 1.0, "rings": 2, "dry": True},
    {"name": "b2", "solvent": "THF", "load": 2.5, "rings": 2, "dry": False},
    {"name": "c3", "solvent": "DMF", "load": 5.0, "rings": 2, "dry": False},
]
COLUMNS = {key: [row[key] for row in ROWS] for key in ROWS[0]}

TABLES = {
    "dicts": lambda: ROWS,
    "columns": lambda: COLUMNS,
    "arrays": lambda: {key: np.array(cells) for key, cells in COLUMNS.items()},
    "tuples": lambda: tuple(ROWS),
    "pandas": lambda: pd.DataFrame(ROWS),
    "pandas category": lambda: pd.DataFrame(ROWS).astype({"solvent": "category"}),
    "pandas nullable": lambda: pd.DataFrame(ROWS).convert_dtypes(),
    "pandas object": lambda: pd.DataFrame(ROWS).astype(object),
    "polars": lambda: pl.DataFrame(ROWS),
    "pyarrow": lambda: pa.Table.from_pylist(ROWS),
    "structured": lambda: np.array(
        [tuple(row.values()) for row in ROWS],
        dtype=[("name", "U2"), ("solvent", "O"), ("load", "f8"), ("rings", "i2"), ("dry", "?")],
    ),
}


@pytest.fixture(params=TABLES)
def table(request):
    return TABLES[request.param]()


class TestTables:
    def test_every_sort_of_table_is_the_same_pool(self, table):
        pool = Candidates(table, id="name")
        assert [pool.params(i) for i in range(len(pool))] == ROWS
        types = [type(cell) for cell in pool.params(0).values()]
        assert types == [str, str, float, int, bool]
        assert pool == Candidates(ROWS, id="name")
        assert pool.names == ("name", "solvent", "load", "rings", "dry")
        assert pool.searched_names == ("solvent", "load", "rings", "dry")

    def test_coordinates(self, table):
        pool = Candidates(table, id="name")
        # solvent and dry are codes, load runs from 0 to 1, rings is constant
        first_dry = pool.encode_all()[0, 3]
        np.testing.assert_array_equal(
            pool.encode_all(),
            [[0, 0, 0, first_dry], [1, 0.375, 0, 1 - first_dry], [0, 1, 0, 1 - first_dry]],
        )
        assert [axis.kind for axis in pool.axes] == ["categorical", "float", "float", "categorical"]
        assert pool.dimension == 4
        assert pool.encode_all().dtype == np.float64

    def test_files(self, tmp_path):
        pd.DataFrame(ROWS).drop(columns="dry").to_csv(tmp_path / "pool.csv", index=False)
        pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "pool.parquet")
        features = ["solvent", "load"]
        expected = Candidates(ROWS, id="name", features=features)
        assert Candidates.from_csv(tmp_path / "pool.csv", "name", features) == expected
        assert Candidates.from_parquet(tmp_path / "pool.parquet", "name", features) == expected
        whole = Candidates.from_parquet(str(tmp_path / "pool.parquet"), id="name")
        assert whole == Candidates(ROWS, id="name")

    def test_an_array_gets_names_or_is_given_them(self):
        X = np.array([[0.0, 10.0], [1.0, 30.0]])
        assert Candidates(X).params(1) == {"x0": 1.0, "x1": 30.0}
        assert Candidates(X, features=["a", "b"]).params(1) == {"a": 1.0, "b": 30.0}
        assert Candidates(X.tolist(), features=["a", "b"]) == Candidates(X, features=["a", "b"])
        with pytest.raises(SpaceError, match="has 2 columns, but features names 1"):
            Candidates(X, features=["a"])

    def test_the_pool_does_not_change_with_the_array_it_was_made_from(self):
        for make in (np.array, lambda cells: pd.DataFrame(cells, columns=["x0"])):
            data = make([[1.0], [2.0]])
            pool = Candidates(data)
            if isinstance(data, pd.DataFrame):
                data.loc[0, "x0"] = 99.0
            else:
                data[0, 0] = 99.0
            assert pool.params(0) == {"x0": 1.0}

    def test_columns_left_out_of_features_are_dropped(self):
        pool = Candidates(ROWS, features=["load"])
        assert pool.params(0) == {"load": 1.0}

    def test_numbers_of_other_sorts(self):
        pool = Candidates([{"a": Decimal("1.5"), "b": 2}, {"a": np.float32(2), "b": 2.5}])
        assert pool.params(0) == {"a": 1.5, "b": 2.0}
        huge = Candidates({"a": [10**30, 1], "b": np.array([2**64 - 1, 0], np.uint64)})
        assert huge.params(0) == {"a": 1e30, "b": float(2**64)}

    def test_the_widest_range_does_not_overflow(self):
        pool = Candidates({"a": [-1.7e308, 0.0, 1.7e308]})
        np.testing.assert_array_equal(pool.encode_all()[:, 0], [0.0, 0.5, 1.0])

    def test_ids_of_a_csv_are_kept_as_written(self, tmp_path):
        (tmp_path / "pool.csv").write_text("code;w\n007;1,5\n7;2,5\n")
        pool = Candidates.from_csv(tmp_path / "pool.csv", id="code")
        assert [pool.params(i) for i in range(2)] == [
            {"code": "007", "w": 1.5},
            {"code": "7", "w": 2.5},
        ]

    @given(st.lists(st.dictionaries(names, finite, min_size=1, max_size=3), min_size=1, max_size=1))
    def test_names_of_every_sort(self, rows):
        try:
            pool = Candidates(rows)
        except SpaceError as error:
            assert "called alike" in str(error)
            return
        assert pool.params(0) == rows[0]
        assert pool.index(rows[0]) == 0


BAD = [
    ([], "no candidates; a pool needs at least one row"),
    ({}, "no candidates"),
    (np.zeros((0, 3)), "no candidates"),
    (pd.DataFrame({"a": []}), "no candidates"),
    ([{"a": 1}, {"b": 2}], "row 1, column 'a': there is no cell, unlike in row 0"),
    ([{"a": 1}, {"a": 1, "b": 2}], "row 1, column 'b': there is a cell, unlike in row 0"),
    ([{"a": 1}, {"a": None}], "row 1, column 'a': the cell is missing; fill it in"),
    ([{"a": "x"}, {"a": " "}], "row 1, column 'a': the cell is missing"),
    (np.array([[1.0], [math.nan]]), "row 1, column 'x0': the cell is missing"),
    (pd.DataFrame({"a": pd.array([1, None], dtype="Int64")}), "row 1, column 'a': the cell is m"),
    (pl.DataFrame({"a": ["x", None]}), "row 1, column 'a': the cell is missing"),
    ([{"a": 1.0}, {"a": math.inf}], "row 1, column 'a': expected a finite number or text, got inf"),
    ([{"a": 1}, {"a": "x"}], "row 1, column 'a': got the text 'x' where row 0 holds 1; a column"),
    ([{"a": 1}, {"a": True}], "row 1, column 'a': got True .* where row 0 holds 1"),
    ([{"a": [1, 2]}], "row 0, column 'a': expected a finite number or text, got .1, 2."),
    ([{"a": "1"}, {"a": "2.5"}], r"column 'a': holds numbers written as text.*float\(\)"),
    (pd.DataFrame({"t": pd.to_datetime(["2020-01-01"])}), "column 't': expected numbers or text"),
    ({"s": [f"m{i}" for i in range(150)]}, r"'s': has 150 different texts .* the id \(id='s', "),
    ([1, 2], "each candidate must be a dict"),
    ([{"a": 1}, 7], "each candidate must be a dict such as .* got 7"),
    ("library.csv", "for a file use Candidates.from_csv"),
    (None, "candidates are a list of dicts"),
    (pl.LazyFrame({"a": [1]}), r"a LazyFrame has no rows yet; give rows.collect\(\)"),
    (dd.from_pandas(pd.DataFrame({"a": [1]})), r"from_dask\(frame\) leaves them there"),
    (pd.Series([1, 2]), "candidates are a list of dicts"),
    (iter([{"a": 1}]), "candidates are a list of dicts"),
    (np.zeros(3), r"the shape \(rows, features\), got \(3,\).*reshape"),
    ([[1, 2], [3]], "the rows differ in length"),
    ({"a": [1], "b": [1, 2]}, "the columns differ in length: 'a' has 1, 'b' has 2"),
    ({"a": 3}, "a column must be a list of cells, got 3"),
    ({"a": "abc"}, "a column must be a list of cells, got the text 'abc'"),
    ({"a": np.zeros((2, 2))}, "column 'a': expected one cell a row"),
    ([{1: 2}], "name must be text, got 1"),
    ([{"a": 1, "a ": 2}], "called alike"),
    (pd.DataFrame([[1, 2]], columns=["a", "a"]), "two columns are called 'a'"),
]


class TestRefusals:
    @pytest.mark.parametrize(("rows", "message"), BAD)
    def test_a_bad_table_is_refused_with_the_place(self, rows, message):
        with pytest.raises(SpaceError, match=message):
            Candidates(rows)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"id": "smiles"}, "there is no column 'smiles'; there are name, solvent"),
            ({"features": ["load", "mass"]}, "there is no column 'mass'"),
            ({"id": "name", "features": ["name", "load"]}, "name: the id cannot be a feature"),
            ({"features": ["load", "load"]}, "features names a column twice"),
            ({"features": []}, "no feature columns"),
            ({"features": "load"}, r"must be a list of columns; write \['load'\]"),
            ({"id": "solvent"}, "row 2, column 'solvent': the text 'DMF' is the id of row 0 too"),
            ({"id": "dry"}, "column 'dry'"),
        ],
    )
    def test_bad_options(self, options, message):
        with pytest.raises(SpaceError, match=message):
            Candidates(ROWS, **options)

    @pytest.mark.parametrize("ids", [[-1, -2, -1], [-2, -1, -1, -2], ["a", "b", "c", "b"]])
    def test_ids_that_come_twice_are_found_between_others_of_their_key(self, ids):
        # to Python -1 and -2 have one hash
        second = next(i for i, one in enumerate(ids) if one in ids[:i])
        place = rf"row {second}, column 'k': .* is the id of row {ids.index(ids[second])} too"
        with pytest.raises(SpaceError, match=place):
            Candidates({"k": ids, "x": list(range(len(ids)))}, id="k")

    def test_a_pool_of_ids_alone_has_nothing_to_learn_from(self):
        with pytest.raises(SpaceError, match="no feature columns"):
            Candidates([{"name": "a"}], id="name")

    def test_a_missing_id(self):
        with pytest.raises(SpaceError, match="row 1, column 'n': the id is missing"):
            Candidates([{"n": "a", "x": 1}, {"n": None, "x": 2}], id="n")

    def test_places_in_a_csv_are_lines(self, tmp_path):
        path = tmp_path / "pool.csv"
        path.write_text("name,w\n\na,1\nb,\n")
        with pytest.raises(DataFileError, match=r"pool.csv, line 4, column 'w': the cell is miss"):
            Candidates.from_csv(path, id="name")
        path.write_text("name,w\na,1\nb,2\na,3\n")
        with pytest.raises(DataFileError, match=r"line 4, column 'name': the text 'a' is the id"):
            Candidates.from_csv(path, id="name")
        path.write_text("name,w\n")
        with pytest.raises(DataFileError, match=r"pool.csv: no candidates"):
            Candidates.from_csv(path, id="name")
        path.write_text("name,w\na,1\n")
        with pytest.raises(DataFileError, match=r"pool.csv: there is no column 'nam'; there are n"):
            Candidates.from_csv(path, id="nam")
        with pytest.raises(DataFileError, match="no such file"):
            Candidates.from_csv(tmp_path / "other.csv")

    def test_places_in_a_parquet_file_are_rows(self, tmp_path):
        path = tmp_path / "pool.parquet"
        pq.write_table(pa.table({"n": ["a", "b"], "w": [1.0, None]}), path)
        with pytest.raises(DataFileError, match=r"pool.parquet, row 1, column 'w': the cell is m"):
            Candidates.from_parquet(path, id="n")
        with pytest.raises(DataFileError, match="there is no column 'mass'"):
            Candidates.from_parquet(path, id="n", features=["mass"])
        path.write_bytes(b"PAR1 and then nonsense PAR1")
        with pytest.raises(DataFileError, match=r"pool.parquet: cannot be read as Parquet"):
            Candidates.from_parquet(path)
        with pytest.raises(DataFileError, match=r"absent.parquet: there is no such file \(looked"):
            Candidates.from_parquet(tmp_path / "absent.parquet")

    @pytest.mark.parametrize(
        ("path", "said"),
        [(None, "None"), (3, "an int"), (pd.DataFrame({"a": [1]}), "a DataFrame"), (b"a", "a byt")],
    )
    def test_what_is_no_name_of_a_file_is_refused(self, path, said):
        for read in (Candidates.from_csv, Candidates.from_parquet):
            with pytest.raises(SpaceError, match=f"expected the name of a file, got {said}"):
                read(path)
        with pytest.raises(SpaceError, match="expected the name of a file, got an int; rows"):
            Candidates.from_parquet([3])
        with pytest.raises(SpaceError, match="expected the name of a file, got a BytesIO; rows"):
            Candidates.from_parquet(BytesIO(b"PAR1"))

    def test_a_pattern_of_tables_is_refused(self, tmp_path):
        with pytest.raises(DataFileError, match=r"a pattern stands for Parquet files; put"):
            Candidates.from_csv(tmp_path / "*.csv")
        (tmp_path / "tests [2].csv").write_text("a\n1\n2\n")
        assert len(Candidates.from_csv(tmp_path / "tests [2].csv")) == 2

    def test_files_are_those_of_this_machine(self):
        with pytest.raises(DataFileError, match="copy them here, or leave them there"):
            Candidates.from_parquet("s3://bucket/library/*.parquet")

    def test_without_pyarrow_the_extra_is_named(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(MissingExtraError, match=r'pip install "pathmax\[parquet\]"'):
            Candidates.from_parquet("pool.parquet")


class TestLookup:
    def test_rows_are_found_by_id_or_by_features(self):
        pool = Candidates(ROWS, id="name")
        for i, row in enumerate(ROWS):
            assert pool.index(row) == i
            assert pool.index({"name": row["name"]}) == i
            assert pool.index({key: row[key] for key in pool.searched_names}) == i
            assert pool.validate({"name": row["name"]}) == row
            np.testing.assert_array_equal(pool.encode(row), pool.encode_all()[i])
        np.testing.assert_array_equal(pool.encode_many(ROWS), pool.encode_all())
        assert pool.encode_many([]).shape == (0, 4)

    @pytest.mark.parametrize(
        ("params", "message"),
        [
            ({"name": "zz"}, "name: no candidate has the id the text 'zz'; ids are text here"),
            ({"name": 1}, "name: no candidate has the id 1; ids are text here, such as 'a1'"),
            ({"name": ["a1"]}, "name: no candidate has the id"),
            ({"load": 1.0}, "solvent: no value given; params need name"),
            ({"mass": 1.0}, "mass: no such column in this pool; it has name, solvent"),
            ([1], "params must be a dict"),
            ({"solvent": "DMF", "load": "1", "rings": 2, "dry": True}, "load: expected a number"),
            ({"solvent": "DMF", "load": 9, "rings": 2, "dry": True}, "no candidate has the feat"),
            ({"solvent": "x", "load": 1, "rings": 2, "dry": True}, "solvent: no candidate has"),
            ({"solvent": "DMF", "load": 1, "rings": 2, "dry": 1}, "dry: no candidate has 1"),
        ],
    )
    def test_what_is_no_row_is_refused(self, params, message):
        with pytest.raises(ParamsError, match=message):
            Candidates(ROWS, id="name").index(params)

    def test_a_row_number_outside_is_refused(self):
        pool = Candidates(ROWS)
        for index in (-1, 3):
            with pytest.raises(ParamsError, match="the pool has rows 0 to 2"):
                pool.params(index)

    def test_numbers_rounded_by_a_spreadsheet_still_find_their_row(self):
        pool = Candidates({"x": [1 / 3, 2 / 3], "s": ["a", "b"]})
        assert pool.index({"x": 0.6666666667, "s": "b"}) == 1
        with pytest.raises(ParamsError):
            pool.index({"x": 0.667, "s": "b"})

    def test_numeric_ids_need_not_be_of_the_same_type(self):
        pool = Candidates([{"n": 7, "x": 1}, {"n": 8, "x": 2}], id="n")
        assert pool.index({"n": np.int64(8)}) == 1
        assert pool.index({"n": 8.0}) == 1

    @given(st.lists(st.tuples(finite, st.sampled_from("abc")), min_size=1, max_size=20))
    def test_every_row_is_found(self, cells):
        pool = Candidates({"x": [x for x, _ in cells], "s": [s for _, s in cells]})
        for i in range(len(pool)):
            found = pool.index(pool.params(i))
            assert pool.params(found) == pool.params(i)
            assert found == cells.index(cells[i])

    def test_a_pool_sent_to_another_process_still_finds_its_rows(self, tmp_path):
        pool = Candidates(ROWS, id="name")
        assert pool.index({"name": "b2"}) == 1  # the lookup is built; text hashes differ over there
        (tmp_path / "pool.pickle").write_bytes(pickle.dumps(pool))
        code = (
            "import pickle, sys; pool = pickle.load(open(sys.argv[1], 'rb'));"
            "print(pool.index({'name': 'b2'}))"
        )
        answer = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "pool.pickle")],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": "7"},
        )
        assert answer.stdout.strip() == "1"


class TestTwins:
    def test_only_the_first_of_the_same_features_is_free(self):
        pool = Candidates({"n": list("abcde"), "x": [1, 2, 1, 3, 1], "s": list("uvuww")}, id="n")
        assert len(pool) == 5
        assert pool.cardinality == 4
        assert pool.repeated.tolist() == [False, False, True, False, False]
        assert pool.free().tolist() == [True, True, False, True, True]
        assert pool.free([2]).tolist() == [False, True, False, True, True]
        assert pool.free([0, 3]).tolist() == [False, True, False, False, True]

    def test_zeros_of_both_signs_are_one(self):
        assert Candidates({"x": [0.0, -0.0]}).cardinality == 1

    @given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=30))
    def test_twins_are_those_that_brute_force_finds(self, cells):
        pool = Candidates({"a": [a for a, _ in cells], "b": [b for _, b in cells]})
        assert pool.cardinality == len(set(cells))
        assert pool.repeated.tolist() == [cell in cells[:i] for i, cell in enumerate(cells)]

    def test_one_candidate_and_constant_columns_work(self):
        pool = Candidates([{"x": 3.0, "s": "a"}])
        assert pool.encode_all().tolist() == [[0.0, 0.0]]
        assert pool.cardinality == 1
        assert pool.index({"x": 3, "s": "a"}) == 0


class TestJson:
    @pytest.mark.parametrize("id", [None, "name"])
    def test_a_small_pool_is_stored_whole(self, id):
        pool = Candidates(ROWS, id=id)
        again = Candidates.from_json(json.loads(json.dumps(pool.to_json())))
        assert again == pool
        assert hash(again) == hash(pool)
        assert [again.params(i) for i in range(3)] == [pool.params(i) for i in range(3)]

    def test_a_large_pool_is_stored_as_a_fingerprint(self, rng):
        X = rng.random((10_000, 6))
        pool = Candidates(X)
        data = json.loads(json.dumps(pool.to_json()))
        assert data["rows"] is None
        assert data["length"] == 10_000
        with pytest.raises(SpaceError, match=r"10000 rows .* not stored .* same Candidates again"):
            Candidates.from_json(data)
        X[9_999, 5] += 1e-12
        assert Candidates(X).fingerprint != pool.fingerprint

    def test_differences_are_told_in_sentences(self):
        pool = Candidates(ROWS, id="name")
        assert pool.difference(Candidates(ROWS, id="name")) == []
        assert pool.difference(Candidates(ROWS[:2], id="name")) == [
            "the pool had 3 rows and has 2 now"
        ]
        assert pool.difference(Candidates(ROWS, features=["load"])) == [
            "column name was removed",
            "column solvent was removed",
            "column rings was removed",
            "column dry was removed",
            "the id was 'name' and is None now",
        ]
        assert pool.difference(Candidates(ROWS[::-1], id="name")) == [
            "the cells of the pool, or the order of its rows or columns, changed"
        ]
        assert pool.difference(7) == ["a pool of 3 candidates became a int"]

    def test_repr_is_short(self):
        assert repr(Candidates(ROWS, id="name")) == (
            "<Candidates: 3 rows of solvent, load, rings, dry, id='name'>"
        )


def test_large_pools_are_lean(rng):
    import tracemalloc

    X = rng.random((250_000, 10), dtype=np.float32)
    tracemalloc.start()
    pool = Candidates(X)
    U = pool.encode_all()
    free = pool.free([5])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert U.dtype == np.float32
    assert not U.flags.writeable
    assert free.sum() == 249_999
    np.testing.assert_allclose(U.min(axis=0), 0)
    np.testing.assert_allclose(U.max(axis=0), 1)
    # 20 MB as columns and coordinates of 4 bytes each, and what finding twins takes
    assert peak < 250_000 * 10 * 8 * 2
    assert pool.index(pool.params(123_456)) == 123_456


def test_every_refusal_is_an_error_of_ours():
    for rows, _ in BAD:
        with pytest.raises(PathmaxError):
            Candidates(rows)


def test_ignored_columns_are_dropped_whatever_they_hold(tmp_path: Path) -> None:
    path = tmp_path / "library.csv"
    path.write_text("name,size,price\na,1,3.5\nb,2,on request\nc,3,4\n")
    with pytest.raises(PathmaxError, match="'on request' is not a number"):
        Candidates.from_csv(path, id="name")
    pool = Candidates.from_csv(path, id="name", ignore=["price", "no such column"])
    assert pool.names == ("name", "size")
    frame = pl.DataFrame({"name": ["a", "b", "c"], "size": [1, 2, 3], "price": ["x", "", ""]})
    assert Candidates(frame, id="name", ignore=["price"]) == pool
    frame.write_parquet(tmp_path / "library.parquet")
    read = Candidates.from_parquet(tmp_path / "library.parquet", id="name", ignore=["price"])
    assert read == pool
    with pytest.raises(SpaceError, match=r"ignore must be a list of columns such as \['price'\]"):
        Candidates(frame, id="name", ignore="price")


def test_the_row_numbers_of_pandas_are_no_feature(tmp_path: Path):
    frame = pd.DataFrame(COLUMNS).iloc[[2, 0, 1]]
    frame.to_parquet(tmp_path / "pool.parquet")
    assert "__index_level_0__" in pq.read_schema(tmp_path / "pool.parquet").names
    pool = Candidates.from_parquet(tmp_path / "pool.parquet", id="name")
    assert pool.names == tuple(COLUMNS)
    assert Candidates(pa.Table.from_pandas(frame), id="name").names == tuple(COLUMNS)


def test_what_is_masked_is_missing():
    table = np.ma.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], mask=[[0, 1], [0, 0], [0, 0]])
    with pytest.raises(SpaceError, match="row 0, column 'x1': the cell is missing"):
        Candidates(table)
    pool = Candidates(table, skip_incomplete=True)
    assert pool.skipped == 1 and pool.params(0) == {"x0": 3.0, "x1": 4.0}


def test_incomplete_rows_are_all_named_or_left_out(tmp_path: Path):
    file = tmp_path / "pool.csv"
    rows = [f"m{i},{'' if i % 3 == 0 else i},{'' if i == 4 else 'x'},n" for i in range(30)]
    file.write_text("name,size,kind,price\n" + "\n".join(rows) + "\nm30,1,y,\n")
    with pytest.raises(DataFileError) as error:
        Candidates.from_csv(file, id="name", ignore=["price"])
    assert "11 cells are missing in 11 of 31 rows: line 2, column 'size'; line 5" in str(
        error.value
    )
    assert "line 6, column 'kind'" in str(error.value) and "and 6 more" in str(error.value)
    pool = Candidates.from_csv(file, id="name", ignore=["price"], skip_incomplete=True)
    assert (len(pool), pool.skipped) == (20, 11)
    assert pool.params(0) == {"name": "m1", "size": 1, "kind": "x"}  # 1 and not 1.0
    assert pickle.loads(pickle.dumps(pool)).skipped == 11
    frame = pd.read_csv(file)
    for again in (
        Candidates(frame, id="name", ignore=["price"], skip_incomplete=True),
        Candidates(frame.to_dict("records"), id="name", ignore=["price"], skip_incomplete=True),
    ):
        assert (len(again), again.skipped) == (20, 11)
    with pytest.raises(SpaceError, match="no candidates"):
        Candidates({"a": [None, None]}, skip_incomplete=True)


def test_an_error_after_skipping_names_the_line_of_the_file(tmp_path: Path):
    file = tmp_path / "pool.csv"
    file.write_text("name,size\na,\nb,1\nb,2\n")
    with pytest.raises(DataFileError, match="line 4, column 'name': the text 'b' is the id"):
        Candidates.from_csv(file, id="name", skip_incomplete=True)


def test_whole_numbers_of_thousands_of_digits_are_refused():
    with pytest.raises(SpaceError, match="too long to be shown"):
        Candidates([{"id": 10**5000, "x": 1}, {"id": 1, "x": 2}], id="id")
    with pytest.raises(SpaceError, match="too long to be shown"):
        Candidates([{"x": 10**5000}, {"x": 1}])


def test_a_table_without_a_complete_row_has_no_candidates(tmp_path):
    path = tmp_path / "all-incomplete.csv"
    path.write_text("a,b\n1.5,\n,3.5\n", encoding="utf-8")
    with pytest.raises(DataFileError, match="no candidates"):
        Candidates.from_csv(path, skip_incomplete=True)


def test_an_id_that_comes_twice_is_named_by_its_lines_where_rows_are_skipped(tmp_path: Path):
    file = tmp_path / "pool.csv"
    file.write_text("k,x\np,\na,1\nq,\na,2\n")
    with pytest.raises(DataFileError, match=r"line 5, column 'k': .*'a' is the id of line 3 too"):
        Candidates.from_csv(file, id="k", skip_incomplete=True)


def test_many_columns_take_seconds():
    """A set of all names was made for each of them: 100,000 columns took more than six minutes."""
    rows = [{f"c{i}": float(j) for i in range(20_000)} for j in range(2)]
    start = time.process_time()
    assert len(Candidates(rows)) == 2
    assert time.process_time() - start < 5.0


def test_what_is_said_to_a_study_is_refused_with_where_to_say_it():
    with pytest.raises(SpaceError, match=r"Study\(pool, replicates=True\)"):
        Candidates([{"a": 1}, {"a": 2}], replicates=True)
    with pytest.raises(SpaceError, match=r"Study\(pool, replicates=True\)"):
        Grid({"a": [1, 2]}, replicates=True)
