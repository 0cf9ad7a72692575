"""The path without a database: a table of results in, a table to fill in out."""

from pathlib import Path

import pytest

RESULTS = """\
temperature,cycles,solvent,yield
50,1,DMF,10
70,2,THF,35.5
90,5,THF,
100,8,DMF,failed
60,3,THF,20
80,4,DMF,33
"""


@pytest.fixture
def results(space: Path) -> Path:
    path = space.parent / "results.csv"
    path.write_text(RESULTS, encoding="utf-8")
    return path


def test_rows_with_and_without_values(run, ask, results: Path) -> None:
    output = run(
        "suggest", "--space", "space.toml", "--data", "results.csv", "-n", 4, "-o", "next.csv"
    ).output
    assert "results.csv: 4 results, 1 running, 1 failed. 4 experiments to run:" in output
    assert "Written to next.csv, with the columns of results.csv." in output
    lines = Path("next.csv").read_text().splitlines()
    assert lines[0] == RESULTS.splitlines()[0] and len(lines) == 5
    assert all(line.endswith(",") for line in lines[1:])
    assert sorted(p.name for p in Path().iterdir()) == ["next.csv", "results.csv", "space.toml"]
    answer = ask("suggest", "--data", "results.csv")
    assert (answer["complete"], answer["running"], answer["failed"]) == (4, 1, 1)


def test_the_same_table_gives_the_same_suggestions(ask, results: Path) -> None:
    first, second = (ask("suggest", "--data", "results.csv", "-n", 2) for _ in range(2))
    assert first == second
    others = ask("suggest", "--data", "results.csv", "-n", 2, "--seed", 5)
    assert others["suggestions"] != first["suggestions"]


def test_suggestions_differ_from_what_is_running(ask, results: Path) -> None:
    first = ask("suggest", "--data", "results.csv")["suggestions"][0]["params"]
    row = f"{first['temperature']},{first['cycles']},{first['solvent']},\n"
    results.write_text(RESULTS + row)
    assert ask("suggest", "--data", "results.csv")["suggestions"][0]["params"] != first


def test_a_header_alone_is_a_start(run, results: Path) -> None:
    results.write_text("temperature,cycles,solvent,yield\n")
    assert "0 results. 3 experiments" in run("suggest", "--data", "results.csv", "-n", 3).output


def test_output_to_the_screen_is_the_table_and_nothing_else(run, results: Path) -> None:
    output = run("suggest", "--data", "results.csv", "-n", 2, "-o", "-").output
    assert output.splitlines()[0] == "temperature,cycles,solvent,yield"
    assert len(output.splitlines()) == 3


def test_results_are_never_written_over(run, results: Path) -> None:
    output = run("suggest", "--data", "results.csv", "-o", "./results.csv", code=1).output
    assert "would replace your results" in output and results.read_text() == RESULTS
    Path("notes.csv").write_text("mine")
    assert "is not a table of suggestions" in run(
        "suggest", "--data", "results.csv", "-o", "notes.csv", code=1
    ).output  # fmt: skip
    run("suggest", "--data", "results.csv", "-o", "notes.csv", "--force")


def test_without_a_space_it_says_where_to_begin(run, lab: Path) -> None:
    Path("results.csv").write_text(RESULTS)
    output = run("suggest", "--data", "results.csv", code=1).output
    assert "`pathmax init` writes one" in output
    output = run("suggest", code=1).output
    assert "there is no space.toml here. `pathmax init` writes" in output


def test_without_a_table_it_says_how_to_begin_one(run, space: Path) -> None:
    output = run("suggest", "--data", "results.csv", code=1).output
    line = "temperature,cycles,solvent,yield"
    assert f"make it with this one line: {line}" in output
    Path("results.csv").write_text(line)
    run("suggest", "--data", "results.csv")


POOL = "name,weight,class\n" + "".join(f"m{i},{i * i % 37},{'ab'[i % 2]}\n" for i in range(12))


def test_a_pool_is_chosen_from_by_name(run, lab: Path) -> None:
    Path("library.csv").write_text(POOL)
    Path("results.csv").write_text("name,value\nm1,3\nm2,5\nm3,\n")
    arguments = ("suggest", "--pool", "library.csv", "--id", "name", "--data", "results.csv")
    run(*arguments, "-n", 9, "-o", "next.csv")
    chosen = {line.split(",")[0] for line in Path("next.csv").read_text().splitlines()[1:]}
    assert chosen == {f"m{i}" for i in range(12)} - {"m1", "m2", "m3"}
    assert "9 experiments left to run" in run(*arguments, "-n", 10).output
    Path("results.csv").write_text("name,value\nm1,3\nm99,5\n")
    assert "line 3, column 'name': no candidate has the id" in run(*arguments, code=1).output


def test_a_pool_with_features_in_the_results(run, lab: Path) -> None:
    Path("library.csv").write_text(POOL)
    Path("results.csv").write_text("name,weight,class,value\nm1,1,b,3\nm2,5,a,5\n")
    output = run(
        "suggest", "--pool", "library.csv", "--id", "name", "--data", "results.csv", code=1
    ).output
    assert "line 3, column 'weight': this candidate has 4 in the pool, got 5" in output


def test_a_pool_named_in_the_space_file(run, lab: Path) -> None:
    Path("library.csv").write_text(POOL)
    Path("space.toml").write_text(
        '[objective]\nname = "activity"\ndirection = "minimize"\n'
        '[candidates]\nfile = "library.csv"\nid = "name"\n'
    )
    output = run("suggest", "-n", 2).output
    assert "trial  name" in output and "expected activity" in output
    run("tell", 0, 5)
    assert "minimize activity. 1 result, 1 running" in run("show").output


def test_a_grid_of_listed_values(run, ask, lab: Path) -> None:
    Path("space.toml").write_text(
        '[objective]\ndirection = "maximize"\n[parameters]\n'
        'pH = { values = [6, 6.5, 7] }\nbuffer = { values = ["Tris", "MES"] }\n'
    )
    Path("results.csv").write_text("pH;buffer;value\n6,5;Tris;1\n7;MES;2\n")
    answer = ask("suggest", "--data", "results.csv", "-n", 5)
    assert len({tuple(s["params"].values()) for s in answer["suggestions"]}) == 4  # all there are


SHELF = """\
name,supplier,weight,charge,yield
a,Acme,1,0,10
b,Acme,2,1,
c,,3,0,30
d,Best,4,1,
e,Best,5,0,failed
"""


def test_one_table_may_hold_the_candidates_and_their_results(run, ask, lab: Path) -> None:
    (lab / "shelf.csv").write_text(SHELF)
    pool = ("--pool", "shelf.csv", "--id", "name", "--objective", "yield", "--ignore", "supplier")
    answer = ask("suggest", *pool, "--data", "shelf.csv", "-n", 5, "-o", "next.csv")
    assert (answer["complete"], answer["running"], answer["failed"]) == (2, 0, 1)
    assert {s["params"]["name"] for s in answer["suggestions"]} == {"b", "d"}
    assert set(answer["suggestions"][0]["params"]) == {"name", "weight", "charge"}
    assert (lab / "next.csv").read_text().splitlines()[0] == SHELF.splitlines()[0]
    output = run("suggest", *pool, "-o", "shelf.csv", "--force", code=1).output
    assert "would replace your candidates" in output
    run("suggest", *pool)
    assert "shelf.csv: 3 rows: " in run("import", "shelf.csv").output
    assert (lab / "shelf.csv").read_text() == SHELF


def test_columns_of_a_pool_that_are_not_learnt_from_may_stand_in_its_results(run, lab) -> None:
    (lab / "shelf.csv").write_text(SHELF)
    (lab / "space.toml").write_text(
        '[objective]\nname = "yield"\ndirection = "maximize"\n'
        '[candidates]\nfile = "shelf.csv"\nid = "name"\nfeatures = ["weight"]\n'
    )
    assert "2 results, 1 failed" in run("suggest", "--data", "shelf.csv").output


def test_a_direction_that_nobody_gave_is_said(run, lab: Path) -> None:
    (lab / "shelf.csv").write_text(SHELF)
    pool = ("--pool", "shelf.csv", "--id", "name", "--objective", "yield", "--ignore", "supplier")
    said = "More yield is taken to be better; if less is, add --direction minimize."
    assert said in run("suggest", *pool, "--data", "shelf.csv").output
    assert said in run("suggest", *pool).output
    assert said not in run("suggest", *pool).output  # once, when the study begins
    told = ("--direction", "minimize", "--data", "shelf.csv")
    assert "taken to be better" not in run("suggest", *pool, *told).output


def test_units_in_the_header_are_read_and_written(run, results: Path) -> None:
    head, _, rest = RESULTS.partition("\n")
    written = head.replace("temperature", "temperature [°C]").replace("yield", "yield (%)")
    results.write_text(f"{written}\n{rest}", encoding="utf-8")
    run("suggest", "--data", "results.csv", "-o", "next.csv")
    first, second = Path("next.csv").read_text(encoding="utf-8").splitlines()
    assert first == written
    assert second[0].isdigit() and second.endswith(",")
    assert "6 rows: 5 added, 1 without" in run("import", "results.csv").output


def test_what_matters_and_whether_the_model_is_any_good(run, ask, space: Path) -> None:
    rows = [(20 + 9 * i, 1 + i % 5, ["DMF", "THF"][i % 2]) for i in range(11)]
    head = "temperature,cycles,solvent,yield"
    lines = [f"{t},{c},{s},{t / 2 + 5 * (s == 'THF')}" for t, c, s in rows]
    Path("more.csv").write_text("\n".join([head, *lines]), encoding="utf-8")
    output = run("show", "--data", "more.csv").output
    assert "What matters for yield" in output and "together with others" in output
    assert "Is the model any good? The model predicts" in output
    (model,) = ask("show", "--data", "more.csv")["model"]
    assert model["importances"]["outcome"] == "yield" == model["cross_validation"]["outcome"]
    assert model["importances"]["parameters"][0]["name"] == "temperature"
    assert model["cross_validation"]["trials"] == list(range(11))
    for kind in ("importances", "calibration"):
        run("plot", "--data", "more.csv", "--kind", kind, "--outcome", "yield", "-o", f"{kind}.png")
        assert Path(f"{kind}.png").stat().st_size > 5_000
    run("plot", "--data", "more.csv", "--kind", "progress", "-o", "page.html")
    assert "<html>" in Path("page.html").read_text(encoding="utf-8")[:100]
    wrong = run("plot", "--data", "more.csv", "--outcome", "yield", code=1).output
    assert "not of one outcome" in wrong
    Path("few.csv").write_text("\n".join([head, *lines[:4]]), encoding="utf-8")
    assert "What matters" not in run("show", "--data", "few.csv").output
    assert ask("show", "--data", "few.csv")["model"] == []


def test_a_table_is_shown_and_drawn_without_a_database(run, ask, results: Path) -> None:
    output = run("show", "--data", "results.csv").output
    assert "Study suzuki: maximize yield. 4 results, 1 running, 1 failed." in output
    assert "Best: 35.5 (trial 1)" in output
    assert ask("show", "--data", "results.csv")["best_trial"]["outcomes"] == {"value": 35.5}
    run("plot", "--data", "results.csv", "-o", "results.svg")
    assert Path("results.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert not list(Path().glob("*.db"))
