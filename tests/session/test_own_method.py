"""A method of one's own in a study: stored by its name and options, replayed, and asked for."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from pathmax import Float, Study
from pathmax.acquisition import Choice, GpUcb, Pims, Step, methods, register
from pathmax.acquisition.ucb import UpperConfidence
from pathmax.errors import IgnoredOptionWarning, SettingsError
from pathmax.suggestion.settings import Settings

SPACE = {"x": Float(0, 1), "y": Float(-1, 1)}


@dataclass(frozen=True)
class Bold:
    """Mean plus a number of standard deviations."""

    name: ClassVar[str] = "bold"
    width: float = 2.0

    def choose(self, step: Step) -> Choice:
        surface = step.surface()
        return step.choice(surface, surface.top(UpperConfidence(self.width)))


OTHER_PROCESS = """
import sys
from pathmax import Study, errors

study = Study.load("mine", storage=sys.argv[1])
assert study.settings.method == "bold" and study.settings.options == {"width": 3.0}
assert len(study.trials) == 7 and study.best_trial.value is not None
study.tell(6, 0.25)
study.add({"x": 0.5, "y": 0.5}, 1.0)
study.recommend()
study.predict([{"x": 0.1, "y": 0.1}])
for refused in (study.ask, lambda: study.replay(5)):
    try:
        refused()
    except errors.SettingsError as error:
        assert "'bold'" in str(error) and "pathmax.acquisition.register(" in str(error), error
    else:
        raise SystemExit("no error")

from tests.session.test_own_method import Bold
from pathmax.acquisition import register

register(Bold)
trial = study.ask()
assert trial.info["method"] == "bold"
print(study.replay(5), study.replay(trial) == trial.params, trial.number)
"""


def told(study: Study, n: int) -> Study:
    for _ in range(n):
        trial = study.ask()
        study.tell(trial, trial.params["x"] - trial.params["y"] ** 2)
    return study


def test_a_study_with_a_method_of_ones_own_goes_on_in_another_process(tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'lab.db'}"
    study = told(Study(SPACE, method=Bold(3.0), name="mine", storage=url, seed=1), 6)
    study.ask()
    root = Path(__file__).parents[2]
    found = subprocess.run(
        [sys.executable, "-c", OTHER_PROCESS, url], cwd=root, capture_output=True, text=True
    )
    assert found.returncode == 0, found.stderr
    assert found.stdout.split() == [*str(study.replay(5)).split(), "True", "8"]
    assert study.replay(5) == study.trials[5].params
    with Study.load("mine", storage=url).storage as storage:  # a later session gives the object
        again = Study(SPACE, method=Bold(1.0), name="mine", storage=storage)
        assert again.settings.options == {"width": 1.0}
        assert again.replay(5) == study.trials[5].params
    study.storage.close()


def test_an_object_of_ours_is_the_same_as_its_name_with_options():
    by_name = told(Study(SPACE, method="gp-ucb", options={"confidence": 3.0}, seed=2), 7)
    by_object = told(Study(SPACE, method=GpUcb(confidence=3.0), seed=2), 7)
    assert [t.params for t in by_name.trials] == [t.params for t in by_object.trials]
    assert by_object.settings.options == {"confidence": 3.0}


def test_pims_by_object_leaves_the_resolution_to_the_study_unless_it_is_given():
    assert "resolution" not in Study(SPACE, method=Pims(), seed=2).settings.options
    paper = Study(SPACE, method=Pims(resolution=0.0), seed=2)
    assert paper.settings.options["resolution"] == 0.0


def test_objects_of_ours_work_with_several_outcomes():
    goals = {"a": "maximize", "b": "minimize"}
    study = Study(SPACE, objectives=goals, method=Pims(effort=0.5), seed=0, initial=2)
    for _ in range(3):
        trial = study.ask()
        study.tell(trial, {"a": trial.params["x"], "b": trial.params["y"] ** 2})
    assert study.replay(2) == trial.params
    for method, words in (
        (Pims(kind="rff"), "takes the options effort, resolution, looks, got 'kind'"),
        (Bold(), "bold is for one objective without constraints"),
    ):
        with pytest.raises(SettingsError, match=words):
            Study(SPACE, objectives=goals, method=method)


def test_options_go_into_the_object():
    with pytest.raises(SettingsError, match=r"options of Bold.* are its own"):
        Study(SPACE, method=Bold(), options={"width": 1.0})


def test_another_method_keeps_the_options_that_it_takes_too():
    stored = Settings(method="pims", options={"effort": 2.0, "resolution": 0.0})
    assert stored.updated({"method": "ei"}).options == {"effort": 2.0}
    assert stored.updated({"seed": 3}).options == stored.options
    with pytest.raises(SettingsError, match="'resolution', which belongs to pims"):
        stored.updated({"method": "ei", "options": {"resolution": 0.0}})


def test_an_option_that_version_0_1_ignored_is_left_out_with_a_warning():
    written = Settings().to_json() | {"options": {"confidence": 2.0, "effort": 0.5}}
    with pytest.warns(IgnoredOptionWarning, match="pims does not take confidence"):
        assert Settings.from_json(written).options == {"effort": 0.5}


def test_a_method_that_is_not_there_is_kept_as_it_is():
    register(Bold)
    written = Settings(method="from elsewhere", options={"zeal": 1.0}).to_json()
    assert Settings.from_json(written).to_json() == written
    assert not methods.is_registered("from elsewhere")
