"""Trials are frozen values that come back from JSON as they were."""

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathmax import Float, Study
from pathmax.errors import TrialError
from pathmax.trials.trial import Trial, TrialState, check_remarks
from tests.spaces import finite, names, scalars

json_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3)
)
objects = st.dictionaries(names, json_values, max_size=3)

trials = st.builds(
    Trial,
    number=st.integers(0, 10**6),
    params=st.dictionaries(names, scalars),
    state=st.sampled_from(TrialState),
    outcomes=st.dictionaries(names, finite),
    noise=st.none() | finite,
    error=st.none() | st.text(),
    info=objects,
    attributes=objects,
    note=st.none() | st.text(),
    asked_at=finite,
    told_at=st.none() | finite,
    heartbeat_at=st.none() | finite,
    worker=st.none() | st.text(),
    study=st.none() | st.text(),
)


@given(trials)
def test_json_round_trip(trial):
    assert Trial.from_json(json.loads(json.dumps(trial.to_json()))) == trial


def test_a_field_of_a_later_version_is_left_out():
    data = Trial(number=3, params={"x": 1.0}).to_json() | {"fidelity": 0.5}
    assert Trial.from_json(data) == Trial(number=3, params={"x": 1.0})


def test_a_trial_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Trial(number=0, params={}).number = 1


def test_value_is_the_outcome_of_that_name():
    assert Trial(number=0, params={}).value is None
    assert Trial(number=0, params={}, outcomes={"value": 2.0, "cost": 1.0}).value == 2.0


def test_duration_is_never_negative():
    running = Trial(number=0, params={}, asked_at=10.0)
    assert running.duration is None
    assert dataclasses.replace(running, told_at=12.5).duration == 2.5
    assert dataclasses.replace(running, told_at=3.0).duration == 0.0  # the clock was set back


def test_states_are_their_names():
    assert [str(state) for state in TrialState] == ["running", "complete", "stopped", "failed"]


def test_a_trial_is_printed_on_one_line_without_what_explains_it() -> None:
    study = Study({"x": Float(0, 1)}, direction="maximize", seed=0, initial=1)
    for _ in range(2):
        trial = study.tell(study.ask(), 1.5)
    assert "g_star" in trial.info
    assert repr(trial) == (
        f"Trial(number=1, params={trial.params!r}, state=<TrialState.COMPLETE: 'complete'>, "
        "outcomes={'value': 1.5}, noise=None, cost=None, error=None, note=None, study='study')"
    )


def test_noises_are_printed_where_outcomes_have_their_own() -> None:
    study = Study({"x": Float(0, 1)}, objectives={"y": "maximize", "c": "minimize"}, seed=0)
    trial = study.tell(study.ask(), {"y": 1, "c": 2}, noise={"y": 0.1, "c": 0.2})
    assert ", noise=None, noises={'y': 0.1, 'c': 0.2}, cost=None, " in repr(trial)


@pytest.mark.parametrize(
    "remarks", [("run \udcff", None), (None, {"file": ["a\udcff"]}), ("fine", {"\ud800": 1})]
)
def test_half_a_character_is_refused_in_words(remarks):
    with pytest.raises(TrialError, match=r"that UTF-8 can hold, got .*\\ud.*replace"):
        check_remarks(*remarks)
