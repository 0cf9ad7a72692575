"""Where studies live: in memory, in a SQLite file, in a PostgreSQL database, or on a server."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

from pathmax.errors import SettingsError, StudyNotFoundError
from pathmax.garbage_collection import collector_at_rest
from pathmax.storage.base import Storage
from pathmax.storage.memory import MemoryStorage
from pathmax.storage.records import Ending, Entry, Name, Standing, StudyKey, StudyRecord

__all__ = [
    "Ending",
    "Entry",
    "MemoryStorage",
    "Name",
    "Standing",
    "Storage",
    "StudyKey",
    "StudyRecord",
    "open_storage",
]

SQLITE = "sqlite:///"
HTTP = ("http://", "https://")
LONGEST_FILE_NAME = 255  # of a file, in bytes, on every system that we know
ADDRESS_FORMS = (
    "'sqlite:///lab.db' or 'lab.db' for a file, 'postgresql://user@host/database' for a database"
    " server, 'http://host:8080' for a pathmax server, or None for the memory of this process"
)


def open_storage(
    storage: str | os.PathLike[str] | Storage | None = None, *, there: bool = False
) -> Storage:
    """The storage behind `storage=`.

    Args:
        storage: `"sqlite:///lab.db"` (or a bare path that ends in `.db`), `"postgresql://..."`,
            `"http://host:8080"` for a server that `pathmax serve` runs,
            None or `"memory"` for the memory of this process, or a `Storage`.
        there: A file that is not there is an error; otherwise it is made.
    """
    if isinstance(storage, Storage):
        return storage
    if storage is None or storage == "memory":
        return MemoryStorage()
    if not isinstance(storage, str | os.PathLike):
        raise SettingsError(f"storage must be {ADDRESS_FORMS}, got {type(storage).__name__}")
    url = storage_url(os.fspath(storage))
    if url.startswith(HTTP):
        from pathmax.storage.http import HttpStorage

        return HttpStorage(url)
    # SQLAlchemy takes a tenth of a second to import: only those wait who have a database.
    with collector_at_rest():
        from pathmax.storage.sql import SqlStorage

    if there and url.startswith(SQLITE) and not Path(url.removeprefix(SQLITE)).exists():
        raise StudyNotFoundError(
            f"there is no file {Path(url.removeprefix(SQLITE)).absolute()}; "
            "check the path, or make a new study with pathmax.Study(space, storage=...)"
        )
    return SqlStorage(url)


def storage_url(storage: str) -> str:
    """The URL that a `storage=` text means. After `sqlite:///` a path stands as it is."""
    scheme, separator, rest = storage.partition("://")
    _check_characters(storage)
    if not separator and storage.endswith(".db"):
        return f"{SQLITE}{storage}"
    if storage.startswith(SQLITE) and rest not in ("/", "/:memory:") and "?" not in rest:
        return storage
    if storage.startswith(HTTP):
        return storage
    if scheme in ("postgresql", "postgres", "postgresql+psycopg"):
        _check_port(rest)
        return f"postgresql+psycopg://{rest}"
    # Only the scheme is repeated: the rest may hold a password.
    shown = f"{scheme}://..." if separator else repr(storage)
    raise SettingsError(f"storage must be {ADDRESS_FORMS}, got {shown}")


def _check_characters(storage: str) -> None:
    """Refuse what no system takes for the name of a file."""
    name = storage.rpartition("/")[2]
    if "\0" in storage:
        raise SettingsError(
            f"storage must be {ADDRESS_FORMS}, got {storage!r} with a NUL character"
        )
    if len(os.fsencode(name)) > LONGEST_FILE_NAME and "@" not in storage:
        raise SettingsError(
            f"the name of a database file may have {LONGEST_FILE_NAME} characters, got "
            f"{len(name)}: {name[:40]!r}...; choose a shorter one"
        )


def _check_port(rest: str) -> None:
    """Refuse an address whose port is no number; what may be a password is not repeated."""
    address = rest.rpartition("@")[2].partition("/")[0]
    try:
        _ = urlsplit(f"//{address}").port
    except ValueError as error:
        raise SettingsError(
            f"the address {address!r} of a PostgreSQL server is wrong ({error}); write "
            "postgresql://user@host:5432/database, with a number for the port"
        ) from error
