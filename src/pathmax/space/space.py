"""Space: parameters in the user's units <-> points u of the unit cube.

A point has one coordinate per parameter, in the order of the space; fixed values have none.

    {"rate": Float(1e-4, 1e-1, log=True), "layers": Int(1, 3), "base": Categorical(["KOH", "Et3N"])}

    {"rate": 1e-4, "layers": 1, "base": "KOH"}     <->    u = (0.0, 0.0, 0.0)
    {"rate": 1e-1, "layers": 2, "base": "Et3N"}    <->    u = (1.0, 0.5, 1.0)

Numbers lie in [0, 1], whole numbers on a lattice within it; a choice is its position 0 .. k - 1.
`decode` is defined everywhere and `encode` inverts it exactly. Coordinates change here (and in
`pathmax.space.any_space`, for finite domains) and nowhere else.
"""

from __future__ import annotations

import copy
import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import ParamsError, SpaceError
from pathmax.scalars import Scalar, describe
from pathmax.space import definitions
from pathmax.space.activity import Activity
from pathmax.space.axes import ABSENT, Axis
from pathmax.space.checks import check_names, complete
from pathmax.space.conditional_constraints import where_present
from pathmax.space.conditions import Conditions
from pathmax.space.coordinates import Coordinates
from pathmax.space.definitions import Definition
from pathmax.space.differences import changed_names
from pathmax.space.fidelity import Fidelity, only_fidelity
from pathmax.space.known_constraints import Known, Rule, rules_of
from pathmax.space.known_limits import known_limits
from pathmax.space.likely import Likely
from pathmax.space.limits import Limits
from pathmax.space.many_points import points_of
from pathmax.space.mixtures import Mixture
from pathmax.space.parameter_space import ParameterSpace
from pathmax.space.parameters import Categorical, Fixed, Float, Int, Parameter, Searched
from pathmax.space.ranges import NumberRange
from pathmax.space.sentence_parts import Variable

__all__ = ["Axis", "Categorical", "Fixed", "Float", "Int", "Parameter", "Scalar", "Space"]


class Space(ParameterSpace):
    """Named parameters: what may be tried.

    >>> space = Space({"temperature": Float(20, 120), "layers": Int(1, 8), "solvent": "DMF"})
    >>> space.encode({"temperature": 70, "layers": 1, "solvent": "DMF"})
    array([0.5, 0. ])
    >>> space.decode(np.array([0.25, 1.0]))
    {'temperature': 45.0, 'layers': 8, 'solvent': 'DMF'}

    A plain value ("DMF" above) is fixed: it is part of every suggestion and is not searched.

    Args:
        parameters: the definition of each by name, or a space.
        where: what is known beforehand about what can be tried: sentences such as
            "catalyst + ligand <= 10", or functions of params. All of them hold for all suggestions.
    """

    def __init__(
        self,
        parameters: Mapping[str, Definition | Scalar] | Space,
        where: Sequence[Rule] = (),
    ) -> None:
        rules: list[Any] = list(rules_of(where))
        if isinstance(parameters, Space):
            rules = [*parameters.where.rules, *rules]
            parameters = parameters.definitions
        if not isinstance(parameters, Mapping):
            raise SpaceError(
                "a space is a dict such as {'temperature': pathmax.Float(20, 120)}, "
                f"got {describe(parameters)}"
            )
        check_names(parameters)
        self._given = {name: definitions.read(name, given) for name, given in parameters.items()}
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
        if not self.chosen_names:
            raise SpaceError(
                "nothing to choose: every parameter that may vary is a context, which is given; "
                "leave out context=True of one, or add a Float, Int or Categorical"
            )
        self._held: dict[int, float] = {}
        self._whole: Space | None = None
        self._fidelity = only_fidelity(self._given, self.chosen_names)
        self._where = Known.read(rules, self.variables, self.mixtures)
        self._conditions = Conditions.read(self._parameters, self.variables)
        if self._conditions is not None:
            self._where = where_present(self._where, self._conditions)
        if self._fidelity is not None:
            self._check_fidelity(self._fidelity[0])

    def _check_fidelity(self, name: str) -> None:
        """Refuse sentences about the fidelity: suggestions are chosen at its target."""
        said = list(self._where.sentences)
        said += [] if self._conditions is None else self._conditions.sentences.values()
        for sentence in said:
            if name in sentence.names:
                raise SpaceError(
                    f"{name}: is a fidelity, and what to try does not depend on it, got the "
                    f"sentence {sentence.text!r}; leave {name} out of it, or make it a Float, Int "
                    "or Categorical"
                )

    @property
    def fidelity(self) -> tuple[str, Fidelity] | None:
        """The parameter that says how closely a trial approximates what is wanted, if any."""
        return self._fidelity

    @cached_property
    def at_target(self) -> Space:
        """What may be chosen at the target fidelity; the space itself where there is none."""
        if self._fidelity is None:
            return self
        name, fidelity = self._fidelity
        return self.given({name: fidelity.target})

    @cached_property
    def activity(self) -> Activity | None:
        """Which coordinates count where; None when all do, since there are no conditions."""
        if self._conditions is None:
            return None
        return Activity(self._conditions, self._searched, self._fixed, self.axes)

    @property
    def where(self) -> Known:
        """What is known about which params can be tried."""
        return self._where

    def knowing(self, where: Sequence[Rule]) -> Space:
        """The same parameters with these known constraints and no others."""
        return Space(self._given, where)

    @property
    def definitions(self) -> Mapping[str, Definition]:
        """What was given by name: a mixture as one, where `parameters` has its components."""
        return MappingProxyType(self._given)

    @property
    def mixtures(self) -> tuple[Mixture, ...]:
        """The mixtures whose components are parameters."""
        return tuple(given for given in self._given.values() if isinstance(given, Mixture))

    @cached_property
    def limits(self) -> Limits:
        """The known constraints in coordinates, as a search needs them."""
        coordinates = Coordinates(self._searched, self.axes, self._fixed)
        return known_limits(self.where, coordinates, self.decode, self.mixtures)

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
    def context_names(self) -> tuple[str, ...]:
        """The parameters that are given and not chosen."""
        return tuple(name for name, p in self._searched.items() if p.context)

    @property
    def chosen_names(self) -> tuple[str, ...]:
        """The parameters that a suggestion chooses."""
        return tuple(name for name, p in self._searched.items() if not p.context)

    @cached_property
    def likely(self) -> Likely | None:
        """Where an expert expects the best; None without a guess."""
        found = {i: p.guess for i, p in enumerate(self._searched.values()) if p.guess is not None}
        return Likely(found) if found else None

    def given(self, values: Mapping[str, object]) -> Space:
        """The same coordinates with those of some parameters held at a value each.

        It is what may be chosen where these are given. Points, params and their order stay.
        """
        space, names = copy.copy(self), self.searched_names
        space._held, space._whole = dict(self._held), self.unheld
        for name, value in values.items():
            parameter = self._searched[name]
            clean: Any = parameter.clean(name, value)
            space._held[names.index(name)] = parameter.encode(clean)
        for cached in ("axes", "activity", "at_target"):
            vars(space).pop(cached, None)
        return space

    @property
    def unheld(self) -> Space:
        """The same with no coordinate held."""
        return self._whole or self

    @property
    def held(self) -> Mapping[int, float]:
        """The coordinates that have one value only, see `given`."""
        return MappingProxyType(self._held)

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

    def validate(self, params: Mapping[str, object]) -> dict[str, Scalar]:
        """`params` as plain Python values in the order of the space, or a `ParamsError`.

        NumPy scalars, Decimal, and 3.0 for an Int are converted. Fixed values may be absent.
        """
        if self._conditions is not None:
            return self._conditions.validate(params, self._parameters, self._fixed)
        given = complete(params, self.names, self._fixed)
        return {name: p.clean(name, given[name]) for name, p in self._parameters.items()}

    def encode(self, params: Mapping[str, object]) -> Array:  # -> (d,)
        """The point of the unit cube for `params`, which are validated first."""
        clean: dict[str, Any] = self.validate(params)  # where a condition fails, not all of them
        pairs = self._searched.items()
        return np.array([p.encode(clean[name]) if name in clean else ABSENT for name, p in pairs])

    def encode_many(self, rows: Sequence[Mapping[str, object]]) -> Array:  # n rows -> (n, d)
        """The points for many params, one row each."""
        points = points_of(self._parameters, rows) if self._conditions is None else None
        if points is None:  # one by one: names differ from row to row
            points = np.array([self.encode(params) for params in rows])
        return points.reshape(-1, self.dimension)

    def decode(self, u: Array) -> dict[str, Scalar]:  # (d,) ->
        """The params at `u`: the nearest that can be suggested, always inside the space."""
        point = np.asarray(u, dtype=np.float64)
        if point.shape != (self.dimension,) or np.isnan(point).any():
            raise ParamsError(f"expected a point of {self.dimension} numbers, got {describe(u)}")
        pairs = zip(self._searched.items(), point.tolist(), strict=True)
        found: dict[str, Scalar] = {name: p.decode(x) for (name, p), x in pairs} | self._fixed
        params = {name: found[name] for name in self.names}
        for mixture in self.mixtures:
            params |= mixture.weighed(params)
        return params if self._conditions is None else self._conditions.active(params)

    def changed(self, params: Mapping[str, Scalar], name: str, value: Scalar) -> dict[str, Scalar]:
        """Params with another value of one parameter.

        What is not active any more is left out, and what becomes active gets the middle of its
        range, or its first choice.
        """
        if self._conditions is None:
            return {**params, name: value}
        start = {other: p.start for other, p in self._searched.items()}
        filled = {**start, **self._fixed, **params, name: value}
        return self._conditions.active({other: filled[other] for other in self.names})

    is_numbered = False

    @property
    def blended_names(self) -> tuple[str, ...]:
        return tuple(name for mixture in self.mixtures for name in mixture.names)

    def choices(self, name: str) -> tuple[Scalar, ...] | None:
        return self._parameters[name].choices

    def range_of(self, name: str) -> NumberRange | None:
        parameter = self._searched.get(name)
        return parameter if isinstance(parameter, NumberRange) else None

    def describe(self, name: str, show: Callable[[Scalar], str] = str) -> str:
        return self._parameters[name].describe(show)

    def outline(self) -> dict[str, Any]:
        return self.to_json()

    def entries(self) -> dict[str, dict[str, Any]]:
        return {
            name: p.entries()
            | ({} if p.when is None else {"when": p.when})
            | ({"context": True} if p.context else {})
            for name, p in self._given.items()
        }

    def locate(self, params: Mapping[str, object]) -> tuple[Array, None]:
        return self.encode(params), None

    def settle(self, points: Array) -> Array:  # (m, d) -> (m, d)
        """The same points, with the coordinates of parameters that are not active `ABSENT`."""
        return points if self.activity is None else self.activity.settle(points)

    def project(self, points: Array) -> Array:  # (n, d) -> (n, d)
        """The nearest points that can be suggested: encode(decode(u)) for each row."""
        return self.encode_many([self.decode(u) for u in points])

    def from_uniform(self, uniform: Array) -> Array:  # (n, d) -> (n, d)
        """Points for uniform numbers of [0, 1), such as a design: choices and integers alike."""
        columns = [axis.from_uniform(v) for axis, v in zip(self.axes, uniform.T, strict=True)]
        return self.project(np.column_stack(columns))

    def to_json(self) -> dict[str, Any]:
        """A dict that `json.dumps` takes; a list inside keeps the order of the parameters."""
        return {
            "kind": "space",
            "parameters": [definitions.to_json(name, p) for name, p in self._given.items()],
        } | ({"where": rules} if (rules := self.where.to_json()) else {})

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Space:
        """The space that `to_json` wrote."""
        parameters = {entry["name"]: definitions.from_json(entry) for entry in data["parameters"]}
        return cls(parameters, data.get("where", ()))

    def difference(self, other: object) -> list[str]:
        """What changed from this space to `other`, a sentence each; empty when nothing did."""
        if not isinstance(other, Space):
            return [f"a space of {len(self.names)} parameters became a {type(other).__name__}"]
        before, after = self._given, other._given
        altered = [
            f"{name} was {before[name]!r} and is now {after[name]!r}"
            for name in before
            if name in after and repr(before[name]) != repr(after[name])
        ]
        altered += self.where.difference(other.where)
        return changed_names(tuple(before), tuple(after), altered)

    def __getstate__(self) -> dict[str, Any]:
        # limits have functions of their own inside, which no other process could read
        return {name: part for name, part in vars(self).items() if name != "limits"}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Space) and not self.difference(other)

    def __hash__(self) -> int:
        return hash(self.names)

    def __repr__(self) -> str:
        inside = ", ".join(f"{name!r}: {p!r}" for name, p in self._given.items())
        rules = self.where.to_json()
        where = f", where={rules!r}" if rules else ""
        return f"Space({{{inside}}}{where})"
