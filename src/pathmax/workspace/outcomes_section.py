"""The section [outcomes] of a space file: what is wanted of each of several results.

[outcomes]
yield = { direction = "maximize", unit = "%" }
cost = { direction = "minimize", reference = 10 }
impurity = { high = 0.5 }
pH = { bound = "7 +- 0.2" }
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pathmax.errors import DataFileError, SettingsError
from pathmax.trials.goals import Goals, direction_of
from pathmax.trials.stated_goals import read_goals

OUTCOME_KEYS = ("direction", "low", "high", "bound", "reference", "unit")

SectionRefusal = Callable[[tuple[str, ...], str], DataFileError]  # where, and what is wrong there


def goals_of_section(outcomes: Mapping[str, Any], error: SectionRefusal) -> Goals:
    """The goals that the section states; `error` makes what is raised, with the line."""
    wanted: dict[str, str] = {}
    bounds: dict[str, Any] = {}
    points: dict[str, Any] = {}
    for name, given in outcomes.items():
        where = ("outcomes", name)
        if not isinstance(given, dict) or not given:
            raise error(
                where,
                f'{name}: expected {{ direction = "maximize" }}, or bounds such as '
                "{ high = 0.5 } or { low = 10, high = 50 }",
            )
        if "direction" in given:
            try:
                wanted[name] = direction_of(given["direction"])
            except SettingsError as wrong:
                raise error(where, str(wrong)) from wrong
        if "bound" in given:
            bounds[name] = given["bound"]
        elif {"low", "high"} & given.keys():
            bounds[name] = (given.get("low"), given.get("high"))
        if "reference" in given:
            points[name] = given["reference"]
    if not wanted:
        raise error(
            ("outcomes",),
            'none of them has a direction; write yield = { direction = "maximize" }, say',
        )
    try:
        return read_goals(None, wanted, bounds or None, points or None)
    except SettingsError as wrong:
        raise error(("outcomes",), str(wrong)) from wrong
