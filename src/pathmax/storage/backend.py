"""The little that databases do not agree on: how to connect, and what an error means.

Everything else (schema, statements, transactions) is one code path in `sql.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from pathmax.errors import (
    ForeignStorageError,
    StorageError,
    StorageFullError,
    StorageUnavailableError,
)
from pathmax.storage.retries import Fault
from pathmax.storage.writing import Writing

__all__ = ["Backend", "Fault"]


class Backend(ABC):
    """One kind of database."""

    place: str
    """What errors call the database: a file, or a URL without its password."""

    def line(self, which: str) -> tuple[str, ...]:
        """Statements that wait in line, first come, first served, and are first in it until their
        transaction ends; none where the database has no lines."""
        return ()

    @abstractmethod
    def engine(self) -> Engine:
        """A new engine whose connections are set up; the place is looked at, not yet written."""

    @abstractmethod
    def read_options(self) -> dict[str, Any]:
        """Execution options for a connection that runs single SELECTs."""

    @abstractmethod
    def writing(self, writer: Engine, reader: Engine) -> Writing:
        """How to write by these engines."""

    @abstractmethod
    def prepare(self) -> None:
        """Make the place ready for `engine` or refuse it, before anything is opened for writing."""

    @abstractmethod
    def check_writable(self) -> None:
        """Refuse when a write would go nowhere. Called before every transaction."""

    @abstractmethod
    def fault(self, error: DBAPIError) -> Fault:
        """What a database error means."""

    def error(self, fault: Fault, cause: Exception) -> StorageError:
        """The error that a user gets when there is no going on."""
        detail = " ".join(str(getattr(cause, "orig", None) or cause).split())
        match fault:
            case Fault.BUSY:
                return StorageUnavailableError(
                    f"{self.place}: other programs kept it locked for too long ({detail});"
                    " find the one that holds a transaction open"
                )
            case Fault.GONE | Fault.UNREACHABLE:
                return StorageUnavailableError(
                    f"{self.place}: cannot be reached ({detail}); nothing that was told is lost,"
                    " start again when it is back"
                )
            case Fault.FULL:
                return StorageFullError(
                    f"{self.place}: no room to write ({detail}): the disk is full, or a quota or"
                    " size limit is reached. Nothing stored is lost; make room and tell again"
                )
            case Fault.READ_ONLY:
                return StorageError(
                    f"{self.place}: is write-protected ({detail}); check the permissions of the"
                    " file and of its folder"
                )
            case Fault.DAMAGED:
                return ForeignStorageError(
                    f"{self.place}: is damaged or no pathmax database ({detail});"
                    " restore it from a backup or choose another storage"
                )
            case Fault.OTHER:
                return StorageError(f"{self.place}: {detail}")
