"""The studies of a server: each is opened once, for all who look and all who work.

A study has up to three holds, each made when it is first needed:

    board    what viewers see; reads trials and knows no model
    bench    asks, tells and all that changes something
    model    predictions for viewers, so that they keep nobody from asking

Somebody else may delete a study, make it again or change its space; `storage.load` tells, and then
all holds are made anew.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from pathmax.storage import Storage, StudyRecord, open_storage
from pathmax.web.board import Board
from pathmax.web.files import Files
from pathmax.web.once import OnceStorage
from pathmax.web.settings import ServerSettings
from pathmax.workspace.opened_study import Opened, open_record


class Holds:
    """How this server holds one study."""

    def __init__(self, record: StudyRecord, open_it: Callable[[], Opened]) -> None:
        self.record, self.bench = record, open_it()
        self.storage = self.bench.study.storage
        self.board = Board(self.storage, record, self.bench.layout)
        self.lock = threading.Lock()
        self._open_it = open_it
        self._model: Opened | None = None

    @property
    def model(self) -> Opened:
        """For predictions. Ask for it with the lock held: once computed is enough."""
        if self._model is None:
            self._model = self._open_it()
        return self._model


class Studies:
    """All studies of one storage."""

    def __init__(self, settings: ServerSettings) -> None:
        self.storage: Storage = OnceStorage(open_storage(settings.storage))
        self.files = Files(settings.files)
        self._holds: dict[str, Holds] = {}
        self._lock = threading.Lock()

    def records(self) -> list[StudyRecord]:
        """What is stored of each study, by name."""
        return self.storage.studies()

    def hold(self, name: str) -> Holds:
        """A study as it is now; `StudyNotFoundError` when there is none."""
        return self.held(self.storage.load(name))

    def boards(self) -> list[Board]:
        """What viewers see of every study."""
        return [self.held(record).board for record in self.records()]

    def forget(self, name: str) -> None:
        """Open a study anew when it is next asked for."""
        with self._lock:
            self._holds.pop(name, None)

    def held(self, record: StudyRecord) -> Holds:
        """How this server holds the study of a record that was just read."""
        with self._lock:
            found = self._holds.get(record.name)
        if found is not None and found.record == record:
            return found
        made = Holds(record, lambda: open_record(self.storage, record, self.files.check))
        with self._lock:
            there = self._holds.get(record.name)
            if there is None or there.record != record:  # else somebody was faster
                self._holds[record.name] = there = made
            return there

    def close(self) -> None:
        """Let go of files and connections."""
        self.storage.close()
