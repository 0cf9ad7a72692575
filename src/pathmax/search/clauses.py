"""Known constraints as arrays: which parts a point keeps, and the polytope about it that they make.

A constraint is a list of clauses, in each of which one part holds: a row low <= a'u <= high, a
curve low <= h(u) <= high, or a coordinate that is one of some values. At a point every clause is
represented by the part that holds most clearly, or comes closest; these parts together make a
convex piece of the domain about the point, in which a search can climb: curves are taken to be
straight there, and whoever uses the piece looks at `holds` afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple, final

import numpy as np

from pathmax.arrays import Array, Index, Mask
from pathmax.search.polytope import FLAT
from pathmax.space.constraint_parts import Limits

DIFFERENCE = 1e-6  # of the cube, for the slope of a curve
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


@final
class Clauses:
    """The parts of all clauses, numbered: rows first, then curves, then members."""

    def __init__(self, limits: Limits, dimension: int, smooth: Sequence[int]) -> None:
        rows, curves, self.members = limits.rows, limits.curves, limits.members
        self.A = np.array([row.a for row in rows]).reshape(len(rows), dimension)
        self.low = np.array([row.low for row in rows] + [curve.low for curve in curves])
        self.high = np.array([row.high for row in rows] + [curve.high for curve in curves])
        self.curves = curves
        self.smooth = np.array(smooth, dtype=np.intp)  # coordinates along which curves have slopes
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
    def choosing(self) -> list[Sequence[int | None]]:
        """The clauses with more than one part."""
        return [clause for clause in self.clauses if len(clause) > 1]

    def curve_values(self, U: Array) -> Array:  # (m, d) -> (m, C)
        values = [curve.h(U) for curve in self.curves]
        return np.stack(values, axis=1) if values else np.empty((len(U), 0))

    def numbers(self, U: Array) -> Array:  # (m, d) -> (m, rows and curves)
        """The values a'u of the rows and h(u) of the curves at each point."""
        return np.concatenate([U @ self.A.T, self.curve_values(U)], axis=1)

    def ranks(self, U: Array) -> Array:  # (m, d) -> (m, parts)
        """By how much each part is missed at each point, below 0 how far inside a point is.

        Infinite where a part is undefined.
        """
        numbers = self.numbers(U)
        rank = np.maximum(np.maximum(self.low - numbers, numbers - self.high), -1.0)
        rank[np.isnan(rank)] = np.inf
        choices = [
            np.where(np.isin(U[:, member.column], member.values), -1.0, MEMBER_MISS)
            for member in self.members
        ]
        return np.column_stack([rank, *choices]) if choices else rank

    def demands(self, U: Array, rng: np.random.Generator | None = None) -> Mask:  # -> (m, parts)
        """Which parts each point keeps. With an rng clauses that do not hold choose at random."""
        kept = np.repeat(self.always[None], len(U), axis=0)
        if not self.choosing:
            return kept
        ranks, rows = self.ranks(U), np.arange(len(U))
        for clause in self.choosing:
            known = [part for part in clause if part is not None]
            if not known:
                continue
            rank = ranks[:, known]
            if rng is not None:
                broken = (rank > 0.0).all(axis=1)
                rank[broken] = rng.random((int(broken.sum()), len(known)))
            best = np.array(known)[np.argmin(rank, axis=1)]
            unsure = None in clause  # a part that only `holds` knows may be the one
            ask = rank.min(axis=1) <= 0.0 if unsure else np.ones(len(U), dtype=bool)
            kept[rows[ask], best[ask]] = True
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
        value, slope = self.slopes(U)
        length = np.sqrt(np.einsum("mcd,mcd->mc", slope, slope))
        sound = np.isfinite(length) & (length > 1e-12) & np.isfinite(value) & kept[:, n:]
        a = np.where(sound[:, :, None], slope / np.where(sound, length, 1.0)[:, :, None], 0.0)
        here = np.einsum("mcd,md->mc", a, U)
        with np.errstate(invalid="ignore", divide="ignore"):
            below = here + (self.low[n:] - value) / length
            above = here + (self.high[n:] - value) / length
        A = np.concatenate([np.broadcast_to(self.A, (len(U), *self.A.shape)), a], axis=1)
        low = np.concatenate([low, np.where(sound, below, -np.inf)], axis=1)
        high = np.concatenate([high, np.where(sound, above, np.inf)], axis=1)
        return Polytopes(A, low, high)

    def slopes(self, U: Array) -> tuple[Array, Array]:  # (m, d) -> (m, C), (m, C, d)
        """The curves and their slopes, by differences that stay in the cube."""
        value = self.curve_values(U)
        slope = np.zeros((*value.shape, U.shape[1]))
        steps = np.where(U < 0.5, DIFFERENCE, -DIFFERENCE)
        for i, curve in enumerate(self.curves):
            columns = [column for column in curve.on if column in self.smooth]
            moved = np.repeat(U[None], len(columns), axis=0)  # (k, m, d)
            for along, column in zip(moved, columns, strict=True):
                along[:, column] += steps[:, column]
            beside = curve.h(moved.reshape(-1, U.shape[1])).reshape(len(columns), len(U))
            with np.errstate(invalid="ignore", over="ignore"):
                slope[:, i, columns] = (beside.T - value[:, [i]]) / steps[:, columns]
        return value, slope
