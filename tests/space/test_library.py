"""A library of Parquet files that are not held is the same pool as one that is."""

import itertools
import os

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from pathmax import Candidates
from pathmax.errors import DataFileError, ParamsError, SpaceError
from pathmax.space.any_space import difference
from pathmax.space.stable_keys import RowHash, keys_of_cells, keys_of_texts

N = 700


def table(rng, n=N):
    return pa.table(
        {
            "name": [f"m{i}" for i in range(n)],
            "x": rng.random(n),
            "k": rng.integers(0, 9, n),
            "solvent": rng.choice(["DMF", "THF", "water"], n),
            "dry": rng.random(n) < 0.5,
            "price": rng.random(n).astype(np.float32),
        }
    )


def write(folder, whole, cuts=(230, 410), group=100):
    folder.mkdir(exist_ok=True)
    edges = [0, *cuts, whole.num_rows]
    for i, (a, b) in enumerate(itertools.pairwise(edges)):
        parquet.write_table(whole.slice(a, b - a), folder / f"{i}.parquet", row_group_size=group)
    return os.path.join(folder, "*.parquet")


@pytest.fixture
def files(tmp_path, rng):
    return write(tmp_path / "library", table(rng))


def both(files, **how):
    held = Candidates.from_parquet(files, stream=False, **how)
    streamed = Candidates.from_parquet(files, stream=True, **how)
    assert held.library is None
    assert streamed.library is not None
    return held, streamed


class TestTheSamePool:
    @pytest.mark.parametrize(
        "how",
        [
            {"id": "name"},
            {"ignore": ["name"]},
            {"id": "name", "features": ["solvent", "x"]},
            {"id": "k"} | {"features": ["x"]},
        ],
    )
    def test_rows_points_and_names_are_those_of_the_held_one(self, files, how, tmp_path, rng):
        if how.get("id") == "k":
            whole = table(rng).set_column(2, "k", pa.array(np.arange(N)))
            files = write(tmp_path / "numbers", whole)
        held, streamed = both(files, **how)
        some = [0, 99, 100, 229, 230, 555, N - 1]
        assert len(streamed) == N
        assert streamed.names == held.names
        assert [axis.kind for axis in streamed.axes] == [axis.kind for axis in held.axes]
        assert streamed.params_of(some) == held.params_of(some)
        types = [type(cell) for cell in held.params(5).values()]
        assert [type(cell) for cell in streamed.params(5).values()] == types
        np.testing.assert_array_equal(streamed.encode_rows(some), held.encode_rows(some))
        for row in some:
            assert streamed.index(held.params(row)) == row

    def test_a_library_is_known_again_whatever_holds_it(self, files):
        held, streamed = both(files, id="name")
        assert held == streamed
        assert streamed == held
        assert difference(held.to_json(), streamed) == []
        assert difference(streamed.to_json(), held) == []

    def test_where_files_and_row_groups_end_does_not_matter(self, tmp_path, rng):
        whole = table(rng)
        one = Candidates.from_parquet(write(tmp_path / "a", whole, ()), id="name", stream=True)
        other = Candidates.from_parquet(
            write(tmp_path / "b", whole, (1, 17, 600), group=37), id="name", stream=True
        )
        assert one.fingerprint == other.fingerprint
        assert one.to_json() == other.to_json()

    def test_another_cell_or_another_order_is_another_library(self, tmp_path, rng):
        whole = table(rng)
        one = Candidates.from_parquet(write(tmp_path / "a", whole), id="name", stream=True)
        x = whole.column("x").to_numpy().copy()
        x[600] += 1e-12
        changed = whole.set_column(1, "x", pa.array(x))
        swapped = whole.take([1, 0, *range(2, N)])
        for i, rows in enumerate((changed, swapped)):
            files = write(tmp_path / f"other{i}", rows)
            other = Candidates.from_parquet(files, id="name", stream=True)
            assert other.fingerprint != one.fingerprint
            (said,) = difference(one.to_json(), other)
            assert "changed" in said

    def test_a_folder_and_a_list_of_files_are_libraries(self, files):
        folder = os.path.dirname(files)
        listed = [os.path.join(folder, f"{i}.parquet") for i in range(3)]
        expected = Candidates.from_parquet(files, id="name", stream=True)
        assert Candidates.from_parquet(folder, id="name", stream=True) == expected
        assert Candidates.from_parquet(listed, id="name", stream=True) == expected
        assert Candidates.from_parquet(listed, id="name") == expected

    def test_large_pools_are_rounded_alike(self, files, monkeypatch):
        monkeypatch.setattr("pathmax.space.columns.MAX_DOUBLE_CELLS", 1000)
        held, streamed = both(files, id="name")
        assert held.encode_all().dtype == np.float32
        np.testing.assert_array_equal(streamed.encode_rows(range(N)), held.encode_rows(range(N)))

    def test_large_tables_are_not_held(self, files, monkeypatch):
        monkeypatch.setattr("pathmax.space.parquet_pool.MOST_HELD_CELLS", 1000)
        assert Candidates.from_parquet(files, id="name").library is not None

    def test_incomplete_rows_are_left_out_alike(self, tmp_path, rng):
        whole = table(rng)
        x = [None if i in (3, 350, 351) else v for i, v in enumerate(whole.column("x").to_pylist())]
        s = [" " if i == 500 else v for i, v in enumerate(whole.column("solvent").to_pylist())]
        whole = whole.set_column(1, "x", pa.array(x)).set_column(3, "solvent", pa.array(s))
        held, streamed = both(write(tmp_path / "gaps", whole), id="name", skip_incomplete=True)
        assert streamed.skipped == held.skipped == 4
        assert streamed.params_of(range(N - 4)) == held.params_of(range(N - 4))
        assert streamed == held

    @pytest.mark.parametrize(
        "ids",
        [
            pa.array([1.5, 2.5, 3.5]),
            pa.array([1.0, 2.0, 3.0], pa.float32()),
            pa.array([1, None, 3], pa.int64()),
            pa.array([1, 2, 2**60], pa.uint64()),
            pa.array(["1", None, "3"]),
        ],
    )
    def test_ids_of_every_type_are_the_same_held_or_not(self, ids, tmp_path):
        rows = pa.table({"k": ids, "n": pa.array([None, 5, 6][::-1]), "x": [1.0, 2.0, 3.0]})
        held, streamed = both(
            write(tmp_path / "ids", rows, cuts=(1,)), id="k", skip_incomplete=True
        )
        assert held == streamed and streamed == held
        assert hash(held) == hash(streamed)
        assert held.params_of([0]) == streamed.params_of([0])
        assert [*map(repr, held.params(0).values())] == [*map(repr, streamed.params(0).values())]
        assert streamed.index(held.params(len(held) - 1)) == len(held) - 1

    def test_text_that_arrow_keeps_as_a_dictionary_is_text(self, tmp_path, rng):
        whole = table(rng)
        coded = whole.set_column(3, "solvent", whole.column("solvent").dictionary_encode())
        held, streamed = both(write(tmp_path / "coded", coded), id="name")
        assert streamed.params(17) == held.params(17)
        assert streamed == held

    def test_what_needs_every_row_at_once_says_how_to_have_them(self, files):
        _, streamed = both(files, id="name")
        with pytest.raises(SpaceError, match="stream=False"):
            streamed.encode_all()


class TestRefusals:
    def test_all_missing_cells_are_told_at_once(self, tmp_path, rng):
        whole = table(rng)
        x = [None if i in (3, 350) else v for i, v in enumerate(whole.column("x").to_pylist())]
        files = write(tmp_path / "gaps", whole.set_column(1, "x", pa.array(x)))
        with pytest.raises(DataFileError, match=r"2 cells are missing in 2 of 700 rows") as caught:
            Candidates.from_parquet(files, id="name", stream=True)
        assert "0.parquet, row 3, column 'x'" in str(caught.value)
        assert "1.parquet, row 120, column 'x'" in str(caught.value)

    def test_an_infinite_number_is_refused_with_its_place(self, tmp_path, rng):
        x = table(rng).column("x").to_numpy().copy()
        x[350] = np.inf
        files = write(tmp_path / "far", table(rng).set_column(1, "x", pa.array(x)))
        with pytest.raises(DataFileError, match=r"1.parquet, row 120, column 'x': expected a fin"):
            Candidates.from_parquet(files, id="name", stream=True)

    def test_whole_numbers_that_would_be_rounded_are_refused(self, tmp_path, rng):
        whole = table(rng).append_column("stamp", pa.array(np.arange(N) + 2**60))
        files = write(tmp_path / "stamps", whole)
        with pytest.raises(DataFileError, match="column 'stamp': holds whole numbers bey"):
            Candidates.from_parquet(files, id="name", stream=True)
        pool = Candidates.from_parquet(files, id="stamp", features=["x"], stream=True)
        assert pool.params(1)["stamp"] == 2**60 + 1
        assert pool.index({"stamp": 2**60 + 1}) == 1

    def test_ids_must_differ(self, tmp_path, rng):
        names = [f"m{i}" for i in range(N)]
        names[412] = "m7"
        files = write(tmp_path / "twice", table(rng).set_column(0, "name", pa.array(names)))
        earlier = r"2.parquet, row 2.*'m7' is the id of \S+0.parquet, row 7 too"
        with pytest.raises(DataFileError, match=earlier):
            Candidates.from_parquet(files, id="name", stream=True)

    def test_rows_are_named_as_in_the_files_where_some_are_skipped(self, tmp_path):
        x = pa.array([None, None, 1.0, np.inf])
        files = write(tmp_path / "far", pa.table({"x": x}), cuts=())
        with pytest.raises(DataFileError, match=r"0.parquet, row 3, column 'x': expected a finite"):
            Candidates.from_parquet(files, stream=True, skip_incomplete=True)
        names, x = ["p", "a", "q", "r", "a"], [None, 1.0, None, 2.0, 3.0]
        files = write(tmp_path / "twice", pa.table({"name": names, "x": x}), cuts=(2,), group=2)
        with pytest.raises(DataFileError) as error:
            Candidates.from_parquet(files, id="name", stream=True, skip_incomplete=True)
        assert "1.parquet, row 2, column 'name': the text 'a' is the id of" in str(error.value)
        assert "0.parquet, row 1 too" in str(error.value)

    def test_a_text_for_every_row_is_no_category(self, files):
        with pytest.raises(DataFileError, match="make it the id"):
            Candidates.from_parquet(files, stream=True)

    def test_files_must_have_the_same_columns(self, files, rng):
        folder = os.path.dirname(files)
        parquet.write_table(table(rng).drop(["dry"]), os.path.join(folder, "9.parquet"))
        with pytest.raises(DataFileError, match=r"9.parquet: its columns are"):
            Candidates.from_parquet(files, id="name", stream=True)
        whole = table(rng)
        for wrong in ("string", "date32"):
            column = pa.array([1] * N, "int32").cast(wrong)
            parquet.write_table(whole.set_column(1, "x", column), os.path.join(folder, "9.parquet"))
            with pytest.raises(DataFileError, match=rf"9.parquet, column 'x': holds {wrong}"):
                Candidates.from_parquet(files, id="name", stream=True)

    @pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
    def test_numbers_are_numbers_and_text_is_text_in_all_files(self, tmp_path, order):
        written = [
            {"name": pa.array(["a", "b", "c"]), "x": pa.array([1, 2, 5])},
            {"name": pa.array(["d", "e"], "large_string"), "x": pa.array([1.5, 7.0])},
            {"name": pa.array(["f", "g"]).dictionary_encode(), "x": pa.array([0.5, 3], "float32")},
        ]
        for i, which in enumerate(order):
            parquet.write_table(pa.table(written[which]), tmp_path / f"{i}.parquet")
        held, streamed = both(tmp_path, id="name")
        assert held == streamed
        rows = [pool.params_of(range(7)) for pool in (held, streamed)]
        assert rows[0] == rows[1]
        assert {row["name"]: row["x"] for row in rows[0]} == dict(
            zip("abcdefg", (1, 2, 5, 1.5, 7, 0.5, 3), strict=True)
        )

    def test_folders_that_stand_for_a_column_have_files_of_the_same_types(self, tmp_path):
        for year, x in ((2025, pa.array([1, 2])), (2026, pa.array([0.5, 3.0]))):
            (tmp_path / f"year={year}").mkdir()
            parquet.write_table(pa.table({"x": x}), tmp_path / f"year={year}" / "0.parquet")
        with pytest.raises(DataFileError, match=r"the folder 'year=2025' .* with the same types"):
            Candidates.from_parquet(tmp_path)

    @pytest.mark.parametrize("stream", [True, False])
    def test_files_may_differ_in_columns_that_are_not_read(self, files, rng, stream):
        before = Candidates.from_parquet(files, id="name", features=["x", "dry"], stream=stream)
        odd = table(rng, 3).append_column("batch", pa.array(["a", "b", "c"]))
        odd = odd.append_column("__index_level_0__", pa.array([7, 8, 9]))
        odd = odd.set_column(0, "name", pa.array(["n0", "n1", "n2"]))
        odd = odd.set_column(2, "k", pa.array(["u", "v", "w"]))
        parquet.write_table(odd, os.path.join(os.path.dirname(files), "9.parquet"))
        chosen = {"id": "name", "features": ["x", "dry"], "stream": stream}
        assert len(Candidates.from_parquet(files, **chosen)) == len(before) + 3
        with pytest.raises(DataFileError, match="or ignore those that some do not have"):
            Candidates.from_parquet(files, id="name", stream=stream)
        whole = {"id": "name", "ignore": ["batch", "k"], "stream": stream}
        assert len(Candidates.from_parquet(files, **whole)) == N + 3

    @pytest.mark.parametrize("stream", [True, False])
    @pytest.mark.parametrize("name", ["-.parquet", "9.parquet"])  # before the others, and after
    def test_a_file_without_rows_has_no_say_in_the_types(self, files, name, stream):
        folder = os.path.dirname(files)
        before = Candidates.from_parquet(files, id="name", stream=stream)
        empty = pa.table({column: pa.array([]) for column in ("name", "x", "k", "solvent")})
        parquet.write_table(empty, os.path.join(folder, name))
        for given in (files, folder):
            again = Candidates.from_parquet(given, id="name", stream=stream)
            assert difference(before.to_json(), again) == []
        with pytest.raises(DataFileError, match="no candidates"):
            Candidates.from_parquet(os.path.join(folder, name), id="name", stream=stream)

    @pytest.mark.parametrize("stream", [True, False])
    def test_all_columns_are_named_where_one_is_not_there(self, files, stream):
        with pytest.raises(DataFileError, match="no column 'z'; there are name, x, k, solvent, dr"):
            Candidates.from_parquet(files, id="name", features=["x", "z"], stream=stream)

    def test_a_file_that_changes_meanwhile_is_noticed(self, files, rng):
        pool = Candidates.from_parquet(files, id="name", stream=True)
        path = os.path.join(os.path.dirname(files), "1.parquet")
        parquet.write_table(table(rng), path)
        with pytest.raises(DataFileError, match=r"1.parquet: the file has changed"):
            pool.params(300)

    def test_a_pattern_without_files_is_refused(self, tmp_path):
        with pytest.raises(DataFileError, match="no file has such a name"):
            Candidates.from_parquet(tmp_path / "*.parquet")
        with pytest.raises(DataFileError, match="no Parquet file in this folder"):
            Candidates.from_parquet(tmp_path)
        with pytest.raises(DataFileError, match=r"there is no such file \(looked in"):
            Candidates.from_parquet(tmp_path / "library.parquet")
        for nothing in ([], tmp_path.glob("*.parquet")):
            with pytest.raises(DataFileError, match="the list of Parquet files is empty"):
                Candidates.from_parquet(nothing)

    def test_a_file_is_listed_once(self, files):
        folder = os.path.dirname(files)
        for twice in ([files, files], [folder, os.path.join(folder, "..", "library", "1.parquet")]):
            with pytest.raises(DataFileError, match=r"parquet: the list has this file twice"):
                Candidates.from_parquet(twice, ignore=["name"])

    @pytest.mark.parametrize("word", ["yes", "no", 1])
    def test_yes_and_no_are_no_words(self, files, word):
        for option in ("stream", "skip_incomplete"):
            with pytest.raises(SpaceError, match=f"Candidates: {option} must be True or False"):
                Candidates.from_parquet(files, id="name", **{option: word})
        with pytest.raises(SpaceError, match="skip_incomplete must be True or False"):
            Candidates([{"x": 1}], skip_incomplete=word)
        assert Candidates.from_parquet(files, id="name", stream=np.True_).library is not None

    @pytest.mark.parametrize("index", ["m1", 1.5, True, None, -1, N])
    def test_a_row_has_a_number(self, files, index):
        for pool in both(files, id="name"):
            with pytest.raises(ParamsError, match=rf"row {index!r}: the pool has rows 0 to 699"):
                pool.params(index)
            assert pool.params(np.int64(3)) == pool.params(3) == pool.params(3.0)

    def test_yes_and_no_are_no_ids(self, files):
        for stream in (True, False):
            with pytest.raises(DataFileError, match="column 'dry': an id must be text or a number"):
                Candidates.from_parquet(files, id="dry", features=["x"], stream=stream)

    @pytest.mark.parametrize("stream", [True, False])
    def test_two_columns_of_one_name_are_refused(self, tmp_path, stream):
        columns = [pa.array([1.0, 2.0]), pa.array([3.0, 4.0])]
        parquet.write_table(pa.Table.from_arrays(columns, names=["x", "x"]), tmp_path / "0.parquet")
        with pytest.raises(DataFileError, match=r"0.parquet: two columns are called 'x'; rename"):
            Candidates.from_parquet(tmp_path, stream=stream)

    def test_a_date_is_refused(self, tmp_path, rng):
        dates = pa.array(np.arange(N).astype("datetime64[D]"))
        files = write(tmp_path / "dates", table(rng).append_column("made", dates))
        with pytest.raises(DataFileError, match="column 'made': expected numbers or text"):
            Candidates.from_parquet(files, id="name", stream=True)

    def test_folders_that_stand_for_a_column_are_refused(self, tmp_path, rng):
        write(tmp_path / "year=2025", table(rng))
        with pytest.raises(DataFileError, match="year=2025"):
            Candidates.from_parquet(tmp_path, id="name", stream=True)

    @pytest.mark.parametrize(
        ("params", "message"),
        [
            ({"name": "nobody"}, "no candidate has the id the text 'nobody'; ids are text"),
            ({"name": ["m1"]}, "no candidate has the id"),
            ({"colour": 1}, "no such column"),
        ],
    )
    def test_a_row_that_is_not_there_is_refused_alike(self, files, params, message):
        for pool in both(files, id="name"):
            with pytest.raises(ParamsError, match=message):
                pool.index(params)

    def test_features_are_found_although_rounded(self, files):
        for pool in both(files, ignore=["name"]):
            row = pool.params(345)
            assert pool.index(row | {"x": row["x"] * (1 + 1e-8)}) == 345
            with pytest.raises(ParamsError, match="no candidate has the features"):
                pool.index(row | {"x": 2.0})


class TestHash:
    def test_the_hash_of_two_pieces_is_that_of_the_whole(self, rng):
        columns = [keys_of_cells(rng.random(500)), keys_of_texts([f"t{i}" for i in range(500)])]
        whole = RowHash.of(columns)
        for cut in (1, 250, 499):
            first, second = (
                RowHash.of([c[:cut] for c in columns]), RowHash.of([c[cut:] for c in columns])
            )  # fmt: skip
            assert first.then(second) == whole
        assert RowHash.of([c[::-1].copy() for c in columns]) != whole

    def test_zero_has_one_key(self):
        assert keys_of_cells(np.array([0.0]))[0] == keys_of_cells(np.array([-0.0]))[0]
