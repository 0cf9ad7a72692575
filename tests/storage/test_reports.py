"""Curves in every storage: appended once for each step, read since a revision."""

import math
import threading

import pytest

from pathmax.errors import OutcomeError, StudyNotFoundError, TrialError
from pathmax.storage import Ending, Entry, StudyRecord
from pathmax.trials.curves import CurvePoint
from pathmax.trials.trial import EXPECTED, TrialState


@pytest.fixture
def running(storage, study):
    """The study, with trial 0 running."""
    storage.start(study, 0, {"x": 1})
    return study


def test_what_was_reported_is_read_by_trial_and_step(storage, running, clock):
    storage.start(running, 1, {"x": 2})
    storage.report(running, 1, 3, {"value": 0.5})
    clock.now += 5
    point = storage.report(running, 0, 2, {"value": 0.25, "cost": 3})
    assert point == CurvePoint(0, 2, {"value": 0.25, "cost": 3.0}, clock.now)
    storage.report(running, 0, 1, {"value": 0.75})
    _, points = storage.reports(running)
    assert [(p.number, p.step, p.outcomes["value"]) for p in points] == [
        (0, 1, 0.75),
        (0, 2, 0.25),
        (1, 3, 0.5),
    ]


def test_a_repeated_step_changes_nothing_and_gives_back_the_first(storage, running, clock):
    first = storage.report(running, 0, 1, {"value": 0.75})
    clock.now += 9
    assert storage.report(running, 0, 1, {"value": 0.5}) == first
    assert storage.reports(running)[1] == [first]


def test_reports_are_read_since_a_revision_and_each_raises_it(storage, running):
    storage.report(running, 0, 1, {"value": 1.0})
    revision, points = storage.reports(running)
    assert len(points) == 1
    assert storage.reports(running, revision) == (revision, [])
    storage.report(running, 0, 2, {"value": 2.0})
    later, points = storage.reports(running, revision)
    assert later > revision and [p.step for p in points] == [2]
    # whoever follows the trials is not led to read one again
    assert storage.changes(running, revision)[1] == []


def test_numbers_that_are_not_finite_come_back_as_they_are(storage, running):
    for step, value in enumerate([math.inf, -math.inf, math.nan, 1e308, 5e-324]):
        storage.report(running, 0, step, {"value": value})
    values = [p.outcomes["value"] for p in storage.reports(running)[1]]
    assert values[:2] == [math.inf, -math.inf] and math.isnan(values[2])
    assert values[3:] == [1e308, 5e-324]


@pytest.mark.parametrize("state", [TrialState.COMPLETE, TrialState.STOPPED, TrialState.FAILED])
def test_a_trial_that_has_ended_reports_no_more(storage, running, state):
    point = storage.report(running, 0, 1, {"value": 1.0})
    outcomes = {"value": 1.0} if state is TrialState.COMPLETE else {}
    storage.finish(running, 0, Ending(state=state, outcomes=outcomes))
    with pytest.raises(TrialError, match=f"trial 0 of study 'suzuki' has ended \\({state}\\)"):
        storage.report(running, 0, 2, {"value": 2.0})
    # but a report whose answer was lost on its way may be sent again
    assert storage.report(running, 0, 1, {"value": 1.0}) == point


def test_a_trial_that_was_taken_back_may_be_alive(storage, study, clock):
    storage.start(study, 0, {"x": 1}, heartbeat=True)
    clock.now += 1000
    assert storage.reclaim(study, 90.0)
    assert storage.report(study, 0, 1, {"value": 1.0}).step == 1


def test_what_cannot_be_a_report_is_refused_and_stores_nothing(storage, running):
    for step, outcomes in [(-1, {"value": 1.0}), (1.5, {"value": 1.0}), (2**63, {"value": 1.0})]:
        with pytest.raises(OutcomeError, match="a step is a whole number, 0 or more"):
            storage.report(running, 0, step, outcomes)
    with pytest.raises(OutcomeError, match="at least one value"):
        storage.report(running, 0, 1, {})
    with pytest.raises(TrialError, match="has no trial 7"):
        storage.report(running, 7, 1, {"value": 1.0})
    with pytest.raises(StudyNotFoundError):
        storage.report("another", 0, 1, {"value": 1.0})
    with pytest.raises(StudyNotFoundError):
        storage.reports("another")
    assert storage.reports(running)[1] == []


def test_large_steps_are_kept(storage, running):
    storage.report(running, 0, 10**12, {"value": 1.0})
    assert storage.reports(running)[1][0].step == 10**12


def test_a_trial_that_arrives_as_a_whole_brings_its_curve(storage, study, record):
    curve = [(1, {"value": 0.5}), (4, {"value": 0.25}), (4, {"value": 9.0})]
    storage.insert(study, Entry(params={"x": 1}, outcomes={"value": 0.25}, reports=curve))
    assert [(p.step, p.outcomes["value"]) for p in storage.reports(study)[1]] == [
        (1, 0.5),
        (4, 0.25),
    ]
    begun = StudyRecord(name="begun", space={}, direction="minimize")
    storage.begin(begun, [Entry(params={"x": 1}, outcomes={"value": 0.25}, reports=curve)])
    assert [p.step for p in storage.reports("begun")[1]] == [1, 4]
    wrong = Entry(params={"x": 1}, outcomes={"value": 0.25}, reports=[(-1, {"value": 1.0})])
    with pytest.raises(OutcomeError):
        storage.insert_many(study, [Entry(params={}, outcomes={"value": 1.0}), wrong])
    assert len(storage.changes(study)[1]) == 1


def test_curves_end_with_their_study(storage, running, record):
    storage.report(running, 0, 1, {"value": 1.0})
    storage.delete(running)
    storage.create(record)
    assert storage.reports(running)[1] == []


def test_a_stopped_trial_keeps_what_it_led_to_expect(storage, running):
    expected = {EXPECTED: {"value": [0.5, 0.01]}}
    ending = Ending(state=TrialState.STOPPED, error="too bad at step 3", attributes=expected)
    trial = storage.finish(running, 0, ending)
    assert trial == storage.trial(running, 0)
    assert (trial.state, trial.outcomes, trial.value) == (TrialState.STOPPED, {}, None)
    assert trial.expected_end == {"value": (0.5, 0.01)}
    corrected = storage.correct(running, 0, Ending(outcomes={"value": 0.4}))
    assert (corrected.state, corrected.value) == (TrialState.COMPLETE, 0.4)
    assert corrected.expected_end == {}
    assert corrected.earlier == (trial,)


def test_many_threads_report_at_once(storage, study):
    for number in range(4):
        storage.start(study, number, {"x": number})

    def work(number):
        for step in range(10):
            storage.report(study, number, step, {"value": number + step})

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    points = storage.reports(study)[1]
    assert [(p.number, p.step) for p in points] == [(n, s) for n in range(4) for s in range(10)]
