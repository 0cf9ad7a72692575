"""Grid: every combination of the values on some axes, counted but never written out.

    Grid({"pH": [6, 6.5, 7], "buffer": ["Tris", "HEPES"]})

    index    0    1    2    3    4    5         the last axis runs fastest
    pH       6    6    6.5  6.5  7    7
    buffer   Tris HEP  Tris HEP  Tris HEP

Numbers are sorted and scaled to [0, 1]; text keeps its order and is a category.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pathmax.arrays import Array
from pathmax.errors import SpaceError
from pathmax.scalars import Scalar, describe, plain
from pathmax.space.axes import Axis
from pathmax.space.checks import check_names, checked_contexts, with_defaults
from pathmax.space.constraint_parts import Limits
from pathmax.space.coordinates import Coordinates
from pathmax.space.differences import changed_contexts, changed_fidelity, changed_names
from pathmax.space.expert_prior import refuse_guess
from pathmax.space.fidelity import Fidelity, only_fidelity
from pathmax.space.grid_axes import (
    axis_of,
    axis_values_of,
    parameter_of,
    rounded_place,
    show_values,
    stored_axis,
)
from pathmax.space.known_constraints import Known, Rule, refuse_fidelity
from pathmax.space.known_limits import allowed_cells, known_limits
from pathmax.space.parameter_space import ParameterSpace
from pathmax.space.parameter_words import listed
from pathmax.space.sentence_parts import Variable
from pathmax.space.sought_rows import row_number

__all__ = ["Grid"]


class Grid(ParameterSpace):
    """Every combination of the values given for each parameter.

    Numbers may have any spacing; text, True/False and None make a categorical axis. A grid may
    have any size: only a small one is gone through combination by combination. `where` has known
    constraints, `context` the axes that are given and not chosen, as for `Candidates`. One axis may
    be a `Fidelity` with listed values.

    >>> grid = Grid({"pH": [6, 6.5, 7], "buffer": ["Tris", "HEPES"]})
    >>> len(grid), grid.params(3)
    (6, {'pH': 6.5, 'buffer': 'HEPES'})
    """

    def __init__(
        self,
        axes: Mapping[str, Iterable[Scalar] | Scalar | Fidelity],
        where: Sequence[Rule] = (),
        context: Sequence[str] = (),
        likely: object = None,
        replicates: object = None,
    ) -> None:
        refuse_guess(likely, replicates)
        if not isinstance(axes, Mapping):
            raise SpaceError(f"a grid is a dict such as {{'pH': [6, 7]}}, got {describe(axes)}")
        if not axes:
            raise SpaceError("the grid has no axes; give at least one parameter with its values")
        check_names(axes)
        self._values = {name: axis_values_of(name, given) for name, given in axes.items()}
        levels = {name: a.checked(name) for name, a in axes.items() if isinstance(a, Fidelity)}
        self._fidelity = only_fidelity(levels, list(axes))
        self._where = Known.read(where, {n: Variable(v) for n, v in self._values.items()})
        refuse_fidelity(self._fidelity, self._where.sentences)
        chosen = [name for name in self._values if name not in levels]
        self._context = checked_contexts(context, chosen, "an axis of the grid")
        self._held, self._whole = {}, None

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters, in order."""
        return tuple(self._values)

    searched_names = names

    @property
    def values(self) -> dict[str, tuple[Scalar, ...]]:
        """The values on each axis, in your units and in the order that counts."""
        return dict(self._values)

    def knowing(self, where: Sequence[Rule]) -> Grid:
        """The same grid with these known constraints and no others."""
        return Grid(self._values | self._levels, where, self._context)

    @property
    def _levels(self) -> dict[str, Any]:
        """The fidelity by its name, if there is one."""
        return {} if self._fidelity is None else dict([self._fidelity])

    @property
    def fidelity(self) -> tuple[str, Fidelity] | None:
        """The axis that says how closely a point is tried; None if there is none."""
        return self._fidelity

    def given(self, values: Mapping[str, object]) -> Self:
        """The same grid with some axes held at one value: what may be chosen where it is given."""
        grid: Any = self.knowing(self.where.rules)
        grid._held, grid._whole = dict(self._held), self.unheld
        for name, value in values.items():
            column = self.names.index(name)
            grid._held[column] = float(self.axis_values[column][self._position(name, plain(value))])
        return grid  # type: ignore[no-any-return]

    @property
    def shape(self) -> tuple[int, ...]:
        """How many values each axis has."""
        return tuple(len(values) for values in self._values.values())

    @property
    def dimension(self) -> int:
        """d, the number of axes."""
        return len(self._values)

    @property
    def cardinality(self) -> int:
        """How many combinations there are to choose from, however many."""
        return math.prod(1 if i in self._held else size for i, size in enumerate(self.shape))

    def __len__(self) -> int:
        return math.prod(self.shape)

    @cached_property
    def axes(self) -> tuple[Axis, ...]:
        """What each coordinate may be: sorted numbers of [0, 1], or codes."""
        held = self._held
        return tuple(a.held(held[i]) if i in held else a for i, a in enumerate(self._axes))

    @cached_property
    def _axes(self) -> tuple[Axis, ...]:
        axes = {name: axis_of(values) for name, values in self._values.items()}
        return tuple((axes | {name: f.axis for name, f in self._levels.items()}).values())

    @property
    def axis_values(self) -> list[Array]:
        """The coordinates along each axis."""
        return [axis.values for axis in self._axes if axis.values is not None]

    def params(self, index: int) -> dict[str, Scalar]:
        """The combination at flat `index`; the last axis runs fastest."""
        remainder, cells = row_number(index, math.prod(self.shape), "grid"), []
        for values in reversed(self._values.values()):
            remainder, position = divmod(remainder, len(values))
            cells.append(values[position])
        return dict(zip(self.names, reversed(cells), strict=True))

    def index(self, params: Mapping[str, object]) -> int:
        """The flat index of a combination, or a `ParamsError`."""
        flat = 0
        for position, length in zip(self._positions(params), self.shape, strict=True):
            flat = flat * length + position
        return flat

    def validate(self, params: Mapping[str, object]) -> dict[str, Scalar]:
        """The combination that `params` are, as it was given, or a `ParamsError`."""
        positions = zip(self._values.items(), self._positions(params), strict=True)
        return {name: values[position] for (name, values), position in positions}

    def encode(self, params: Mapping[str, object]) -> Array:  # -> (d,)
        """The coordinates of a combination."""
        pairs = zip(self.axis_values, self._positions(params), strict=True)
        return np.array([values[position] for values, position in pairs])

    def encode_many(self, rows: Sequence[Mapping[str, object]]) -> Array:  # n rows -> (n, d)
        """The coordinates of many combinations, one row each."""
        return np.array([self.encode(params) for params in rows]).reshape(-1, self.dimension)

    def encode_rows(self, indices: Sequence[int] | NDArray[np.intp]) -> Array:  # m -> (m, d)
        """The coordinates of the combinations at flat `indices`."""
        endless = math.prod(self.shape) > 2**62  # numbers of its points are Python's own
        flat = np.asarray(indices, dtype=object if endless else np.int64)
        columns = []
        for values in reversed(self.axis_values):
            flat, positions = flat // len(values), flat % len(values)
            columns.append(values[np.asarray(positions, dtype=np.intp)])
        return np.column_stack(columns[::-1]).reshape(-1, self.dimension)

    @cached_property
    def allowed_rows(self) -> NDArray[np.intp]:
        """The numbers of the combinations that obey the known constraints. Goes through all."""
        return allowed_cells(self.where, self._values, self.params)

    @cached_property
    def encoded_allowed(self) -> Array:  # (n, d)
        """The coordinates of those combinations."""
        return self.encode_rows(self.allowed_rows)

    @cached_property
    def limits(self) -> Limits:
        """The known constraints in coordinates, for a grid too large to go through."""
        parameters = {name: parameter_of(name, values) for name, values in self._values.items()}
        parameters |= {name: fidelity.parameter for name, fidelity in self._levels.items()}
        return known_limits(self.where, Coordinates(parameters, self.axes, {}), self.decode)

    def decode(self, u: Array) -> dict[str, Scalar]:  # (d,) ->
        """The combination nearest to u."""
        found: dict[str, Scalar] = {}
        for (name, values), places, x in zip(
            self._values.items(), self.axis_values, u, strict=True
        ):
            found[name] = values[int(np.argmin(np.abs(places - x)))]
        return found

    def choices(self, name: str) -> tuple[Scalar, ...]:
        return self._values[name]

    def describe(self, name: str, show: Callable[[Scalar], str] = str) -> str:
        given = ", given and not chosen" if name in self._context else ""
        return listed(self._values[name], show) + given

    def outline(self) -> dict[str, Any]:
        axes = self._values.items()
        shown = [{"name": name, "type": "values", "values": list(each)} for name, each in axes]
        return {"kind": "grid", "parameters": shown}

    def entries(self) -> dict[str, dict[str, Any]]:
        return {
            name: {"values": list(values)} | ({"context": True} if name in self._context else {})
            for name, values in self._values.items()
        } | {name: fidelity.entries() for name, fidelity in self._levels.items()}

    def locate(self, params: Mapping[str, object]) -> tuple[Array, int]:
        row = self.index(params)
        return self.encode_rows([row])[0], row

    def to_json(self) -> dict[str, Any]:
        """A dict that `json.dumps` takes; a list inside keeps the order of the axes."""
        said = {name: {"values": list(values)} for name, values in self._values.items()}
        said |= {name: {"fidelity": each.to_json()} for name, each in self._levels.items()}
        axes = [{"name": name, **entry} for name, entry in said.items()]
        return {"kind": "grid", "axes": axes} | self._stated()

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Grid:
        """The grid that `to_json` wrote."""
        axes = {axis["name"]: stored_axis(axis) for axis in data["axes"]}
        return cls(axes, data.get("where", ()), data.get("context", ()))

    @property
    def size_words(self) -> str:
        return f"a grid of {self.cardinality} points"

    def changes_to(self, other: Grid) -> list[str]:
        before, after = self._values, other._values
        altered = [
            f"the values of {name} were {show_values(before[name])} and are now "
            f"{show_values(after[name])}"
            for name in before
            if name in after and before[name] != after[name]
        ]
        altered += changed_fidelity(self._fidelity, other._fidelity)
        altered += self.where.difference(other.where)
        altered += changed_contexts(self._context, other._context)
        return changed_names(self.names, other.names, altered)

    def __hash__(self) -> int:
        return hash(tuple(self._values.items()))

    def __repr__(self) -> str:
        shown = {name: show_values(values) for name, values in self._values.items()}
        shown |= {name: repr(fidelity) for name, fidelity in self._levels.items()}
        inside = ", ".join(f"{name!r}: {values}" for name, values in shown.items())
        more = "".join(f", {name}={said!r}" for name, said in self._stated().items())
        return f"Grid({{{inside}}}{more})"

    @cached_property
    def _lookup(self) -> dict[str, dict[tuple[bool, Scalar], int]]:
        return {
            name: {(isinstance(value, bool), value): i for i, value in enumerate(values)}
            for name, values in self._values.items()
        }

    def _positions(self, params: Mapping[str, object]) -> list[int]:
        single = {name: values[0] for name, values in self._values.items() if len(values) == 1}
        given = with_defaults(params, self.names, single)
        return [self._position(name, plain(given[name])) for name in self.names]

    def _position(self, name: str, value: object) -> int:
        values = self._values[name]
        try:
            return self._lookup[name][isinstance(value, bool), value]  # type: ignore[index]
        except (KeyError, TypeError):
            return rounded_place(name, value, values)
