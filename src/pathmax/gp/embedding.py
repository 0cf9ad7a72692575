"""Embedding: points as a kernel sees them, where coordinates alone do not say all.

    x  ->  (x with 0.5 in place of absent numbers, properties of its categories)

properties   a row of a table for each category: categories that are alike lie near each other
middles      a number that is absent (its coordinate is negative) lies in the middle of its range.
             The arcs of Swersky et al. (2014, arXiv 1409.4011), in which an absent number is
             equally far from all of its values, do no better (benchmarks/conditional.md)

A kernel of the embedded points is a kernel, and its sample paths are those of the inner kernel at
the embedded points: see `kernels.embedded`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import ModelError

MIDDLE = 0.5


@final
@dataclass(frozen=True, eq=False)
class Properties:
    """What is known of the categories of one coordinate: a row (q,) for each code 0, 1, ...

    A negative code is an absent one: 0 everywhere, the average of standardised properties.
    """

    coordinate: int
    rows: Array  # (k, q)

    def __post_init__(self) -> None:
        rows = np.array(self.rows, dtype=float)
        if rows.ndim != 2 or not rows.size or not np.isfinite(rows).all():
            raise ModelError(f"properties are a table of finite numbers, got {self.rows!r}")
        rows.setflags(write=False)
        object.__setattr__(self, "rows", rows)

    def of(self, codes: Array) -> Array:  # (n,) -> (n, q)
        """The rows of some codes."""
        places = np.clip(np.rint(codes), 0, len(self.rows) - 1).astype(np.intp)
        return np.where((codes < 0.0)[:, None], 0.0, self.rows[places])


@final
@dataclass(frozen=True, eq=False)
class Embedding:
    """x -> (x, properties); of the coordinates `middles` the negative ones are absent."""

    properties: tuple[Properties, ...] = ()
    middles: tuple[int, ...] = ()

    @cached_property
    def extra(self) -> int:
        """How many coordinates it adds."""
        return sum(len(each.rows[0]) for each in self.properties)

    def __call__(self, X: Array) -> Array:  # (n, d) -> (n, d + extra)
        columns = [X, *(each.of(X[:, each.coordinate]) for each in self.properties)]
        whole = np.concatenate(columns, axis=1)
        for i in self.middles:
            whole[X[:, i] < 0.0, i] = MIDDLE
        return whole

    def pull(self, G: Array, X: Array) -> Array:  # (..., n, d + extra), (n, d) -> (..., n, d)
        """A gradient at the embedded points as one at the points themselves."""
        pulled = G[..., : X.shape[1]].copy()
        for i in self.middles:
            pulled[..., i] *= X[:, i] >= 0.0
        return pulled

    def to_json(self) -> dict[str, Any]:
        """What `from_json` makes it from."""
        properties = [
            {"coordinate": each.coordinate, "rows": each.rows.tolist()} for each in self.properties
        ]
        return {"properties": properties, "middles": list(self.middles)}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Embedding:
        """The embedding that `to_json` wrote."""
        properties = (
            Properties(int(each["coordinate"]), np.array(each["rows"], dtype=float))
            for each in stored["properties"]
        )
        return cls(tuple(properties), tuple(int(i) for i in stored["middles"]))
