"""Space: parameters in the user's units <-> points u of the unit cube.

A point has one coordinate per parameter, in the order of the space; fixed values have none.

    {"rate": Float(1e-4, 1e-1, log=True), "layers": Int(1, 3), "base": Categorical(["KOH", "Et3N"])}

    {"rate": 1e-4, "layers": 1, "base": "KOH"}     <->    u = (0.0, 0.0, 0.0)
    {"rate": 1e-1, "layers": 2, "base": "Et3N"}    <->    u = (1.0, 0.5, 1.0)

Numbers lie in [0, 1], whole numbers on a lattice within it; a choice is its position 0 .. k - 1.
`decode` is defined everywhere and `encode` inverts it exactly. Params become coordinates here
(and in `grid` and `row_pool`, for finite domains) and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import ParamsError
from pathmax.scalars import Scalar, describe
from pathmax.space import definitions
from pathmax.space.axes import ABSENT, Axis
from pathmax.space.checks import with_defaults
from pathmax.space.constraint_parts import Limits
from pathmax.space.differences import changed_names
from pathmax.space.known_limits import known_limits
from pathmax.space.last_digits import Bound, bounds_in, keep_to_the_last_digit
from pathmax.space.many_points import all_fit, points_of
from pathmax.space.parameter_table import ParameterTable
from pathmax.space.parameters import Categorical, Fixed, Float, Int, Parameter

SAME_NUMBER = 1e-12  # of a range: nearer than this two numbers are one that was rounded

__all__ = ["Axis", "Categorical", "Fixed", "Float", "Int", "Parameter", "Scalar", "Space"]


class Space(ParameterTable):
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

    is_numbered = False

    @cached_property
    def limits(self) -> Limits:
        """The known constraints in coordinates, as a search needs them."""
        return known_limits(self.where, self._coordinates, self.decode, self.mixtures)

    @cached_property
    def _bounds(self) -> list[Bound]:
        return bounds_in(self.where.sentences) if self._movable else []

    @cached_property
    def _movable(self) -> dict[str, Float]:
        """The numbers that may be any of a range and are chosen, of which sentences speak."""
        weighed = {name for mixture in self.mixtures for name in mixture.components}
        spoken = {name for sentence in self.where.sentences for name in sentence.names}
        return {
            name: p
            for name, p in self._searched.items()
            if isinstance(p, Float) and p.cardinality is None and not p.context
            if name in spoken - weighed
        }

    def validate(self, params: Mapping[str, object]) -> dict[str, Scalar]:
        """`params` as plain Python values in the order of the space, or a `ParamsError`.

        NumPy scalars, Decimal, and 3.0 for an Int are converted. Fixed values may be absent.
        """
        if self._conditions is not None:
            return self._conditions.validate(params, self._parameters, self._fixed)
        given = with_defaults(params, self.names, self._fixed)
        return {name: p.clean(name, given[name]) for name, p in self._parameters.items()}

    def encode(self, params: Mapping[str, object]) -> Array:  # -> (d,)
        """The point of the unit cube for `params`, which are validated first."""
        clean: dict[str, Any] = self.validate(params)  # where a condition fails, not all of them
        pairs = self._searched.items()
        return np.array([p.encode(clean[name]) if name in clean else ABSENT for name, p in pairs])

    def encode_many(self, rows: Sequence[Mapping[str, object]]) -> Array:  # n rows -> (n, d)
        """The points for many params, one row each."""
        together = self._conditions is None and len(rows) > 1  # one takes a tenth of the time alone
        points = points_of(self._parameters, rows) if together else None
        if points is None:  # one by one: names differ from row to row
            points = np.array([self.encode(params) for params in rows])
        return points.reshape(-1, self.dimension)

    def holds_all(self, rows: Sequence[Mapping[str, object]]) -> bool:
        """Whether every one of the params is certain to be in the space; quick, for many rows."""
        return self._conditions is None and all_fit(self._parameters, rows)

    def decode(self, u: Array) -> dict[str, Scalar]:  # (d,) ->
        """The params at `u`: the nearest that can be suggested, always inside the space."""
        point = np.asarray(u, dtype=np.float64)
        if point.shape != (self.dimension,) or np.isnan(point).any():
            raise ParamsError(f"expected a point of {self.dimension} numbers, got {describe(u)}")
        pairs = zip(self._searched.items(), point.tolist(), strict=True)
        found: dict[str, Scalar] = {name: p.decode(x) for (name, p), x in pairs} | self._fixed
        for column, (x, value) in self._exact.items():
            if abs(point[column] - x) < SAME_NUMBER:
                found[self.searched_names[column]] = value
        params = {name: found[name] for name in self.names}
        for mixture in self.mixtures:
            params |= mixture.weighed(params)
        params = params if self._conditions is None else self._conditions.active(params)
        return keep_to_the_last_digit(params, self._bounds, self._movable)

    def changed(self, params: Mapping[str, Scalar], name: str, value: Scalar) -> dict[str, Scalar]:
        """Params with another value of one parameter.

        What is not active any more is left out, and what becomes active gets the middle of its
        range, or its first choice. The other components of a mixture keep their ratios.
        """
        params = {**params, name: value} | self._blended(params, name, value)
        if self._conditions is None:
            return params
        start = {other: p.start for other, p in self._searched.items()}
        filled = {**start, **self._fixed, **params}
        return self._conditions.active({other: filled[other] for other in self.names})

    def _blended(self, params: Mapping[str, Scalar], name: str, value: Scalar) -> dict[str, Scalar]:
        found = (mixture for mixture in self.mixtures if name in mixture.components)
        return next((m.with_amount(params, name, value) for m in found), {})

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

    def outline(self) -> dict[str, Any]:
        return self.to_json()

    @property
    def size_words(self) -> str:
        return f"a space of {len(self.names)} parameters"

    def changes_to(self, other: Space) -> list[str]:
        before, after = self._given, other._given
        altered = [
            f"{name} was {before[name]!r} and is now {after[name]!r}"
            for name in before
            if name in after and repr(before[name]) != repr(after[name])
        ]
        altered += self.where.difference(other.where)
        return changed_names(tuple(before), tuple(after), altered)

    def __hash__(self) -> int:
        return hash(self.names)

    def __repr__(self) -> str:
        inside = ", ".join(f"{name!r}: {p!r}" for name, p in self._given.items())
        rules = self.where.to_json()
        where = f", where={rules!r}" if rules else ""
        return f"Space({{{inside}}}{where})"
