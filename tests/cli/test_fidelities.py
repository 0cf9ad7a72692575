"""Fidelities from the command line: a column, what was spent, and the target."""

import re
from pathlib import Path

import pytest

from pathmax import Fidelity
from pathmax.errors import DataFileError
from pathmax.tables import read_table
from pathmax.workspace.space_file import read_space

SPACE = """\
study = "reactor"

[objective]
name = "yield"
direction = "maximize"

[parameters]
temperature = { low = 20, high = 120 }
site = { type = "fidelity", levels = ["simulation", "pilot", "plant"], cost = [1, 10, 100] }

[settings]
seed = 1
initial = 3
"""
ROWS = """\
temperature,site,yield
30,simulation,3
50,pilot,5
90,simulation,4
70,plant,6
"""


@pytest.fixture(autouse=True)
def here(lab):
    Path("space.toml").write_text(SPACE, encoding="utf-8")
    Path("results.csv").write_text(ROWS, encoding="utf-8")


def test_a_fidelity_is_a_column_of_the_table(run):
    run("suggest", "--data", "results.csv", "-n", 2, "-o", "next.csv")
    table = read_table("next.csv")
    assert "site" in table.header
    assert run("show", "--data", "results.csv").stdout.count("plant") >= 1


def test_what_was_spent_and_at_the_target(run, ask):
    run("suggest", "-n", 1)
    number = ask("show")["running_trials"][0]
    run("tell", number, 5.5, "--cost", 7)
    run("add", "temperature=80", "site=plant", "--value", 6.5)
    seen = ask("show")
    assert seen["spent"] == 107.0
    assert seen["target"] == "site = 'plant'"
    assert seen["at_target"] in (1, 2)
    assert seen["best_trial"]["params"]["site"] == "plant"
    shown = run("show").stdout
    assert "Spent: 107." in shown
    assert "Target fidelity: site = 'plant'" in shown
    run("export", "-o", "all.csv")
    table = read_table("all.csv")
    assert "cost" in table.header


def test_without_a_result_at_the_target(run):
    run("add", "temperature=80", "site=pilot", "--value", 6.5)
    assert "No result is at the target yet" in run("show").stdout


@pytest.mark.parametrize(
    ("line", "fidelity"),
    [
        ('s = { type = "fidelity", low = 1, high = 81, log = true }', Fidelity(1, 81, log=True)),
        (
            's = { type = "fidelity", low = 0.1, high = 1.0, target = 0.1, cost = [9, 1] }',
            Fidelity(0.1, 1.0, target=0.1, cost=[9, 1]),
        ),
        ('s = { type = "fidelity", levels = [1, 3, 9] }', Fidelity([1, 3, 9])),
        (
            's = { type = "fidelity", low = 1, high = 9, cost = "duration" }',
            Fidelity(1, 9, cost="duration"),
        ),
    ],
)
def test_a_fidelity_in_a_space_file(line, fidelity):
    head = '[objective]\nname = "y"\ndirection = "maximize"\n[parameters]\n'
    Path("other.toml").write_text(f"{head}x = {{ low = 0, high = 1 }}\n{line}\n")
    domain = read_space("other.toml").domain
    assert domain.fidelity == ("s", fidelity.checked("s"))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('s = { type = "fidelity", low = 1 }', "a fidelity has low = ... and high = ..."),
        ('s = { type = "fidelity", levels = ["a", "b"] }', "say what each level costs"),
        ('s = { type = "fidelity", low = 1, high = 3, costs = [1, 2] }', "did you mean cost?"),
    ],
)
def test_a_mistake_in_a_space_file_is_named(line, words):
    head = '[objective]\nname = "y"\ndirection = "maximize"\n[parameters]\n'
    Path("other.toml").write_text(f"{head}x = {{ low = 0, high = 1 }}\n{line}\n")
    with pytest.raises(DataFileError, match="line 6") as error:
        read_space("other.toml")
    assert words in str(error.value)


POOL = """\
study = "hits"

[objective]
name = "activity"
direction = "maximize"

[candidates]
file = "library.csv"
id = "name"
fidelity = { assay = { levels = ["quick", "full"], cost = [1, 20] } }

[settings]
initial = 3
"""
LIBRARY = "name,load,size\n" + "".join(f"m{i},{i / 7},{(3 * i) % 8}\n" for i in range(8))
TESTED = """\
name,assay,activity
m1,quick,3
m2,quick,4
m5,full,5
m6,quick,1
"""


@pytest.fixture
def library():
    Path("space.toml").write_text(POOL, encoding="utf-8")
    Path("library.csv").write_text(LIBRARY, encoding="utf-8")
    Path("tested.csv").write_text(TESTED, encoding="utf-8")


def test_candidates_with_a_fidelity(run, library):
    run("suggest", "--data", "tested.csv", "-n", 3, "-o", "next.csv")
    table = read_table("next.csv")
    tried = {("m1", "quick"), ("m2", "quick"), ("m5", "full"), ("m6", "quick")}
    suggested = list(zip(table.columns["name"], table.columns["assay"], strict=True))
    assert {level for _, level in suggested} <= {"quick", "full"}
    assert not tried & set(suggested) and "m5" not in table.columns["name"]
    ranked = run("rank", "--data", "tested.csv").stdout
    assert "full" in ranked and "quick" not in ranked


def test_candidates_with_a_fidelity_in_a_database(run, ask, library):
    run("suggest", "-n", 2)
    first, second = ask("show")["running_trials"]
    run("tell", first, 2.5)
    run("tell", second, 1.5)
    run("add", "name=m5", "assay=full", "--value", 5)
    run("suggest", "-n", 2)
    seen = ask("show")
    assert seen["target"] == "assay = 'full'" and seen["best_trial"]["params"]["name"] == "m5"
    assert "5" in run("studies").stdout
    assert "assay: no value given" in run("add", "name=m6", "--value", 5, code=1).output


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('fidelity = { assay = { levels = ["quick", "full"] } }', "say what each level costs"),
        ("fidelity = { assay = { low = 1, high = 9 } }", "tried at listed values"),
        (
            'fidelity = "assay"',
            'expected one fidelity, as in fidelity = { assay = { levels = ["quick"',
        ),
        ("fidelity = { assay = 3 }", "expected one fidelity, as in fidelity = { assay ="),
        ("fidelity = {}", "expected one fidelity, as in"),
        (
            "fidelity = { a = { levels = [1, 3] }, b = { levels = [1, 3] } }",
            "expected one fidelity",
        ),
        ("fidelity = { assay = { choices = [1, 3] } }", "line 10: unknown entry 'choices'"),
    ],
)
def test_a_fidelity_of_candidates_that_makes_no_sense(run, library, line, words):
    old = 'fidelity = { assay = { levels = ["quick", "full"], cost = [1, 20] } }'
    Path("space.toml").write_text(POOL.replace(old, line), encoding="utf-8")
    with pytest.raises(DataFileError, match=re.escape(words)):
        read_space("space.toml")


def test_what_is_expected_of_a_suggestion_says_at_which_fidelity(run):
    shown = run("suggest", "--data", "results.csv", "-n", 2).stdout
    assert "Expected is the result of the row itself, at its own site." in shown
    Path("results.csv").write_text("temperature,site,yield\n", encoding="utf-8")
    assert "at its own" not in run("suggest", "--data", "results.csv").stdout  # a first design
