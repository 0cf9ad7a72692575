"""A plan says what is wrong with it."""

import pytest

from pathmax.errors import SettingsError
from pathmax.experiments import plan
from pathmax.experiments.paper import SETTINGS
from pathmax.experiments.plan import ComparedMethod
from tests.experiments.small_runs import SMALL


def test_a_plan_says_what_is_wrong_with_it():
    with pytest.raises(SettingsError, match="trials must be at least 1"):
        plan.runs([SMALL], [ComparedMethod("pims")], trials=0)
    with pytest.raises(SettingsError, match="iterations must be at least 1"):
        plan.runs([SMALL], [ComparedMethod("pims")], trials=1, iterations=0)
    with pytest.raises(SettingsError, match="same name"):
        plan.runs([SMALL, SMALL], [ComparedMethod("pims")], trials=1)


def test_names_of_settings_are_unique_and_fit_a_file():
    names = [
        setting.name
        for section, settings in SETTINGS.items()
        for setting in settings
        if section != "jes"  # another look at one of the emulators
    ]
    assert len(set(names)) == len(names) == 14
    assert all(name.replace("-", "").isalnum() for name in names)
