"""Where a study is kept, and how to name that place in the next command."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass

from pathmax.errors import StudyNotFoundError
from pathmax.storage import Storage, open_storage, storage_url

DEFAULT_STORAGE = "sqlite:///pathmax.db"


@dataclass(frozen=True, slots=True)
class Location:
    """A storage, and the study in it that is meant; None when the storage or folder tells."""

    study: str | None = None
    storage: str = DEFAULT_STORAGE
    typed: tuple[str, ...] = ()
    """Which of `study` and `storage` stood on a command line."""

    @property
    def again(self) -> str:
        """What to add to another command so that it works here too, with a space before it."""
        scheme, separator, _ = self.storage.partition("://")
        server = separator and scheme != "sqlite"  # its URL may hold a password
        values = {
            "study": shlex.quote(self.study or ""),
            "storage": f"{scheme}://..." if server else shlex.quote(self.storage),
        }
        return "".join(f" --{name} {values[name]}" for name in self.typed)

    @property
    def shown(self) -> str:
        """The storage as it may be printed: without what could be a password."""
        scheme, separator, rest = self.storage.partition("://")
        if not separator:
            return self.storage
        if scheme == "sqlite":
            return rest.removeprefix("/")  # /lab.db is in this folder, //data/lab.db is not
        return f"{scheme}://{rest.rpartition('@')[2]}"

    @property
    def missing_file(self) -> str | None:
        """The SQLite file that is meant, if it is not there."""
        scheme, _, path = storage_url(self.storage).partition(":///")
        path = path.partition("?")[0]
        return path if scheme == "sqlite" and not os.path.exists(path) else None

    def open(self) -> Storage:
        """The storage; a file that is not there yet is made."""
        return open_storage(self.storage)

    def look(self) -> Storage:
        """The storage, unless it is a file that is not there: looking must not make one."""
        if self.missing_file is not None:
            raise StudyNotFoundError(
                f"there is no {self.missing_file} here, so no study has begun; `pathmax init` and "
                "then `pathmax suggest` begin one, or name another database with --storage"
            )
        return self.open()
