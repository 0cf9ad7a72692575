"""What was read when a trial was started is what its end returns, as far as it is stored so."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pathmax.errors import StudyNotFoundError, TrialError
from pathmax.storage import begun_trials, trial_endings
from pathmax.storage.begun_trials import BegunTrials
from pathmax.storage.records import Ending
from pathmax.storage.sql import SqlStorage
from pathmax.trials.trial import Trial, TrialState

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
    row |= {"note": "null", "attributes": "{}", "asked_at": 1.0, "heartbeat_at": None}
    row |= {"study_id": 1, "token": "t"}
    count = begun_trials.MOST_BEGUN + 1
    for number in range(count):
        begun.keep("s", row | {"number": number}, Trial(number=number, params={"x": 1}))
    assert begun.take("s", 0) is None
    last = begun.take("s", count - 1)
    assert last is not None and last.read["params"] == {"x": 1}
    assert begun.take("s", count - 1) is None  # a trial is told once


@pytest.fixture
def file(tmp_path, record):
    """A storage in a file with a study, and the file."""
    path = tmp_path / "lab.db"
    with SqlStorage(f"sqlite:///{path}") as opened:
        opened.create(record)
        yield opened, path


@pytest.fixture
def short_ways(monkeypatch) -> list[bool]:
    """For each end of a trial that was tried as it was begun, whether it was stored so."""
    tried: list[bool] = []
    end = trial_endings.end_as_begun

    def noted(*given):
        told_at = end(*given)
        tried.append(told_at is not None)
        return told_at

    monkeypatch.setattr("pathmax.storage.sql.end_as_begun", noted)
    return tried


finite = st.floats(allow_nan=False, allow_infinity=False)
variances = st.floats(0.0, 1e300)
named = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5)
whole_results = st.builds(
    Ending,
    outcomes=st.dictionaries(named, finite | st.integers(-(2**53), 2**53), min_size=1, max_size=3),
    noise=st.none() | variances,
    noises=st.dictionaries(named, variances, max_size=2),
    cost=st.none() | variances,
)
failures = st.builds(
    Ending,
    state=st.sampled_from([TrialState.FAILED, TrialState.STOPPED]),
    error=st.none() | st.text(),
    cost=st.none() | variances,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(ending=whole_results | failures, heartbeat=st.booleans())
def test_what_the_short_way_returns_is_what_is_stored(
    file, record, short_ways, ending: Ending, heartbeat: bool
):
    storage, _ = file
    number = len(storage.changes(record.name)[1])
    storage.start(record.name, number, {"x": 0.1}, INFO, "me", heartbeat=heartbeat)
    told = storage.finish(record.name, number, ending)
    assert short_ways[-1]
    stored = storage.trial(record.name, number)
    assert told == stored and repr(told) == repr(stored)  # -0.0 is no 0.0, and 1 no 1.0
    assert storage.changes(record.name, 2 * number + 1) == (2 * number + 2, [told])


CHANGES_BY_OTHERS = {
    "params": "'{\"x\":7}'",
    "info": '\'{"method":"mine"}\'',
    "worker": "'\"you\"'",
    "note": "'\"late\"'",
    "attributes": "'{\"batch\":7}'",
    "asked_at": "asked_at - 1.0",
    "heartbeat_at": "5.0",
    "token": "'of another write'",
}


@pytest.mark.parametrize("column", CHANGES_BY_OTHERS)
def test_a_trial_that_was_changed_comes_back_as_it_is_stored(file, record, short_ways, column):
    storage, path = file
    assert {*CHANGES_BY_OTHERS} == {*begun_trials.UNCHANGED, "token"}
    started = storage.start(record.name, 0, {"x": 1}, INFO, "me")
    with closing(sqlite3.connect(path)) as other, other:
        other.execute(f"UPDATE pathmax_trials SET {column} = {CHANGES_BY_OTHERS[column]}")
    told = storage.finish(record.name, 0, TOLD)
    assert short_ways == [False]
    assert told == storage.trial(record.name, 0) and told.value == 1.0
    if column != "token":
        assert getattr(told, column) != getattr(started, column)


def test_a_trial_that_was_remarked_on_or_gave_a_sign_of_life(file, record):
    storage, _ = file
    for number in range(3):
        storage.start(record.name, number, {"x": number}, heartbeat=True)
    storage.annotate(record.name, 0, note="cloudy", attributes={"flask": 3})
    storage.beat(record.name, [1])
    storage.reclaim(record.name, -1.0)
    told = [storage.finish(record.name, number, TOLD) for number in range(3)]
    assert told == storage.changes(record.name)[1]
    assert (told[0].note, told[0].attributes["flask"]) == ("cloudy", 3)
    assert all(len(trial.earlier) == 1 for trial in told)  # they had been taken back


def test_a_key_of_an_earlier_study_ends_no_trial_of_a_later_one(file, record, short_ways):
    storage, path = file
    before = storage.load(record.name).key
    storage.start(before, 0, {"x": 1})
    storage.delete(record.name)
    now = storage.create(record).key
    storage.start(now, 0, {"x": 2})
    with pytest.raises(StudyNotFoundError, match="deleted and created again"):
        storage.finish(before, 0, TOLD)
    assert short_ways == [False]
    assert storage.finish(now, 0, TOLD).params == {"x": 2}
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT revision FROM pathmax_counters").fetchall() == [(2,)]


def test_of_threads_that_tell_the_same_trial_one_succeeds(file, record):
    storage, _ = file
    for number in range(20):
        storage.start(record.name, number, {"x": number})

    def tell(number: int) -> bool:
        try:
            return storage.finish(record.name, number, TOLD).value == 1.0
        except TrialError as refused:
            assert "already told" in str(refused)
            return False

    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(tell, [n for n in range(20) for _ in range(3)]))
    assert sum(told) == 20
    assert storage.changes(record.name)[0] == 40


def test_a_file_that_was_rebuilt_in_between(file, record):
    storage, path = file
    for number in range(3):
        storage.start(record.name, number, {"x": number})
    storage.finish(record.name, 0, TOLD)
    storage.close()
    with closing(sqlite3.connect(path)) as other:
        other.execute("DELETE FROM pathmax_trials WHERE number = 0")
        other.commit()
        other.execute("VACUUM")  # rows may be numbered anew
    assert storage.finish(record.name, 2, TOLD).params == {"x": 2}
    assert storage.finish(record.name, 1, TOLD).params == {"x": 1}
