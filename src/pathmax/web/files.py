"""Files that a request names: only those in the folder that `--files` gives are opened."""

from __future__ import annotations

from collections.abc import Mapping
from glob import glob, has_magic
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
                "is started with --files FOLDER, the folder that they are in; or give the values "
                "themselves"
            )
        if "\0" in named or not self._place(named).is_relative_to(self._folder):
            raise SettingsError(
                "a file must lie in the folder that the server was given with "
                f"--files, got {Path(named).name!r:.80} elsewhere; move it there"
            )

        for found in self._files(named):
            if not found.resolve().is_relative_to(self._folder):
                raise SettingsError(
                    f"{found.name!r:.80} is a link that leads out of the folder that the server "
                    "was given with --files; copy the file there"
                )

    def _files(self, named: str) -> list[Path]:
        """The files that a folder or a pattern stands for."""
        place = str(self._place(named))
        if Path(place).is_dir():
            return list(Path(place).rglob("*"))
        return [Path(file) for file in glob(place, recursive=True)] if has_magic(place) else []

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
