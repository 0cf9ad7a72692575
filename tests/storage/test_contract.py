"""One contract, every storage: these tests run in memory, on SQLite and on PostgreSQL."""

import math
import threading
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pathmax import Float, Space, Study
from pathmax.errors import (
    OutcomeError,
    SettingsError,
    SpaceChangedError,
    StorageError,
    StudyNotFoundError,
    TrialError,
)
from pathmax.storage import Ending, Entry, Storage, StudyRecord
from pathmax.trials.trial import TrialState

COMPLETE, FAILED, RUNNING = TrialState.COMPLETE, TrialState.FAILED, TrialState.RUNNING


class TestStudies:
    def test_what_was_created_is_loaded(self, storage, record, clock):
        created = storage.create(record)
        assert created.created_at == clock.now
        assert storage.load("suzuki") == created
        assert (created.space, created.settings) == (record.space, record.settings)

    def test_fault_24_an_existing_name_gives_the_stored_space_to_compare(self, storage, record):
        first = storage.create(record)
        other = StudyRecord(name="suzuki", space={"x": 1}, direction="minimize")
        assert storage.create(other) == first
        assert storage.load("suzuki") == first

    def test_a_study_begins_with_its_first_trials_or_not_at_all(self, storage, record, clock):
        good = Entry(params={"x": 1}, outcomes={"value": 2.0}, told_at=clock.now + 1)
        with pytest.raises(OutcomeError):
            storage.begin(record, [good, Entry(params={}, outcomes={"value": math.inf})])
        assert storage.studies() == []
        begun = storage.begin(record, [good, Entry(params={"x": 2}, state=FAILED, error="spilt")])
        assert begun == storage.load("suzuki")
        revision, trials = storage.changes("suzuki")
        assert [(t.number, t.value, t.error) for t in trials] == [
            (0, 2.0, None),
            (1, None, "spilt"),
        ]
        assert trials[0].told_at == clock.now + 1
        assert storage.begin(record, [good]) is None
        assert storage.changes("suzuki") == (revision, trials)
        assert storage.start("suzuki", 2, {}).number == 2

    def test_a_study_may_begin_with_nothing(self, storage, record):
        assert storage.begin(record, []) == storage.load("suzuki")
        assert storage.changes("suzuki")[1] == []

    def test_studies_are_sorted_by_name(self, storage, record):
        for name in ["b", "a", "Ä", "B", "a b", "量子", "🧪", "o'neill; DROP TABLE", '<b>"x"</b>']:
            storage.create(StudyRecord(name=name, space={}, direction="minimize"))
        names = [found.name for found in storage.studies()]
        assert names == sorted(names) and len(names) == 9

    def test_update_replaces_settings_or_attributes_and_keeps_the_rest(self, storage, study):
        storage.update(study, attributes={"owner": "Ada"})
        updated = storage.update(study, settings={"method": "ei"})
        assert updated == storage.load(study)
        assert updated.settings == {"method": "ei"}
        assert updated.attributes == {"owner": "Ada"}

    def test_delete_removes_the_study_and_its_trials(self, storage, study, record):
        storage.start(study, 0, {"x": 1})
        storage.create(StudyRecord(name="other", space={}, direction="minimize"))
        storage.insert("other", Entry(params={"x": 2}, outcomes={"value": 1.0}))
        storage.delete(study)
        assert [found.name for found in storage.studies()] == ["other"]
        assert len(storage.changes("other")[1]) == 1
        storage.create(record)
        assert storage.changes(study) == (0, [])

    def test_a_study_that_was_deleted_and_made_again_is_noticed(self, storage, study, record):
        storage.start(study, 0, {"x": 1})
        revision, _ = storage.changes(study)
        storage.delete(study)
        storage.create(record)
        with pytest.raises(StudyNotFoundError, match="deleted and created again"):
            storage.changes(study, revision)
        with pytest.raises(StudyNotFoundError, match="deleted and created again"):
            storage.start_next(study, revision, lambda *_: ({}, {}))

    @pytest.mark.parametrize(
        "call",
        [
            lambda s: s.load("nobody"),
            lambda s: s.update("nobody", settings={}),
            lambda s: s.delete("nobody"),
            lambda s: s.start("nobody", 0, {}),
            lambda s: s.start_next("nobody", 0, lambda *_: ({}, {})),
            lambda s: s.insert("nobody", Entry(params={}, outcomes={"value": 1.0})),
            lambda s: s.finish("nobody", 0, Ending(outcomes={"value": 1.0})),
            lambda s: s.annotate("nobody", 0, note="x"),
            lambda s: s.correct("nobody", 0, Ending(outcomes={"value": 1.0})),
            lambda s: s.beat("nobody", [0]),
            lambda s: s.reclaim("nobody", 1.0),
            lambda s: s.trial("nobody", 0),
            lambda s: s.changes("nobody"),
            lambda s: s.changes("nobody", brief=True),
            lambda s: s.infos("nobody", []),
            lambda s: s.infos("nobody", [0]),
            lambda s: s.turn("nobody").__enter__(),
        ],
    )
    def test_an_unknown_study_is_an_error_that_tells_the_known_ones(self, storage, study, call):
        with pytest.raises(StudyNotFoundError, match=r"no study 'nobody'.*'suzuki'"):
            call(storage)

    @pytest.mark.parametrize("name", ["", " ", " a", "a\n", "a\x00b", "\ud800", "x" * 201, 3])
    def test_bad_names_are_refused_before_anything_is_stored(self, name):
        with pytest.raises(SettingsError, match="name of a study"):
            StudyRecord(name=name, space={}, direction="minimize")

    def test_a_bad_direction_is_refused(self):
        with pytest.raises(SettingsError, match="'maximize' or 'minimize', got 'up'"):
            StudyRecord(name="a", space={}, direction="up")


class TestTrials:
    def test_ask_and_tell(self, storage, study, clock):
        asked = storage.start(study, 0, {"t": 80.0, "solvent": "DMF"}, {"xi": 1.5}, "w1")
        assert (asked.number, asked.state, asked.worker) == (0, RUNNING, "w1")
        assert (asked.asked_at, asked.told_at, asked.heartbeat_at) == (clock.now, None, None)
        clock.now += 60
        told = storage.finish(study, 0, Ending(outcomes={"value": 71.3}, noise=0.25))
        assert (told.state, told.value, told.noise, told.duration) == (COMPLETE, 71.3, 0.25, 60)
        assert (told.params, told.info) == ({"t": 80.0, "solvent": "DMF"}, {"xi": 1.5})
        assert storage.trial(study, 0) == told
        assert storage.changes(study)[1] == [told]

    def test_start_next_proposes_from_what_is_there(self, storage, study, clock):
        storage.start(study, 0, {"x": 0})
        revision, _ = storage.changes(study)
        storage.finish(study, 0, Ending(outcomes={"value": 5.0}))
        seen = []

        def propose(revision, changed):
            seen.append((revision, changed))
            return {"x": changed[0].value}, {"method": "random"}

        trial = storage.start_next(study, revision, propose, "w1", heartbeat=True)
        assert (trial.number, trial.state, trial.worker) == (1, RUNNING, "w1")
        assert (trial.params, trial.info) == ({"x": 5.0}, {"method": "random"})
        assert trial.asked_at == trial.heartbeat_at == clock.now
        assert storage.trial(study, 1) == trial
        # The caller goes on from the revision it was given: the new trial is still to come.
        [(given, changed)] = seen
        assert [t.number for t in changed] == [0]
        assert storage.changes(study, given)[1] == [trial]

    def test_a_proposal_that_fails_leaves_nothing_behind(self, storage, study):
        def propose(revision, changed):
            raise ZeroDivisionError

        before = storage.changes(study)
        with pytest.raises(ZeroDivisionError):
            storage.start_next(study, 0, propose)
        assert storage.changes(study) == before
        assert storage.start(study, 0, {}).number == 0

    def test_fail_keeps_the_reason(self, storage, study):
        storage.start(study, 0, {})
        failed = storage.finish(study, 0, Ending(state=FAILED, error="the flask broke\x00 \ud800"))
        assert (failed.state, failed.error) == (FAILED, "the flask broke\x00 \ud800")
        assert storage.trial(study, 0) == failed

    def test_fault_18_a_number_is_given_once(self, storage, study):
        assert storage.start(study, 0, {"x": 1}) is not None
        assert storage.start(study, 0, {"x": 2}) is None
        assert storage.trial(study, 0).params == {"x": 1}
        assert storage.start(study, 1, {"x": 2}).number == 1

    @pytest.mark.parametrize("number", [-1, 1, 7, 10**30])
    def test_numbers_have_no_gaps(self, storage, study, number):
        with pytest.raises(TrialError, match=f"the next number is 0, got {number}"):
            storage.start(study, number, {})
        assert storage.changes(study)[1] == []

    def test_a_trial_is_told_once(self, storage, study):
        storage.start(study, 0, {})
        storage.finish(study, 0, Ending(outcomes={"value": 1.0}))
        with pytest.raises(TrialError, match="trial 0 of study 'suzuki' is already told"):
            storage.finish(study, 0, Ending(outcomes={"value": 2.0}))
        with pytest.raises(TrialError, match="already told"):
            storage.finish(study, 0, Ending(state=FAILED))
        assert storage.trial(study, 0).value == 1.0

    def test_a_correction_replaces_the_ending_and_keeps_what_was_there(self, storage, study, clock):
        storage.start(study, 0, {"x": 1}, {"method": "pims"})
        storage.annotate(study, 0, note="yellow", attributes={"a": 1})
        told = storage.finish(study, 0, Ending(outcomes={"value": 713.0}, noise=0.5))
        clock.now += 60
        corrected = storage.correct(study, 0, Ending(outcomes={"value": 71.3}))
        assert (corrected.state, corrected.value, corrected.noise) == (COMPLETE, 71.3, 0.5)
        assert (corrected.note, corrected.told_at) == ("yellow", told.told_at)
        assert corrected.earlier == (told,)
        assert corrected.attributes["pathmax_earlier"][0]["corrected_at"] == clock.now
        failed = storage.correct(study, 0, Ending(state=FAILED, error="spilt\x00", note="green"))
        assert (failed.state, failed.outcomes, failed.noise) == (FAILED, {}, None)
        assert (failed.error, failed.note) == ("spilt\x00", "green")
        assert failed.earlier == (told, corrected)
        assert storage.trial(study, 0) == failed
        with pytest.raises(TrialError, match="already told"):
            storage.finish(study, 0, Ending(outcomes={"value": 1.0}))

    def test_a_correction_that_is_refused_changes_nothing(self, storage, study):
        storage.start(study, 0, {})
        with pytest.raises(TrialError, match="trial 0 of study 'suzuki' is still running"):
            storage.correct(study, 0, Ending(outcomes={"value": 1.0}))
        storage.finish(study, 0, Ending(outcomes={"value": 1.0}))
        before = storage.trial(study, 0)
        for wrong in ({"outcomes": {"value": math.nan}}, {}, {"state": RUNNING}):
            with pytest.raises(OutcomeError):
                storage.correct(study, 0, Ending(**wrong))
        assert storage.trial(study, 0) == before

    def test_a_reclaimed_trial_that_was_corrected_is_told(self, storage, study, clock):
        storage.start(study, 0, {}, heartbeat=True)
        clock.now += 100
        storage.reclaim(study, grace=60)
        assert storage.correct(study, 0, Ending(outcomes={"value": 2.0})).value == 2.0
        with pytest.raises(TrialError, match="already told"):
            storage.finish(study, 0, Ending(outcomes={"value": 3.0}))

    def test_a_trial_that_does_not_exist(self, storage, study):
        with pytest.raises(TrialError, match="no trials yet"):
            storage.finish(study, 0, Ending(outcomes={"value": 1.0}))
        storage.start(study, 0, {})
        for call in (
            lambda: storage.finish(study, 3, Ending(outcomes={"value": 1.0})),
            lambda: storage.annotate(study, 3, note="x"),
            lambda: storage.correct(study, 3, Ending(outcomes={"value": 1.0})),
            lambda: storage.trial(study, 3),
            lambda: storage.trial(study, 3 * 10**30),
            lambda: storage.finish(study, 3 * 10**30, Ending(outcomes={"value": 1.0})),
        ):
            with pytest.raises(TrialError, match=r"no trial 30*; its trials are 0 to 0"):
                call()

    @pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
    def test_outcomes_are_finite(self, storage, study, value):
        storage.start(study, 0, {})
        with pytest.raises(OutcomeError, match="finite"):
            storage.finish(study, 0, Ending(outcomes={"value": value}))
        with pytest.raises(OutcomeError, match="finite"):
            storage.insert(study, Entry(params={}, outcomes={"value": value}))
        with pytest.raises(OutcomeError, match="variance"):
            storage.finish(study, 0, Ending(outcomes={"value": 1.0}, noise=value))
        assert storage.trial(study, 0).state == RUNNING

    def test_a_complete_trial_has_an_outcome_and_a_finished_one_does_not_run(self, storage, study):
        storage.start(study, 0, {})
        with pytest.raises(OutcomeError, match="has an outcome"):
            storage.finish(study, 0, Ending())
        with pytest.raises(OutcomeError, match="complete or failed"):
            storage.finish(study, 0, Ending(state=RUNNING))

    def test_results_from_before_get_the_next_numbers_together(self, storage, study, clock):
        storage.start(study, 0, {"x": 0})
        entries = [Entry(params={"x": i}, outcomes={"value": float(i)}) for i in (1, 2)]
        entries.append(Entry(params={"x": 3}, state=FAILED, error="spilt", asked_at=5.0))
        added = storage.insert_many(study, entries)
        assert [trial.number for trial in added] == [1, 2, 3]
        assert storage.changes(study)[1][1:] == added
        assert (added[2].asked_at, added[2].told_at) == (5.0, clock.now)
        assert storage.insert_many(study, []) == []
        assert storage.start(study, 4, {}).number == 4

    def test_inserting_is_all_or_nothing(self, storage, study):
        bad = Entry(params={"x": 2}, outcomes={"value": math.nan})
        with pytest.raises(OutcomeError):
            storage.insert_many(study, [Entry(params={}, outcomes={"value": 1.0}), bad])
        assert storage.changes(study)[1] == []

    def test_notes_and_attributes_in_any_state(self, storage, study):
        storage.start(study, 0, {"x": 1})
        storage.annotate(study, 0, note="turned yellow", attributes={"a": 1, "b": [1]})
        storage.finish(study, 0, Ending(outcomes={"value": 1.0}))
        trial = storage.annotate(study, 0, attributes={"b": {"c": None}})
        assert (trial.note, trial.attributes) == ("turned yellow", {"a": 1, "b": {"c": None}})
        assert (trial.value, trial.params) == (1.0, {"x": 1})
        assert storage.trial(study, 0) == trial

    def test_remarks_arrive_with_the_ending_or_not_at_all(self, storage, study):
        storage.start(study, 0, {"x": 1})
        storage.annotate(study, 0, note="clear", attributes={"a": 1, "b": 2})
        before = storage.changes(study)
        unstorable = Ending(outcomes={"value": 1.0}, note="yellow", attributes={"z": 1j})
        with pytest.raises(StorageError, match="attributes must be plain JSON"):
            storage.finish(study, 0, unstorable)
        assert storage.changes(study) == before
        ending = Ending(outcomes={"value": 1.0}, note="yellow", attributes={"b": 3})
        told = storage.finish(study, 0, ending)
        assert (told.value, told.note, told.attributes) == (1.0, "yellow", {"a": 1, "b": 3})
        assert storage.changes(study, before[0]) == (before[0] + 1, [told])
        kept = storage.correct(study, 0, Ending(outcomes={"value": 2.0}, attributes={"b": 4}))
        assert (kept.note, kept.attributes["a"], kept.attributes["b"]) == ("yellow", 1, 4)
        assert kept.earlier[0].value == 1.0

    def test_a_value_told_with_a_note_is_one_write(self, storage):
        study = Study({"x": Float(0, 1)}, name="s", storage=storage, seed=0)
        trial = study.ask()
        revision, _ = storage.changes("s")
        told = study.tell(trial, 1.0, note="yellow", attributes={"batch": 7})
        assert storage.changes("s", revision) == (revision + 1, [told])
        assert (told.note, told.attributes) == ("yellow", {"batch": 7})

    def test_what_could_not_be_read_again_is_not_written(self, storage, study):
        storage.start(study, 0, {})
        before = storage.changes(study)
        for call in (
            lambda: storage.start(study, 1, {}, worker=5),
            lambda: storage.insert(study, Entry(params={}, outcomes={"value": 1.0}, note=5)),
            lambda: storage.finish(study, 0, Ending(state=FAILED, error=5)),
            lambda: storage.finish(study, 0, Ending(outcomes={"value": 1.0}, note=["x"])),
            lambda: storage.annotate(study, 0, note=5),
        ):
            with pytest.raises(StorageError, match="must be text or None, got"):
                call()
        assert storage.changes(study) == before

    def test_what_comes_out_is_a_copy(self, storage, study):
        info = {"kernel": {"lengthscale": [1.0]}}
        storage.start(study, 0, {"x": 1}, info)
        info["kernel"]["lengthscale"].append(2.0)
        storage.trial(study, 0).params["x"] = 5
        storage.changes(study)[1][0].info["kernel"]["lengthscale"][0] = 9.0
        trial = storage.trial(study, 0)
        assert (trial.params, trial.info) == ({"x": 1}, {"kernel": {"lengthscale": [1.0]}})

    def test_what_is_not_json_is_refused_in_words(self, storage, study):
        with pytest.raises(StorageError, match=r"info must be plain JSON.*complex"):
            storage.start(study, 0, {}, {"z": 1j})
        assert storage.changes(study)[1] == []


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
finite = st.floats(allow_nan=False, allow_infinity=False)


@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    params=st.dictionaries(st.text(), st.text() | finite | st.integers() | st.booleans()),
    info=st.dictionaries(st.text(), json_values, max_size=4),
    value=finite,
    text=st.text() | st.none(),
)
def test_every_json_value_comes_back_exactly(storage, record, params, info, value, text):
    name = storage.create(record).name
    entry = Entry(
        params=params, info=info, attributes=info, outcomes={"value": value}, note=text, worker=text
    )
    number = storage.insert(name, entry).number
    found = storage.trial(name, number)
    assert found.params == params
    assert list(map(type, found.params.values())) == list(map(type, params.values()))
    assert found.value == value and math.copysign(1, found.value) == math.copysign(1, value)
    assert repr(found.info) == repr(info) == repr(found.attributes)  # repr: NaN equals itself
    assert (found.note, found.worker) == (text, text)


class TestRevisions:
    def test_every_write_to_a_trial_raises_the_revision(self, storage: Storage, study):
        revision, trials = storage.changes(study)
        assert trials == []
        writes = [
            lambda: storage.start(study, 0, {"x": 1}, heartbeat=True),
            lambda: storage.beat(study, [0]),
            lambda: storage.annotate(study, 0, note="x"),
            lambda: storage.finish(study, 0, Ending(outcomes={"value": 1.0})),
            lambda: storage.correct(study, 0, Ending(outcomes={"value": 3.0})),
            lambda: storage.insert(study, Entry(params={}, outcomes={"value": 2.0})),
        ]
        for write in writes:
            before = revision
            write()
            revision, trials = storage.changes(study, before)
            assert revision > before
            assert len(trials) == 1
            assert storage.changes(study, revision) == (revision, [])

    def test_changes_are_those_since_by_number(self, storage, study):
        for number in range(5):
            storage.start(study, number, {"x": number})
        revision, _ = storage.changes(study)
        for number in (3, 1):
            storage.finish(study, number, Ending(outcomes={"value": 1.0}))
        _, trials = storage.changes(study, revision)
        assert [trial.number for trial in trials] == [1, 3]
        assert [trial.number for trial in storage.changes(study)[1]] == [0, 1, 2, 3, 4]

    def test_brief_changes_are_the_same_without_what_explains_them(self, storage, study):
        explained = {"method": "pims", "outcomes": {"value": {"mean": 1.0}}}
        storage.start(study, 0, {"x": 1}, explained, "bench-2")
        storage.finish(study, 0, Ending(outcomes={"value": 1.0}, note="clear"))
        storage.start(study, 1, {"x": 2})
        revision, whole = storage.changes(study)
        assert whole[0].info == explained
        assert storage.changes(study, brief=True) == (
            revision,
            [replace(trial, info={}) for trial in whole],
        )
        storage.finish(study, 1, Ending(state=FAILED, error="spilt"))
        changed = storage.changes(study, revision, brief=True)
        assert changed == storage.changes(study, revision)
        assert changed[1][0].error == "spilt"

    def test_what_explains_trials_is_there_by_number(self, storage, study):
        entries = [Entry(params={"x": n}, state=FAILED, info={"n": n}) for n in range(700)]
        storage.insert_many(study, entries)
        assert storage.infos(study, [3, 1, 699, 700, -1, 2**40]) == {
            number: {"n": number} for number in (1, 3, 699)
        }
        assert len(storage.infos(study, range(700))) == 700
        assert storage.infos(study, []) == {}


class TestReceipts:
    """A write whose answer was lost is repeated with its token, and does nothing twice."""

    WRITES = (
        ("start", lambda s, token: s.start("suzuki", 2, {"x": 1}, token=token)),
        ("start_next", lambda s, token: s.start_next("suzuki", 0, _propose, token=token)),
        ("insert", lambda s, token: s.insert("suzuki", _entry(3.0), token=token)),
        ("finish", lambda s, token: s.finish("suzuki", 0, _ending(1.0), token=token)),
        ("correct", lambda s, token: s.correct("suzuki", 1, _ending(2.0), token=token)),
        ("annotate", lambda s, token: s.annotate("suzuki", 0, note="again", token=token)),
    )

    @pytest.fixture
    def begun(self, storage, study):
        storage.start(study, 0, {"x": 0})
        storage.insert(study, _entry(9.0))
        return study

    @pytest.mark.parametrize("write", [w for _, w in WRITES], ids=[name for name, _ in WRITES])
    def test_the_same_token_writes_once(self, storage, begun, write):
        assert storage.receipt(begun, "a" * 64) is None
        first = write(storage, "a" * 64)
        after = storage.changes(begun)
        assert write(storage, "a" * 64) == first
        assert storage.changes(begun) == after
        assert storage.receipt(begun, "a" * 64) == [first]
        storage.annotate(begun, first.number, note="since then")
        assert write(storage, "a" * 64).note == "since then"

    def test_a_repeated_correction_does_not_undo_a_later_one(self, storage, begun):
        storage.correct(begun, 1, _ending(2.0), token="first")
        storage.correct(begun, 1, _ending(3.0), token="second")
        assert storage.correct(begun, 1, _ending(2.0), token="first").value == 3.0

    def test_many_trials_have_one_receipt(self, storage, begun):
        added = storage.insert_many(begun, [_entry(1.0), _entry(2.0)], token="t")
        assert storage.insert_many(begun, [_entry(1.0), _entry(2.0)], token="t") == added
        assert storage.receipt(begun, "t") == added
        assert storage.insert_many(begun, [], token="nothing") == []

    def test_a_write_that_is_refused_leaves_no_receipt(self, storage, begun):
        for call in (
            lambda: storage.finish(begun, 1, _ending(1.0), token="t"),
            lambda: storage.finish(begun, 10**30, _ending(1.0), token="t"),
            lambda: storage.correct(begun, 0, _ending(1.0), token="t"),
            lambda: storage.annotate(begun, 7, note="x", token="t"),
            lambda: storage.start(begun, 9, {}, token="t"),
        ):
            with pytest.raises(TrialError):
                call()
            assert storage.receipt(begun, "t") is None
        assert storage.start(begun, 0, {}, token="t") is None
        assert storage.receipt(begun, "t") is None

    def test_receipts_end_with_their_study(self, storage, begun, record):
        storage.insert(begun, _entry(1.0), token="t")
        storage.delete(begun)
        with pytest.raises(StudyNotFoundError):
            storage.receipt(begun, "t")
        storage.create(record)
        assert storage.receipt(begun, "t") is None

    def test_receipts_are_kept_for_a_week_and_then_thrown_away(self, storage, begun, clock):
        storage.insert(begun, _entry(1.0), token="old")
        clock.now += 7 * 86_400
        for number in range(300):
            storage.annotate(begun, 0, note="x", token=f"week {number}")
        assert storage.receipt(begun, "old") is not None
        clock.now += 2 * 86_400
        for number in range(300):
            storage.annotate(begun, 0, note="x", token=f"later {number}")
        assert storage.receipt(begun, "week 299") is not None


class TestStanding:
    def test_whoever_has_seen_the_same_has_missed_nothing(self, storage, record):
        assert storage.revisions() == {}
        made = storage.create(record)
        assert storage.revisions() == {"suzuki": (made.identity, 0, 0, 0)}
        storage.start("suzuki", 0, {"x": 1})
        revision, _ = storage.changes("suzuki")
        assert storage.revisions() == {"suzuki": (made.identity, 0, revision, 1)}
        storage.change("suzuki", direction="minimize")
        assert storage.revisions()["suzuki"].edition == 1
        storage.delete("suzuki")
        assert storage.revisions() == {}


def _propose(revision, changed):
    return {"x": len(changed)}, {}


def _entry(value):
    return Entry(params={"x": 1}, outcomes={"value": value})


def _ending(value):
    return Ending(outcomes={"value": value})


class TestHeartbeats:
    def test_fault_16_a_vanished_workers_trial_is_taken_back(self, storage, study, clock):
        storage.start(study, 0, {"x": 1}, worker="w1", heartbeat=True)
        storage.start(study, 1, {"x": 2}, worker="w2", heartbeat=True)
        clock.now += 50
        assert storage.beat(study, [1, 1, 7, -1, 10**30]) == [1]
        clock.now += 20
        assert storage.trial(study, 1).heartbeat_at == clock.now - 20
        [taken] = storage.reclaim(study, grace=60)
        assert (taken.number, taken.state, taken.told_at) == (0, FAILED, clock.now)
        assert "no heartbeat for 60 seconds" in taken.error
        assert storage.trial(study, 0) == taken
        assert storage.reclaim(study, grace=60) == []

    def test_a_trial_without_a_pulse_is_never_taken_back(self, storage, study, clock):
        storage.start(study, 0, {"x": 1}, worker="the bench in room 12")
        clock.now += 1e7
        assert storage.reclaim(study, grace=60) == []

    def test_fault_17_a_late_tell_is_accepted_once(self, storage, study, clock):
        storage.start(study, 0, {"x": 1}, heartbeat=True)
        clock.now += 100
        storage.reclaim(study, grace=60)
        told = storage.finish(study, 0, Ending(outcomes={"value": 3.0}))
        assert (told.state, told.value, told.error) == (COMPLETE, 3.0, None)
        assert storage.trial(study, 0) == told
        with pytest.raises(TrialError, match="already told"):
            storage.finish(study, 0, Ending(outcomes={"value": 4.0}))
        assert storage.beat(study, [0]) == []
        assert storage.reclaim(study, grace=0) == []

    def test_a_late_failure_is_accepted_once_too(self, storage, study, clock):
        storage.start(study, 0, {"x": 1}, heartbeat=True)
        clock.now += 100
        storage.reclaim(study, grace=60)
        assert storage.finish(study, 0, Ending(state=FAILED, error="really")).error == "really"
        with pytest.raises(TrialError, match="already told"):
            storage.finish(study, 0, Ending(outcomes={"value": 4.0}))

    def test_fault_29_no_duration_is_negative_when_the_clock_is_set_back(
        self, storage, study, clock
    ):
        for number in range(3):
            storage.start(study, number, {"x": number}, heartbeat=True)
        clock.now -= 3600
        told = storage.finish(study, 0, Ending(outcomes={"value": 1.0}))
        assert (told.told_at, told.duration) == (told.asked_at, 0.0)
        assert storage.trial(study, 0) == told
        # A heartbeat from the future proves nothing: this one cannot run for another hour.
        storage.beat(study, [1])
        assert [trial.number for trial in storage.reclaim(study, grace=60)] == [2]
        assert storage.trial(study, 2).duration == 0.0
        added = storage.insert(study, Entry(params={}, outcomes={"value": 1.0}, asked_at=2e6))
        assert added.duration == 0.0


class TestTurns:
    def test_one_at_a_time(self, storage, study):
        inside, order = threading.Event(), []

        def second():
            inside.wait(600)
            with storage.turn(study, patience=600) as free:
                order.append(("second", free))

        thread = threading.Thread(target=second)
        thread.start()
        with storage.turn(study) as free:
            inside.set()
            thread.join(0.05)
            order.append(("first", free))
        thread.join(600)
        assert order == [("first", True), ("second", True)]

    def test_a_turn_that_nobody_gives_back_is_taken_over(self, storage, study):
        lost = storage.turn(study)
        lost.__enter__()
        with storage.turn(study, patience=0.02) as free:
            assert not free
        with storage.turn(study, patience=0.02):
            pass
        lost.__exit__(None, None, None)

    def test_a_turn_is_given_back_after_an_error(self, storage, study):
        with pytest.raises(ZeroDivisionError), storage.turn(study):
            raise ZeroDivisionError
        with storage.turn(study, patience=0.0) as free:
            assert free

    def test_starting_a_trial_ends_the_turn(self, storage, study):
        with storage.turn(study):
            storage.start(study, 0, {"x": 1})
        with storage.turn(study) as free:
            assert free


def test_threads_share_a_storage(storage, study):
    def work():
        done = 0
        while done < 10:
            _, trials = storage.changes(study)
            trial = storage.start(study, len(trials), {"thread": threading.get_ident()})
            if trial is not None:
                storage.finish(study, trial.number, Ending(outcomes={"value": float(trial.number)}))
                done += 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(600)
    trials = storage.changes(study)[1]
    assert [trial.number for trial in trials] == list(range(40))
    assert [trial.value for trial in trials] == [float(number) for number in range(40)]


def test_a_closed_storage_opens_again_when_used(storage, study):
    storage.start(study, 0, {"x": 1})
    storage.close()
    storage.close()
    assert storage.trial(study, 0).params == {"x": 1}


class TestIdentity:
    """A study deleted and made again under its name is another one."""

    def test_every_study_has_an_identity_of_its_own(self, storage, record):
        first = storage.create(record)
        assert storage.load("suzuki").identity == storage.create(record).identity == first.identity
        storage.delete("suzuki")
        assert storage.create(record).key != first.key
        assert storage.begin(replace(record, name="b"), []).identity not in (None, first.identity)

    @pytest.mark.parametrize(
        "call",
        [
            lambda s, key: s.load(key),
            lambda s, key: s.update(key, settings={}),
            lambda s, key: s.change(key, direction="minimize"),
            lambda s, key: s.delete(key),
            lambda s, key: s.start(key, 3, {}),
            lambda s, key: s.start_next(key, 0, lambda *_: ({}, {})),
            lambda s, key: s.insert(key, Entry(params={}, outcomes={"value": 1.0})),
            lambda s, key: s.finish(key, 0, Ending(outcomes={"value": 1.0})),
            lambda s, key: s.annotate(key, 0, note="x"),
            lambda s, key: s.correct(key, 0, Ending(outcomes={"value": 1.0})),
            lambda s, key: s.beat(key, [0]),
            lambda s, key: s.reclaim(key, 1.0),
            lambda s, key: s.trial(key, 0),
            lambda s, key: s.changes(key),
            lambda s, key: s.infos(key, [0]),
            lambda s, key: s.turn(key).__enter__(),
        ],
    )
    def test_fault_35_a_key_does_not_fit_a_study_made_again(self, storage, record, call):
        key = storage.create(record).key
        storage.delete("suzuki")
        storage.create(record)
        for number in range(3):
            storage.start("suzuki", number, {"x": number}, heartbeat=True)
        before = storage.changes("suzuki")
        with pytest.raises(StudyNotFoundError, match="deleted and created again"):
            call(storage, key)
        assert storage.changes("suzuki") == before
        storage.delete("suzuki")
        with pytest.raises(StudyNotFoundError, match="no study 'suzuki'"):
            call(storage, key)

    def test_fault_35_an_open_study_notices_one_made_again_with_more_changes(self, storage):
        space = {"x": Float(0, 1)}
        mine = Study(space, name="s", storage=storage, seed=0)
        trial = mine.ask()
        mine.tell(trial, 1.0)
        storage.delete("s")
        other = Study(space, name="s", storage=storage, seed=1)
        told = [other.tell(other.ask(), float(i)) for i in range(4)]
        for call in (
            mine.ask,
            lambda: mine.trials,
            lambda: mine.best_trial,
            lambda: mine.tell(3, 1.0),
            lambda: mine.add({"x": 0.5}, 1.0),
            lambda: mine.optimize(lambda params: 0.0, n_trials=1, progress=False),
        ):
            with pytest.raises(StudyNotFoundError, match=r"deleted and created again.*load it"):
                call()
        assert other.trials == told
        again = Study.load("s", storage=storage)
        assert again.ask().number == 4


class TestGoals:
    GOALS = (
        {"name": "yield", "direction": "maximize"},
        {"name": "cost", "direction": "minimize"},
        {"name": "impurity", "low": None, "high": 0.5},
    )

    def test_goals_are_kept(self, storage, record):
        assert storage.create(record).goals is None
        assert storage.load("suzuki").goals is None
        several = storage.create(replace(record, name="several", goals=self.GOALS))
        assert several.goals == list(self.GOALS)
        assert storage.load("several") == several
        assert [found.goals for found in storage.studies()] == [list(self.GOALS), None]
        begun = storage.begin(replace(record, name="begun", goals=self.GOALS), [])
        assert begun == storage.load("begun")

    def test_update_replaces_goals_and_keeps_the_rest(self, storage, study):
        updated = storage.update(study, goals=self.GOALS[:1])
        assert updated == storage.load(study)
        assert updated.goals == [self.GOALS[0]]
        assert storage.update(study, attributes={"a": 1}).goals == [self.GOALS[0]]

    @pytest.mark.parametrize(
        "goals",
        [
            [],
            "yield",
            [{"direction": "maximize"}],
            [{"name": "yield", "direction": "up"}],
            [{"name": "yield"}],
            [{"name": "a", "low": 1}, {"name": "a", "high": 2}],
        ],
    )
    def test_goals_that_say_nothing_are_refused(self, storage, study, record, goals):
        before = storage.load(study)
        for call in (
            lambda: replace(record, goals=goals),
            lambda: storage.update(study, goals=goals),
            lambda: storage.change(study, goals=goals),
        ):
            with pytest.raises(SettingsError, match=r"goal|direction must be"):
                call()
        assert storage.load(study) == before


class TestChange:
    """The same trials go on in another space."""

    def test_what_is_replaced_is_kept_with_the_number_of_trials_then(self, storage, study, record):
        storage.start(study, 0, {"x": 1})
        wider, goals = {"x": {"low": 0}}, [{"name": "yield", "direction": "minimize"}]
        first = storage.change(study, space=wider)
        assert first == storage.load(study)
        assert (first.space, first.direction, first.goals) == (wider, "maximize", None)
        was = {"space": record.space, "direction": "maximize", "goals": None, "until": 1}
        assert first.earlier_spaces == [was]
        assert storage.insert(study, Entry(params={}, outcomes={"value": 1.0})).number == 1
        second = storage.change(first.key, direction="minimize", goals=goals)
        then = {"space": wider, "direction": "maximize", "goals": None, "until": 2}
        assert second == storage.load(study)
        assert second.earlier_spaces == [was, then]
        assert (second.space, second.direction, second.goals) == (wider, "minimize", goals)
        assert second.identity == first.identity
        assert len(storage.changes(study)[1]) == 2

    def test_the_same_again_is_no_change(self, storage, study):
        key = storage.load(study).key
        changed = storage.change(key, space={"x": 1}, direction="minimize")
        assert storage.change(key, space={"x": 1}, direction="minimize") == changed
        assert storage.change(study) == changed
        assert len(changed.earlier_spaces) == 1

    def test_a_bad_direction_changes_nothing(self, storage, study):
        before = storage.load(study)
        with pytest.raises(SettingsError, match="got 'up'"):
            storage.change(study, space={"x": 1}, direction="up")
        assert storage.load(study) == before

    def test_two_do_not_change_the_same_space(self, storage, study):
        key = storage.load(study).key
        storage.change(key, space={"x": 1})
        with pytest.raises(SpaceChangedError, match="changed since it was opened"):
            storage.change(key, space={"x": 2})

    def test_an_open_study_does_not_suggest_in_the_old_space(self, storage):
        mine = Study({"x": Float(0, 1)}, name="s", storage=storage, seed=0, initial=1)
        trial = mine.ask()
        storage.change("s", space=Space({"x": Float(0, 2)}).to_json())
        with pytest.raises(SpaceChangedError, match="'s' was changed since it was opened"):
            mine.ask()
        assert mine.tell(trial, 1.0).value == 1.0
        with pytest.raises(SpaceChangedError):  # now with a model
            mine.ask()
        assert len(mine.trials) == 1
        again = Study.load("s", storage=storage)
        assert again.ask().number == 1
