"""Two studies to look at: one with a single objective, one with several outcomes."""

import pytest

import pathmax
from pathmax.study import Study
from pathmax.workspace.layout import Layout
from pathmax.workspace.opened_study import Opened

SPACE = {
    "temperature": pathmax.Float(20, 120),
    "rate": pathmax.Float(1e-4, 1e-1, log=True),
    "solvent": pathmax.Categorical(["DMF", "THF"]),
}


UNITS = {"temperature": "°C", "yield": "%"}


def add(study: Study, temperature: float, value: object, solvent: str = "DMF") -> None:
    study.add({"temperature": temperature, "rate": 1e-3, "solvent": solvent}, value)


@pytest.fixture
def opened() -> Opened:
    study = Study(SPACE, name="suzuki", seed=0)
    for temperature, value, solvent in [(30, 10.0, "DMF"), (60, 40.0, "THF"), (90, 30.5, "DMF")]:
        add(study, temperature, value, solvent)
    study.fail(study.ask(), "the pump clogged\nat the second valve")
    study.ask()
    study.annotate(1, note="a little cloudy", attributes={"operator": "Ada"})
    return Opened(study, Layout(domain=study.space, objective="yield", units=UNITS))


@pytest.fixture
def several() -> Opened:
    goals = {"objectives": {"yield": "maximize", "cost": "minimize"}}
    study = Study(SPACE, **goals, constraints={"waste": "<= 5"}, seed=0)  # type: ignore[arg-type]
    rows = [(50, 5, 1), (70, 7, 2), (60, 8, 1), (90, 3, 9), (40, 4, 2)]
    for i, (got, cost, waste) in enumerate(rows):
        add(study, 30 + 10 * i, {"yield": got, "cost": cost, "waste": waste})
    return Opened(study, Layout(domain=study.space, goals=study.goals))
