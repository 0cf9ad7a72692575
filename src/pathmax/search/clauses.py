"""Known constraints as arrays: which parts a point keeps, and the polytope about it that they make.

A constraint is a list of clauses, in each of which one part holds: a row low <= a'u <= high, a
curve low <= h(u) <= high, or a coordinate that is one of some values. At a point every clause is
represented by the part that holds most clearly, or comes closest; these parts together make a
convex piece of the domain about the point, in which a search can climb: curves are taken to be
straight there, and whoever uses the piece looks at `holds` afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, final

import numpy as np

from pathmax.arrays import Array, Index, Mask
from pathmax.search.polytope import FLAT
from pathmax.space.constraint_parts import AllowedValues, Curve, Limits

MEMBER_MISS = 0.3  # what a wrong choice counts as, where a number counts by how far off it is


class Polytopes(NamedTuple):
    """The polytopes about some points."""

    A: Array  # (R, d), or (m, R, d) when there are curves
    low: Array  # (m, R)
    high: Array  # (m, R)

    @property
    def equations(self) -> Mask:  # (m, R)
        """Rows with one value only."""
        return np.asarray(self.high - self.low <= FLAT)

    def of(self, points: Index) -> Polytopes:
        """Those about some of the points."""
        A = self.A if self.A.ndim == 2 else self.A[points]
        return Polytopes(A, self.low[points], self.high[points])


class OpenClause(NamedTuple):
    """A clause of several parts."""

    parts: Index
    places: Index  # of these among all that clauses choose from
    unsure: bool  # whether another part may hold that is not among them


@final
@dataclass(frozen=True, eq=False)
class Alternatives:
    """The parts that clauses choose from: rows first, then curves, then members."""

    A: Array
    curves: Sequence[Curve]
    low: Array
    high: Array
    members: Sequence[AllowedValues]
    choices: Sequence[OpenClause]

    def ranks(self, U: Array) -> Array:  # (m, d) -> (m, parts)
        """By how much each part is missed at each point, below 0 how far inside a point is.

        Infinite where a part is undefined.
        """
        numbers = np.column_stack([U @ self.A.T, *(curve.h(U) for curve in self.curves)])
        rank = np.maximum(np.maximum(self.low - numbers, numbers - self.high), -1.0)
        rank[np.isnan(rank)] = np.inf
        return np.column_stack([rank, *(self.member_ranks(member, U) for member in self.members)])

    def member_ranks(self, member: AllowedValues, U: Array) -> Array:  # (m, d) -> (m,)
        inside = member.inside[U[:, member.column].astype(np.intp)]
        return np.where(inside, -1.0, MEMBER_MISS)


@final
class Clauses:
    """The parts of all clauses, numbered: rows first, then curves, then members."""

    def __init__(self, limits: Limits, dimension: int) -> None:
        rows, curves, self.members = limits.rows, limits.curves, limits.members
        self.A = np.array([row.a for row in rows]).reshape(len(rows), dimension)
        self.low = np.array([row.low for row in rows] + [curve.low for curve in curves])
        self.high = np.array([row.high for row in rows] + [curve.high for curve in curves])
        self.curves = curves
        self.clauses = limits.clauses
        self.always = np.zeros(len(rows) + len(curves) + len(self.members), dtype=bool)
        self.always[[c[0] for c in self.clauses if len(c) == 1 and c[0] is not None]] = True

    @property
    def n_rows(self) -> int:
        return len(self.A)

    @property
    def n_numeric(self) -> int:
        """Rows and curves."""
        return len(self.low)

    @cached_property
    def is_polytope(self) -> bool:
        """Whether numbers are bounded only by rows that always hold: all points share these."""
        return not self.curves and bool(self.always[: self.n_rows].all())

    @cached_property
    def flat(self) -> Mask:  # (rows and curves,)
        """Which rows and curves have one value only."""
        return np.asarray(self.high - self.low <= FLAT)

    @cached_property
    def equations(self) -> int:
        """How many of these hold at every point."""
        return int(np.count_nonzero(self.always[: self.n_numeric] & self.flat))

    @cached_property
    def alternatives(self) -> Alternatives:
        """What clauses with more than one part choose from."""
        several = [clause for clause in self.clauses if len(clause) > 1]
        parts = sorted({part for clause in several for part in clause if part is not None})
        n, numeric = self.n_rows, self.n_numeric
        rows = [part for part in parts if part < n]
        return Alternatives(
            A=self.A[rows],
            curves=[self.curves[part - n] for part in parts if n <= part < numeric],
            low=self.low[[part for part in parts if part < numeric]],
            high=self.high[[part for part in parts if part < numeric]],
            members=[self.members[part - numeric] for part in parts if part >= numeric],
            choices=[
                OpenClause(
                    np.array(known, dtype=np.intp),
                    np.searchsorted(parts, known),
                    None in clause,  # a part that only `holds` knows may be the one
                )
                for clause in several
                if (known := [part for part in clause if part is not None])
            ],
        )

    def demands(self, U: Array, rng: np.random.Generator | None = None) -> Mask:  # -> (m, parts)
        """Which parts each point keeps. With an rng clauses that do not hold choose at random."""
        kept = np.repeat(self.always[None], len(U), axis=0)
        if not self.alternatives.choices:
            return kept
        ranks, rows = self.alternatives.ranks(U), np.arange(len(U))
        for parts, places, unsure in self.alternatives.choices:
            rank = ranks[:, places]
            if rng is not None:
                broken = (rank > 0.0).all(axis=1)
                rank[broken] = rng.random((int(broken.sum()), len(parts)))
            best = parts[np.argmin(rank, axis=1)]
            if unsure:
                ask = rank.min(axis=1) <= 0.0
                kept[rows[ask], best[ask]] = True
            else:
                kept[rows, best] = True
        return kept

    def rows_at(self, U: Array, kept: Mask) -> Polytopes:  # (m, d), (m, parts)
        """The polytope about each point: rows that are not kept have no bounds."""
        n = self.n_rows
        if self.is_polytope:
            shape = (len(U), n)
            return Polytopes(
                self.A, np.broadcast_to(self.low, shape), np.broadcast_to(self.high, shape)
            )
        kept = kept[:, : self.n_numeric]
        low = np.where(kept[:, :n], self.low[:n], -np.inf)
        high = np.where(kept[:, :n], self.high[:n], np.inf)
        if not self.curves:
            return Polytopes(self.A, low, high)
        a, below, above = self.tangents(U, kept[:, n:])
        if not n:
            return Polytopes(a, below, above)
        A = np.concatenate([np.broadcast_to(self.A, (len(U), *self.A.shape)), a], axis=1)
        return Polytopes(
            A, np.concatenate([low, below], axis=1), np.concatenate([high, above], axis=1)
        )

    def tangents(self, U: Array, kept: Mask) -> tuple[Array, Array, Array]:
        """The curves as rows of length 1: (m, d), (m, C) -> (m, C, d), (m, C), (m, C)."""
        n = self.n_rows
        value, a = self.slopes(U)
        length = np.sqrt(np.einsum("mcd,mcd->mc", a, a))
        sound = kept & (length > 1e-12) & np.isfinite(length + value)
        whole = bool(sound.all())
        if not whole:
            lost = kept & ~sound & ~((value >= self.low[n:]) & (value <= self.high[n:]))
            value, length = np.where(sound, value, 0.0), np.where(sound, length, 1.0)
            a[~sound] = 0.0
        a /= length[:, :, None]
        here = np.matmul(a, U[:, :, None])[:, :, 0] - value / length
        below, above = here + self.low[n:] / length, here + self.high[n:] / length
        if not whole:
            below[~sound], above[~sound] = -np.inf, np.inf
            below[lost] = above[lost] = 1.0  # undefined, or missed and flat: nowhere to go
        return a, below, above

    def slopes(self, U: Array) -> tuple[Array, Array]:  # (m, d) -> (m, C), (m, C, d)
        """The curves and their slopes."""
        value = np.empty((len(U), len(self.curves)))
        slope = np.zeros((*value.shape, U.shape[1]))
        for i, curve in enumerate(self.curves):
            value[:, i] = curve.slopes(U, slope[:, i])
        return value, slope
