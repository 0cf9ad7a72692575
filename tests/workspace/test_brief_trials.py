"""A glance at a study shows its trials, and says what is wrong with them."""

import sqlite3
from dataclasses import replace

import pytest

from pathmax import Float, Study
from pathmax.errors import DamageWarning
from pathmax.storage import Entry
from pathmax.workspace.brief_trials import BriefTrials, explained


@pytest.fixture
def study(tmp_path):
    study = Study({"x": Float(0, 1)}, name="s", storage=str(tmp_path / "lab.db"), seed=0)
    for value in (1.0, 3.0, 2.0):
        study.tell(study.ask(), value)
    study.add({"x": 0.9}, 4.0)
    return study


def test_it_has_all_trials_without_what_explains_them(study):
    whole = study.trials
    assert whole[0].info
    seen = BriefTrials.at(study)
    assert list(seen.trials) == [replace(trial, info={}) for trial in whole]
    assert (len(seen.trials), seen.outside) == (4, frozenset())
    assert explained(study, seen.trials[0]) == whole[0]


def test_it_knows_which_trials_left_the_space(study):
    study.change_space({"x": Float(0, 0.8)})
    seen = BriefTrials.at(study)
    assert 3 in seen.outside
    assert seen.outside == {trial.number for trial in study.left_out}


def test_it_says_what_could_not_be_read(study, tmp_path):
    with sqlite3.connect(tmp_path / "lab.db") as connection:
        connection.execute("UPDATE pathmax_trials SET params = 'nonsense' WHERE number = 1")
    connection.close()
    with pytest.warns(DamageWarning, match="trial 1"):
        seen = BriefTrials.at(study)
    assert [trial.number for trial in seen.trials if trial.damage] == [1]


def test_a_trial_outside_the_only_space_is_named(study):
    study.storage.insert("s", Entry(params={"x": 7.0}, outcomes={"value": 1.0}))
    with pytest.warns(DamageWarning, match=r"trial 4 .* not in the space"):
        assert BriefTrials.at(study).outside == {4}
