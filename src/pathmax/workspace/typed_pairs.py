"""NAME=VALUE as people type it, each name once."""

from __future__ import annotations

from collections.abc import Iterable

from pathmax.errors import PathmaxError


def typed_pairs(
    texts: Iterable[str],
    error: type[PathmaxError],
    example: str,
    *,
    lacks: str = "has no = in it",
    at_last: bool = False,
) -> dict[str, str]:
    """The text of each name, or an error that shows the `example`.

    `lacks` says what is wrong with a text without an equals sign; `at_last` takes the last of
    several signs, where names may hold one.
    """
    given: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.rpartition("=") if at_last else text.partition("=")
        if not equals or name.strip() in given:
            wrong = f"{name.strip()} is given twice" if equals else f"{text!r} {lacks}"
            raise error(f"{wrong}; write each once, as in {example}")
        given[name.strip()] = value
    return given
