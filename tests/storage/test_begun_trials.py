"""What was read when a trial was started is what its end returns, as far as it is stored so."""

from pathmax.storage import begun_trials
from pathmax.storage.begun_trials import BegunTrials
from pathmax.storage.records import Ending
from pathmax.storage.sql import SqlStorage
from pathmax.trials.trial import Trial

TOLD = Ending(outcomes={"value": 1.0})
INFO = {"method": "pims", "settings": {"seed": [1, 2]}, "g_star": float("inf")}


def test_the_end_of_a_trial_is_the_trial_that_is_stored(url: str, record):
    with SqlStorage(url) as storage, SqlStorage(url) as other:
        storage.create(record)
        for number in range(2):
            storage.start(record.name, number, {"x": (1, 2)}, INFO, "me", heartbeat=True)
        mine = storage.finish(record.name, 0, TOLD)
        theirs = other.finish(record.name, 1, TOLD)  # who has not started it
        assert [mine, theirs] == other.changes(record.name)[1]
        assert mine.params == {"x": [1, 2]} and mine.info == INFO and mine.worker == "me"


def test_whoever_changes_what_start_returned_changes_no_later_trial(url: str, record):
    with SqlStorage(url) as storage:
        storage.create(record)
        started = storage.start(record.name, 0, {"x": 1}, INFO)
        started.params["x"] = 2
        started.info["method"] = "mine"
        started.info["settings"]["seed"].append(3)
        told = storage.finish(record.name, 0, TOLD)
        assert told.params == {"x": 1} and told.info == INFO


def test_what_was_changed_in_the_database_is_read_again(url: str, record):
    with SqlStorage(url) as storage:
        storage.create(record)
        storage.start(record.name, 0, {"x": 1})
        storage.start(record.name, 1, {"x": 1})
        writer, _ = storage._database._open()
        with writer.begin() as connection:
            for number, text in enumerate(('{"x":7}', "[]")):
                changed = f"UPDATE pathmax_trials SET params = '{text}' WHERE number = {number}"
                connection.exec_driver_sql(changed)
        assert storage.finish(record.name, 0, TOLD).params == {"x": 7}
        assert "params" in (storage.finish(record.name, 1, TOLD).damage or "")


def test_another_study_of_the_same_name_is_not_taken_for_it(url: str, record):
    with SqlStorage(url) as storage, SqlStorage(url) as other:
        storage.create(record)
        storage.start(record.name, 0, {"x": 1})
        other.delete(record.name)
        other.create(record)
        other.start(record.name, 0, {"x": 2})
        assert storage.finish(record.name, 0, TOLD).params == {"x": 2}


def test_the_oldest_are_forgotten():
    begun, row = BegunTrials(), {"params": '{"x":1}', "info": "{}", "worker": "null"}
    count = begun_trials.MOST_BEGUN + 1
    for number in range(count):
        begun.keep("s", row, Trial(number=number, params={"x": 1}))
    assert begun.take("s", row | {"number": 0}) == {}
    assert begun.take("s", row | {"number": count - 1})["params"] == {"x": 1}
    assert begun.take("s", row | {"number": count - 1}) == {}  # a trial is told once
