"""The studies of a server: each is opened once, for all who look and all who work.

A study has up to four holds, each made when it is first needed:

    cache    what viewers see; reads trials and knows no model
    bench    asks, tells and all that changes something
    model    predictions for viewers, so that they keep nobody from asking
    deep     what takes seconds, in the background, for each thread of it

Somebody else may delete a study, make it again or change its space; `storage.load` tells, and then
all holds are made anew.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from pathmax.errors import PathmaxError, StorageFullError, StorageUnavailableError
from pathmax.storage import Standing, StudyRecord, open_storage
from pathmax.web.files import Files
from pathmax.web.kept_answers import without_answers
from pathmax.web.settings import ServerSettings
from pathmax.web.study_cache import StudyCache
from pathmax.workspace.opened_study import Opened, open_record

T = TypeVar("T")


class Holds:
    """How this server holds one study."""

    def __init__(self, record: StudyRecord, open_it: Callable[[], Opened]) -> None:
        self.record, self.bench = record, open_it()
        self.storage = self.bench.study.storage
        self.cache = StudyCache(self.storage, record, self.bench.layout)
        self._lock = threading.Lock()
        self._open_it = open_it
        self._model: Opened | None = None
        self._deep: dict[Hashable, Opened] = {}
        self._known: tuple[int, dict[Hashable, Any]] = (-1, {})

    def deep(self, thread: Hashable) -> Opened:
        """The study for what takes long, opened for one thread alone."""
        if thread not in self._deep:
            self._deep[thread] = self._open_it()
        return self._deep[thread]

    def revision(self, seen: int) -> int:
        """Where the study stands now; what the caller has seen, if it was deleted since."""
        standing = self.storage.revisions().get(self.record.name)
        return seen if standing is None else max(seen, standing.revision)

    def known(self, what: Hashable, compute: Callable[[Opened], T], present: int) -> T:
        """What the model says, computed once for all viewers while nothing changes."""
        with self._lock:
            if self._model is None:
                self._model = self._open_it()
            revision, found = self._known
            if revision != present:
                self._known = (present, found := {})
            if what not in found:
                found[what] = compute(self._model)
            answer: T = found[what]
            return answer


class Studies:
    """All studies of one storage."""

    def __init__(self, settings: ServerSettings) -> None:
        self.storage = open_storage(settings.storage)
        self.files = Files(settings.files)
        self._holds: dict[str, Holds] = {}
        self._seen: dict[str, tuple[Standing, Holds]] = {}
        self._lock = threading.Lock()
        self.changing = threading.Lock()
        """Held by whoever makes or changes a study as a whole."""

    def hold(self, name: str) -> Holds:
        """A study as it is now; `StudyNotFoundError` when there is none."""
        return self.look(name)[0]

    def look(self, name: str) -> tuple[Holds, int]:
        """The same with its revision: one short look at the database, if nothing has changed."""
        standing = self.storage.revisions().get(name)
        if standing is None:
            return self.held(self.storage.load(name)), 0  # which says that there is none
        return self._looked(name, standing), standing.revision

    def _looked(self, name: str, standing: Standing) -> Holds:
        seen = self._seen.get(name)
        if seen is not None and seen[0] == standing:
            return seen[1]
        holds = self.held(self.storage.load(name))
        self._seen[name] = (standing, holds)
        return holds

    def look_at_all(self) -> list[tuple[str, int, Holds | PathmaxError]]:
        """Every study by name, its revision, and how it is held or why it cannot be."""
        found: list[tuple[str, int, Holds | PathmaxError]] = []
        for name, standing in sorted(self.storage.revisions().items()):
            try:
                found.append((name, standing.revision, self._looked(name, standing)))
            except (StorageUnavailableError, StorageFullError):
                raise
            except PathmaxError as error:  # the others are there all the same
                found.append((name, standing.revision, error))
        return found

    def read_ahead(self) -> None:
        """Read the trials of all studies, so that the first viewer does not wait for it.

        Tens of thousands take seconds (benchmarks/server.md). An error is told to whoever asks for
        the study later.
        """
        with contextlib.suppress(PathmaxError):
            for _, _, holds in self.look_at_all():
                if isinstance(holds, Holds):
                    with contextlib.suppress(PathmaxError):
                        holds.cache.read()
                        holds.cache.curves()

    def forget(self, name: str) -> None:
        """Open a study anew when it is next asked for."""
        with self._lock:
            self._holds.pop(name, None)
            self._seen.pop(name, None)

    def held(self, record: StudyRecord) -> Holds:
        """How this server holds the study of a record that was just read."""
        with self._lock:
            found = self._holds.get(record.name)
        if found is not None and _same(found.record, record):
            return found
        made = Holds(record, lambda: open_record(self.storage, record, self.files.check))
        with self._lock:
            there = self._holds.get(record.name)
            if there is None or not _same(there.record, record):  # else somebody was faster
                self._holds[record.name] = there = made
            return there

    def close(self) -> None:
        """Let go of files and connections."""
        self.storage.close()


def _same(known: StudyRecord, record: StudyRecord) -> bool:
    return without_answers(known) == without_answers(record)
