"""Embedding: points with further coordinates, computed from those that they have.

    x  ->  (x, properties of its categories, arcs of its conditional numbers)

properties   a row of a table for each category: categories that are alike lie near each other
arcs         a number u that may be absent becomes two, (2/pi) (sin pi u/2, cos pi u/2), and the
             centre (0, 0) where it is absent: as far from there to all of its values, and along
             the arc as far as along u (Swersky et al. 2014, arXiv 1409.4011)

A kernel of the embedded points is a kernel, and its sample paths are those of the inner kernel at
the embedded points: see `kernels.embedded`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import ModelError

RADIUS = 2.0 / math.pi  # so that a short way along the arc is as long as along u


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
    """x -> (x, ...); the coordinates of `arcs` are absent where they are negative."""

    properties: tuple[Properties, ...] = ()
    arcs: tuple[int, ...] = ()

    @cached_property
    def extra(self) -> int:
        """How many coordinates it adds."""
        return sum(len(each.rows[0]) for each in self.properties) + 2 * len(self.arcs)

    def __call__(self, X: Array) -> Array:  # (n, d) -> (n, d + extra)
        columns = [X, *(each.of(X[:, each.coordinate]) for each in self.properties)]
        if self.arcs:
            angles, there = self._angles(X)
            columns += [RADIUS * np.sin(angles) * there, RADIUS * np.cos(angles) * there]
        return np.concatenate(columns, axis=1)

    def pull(self, G: Array, X: Array) -> Array:  # (..., n, d + extra), (n, d) -> (..., n, d)
        """A gradient at the embedded points as one at the points themselves."""
        d = X.shape[1]
        pulled = G[..., :d].copy()
        if self.arcs:  # d/du of (2/pi) sin(pi u / 2) is cos(pi u / 2)
            angles, there = self._angles(X)
            at = d + self.extra - 2 * len(self.arcs)
            by_sin, by_cos = np.split(G[..., at:], 2, axis=-1)
            pulled[..., self.arcs] += (np.cos(angles) * by_sin - np.sin(angles) * by_cos) * there
        return pulled

    def _angles(self, X: Array) -> tuple[Array, Array]:  # -> (n, a), (n, a)
        u = X[:, list(self.arcs)]
        return 0.5 * math.pi * u, np.asarray(u >= 0.0, dtype=float)

    def to_json(self) -> dict[str, Any]:
        """What `from_json` makes it from."""
        properties = [
            {"coordinate": each.coordinate, "rows": each.rows.tolist()} for each in self.properties
        ]
        return {"properties": properties, "arcs": list(self.arcs)}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Embedding:
        """The embedding that `to_json` wrote."""
        properties = (
            Properties(int(each["coordinate"]), np.array(each["rows"], dtype=float))
            for each in stored["properties"]
        )
        return cls(tuple(properties), tuple(int(i) for i in stored["arcs"]))
