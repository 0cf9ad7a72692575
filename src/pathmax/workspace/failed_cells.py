"""The word `failed` in a table of results: it is said of a whole trial, and not of one outcome.

An outcome that could not be measured is an empty cell; the others of its row are kept.
"""

from __future__ import annotations

from collections.abc import Mapping

FAILED_WORDS = ("failed", "fail")


def failed_cell(texts: Mapping[str, str]) -> str | None:
    """The first column that says `failed`, of the results of a row."""
    return next((name for name, text in texts.items() if text.casefold() in FAILED_WORDS), None)


def beside_results(name: str, texts: Mapping[str, str]) -> str:
    """What is wrong with `failed` beside numbers; empty where there are none."""
    others = {other: text for other, text in texts.items() if text and other != name}
    kept = ", ".join(f"{o} {text}" for o, text in others.items() if failed_cell({o: text}) is None)
    if not kept:
        return ""
    return (
        f"{texts[name]!r} is said of a whole trial, and beside it stands {kept}; leave this cell "
        "empty to keep the other results, or empty theirs"
    )


def remedy(several: bool) -> str:
    """What to write in place of what is no number."""
    if several:
        return "leave the cell empty where there is no result, or none yet"
    return (
        "leave the cell empty while the result is still to come, and write failed if there is none"
    )
