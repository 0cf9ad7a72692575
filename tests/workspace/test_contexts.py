"""Contexts from text, from space files and from the newest trial."""

import pytest

from pathmax import Candidates, Categorical, Float, Grid, Study
from pathmax.errors import DataFileError, ParamsError
from pathmax.space.space import Space
from pathmax.trials.goals import Goals
from pathmax.workspace import contexts
from pathmax.workspace.layout import Layout
from pathmax.workspace.space_file import parse_space
from pathmax.workspace.space_writing import write_space
from pathmax.workspace.study_plan import plan_of_file

SPACE = Space(
    {
        "humidity": Float(20, 80, context=True),
        "wet": Categorical([True, False], context=True),
        "x": Float(0, 1),
    }
)


def test_text_is_read_by_the_kind_of_the_parameter():
    assert contexts.typed_context(SPACE, ["humidity=40,5", " wet = true"]) == {
        "humidity": 40.5,
        "wet": True,
    }
    assert contexts.typed_context(SPACE, []) is None
    pool = Candidates([{"s": "a", "h": 1}, {"s": "b", "h": 2}], context=["s"])
    assert contexts.typed_context(pool, ["s=b"]) == {"s": "b"}
    grid = Grid({"h": [1, 2], "s": ["a", "b"]}, context=["h"])
    assert contexts.typed_context(grid, ["h=2"]) == {"h": 2.0}


@pytest.mark.parametrize("texts", [["humidity"], ["humidity=1", "humidity=2"], ["humidity=a"]])
def test_what_cannot_be_read_is_said(texts):
    with pytest.raises(ParamsError, match=r"such as humidity=40|as in humidity=40"):
        contexts.typed_context(SPACE, texts)


def test_somebody_who_looks_sees_the_newest_context():
    study = Study(SPACE, seed=0)
    assert contexts.context_to_look_at(study, None) is None
    study.ask(context={"humidity": 30, "wet": False})
    study.ask(context={"humidity": 50, "wet": True})
    assert contexts.context_to_look_at(study, None) == {"humidity": 50.0, "wet": True}
    given = {"humidity": 20, "wet": True}
    assert contexts.context_to_look_at(study, given) == given
    with pytest.raises(ParamsError, match="wet: given and not chosen"):
        contexts.context_to_look_at(study, {"humidity": 20})
    assert contexts.context_to_look_at(Study({"x": Float(0, 1)}), None) is None


SPACE_FILE = """[objective]
direction = "maximize"
[parameters]
humidity = { low = 20, high = 80, context = true }
batch = { choices = ["a", "b"], context = true }
runs = { values = [1, 2, 4], context = true }
time = { low = 1, high = 10 }
"""
GRID_FILE = """[objective]
direction = "maximize"
[parameters]
h = { values = [1, 2], context = true }
x = { values = [1, 2, 3] }
"""
POOL_FILE = """[objective]
direction = "maximize"
[candidates]
file = "library.csv"
context = ["s"]
"""


def test_space_files_state_contexts_and_are_written_again():
    space = parse_space(SPACE_FILE).domain
    assert space.context_names == ("humidity", "batch", "runs")
    grid = parse_space(GRID_FILE).domain
    assert isinstance(grid, Grid)
    assert grid.context_names == ("h",)
    for domain in (space, grid):
        written = write_space("s", Layout(domain=domain), Goals.single())
        assert parse_space(written).domain == domain


def test_a_context_that_is_neither_true_nor_false_has_a_line():
    with pytest.raises(DataFileError, match="line 4"):
        parse_space(GRID_FILE.replace("context = true", "context = 1"))
    with pytest.raises(DataFileError, match="line 4: humidity: context must be True or False"):
        parse_space(SPACE_FILE.replace("80, context = true", "80, context = 1"))


def test_candidates_of_a_space_file_have_contexts(tmp_path):
    (tmp_path / "library.csv").write_text("s,load\na,1\nb,2\nb,3\n")
    path = str(tmp_path / "space.toml")
    file = parse_space(POOL_FILE, path)
    assert plan_of_file(file).domain().context_names == ("s",)


def test_guesses_of_a_space_file():
    text = (
        SPACE_FILE
        + "p = { low = 1, high = 9, likely = [3, 1] }\n"
        + ('s = { choices = ["a", "b"], likely = "b" }\n')
    )
    space = parse_space(text).domain
    assert space.parameters["p"].likely == (3.0, 1.0)
    assert space.parameters["s"].likely == (1.0, 3.0)
    written = write_space("s", Layout(domain=space), Goals.single())
    assert parse_space(written).domain == space
