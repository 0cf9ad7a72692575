"""What a front end does, without a command line: each step gives a value, and JSON where asked."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from pathmax.errors import OutcomeError, StudyNotFoundError
from pathmax.workspace import recording
from pathmax.workspace.importing import take_in
from pathmax.workspace.location import Location
from pathmax.workspace.opened_study import Opened, load_study, start_study
from pathmax.workspace.overview import overview_json, results_in_order
from pathmax.workspace.ranking import likeliest_best, verdict
from pathmax.workspace.study_list import delete_study, summaries
from pathmax.workspace.study_plan import Source, plan_of
from pathmax.workspace.suggestions import suggest
from pathmax.workspace.table_study import open_table
from pathmax.workspace.trials_table import trials_table, write_trials
from pathmax.workspace.views.snapshot import Snapshot

SPACE = """\
study = "suzuki"
[objective]
name = "yield"
direction = "maximize"
[parameters]
temperature = { low = 20, high = 120, unit = "°C" }
solvent = ["DMF", "THF"]
[settings]
seed = 1
"""


@pytest.fixture
def location(tmp_path: Path) -> Location:
    (tmp_path / "space.toml").write_text(SPACE, encoding="utf-8")
    return Location(storage=f"sqlite:///{tmp_path}/lab.db")


@pytest.fixture
def opened(location: Location, tmp_path: Path) -> Opened:
    return start_study(location, plan_of(Source(space=str(tmp_path / "space.toml"))))


def test_a_study_from_its_plan_to_its_ranking(opened: Opened, location: Location) -> None:
    asked = suggest(opened, 3)
    assert [answer["trial"] for answer in asked.to_json()] == [0, 1, 2]
    assert asked.expectation(0, opened.objective) == "(first design)"
    assert not recording.tell(opened, 0, "41,5", std=0.5).trial.note
    assert recording.tell(opened, 1, 63.2).is_best
    corrected = recording.tell(opened, 1, 36.2, correct=True)
    assert corrected.replaced.value == 63.2 and corrected.best.number == 0
    assert recording.fail(opened, 2, "stirrer stopped").to_json()["best_trial"] == 0
    assert recording.remark(opened, 2, "again on Monday").trial.note == "again on Monday"
    with pytest.raises(OutcomeError, match="pathmax fail 1"):
        recording.tell(opened, 1, "yellow", correct=True)

    seen = Snapshot.of(load_study(location))
    assert (seen.best.number, results_in_order(seen)) == (0, [41.5, 36.2])
    assert [t.error for t in seen.failed] == ["stirrer stopped"] and not seen.running
    ranked = likeliest_best(opened, 2, n_paths=10)
    assert verdict(opened, until=1.0).recommended is None
    for answer in (overview_json(opened.study, seen), ranked.to_json(), asked.to_json()):
        json.dumps(answer, allow_nan=False)
    assert ranked.table()[0][-4:] == ["probability", "expected", "std", "tried"]


def test_tables_in_and_out(opened: Opened, location: Location, tmp_path: Path) -> None:
    table = tmp_path / "results.csv"
    table.write_text("temperature,solvent,yield\n80,THF,71.3\n95,DMF,\n", encoding="utf-8")
    plan = plan_of(Source(space=str(tmp_path / "space.toml")))
    imported, _, intake = take_in(location, plan, str(table), ())
    assert intake.counts() == {"told": 0, "added": 1, "known": 0, "waiting": 1}
    header, rows = trials_table(opened)
    assert header == ["trial", "temperature", "solvent", "yield", "state", "note"]
    assert rows == [[0, 80.0, "THF", 71.3, "complete", None]]
    page = io.StringIO()
    assert write_trials(opened, page) == len(imported.study.trials) == 1

    offline = open_table(plan, str(table))
    suggested = suggest(offline.opened)
    like = io.StringIO()
    suggested.write(like, like=offline.results)
    assert like.getvalue().startswith("temperature,solvent,yield\n")


def test_studies_are_listed_and_deleted(opened: Opened, location: Location) -> None:
    assert [(s.study, s.best) for s in summaries(location)] == [("suzuki", None)]
    delete_study(Location("suzuki", location.storage))
    with pytest.raises(StudyNotFoundError):
        load_study(location)


def test_no_front_end_is_imported() -> None:
    code = (
        "import pkgutil, sys, pathmax.workspace as w\n"
        "from importlib import import_module\n"
        "for m in pkgutil.iter_modules(w.__path__): import_module('pathmax.workspace.' + m.name)\n"
        "print({'click', 'rich', 'matplotlib'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
