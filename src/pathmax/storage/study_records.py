"""What a place that keeps studies does with their records; `pathmax.storage.base` has the rest."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Self

from pathmax.storage.records import Entry, Goals, Name, Standing, StudyRecord


class StudyRecords(ABC):
    """Keeps the records of studies.

    Every method that takes the name of a study, or its key, raises `StudyNotFoundError` when there
    is none.
    """

    @property
    @abstractmethod
    def place(self) -> str:
        """What errors call it: "memory", a file, or a URL without its password."""

    @abstractmethod
    def create(self, record: StudyRecord) -> StudyRecord:
        """Store a new study and return it; when the name is taken, return the one that is there.

        Two processes may create the same study at once: both get the same record back.
        """

    @abstractmethod
    def begin(self, record: StudyRecord, entries: Sequence[Entry]) -> StudyRecord | None:
        """Store a new study together with its first trials: all of it or, on an error, nothing.

        Returns None, and stores nothing, when the name is taken.
        """

    @abstractmethod
    def load(self, name: Name) -> StudyRecord:
        """The record of a study."""

    @abstractmethod
    def studies(self) -> list[StudyRecord]:
        """The records of all studies, sorted by name; `DamageWarning` for those not readable."""

    def update(
        self,
        name: Name,
        *,
        settings: Mapping[str, Any] | None = None,
        attributes: Mapping[str, Any] | None = None,
        goals: Goals | None = None,
    ) -> StudyRecord:
        """Replace the settings, the attributes or the goals of a study; what is None stays."""
        parts = {"settings": settings, "attributes": attributes, "goals": goals}
        return self._update(name, parts)

    @abstractmethod
    def _update(self, name: Name, parts: Mapping[str, Any]) -> StudyRecord: ...

    def change(
        self,
        name: Name,
        *,
        space: Mapping[str, Any] | None = None,
        direction: str | None = None,
        goals: Goals | None = None,
    ) -> StudyRecord:
        """Go on with the same trials in another space, in another direction or for other goals.

        What is None stays; when nothing differs, nothing is written. What is replaced is added to
        `StudyRecord.earlier_spaces`. From then on `start` and `start_next` refuse a key from before
        with `SpaceChangedError`; results of trials that were started before are still taken.
        """
        return self._change(name, {"space": space, "direction": direction, "goals": goals})

    @abstractmethod
    def _change(self, name: Name, parts: Mapping[str, Any]) -> StudyRecord: ...

    @abstractmethod
    def delete(self, name: Name) -> None:
        """Remove a study and all its trials."""

    @abstractmethod
    def revisions(self) -> dict[str, Standing]:
        """Where every study stands, by name: one short look, to see what has changed."""

    @abstractmethod
    def close(self) -> None:
        """Let go of files and connections. The storage opens them again when used again."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
