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

import dataclasses
import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathmax.arrays import Array
from pathmax.errors import ParamsError, SpaceError
from pathmax.scalars import Scalar, describe, plain
from pathmax.space.activity import Activity
from pathmax.space.axes import ABSENT, MAX_LISTED_VALUES, Axis
from pathmax.space.checks import check_names, complete
from pathmax.space.conditions import Conditions
from pathmax.space.coordinates import Coordinates
from pathmax.space.descriptors import Descriptors
from pathmax.space.known_constraints import Known, Rule, rules_of
from pathmax.space.limits import Limits, limits_of
from pathmax.space.mixtures import Mixture
from pathmax.space.parameters import Categorical, Fixed, Float, Int, Parameter
from pathmax.space.sentence_meaning import Variable

__all__ = ["Axis", "Categorical", "Fixed", "Float", "Int", "Parameter", "Scalar", "Space"]

OPTIONAL = ("digits", "values", "descriptors", "when")  # stored only where they say something


class Space:
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
        parameters: Mapping[str, Parameter | Mixture | Scalar] | Space,
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
        self._given: dict[str, Parameter | Mixture] = {
            name: (given if isinstance(given, Mixture) else _parameter(name, given)).checked(name)
            for name, given in parameters.items()
        }
        self._parameters = _components(self._given)
        self._searched = {
            name: parameter
            for name, parameter in self._parameters.items()
            if not isinstance(parameter, Fixed)
        }
        if not self._searched:
            raise SpaceError(
                "nothing to search: the space has no parameter that may vary; "
                "add a Float, Int or Categorical"
            )
        self._where = Known.read(rules, self.variables, self.mixtures)
        self._conditions = Conditions.read(self._parameters, self.variables)
        if self._where and self._conditions is not None:
            raise SpaceError(
                "a space takes known constraints (where, or a Mixture) or conditions (when), not "
                "both yet; leave out one of them"
            )

    @cached_property
    def activity(self) -> Activity | None:
        """Which coordinates count where; None when all do, since there are no conditions."""
        if self._conditions is None:
            return None
        return Activity(self._conditions, self._parameters, self.axes)

    @property
    def where(self) -> Known:
        """What is known about which params can be tried."""
        return self._where

    def knowing(self, where: Sequence[Rule]) -> Space:
        """The same parameters with these known constraints and no others."""
        return Space(self._given, where)

    @property
    def definitions(self) -> Mapping[str, Parameter | Mixture]:
        """What was given by name: a mixture as one, where `parameters` has its components."""
        return MappingProxyType(self._given)

    @property
    def mixtures(self) -> tuple[Mixture, ...]:
        """The mixtures whose components are parameters."""
        return tuple(given for given in self._given.values() if isinstance(given, Mixture))

    @cached_property
    def limits(self) -> Limits:
        """The known constraints in coordinates, as a search needs them."""
        fixed = {name: p.value for name, p in self._parameters.items() if isinstance(p, Fixed)}
        coordinates = Coordinates(self._searched, self.axes, fixed)

        def holds(U: Array) -> NDArray[np.bool_]:  # (m, d) -> (m,)
            return self.where.mask(coordinates.exact(U), lambda row: self.decode(U[row]))

        opaque = bool(self.where.functions)
        sentences = (*self.where.sentences, *self.where.sums)
        sparse = [
            (tuple(coordinates.column(name) for name in few[0]), few[1])
            for mixture in self.mixtures
            if (few := mixture.occasional) is not None
        ]
        return limits_of(sentences, coordinates, holds, opaque=opaque, sparse=sparse)

    @property
    def variables(self) -> Mapping[str, Variable]:
        """The parameters as sentences know them."""
        return {name: _variable(parameter) for name, parameter in self._parameters.items()}

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
    def dimension(self) -> int:
        """d, the number of coordinates; fixed values have none."""
        return len(self._searched)

    @cached_property
    def axes(self) -> tuple[Axis, ...]:
        """What each coordinate may be."""
        axes = (_axis(parameter) for parameter in self._searched.values())
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
        sizes = [parameter.cardinality for parameter in self._parameters.values()]
        if self.activity is not None:
            return self.activity.count()
        return math.prod(s for s in sizes if s is not None) if None not in sizes else None

    def validate(self, params: Mapping[str, object]) -> dict[str, Scalar]:
        """`params` as plain Python values in the order of the space, or a `ParamsError`.

        NumPy scalars, Decimal, and 3.0 for an Int are converted. Fixed values may be absent.
        """
        fixed = {name: p.value for name, p in self._parameters.items() if isinstance(p, Fixed)}
        if self._conditions is not None:
            return self._conditions.validate(params, self._parameters, fixed)
        given = complete(params, self.names, fixed)
        return {name: p.clean(name, given[name]) for name, p in self._parameters.items()}

    def encode(self, params: Mapping[str, object]) -> Array:  # -> (d,)
        """The point of the unit cube for `params`, which are validated first."""
        clean = self.validate(params)
        if self._conditions is not None:
            return np.array(
                [
                    _encode(p, clean[name]) if name in clean else ABSENT
                    for name, p in self._searched.items()
                ]
            )
        return np.array([_encode(p, clean[name]) for name, p in self._searched.items()])

    def encode_many(self, rows: Sequence[Mapping[str, object]]) -> Array:  # n rows -> (n, d)
        """The points for many params, one row each."""
        return np.array([self.encode(params) for params in rows]).reshape(-1, self.dimension)

    def decode(self, u: Array) -> dict[str, Scalar]:  # (d,) ->
        """The params at `u`: the nearest that can be suggested, always inside the space."""
        point = iter(_coordinates(u, self.dimension))
        params: dict[str, Scalar] = {
            name: p.value if isinstance(p, Fixed) else p.decode(next(point))
            for name, p in self._parameters.items()
        }
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
        middle = {other: p.decode(0.5) for other, p in self._searched.items()}
        first = {n: p.choices[0] for n, p in self._searched.items() if isinstance(p, Categorical)}
        fixed = {n: p.value for n, p in self._parameters.items() if isinstance(p, Fixed)}
        filled = middle | first | fixed | {**params, name: value}
        return self._conditions.active({other: filled[other] for other in self.names})

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
            "parameters": [
                {"name": name, "type": type(p).__name__.lower()}
                | (p.to_json() if isinstance(p, Mixture) else _definition(p))
                for name, p in self._given.items()
            ],
        } | ({"where": rules} if (rules := self.where.to_json()) else {})

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Space:
        """The space that `to_json` wrote."""
        parameters = {entry["name"]: _parameter_from_json(entry) for entry in data["parameters"]}
        return cls(parameters, data.get("where", ()))

    def difference(self, other: object) -> list[str]:
        """What changed from this space to `other`, a sentence each; empty when nothing did."""
        if not isinstance(other, Space):
            return [f"a space of {len(self.names)} parameters became a {type(other).__name__}"]
        before, after = self._given, other._given
        altered = [
            f"{name} was {show(before[name])} and is now {show(after[name])}"
            for name in before
            if name in after and show(before[name]) != show(after[name])
        ]
        altered += self.where.difference(other.where)
        return differences(tuple(before), tuple(after), altered)

    def __getstate__(self) -> dict[str, Any]:
        # limits have functions of their own inside, which no other process could read
        return {name: part for name, part in vars(self).items() if name != "limits"}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Space) and not self.difference(other)

    def __hash__(self) -> int:
        return hash(self.names)

    def __repr__(self) -> str:
        inside = ", ".join(f"{name!r}: {show(p)}" for name, p in self._given.items())
        rules = self.where.to_json()
        where = f", where={rules!r}" if rules else ""
        return f"Space({{{inside}}}{where})"


def show(parameter: Parameter | Mixture) -> str:
    """A parameter as it would be written in Python."""
    if isinstance(parameter, Fixed):
        return repr(parameter.value)
    return repr(parameter)


def differences(before: Sequence[str], after: Sequence[str], altered: list[str]) -> list[str]:
    """Which names went, came or moved, a sentence each, and the sentences on what was altered."""
    sentences = [f"{name} was removed" for name in before if name not in after]
    sentences += [f"{name} was added" for name in after if name not in before]
    sentences += altered
    if not sentences and before != after:
        sentences.append(f"the order was {before} and is now {after}")
    return sentences


def _encode(parameter: Float | Int | Categorical, value: Any) -> float:
    return parameter.encode(value)


def _coordinates(u: Array, dimension: int) -> list[float]:
    point = np.asarray(u, dtype=np.float64)
    if point.shape != (dimension,) or np.isnan(point).any():
        raise ParamsError(f"expected a point of {dimension} numbers, got {describe(u)}")
    coordinates: list[float] = point.tolist()
    return coordinates


def _axis(parameter: Float | Int | Categorical) -> Axis:
    size = parameter.cardinality
    if size is None:
        return Axis("float")
    if isinstance(parameter, Categorical):
        return Axis("categorical", np.arange(size, dtype=np.float64), parameter.properties)
    if size > MAX_LISTED_VALUES:
        return Axis("int")
    if parameter.levels is not None:
        return Axis("int", np.array(parameter.levels.coordinates))
    if isinstance(parameter, Float):
        return Axis("int", np.array([k / (size - 1) for k in range(size)]))
    levels = range(parameter.low, parameter.high + 1, parameter.step)
    return Axis("int", np.array([parameter.encode(x) for x in levels]))


def _components(given: Mapping[str, Parameter | Mixture]) -> dict[str, Parameter]:
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
        else:
            parameters[name] = definition
    check_names(parameters)
    return {name: p.checked(name) for name, p in parameters.items()}


def _variable(parameter: Parameter) -> Variable:
    if isinstance(parameter, Fixed):
        return Variable((parameter.value,))
    return Variable(parameter.choices if isinstance(parameter, Categorical) else None)


def _parameter(name: str, given: object) -> Parameter:
    if isinstance(given, Float | Int | Categorical | Fixed):
        return given
    value = plain(given)
    if value is None or isinstance(value, str | int | float | bool):
        return Fixed(value)
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


def _definition(parameter: Parameter) -> dict[str, Any]:
    """Its fields; those that say nothing are left out, so that others are stored as ever."""
    fields = {field.name: getattr(parameter, field.name) for field in dataclasses.fields(parameter)}
    if isinstance(parameter, Float | Int) and parameter.step == type(parameter).step:
        del fields["step"]
    for name in OPTIONAL:
        if fields.get(name, ()) is None:
            del fields[name]
    for name in ("choices", "values"):
        if name in fields:
            fields[name] = list(fields[name])
    if isinstance(described := fields.get("descriptors"), Descriptors):
        fields["descriptors"] = described.to_json()
    return fields


def _parameter_from_json(entry: Mapping[str, Any]) -> Parameter | Mixture:
    kind = entry["type"]
    more = {name: entry[name] for name in OPTIONAL if name in entry}
    if kind == "float":
        return Float(entry["low"], entry["high"], entry["log"], entry.get("step"), **more)
    if kind == "int":
        return Int(entry["low"], entry["high"], entry["log"], entry.get("step", 1), **more)
    if kind == "categorical":
        if "descriptors" in more:
            more["descriptors"] = Descriptors.from_json(more["descriptors"])
        return Categorical(entry["choices"], **more)
    if kind == "mixture":
        return Mixture.from_json(entry)
    if kind == "fixed":
        return Fixed(entry["value"])
    raise SpaceError(f"{entry['name']}: unknown type {kind!r}; it was written by a newer version")
