"""Attributes of trials as cells of a table, so that reading gives back what was written.

{"batch": 7}            attributes.batch   7
{"batch": "7"}                             "7"        text that would read as something else
{"operator": "Ada"}     attributes.operator Ada
{"peaks": [1, 2]}       attributes.peaks   [1, 2]     lists and objects as JSON
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from pathmax.tables import CellValue, Dialect, format_cell, parse_number, reads_as_number
from pathmax.trials.trial import OWN_ATTRIBUTES, Trial

ATTRIBUTE_HEAD = (
    "attributes."  # before the name of an attribute, as in the columns of `Study.to_frame`
)


def attributes_of(trial: Trial) -> dict[str, Any]:
    """What users keep with a trial, without what pathmax keeps there."""
    return {name: each for name, each in trial.attributes.items() if name not in OWN_ATTRIBUTES}


def attribute_names(trials: Iterable[Trial]) -> list[str]:
    """The names of all attributes, those that came first before others."""
    return list(dict.fromkeys(name for trial in trials for name in attributes_of(trial)))


def common_attributes(trials: Iterable[Trial]) -> list[str]:
    """The same, those that most trials have first."""
    counts = Counter(name for trial in trials for name in attributes_of(trial))
    return [name for name, _ in counts.most_common()]


def attribute_words(trial: Trial, name: str) -> str:
    """An attribute of a trial for people to read; empty where it has none."""
    value = attributes_of(trial).get(name)
    return value if isinstance(value, str) else format_cell(attribute_cell(value))


def attribute_cell(value: Any) -> CellValue:
    """An attribute as a cell; blank where there is none."""
    if value is None or isinstance(value, bool | int | float):
        return value
    plain = isinstance(value, str) and value.strip() == value != ""
    if plain and not reads_as_number(value) and _read(value, Dialect()) is value:
        return str(value)
    return json.dumps(value, ensure_ascii=False)


def read_attributes(cells: Mapping[str, str], dialect: Dialect) -> dict[str, Any]:
    """The attributes in the cells of a row, by the heads of their columns."""
    return {
        head.removeprefix(ATTRIBUTE_HEAD): _read(text, dialect)
        for head, text in cells.items()
        if head.startswith(ATTRIBUTE_HEAD) and text
    }


def _read(text: str, dialect: Dialect) -> Any:
    """What `attribute_cell` was given; the text itself if it is just that."""
    try:
        if reads_as_number(text):
            comma = "," in text and (dialect.decimal == "," or dialect.delimiter == ";")
            return _number(text, parse_number(text, "," if comma else "."))
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return text


def _number(text: str, number: float) -> int | float:
    digits = text.lstrip("+-")
    return int(text) if digits.isascii() and digits.isdigit() else number


def _refuse(word: str) -> Any:
    raise ValueError(word)  # NaN and Infinity are text: JSON has neither
