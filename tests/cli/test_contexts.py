"""`--context`: what is given and not chosen, from the command line."""

from pathlib import Path

import pytest

from pathmax.tables import read_table

SPACE = """\
study = "film"

[objective]
name = "strength"
direction = "maximize"

[parameters]
humidity = { low = 20, high = 80, context = true }
time = { low = 1, high = 10 }

[settings]
seed = 0
initial = 3
"""
ROWS = "humidity,time,strength\n30,5,3\n40,6,5\n60,8,4\n70,9,6\n"


@pytest.fixture(autouse=True)
def here(lab):
    Path("space.toml").write_text(SPACE, encoding="utf-8")
    Path("results.csv").write_text(ROWS, encoding="utf-8")


def test_a_study_suggests_in_the_context_that_is_given(run, ask):
    for value in (1, 2, 3, 4):
        (found,) = ask("suggest", "--context", "humidity=45,5")["suggestions"]
        assert found["params"]["humidity"] == 45.5
        run("tell", found["trial"], value)
    ranked = ask("rank", "-n", 2, "--paths", 5, "--context", "humidity=60")
    assert ranked["context"] == {"humidity": 60.0}
    assert all(each["params"]["humidity"] == 60 for each in ranked["contenders"])
    assert ask("rank", "-n", 1, "--paths", 5)["context"] == {"humidity": 45.5}
    assert "where humidity 45.5" in run("rank", "--paths", 5).output


def test_a_table_of_results_has_a_column_for_the_context(run):
    run("suggest", "--data", "results.csv", "--context", "humidity=50", "-n", 2, "-o", "next.csv")
    assert read_table("next.csv").columns["humidity"].tolist() == [50, 50]


def test_what_is_missing_or_wrong_is_said(run):
    said = run("suggest", code=1).output
    assert "humidity: given and not chosen in this study, and missing here" in said
    assert "--context humidity=..." in said
    assert "from 20.0 to 80.0" in run("suggest", "--context", "humidity=99", code=1).output
    assert "time: is no context" in run("suggest", "--context", "time=3", code=1).output
