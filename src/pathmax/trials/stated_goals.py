"""Goals as people state them, read into `Goals`.

objectives   {"yield": "maximize", "cost": "minimize"}, or ["yield"] to maximize
constraints  {"impurity": "<= 0.5", "viscosity": (10, 50), "pH": "7 +- 0.2", "purity": ">= 95"}
reference    {"yield": 40, "cost": 10}: results that are not better are worth nothing
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from pathmax.errors import SettingsError
from pathmax.scalars import describe, plain
from pathmax.trials.goals import USUAL_DIRECTION, VALUE, Goal, Goals, sign_of

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_ONE_SIDED = re.compile(rf"\s*(<=|>=|<|>|=<|=>|≤|≥)\s*({_NUMBER})\s*")
_WITHIN = re.compile(rf"\s*(?:==?)?\s*({_NUMBER})\s*(?:\+-|\+/-|±)\s*({_NUMBER})\s*")
_RANGE = re.compile(rf"\s*({_NUMBER})\s*(?:to|\.\.)\s*({_NUMBER})\s*")
_EXAMPLES = 'write "<= 0.5", ">= 95", "10 to 50" or "7 +- 0.2", without a unit'


def read_goals(
    direction: str | None = None,
    objectives: Mapping[str, str] | Sequence[str] | None = None,
    constraints: Mapping[str, Any] | None = None,
    reference: Mapping[str, float] | None = None,
) -> Goals:
    """The goals of a study from what its caller gave."""
    wanted = _directions(direction, objectives)
    bounds = _bounds(constraints)
    points = _points(reference, wanted)
    if len(wanted) == 1 and points:
        raise SettingsError(
            "reference= is for several objectives, and there is one; say what it must reach with "
            f"constraints={{{next(iter(wanted))!r}: ...}}, or leave it out"
        )
    goals = [
        Goal(name, towards, *bounds.pop(name, (-math.inf, math.inf)), points.get(name))
        for name, towards in wanted.items()
    ]
    return Goals([*goals, *(Goal(name, None, low, high) for name, (low, high) in bounds.items())])


def restated(goals: Goals, **given: Any) -> Goals | None:
    """The goals with those that are given in place of what was stated; None where none is."""
    given = {name: stated for name, stated in given.items() if stated is not None}
    if not given:
        return None
    before = goals.stated
    if "objectives" in given and before["reference"] and "reference" not in given:
        before["reference"] = _left_of(before["reference"], given["objectives"])
    return read_goals(**{**before, **given})


def _left_of(reference: Mapping[str, float], objectives: object) -> dict[str, float] | None:
    """The reference for other objectives than it was stated for."""
    wanted = _directions(None, objectives)  # type: ignore[arg-type]  # refused there if it is wrong
    if len(wanted) == 1:
        return None
    if new := [name for name in wanted if name not in reference]:
        raise SettingsError(
            f"the reference of the study has no value of {' and '.join(new)}; give reference= with "
            "a number for each objective, or reference={} for none"
        )
    return {name: reference[name] for name in wanted}


def check_outcome_name(name: object) -> str:
    """An outcome is named by text that a column can be headed with."""
    if not isinstance(name, str) or not name.strip() or name != name.strip():
        raise SettingsError(
            f"an outcome is named by text without spaces around it, got {describe(name)}; "
            'write "yield", say'
        )
    return name


def _directions(
    direction: str | None, objectives: Mapping[str, str] | Sequence[str] | None
) -> dict[str, str]:
    if objectives is None:
        return {VALUE: USUAL_DIRECTION if direction is None else direction}
    if direction is not None:
        raise SettingsError(
            "give direction= for one objective, or objectives= for named ones, not both; "
            'write objectives={"yield": "maximize", "cost": "minimize"}'
        )
    if isinstance(objectives, Sequence) and not isinstance(objectives, str):
        for name in objectives:
            check_outcome_name(name)
        if len(set(objectives)) < len(objectives):
            raise SettingsError(f"objectives: a name stands there twice: {list(objectives)}")
        objectives = dict.fromkeys(objectives, USUAL_DIRECTION)
    if not isinstance(objectives, Mapping) or not objectives:
        raise SettingsError(
            'objectives must be a dict such as {"yield": "maximize", "cost": "minimize"}, got '
            + describe(objectives)
        )
    for name, towards in objectives.items():
        check_outcome_name(name)
        try:
            sign_of(towards)
        except SettingsError as error:
            raise SettingsError(f"objectives: {name}: {error}") from None
    return dict(objectives)


def _bounds(constraints: Mapping[str, Any] | None) -> dict[str, tuple[float, float]]:
    if constraints is None:
        return {}
    if not isinstance(constraints, Mapping):
        raise SettingsError(
            'constraints must be a dict such as {"impurity": "<= 0.5"}, got '
            + describe(constraints)
        )
    return {check_outcome_name(name): read_bounds(name, c) for name, c in constraints.items()}


def read_bounds(name: str, stated: object) -> tuple[float, float]:
    """The lowest and the highest value that a constraint allows."""
    low, high = -math.inf, math.inf
    if isinstance(stated, str):
        stated = stated.replace("\u2212", "-")  # the minus sign of word processors
        if found := _ONE_SIDED.fullmatch(stated):
            bound = float(found[2])
            low, high = (low, bound) if found[1] in ("<=", "<", "=<", "≤") else (bound, high)
        elif found := _WITHIN.fullmatch(stated):
            middle, tolerance = Decimal(found[1]), abs(Decimal(found[2]))
            # as written: in binary 0.7 + 0.1 is below 0.8, and a result of 0.8 would break it
            low, high = float(middle - tolerance), float(middle + tolerance)
        elif found := _RANGE.fullmatch(stated):
            low, high = float(found[1]), float(found[2])
        elif "==" in stated or re.fullmatch(rf"\s*=?\s*{_NUMBER}\s*", stated):
            raise SettingsError(
                f"constraints: {name}: a measured value never equals a number exactly, got "
                f'{stated!r}; give a tolerance, such as "7 +- 0.2"'
            )
    elif isinstance(stated, tuple | list) and len(stated) == 2:
        ends = [plain(end) for end in stated]
        if all(end is None or _is_number(end) for end in ends):
            low = -math.inf if ends[0] is None else float(ends[0])  # type: ignore[arg-type]
            high = math.inf if ends[1] is None else float(ends[1])  # type: ignore[arg-type]
    if math.isnan(low) or math.isnan(high) or (math.isinf(low) and math.isinf(high)):
        raise SettingsError(
            f"constraints: {name}: expected a bound, got {describe(stated)}; {_EXAMPLES}"
        )
    _check_order(name, low, high)
    return low, high


def _check_order(name: str, low: float, high: float) -> None:
    if low == high:
        raise SettingsError(
            f"constraints: {name}: a measured value never equals a number exactly, got {low:g} for "
            f'both bounds; give a tolerance, such as "7 +- 0.2"'
        )
    if not low < high:
        raise SettingsError(
            f"constraints: {name}: the lower bound must be below the upper one, got {low:g} and "
            f"{high:g}; swap them"
        )


def _points(reference: Mapping[str, float] | None, wanted: Mapping[str, str]) -> dict[str, float]:
    if reference is None or reference == {}:
        return {}
    if not isinstance(reference, Mapping) or set(reference) != set(wanted):
        raise SettingsError(
            f"reference must have a number for each objective ({', '.join(wanted)}), got "
            f"{describe(reference)}; results that are not better than it are worth nothing"
        )
    points = {}
    for name, given in reference.items():
        number = plain(given)
        if not _is_number(number) or not math.isfinite(number):  # type: ignore[arg-type]
            raise SettingsError(
                f"reference: {name}: expected a finite number, got {describe(given)}; give a value "
                "that is just not good enough"
            )
        points[name] = float(number)  # type: ignore[arg-type]
    return points


def _is_number(given: object) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool)
