"""Fault 21, a full disk: a clear error, an intact file, and the study goes on with new room."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import event

from pathmax.errors import StorageFullError
from pathmax.storage import Ending, Entry, open_storage

# The limit is one on the size of files, which the kernel enforces on anybody: every write beyond
# it fails as it would on a disk without room. It belongs to a process of its own.
SCRIPT = """
import json, resource, sys
from pathmax.errors import StorageFullError
from pathmax.storage import Ending, StudyRecord, open_storage

storage = open_storage(sys.argv[1])
storage.create(StudyRecord(name="s", space={}, direction="maximize"))
_, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, hard))
told, messages = 0, []
while len(messages) < 3:  # the disk stays full for a while
    try:
        trial = storage.start("s", len(storage.changes("s")[1]), {"x": told, "pad": "p" * 500})
        storage.finish("s", trial.number, Ending(outcomes={"value": float(told)}))
        told += 1
    except StorageFullError as error:
        messages.append(str(error))
during = [trial.value for trial in storage.changes("s")[1]]  # reading works all the time
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
revision, trials = storage.changes("s")
for trial in trials:
    if trial.state == "running":
        storage.finish("s", trial.number, Ending(outcomes={"value": -1.0}))
storage.start("s", len(trials), {"x": "there is room again"})
storage.close()
print(json.dumps({"told": told, "messages": messages, "during": during}))
"""


def test_fault_21_a_disk_without_room(tmp_path: Path):
    file = tmp_path / "lab.db"
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(file)], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["told"] > 5
    for message in report["messages"]:
        assert str(file) in message and "no room to write" in message and "make room" in message
    # What was acknowledged is there, and nothing but what a call had tried to write.
    values = [float(i) for i in range(report["told"])]
    assert report["during"][: report["told"]] == values
    assert set(report["during"][report["told"] :]) <= {None}
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with open_storage(file) as storage:
        trials = storage.changes("s")[1]
    assert [trial.number for trial in trials] == list(range(len(trials)))
    assert [trial.value for trial in trials][: report["told"]] == values
    assert trials[-1].params == {"x": "there is room again"}


NEW = """
import os, resource, sys
from pathmax.errors import StorageFullError
from pathmax.storage import open_storage

_, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
for limit in (0, 100, 2_000, 5_000, 20_000):  # at its first byte, and further on
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        open_storage(sys.argv[1])
        sys.exit(f"{limit} bytes are enough")
    except StorageFullError as error:
        assert "lab.db: no room to write" in str(error), error
    assert os.listdir() == []
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
open_storage(sys.argv[1]).close()
"""


def test_fault_21_a_new_database_on_a_disk_without_room(tmp_path: Path):
    done = subprocess.run(
        [sys.executable, "-c", NEW, "lab.db"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "lab.db").exists()


def test_fault_21_a_database_that_may_not_grow(tmp_path: Path, record):
    file = tmp_path / "lab.db"
    with open_storage(file) as storage:
        name = storage.create(record).name
        writer, _ = storage._database._open()
        with writer.begin() as connection:
            room = [connection.exec_driver_sql("PRAGMA page_count").scalar_one() + 4]

        def limit(raw, *_):
            raw.execute(f"PRAGMA max_page_count={room[0]}")

        event.listen(writer, "checkout", limit)
        storage._database._through.close()  # the connection that is kept for writes is taken anew
        entry = Entry(params={"x": 1}, info={"pad": "p" * 3000}, outcomes={"value": 1.0})
        stored = 0
        with pytest.raises(StorageFullError, match=r"lab\.db: no room to write"):
            while stored < 100:
                storage.insert(name, entry)
                stored += 1
        with pytest.raises(StorageFullError):
            storage.insert_many(name, [entry] * 10)
        assert len(storage.changes(name)[1]) == stored > 0
        room[:] = [1_000_000]
        assert storage.insert(name, entry).number == stored


def test_fault_21_a_server_without_room(postgres, record):
    url = postgres.url()
    with open_storage(url) as storage:
        name = storage.create(record).name
        storage.start(name, 0, {"x": 1})
        # The server says "disk full" in the words and with the code of its own.
        postgres.execute(
            "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE"
            " 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';"
            " END $$",
            url,
        )
        postgres.execute(
            "CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON pathmax_trials"
            " FOR EACH ROW EXECUTE FUNCTION no_room()",
            url,
        )
        with pytest.raises(StorageFullError, match=r"postgresql://.*no room to write"):
            storage.finish(name, 0, Ending(outcomes={"value": 1.0}))
        postgres.execute("DROP TRIGGER full_disk ON pathmax_trials", url)
        assert storage.finish(name, 0, Ending(outcomes={"value": 1.0})).value == 1.0
