"""`--learn-from` and `learn_from` in space.toml: tables of older results, from the command line."""

from pathlib import Path

import pytest

SPACE = """\
study = "ester"

[objective]
name = "yield"
direction = "maximize"

[parameters]
temperature = { low = 20, high = 120, unit = "°C" }
solvent = ["DMF", "THF"]

[settings]
seed = 0
"""
AMIDE = """\
temperature (°C);solvent;operator;yield
30,5;DMF;Ann;40
50;THF;Ann;62
70;DMF;Bob;80
80;THF;Bob;78
100;DMF;Bob;61
110;THF;Bob;failed
60;THF;Bob;
150;DMF;Bob;20
40;water;Bob;30
"""


@pytest.fixture(autouse=True)
def here(lab):
    Path("space.toml").write_text(SPACE, encoding="utf-8")
    Path("amide.csv").write_text(AMIDE, encoding="utf-8")


@pytest.mark.filterwarnings("always::pathmax.errors.LeftOutWarning")
def test_a_study_learns_from_a_table(run, ask):
    said = run("suggest", "--learn-from", "amide.csv").output
    assert "no results yet" in said and "(by older results)" in said
    assert "operator is no parameter of this study" in said
    assert "2 rows left out, the first since temperature: " in said
    run("tell", 0, 61)
    (found,) = ask("suggest")["suggestions"]  # it is stored: the table is not needed any more
    run("tell", found["trial"], 63)
    shown = run("show").output
    assert "Borrowed: " in shown and "'amide'" in shown
    (borrowed,) = ask("show")["borrowed"]
    assert (borrowed["name"], borrowed["results"]) == ("amide", 5)
    assert "borrowed" in run("explain", 0).output
    assert "first design" in run("explain", 1).output  # one result does not tell of the older ones


@pytest.mark.filterwarnings("ignore::pathmax.errors.LeftOutWarning")
def test_a_space_file_names_the_table_beside_it(run, ask):
    folder = Path("here")
    folder.mkdir()
    (folder / "space.toml").write_text(
        SPACE.replace("\n\n[obj", '\nlearn_from = ["amide.csv"]\n\n[obj', 1), encoding="utf-8"
    )
    (folder / "amide.csv").write_text(AMIDE, encoding="utf-8")
    Path("space.toml").unlink()
    Path("amide.csv").unlink()
    results = Path("results.csv")
    results.write_text("temperature,solvent,yield\n", encoding="utf-8")
    data = ("--space", "here/space.toml", "--data", "results.csv")
    (found,) = ask("suggest", *data)["suggestions"]  # where the older results are best
    assert 60 < found["params"]["temperature"] < 90
    results.write_text("temperature,solvent,yield\n75,DMF,70\n", encoding="utf-8")
    assert [one["name"] for one in ask("show", *data)["borrowed"]] == ["amide"]


@pytest.mark.filterwarnings("ignore::pathmax.errors.LeftOutWarning")
def test_another_table_for_a_study_that_is_there_is_refused(run):
    run("suggest", "--learn-from", "amide.csv")
    run("suggest", "--learn-from", "amide.csv")
    Path("amide.csv").write_text(AMIDE + "90;DMF;Ann;70\n", encoding="utf-8")
    said = run("suggest", "--learn-from", "amide.csv", code=1).output
    assert "learns from 'amide' (5 rows)" in said and "leave learn_from out" in said


def test_what_cannot_be_read_is_said(run):
    said = run("suggest", "--learn-from", "acid.csv", code=1).output
    assert "acid.csv: there is no such file to learn from" in said
    Path("acid.csv").write_text("temperature,solvent\n50,DMF\n", encoding="utf-8")
    said = run("suggest", "--learn-from", "acid.csv", code=1).output
    assert "no column 'yield' with results to learn from" in said
    Path("acid.csv").write_text("temperature,solvent,yield\n50,DMF,\n", encoding="utf-8")
    said = run("suggest", "--learn-from", "acid.csv", code=1).output
    assert "no row with a result" in said
    Path("space.toml").write_text('learn_from = "a.csv"\n' + SPACE, encoding="utf-8")
    assert "learn_from must be a list of tables" in run("suggest", code=1).output
