"""A study's space as the text of a space.toml: to read, to change, and to begin another with."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pathmax.space.any_space import AnySpace
from pathmax.space.candidates import Candidates
from pathmax.space.descriptors import Descriptors
from pathmax.space.fidelity import CostFunction, Fidelity
from pathmax.space.grid import Grid
from pathmax.space.mixtures import Mixture
from pathmax.space.parameters import Categorical, Fixed, Int, Parameter, Searched
from pathmax.tables import format_number
from pathmax.trials.goals import Goal, Goals
from pathmax.workspace.layout import Layout
from pathmax.workspace.space_template import toml_key, toml_text


def write_space(study: str, layout: Layout, goals: Goals) -> str | None:
    """The space file of a study; None for a pool, whose rows lie in a file of their own.

    Choices that TOML cannot write, such as None, are refused when the file is read.
    """
    domain = layout.domain
    if isinstance(domain, Candidates):
        return None
    lines = [
        f"study = {toml_text(study)}",
        *_known(domain),
        "",
        *_outcomes(layout, goals),
        "",
        "[parameters]",
    ]
    lines += _parameters(domain, layout.units)
    if layout.units_row or layout.ignored:
        lines += ["", "[csv]"]
        lines += ["units_row = true"] if layout.units_row else []
        if layout.ignored:
            lines.append(f"ignore = [{', '.join(map(toml_text, layout.ignored))}]")
    return "\n".join(lines) + "\n"


def _known(domain: AnySpace) -> list[str]:
    """What is known to hold; functions of a program cannot be written down."""
    lines = [f"# {function.name}: a function of a program" for function in domain.where.functions]
    if domain.where.sentences:
        lines += ["where = [", *(f"  {toml_text(s.text)}," for s in domain.where.sentences), "]"]
    return lines


def _outcomes(layout: Layout, goals: Goals) -> list[str]:
    if layout.goals is None:
        unit = layout.units.get(layout.objective)
        return [
            "[objective]",
            f"name = {toml_text(layout.objective)}",
            f"direction = {toml_text(str(goals.first.direction))}",
            *([f"unit = {toml_text(unit)}"] if unit else []),
        ]
    return ["[outcomes]", *(_outcome(goal, layout.units.get(goal.name)) for goal in goals)]


def _outcome(goal: Goal, unit: str | None) -> str:
    entries: dict[str, Any] = {"direction": goal.direction} if goal.direction else {}
    bounds = {"low": goal.low, "high": goal.high}
    entries |= {end: bound for end, bound in bounds.items() if math.isfinite(bound)}
    entries |= {} if goal.reference is None else {"reference": goal.reference}
    return f"{toml_key(goal.name)} = {_table(entries | ({'unit': unit} if unit else {}))}"


def _parameters(domain: AnySpace, units: Mapping[str, str]) -> list[str]:
    lines = []
    if isinstance(domain, Grid):
        for name, values in domain.values.items():
            more: dict[str, Any] = {"unit": units[name]} if name in units else {}
            more |= {"context": True} if name in domain.context_names else {}
            lines.append(f"{toml_key(name)} = {_table({'values': list(values), **more})}")
        return lines
    assert not isinstance(domain, Candidates)
    for name, parameter in domain.definitions.items():
        if isinstance(parameter, Mixture):
            lines.append(f"{toml_key(name)} = {_mixture(parameter)}")
        elif isinstance(parameter, Fidelity):
            lines += _fidelity(name, parameter, units.get(name))
        else:
            lines.append(f"{toml_key(name)} = {_parameter(parameter, units.get(name))}")
    return lines


def _fidelity(name: str, fidelity: Fidelity, unit: str | None) -> list[str]:
    """Its line; the cost of a function of a program cannot be written down."""
    stored = fidelity.to_json()
    lines = []
    if isinstance(fidelity.cost, CostFunction):
        lines.append(f"# the cost of {name} is {fidelity.cost.name}, a function of a program")
        del stored["cost"]
    entries = {"type": "fidelity", **stored, **({"unit": unit} if unit else {})}
    return [*lines, f"{toml_key(name)} = {_table(entries)}"]


def _mixture(mixture: Mixture) -> str:
    parts = {name: list(bounds) for name, bounds in mixture.components.items()}
    entries: dict[str, Any] = {"components": parts, "total": mixture.total, "step": mixture.step}
    return _table(entries | ({} if mixture.at_most is None else {"at_most": mixture.at_most}))


def _parameter(parameter: Parameter, unit: str | None) -> str:
    more: dict[str, Any] = {"unit": unit} if unit else {}
    if isinstance(parameter, Fixed):
        return _value(parameter.value)
    more |= _whether(parameter)
    if isinstance(parameter, Categorical):
        listed = list(parameter.choices)
        if isinstance(parameter.descriptors, Descriptors):
            more["descriptors"] = parameter.descriptors.of(parameter.choices)
        return _table({"choices": listed, **more}) if more else _value(listed)
    entries: dict[str, Any] = {"low": parameter.low, "high": parameter.high}
    if parameter.values is not None:
        entries = {"values": list(parameter.values), "type": "float"}  # 1.0 is written as 1
    if isinstance(parameter, Int):
        entries["type"] = "int"
    if parameter.log:
        entries["log"] = True
    if parameter.step != type(parameter).step:
        entries["step"] = parameter.step
    if parameter.digits is not None:
        entries["digits"] = parameter.digits
    return _table(entries | more)


def _whether(parameter: Searched) -> dict[str, Any]:
    """On which terms a parameter takes part."""
    when = {} if parameter.when is None else {"when": parameter.when}
    return when | ({"context": True} if parameter.context else {})


def _table(entries: Mapping[str, Any]) -> str:
    return "{ " + ", ".join(f"{key} = {_value(value)}" for key, value in entries.items()) + " }"


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return _table({toml_key(str(key)): each for key, each in value.items()})
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return toml_text(value)
    return '""' if value is None else format_number(value)
