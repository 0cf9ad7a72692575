"""Fault 39: what another program changed in a database is named, and the rest is read."""

import json
import sqlite3
import warnings
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from pathmax import Float, Study
from pathmax.errors import DamageWarning, ForeignStorageError, PathmaxError
from pathmax.storage import Ending, open_storage
from pathmax.trials.trial import Trial, TrialState

TRIAL_COLUMNS = [
    "revision", "state", "reclaimed", "token", "asked_at", "told_at", "heartbeat_at", "noise",
    "outcomes", "params", "worker", "error", "note", "attributes", "info",
]  # fmt: skip
STUDY_COLUMNS = [
    "direction", "created_at", "settings", "attributes", "space", "goals", "earlier_spaces",
]  # fmt: skip
COUNTERS = ["revision", "trials", "edition"]
PLAIN = [None, "x", 5, 9e999, b"\xff\xfe", "[", "[1]", "{}", "9" * 5000]
NUMBERS = ['{"value": 1e999}', '{"value": "1"}', '{"value": %s}' % ("9" * 400), "[" * 100_000]
PARAMS = ['{"x": "y"}', '{"x": 10}', '{"x": 1e999}', '{"y": 1}']
SPACES = ['{"kind": "space"}', '{"kind": "candidates", "rows": 3}', '{"kind": []}']
MODEL = {"kernel": {"kind": "matern52", "lengthscale": "x"}, "noise": None, "fitted_on": []}
KNOWN = {"method": "pims", "seed": [0, 4], "n_observations": 4, "pending": [], "settings": {}}
INFOS = [
    json.dumps(info)
    for info in (
        {"seed": 1},
        {**KNOWN, "pending": "x"},
        {**KNOWN, "n_observations": "x"},
        {**KNOWN, "settings": [1]},
        {**KNOWN, "settings": {"seed": -5}},
        {**KNOWN, "kernel": 3, "outcomes": 4},
        {**KNOWN, "version": 2, "outcomes": {"value": {"model": MODEL}}},
        {**KNOWN, "version": 2, "outcomes": {"value": 3}},
        {**KNOWN, "version": 2, "outcomes": [], "mean": "x"},
    )
]
SETTINGS = ['{"method": "pims", "seed": -5, "kernel": {"kind": 7}}', '{"initial": "x"}']
CONTENTS = {
    "outcomes": PLAIN + NUMBERS,
    "params": PLAIN + PARAMS,
    "info": PLAIN + INFOS,
    "space": PLAIN + SPACES,
    "settings": PLAIN + SETTINGS,
    "attributes": [*PLAIN, '{"pathmax_earlier": [{"state": "x"}]}'],
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A file with a study of eight results, a failure, and two running trials."""
    file = tmp_path_factory.mktemp("whole") / "lab.db"
    study = Study({"x": Float(0, 1)}, name="s", storage=file, seed=0, initial=3)
    for i in range(8):
        study.tell(study.ask(), float(i % 3), note=f"note {i}")
    study.fail(study.ask(), "spilt")
    study.ask(2)
    study.storage.close()
    with closing(sqlite3.connect(file)) as connection:  # columns take anything, as a disk does
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '')")
        connection.commit()
    return file.read_bytes()


@pytest.fixture
def file(tmp_path: Path, whole: bytes) -> Path:
    (tmp_path / "lab.db").write_bytes(whole)
    return tmp_path / "lab.db"


def change(file: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(statement, values)


def use(study: Study) -> None:
    """What reads what is stored, each with an error of ours or without one."""
    calls = [
        lambda: study.trials,
        lambda: study.best_trial,
        study.ask,
        lambda: study.tell(9, 1.0),
        lambda: study.tell(10, 1.0, note="x", attributes={"a": 1}),
        lambda: study.correct(4, 2.0),
        lambda: study.annotate(4, note="x", attributes={"b": 1}),
        lambda: study.storage.reclaim("s", 0.0),
        lambda: study.storage.beat("s", [9]),
        lambda: study.storage.update("s", attributes={}),
        lambda: study.storage.change("s", direction="minimize"),
        lambda: study.with_space({"x": Float(0, 2)}),
        lambda: study.replay(4),
        lambda: str(study.explain(4)),
    ]
    for call in calls:
        try:
            call()
        except PathmaxError as error:
            assert str(error)


class TestTrials:
    @pytest.mark.parametrize("column", TRIAL_COLUMNS)
    def test_one_damaged_field_is_named_and_the_rest_is_read(self, file, whole, column):
        with open_storage(file) as storage:
            before = storage.changes("s")[1]
        for content in CONTENTS.get(column, PLAIN):
            file.write_bytes(whole)
            change(file, f"UPDATE pathmax_trials SET {column} = ? WHERE number = 4", content)
            self.check(file, before, column in CONTENTS)

    def check(self, file: Path, before: list[Trial], thoroughly: bool) -> None:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            study = Study.load("s", storage=file)
            trials = study.trials
            assert [trial.number for trial in trials] == list(range(11))
            assert [*trials[:4], *trials[5:]] == [*before[:4], *before[5:]]
            for warning in caught:
                text = str(warning.message)
                assert str(file) in text and "trial 4 of study 's'" in text
            assert len(caught) == (trials[4].damage is not None)
            if thoroughly:
                use(study)
            study.storage.close()

    def test_a_result_without_its_note_is_still_a_result(self, file):
        change(file, "UPDATE pathmax_trials SET note = 'x' WHERE number = 4")
        with pytest.warns(DamageWarning, match=r"lab\.db: trial 4 of study 's'.*note: "):
            study = Study.load("s", storage=file)
            trial = study.trials[4]
        assert (trial.state, trial.value, trial.note) == (TrialState.COMPLETE, 1.0, None)
        assert study.ask().info["n_observations"] == 8

    @pytest.mark.parametrize("column", ["note", "worker", "params", "outcomes", "state", "info"])
    def test_fault_40_text_that_is_not_utf_8_costs_its_field(self, file, column):
        with open_storage(file) as storage:
            before = storage.changes("s")[1]
        broken = f"UPDATE pathmax_trials SET {column} = CAST(x'22ff22' AS TEXT) WHERE number = 4"
        change(file, broken)
        with pytest.warns(DamageWarning, match=rf"lab\.db: trial 4 of study 's'.*{column}: "):
            study = Study.load("s", storage=file)
            trials = study.trials
        assert [*trials[:4], *trials[5:]] == [*before[:4], *before[5:]]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DamageWarning)
            use(study)

    @pytest.mark.parametrize("column", ["name", "space", "settings", "goals", "identity"])
    def test_fault_40_of_a_study_too(self, file, record, column):
        with open_storage(file) as storage:
            storage.create(replace(record, name="other"))
        broken = f"UPDATE pathmax_studies SET {column} = CAST(x'22ff22' AS TEXT) WHERE name = 's'"
        change(file, broken)
        with open_storage(file) as storage, warnings.catch_warnings():
            warnings.simplefilter("ignore", DamageWarning)
            assert "other" in [record.name for record in storage.studies()]
            with pytest.raises(PathmaxError, match=r"lab\.db"):
                Study.load("s", storage=storage).ask()

    def test_a_trial_without_its_params_is_left_out_of_the_model(self, file):
        change(file, "UPDATE pathmax_trials SET params = '[' WHERE number = 4")
        with pytest.warns(DamageWarning, match=r"trial 4.*params: "):
            study = Study.load("s", storage=file)
            asked = study.ask()
        assert (asked.number, asked.info["n_observations"]) == (11, 7)
        trial = study.trials[4]
        assert (trial.state, trial.params, trial.value) == (TrialState.FAILED, {}, None)
        assert trial.error == trial.damage

    def test_a_lost_result_is_told_again(self, file):
        change(file, "UPDATE pathmax_trials SET outcomes = '' WHERE number = 4")
        with pytest.warns(DamageWarning, match="outcomes"):
            study = Study.load("s", storage=file)
            assert study.trials[4].value is None
        assert study.correct(4, 1.0).value == 1.0
        assert study.trials[4].damage is None
        assert study.ask().info["n_observations"] == 8

    @pytest.mark.parametrize("gone", [[4], [10], [9, 10], [0, 5, 10], list(range(11))])
    def test_a_deleted_row_is_noticed_and_named(self, file, gone):
        for number in gone:
            change(file, f"DELETE FROM pathmax_trials WHERE number = {number}")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            study = Study.load("s", storage=file)
            trials = study.trials
            assert [t.number for t in trials if t.damage is not None] == gone
            assert [t.number for t in trials] == list(range(11))
        assert len(caught) == len(gone)
        for number, warning in zip(gone, caught, strict=True):
            assert f"trial {number} of study 's'" in str(warning.message)
            assert "its row is gone" in str(warning.message)
        assert [study.ask().number for _ in range(2)] == [11, 12]
        with pytest.raises(ForeignStorageError, match=f"trial {gone[0]} of study 's'.*row is gone"):
            study.tell(gone[0], 1.0)

    @pytest.mark.parametrize("method", ["random", "pims"])
    def test_ask_returns_when_the_counter_is_ahead_of_what_was_read(self, file, method):
        change(
            file, "UPDATE pathmax_studies SET settings = json_set(settings, '$.method', ?)", method
        )
        study = Study.load("s", storage=file)
        assert study.ask().number == 11
        with open_storage(file) as storage:  # another process asks, and its row is lost
            storage.start("s", 12, {"x": 0.5})
        change(file, "DELETE FROM pathmax_trials WHERE number = 12")
        with pytest.warns(DamageWarning, match="trial 12 .*gone") if method == "pims" else _quiet():
            assert study.ask().number == 13

    def test_a_counter_behind_the_trials_is_named(self, file):
        change(file, "UPDATE pathmax_counters SET trials = 5")
        study = Study.load("s", storage=file)
        assert len(study.trials) == 11
        with pytest.raises(ForeignStorageError, match=r"study 's' counts 5 trials, and there is"):
            study.ask()

    @pytest.mark.parametrize("column", COUNTERS)
    @pytest.mark.parametrize("content", ["many", -1, 2**60])
    def test_a_counter_that_is_no_count_is_named_and_not_written_over(self, file, column, content):
        """SQLite takes a text for 0 when it adds one to it."""
        with open_storage(file) as storage:
            change(file, f"UPDATE pathmax_counters SET {column} = ?", content)
            writes = [
                lambda: storage.start("s", 11, {"x": 0.5}),
                lambda: storage.finish("s", 9, Ending(outcomes={"value": 1.0})),
                lambda: storage.correct("s", 4, Ending(outcomes={"value": 1.0})),
                lambda: storage.beat("s", [9]),
                lambda: storage.update("s", attributes={}),
            ]
            for write in writes:
                with pytest.raises(
                    ForeignStorageError, match=f"counters of .*{column} = '?{content}"
                ):
                    write()
        with closing(sqlite3.connect(file)) as connection:
            kept = connection.execute(f"SELECT {column} FROM pathmax_counters").fetchall()
            states = connection.execute(
                "SELECT DISTINCT state FROM pathmax_trials WHERE number > 8"
            )
            assert kept == [(content,)] and states.fetchall() == [("running",)]


def _quiet() -> warnings.catch_warnings:
    return warnings.catch_warnings()


class TestStudies:
    @pytest.mark.parametrize(
        ("table", "column"),
        [("studies", c) for c in STUDY_COLUMNS] + [("counters", c) for c in COUNTERS],
    )
    def test_a_damaged_study_ends_in_an_error_of_ours(self, file, whole, record, table, column):
        with open_storage(file) as storage:
            storage.create(replace(record, name="other"))
        whole = file.read_bytes()
        which = {"studies": "name = 's'", "counters": "study_id = 1"}[table]
        for content in CONTENTS.get(column, PLAIN):
            file.write_bytes(whole)
            change(file, f"UPDATE pathmax_{table} SET {column} = ? WHERE {which}", content)
            self.check(file)

    def check(self, file: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DamageWarning)
            with open_storage(file) as storage:
                assert "other" in [record.name for record in storage.studies()]
            try:
                study = Study.load("s", storage=file)
            except PathmaxError as error:
                assert "'s'" in str(error) or "lab.db" in str(error)
                return
            use(study)
            study.storage.close()

    @pytest.mark.parametrize("content", ["x'fffe'", "CAST(x'fffe' AS TEXT)"])
    def test_ask_returns_when_nobody_can_have_left_the_mark_of_a_turn(self, file, content):
        change(file, f"UPDATE pathmax_counters SET turn = {content}")
        with pytest.raises(ForeignStorageError, match=r"lab\.db: the counters of study.*turn: "):
            Study.load("s", storage=file).ask()

    def test_the_other_studies_are_listed(self, file):
        with open_storage(file) as storage:
            Study({"x": Float(0, 1)}, name="other", storage=storage)
            change(file, "UPDATE pathmax_studies SET space = 'x' WHERE name = 's'")
            with pytest.warns(DamageWarning, match=r"lab\.db: study 's'"):
                assert [record.name for record in storage.studies()] == ["other"]
            with pytest.raises(ForeignStorageError, match=r"lab\.db: study 's'"):
                storage.load("s")


def test_a_late_or_corrected_result_of_a_damaged_trial_keeps_what_was_there(file):
    change(file, "UPDATE pathmax_trials SET error = 'x' WHERE number = 8")
    with open_storage(file) as storage:
        corrected = storage.correct("s", 8, Ending(outcomes={"value": 1.0}))
        assert corrected.value == 1.0
        assert corrected.damage is None
        json.dumps(corrected.to_json())


class TestServer:
    """The same on a server, whose columns take less: no other types, and no text but UTF-8."""

    @pytest.fixture
    def url(self, postgres) -> str:
        url = str(postgres.url())
        study = Study({"x": Float(0, 1)}, name="s", storage=url, seed=0, initial=3)
        for i in range(8):
            study.tell(study.ask(), float(i % 3), note=f"note {i}")
        study.fail(study.ask(), "spilt")
        study.ask(2)
        study.storage.close()
        return url

    @pytest.mark.parametrize(
        ("column", "content"),
        [
            ("note", "'x'"),
            ("worker", "'['"),
            ("attributes", "'[1]'"),
            ("params", "'9'"),
            ("outcomes", """'{"value": 1e999}'"""),
            ("state", "'gone'"),
            ("info", """'{"seed": 1}'"""),
            ("noise", "'NaN'"),
            ("told_at", "'Infinity'"),
        ],
    )
    def test_one_damaged_field_is_named_and_the_rest_is_read(self, postgres, url, column, content):
        with open_storage(url) as storage:
            before = storage.changes("s")[1]
        statement = f"UPDATE pathmax_trials SET {column} = {content} WHERE number = 4"
        postgres.execute(statement, url)
        place = r"postgresql.*trial 4 of study 's'"
        with pytest.warns(DamageWarning, match=rf"{place}.*({column}|expected|seed)"):
            study = Study.load("s", storage=url)
            trials = study.trials
        assert [*trials[:4], *trials[5:]] == [*before[:4], *before[5:]]
        assert trials[4].damage is not None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DamageWarning)  # once more, when it is written to
            use(study)
        study.storage.close()

    def test_a_deleted_row_is_noticed_and_the_study_goes_on(self, postgres, url):
        postgres.execute("DELETE FROM pathmax_trials WHERE number IN (4, 10)", url)
        with pytest.warns(DamageWarning, match="its row is gone"):
            study = Study.load("s", storage=url)
            assert [t.number for t in study.trials if t.damage is not None] == [4, 10]
        assert study.ask().number == 11
        with pytest.raises(ForeignStorageError, match=r"trial 4 of study 's'.*row is gone"):
            study.tell(4, 1.0)
        study.storage.close()

    def test_ask_returns_when_the_counter_is_ahead_of_the_rows(self, postgres, url):
        postgres.execute("UPDATE pathmax_counters SET trials = 14", url)
        with pytest.warns(DamageWarning, match="its row is gone"):
            study = Study.load("s", storage=url)
            assert study.ask().number == 14
        study.storage.close()

    def test_damaged_counters_are_named(self, postgres, url):
        postgres.execute("UPDATE pathmax_counters SET revision = -1", url)
        with pytest.raises(ForeignStorageError, match="the counters of study"):
            Study.load("s", storage=url).ask()
