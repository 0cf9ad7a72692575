"""None among choices: TOML has no word for it, so that a space file says which text is meant.

    penalty = { choices = ["l1", "l2", "none"], none = "none" }

In a table an empty cell is None, whichever text the file has.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pathmax.space.expert_prior import CHOICE_WEIGHT

__all__ = ["with_none", "without_none"]

LISTED_ENTRIES = ("choices", "values")
NONE_WORD = "none"


def without_none(entries: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of a parameter with a text in place of None, and the entry that says which."""
    if "value" in entries and entries["value"] is None:
        return {"choices": [NONE_WORD], "none": NONE_WORD}
    written = dict(entries)
    for key in LISTED_ENTRIES:
        if None in entries.get(key, ()):
            word, number = NONE_WORD, 2
            while word in entries[key]:
                word, number = f"{NONE_WORD} ({number})", number + 1
            written[key] = [word if value is None else value for value in entries[key]]
            written["none"] = word
            if "descriptors" in entries:
                described = entries["descriptors"].items()
                written["descriptors"] = {word if c is None else c: row for c, row in described}
    return written


def with_none(given: Mapping[str, Any]) -> dict[str, Any]:
    """The entries that a file has with None for the text that stands for it."""
    word = given.get("none")
    read = {key: value for key, value in given.items() if key != "none"}
    for key in LISTED_ENTRIES:
        if isinstance(read.get(key), list):
            read[key] = [None if value == word else value for value in read[key]]
    for key in ("descriptors", "likely"):
        if isinstance(read.get(key), Mapping):
            read[key] = {None if c == word else c: each for c, each in read[key].items()}
    if isinstance(read.get("likely"), str) and read["likely"] == word:
        read["likely"] = {None: CHOICE_WEIGHT}
    return read
