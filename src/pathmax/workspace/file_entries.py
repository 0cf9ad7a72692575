"""The entries of a space file: which are known, of which type, and on which line a mistake is."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pathmax.errors import DataFileError, ParamsError, SettingsError, SpaceError
from pathmax.workspace.toml_lines import line_of

OF_NO_SECTION = ("study", "where", "learn_from")
ABOVE = "it belongs to no section: move it to the top of the file, above the first [section]"

LocateFile = Callable[[str], str]
"""From the name of a file that a space file gives to its path, or an error that refuses it."""


@dataclass(frozen=True, slots=True)
class FileEntries:
    """The file as it is called and as it is written; errors name the line."""

    path: str
    text: str
    locate: LocateFile | None = None

    def known(
        self,
        where: tuple[str, ...],
        given: Iterable[str],
        allowed: tuple[str, ...],
        sections: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        """Refuse entries that are not allowed; `sections` have those that may be meant."""
        for key in given:
            if key not in allowed:
                near = difflib.get_close_matches(key, allowed, n=1)
                remedy = f"did you mean {near[0]}?" if near else f"known are {', '.join(allowed)}"
                remedy = ABOVE if where and key in OF_NO_SECTION else remedy
                homes = [f"[{name}]" for name, keys in (sections or {}).items() if key in keys]
                remedy = f"it belongs below {' or '.join(homes)}" if homes else remedy
                if (*where, key) == ("name",):
                    remedy += "; a study is named by study = ..."
                raise self.error((*where, key), f"unknown entry {key!r}; {remedy}")

    def typed(self, where: tuple[str, ...], key: str, value: Any, kind: type) -> Any:
        if isinstance(value, kind):
            return value
        words = {str: "text in quotes", bool: "true or false", dict: f"a section [{key}]"}[kind]
        raise self.error((*where, key), f"{key} must be {words}, got {value!r}")

    def error(self, where: tuple[str, ...], message: str) -> DataFileError:
        line = line_of(self.text, where)
        error = DataFileError(f"{self.path}{f', line {line}' if line else ''}: {message}")
        error.where = where
        return error

    @contextmanager
    def about(self, *where: str) -> Iterator[None]:
        """What is refused inside is an error about this entry."""
        try:
            yield
        except (ParamsError, SettingsError, SpaceError) as error:
            raise self.error(where, str(error)) from error

    def texts(self, key: str, given: object, message: str) -> list[str]:
        """An entry that is a list of text; `message` for any other."""
        if isinstance(given, list) and all(isinstance(each, str) for each in given):
            return given
        raise self.error((key,), message)


def has_entry(given: object, key: str) -> bool:
    """Whether something is a table with this entry."""
    return isinstance(given, dict) and key in given
