"""A space as the text of a space.toml: reading it again gives the same space."""

import pytest

import pathmax
from pathmax.session.opening import SpaceLike
from pathmax.space.grid import Grid
from pathmax.study import Study
from pathmax.workspace.layout import Layout
from pathmax.workspace.space_file import parse_space
from pathmax.workspace.space_writing import write_space

SPACES: list[SpaceLike] = [
    {
        "temperature": pathmax.Float(20, 120),
        "flow rate": pathmax.Float(1e-5, 0.1, log=True),
        "load": pathmax.Float(0.5, 5, step=0.5),
        "minutes": pathmax.Float(5, 480, log=True, digits=1),
        "mesh": pathmax.Float(values=[0.1, 0.2, 0.5]),
        "cycles": pathmax.Int(1, 8),
        "pairs": pathmax.Int(2, 8, step=2),
        "solvent": pathmax.Categorical(["DMF", 'a "quoted" one', "water"]),
        "ligand": pathmax.Categorical(["x", "y z"], descriptors={"x": {"p": 0.5}, "y z": {"p": 1}}),
        "ratio": pathmax.Float(0, 1, when="solvent != 'water'"),
        "vessel": "glass",
    },
    Grid({"a": [0, 3, 6], "b": [0, 3, 6]}, where=["a + b <= 10"]),
    {
        "penalty": pathmax.Categorical(["l1", None, "none"], likely=[1, 3, 1]),
        "weight": pathmax.Categorical(
            [None, "balanced"], descriptors={None: {"p": 0.5}, "balanced": {"p": 1}}
        ),
        "seed": None,
        "x": pathmax.Float(0, 1),
    },
    Grid({"a": [0, 3, 6], "b": ["x", None]}),
    pathmax.Space(
        {
            "blend": pathmax.Mixture({"A": (0, 60), "b c": (0, 60), "C": (5, 60)}, 100, at_most=2),
            "T": pathmax.Float(0, 1),
        },
        where=["A + T <= 50", "T > 0.5 or `b c` == 0"],
    ),
]


@pytest.mark.parametrize("given", SPACES)
def test_the_file_of_a_study_reads_back_as_it(given: SpaceLike) -> None:
    study = Study(given, direction="minimize")
    layout = Layout(domain=study.space, objective="loss", units={"loss": "1/s", "load": "g"})
    text = write_space('my "study"', layout, study.goals)
    assert text is not None
    file = parse_space(text)
    assert file.domain == study.space and file.study == 'my "study"'
    assert (file.objective, file.direction) == ("loss", "minimize")
    assert file.units["loss"] == "1/s"


def test_outcomes_and_columns_are_written() -> None:
    study = Study(
        {"x": pathmax.Float(0, 1)},
        objectives={"yield": "maximize", "cost": "minimize"},
        constraints={"pH": (6.8, 7.2), "yield": ">= 10"},
        reference={"yield": 40, "cost": 10},
    )
    units = {"yield": "%"}
    layout = Layout(domain=study.space, goals=study.goals, units=units, ignored=("date",))
    text = write_space("s", layout, study.goals)
    assert text is not None
    file = parse_space(text)
    assert file.goals == study.goals and dict(file.units) == units and file.ignored == ("date",)


def test_a_grid_lists_its_values_and_a_pool_has_no_file() -> None:
    grid = Study(Grid({"a": [1, 2, 3], "b": ["x", "y"]}))
    text = write_space("g", Layout(domain=grid.space), grid.goals)
    assert text is not None and parse_space(text).domain == grid.space
    pool = Study(pathmax.Candidates([{"a": 1.0}, {"a": 2.0}]))
    assert write_space("p", Layout(domain=pool.space), pool.goals) is None
