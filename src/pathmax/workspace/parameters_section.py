"""The section [parameters] of a space file: what each entry stands for."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from pathmax.scalars import describe
from pathmax.space.definitions import Definition
from pathmax.space.fidelity import Fidelity
from pathmax.space.mixtures import Mixture
from pathmax.space.parameters import Categorical, Fixed, Float, Int, Parameter
from pathmax.space.refused_keywords import refused
from pathmax.space.space import Space
from pathmax.workspace.file_entries import ABOVE, FileEntries, has_entry
from pathmax.workspace.none_choice import with_none

if TYPE_CHECKING:
    from pathmax.space.grid import Grid

PARAMETER_KEYS = (
    "type",
    "low",
    "high",
    "log",
    "step",
    "digits",
    "choices",
    "values",
    "descriptors",
    "when",
    "context",
    "likely",
    "unit",
)
# "x < 1" and "x in [1, 2]" compare something; the choices "< 1" and "in vitro" do not.
COMPARISON = re.compile(r"\S\s*([<>≤≥]|[=!]=)|\S\s+(not\s+)?in\s*[\[(]")
NUMBERS: dict[str, type[Float] | type[Int]] = {"float": Float, "int": Int}
OF_RANGES = ("low", "high", "log", "step", "digits")


@final
@dataclass(frozen=True, slots=True)
class ParametersSection:
    """The parameters of a file, read into a space or a grid."""

    entries: FileEntries

    def domain(self, parameters: dict[str, Any], where: list[str]) -> Space | Grid:
        """A grid if every parameter lists its values and says no more, else a space."""
        self.check_place(parameters)
        parameters = {key: self.with_none(key, given) for key, given in parameters.items()}
        listed = all(
            has_entry(given, "values") and {*given} <= {"values", "unit", "context"}
            for given in parameters.values()
        )
        with self.entries.about("parameters"):
            if listed and parameters:
                from pathmax.space.grid import Grid

                given = [key for key, p in parameters.items() if self.is_given(key, p)]
                axes = {key: p["values"] for key, p in parameters.items()}
                space: Space | Grid = Grid(axes, context=given)
            else:
                space = Space({key: self.parameter(key, p) for key, p in parameters.items()})
        with self.entries.about("where"):
            return space.knowing(where) if where else space

    def check_place(self, parameters: Mapping[str, Any]) -> None:
        """Refuse known constraints below [parameters]: they would be a parameter called where."""
        given = parameters.get("where")
        texts = given if isinstance(given, list) else [given]
        if any(isinstance(text, str) and COMPARISON.search(text) for text in texts):
            raise self.entries.error(
                ("parameters", "where"), f"where is a known constraint here; {ABOVE}"
            )

    def with_none(self, key: str, given: Any) -> Any:
        """A parameter with None for the text that stands for it."""
        if not has_entry(given, "none"):
            return given
        where = ("parameters", key)
        word = self.entries.typed(where, "none", given["none"], str)
        if word not in [*given.get("choices", ()), *given.get("values", ())]:
            raise self.entries.error(
                (*where, "none"),
                f"{key}: none is the choice that stands for no value, got {word!r}, which is no "
                "choice; add it to them, or leave out none",
            )
        return with_none(given)

    def is_given(self, key: str, parameter: Mapping[str, Any]) -> bool:
        """Whether a parameter is a context."""
        stated = parameter.get("context", False)
        return bool(self.entries.typed(("parameters", key), "context", stated, bool))

    def parameter(self, key: str, given: object) -> Definition:
        with self.entries.about("parameters", key):
            if has_entry(given, "components"):
                return self.mixture(key, given)
            if isinstance(given, dict) and given.get("type") == "fidelity":
                return self.fidelity(key, given, ("parameters", key))
            return self.definition(key, given).checked(key)

    def fidelity(self, key: str, given: dict[str, Any], where: tuple[str, ...]) -> Fidelity:
        """How closely a trial approximates what is wanted, and what it costs."""
        ends = ("levels", "low", "high")
        self.check_terms(where, given, "Fidelity")
        self.entries.known(where, given, ("type", *ends, "log", "step", "target", "cost", "unit"))
        more = {name: given[name] for name in ("log", "step", "target", "cost") if name in given}
        if "levels" in given and isinstance(given["levels"], list):
            return Fidelity(given["levels"], **more).checked(key)
        if "levels" in given or not {"low", "high"} <= {*given}:
            raise self.entries.error(
                where,
                f"{key}: a fidelity has low = ... and high = ..., or levels = "
                '["simulation", "plant"] with cost = [1, 100]',
            )
        return Fidelity(given["low"], given["high"], **more).checked(key)

    def check_terms(self, where: tuple[str, ...], given: dict[str, Any], kind: str) -> None:
        """Refuse a condition, context or guess where the kind has no use for one."""
        terms = terms_of_entry(given)
        if sentence := refused(kind, terms):
            raise self.entries.error((*where, next(iter(terms))), f"{where[-1]}: {sentence}")

    def check_unused(
        self, key: str, given: Mapping[str, Any], unused: tuple[str, ...], kind: str
    ) -> None:
        """Refuse what says nothing about a kind of parameter, and would be passed over."""
        for name in unused:
            if name in given:
                raise self.entries.error(
                    ("parameters", key, name),
                    f"{key}: {name} has no meaning beside {kind}; leave one of the two out",
                )

    def mixture(self, key: str, given: Any) -> Mixture:
        """Components that add up to a total."""
        where = ("parameters", key)
        self.check_terms(where, given, "Mixture")
        self.entries.known(where, given, ("type", "components", "total", "at_most", "step", "unit"))
        if given.get("type", "mixture") != "mixture":
            raise self.entries.error(
                where, f"{key}: components are those of a mixture; leave type out"
            )
        parts = self.entries.typed(where, "components", given["components"], dict)
        fields = {name: given[name] for name in ("total", "at_most", "step") if name in given}
        bounds = {name: tuple(b) if isinstance(b, list) else b for name, b in parts.items()}
        return Mixture(bounds, **fields).checked(key)

    def definition(self, key: str, given: object) -> Parameter:
        where = ("parameters", key)
        if isinstance(given, list):
            return Categorical(given)
        if isinstance(given, str | int | float | bool):
            return Fixed(given)
        if not isinstance(given, dict):
            raise self.entries.error(
                where, f"{key}: a date cannot be a parameter; put it in quotes"
            )
        self.entries.known(where, given, PARAMETER_KEYS)
        if "values" in given:
            return self.listed(key, given)
        kind = given.get("type", "categorical" if "choices" in given else "float")
        if given.get("choices") == [None]:
            return Fixed(None)
        if kind == "categorical" and "choices" in given:
            self.check_unused(key, given, OF_RANGES, "choices")
            described = self.descriptors(given)
            return Categorical(given["choices"], descriptors=described, **terms_of_entry(given))
        if kind in NUMBERS and "low" in given and "high" in given:
            self.check_unused(key, given, ("choices", "descriptors"), "a range")
            fields = ("low", "high", "log", "step", "digits", "when", "context", "likely")
            return NUMBERS[kind](**{name: given[name] for name in fields if name in given})
        raise self.entries.error(
            where,
            f'{key}: expected {{ low = ..., high = ... }}, with type = "int" for whole numbers, '
            '{ values = [...] } for a list of numbers, or a list of choices such as ["a", "b"]',
        )

    def listed(self, key: str, given: dict[str, Any]) -> Parameter:
        """A parameter that lists its values beside others that do not: numbers have an order."""
        where, values, more = ("parameters", key), given["values"], terms_of_entry(given)
        self.entries.known(
            where, given, ("type", "values", "log", "when", "context", "likely", "unit")
        )
        if not isinstance(values, list):
            raise self.entries.error(
                where, f"{key}: values must be a list, as in values = [0.1, 0.2, 0.5]"
            )
        texts = [v for v in values if isinstance(v, bool) or not isinstance(v, int | float)]
        if texts and (given.get("log") or given.get("type") in NUMBERS):
            raise self.entries.error(
                where,
                f"{key}: values must be numbers where there is a type or log, got "
                f"{describe(texts[0])}; write numbers without quotes, or leave out both",
            )
        if len(values) == 1 and not more:
            return Fixed(values[0])
        if texts:
            return Categorical(values, **more)
        kind = given.get("type", "int" if all(isinstance(v, int) for v in values) else "float")
        if kind == "categorical":
            return Categorical(values, **more)
        if kind not in NUMBERS:
            raise self.entries.error(
                where, f'{key}: type is "float", "int" or "categorical", got {kind!r}'
            )
        return NUMBERS[kind](values=values, log=given.get("log", False), **more)

    def descriptors(self, given: dict[str, Any]) -> Any:
        """A table of properties; a file is named as seen from the folder of the space file."""
        described = given.get("descriptors")
        if isinstance(described, str) and self.entries.locate is not None:
            return self.entries.locate(described)
        if isinstance(described, str):
            return os.path.join(os.path.dirname(self.entries.path), described)
        return described


def terms_of_entry(given: Mapping[str, Any]) -> dict[str, Any]:
    """The entries that every kind of parameter may have: its condition, context and guess."""
    return {name: given[name] for name in ("when", "context", "likely") if name in given}
