"""`--pool 'library/*.parquet'`: rows that stay in their files, on the command line."""

import pyarrow as pa
import pytest
from pyarrow import parquet

N = 300
SPACE = """\
study = "screen"

[objective]
name = "yield"
direction = "maximize"
[candidates]
file = "library/*.parquet"
id = "name"
"""


@pytest.fixture
def library(lab, rng, monkeypatch):
    """Two files, and a limit so low that their rows are not held."""
    monkeypatch.setattr("pathmax.space.parquet_pool.MOST_HELD_CELLS", 100)
    whole = pa.table({"name": [f"m{i}" for i in range(N)], "x": rng.random(N), "y": rng.random(N)})
    (lab / "library").mkdir()
    for i in range(2):
        parquet.write_table(whole.slice(150 * i, 150), lab / "library" / f"{i}.parquet")
    return whole.to_pylist()


def results(lab, rows):
    lines = [f"{row['name']},{-((row['x'] - 0.4) ** 2):.6f}" for row in rows]
    (lab / "results.csv").write_text("\n".join(["name,yield", *lines]) + "\n")


@pytest.mark.parametrize("data", [[], ["--data", "results.csv"]])
@pytest.mark.parametrize("pool", ["alloys.parquet", "alloys.csv"])
def test_a_column_to_ignore_that_is_not_there_is_said(run, lab, pool, data):
    """`--ignore cost,size` named no column, and both were learnt from."""
    (lab / "alloys.csv").write_text("name,x,cost,size\nm0,1,2,3\nm1,2,3,4\nm2,3,4,9\n")
    columns = {"name": ["m0", "m1"], "x": [1.0, 2.0], "cost": [1.0, 3.0], "size": [1, 2]}
    parquet.write_table(pa.table(columns), lab / "alloys.parquet")
    (lab / "results.csv").write_text("name,yield\nm0,3\n")
    options = ["--pool", pool, "--id", "name", "--objective", "yield", *data]
    for ignored in ("cost,size", "Cost"):
        said = run("suggest", *options, "--ignore", ignored, code=1).output
        assert f"--ignore {ignored}: there is no such column in {pool}" in said
        assert "would be learnt from; name each column as it is" in said
    said = run("suggest", *options, "--ignore", "cost", "--ignore", "size").output
    assert "cost" not in said and "size" not in said


@pytest.mark.parametrize("pool", ["library/*.parquet", "library"])
def test_suggest_and_rank_from_a_table_of_results(run, lab, library, pool):
    results(lab, library[::40])
    options = ("--data", "results.csv", "--pool", pool, "--id", "name", "--objective", "yield")
    run("suggest", *options, "-n", "2", "-o", "next.csv")
    rows = (lab / "next.csv").read_text().splitlines()
    assert len(rows) == 3
    ranked = run("rank", *options, "--paths", "20", "-n", "3")
    assert "300 candidates" in ranked.output


def test_a_space_file_names_the_library_and_a_stored_study_finds_it_again(run, ask, lab, library):
    (lab / "space.toml").write_text(SPACE)
    first = ask("suggest", "-n", "2")
    run("tell", "0", "71.3")
    again = ask("suggest")
    assert again["suggestions"][0]["params"] not in [one["params"] for one in first["suggestions"]]


def test_a_changed_library_is_said(run, lab, library):
    (lab / "space.toml").write_text(SPACE)
    run("suggest")
    first = lab / "library" / "0.parquet"
    parquet.write_table(parquet.read_table(first).slice(0, 99), first)
    changed = run("suggest", code=1)
    assert "300 rows and has 249 now" in changed.output


def test_a_candidate_that_is_not_in_the_library_is_named_by_its_line(run, lab, library):
    (lab / "results.csv").write_text("name,yield\nm1,3.0\nnobody,2.0\n")
    options = ("--data", "results.csv", "--pool", "library", "--id", "name", "--objective", "yield")
    said = run("suggest", *options, code=1)
    assert "line 3" in said.output
    assert "nobody" in said.output
