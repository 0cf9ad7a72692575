"""Definitions of parameters: as users give them, and as they are stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np

from pathmax.errors import SpaceError
from pathmax.scalars import describe, plain
from pathmax.space.checks import check_names
from pathmax.space.fidelity import Fidelity
from pathmax.space.mixtures import Mixture
from pathmax.space.parameters import Categorical, Fixed, Float, Int, Parameter

__all__ = ["Definition", "components", "define", "from_json", "to_json"]

Definition: TypeAlias = Parameter | Mixture | Fidelity
KINDS = (Float, Int, Categorical, Fixed, Mixture, Fidelity)
STORED = {kind.__name__.lower(): kind for kind in KINDS}


def define(name: str, given: object) -> Definition:
    """What was given for a parameter, checked; a plain value is fixed."""
    if isinstance(given, Definition):
        return given.checked(name)
    value = plain(given)
    if value is None or isinstance(value, str | int | float | bool):
        return Fixed(value).checked(name)
    if isinstance(given, range):
        remedy = f"for whole numbers write Int({given.start}, {given.stop - 1})"
    elif isinstance(given, list | tuple | set | np.ndarray):
        remedy = "for a list of choices write Categorical([...]), for a range Float(low, high)"
    elif isinstance(given, Mapping):
        remedy = "spaces do not nest; give each parameter inside a name of its own"
    elif given in (Float, Int, Categorical):
        remedy = "give its bounds or choices in brackets, as in Float(0, 1)"
    else:
        remedy = "one parameter has one type; if values differ in kind, list them in a Categorical"
    raise SpaceError(
        f"{name}: expected Float, Int, Categorical or a fixed value, got {describe(given)}; "
        f"{remedy}"
    )


def components(given: Mapping[str, Definition]) -> dict[str, Parameter]:
    """The parameters of a space, those of mixtures in the place of the mixture."""
    parameters: dict[str, Parameter] = {}
    for name, definition in given.items():
        if isinstance(definition, Mixture):
            for part, (low, high) in definition.components.items():
                if part in parameters or part in given:
                    raise SpaceError(
                        f"{part}: is a component of {name} and another parameter as well; rename "
                        "one of them"
                    )
                parameters[part] = Float(low, high) if low < high else Fixed(low)
        elif isinstance(definition, Fidelity):
            parameters[name] = definition.parameter
        else:
            parameters[name] = definition
    check_names(parameters)
    return {name: p.checked(name) for name, p in parameters.items()}


def to_json(name: str, definition: Definition) -> dict[str, Any]:
    """A dict that `json.dumps` takes."""
    return {"name": name, "type": type(definition).__name__.lower()} | definition.to_json()


def from_json(entry: Mapping[str, Any]) -> Definition:
    """The definition that `to_json` wrote."""
    kind = STORED.get(entry["type"])
    if kind is None:
        raise SpaceError(
            f"{entry['name']}: unknown type {entry['type']!r}; it was written by a newer version"
        )
    return kind.from_json(entry)
