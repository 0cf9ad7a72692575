"""The values along one axis of a grid: as given, sorted, and as coordinates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from pathmax.errors import SpaceError
from pathmax.scalars import Scalar, describe, plain
from pathmax.space.axes import Axis
from pathmax.space.checks import ROUNDING, equal_pairs, no_choice, storable_choice
from pathmax.space.fidelity import Fidelity, checked_levels
from pathmax.space.parameters import Categorical, Float, Int


def axis_values_of(name: str, given: object) -> tuple[Scalar, ...]:
    if isinstance(given, Fidelity):
        return checked_levels(name, given, ()).levels or ()
    if isinstance(given, bytes | set | frozenset | Mapping) or given is None:
        raise SpaceError(f"{name}: the values must be a list, got {describe(given)}")
    single = isinstance(plain(given), str | int | float)
    if not single and not isinstance(given, Iterable):
        raise SpaceError(
            f"{name}: the values must be a list of numbers or text, got {describe(given)}; "
            "a Grid has no ranges: list the values, with np.linspace(low, high, 20), say"
        )
    values = [storable_choice(name, v) for v in ([given] if single else list(given))]  # type: ignore[call-overload]
    if not values:
        raise SpaceError(f"{name}: the axis has no values; give at least one")
    if is_numeric(values):
        values.sort(key=float)  # type: ignore[arg-type]
    for first, second in equal_pairs(values):
        raise SpaceError(f"{name}: the values {first!r} and {second!r} are equal; remove one")
    return tuple(values)


def is_numeric(values: Sequence[Scalar]) -> bool:
    return all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)


def axis_of(values: Sequence[Scalar]) -> Axis:
    if not is_numeric(values):
        return Axis("categorical", np.arange(len(values), dtype=np.float64))
    numbers = 0.5 * np.array(values, dtype=np.float64)  # halves, so that no range overflows
    span = numbers[-1] - numbers[0]
    return Axis("int", (numbers - numbers[0]) / (span if span > 0 else 1.0))


def parameter_of(name: str, values: Sequence[Scalar]) -> Float | Int | Categorical:
    """An axis as a parameter with the same values and coordinates."""
    if is_numeric(values) and len(values) > 1:
        return Float(values=values).checked(name)  # type: ignore[arg-type]
    return Categorical(values).checked(name)


def stored_axis(entry: Mapping[str, Any]) -> Any:
    """The values of an axis, or its fidelity, as `Grid.to_json` wrote them."""
    return Fidelity.from_json(entry["fidelity"]) if "fidelity" in entry else entry["values"]


def rounded_place(name: str, value: object, values: tuple[Scalar, ...]) -> int:
    """The place of a number that is rounded otherwise among the values, or a `ParamsError`."""
    if is_numeric(values) and isinstance(value, int | float) and not isinstance(value, bool):
        numbers = np.array(values, dtype=np.float64)
        nearest = int(np.argmin(np.abs(numbers - value)))
        scale = max(numbers[-1] - numbers[0], abs(numbers[nearest]))
        if abs(numbers[nearest] - value) <= ROUNDING * scale:
            return nearest
    raise no_choice(name, value, values)


def show_values(values: Sequence[Scalar]) -> str:
    if len(values) <= 6:
        return repr(list(values))
    return f"[{values[0]!r}, {values[1]!r}, ..., {values[-1]!r}] ({len(values)} values)"
