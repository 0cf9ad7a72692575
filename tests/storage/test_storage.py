"""What may be given as a storage, and what is opened for it."""

import json
import pickle
import subprocess
import sys

import pytest

from pathmax.errors import (
    SettingsError,
)
from pathmax.storage import MemoryStorage, open_storage


class TestOpening:
    @pytest.mark.parametrize(
        "storage",
        [
            "mysql://root:secret@host/lab",
            "sqlite://",
            "sqlite:///:memory:",
            "sqlite:///",
            "sqlite:///lab.db?timeout=5",
            "lab.csv",
            "",
            3,
            ["lab.db"],
        ],
    )
    def test_what_is_no_storage(self, storage):
        with pytest.raises(SettingsError, match=r"storage must be 'sqlite:///lab\.db'") as caught:
            open_storage(storage)
        assert "secret" not in str(caught.value)

    def test_what_is_one(self, tmp_path, postgres):
        assert isinstance(open_storage(None), MemoryStorage)
        assert isinstance(open_storage("memory"), MemoryStorage)
        memory = MemoryStorage()
        assert open_storage(memory) is memory
        for place in (tmp_path / "a.db", f"{tmp_path}/a.db", f"sqlite:///{tmp_path}/a.db"):
            with open_storage(place) as storage:
                assert repr(storage) == f"SqlStorage('{tmp_path}/a.db')"
        url = postgres.url()
        for place in (url, url.replace("postgresql:", "postgres:")):
            with open_storage(place) as storage:
                assert "postgresql://postgres" in repr(storage)

    def test_a_storage_is_sent_to_another_process_as_its_address(self, url: str, record):
        with open_storage(url) as storage:
            storage.create(record)
            with pickle.loads(pickle.dumps(storage)) as copy:
                assert copy.load(record.name) == storage.load(record.name)

    def test_memory_needs_no_database_library(self):
        script = """
import json, sys
from pathmax.storage import open_storage
open_storage(None)
print(json.dumps([name for name in ("sqlalchemy", "psycopg", "sqlite3") if name in sys.modules]))
"""
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        assert json.loads(done.stdout) == [], done.stderr
