"""The section [outcomes] of a space file: what is wanted of each of several results.

[outcomes]
yield = { direction = "maximize", unit = "%" }
cost = { direction = "minimize", reference = 10 }
impurity = { high = 0.5 }
pH = { bound = "7 +- 0.2" }
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pathmax.trials.goals import Goals, direction_of
from pathmax.trials.stated_goals import read_goals
from pathmax.workspace.file_entries import FileEntries

OUTCOME_KEYS = ("direction", "low", "high", "bound", "reference", "unit")


def goals_of_section(outcomes: Mapping[str, Any], entries: FileEntries) -> Goals:
    """The goals that the section states; `error` makes what is raised, with the line."""
    wanted: dict[str, str] = {}
    bounds: dict[str, Any] = {}
    points: dict[str, Any] = {}
    for name, given in outcomes.items():
        where = ("outcomes", name)
        if not isinstance(given, dict) or not given:
            raise entries.error(
                where,
                f'{name}: expected {{ direction = "maximize" }}, or bounds such as '
                "{ high = 0.5 } or { low = 10, high = 50 }",
            )
        if "direction" in given:
            with entries.about(*where):
                wanted[name] = direction_of(given["direction"])
        if "bound" in given:
            bounds[name] = given["bound"]
        elif {"low", "high"} & given.keys():
            bounds[name] = (given.get("low"), given.get("high"))
        if "reference" in given:
            points[name] = given["reference"]
    if not wanted:
        raise entries.error(
            ("outcomes",),
            'none of them has a direction; write yield = { direction = "maximize" }, say',
        )
    with entries.about("outcomes"):
        return read_goals(None, wanted, bounds or None, points or None)
