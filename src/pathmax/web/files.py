"""Files that a request names: none is opened, but in the one folder that `--files` gives."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pathmax.errors import SettingsError


class Files:
    """The folder whose files may be named, if there is one."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = None if folder is None else folder.resolve()

    def check(self, named: str) -> None:
        """Refuse a file outside the folder; links and `..` are followed before that is judged."""
        if self._folder is None:
            raise SettingsError(
                "this study chooses from the rows of a file, and a server opens no files unless it "
                "is started with --files FOLDER; give the values themselves instead, or begin the "
                "study on the command line"
            )
        if "\0" in named or not self._place(named).is_relative_to(self._folder):
            raise SettingsError(
                "a file must lie in the folder that the server was given with "
                f"--files, got {Path(named).name!r:.80} elsewhere; move it there"
            )

    def locate(self, named: str) -> str:
        """The path of a file that may be opened."""
        self.check(named)
        return str(self._place(named))

    def within(self, candidates: Mapping[str, Any]) -> dict[str, Any]:
        """The section [candidates] with its file as a path that was checked."""
        if "file" not in candidates:
            return dict(candidates)
        return {**candidates, "file": self.locate(str(candidates["file"]))}

    def _place(self, named: str) -> Path:
        assert self._folder is not None
        return (self._folder / named).resolve()
