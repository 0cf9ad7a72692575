"""Conditional spaces in files: space.toml, tables with empty cells, the command line, figures."""

import csv

import pytest
from click.testing import CliRunner
from hypothesis import given

from pathmax import Categorical, Float, Int, Space
from pathmax.cli import main
from pathmax.errors import DataFileError
from pathmax.trials.goals import Goals
from pathmax.workspace.layout import Layout
from pathmax.workspace.space_file import read_space
from pathmax.workspace.space_writing import write_space
from tests.space.test_conditions import conditional_spaces

# random spaces may have conditions that never hold
pytestmark = pytest.mark.filterwarnings("ignore::pathmax.errors.NeverActiveWarning")

TOML = """
study = "net"
[objective]
name = "loss"
direction = "minimize"
[parameters]
optimizer = ["adam", "sgd", "lbfgs"]
rate = { low = 1e-4, high = 1, log = true, when = "optimizer != 'lbfgs'" }
momentum = { low = 0, high = 0.99, when = "optimizer == 'sgd'" }
nesterov = { choices = [true, false], when = "momentum > 0.5" }
size = { values = [1, 2, 4], when = "optimizer == 'lbfgs'" }
[settings]
seed = 1
"""
TABLE = """optimizer,rate,momentum,nesterov,size,loss
adam,0.01,,,,0.5
sgd,0.1,0.2,,,0.7
sgd,0.1,0.9,true,,0.3
lbfgs,,,,2,0.9
adam,0.001,,,,0.6
lbfgs,,,,4,1.1
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "space.toml").write_text(TOML, encoding="utf-8")
    (tmp_path / "results.csv").write_text(TABLE, encoding="utf-8")
    return tmp_path


@given(conditional_spaces())
def test_a_space_survives_its_space_file(tmp_path_factory, space):
    goals = Goals.single("maximize")
    text = write_space("net", Layout(domain=space, objective="loss"), goals)
    path = tmp_path_factory.mktemp("space") / "space.toml"
    path.write_text(text, encoding="utf-8")
    assert read_space(path).domain == space


def run(*arguments):
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    return result.output


def test_a_condition_stands_in_the_space_file(folder):
    assert read_space("space.toml").domain == Space(
        {
            "optimizer": Categorical(["adam", "sgd", "lbfgs"]),
            "rate": Float(1e-4, 1, log=True, when="optimizer != 'lbfgs'"),
            "momentum": Float(0, 0.99, when="optimizer == 'sgd'"),
            "nesterov": Categorical([True, False], when="momentum > 0.5"),
            "size": Int(values=[1, 2, 4], when="optimizer == 'lbfgs'"),
        }
    )
    (folder / "space.toml").write_text(TOML.replace("momentum > 0.5", "momentun > 0.5"))
    with pytest.raises(DataFileError, match=r"nesterov: in its condition, .* 'momentun'; did you"):
        read_space("space.toml")


def test_cells_of_inactive_parameters_are_empty(folder):
    run("suggest", "--data", "results.csv", "-n", "3", "--append")
    with open("results.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    space = read_space("space.toml").domain
    assert len(rows) == 9
    for row in rows:
        assert bool(row["momentum"]) == (row["optimizer"] == "sgd")
        assert bool(row["size"]) == (row["optimizer"] == "lbfgs")
        assert bool(row["rate"]) == (row["optimizer"] != "lbfgs")
    assert space.names == tuple(rows[0])[:5]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("adam,0.1,0.5,,,0.5", "'momentum': is not active here"),
        ("sgd,0.1,,,,0.5", "'momentum': no value given, and it is active here"),
    ],
)
def test_a_row_that_does_not_fit_is_named(folder, line, message):
    (folder / "results.csv").write_text(TABLE + line + "\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["suggest", "--data", "results.csv"])
    assert result.exit_code != 0
    assert f"results.csv, line 8, column {message}" in result.output.replace("\n", " ")


def ranked_regions(printed):
    """The rows of what `pathmax rank` prints, by the names of the parameters."""
    lines = printed.splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("optimizer"))
    rows = lines[head + 1 : lines.index("", head)]
    names = ["optimizer", "rate", "momentum", "nesterov", "size"]
    ends = [lines[head].index(name) + len(name) for name in names[1:3]]
    starts = [lines[head].index(name) for name in names[3:]]
    assert rows
    for row in rows:
        first, _, rate = row[: ends[0]].partition(" ")
        yield {
            "optimizer": first,
            "rate": rate.strip(),
            "momentum": row[ends[0] : ends[1]].strip(),
            "nesterov": row[starts[0] : starts[1]].strip(),
        }


def test_commands_and_figures_take_absent_parameters(folder):
    run("import", "results.csv")
    assert "optimizer sgd, rate 0.1, momentum 0.9" in run("show")
    for row in ranked_regions(run("rank", "--paths", "10")):
        assert (row["rate"] != "") == (row["optimizer"] != "lbfgs")
        assert (row["momentum"] != "") == (row["optimizer"] == "sgd")
        assert (row["nesterov"] != "") == (float(row["momentum"] or 0) > 0.5)
    assert "lbfgs,,,,2,0.9" in run("export")
    run("plot", "-o", "overview.png")  # progress, parallel coordinates and slices
