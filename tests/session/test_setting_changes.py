"""Settings that change in a stored study."""

import pytest

from pathmax import Float, Study
from pathmax.errors import SettingsError
from pathmax.session.setting_changes import take_over

OLDER = {"x": [0.0, 0.2, 0.4, 0.6], "value": [0.0, 1.0, 2.0, 1.0]}


@pytest.mark.parametrize("older", [None, OLDER])
def test_a_method_that_a_guess_cannot_guide_is_refused(older):
    study = Study({"x": Float(0, 1, likely=0.5)}, direction="maximize", learn_from=older)
    with pytest.raises(SettingsError, match="ei has no sample path"):
        take_over(study.storage, study.name, {"method": "ei"})
    assert study.storage.load(study.name).settings["method"] == "pims"
    assert take_over(study.storage, study.name, {"method": "ts"}) == [
        "method was pims and is now ts"
    ]
