"""The parameters of a space: which are searched, fixed, given, active, or a fidelity."""

from __future__ import annotations

import copy
import dataclasses
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self

from pathmax.callers import level_outside
from pathmax.errors import NeverActiveWarning, SpaceError
from pathmax.scalars import Scalar, describe
from pathmax.space import definitions
from pathmax.space.activity import Activity
from pathmax.space.axes import Axis
from pathmax.space.checks import check_names
from pathmax.space.conditional_constraints import where_present
from pathmax.space.conditions import Conditions
from pathmax.space.coordinates import Coordinates
from pathmax.space.dead_conditions import never_active
from pathmax.space.definitions import Definition
from pathmax.space.expert_prior import Likely
from pathmax.space.fidelity import Fidelity, only_fidelity
from pathmax.space.known_constraints import Known, Rule, refuse_fidelity, rules_of
from pathmax.space.mixtures import Mixture
from pathmax.space.parameter_space import ParameterSpace
from pathmax.space.parameters import Fixed, Parameter, Searched
from pathmax.space.ranges import NumberRange
from pathmax.space.sentence_parts import Variable


class ParameterTable(ParameterSpace):
    """Named parameters, and what is known about them; `Space` makes points of their values."""

    def __init__(
        self,
        parameters: Mapping[str, Definition | Scalar] | ParameterTable,
        where: Sequence[Rule] = (),
    ) -> None:
        rules: list[Any] = list(rules_of(where))
        if isinstance(parameters, ParameterTable):
            rules = [*parameters.where.rules, *rules]
            parameters = parameters.definitions
        if not isinstance(parameters, Mapping):
            raise SpaceError(
                "a space is a dict such as {'temperature': pathmax.Float(20, 120)}, "
                f"got {describe(parameters)}"
            )
        check_names(parameters)
        self._given = {name: definitions.define(name, given) for name, given in parameters.items()}
        self._parameters = definitions.components(self._given)
        self._searched: dict[str, Searched] = {}
        self._fixed: dict[str, Scalar] = {}
        for name, parameter in self._parameters.items():
            if isinstance(parameter, Fixed):
                self._fixed[name] = parameter.value
            else:
                self._searched[name] = parameter
        if not self._searched:
            raise SpaceError(
                "nothing to search: the space has no parameter that may vary; "
                "add a Float, Int or Categorical"
            )
        self._context = tuple(name for name, p in self._searched.items() if p.context)
        if not self.chosen_names:
            raise SpaceError(
                "nothing to choose: every parameter that may vary is a context, which is given; "
                "leave out context=True of one, or add a Float, Int or Categorical"
            )
        self._held, self._whole = {}, None
        # Of numbers that were given: coordinate and value, which a coordinate alone may miss.
        self._exact: dict[int, tuple[float, Scalar]] = {
            column: (guess.centre, parameter.guessed)
            for column, parameter in enumerate(self._searched.values())
            if isinstance(parameter, NumberRange) and parameter.cardinality is None
            if (guess := parameter.guess) is not None
        }
        self._fidelity = only_fidelity(self._given, self.chosen_names)
        self._where = Known.read(rules, self.variables, self.mixtures)
        self._conditions = Conditions.read(self._parameters, self.variables)
        if self._conditions is not None:
            self._where = where_present(self._where, self._conditions)
            for name, sentence in never_active(self._conditions, self._parameters).items():
                warnings.warn(
                    f"{name}: is never active, since {sentence!r} never holds within the ranges; "
                    "correct its condition, or leave it out",
                    NeverActiveWarning,
                    stacklevel=level_outside(),
                )
        said = list(self._where.sentences)
        said += [] if self._conditions is None else self._conditions.sentences.values()
        refuse_fidelity(self._fidelity, said)

    @property
    def fidelity(self) -> tuple[str, Fidelity] | None:
        """The parameter that says how closely a trial approximates what is wanted, if any."""
        return self._fidelity

    @cached_property
    def activity(self) -> Activity | None:
        """Which coordinates count where; None when all do, since there are no conditions."""
        if self._conditions is None:
            return None
        return Activity(self._conditions, self._coordinates)

    @property
    def _coordinates(self) -> Coordinates:
        return Coordinates(self._searched, self.axes, self._fixed)

    def knowing(self, where: Sequence[Rule]) -> Self:
        """The same parameters with these known constraints and no others."""
        return type(self)(self._given, where)

    @property
    def definitions(self) -> Mapping[str, Definition]:
        """What was given by name: a mixture as one, where `parameters` has its components."""
        return MappingProxyType(self._given)

    @property
    def mixtures(self) -> tuple[Mixture, ...]:
        """The mixtures whose components are parameters."""
        return tuple(given for given in self._given.values() if isinstance(given, Mixture))

    @property
    def variables(self) -> Mapping[str, Variable]:
        """The parameters as sentences know them."""
        return {name: Variable(p.choices) for name, p in self._parameters.items()}

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """The definitions by name, fixed values included, in order."""
        return MappingProxyType(self._parameters)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all parameters, fixed ones included, in order."""
        return tuple(self._parameters)

    @property
    def searched_names(self) -> tuple[str, ...]:
        """The name of each coordinate of u."""
        return tuple(self._searched)

    @property
    def chosen_names(self) -> tuple[str, ...]:
        """The parameters that a suggestion chooses."""
        return tuple(name for name, p in self._searched.items() if not p.context)

    @cached_property
    def likely(self) -> Likely | None:
        """Where an expert expects the best; None without a guess."""
        found = {i: p.guess for i, p in enumerate(self._searched.values()) if p.guess is not None}
        return Likely(found) if found else None

    def given(self, values: Mapping[str, object]) -> Self:
        """The same coordinates with those of some parameters held at a value each.

        It is what may be chosen where these are given. Points, params and their order stay.
        """
        space, names = copy.copy(self), self.searched_names
        space._held, space._whole = dict(self._held), self.unheld
        space._exact = dict(self._exact)
        for name, value in values.items():
            parameter, column = self._searched[name], names.index(name)
            clean: Any = parameter.clean(name, value)
            space._held[column] = parameter.encode(clean)
            space._exact[column] = (space._held[column], clean)
        for cached in ("axes", "activity", "at_target"):
            vars(space).pop(cached, None)
        return space

    @property
    def dimension(self) -> int:
        """d, the number of coordinates; fixed values have none."""
        return len(self._searched)

    @cached_property
    def axes(self) -> tuple[Axis, ...]:
        """What each coordinate may be."""
        free = (parameter.axis for parameter in self._searched.values())
        axes = [a.held(self._held[i]) if i in self._held else a for i, a in enumerate(free)]
        if self._fidelity is not None:
            name, fidelity = self._fidelity
            i = self.searched_names.index(name)
            axes[i] = dataclasses.replace(axes[i], target=fidelity.coordinate)
        if self._conditions is None:
            return tuple(axes)
        conditional = self._conditions.sentences
        return tuple(
            dataclasses.replace(axis, conditional=name in conditional)
            for name, axis in zip(self._searched, axes, strict=True)
        )

    @property
    def cardinality(self) -> int | None:
        """How many different suggestions there are; None when a Float makes them uncountable."""
        held = {self.searched_names[i] for i in self._held}
        sizes = [1 if name in held else p.cardinality for name, p in self._parameters.items()]
        if self.activity is not None:
            return self.activity.count()
        return math.prod(s for s in sizes if s is not None) if None not in sizes else None

    def choices(self, name: str) -> tuple[Scalar, ...] | None:
        return self._parameters[name].choices

    def range_of(self, name: str) -> NumberRange | None:
        parameter = self._searched.get(name)
        return parameter if isinstance(parameter, NumberRange) else None

    def describe(self, name: str, show: Callable[[Scalar], str] = str) -> str:
        return self._parameters[name].describe(show)

    def entries(self) -> dict[str, dict[str, Any]]:
        return {
            name: p.entries()
            | ({} if p.when is None else {"when": p.when})
            | ({"context": True} if p.context else {})
            for name, p in self._given.items()
        }
