"""The section [outcomes] of a space file: what is wanted of each of several results.

[outcomes]
yield = { direction = "maximize", unit = "%" }
cost = { direction = "minimize", reference = 10 }
impurity = { high = 0.5 }
pH = { bound = "7 +- 0.2" }        # or pH = "7 +- 0.2", and yield = "maximize"
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pathmax.errors import SettingsError
from pathmax.trials.goals import BRITISH, DIRECTIONS, Goal, Goals, direction_of
from pathmax.trials.stated_goals import read_bounds, read_goals
from pathmax.workspace.file_entries import FileEntries
from pathmax.workspace.toml_words import toml_key, toml_table, toml_value

_LIMIT = re.compile(r"\s*(?P<name>[^<>=≤≥]*[^<>=≤≥\s])\s*(?P<bound>[<>=≤≥].*)")
OUTCOME_KEYS = ("direction", "low", "high", "bound", "reference", "unit")


def goals_of_section(outcomes: Mapping[str, Any], entries: FileEntries) -> Goals:
    """The goals that the section states; `entries` makes what is raised, with the line."""
    wanted: dict[str, str] = {}
    bounds: dict[str, Any] = {}
    points: dict[str, Any] = {}
    for name, stated in outcomes.items():
        where = ("outcomes", name)
        given = _entries(name, stated, entries)
        if not given.keys() - {"unit"}:
            raise entries.error(
                where,
                f"{name}: says neither a direction nor a bound; write "
                f'{toml_key(name)} = {{ direction = "maximize" }} or {{ high = 0.5 }}, or list it '
                "under ignore in [csv] if it is only for you",
            )
        with entries.about(*where):
            if "direction" in given:
                wanted[name] = direction_of(given["direction"])
            if {"bound", "low", "high"} & given.keys():
                bounds[name] = _bounds(name, given)
            if "reference" in given:
                points[name] = _number(name, "reference", given["reference"])
        if name in points and name not in wanted:
            raise entries.error(where, f"{name}: a reference is for what has a direction")
    if not wanted:
        raise entries.error(
            ("outcomes",),
            'none of them has a direction; write yield = { direction = "maximize" }, say',
        )
    lacking = [name for name in wanted if points and name not in points]
    if lacking:
        raise entries.error(
            ("outcomes", lacking[0]),
            f"{lacking[0]}: with a reference for {', '.join(points)} it needs one too: the worst "
            "value that still counts",
        )
    with entries.about("outcomes"):
        return read_goals(None, wanted, bounds or None, points or None)


def _entries(name: str, stated: object, entries: FileEntries) -> dict[str, Any]:
    """What is said of an outcome; a direction or a bound may stand alone, as text."""
    if isinstance(stated, str):
        if stated in {*DIRECTIONS, *BRITISH}:
            return {"direction": stated}
        towards, _, bound = stated.partition(" ")
        if towards in {*DIRECTIONS, *BRITISH} and any(map(str.isdigit, bound)):
            both = {"direction": towards, "bound": bound}
            raise entries.error(
                ("outcomes", name),
                f"{name}: a direction and a bound are two entries, got {toml_value(stated)}; write "
                f"{toml_key(name)} = {toml_table(both)}",
            )
        if any(map(str.isdigit, stated)):
            return {"bound": stated}
        raise entries.error(
            ("outcomes", name),
            f'{name}: expected "maximize", "minimize" or a bound such as "<= 0.5", got '
            f"{toml_value(stated)}",
        )
    if isinstance(stated, dict) and stated:
        return stated
    raise entries.error(
        ("outcomes", name),
        f'{name}: expected {{ direction = "maximize" }}, or bounds such as {{ high = 0.5 }} or '
        f"{{ low = 10, high = 50 }}, got {toml_value(stated)}",
    )


def _bounds(name: str, given: Mapping[str, Any]) -> tuple[float, float]:
    if "bound" in given and {"low", "high"} & given.keys():
        raise SettingsError(f"{name}: give bound, or low and high, not both")
    if "bound" in given:
        return read_bounds(name, given["bound"])
    ends = [_number(name, end, given[end]) if end in given else None for end in ("low", "high")]
    return read_bounds(name, tuple(ends))


def _number(name: str, key: str, given: object) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
        raise SettingsError(
            f"{name}: {key} must be a number, without quotes and unit, got {toml_value(given)}; a "
            'unit has its own entry: unit = "%"'
        )
    return float(given)


MEANT = ("up", "down", "high", "higher", "low", "lower", "more", "less")  # refused as directions


def typed_goals(objectives: Sequence[str], constraints: Sequence[str], direction: str) -> Goals:
    """Goals as they are typed: "yield", "cost=minimize", "impurity <= 0.5"."""
    wanted: dict[str, str] = {}
    for text in objectives:
        name, equals, towards = text.rpartition("=")
        # A name may hold "=" itself, but hardly before what begins as a direction does.
        word = towards.strip().casefold()
        own = bool(equals) and (word[:3] in {one[:3] for one in DIRECTIONS} or word in MEANT)
        name = name.strip() if own else text
        if name in wanted:
            raise SettingsError(f"the objective {name!r} is given twice; name each once")
        wanted[name] = direction_of(towards.strip()) if own else direction
    bounds: dict[str, tuple[float, float]] = {}
    for text in constraints:
        found = _LIMIT.fullmatch(text)
        if found is None:
            raise SettingsError(
                f"expected a limit such as 'impurity <= 0.5' or 'pH = 7 +- 0.2', got {text!r}"
            )
        name = found["name"]
        low, high = read_bounds(name, found["bound"])
        before = bounds.get(name, (-math.inf, math.inf))
        bounds[name] = (max(low, before[0]), min(high, before[1]))
    return read_goals(None, wanted, bounds or None)


def outcome_lines(goals: Goals, units: Mapping[str, str]) -> list[str]:
    """The lines of the section that states these goals."""
    return [_line(goal, units.get(goal.name)) for goal in goals]


def _line(goal: Goal, unit: str | None) -> str:
    entries: dict[str, Any] = {"direction": goal.direction} if goal.direction else {}
    bounds = {"low": goal.low, "high": goal.high}
    entries |= {end: bound for end, bound in bounds.items() if math.isfinite(bound)}
    entries |= {} if goal.reference is None else {"reference": goal.reference}
    return f"{toml_key(goal.name)} = {toml_table(entries | ({'unit': unit} if unit else {}))}"
