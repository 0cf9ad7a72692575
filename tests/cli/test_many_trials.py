"""A study of many trials is read, shown and exported with little work for each of them."""

import cProfile
import json
import pstats
from pathlib import Path

import pytest

from pathmax import Categorical, Float, Int, Study
from pathmax.storage import Entry, open_storage

SPACE = {"a": Float(0, 1), "b": Float(1e-5, 1, log=True), "k": Int(1, 8)}


@pytest.fixture
def made(lab: Path) -> list[Entry]:
    """A hundred trials of a study, each with what explains it."""
    space = SPACE | {"c": Categorical(["x", "y"])}
    study = Study(space, name="s", storage="sqlite:///pathmax.db", seed=0, initial=3)
    for i in range(5):
        study.tell(study.ask(), float(i), note="naïve \x9b 🧪")
    last = study.trials[-1]
    study.storage.close()
    return [
        Entry(params=last.params | {"a": i / 100}, info=last.info, outcomes={"value": float(i % 7)})
        for i in range(100)
    ]


def calls(run, *command: object) -> int:
    """How many functions are called: the same on every machine."""
    run(*command)  # imports
    profile = cProfile.Profile()
    profile.enable()
    run(*command)
    profile.disable()
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]


@pytest.mark.parametrize("command", ["show", "export", "export --json", "export -o x.csv"])
def test_each_trial_costs_a_few_hundred_calls(run, made: list[Entry], command: str) -> None:
    seen = []
    for _ in range(2):
        with open_storage("sqlite:///pathmax.db") as storage:
            storage.insert_many("s", made)
        seen.append(calls(run, *command.split()))
    each = (seen[1] - seen[0]) / len(made)
    assert each < 450  # about 250 now; export --json once had 11,870


def test_exported_json_has_a_trial_on_each_line(run, ask, made: list[Entry]) -> None:
    lines = run("export", "--json").output.splitlines()
    answer = json.loads("\n".join(lines))
    assert len(lines) == len(answer["trials"]) + 5
    assert [json.loads(line.rstrip(","))["number"] for line in lines[3:-2]] == list(range(5))
    assert answer["trials"][0]["note"] == "naïve \x9b 🧪"
    assert "\x9b" not in "".join(lines) and "🧪" in lines[3]


def test_json_of_a_study_without_trials(run, ask, space: Path) -> None:
    Study({"x": Float(0, 1)}, name="s", storage="sqlite:///pathmax.db").storage.close()
    assert ask("export") == {"study": "s", "trials": []}


def test_letters_beyond_the_first_plane_are_escaped_as_pairs(run, ask, begun: Path) -> None:
    run("tell", 4, 1, "--note", "tag \U000e0041")  # not printable
    assert ask("export")["trials"][4]["note"] == "tag \U000e0041"
    assert "\\udb40\\udc41" in run("export", "--json").output
