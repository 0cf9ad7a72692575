"""Names of studies in paths: any text, also with a slash, percent-encoded.

A server decodes a path before it is matched, and `%2F` would part a name in two. So the slash of a
name travels as a control character, which no name has, between `keep_slashes` and the route.

Browsers and other clients take `.` and `..` for folders and leave them out, encoded or not. A study
that has such a name is found with another control character before it: `/studies/%1E..`.
"""

from __future__ import annotations

from urllib.parse import quote, unquote

from starlette.convertors import Convertor, register_url_convertor
from starlette.types import Scope

from pathmax.errors import SettingsError

SLASH = "\x1f"
NO_FOLDER = "\x1e"
FOLDERS = (".", "..")


def name_in(part: str) -> str:
    """The name that a part of a path is."""
    return part.replace(SLASH, "/").removeprefix(NO_FOLDER)


def part_of(name: str) -> str:
    """A name as a part of an address: percent-encoded, whatever it contains."""
    return quote(NO_FOLDER + name if name in FOLDERS else name, safe="")


def check_new_name(name: str) -> None:
    """Refuse a name that clients of a server cannot write in an address."""
    if name in FOLDERS:
        raise SettingsError(
            f"a study cannot be called {name!r} here: browsers take that for a folder; choose "
            "another name, such as 'suzuki'"
        )


class NameConvertor(Convertor[str]):
    """`/studies/{name:study}`."""

    # No study has a control character in its name; PostgreSQL would not even take the question.
    regex = "[^/\x00-\x1d\x7f]+"

    def convert(self, value: str) -> str:
        return name_in(value)

    def to_string(self, value: str) -> str:
        return value.replace("/", SLASH)


def keep_slashes(scope: Scope) -> None:
    """Put `SLASH` for the encoded slashes of a path, which the router would take for its own."""
    raw: bytes = scope.get("raw_path") or b""
    if b"%2f" in raw.lower():
        text = raw.decode("ascii", "replace").partition("?")[0]
        scope["path"] = unquote(text.replace("%2F", "%1F").replace("%2f", "%1F"))


register_url_convertor("study", NameConvertor())
