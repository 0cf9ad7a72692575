"""A study's space as the text of a space.toml: to read, to change, and to begin another with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pathmax.space.any_space import AnySpace
from pathmax.trials.goals import Goals
from pathmax.workspace.layout import Layout
from pathmax.workspace.none_choice import without_none
from pathmax.workspace.outcomes_section import outcome_lines
from pathmax.workspace.toml_words import toml_key, toml_table, toml_text, toml_value


def write_space(study: str, layout: Layout, goals: Goals) -> str | None:
    """The space file of a study; None for a pool, whose rows lie in a file of their own."""
    domain = layout.domain
    entries = domain.entries()
    if entries is None:
        return None
    lines = [
        f"study = {toml_text(study)}",
        *_known(domain),
        "",
        *_outcomes(layout, goals),
        "",
        "[parameters]",
    ]
    for name, said in entries.items():
        lines += _unwritten(domain, name)
        entry = _entry(without_none(said), layout.units.get(name))
        lines.append(f"{toml_key(name)} = {entry}")
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
    return ["[outcomes]", *outcome_lines(goals, layout.units)]


def _unwritten(domain: AnySpace, name: str) -> list[str]:
    """What is a function of a program, and cannot be written down."""
    named, fidelity = domain.fidelity or ("", None)
    if named != name or fidelity is None or fidelity.cost_name is None:
        return []
    return [f"# the cost of {name} is {fidelity.cost_name}, a function of a program"]


def _entry(entries: Mapping[str, Any], unit: str | None) -> str:
    """A parameter: a fixed value and plain choices as they are, all else as a table."""
    if "value" in entries:
        return toml_value(entries["value"])
    terms = {key: entries[key] for key in ("when", "context", "likely") if key in entries}
    kind = {key: value for key, value in entries.items() if key not in terms}
    table = kind | ({"unit": unit} if unit else {}) | terms
    return toml_value(table["choices"]) if table.keys() == {"choices"} else toml_table(table)
